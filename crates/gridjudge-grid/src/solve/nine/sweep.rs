//! Sweeps over sixteen puzzles, one in each lane: a sweep applies every rule once to every digit.
//!
//! First, digits are [closed](super::closure) one after the other. Then the digits of each triad
//! are counted (a triad is a minirow or a minicolumn: three cells, so three digits): if only three
//! digits can use a triad, it is certain for these; if it is certain for three digits, no other
//! digit can use it. Last come the cells: where a certain minirow of a digit crosses a certain
//! minicolumn of it, the digit is found; and the digit of a cell with one candidate is removed from
//! its houses in the next sweep.

use crate::solve::nine::closure::ClosureOps;
use crate::solve::nine::digit_board::BAND;
use crate::solve::nine::lane_group::LaneGroup;
use crate::solve::nine::lanes::{Lanes, WIDTH};

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

/// The state of a lane in which sweeps make no more progress.
pub(super) enum LaneState {
    /// It has no solution.
    Failed,
    /// Every cell is decided, and the rules were checked.
    Solved,
    /// A guess is needed.
    Open,
}

impl SweepResult {
    /// The lanes in which sweeps make no more progress.
    #[inline(always)]
    pub(super) fn halted(self) -> u16 {
        self.failed | !self.changed | !self.gained & self.open
    }

    /// The state of a halted lane.
    #[inline(always)]
    pub(super) fn of(self, lane: usize) -> LaneState {
        match (self.failed >> lane & 1, self.open >> lane & 1) {
            (1, _) => LaneState::Failed,
            (_, 1) => LaneState::Open,
            _ => LaneState::Solved,
        }
    }
}

/// Counters over the digits for each triad (bit): how many digits can use it, and for how many it
/// is certain. Word `n` has the triads with more than `n`.
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
            self.possible[at] = self.possible[at].or(self.possible[at - 1].and(possible));
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
    let [only_rows, full_rows, only_columns, full_columns] = words.load(&group.triads, part);
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
        let mut known = [zero; 3];
        for band in 0..3 {
            old[band] = V::load(processor, &group.board[3 * digit + band], part);
            let here = V::load(processor, &group.hidden[3 * digit + band], part);
            places[band] = old[band].without(found[band].without(here).or(found_now[band]));
            known[band] = places[band].and(singles[band]);
        }
        let word = words.minirows(places);
        let certain = words.minirows(known).or(word.and(only_rows));
        let by_rows = words.close_rows(word, certain);
        by_rows
            .permutations
            .store(&mut group.permutations[digit], part);
        let possible = by_rows.possible.without(full_rows.without(by_rows.certain));
        rows.add(possible, by_rows.certain);
        for (band, places) in places.iter_mut().enumerate() {
            *places = places.and(words.cells_of_rows(possible, band));
        }
        let word = words.minicolumns(places);
        let certain = words.minicolumns(known).or(word.and(only_columns));
        let by_columns = words.close_columns(word, certain);
        by_columns
            .permutations
            .store(&mut group.permutations[9 + digit], part);
        let possible = by_columns
            .possible
            .without(full_columns.without(by_columns.certain));
        columns.add(possible, by_columns.certain);
        alive = alive.and(by_rows.alive).and(by_columns.alive);
        for band in 0..3 {
            let now = places[band].and(words.cells_of_columns(possible, band));
            now.store(&mut group.board[3 * digit + band], part);
            changed = changed.or(now.xor(old[band]));
            let [one, two] = cells[band];
            cells[band] = [one.or(now), two.or(one.and(now))];
            let certain_rows = words.cells_of_rows(by_rows.certain, band);
            let crossing = now
                .and(certain_rows)
                .and(words.cells_of_columns(by_columns.certain, band));
            crossing.store(&mut group.hidden[3 * digit + band], part);
            found_now[band] = found_now[band].or(crossing);
        }
    }
    let mut failed =
        alive.differing(all) | rows.possible[2].differing(all) | columns.possible[2].differing(all);
    let triads = [
        rows.possible[2].without(rows.possible[3]),
        rows.certain[2],
        columns.possible[2].without(columns.possible[3]),
        columns.certain[2],
    ];
    for (now, old) in triads
        .into_iter()
        .zip([only_rows, full_rows, only_columns, full_columns])
    {
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
pub(super) fn sweep<V: Lanes>(processor: V::Processor, group: &mut LaneGroup) -> SweepResult {
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
