//! Holds sixteen boards side by side, with the operations on one of them: write a board, read it,
//! choose the next guess.

use crate::solve::nine::choice::{BranchChoice, PermutationGuess};
use crate::solve::nine::digit_board::{BAND, ClueMasks, DigitBoard};
use crate::solve::nine::lanes::{LaneRow, WIDTH};

/// Sixteen boards, one in each lane, and the facts that the last sweep found out about them.
pub(super) struct LaneGroup {
    pub(super) board: [LaneRow; 27],
    /// For each word of the board, the cells where its digit is certain.
    pub(super) hidden: [LaneRow; 27],
    /// For each band, the cells where any digit is certain.
    pub(super) found: [LaneRow; 3],
    /// For each band, the cells with one candidate.
    pub(super) singles: [LaneRow; 3],
    /// The minirows that only three digits can use and the minirows certain for three digits, then
    /// the same for minicolumns.
    pub(super) triads: [LaneRow; 4],
    /// The permutations left for each digit, bits 0 to 8 the even ones, 9 to 17 the odd ones: first
    /// those of boxes in the bands (bit `3 * box + band`), then those of bands in the stacks (bit
    /// `3 * stack + column`).
    pub(super) permutations: [LaneRow; 18],
}

impl LaneGroup {
    /// A group of empty boards.
    pub(super) fn new() -> Self {
        let blank = LaneRow([0; WIDTH]);
        Self {
            board: [LaneRow([BAND; WIDTH]); 27],
            hidden: [blank; 27],
            found: [blank; 3],
            singles: [blank; 3],
            triads: [blank; 4],
            permutations: [blank; 18],
        }
    }

    /// Puts a puzzle into a lane.
    #[inline(always)]
    pub(super) fn begin(&mut self, lane: usize, clues: &ClueMasks) {
        self.put(lane, &clues.board());
        for (row, cells) in self.singles.iter_mut().zip(clues.cells) {
            row.0[lane] = cells;
        }
    }

    /// Puts a board into a lane, with nothing known about it.
    #[inline(always)]
    pub(super) fn put(&mut self, lane: usize, board: &DigitBoard) {
        for (row, &word) in self.board.iter_mut().zip(board) {
            row.0[lane] = word;
        }
        for row in self
            .found
            .iter_mut()
            .chain(&mut self.singles)
            .chain(&mut self.triads)
        {
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
    pub(super) fn board(&self, lane: usize) -> DigitBoard {
        let mut board = [0; 27];
        for (word, row) in board.iter_mut().zip(&self.board) {
            *word = row.0[lane];
        }
        board
    }

    /// Leaves only the cells that a guess allows to its digit.
    #[inline(always)]
    pub(super) fn restrict(&mut self, lane: usize, guess: PermutationGuess) {
        for (row, cells) in self.board[3 * guess.digit()..]
            .iter_mut()
            .zip(guess.cells())
        {
            row.0[lane] &= cells;
        }
    }

    /// The next guess about the board in a lane in which sweeps make no more progress.
    #[inline(always)]
    pub(super) fn choice(&self, lane: usize) -> BranchChoice {
        let mut words = [0; 18];
        for (word, row) in words.iter_mut().zip(&self.permutations) {
            *word = u64::from(row.0[lane]);
        }
        BranchChoice::among(&words)
    }
}
