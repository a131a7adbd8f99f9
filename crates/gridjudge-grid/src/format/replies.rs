//! What an output says beside grids, or in place of one: lines in which the number of the case may stand. Data only.

use serde::Deserialize;
use serde::Serialize;

use crate::Template;
use crate::format::case_line;

/// What an output says beside grids, or in place of one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replies {
    /// The line for a grid without a solution. Without it, the problem promises that there is none such.
    #[serde(with = "case_line", default)]
    pub none: Option<Template>,
    /// The line for a grid with more solutions than may be shown or counted. Without it, the problem promises that there
    /// is none such.
    #[serde(with = "case_line", default)]
    pub several: Option<Template>,
    /// The line that tells the number of solutions.
    pub count: Option<CountLine>,
    /// Whether an empty line stands between two solutions of one grid.
    pub apart: bool,
    /// The line for a grid of which two clues clash. Without it, such a grid is one without a solution.
    #[serde(with = "case_line", skip_serializing_if = "Option::is_none", default)]
    pub invalid: Option<Template>,
    /// The line for a grid in which nothing clashes, where no other line is meant for it.
    #[serde(with = "case_line", skip_serializing_if = "Option::is_none", default)]
    pub valid: Option<Template>,
    /// The line for a grid without a blank in which nothing clashes.
    #[serde(with = "case_line", skip_serializing_if = "Option::is_none", default)]
    pub complete: Option<Template>,
    /// The line for a grid that has a solution, where no other line is meant for it.
    #[serde(with = "case_line", skip_serializing_if = "Option::is_none", default)]
    pub solvable: Option<Template>,
    /// The line for a grid with one solution, where that is not shown.
    #[serde(with = "case_line", skip_serializing_if = "Option::is_none", default)]
    pub one: Option<Template>,
}

/// What a text in place of a grid says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyKind {
    /// That there is no solution.
    None,
    /// That there are several, or too many.
    Several,
    /// That two clues clash.
    Invalid,
    /// That nothing clashes.
    Valid,
    /// That nothing clashes, and no cell is blank.
    Complete,
    /// That there is a solution.
    Solvable,
    /// That there is one solution.
    One,
}

/// A line that tells the number of solutions of a grid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountLine {
    /// The line.
    pub template: Template,
    /// Whether it follows the solutions; else before them.
    pub is_behind: bool,
    /// Whether an empty line stands between it and the solutions.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_apart: bool,
}

impl ReplyKind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::None, Self::Several, Self::Invalid, Self::Valid, Self::Complete, Self::Solvable, Self::One];

    /// Its name, as specs have it.
    pub fn key(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Several => "several",
            Self::Invalid => "invalid",
            Self::Valid => "valid",
            Self::Complete => "complete",
            Self::Solvable => "solvable",
            Self::One => "one",
        }
    }
}

impl Replies {
    /// The line that says this, if there is one.
    pub fn text(&self, kind: ReplyKind) -> Option<&Template> {
        let text = match kind {
            ReplyKind::None => &self.none,
            ReplyKind::Several => &self.several,
            ReplyKind::Invalid => &self.invalid,
            ReplyKind::Valid => &self.valid,
            ReplyKind::Complete => &self.complete,
            ReplyKind::Solvable => &self.solvable,
            ReplyKind::One => &self.one,
        };
        text.as_ref()
    }

    /// All lines that may stand in place of a grid, with what each says.
    pub fn texts(&self) -> impl Iterator<Item = (ReplyKind, &Template)> {
        ReplyKind::ALL.into_iter().filter_map(|kind| Some((kind, self.text(kind)?)))
    }

    /// Whether a grid may have no solution: there is a line for it, or its number of solutions is told.
    pub fn may_lack_solutions(&self) -> bool {
        self.none.is_some() || self.count.is_some() || self.valid.is_some()
    }

    /// Whether two clues of a grid may clash.
    pub fn may_clash(&self) -> bool {
        self.invalid.is_some() || self.none.is_some() || self.count.is_some()
    }
}
