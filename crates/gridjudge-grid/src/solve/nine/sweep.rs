//! Sweeps over sixteen puzzles, one in each lane: a sweep applies every rule once to
//! every digit.
//!
//! First, digits are closed one after the other. Then the digits of each triad are
//! counted (a triad is a minirow or a minicolumn: three cells, so three digits): if
//! only three digits can use a triad, it is certain for these; if it is certain for
//! three digits, no other digit can use it. Last come the cells: where a certain
//! minirow of a digit crosses a certain minicolumn of it, the digit is found; and the
//! digit of a cell with one candidate is removed from its houses in the next sweep.

use crate::solve::nine::digit_board::{BAND, MINIROWS, ROW};
use crate::solve::nine::lanes::{LaneGroup, LaneRow, Lanes, WIDTH};

/// The result of a sweep, one bit for each lane.
#[derive(Clone, Copy, Default)]
pub(super) struct SweepResult {
    /// A contradiction was found.
    failed: u16,
    /// Something changed.
    changed: u16,
    /// Something became certain, so another sweep may find more.
    gained: u16,
    /// Some cell has several candidates.
    open: u16,
}

/// How the propagation of the rules on a board ended.
pub(super) enum PropagationEnd {
    /// There is no solution.
    Failed,
    /// Every cell is decided, and the rules were checked.
    Solved,
    /// The rules make no more progress: a guess is needed.
    Open,
}

impl SweepResult {
    /// The lanes in which sweeps make no more progress.
    #[inline(always)]
    pub(super) fn halted(self) -> u16 {
        self.failed | !self.changed | !self.gained & self.open
    }

    /// How the propagation in a halted lane ended.
    #[inline(always)]
    pub(super) fn end_in_lane(self, lane: usize) -> PropagationEnd {
        match (self.failed >> lane & 1, self.open >> lane & 1) {
            (1, _) => PropagationEnd::Failed,
            (_, 1) => PropagationEnd::Open,
            _ => PropagationEnd::Solved,
        }
    }
}

/// Counters over the digits for each triad (bit): how many digits can use it, and for
/// how many it is certain. Word `n` has the triads with more than `n`.
struct TriadCount<V> {
    possible: [V; 4],
    certain: [V; 3],
}

impl<V: Lanes> TriadCount<V> {
    #[inline(always)]
    fn new(zero: V) -> Self {
        Self {
            possible: [zero; 4],
            certain: [zero; 3],
        }
    }

    #[inline(always)]
    fn add(&mut self, possible: V, certain: V) {
        for at in (1..4).rev() {
            self.possible[at] =
                self.possible[at].or(self.possible[at - 1].and(possible));
        }
        self.possible[0] = self.possible[0].or(possible);
        for at in (1..3).rev() {
            self.certain[at] = self.certain[at].or(self.certain[at - 1].and(certain));
        }
        self.certain[0] = self.certain[0].or(certain);
    }
}

/// Applies every rule once to the lanes of one part of a group.
#[inline(always)]
fn sweep_part<V: Lanes>(
    processor: V::Processor,
    group: &mut LaneGroup,
    part: usize,
) -> SweepResult {
    let words = ClosureOps::<V> { processor };
    let zero = words.splat(0);
    let all = words.splat(BAND);
    let singles = words.load(&group.singles, part);
    let found = words.load(&group.found, part);
    let old_triads = words.load(&group.triads, part);
    let mut rows = TriadCount::new(zero);
    let mut columns = TriadCount::new(zero);
    let mut cells = [[zero; 2]; 3];
    let mut found_now = [zero; 3];
    let mut changed = zero;
    let mut gained = zero;
    let mut alive = all;
    for digit in 0..9 {
        let mut old = [zero; 3];
        let mut places = [zero; 3];
        for band in 0..3 {
            old[band] = V::load(processor, &group.board[3 * digit + band], part);
            let here = V::load(processor, &group.hidden[3 * digit + band], part);
            places[band] =
                old[band].without(found[band].without(here).or(found_now[band]));
        }
        let closed = words.close(places, &singles, &old_triads);
        closed
            .rows
            .permutations
            .store(&mut group.permutations[digit], part);
        closed
            .columns
            .permutations
            .store(&mut group.permutations[9 + digit], part);
        rows.add(closed.rows.possible, closed.rows.certain);
        columns.add(closed.columns.possible, closed.columns.certain);
        alive = alive.and(closed.rows.alive).and(closed.columns.alive);
        for band in 0..3 {
            let now = closed.places[band];
            now.store(&mut group.board[3 * digit + band], part);
            changed = changed.or(now.xor(old[band]));
            let [one, two] = cells[band];
            cells[band] = [one.or(now), two.or(one.and(now))];
            closed.crossings[band].store(&mut group.hidden[3 * digit + band], part);
            found_now[band] = found_now[band].or(closed.crossings[band]);
        }
    }
    let mut failed = alive.differing(all)
        | rows.possible[2].differing(all)
        | columns.possible[2].differing(all);
    let triads = [
        rows.possible[2].without(rows.possible[3]),
        rows.certain[2],
        columns.possible[2].without(columns.possible[3]),
        columns.certain[2],
    ];
    for (now, old) in triads.into_iter().zip(old_triads) {
        gained = gained.or(now.without(old));
    }
    for (row, now) in group.triads.iter_mut().zip(triads) {
        now.store(row, part);
    }
    let mut several = zero;
    for band in 0..3 {
        let [one, two] = cells[band];
        failed |= one.differing(all);
        several = several.or(two);
        let single = one.without(two);
        gained = gained.or3(
            single.without(singles[band]),
            found_now[band].without(found[band]),
        );
        single.store(&mut group.singles[band], part);
        found_now[band].store(&mut group.found[band], part);
    }
    let changed = changed.or(gained).differing(zero);
    let gained = gained.differing(zero);
    SweepResult {
        failed,
        changed,
        gained,
        open: several.differing(zero),
    }
}

/// Applies every rule once to all lanes of a group.
#[inline(always)]
pub(super) fn sweep<V: Lanes>(
    processor: V::Processor,
    group: &mut LaneGroup,
) -> SweepResult {
    let mut swept = SweepResult::default();
    for part in 0..WIDTH / V::COUNT {
        let of_part = sweep_part::<V>(processor, group, part);
        let place = part * V::COUNT;
        swept.failed |= of_part.failed << place;
        swept.changed |= of_part.changed << place;
        swept.gained |= of_part.gained << place;
        swept.open |= of_part.open << place;
    }
    swept
}

// Closes a digit: computes exactly which minirows and minicolumns can hold it, without
// a branch or a table.
//
// A digit's minirows in a band are a 3x3 board of rows and boxes with three rooks on
// it. One word holds the boards of all three bands: bit `9 * row + 3 * box + band`. A
// permutation of boxes is even (a rotation: row `n` takes box `n + k`) or odd. Rotating
// the three rows against each other and combining them with `and` gives the even and
// the odd permutations that are left, three of each for every band. That is all the
// information needed: a minirow stays if some permutation uses it, and is certain if
// all permutations do. Minicolumns work the same way with bit `9 * band + column`.

/// The result of closing the minirows or minicolumns of a digit, as words of all three
/// bands.
pub(super) struct ClosureResult<V> {
    /// Those that some permutation uses.
    pub(super) possible: V,
    /// Those that all permutations use.
    pub(super) certain: V,
    /// The permutations left: bits 0 to 8 the even ones, 9 to 17 the odd ones.
    pub(super) permutations: V,
    /// [`BAND`], unless some row has no place left.
    pub(super) alive: V,
}

/// The result of closing a digit.
pub(super) struct DigitClosure<V> {
    /// The minirows, without those that are certain for three other digits.
    pub(super) rows: ClosureResult<V>,
    /// The minicolumns, likewise.
    pub(super) columns: ClosureResult<V>,
    /// For each band, the cells where the digit is still possible.
    pub(super) places: [V; 3],
    /// For each band, the cells where a certain minirow and a certain minicolumn cross.
    pub(super) crossings: [V; 3],
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
    pub(super) fn load<const N: usize>(
        &self,
        rows: &[LaneRow; N],
        part: usize,
    ) -> [V; N] {
        let mut words = [self.splat(0); N];
        for (word, row) in words.iter_mut().zip(rows) {
            *word = V::load(self.processor, row, part);
        }
        words
    }

    /// The minirows that contain any of these cells, as one word for three bands: bit
    /// `9 * row + 3 * box + band`.
    #[inline(always)]
    fn minirows(&self, [top, middle, bottom]: [V; 3]) -> V {
        let top = top.or3(top.shr(1), top.shr(2));
        let middle = middle.shl(1).or3(middle, middle.shr(1));
        let bottom = bottom.shl(2).or3(bottom.shl(1), bottom);
        // `top`, the last choice, has no bits beyond the band, so the result has none
        // either.
        self.splat(MINIROWS << 1)
            .select(middle, self.splat(MINIROWS << 2).select(bottom, top))
    }

    /// The minicolumns that contain any of these cells, as one word for three bands:
    /// bit `9 * band + column`.
    #[inline(always)]
    fn minicolumns(&self, [top, middle, bottom]: [V; 3]) -> V {
        let top = top.or3(top.shr(9), top.shr(18));
        let middle = middle.shl(9).or3(middle, middle.shr(9));
        let bottom = bottom.shl(18).or3(bottom.shl(9), bottom);
        self.splat(ROW << 9)
            .select(middle, self.splat(ROW << 18).select(bottom, top))
    }

    /// Each row's boxes (or, unless `ROWS`, each box's columns) rotated by one and by
    /// two.
    #[inline(always)]
    fn rotated<const ROWS: bool>(&self, word: V) -> (V, V) {
        if ROWS {
            (
                self.splat(0o700_700_700).select(word.shl(6), word.shr(3)),
                self.splat(0o770_770_770).select(word.shl(3), word.shr(6)),
            )
        } else {
            (
                self.splat(0o444_444_444).select(word.shl(2), word.shr(1)),
                self.splat(0o666_666_666).select(word.shl(1), word.shr(2)),
            )
        }
    }

    /// Closes a digit that is possible in these cells of each band. `singles` are the
    /// cells with one candidate; `triads`, as in
    /// [`LaneGroup::triads`](super::lanes::LaneGroup::triads).
    #[inline(always)]
    pub(super) fn close(
        &self,
        mut places: [V; 3],
        singles: &[V; 3],
        [only_rows, full_rows, only_columns, full_columns]: &[V; 4],
    ) -> DigitClosure<V> {
        let mut known = places;
        for band in 0..3 {
            known[band] = places[band].and(singles[band]);
        }
        let word = self.minirows(places);
        let certain = self.minirows(known).or(word.and(*only_rows));
        let mut rows = self.close_triads::<true>(word, certain);
        rows.possible = rows.possible.without(full_rows.without(rows.certain));
        for (band, places) in places.iter_mut().enumerate() {
            *places = places.and(self.cells_of_rows(rows.possible, band));
        }
        let word = self.minicolumns(places);
        let certain = self.minicolumns(known).or(word.and(*only_columns));
        let mut columns = self.close_triads::<false>(word, certain);
        columns.possible = columns
            .possible
            .without(full_columns.without(columns.certain));
        let mut crossings = places;
        for band in 0..3 {
            places[band] =
                places[band].and(self.cells_of_columns(columns.possible, band));
            crossings[band] = places[band]
                .and(self.cells_of_rows(rows.certain, band))
                .and(self.cells_of_columns(columns.certain, band));
        }
        DigitClosure {
            rows,
            columns,
            places,
            crossings,
        }
    }

    /// Closes minirows (or, unless `ROWS`, minicolumns), given those known to be certain.
    #[inline(always)]
    fn close_triads<const ROWS: bool>(
        &self,
        word: V,
        certain: V,
    ) -> ClosureResult<V> {
        // A certain minirow excludes the others of its row. Two certain ones exclude
        // each other, which leaves the row empty.
        let (once, twice) = self.rotated::<ROWS>(certain);
        let word = word.without(once.or(twice));
        let (once, twice) = self.rotated::<ROWS>(word);
        self.left_by::<ROWS>(
            word.and(once.shr(9)).and(twice.shr(18)),
            word.and(twice.shr(9)).and(once.shr(18)),
        )
    }

    /// The result of [`Self::close_triads`] again, from the permutations it left.
    #[inline(always)]
    pub(super) fn closed_again<const ROWS: bool>(
        &self,
        permutations: V,
    ) -> ClosureResult<V> {
        self.left_by::<ROWS>(permutations.and(self.splat(ROW)), permutations.shr(9))
    }

    /// The result for minirows (or, unless `ROWS`, minicolumns) with these even and odd
    /// permutations left.
    #[inline(always)]
    fn left_by<const ROWS: bool>(&self, even: V, odd: V) -> ClosureResult<V> {
        let possible = if ROWS {
            self.rows_of(even, odd)
        } else {
            self.columns_of(even, odd)
        };
        let (once, twice) = self.rotated::<ROWS>(possible);
        let others = once.or(twice);
        ClosureResult {
            possible,
            certain: possible.without(others),
            permutations: even.or(odd.shl(9)),
            alive: possible.or(others),
        }
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
    fn cells_of_rows(&self, rows: V, band: usize) -> V {
        rows.shr(band as u32)
            .and(self.splat(MINIROWS))
            .times_seven()
    }

    /// All cells of these minicolumns in one band.
    #[inline(always)]
    fn cells_of_columns(&self, columns: V, band: usize) -> V {
        let [first, second, third] = match band {
            0 => [columns, columns.shl(9), columns.shl(18)],
            1 => [columns.shr(9), columns, columns.shl(9)],
            _ => [columns.shr(18), columns.shr(9), columns],
        };
        self.splat(ROW << 9)
            .select(second, self.splat(ROW << 18).select(third, first))
    }
}
