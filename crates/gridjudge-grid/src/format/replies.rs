//! Defines the lines that an output has besides grids, or in place of one. They may contain the
//! number of the case. Data only.

use serde::{Deserialize, Serialize};

use crate::format::case_line;
use crate::{BLANK, Template, Value};

/// The lines that an output has besides grids, or in place of one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replies {
    /// The line for a grid without a solution. If it is missing, the problem promises that every
    /// grid has one.
    #[serde(with = "case_line", default)]
    pub none: Option<Template>,
    /// The line for a grid with more solutions than may be shown or counted. If it is missing, the
    /// problem promises that no grid has that many.
    #[serde(with = "case_line", default)]
    pub several: Option<Template>,
    /// The line that states the number of solutions.
    pub count: Option<CountLine>,
    /// Whether an empty line stands between two solutions of one grid.
    #[serde(rename = "apart")]
    pub blank_line_between_solutions: bool,
    /// The line for a grid with two clues that clash. If it is missing, such a grid counts as one
    /// without a solution.
    #[serde(with = "case_line", skip_serializing_if = "Option::is_none", default)]
    pub invalid: Option<Template>,
    /// The line for a grid in which nothing clashes, if no more specific line applies.
    #[serde(with = "case_line", skip_serializing_if = "Option::is_none", default)]
    pub valid: Option<Template>,
    /// The line for a grid without a blank in which nothing clashes.
    #[serde(with = "case_line", skip_serializing_if = "Option::is_none", default)]
    pub complete: Option<Template>,
    /// The line for a grid that has a solution, if no more specific line applies.
    #[serde(with = "case_line", skip_serializing_if = "Option::is_none", default)]
    pub solvable: Option<Template>,
    /// The line for a grid with one solution, if the solution itself is not shown.
    #[serde(with = "case_line", skip_serializing_if = "Option::is_none", default)]
    pub one: Option<Template>,
}

/// The meaning of a line in place of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyKind {
    /// There is no solution.
    None,
    /// There are several solutions, or too many.
    Several,
    /// Two clues clash.
    Invalid,
    /// Nothing clashes.
    Valid,
    /// Nothing clashes, and no cell is blank.
    Complete,
    /// There is a solution.
    Solvable,
    /// There is exactly one solution.
    One,
}

/// A line that states the number of solutions of a grid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountLine {
    /// The line.
    pub template: Template,
    /// Whether it follows the solutions; otherwise it precedes them.
    #[serde(rename = "is_behind")]
    pub follows_solutions: bool,
    /// Whether an empty line stands between it and the solutions.
    #[serde(
        rename = "is_apart",
        skip_serializing_if = "std::ops::Not::not",
        default
    )]
    pub has_blank_line: bool,
}

impl ReplyKind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::None,
        Self::Several,
        Self::Invalid,
        Self::Valid,
        Self::Complete,
        Self::Solvable,
        Self::One,
    ];

    /// Its key in specs.
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
    /// The line with this meaning; `None` if there is none.
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

    /// All lines that may stand in place of a grid, with their meanings.
    pub fn texts(&self) -> impl Iterator<Item = (ReplyKind, &Template)> {
        ReplyKind::ALL
            .into_iter()
            .filter_map(|kind| Some((kind, self.text(kind)?)))
    }

    /// Whether a grid may have no solution: a line for it exists, or the number of solutions is
    /// stated, or a line only says that nothing clashes.
    pub fn may_lack_solutions(&self) -> bool {
        self.none.is_some() || self.count.is_some() || self.valid.is_some()
    }

    /// Whether two clues of a grid may clash.
    pub fn may_clash(&self) -> bool {
        self.invalid.is_some() || self.none.is_some() || self.count.is_some()
    }
}

// Classifies the grids of an input by their solutions, for problems whose answer is a word, and
// picks the problem's word for each kind. Data only.

/// The kind of a grid of an input. Every grid is of exactly one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleKind {
    /// Two of its clues clash.
    Invalid,
    /// Nothing clashes, and no cell is blank.
    Complete,
    /// Nothing clashes, and there is no solution.
    None,
    /// It has blanks and one solution.
    One,
    /// It has several solutions.
    Several,
}

impl PuzzleKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [
        Self::Invalid,
        Self::Complete,
        Self::None,
        Self::One,
        Self::Several,
    ];

    /// The replies that are true of a grid of this kind, the most specific first.
    pub fn replies(self) -> &'static [ReplyKind] {
        match self {
            Self::Invalid => &[ReplyKind::Invalid, ReplyKind::None],
            Self::Complete => &[
                ReplyKind::Complete,
                ReplyKind::One,
                ReplyKind::Solvable,
                ReplyKind::Valid,
            ],
            Self::None => &[ReplyKind::None, ReplyKind::Valid],
            Self::One => &[ReplyKind::One, ReplyKind::Solvable, ReplyKind::Valid],
            Self::Several => &[ReplyKind::Several, ReplyKind::Solvable, ReplyKind::Valid],
        }
    }
}

impl Replies {
    /// The reply to a grid of this kind if the answer is a word: the most specific one that the
    /// problem has a line for.
    pub fn word_for(&self, kind: PuzzleKind) -> Option<ReplyKind> {
        kind.replies()
            .iter()
            .copied()
            .find(|&reply| self.text(reply).is_some())
    }

    /// The kind of a grid if the answer is a word; `None` if the word depends on the grid's
    /// solutions. If it does not, any grid with blanks and without a clash counts as
    /// [`PuzzleKind::One`].
    pub fn kind_without_solutions(&self, clues: &[Value], has_clash: bool) -> Option<PuzzleKind> {
        match () {
            () if has_clash => Some(PuzzleKind::Invalid),
            () if !clues.contains(&BLANK) => Some(PuzzleKind::Complete),
            () => (!self.ask_for_solutions()).then_some(PuzzleKind::One),
        }
    }

    /// Whether the word for a grid with blanks in which nothing clashes depends on its solutions.
    pub fn ask_for_solutions(&self) -> bool {
        let lines = [PuzzleKind::None, PuzzleKind::One, PuzzleKind::Several]
            .map(|kind| self.line_for(kind));
        lines.contains(&None) || lines[0] != lines[1] || lines[1] != lines[2]
    }

    /// The line for a grid of this kind if the answer is a word.
    pub fn line_for(&self, kind: PuzzleKind) -> Option<&Template> {
        self.text(self.word_for(kind)?)
    }
}
