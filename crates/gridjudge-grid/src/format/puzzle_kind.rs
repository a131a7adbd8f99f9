//! Classifies the grids of an input by their solutions, for problems whose answer is a word, and
//! picks the problem's word for each kind. Data only.

use crate::format::replies::{Replies, ReplyKind};
use crate::{BLANK, Template, Value};

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
