//! Whether a time has moved beyond noise.
//!
//! A time's *level* is that of the fastest attempt, case by case, summed over cases. What disturbs a machine adds to times, comes
//! in bursts, and takes nothing off; so the fastest of ten is steady where the median is not. A time is slower if two
//! things hold, and faster if they hold the other way round:
//!
//! - The level has moved by more than the margin: [`WORTH_TELLING`], or [`SPREADS`] times how far the next two attempts are behind the
//!   fastest, whichever is more; beyond the slowest or the fastest of runs of the judge that were all taken for
//!   equal; and [`PROCESS_US`] for each case.
//! - Had rounds been assigned by chance, levels so far apart would be rarer than [`RISK`], all questions of the comparison
//!   taken together.
//!
//! The margin is there because attempts within seconds of each other are not as different as those of another day: the
//! neighbours in the cache are the same, and so is the place of the program in memory. Where hardly an attempt escapes what
//! disturbs them, the fastest ones lie apart, and the margin is wide. What is right was judged on recorded attempts, some of
//! which are among the tests.

use crate::compare::permutation_test::chance_of_being_above;
use crate::compare::permutation_test::least_chance_of;
use crate::compare::statistics::in_order;

/// The chance of any false alarm in a comparison, for totals and for single cases each.
pub(super) const RISK: f64 = 0.01;

/// The smallest change that is told, as a part of the time.
const WORTH_TELLING: f64 = 0.03;

/// How many times its spread a level must have moved.
const SPREADS: f64 = 3.0;

/// CPU time by which starting a process differs for no reason of its own, in microseconds.
const PROCESS_US: f64 = 30.0;

/// A calibration that differs by no more than this is not worth a sentence: on an equally busy machine it differs by some
/// hundredths from run to run. What it explains it explains all the same, however little that is: it can only keep an alarm back.
const STEADY: f64 = 0.1;

/// One run of the judge.
#[derive(Clone, Debug)]
pub(super) struct TimedRun {
    /// For each case the times of all rounds. Cases have the same rounds, one at least.
    pub(super) cases: Vec<Vec<f64>>,
    /// For each case, how long a piece of work of the judge's own took beside it, if that is known.
    pub(super) calibrations: Vec<Option<f64>>,
}

/// What one question about times comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeShift {
    /// The levels, in microseconds.
    pub(super) was: f64,
    pub(super) now: f64,
    /// The part of itself by which a level may move for no reason, beside what the machine explains.
    pub(super) margin: f64,
    /// By what factor the machine itself was slower now; 1 where that is not known.
    pub(super) drift: f64,
    /// Whether the level has moved by more than both.
    pub(super) is_wide: bool,
    /// Whether it would have, but for the machine.
    pub(super) is_excused: bool,
    /// The chance of levels so far apart, in both directions, not corrected yet for other questions; 1 where the level has not
    /// moved, so that it does not matter.
    pub(super) chance: f64,
    /// The smallest that so many rounds can show.
    pub(super) least_chance: f64,
}

impl TimeShift {
    /// From then to now, without what the machine explains.
    pub(super) fn factor(&self) -> f64 {
        let factor = self.now / self.was;
        if factor > 1.0 { factor / self.excuse() } else { factor * self.excuse() }
    }

    /// Whether the machine itself was so much slower or faster that it is worth a sentence.
    pub(super) fn has_drifted(&self) -> bool {
        self.drift.max(self.drift.recip()) > 1.0 + STEADY
    }

    /// What moved with the machine moved for that reason; what moved against it did all the more.
    fn excuse(&self) -> f64 {
        if self.now >= self.was { self.drift.max(1.0) } else { self.drift.recip().max(1.0) }
    }

    /// Whether the levels lie further apart than such a margin explains, for so many cases.
    fn is_beyond(&self, margin: f64, cases: usize) -> bool {
        let (low, high) = (self.was.min(self.now), self.was.max(self.now));
        #[expect(clippy::cast_precision_loss, reason = "cases are few")]
        let fixed = PROCESS_US * cases as f64;
        high - fixed > low * (1.0 + margin)
    }
}

/// How times have moved, by runs of the judge. None if there are none. The margin is this one at least.
pub(super) fn movement(was: &[TimedRun], now: &[TimedRun], least_margin: f64) -> Option<TimeShift> {
    let ((level_was, run_was), (level_now, run_now)) = (fastest(was)?, fastest(now)?);
    let mut found = TimeShift {
        was: level_was,
        now: level_now,
        margin: margin(was).max(margin(now)).max(least_margin),
        drift: drift(run_was, run_now),
        is_wide: false,
        is_excused: false,
        chance: 1.0,
        least_chance: 1.0,
    };
    let cases = run_was.cases.len();
    let with_machine = (1.0 + found.margin) * found.excuse() - 1.0;
    found.is_wide = found.is_beyond(with_machine, cases);
    found.is_excused = !found.is_wide && found.is_beyond(found.margin, cases);
    if found.is_wide {
        let (below, above) = if level_now >= level_was { (was, now) } else { (now, was) };
        found.chance = (2.0 * chance_of_being_above(&together(below), &together(above))).min(1.0);
    }
    let rounds = |runs: &[TimedRun]| runs.iter().map(|run| run.cases[0].len()).sum();
    found.least_chance = (2.0 * least_chance_of(cases, rounds(was), rounds(now))).min(1.0);
    Some(found)
}

/// The rounds of all runs, case by case.
fn together(runs: &[TimedRun]) -> Vec<Vec<f64>> {
    let rounds = |case: usize| runs.iter().flat_map(move |run| &run.cases[case]).copied().collect();
    (0..runs[0].cases.len()).map(rounds).collect()
}

/// By what factor a run would take longer than another for the machine alone: that of the calibrations of each case, as its
/// time weighs among those of all.
fn drift(was: &TimedRun, now: &TimedRun) -> f64 {
    let levels = was.cases.iter().map(|times| least(times));
    let moved =
        levels.clone().zip(was.calibrations.iter().zip(&now.calibrations)).map(|(level, calibrations)| {
            match calibrations {
                (Some(was), Some(now)) if was.is_normal() && now.is_normal() => level * now / was,
                _ => level,
            }
        });
    let factor = moved.sum::<f64>() / levels.sum::<f64>();
    if factor.is_normal() { factor } else { 1.0 }
}

/// The level of the fastest run; none if there is no run, or its time is nothing.
pub(super) fn level(runs: &[TimedRun]) -> Option<f64> {
    fastest(runs).map(|(level, _)| level)
}

fn fastest(runs: &[TimedRun]) -> Option<(f64, &TimedRun)> {
    let levels = runs.iter().map(|run| (sum_of_fastest(run), run));
    levels.min_by(|one, other| one.0.total_cmp(&other.0)).filter(|(level, _)| level.is_normal())
}

/// The part of itself by which a level may move for no reason.
fn margin(runs: &[TimedRun]) -> f64 {
    let within = runs.iter().map(spread).fold(0.0, f64::max);
    (1.0 + WORTH_TELLING.max(SPREADS * within)) * (1.0 + between(runs)) - 1.0
}

/// The part of itself by which the levels of runs differ; 0 of less than two.
pub(super) fn between(runs: &[TimedRun]) -> f64 {
    let levels = || runs.iter().map(sum_of_fastest).filter(|level| level.is_normal());
    let (least, most) = (levels().fold(f64::MAX, f64::min), levels().fold(0.0, f64::max));
    (most / least - 1.0).max(0.0)
}

/// The part of itself by which the level of a run varies: how far behind the fastest attempt of each case the next two are, in
/// the middle. What each case has for itself cancels out in their sum.
fn spread(run: &TimedRun) -> f64 {
    let behind = run.cases.iter().map(|times| {
        let ordered = in_order(times);
        let place = |place: usize| ordered.get(place).or(ordered.last()).copied().unwrap_or(0.0);
        f64::midpoint(place(1), place(2)) - place(0)
    });
    behind.map(|behind| behind * behind).sum::<f64>().sqrt() / sum_of_fastest(run)
}

/// The fastest attempt of each case, summed over cases.
fn sum_of_fastest(run: &TimedRun) -> f64 {
    run.cases.iter().map(|times| least(times)).sum()
}

fn least(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::MAX, f64::min)
}

#[cfg(test)]
mod tests;
