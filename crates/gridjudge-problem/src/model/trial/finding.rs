//! What a checker found in an output: that it is right, or what is wrong and where.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::{CheckerPoints, Verdict};

/// The most findings listed for one output; further ones are only counted.
pub const MOST_FINDINGS: usize = 20;

/// One remark of a checker about an output. Rows, columns, grids and lines count from
/// 1, bytes from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Its effect on the verdict.
    pub kind: FindingKind,
    /// Number of the grid in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<u64>,
    /// Row of the cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u64>,
    /// Column of the cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// The other cell, if two cells clash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<CellPosition>,
    /// The rule that is violated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<FindingRule>,
    /// Line of the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Byte of the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte: Option<u64>,
    /// The whole finding, in a sentence.
    pub message: String,
}

/// A cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellPosition {
    /// Its row, from 1.
    pub row: u64,
    /// Its column, from 1.
    pub column: u64,
}

/// What a finding means for the verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// The output is wrong here.
    #[default]
    Wrong,
    /// The output is right except for white space, and the problem is strict about
    /// that.
    Presentation,
}

/// The rules that an output can violate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingRule {
    /// A symbol twice in a row.
    Row,
    /// A symbol twice in a column.
    Column,
    /// A symbol twice in a box.
    Box,
    /// A symbol twice in a region of a jigsaw map.
    Region,
    /// A symbol twice in a long diagonal.
    Diagonal,
    /// A symbol twice in a magic square.
    Square,
    /// A row, column or diagonal of a magic square with a wrong sum.
    Sum,
    /// A cage with a wrong total, or with a symbol twice.
    Cage,
    /// A symbol that is not less than its neighbour.
    Inequality,
    /// A clue was changed.
    Clue,
    /// Something that is not a symbol of the problem.
    Symbol,
    /// A cell left blank.
    Blank,
    /// Too few or too many cells in a row.
    Cells,
    /// Too few or too many rows in a grid.
    Rows,
    /// Too few grids.
    Grids,
    /// Trailing output after the last grid, or the last token.
    Trailing,
    /// A banner is missing or wrong.
    Banner,
    /// The line between two grids is missing, wrong, or where none belongs.
    Separator,
    /// Wrong text between cells, lines or tokens.
    Spacing,
    /// A valid completion that is not the expected one.
    Solution,
    /// A valid completion that is not the first.
    First,
    /// A text where a grid belongs, a grid where a text belongs, or the wrong text.
    Claim,
    /// The wrong number of solutions.
    Count,
    /// A solution, or a token, that is missing.
    Missing,
    /// A solution that was already given.
    Repeated,
    /// Solutions that are not in order.
    Order,
    /// A token that is not the expected one.
    Token,
    /// A number that is not near enough to the expected one, or no number where one is
    /// expected.
    Number,
    /// Rejected by the checker program of the problem.
    Checker,
}

/// Its name in logs.
impl fmt::Display for FindingRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(out)
    }
}

impl Finding {
    /// A finding that a rule is violated, without a place in the output.
    pub fn unplaced(rule: FindingRule, message: impl Into<String>) -> Self {
        Self {
            rule: Some(rule),
            message: message.into(),
            ..Self::default()
        }
    }

    /// Whether only white space is wrong.
    pub(crate) fn is_presentation(&self) -> bool {
        self.kind == FindingKind::Presentation
    }

    /// The line of the output, unless the message already begins with it.
    pub fn unnamed_line(&self) -> Option<u64> {
        self.line.filter(|line| {
            let rest = self
                .message
                .strip_prefix("line ")
                .and_then(|rest| rest.strip_prefix(&line.to_string()));
            rest.is_none_or(|rest| !rest.starts_with([',', ':']))
        })
    }
}

/// All findings about one output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// The first findings, those that make the output wrong before those about white
    /// space, each in the order of the output; at most [`MOST_FINDINGS`].
    pub listed: Vec<Finding>,
    /// The number of further findings.
    pub unlisted: u64,
    /// Grids that are right.
    #[serde(rename = "grids_right")]
    pub parts_right: u64,
    /// Number of grids in the input; 0 if the input has none.
    pub grids: u64,
    /// The points that the checker gives to an output that it accepts, or to any where
    /// the problem allows that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<CheckerPoints>,
    /// What the checker program says of an output that it accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checker_message: Option<String>,
    /// The pictures that the checker program has drawn of an output that it rejects.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub checker_images: Vec<CheckerImage>,
    /// The message for judges, as a checker of the Kattis format has left it. No report
    /// shows it as such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge_message: Option<String>,
    /// Expected and found text of the first grid whose exact text differs, as a short
    /// diff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// The grid of the first finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<GridPicture>,
}

impl From<Finding> for Findings {
    fn from(finding: Finding) -> Self {
        let mut findings = Self::default();
        findings.note_finding(finding);
        findings
    }
}

impl Findings {
    /// Whether no further finding will be listed.
    pub fn is_full(&self) -> bool {
        self.listed.len() == MOST_FINDINGS
            && self
                .listed
                .last()
                .is_some_and(|finding| finding.kind == FindingKind::Wrong)
    }

    /// Lists a finding, or counts it if the list is full. Findings about white space
    /// are sorted after all others, because the first in the list decides the verdict.
    pub fn note_finding(&mut self, finding: Finding) {
        let place = match finding.kind {
            FindingKind::Wrong => self
                .listed
                .partition_point(|earlier| earlier.kind == FindingKind::Wrong),
            FindingKind::Presentation => self.listed.len(),
        };
        self.listed.insert(place, finding);
        if self.listed.len() > MOST_FINDINGS {
            self.listed.pop();
            self.unlisted += 1;
        }
    }

    /// The points alone, of an output whose run has decided the verdict.
    #[must_use]
    pub fn points_only(self) -> Self {
        Self {
            points: self.points,
            ..Self::default()
        }
    }

    /// The verdict that follows from the findings: the first one decides.
    pub fn verdict(&self) -> Verdict {
        match self.listed.first().map(|finding| finding.kind) {
            None => Verdict::Accepted,
            Some(FindingKind::Wrong) => Verdict::WrongAnswer,
            Some(FindingKind::Presentation) => Verdict::PresentationError,
        }
    }
}

// A grid with its clues, the output and the expected solution: what a report needs to
// draw it. Plain text, so that it is readable in a log as well.

/// One grid of a case. Cells are words separated by a space, row by row; `.` is a blank
/// and `?` a cell that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GridPicture {
    /// Number of the grid in its case, from 1.
    pub grid: u64,
    /// Number of rows, and of columns.
    pub order: usize,
    /// The box or region of each cell, as a number from 1; empty where there are none.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub regions: String,
    /// Whether the two long diagonals are houses as well.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub diagonals: bool,
    /// The cells given in the input.
    pub clues: String,
    /// The cells in the output; empty if it contains no grid here.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub found: String,
    /// The expected cells; empty if they are unknown, or if no grid is expected.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub expected: String,
}

// A picture that a checker program has drawn, as a log contains it. Plain text: the
// contents are base64.

/// A file `judgeimage.*` or `teamimage.*` of a checker. Nothing is known of its
/// contents, not even that they are a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckerImage {
    /// The name of the file.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Its contents in base64; `None` if they are too large.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
}
