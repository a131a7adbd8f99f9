//! Defines the board of the fast solver: one word for each digit and band, with a bit for each of
//! the band's 27 cells where the digit is still possible. Knows the geometry, and converts puzzles
//! to boards and boards to solutions.
//!
//! ```text
//! bit of a cell in its band: 9 * row + column, so each octal group of three is a row
//!
//!        columns  9  8  7 | 6  5  4 | 3  2  1
//! first row       8  7  6 | 5  4  3 | 2  1  0     a minirow is three bits side by side,
//! second row     17 16 15 |14 13 12 |11 10  9     a minicolumn three bits nine apart
//! third row      26 25 24 |23 22 21 |20 19 18
//! ```

/// All cells of a band.
pub(super) const BAND: u32 = 0o777_777_777;

/// One cell of each minirow.
pub(super) const MINIROWS: u32 = 0o111_111_111;

/// The first row of a band.
pub(super) const ROW: u32 = 0o777;

/// The cells where each digit is possible: word `3 * (digit - 1) + band`.
pub(super) type DigitBoard = [u32; 27];

/// The clues of a puzzle: a board of the clues alone, and the cells of each band that have one.
pub(super) struct ClueMasks {
    pub(super) places: DigitBoard,
    pub(super) cells: [u32; 3],
}

impl ClueMasks {
    /// Reads a puzzle. Values above 9 count as blank.
    #[inline(always)]
    pub(super) fn of(puzzle: &NinePuzzle) -> Self {
        let mut sets = [0_u128; 10];
        for (cell, &value) in puzzle.iter().enumerate() {
            sets[if value > 9 { 0 } else { usize::from(value) }] |= 1 << cell;
        }
        Self::from_sets(|value| {
            (
                sets[usize::from(value)] as u64,
                (sets[usize::from(value)] >> 64) as u32,
            )
        })
    }

    /// Builds the masks from the cells of each digit: bit `cell` of the first word for cells up to
    /// 63, bit `cell - 64` of the second word for the others.
    #[inline(always)]
    pub(super) fn from_sets(set_of: impl Fn(u8) -> (u64, u32)) -> Self {
        let mut clues = Self {
            places: [0; 27],
            cells: [0; 3],
        };
        for digit in 0..9 {
            let (low, high) = set_of(digit + 1);
            let bands = [
                low as u32 & BAND,
                (low >> 27) as u32 & BAND,
                (low >> 54) as u32 | high << 10,
            ];
            for (band, places) in bands.into_iter().enumerate() {
                clues.places[3 * usize::from(digit) + band] = places;
                clues.cells[band] |= places;
            }
        }
        clues
    }

    /// The initial board: each digit is possible in the cells of its clues and in every blank cell.
    #[inline(always)]
    pub(super) fn board(&self) -> DigitBoard {
        let blank = self.cells.map(|cells| BAND & !cells);
        let mut board = self.places;
        for digit in 0..9 {
            for band in 0..3 {
                board[3 * digit + band] |= blank[band];
            }
        }
        board
    }
}

/// The solution given by a board on which every cell has one digit left.
#[inline(always)]
pub(super) fn solution(word: impl Fn(usize) -> u32) -> NinePuzzle {
    let mut solution = [0; 81];
    for (digit, value) in (0..9).zip(1..) {
        for band in 0..3 {
            let mut places = word(3 * digit + band);
            while places != 0 {
                solution[27 * band + places.trailing_zeros() as usize] = value;
                places &= places - 1;
            }
        }
    }
    solution
}

// Defines a plain 9x9 puzzle and the outcome of solving it. Data only.

/// A grid: values 1 to 9 in reading order, 0 for blank.
pub type NinePuzzle = [u8; 81];

/// The outcome of solving a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleOutcome {
    /// The number of solutions, counted up to the limit.
    pub count: usize,
    /// The first solution found; blank if there is none.
    pub first: NinePuzzle,
}

impl PuzzleOutcome {
    /// The outcome of a puzzle without a solution.
    pub const NONE: Self = Self {
        count: 0,
        first: [0; 81],
    };
}
