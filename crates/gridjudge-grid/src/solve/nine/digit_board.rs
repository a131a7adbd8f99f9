//! Defines the board of the fast solver: one word for each digit and band, with a bit
//! for each of the band's 27 cells where the digit is still possible. Knows the
//! geometry, converts puzzles to boards and boards to solutions, and chooses where to
//! guess. Start at [`DigitBoard`].
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

/// The clues of a puzzle: a board of the clues alone, and the cells of each band that
/// have one.
pub(super) struct ClueMasks {
    pub(super) places: DigitBoard,
    pub(super) cells: [u32; 3],
}

impl ClueMasks {
    /// Reads a puzzle. Values above 9 count as blank.
    #[inline(always)]
    pub(super) fn from_puzzle(puzzle: &NinePuzzle) -> Self {
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

    /// Builds the masks from the cells of each digit: bit `cell` of the first word for
    /// cells up to 63, bit `cell - 64` of the second word for the others.
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

    /// The initial board: each digit is possible in the cells of its clues and in every
    /// blank cell.
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

    /// Counts a solution.
    #[inline(always)]
    pub(super) fn add(&mut self, solution: &NinePuzzle) {
        if self.count == 0 {
            self.first = *solution;
        }
        self.count += 1;
    }
}

// Chooses the next guess when the rules make no more progress: which permutation a
// digit takes in a band or stack (a line). Guessing in the narrowest line instead of
// the narrowest cell shrinks the search on hard puzzles to two fifths.

/// The next guess about a board: which permutation a digit takes in a band or stack.
pub(super) struct BranchChoice {
    /// 0 to 2 for a band, 3 to 5 for a stack.
    line: usize,
    digit: usize,
    /// The permutations not yet tried, as bits of
    /// [`LaneGroup::permutations`](super::lanes::LaneGroup::permutations).
    left: u32,
}

/// A board with several possible guesses, and the guesses not yet tried.
pub(super) struct BoardBranch<B> {
    pub(super) board: B,
    pub(super) choice: BranchChoice,
}

impl BranchChoice {
    /// Chooses the band or stack with the fewest permutations left, and in it the digit
    /// with the fewest, but at least two. `words` has the permutations of boxes for
    /// each digit, then those of bands.
    #[inline(always)]
    pub(super) fn among(words: &[u64; 18]) -> Self {
        // Three digits in one word, so that one count serves all of them.
        let mut packed = [0; 6];
        for (three, packed) in packed.iter_mut().enumerate() {
            *packed = words[3 * three]
                | words[3 * three + 1] << 18
                | words[3 * three + 2] << 36;
        }
        let mut fewest = (u32::MAX, 0);
        for (line, mask) in MASKS.into_iter().enumerate() {
            let mask = mask * (1 | 1 << 18 | 1 << 36);
            let [one, two, three] = if line < 3 { [0, 1, 2] } else { [3, 4, 5] };
            let count = (packed[one] & mask).count_ones()
                + (packed[two] & mask).count_ones()
                + (packed[three] & mask).count_ones();
            // A line with one permutation for each of the nine digits leaves no choice.
            if count > 9 {
                fewest = fewest.min((count, line));
            }
        }
        let line = fewest.1;
        let mut key = u64::MAX;
        let mut left = 0;
        for digit in 0..9 {
            let permutations = words[line / 3 * 9 + digit] & MASKS[line];
            let count = u64::from(permutations.count_ones());
            let own = if count < 2 {
                u64::MAX
            } else {
                count << 4 | digit as u64
            };
            (key, left) = if own < key {
                (own, permutations)
            } else {
                (key, left)
            };
        }
        Self {
            line,
            digit: key as usize & 15,
            left: left as u32,
        }
    }

    /// Whether all permutations were tried.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// Takes the first permutation not yet tried.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<PermutationGuess> {
        if self.left == 0 {
            return None;
        }
        let permutation = self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(PermutationGuess {
            line: self.line,
            digit: self.digit,
            permutation,
        })
    }
}

/// The guess that one digit takes one permutation in a line.
#[derive(Clone, Copy)]
pub(super) struct PermutationGuess {
    line: usize,
    pub(super) digit: usize,
    permutation: usize,
}

/// The bits of each band's or stack's permutations in a word of permutations.
const MASKS: [u64; 6] = [
    0o111_111, 0o222_222, 0o444_444, 0o007_007, 0o070_070, 0o700_700,
];

impl PermutationGuess {
    /// The cells that the guess leaves to its digit, in each band.
    #[inline(always)]
    pub(super) fn cells(self) -> [u32; 3] {
        CELLS[self.line][self.permutation]
    }
}

/// The cells that a permutation leaves to its digit in each band, by line and
/// permutation.
static CELLS: [[[u32; 3]; 18]; 6] = cells();

const fn cells() -> [[[u32; 3]; 18]; 6] {
    let mut table = [[[BAND; 3]; 18]; 6];
    let mut at = 0;
    while at < 6 * 18 {
        let line = at / 18;
        let permutation = at % 18;
        let is_odd = permutation >= 9;
        table[line][permutation] = if line < 3 {
            cells_of_band(line, rooks_of(permutation % 9 / 3, is_odd))
        } else {
            cells_of_stack(permutation % 9 / 3, rooks_of(permutation % 3, is_odd))
        };
        at += 1;
    }
    table
}

const fn cells_of_band(band: usize, boxes: [usize; 3]) -> [u32; 3] {
    let mut cells = [BAND; 3];
    cells[band] = 0o7 << (3 * boxes[0])
        | 0o7 << (9 + 3 * boxes[1])
        | 0o7 << (18 + 3 * boxes[2]);
    cells
}

const fn cells_of_stack(stack: usize, columns: [usize; 3]) -> [u32; 3] {
    let others = ROW & !(0o7 << (3 * stack));
    let first = 3 * stack;
    [
        (others | 1 << (first + columns[0])) * 0o001_001_001,
        (others | 1 << (first + columns[1])) * 0o001_001_001,
        (others | 1 << (first + columns[2])) * 0o001_001_001,
    ]
}

/// The place of the rook in each of the three rows of a permutation, even or odd, that
/// begins with `first`.
const fn rooks_of(first: usize, is_odd: bool) -> [usize; 3] {
    let next = (first + 1) % 3;
    let last = (first + 2) % 3;
    if is_odd {
        [first, last, next]
    } else {
        [first, next, last]
    }
}
