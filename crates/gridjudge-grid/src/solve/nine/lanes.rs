//! Defines the operations that the engines need of a register, several 32-bit lanes
//! that do the same at once, and sixteen boards side by side in such lanes. The
//! portable kind of register is here; the kinds of particular processors are in
//! [`simd`](super::simd).

use crate::solve::nine::digit_board::{
    BAND, BranchChoice, ClueMasks, DigitBoard, PermutationGuess,
};
use crate::solve::nine::{NinePuzzle, digit_board};

/// The number of puzzles solved side by side on any processor: the lanes of the widest
/// register.
pub(super) const WIDTH: usize = 16;

/// One word of every puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct LaneRow(pub(super) [u32; WIDTH]);

/// Some lanes of a [`LaneRow`], in a register.
pub(super) trait Lanes: Copy {
    /// Proof that this processor has such registers.
    type Processor: Copy;
    /// The number of lanes; it divides [`WIDTH`].
    const COUNT: usize;

    /// The same word in every lane.
    fn splat(processor: Self::Processor, word: u32) -> Self;
    /// The part of a row that starts with lane `COUNT * part`.
    fn load(processor: Self::Processor, row: &LaneRow, part: usize) -> Self;
    /// The opposite of `load`.
    fn store(self, row: &mut LaneRow, part: usize);

    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// `self & !other`.
    fn without(self, other: Self) -> Self;
    /// Three bits (a minirow) in place of each set bit. Only bits of
    /// [`MINIROWS`](digit_board::MINIROWS) may be set.
    fn times_seven(self) -> Self;
    fn shl(self, bits: u32) -> Self;
    fn shr(self, bits: u32) -> Self;
    /// The lanes that differ, as bit `lane`.
    fn differing(self, other: Self) -> u16;

    /// `self | other | third`.
    #[inline(always)]
    fn or3(self, other: Self, third: Self) -> Self {
        self.or(other).or(third)
    }

    /// The bits of `yes` where `self` has ones, and of `no` where it has zeros.
    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        no.xor(self.and(yes.xor(no)))
    }

    /// Reads a puzzle.
    #[inline(always)]
    fn clues(_: Self::Processor, puzzle: &NinePuzzle) -> ClueMasks {
        ClueMasks::from_puzzle(puzzle)
    }

    /// The solution given by a board on which every cell has one digit left.
    #[inline(always)]
    fn solution(_: Self::Processor, word: impl Fn(usize) -> u32) -> NinePuzzle {
        digit_board::solution(word)
    }
}

/// Two lanes, the halves of a common 64-bit register.
#[derive(Clone, Copy)]
pub(super) struct PortableLanes(u64);

/// The same word in both halves.
const fn twice(word: u32) -> u64 {
    word as u64 | (word as u64) << 32
}

impl Lanes for PortableLanes {
    type Processor = ();
    const COUNT: usize = 2;

    #[inline(always)]
    fn splat((): (), word: u32) -> Self {
        Self(twice(word))
    }

    #[inline(always)]
    fn load((): (), row: &LaneRow, part: usize) -> Self {
        Self(u64::from(row.0[2 * part]) | u64::from(row.0[2 * part + 1]) << 32)
    }

    #[inline(always)]
    fn store(self, row: &mut LaneRow, part: usize) {
        row.0[2 * part] = self.0 as u32;
        row.0[2 * part + 1] = (self.0 >> 32) as u32;
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        Self(self.0 << bits & twice(u32::MAX << bits))
    }

    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        Self(self.0 >> bits & twice(u32::MAX >> bits))
    }

    #[inline(always)]
    fn times_seven(self) -> Self {
        // A lane has at most 27 bits, and set bits are three apart, so there is no
        // borrow or overflow between lanes.
        Self((self.0 << 3) - self.0)
    }

    #[inline(always)]
    fn differing(self, other: Self) -> u16 {
        let unlike = self.0 ^ other.0;
        u16::from(unlike as u32 != 0) | u16::from(unlike >> 32 != 0) << 1
    }
}

// Holds sixteen boards side by side, with the operations on one of them: write a board,
// read it, choose the next guess.

/// Sixteen boards, one in each lane, and the facts that the last sweep found out about
/// them.
pub(super) struct LaneGroup {
    pub(super) board: [LaneRow; 27],
    /// For each word of the board, the cells where its digit is certain.
    pub(super) hidden: [LaneRow; 27],
    /// For each band, the cells where any digit is certain.
    pub(super) found: [LaneRow; 3],
    /// For each band, the cells with one candidate.
    pub(super) singles: [LaneRow; 3],
    /// The minirows that only three digits can use and the minirows certain for three
    /// digits, then the same for minicolumns.
    pub(super) triads: [LaneRow; 4],
    /// The permutations left for each digit, bits 0 to 8 the even ones, 9 to 17 the odd
    /// ones: first those of boxes in the bands (bit `3 * box + band`), then those of
    /// bands in the stacks (bit `3 * stack + column`).
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
        for (row, cells) in
            self.board[3 * guess.digit..].iter_mut().zip(guess.cells())
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
