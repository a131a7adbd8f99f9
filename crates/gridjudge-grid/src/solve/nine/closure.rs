//! Closes a digit: computes exactly which minirows and minicolumns can hold it, without a branch or
//! a table.
//!
//! A digit's minirows in a band are a 3x3 board of rows and boxes with three rooks on it. One word
//! holds the boards of all three bands: bit `9 * row + 3 * box + band`. A permutation of boxes is
//! even (a rotation: row `n` takes box `n + k`) or odd. Rotating the three rows against each other
//! and combining them with `and` gives the even and the odd permutations that are left, three of
//! each for every band. That is all the information needed: a minirow stays if some permutation
//! uses it, and is certain if all permutations do. Minicolumns work the same way with bit `9 * band
//! + column`.

use crate::solve::nine::digit_board::{MINIROWS, ROW};
use crate::solve::nine::lanes::{LaneRow, Lanes};

/// The result of closing the minirows or minicolumns of a digit, as words of all three bands.
pub(super) struct ClosureResult<V> {
    /// Those that some permutation uses.
    pub(super) possible: V,
    /// Those that all permutations use.
    pub(super) certain: V,
    /// The permutations left: bits 0 to 8 the even ones, 9 to 17 the odd ones.
    pub(super) permutations: V,
    /// [`BAND`](super::digit_board::BAND), unless some row has no place left.
    pub(super) alive: V,
}

/// The operations on registers of one kind.
pub(super) struct ClosureOps<V: Lanes> {
    pub(super) processor: V::Processor,
}

impl<V: Lanes> ClosureOps<V> {
    #[inline(always)]
    pub(super) fn splat(&self, word: u32) -> V {
        V::splat(self.processor, word)
    }

    #[inline(always)]
    pub(super) fn splat_all<const N: usize>(&self, words: &[u32; N]) -> [V; N] {
        let mut registers = [self.splat(0); N];
        for (register, &word) in registers.iter_mut().zip(words) {
            *register = self.splat(word);
        }
        registers
    }

    #[inline(always)]
    pub(super) fn load<const N: usize>(&self, rows: &[LaneRow; N], part: usize) -> [V; N] {
        let mut words = [self.splat(0); N];
        for (word, row) in words.iter_mut().zip(rows) {
            *word = V::load(self.processor, row, part);
        }
        words
    }

    /// The minirows that contain any of these cells, as one word for three bands: bit
    /// `9 * row + 3 * box + band`.
    #[inline(always)]
    pub(super) fn minirows(&self, [top, middle, bottom]: [V; 3]) -> V {
        let top = top.or3(top.shr(1), top.shr(2));
        let middle = middle.shl(1).or3(middle, middle.shr(1));
        let bottom = bottom.shl(2).or3(bottom.shl(1), bottom);
        // `top`, the last choice, has no bits beyond the band, so the result has none either.
        self.splat(MINIROWS << 1)
            .select(middle, self.splat(MINIROWS << 2).select(bottom, top))
    }

    /// The minicolumns that contain any of these cells, as one word for three bands: bit `9 * band
    /// + column`.
    #[inline(always)]
    pub(super) fn minicolumns(&self, [top, middle, bottom]: [V; 3]) -> V {
        let top = top.or3(top.shr(9), top.shr(18));
        let middle = middle.shl(9).or3(middle, middle.shr(9));
        let bottom = bottom.shl(18).or3(bottom.shl(9), bottom);
        self.splat(ROW << 9)
            .select(middle, self.splat(ROW << 18).select(bottom, top))
    }

    /// Each row's boxes rotated by one and by two.
    #[inline(always)]
    fn boxes_rotated(&self, word: V) -> (V, V) {
        let once = self.splat(0o700_700_700).select(word.shl(6), word.shr(3));
        let twice = self.splat(0o770_770_770).select(word.shl(3), word.shr(6));
        (once, twice)
    }

    /// Each box's columns rotated by one and by two.
    #[inline(always)]
    fn columns_rotated(&self, word: V) -> (V, V) {
        let once = self.splat(0o444_444_444).select(word.shl(2), word.shr(1));
        let twice = self.splat(0o666_666_666).select(word.shl(1), word.shr(2));
        (once, twice)
    }

    /// Closes minirows, given those known to be certain.
    #[inline(always)]
    pub(super) fn close_rows(&self, word: V, certain: V) -> ClosureResult<V> {
        // A certain minirow excludes the others of its row. Two certain ones exclude each other,
        // which leaves the row empty.
        let (once, twice) = self.boxes_rotated(certain);
        let word = word.without(once.or(twice));
        let (once, twice) = self.boxes_rotated(word);
        self.rows_left(permutations(word, once, twice))
    }

    /// Closes minicolumns, given those known to be certain.
    #[inline(always)]
    pub(super) fn close_columns(&self, word: V, certain: V) -> ClosureResult<V> {
        let (once, twice) = self.columns_rotated(certain);
        let word = word.without(once.or(twice));
        let (once, twice) = self.columns_rotated(word);
        self.columns_left(permutations(word, once, twice))
    }

    /// The result of [`Self::close_rows`] again, from the permutations it left.
    #[inline(always)]
    pub(super) fn rows_again(&self, permutations: V) -> ClosureResult<V> {
        self.rows_left((permutations.and(self.splat(ROW)), permutations.shr(9)))
    }

    /// The result of [`Self::close_columns`] again, from the permutations it left.
    #[inline(always)]
    pub(super) fn columns_again(&self, permutations: V) -> ClosureResult<V> {
        self.columns_left((permutations.and(self.splat(ROW)), permutations.shr(9)))
    }

    /// The result for minirows with these even and odd permutations left.
    #[inline(always)]
    fn rows_left(&self, (even, odd): (V, V)) -> ClosureResult<V> {
        let possible = self.rows_of(even, odd);
        let (once, twice) = self.boxes_rotated(possible);
        closed(possible, once.or(twice), even.or(odd.shl(9)))
    }

    /// The result for minicolumns with these even and odd permutations left.
    #[inline(always)]
    fn columns_left(&self, (even, odd): (V, V)) -> ClosureResult<V> {
        let possible = self.columns_of(even, odd);
        let (once, twice) = self.columns_rotated(possible);
        closed(possible, once.or(twice), even.or(odd.shl(9)))
    }

    /// The minirows that these even and odd permutations use.
    #[inline(always)]
    fn rows_of(&self, even: V, odd: V) -> V {
        let even2 = even.or(even.shl(9));
        let odd2 = odd.or(odd.shl(9));
        let second = even2.shl(3).or(odd2.shl(6));
        let third = even2.shl(15).or(odd2.shl(12));
        even.or(odd)
            .or(second.and(self.splat(ROW << 9)))
            .or(third.and(self.splat(ROW << 18)))
    }

    /// The minicolumns that these even and odd permutations use.
    #[inline(always)]
    fn columns_of(&self, even: V, odd: V) -> V {
        let part = |sum: V, word: V, mask: u32| sum.or(word.and(self.splat(mask)));
        let mut sum = even.or(odd);
        sum = part(sum, even.shl(7), 0o000_111_000);
        sum = part(sum, even.shl(10), 0o000_666_000);
        sum = part(sum, even.shl(17), 0o333_000_000);
        sum = part(sum, even.shl(20), 0o444_000_000);
        sum = part(sum, odd.shl(8), 0o000_333_000);
        sum = part(sum, odd.shl(11), 0o000_444_000);
        sum = part(sum, odd.shl(16), 0o111_000_000);
        part(sum, odd.shl(19), 0o666_000_000)
    }

    /// All cells of these minirows in one band.
    #[inline(always)]
    pub(super) fn cells_of_rows(&self, rows: V, band: usize) -> V {
        rows.shr(band as u32)
            .and(self.splat(MINIROWS))
            .times_seven()
    }

    /// All cells of these minicolumns in one band.
    #[inline(always)]
    pub(super) fn cells_of_columns(&self, columns: V, band: usize) -> V {
        let (first, second) = match band {
            0 => (columns, columns.shl(9)),
            1 => (columns.shr(9), columns),
            _ => (columns.shr(18), columns.shr(9)),
        };
        let third = match band {
            0 => columns.shl(18),
            1 => columns.shl(9),
            _ => columns,
        };
        self.splat(ROW << 9)
            .select(second, self.splat(ROW << 18).select(third, first))
    }
}

#[inline(always)]
fn closed<V: Lanes>(possible: V, others: V, permutations: V) -> ClosureResult<V> {
    ClosureResult {
        possible,
        certain: possible.without(others),
        permutations,
        alive: possible.or(others),
    }
}

/// The even and the odd permutations left by a word, given it and its rotations by one and by two.
#[inline(always)]
fn permutations<V: Lanes>(word: V, once: V, twice: V) -> (V, V) {
    let even = word.and(once.shr(9)).and(twice.shr(18));
    let odd = word.and(twice.shr(9)).and(once.shr(18));
    (even, odd)
}
