//! Chooses the next guess when the rules make no more progress: which permutation a digit takes in
//! a band or stack (a line). Guessing in the narrowest line instead of the narrowest cell shrinks
//! the search on hard puzzles to two fifths.

use crate::solve::nine::digit_board::{BAND, ROW};

/// The next guess about a board: which permutation a digit takes in a band or stack.
pub(super) struct BranchChoice {
    /// 0 to 2 for a band, 3 to 5 for a stack.
    line: usize,
    digit: usize,
    /// The permutations not yet tried, as bits of
    /// [`LaneGroup::permutations`](super::lane_group::LaneGroup::permutations).
    left: u32,
}

impl BranchChoice {
    /// Chooses the band or stack with the fewest permutations left, and in it the digit with the
    /// fewest, but at least two. `words` has the permutations of boxes for each digit, then those
    /// of bands.
    #[inline(always)]
    pub(super) fn among(words: &[u64; 18]) -> Self {
        // Three digits in one word, so that one count serves all of them.
        let mut packed = [0; 6];
        for (three, packed) in packed.iter_mut().enumerate() {
            *packed = words[3 * three] | words[3 * three + 1] << 18 | words[3 * three + 2] << 36;
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
    digit: usize,
    permutation: usize,
}

/// The bits of each band's or stack's permutations in a word of permutations.
const MASKS: [u64; 6] = [
    0o111_111, 0o222_222, 0o444_444, 0o007_007, 0o070_070, 0o700_700,
];

impl PermutationGuess {
    /// The digit.
    #[inline(always)]
    pub(super) fn digit(self) -> usize {
        self.digit
    }

    /// The cells that the guess leaves to its digit, in each band.
    #[inline(always)]
    pub(super) fn cells(self) -> [u32; 3] {
        CELLS[self.line][self.permutation]
    }
}

/// The cells that a permutation leaves to its digit in each band, by line and permutation.
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
    cells[band] = 0o7 << (3 * boxes[0]) | 0o7 << (9 + 3 * boxes[1]) | 0o7 << (18 + 3 * boxes[2]);
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

/// The place of the rook in each of the three rows of a permutation, even or odd, that begins with
/// `first`.
const fn rooks_of(first: usize, is_odd: bool) -> [usize; 3] {
    let next = (first + 1) % 3;
    let last = (first + 2) % 3;
    if is_odd {
        [first, last, next]
    } else {
        [first, next, last]
    }
}
