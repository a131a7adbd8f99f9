//! Sixteen boards side by side, and what is done to one of them at a time: put a board in, take it out, find where to
//! branch.

use crate::solve::nine::board::BAND;
use crate::solve::nine::board::Board;
use crate::solve::nine::board::Clues;
use crate::solve::nine::choice::Choice;
use crate::solve::nine::choice::Guess;
use crate::solve::nine::lanes::Row;
use crate::solve::nine::lanes::WIDTH;

/// Sixteen boards, lane by lane, and what the last sweep found out about them.
pub(super) struct Group {
    pub(super) board: [Row; 27],
    /// Cells where a digit was found to be certain, for each word of the board.
    pub(super) hidden: [Row; 27],
    /// All cells of a band where some digit was found to be certain.
    pub(super) found: [Row; 3],
    /// Cells of each band with one candidate.
    pub(super) singles: [Row; 3],
    /// Minirows that only three digits can use, minirows certain for three; the same of minicolumns.
    pub(super) triads: [Row; 4],
    /// Permutations that are left for each digit, bits 0 to 8 the even, 9 to 17 the odd: first those of boxes in the
    /// bands (bit `3 * box + band`), then those of bands in the stacks (bit `3 * stack + column`).
    pub(super) permutations: [Row; 18],
}

impl Group {
    /// A group of empty boards.
    pub(super) fn new() -> Self {
        let blank = Row([0; WIDTH]);
        Self {
            board: [Row([BAND; WIDTH]); 27],
            hidden: [blank; 27],
            found: [blank; 3],
            singles: [blank; 3],
            triads: [blank; 4],
            permutations: [blank; 18],
        }
    }

    /// Puts a puzzle into a lane.
    #[inline(always)]
    pub(super) fn begin(&mut self, lane: usize, clues: &Clues) {
        self.put(lane, &clues.board());
        for (row, cells) in self.singles.iter_mut().zip(clues.cells) {
            row.0[lane] = cells;
        }
    }

    /// Puts a board into a lane, with nothing known about it.
    #[inline(always)]
    pub(super) fn put(&mut self, lane: usize, board: &Board) {
        for (row, &word) in self.board.iter_mut().zip(board) {
            row.0[lane] = word;
        }
        for row in self.found.iter_mut().chain(&mut self.singles).chain(&mut self.triads) {
            row.0[lane] = 0;
        }
    }

    /// The words of the board in a lane.
    #[inline(always)]
    pub(super) fn words(&self, lane: usize) -> impl Fn(usize) -> u32 {
        move |word| self.board[word].0[lane]
    }

    /// The board in a lane.
    #[inline(always)]
    pub(super) fn board(&self, lane: usize) -> Board {
        let mut board = [0; 27];
        for (word, row) in board.iter_mut().zip(&self.board) {
            *word = row.0[lane];
        }
        board
    }

    /// Leaves to a digit only what a guess allows.
    #[inline(always)]
    pub(super) fn restrict(&mut self, lane: usize, guess: Guess) {
        for (row, cells) in self.board[3 * guess.digit()..].iter_mut().zip(guess.cells()) {
            row.0[lane] &= cells;
        }
    }

    /// What to guess about the board in a lane, on which nothing follows any more.
    #[inline(always)]
    pub(super) fn choice(&self, lane: usize) -> Choice {
        let mut words = [0; 18];
        for (word, row) in words.iter_mut().zip(&self.permutations) {
            *word = u64::from(row.0[lane]);
        }
        Choice::among(&words)
    }
}
