//! What a grid of an input is, as far as there may be a word for it, and which word of a problem is the one. Data only.

use crate::BLANK;
use crate::Template;
use crate::Value;
use crate::format::replies::Replies;
use crate::format::replies::ReplyKind;

/// What a grid of an input is. Each is just one of these.
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
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Invalid, Self::Complete, Self::None, Self::One, Self::Several];

    /// What is true of such a grid, the most telling first.
    pub fn replies(self) -> &'static [ReplyKind] {
        match self {
            Self::Invalid => &[ReplyKind::Invalid, ReplyKind::None],
            Self::Complete => &[ReplyKind::Complete, ReplyKind::One, ReplyKind::Solvable, ReplyKind::Valid],
            Self::None => &[ReplyKind::None, ReplyKind::Valid],
            Self::One => &[ReplyKind::One, ReplyKind::Solvable, ReplyKind::Valid],
            Self::Several => &[ReplyKind::Several, ReplyKind::Solvable, ReplyKind::Valid],
        }
    }
}

impl Replies {
    /// What is said of such a grid where the answer is a word: the most telling that there is a line for.
    pub fn word_for(&self, kind: PuzzleKind) -> Option<ReplyKind> {
        kind.replies().iter().copied().find(|&reply| self.text(reply).is_some())
    }

    /// What a grid is where the answer is a word, if its solutions need not be known for that.
    pub fn kind_without_solutions(&self, clues: &[Value], has_clash: bool) -> Option<PuzzleKind> {
        match () {
            () if has_clash => Some(PuzzleKind::Invalid),
            () if !clues.contains(&BLANK) => Some(PuzzleKind::Complete),
            () => (!self.ask_for_solutions()).then_some(PuzzleKind::One),
        }
    }

    /// Whether the word for a grid with blanks in which nothing clashes depends on its solutions.
    pub fn ask_for_solutions(&self) -> bool {
        let lines = [PuzzleKind::None, PuzzleKind::One, PuzzleKind::Several].map(|kind| self.line_for(kind));
        lines.contains(&None) || lines[0] != lines[1] || lines[1] != lines[2]
    }

    /// The line for such a grid where the answer is a word.
    pub fn line_for(&self, kind: PuzzleKind) -> Option<&Template> {
        self.text(self.word_for(kind)?)
    }
}
