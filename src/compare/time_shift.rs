//! Decides whether a time has changed by more than noise.
//!
//! The *level* of a time is that of the fastest attempt, case by case, summed over cases.
//! Disturbances of a machine only add to times, and come in bursts, so the fastest of ten attempts
//! is steady where the median is not. A time is slower if the following two conditions hold, and
//! faster if they hold the other way round:
//!
//! - The level has changed by more than the margin, which is the larger of [`WORTH_REPORTING`] and
//!   [`SPREADS`] times the distance of the next two attempts from the fastest; in addition, by more
//!   than runs of the judge that were taken for equal differ, and by more than [`PROCESS_US`] for
//!   each case.
//! - If rounds had been assigned by chance, levels this far apart would be rarer than [`RISK`],
//!   after correction for all questions of the comparison.
//!
//! The margin is needed because attempts within seconds of each other differ less than those of
//! another day: they share the neighbours in the cache and the place of the program in memory. If
//! hardly any attempt escapes disturbances, the fastest ones are far apart, and the margin is wide.
//! The constants were chosen on recorded attempts, some of which are among the tests.

use crate::compare::in_order;
use crate::compare::permutation_test::{chance_of_being_above, least_chance_of};

/// The largest chance of any false alarm in a comparison, for totals and for single cases each.
pub(super) const RISK: f64 = 0.01;

/// The smallest change that is reported, as a part of the time.
const WORTH_REPORTING: f64 = 0.03;

/// How many times its spread a level must have changed.
const SPREADS: f64 = 3.0;

/// CPU time by which starting a process varies anyway, in microseconds.
const PROCESS_US: f64 = 30.0;

/// A calibration that differs by at most this part is not mentioned, because on an equally busy
/// machine it differs by some hundredths from run to run. It is still used as an explanation, since
/// that can only prevent an alarm.
const STEADY: f64 = 0.1;

/// The times of one run of the judge.
#[derive(Clone, Debug)]
pub(super) struct TimedRun {
    /// The number of times of each case, at least one.
    rounds: usize,
    /// The times of all rounds, case by case.
    times: Vec<f64>,
    /// The calibration time of the judge for each case up to the last of which it is known.
    calibrations: Vec<Option<f64>>,
}

impl TimedRun {
    /// A run with this many rounds, without any case.
    pub(super) fn of_rounds(rounds: usize) -> Self {
        Self {
            rounds,
            times: Vec::new(),
            calibrations: Vec::new(),
        }
    }

    /// Adds a case: its times, one of each round, and the calibration time if it is known.
    pub(super) fn push(&mut self, times: impl Iterator<Item = f64>, calibration: Option<f64>) {
        if calibration.is_some() {
            self.calibrations.resize(self.len(), None);
            self.calibrations.push(calibration);
        }
        self.times.extend(times);
    }

    /// The number of times of each case.
    pub(super) fn rounds(&self) -> usize {
        self.rounds
    }

    /// The number of cases.
    fn len(&self) -> usize {
        self.times.len() / self.rounds.max(1)
    }

    /// The times of each case.
    fn cases(&self) -> impl Iterator<Item = &[f64]> + Clone {
        self.times.chunks_exact(self.rounds.max(1))
    }

    fn calibration(&self, case: usize) -> Option<f64> {
        self.calibrations.get(case).copied().flatten()
    }
}

/// The answer to one question about times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeShift {
    /// The levels, in microseconds.
    pub(super) was: f64,
    pub(super) now: f64,
    /// The relative change of a level that is explained by noise, besides what the machine
    /// explains.
    pub(super) margin: f64,
    /// The factor by which the machine itself was slower now; 1 if that is not known.
    pub(super) drift: f64,
    /// Whether the level has changed by more than both explain.
    pub(super) is_wide: bool,
    /// Whether it would have, if the machine had not changed.
    pub(super) is_excused: bool,
    /// The chance of levels this far apart, in both directions, not yet corrected for other
    /// questions. 1 if the change is not wide, or there are too few rounds, so that it does not
    /// matter.
    pub(super) chance: f64,
    /// The smallest chance that this many rounds can show.
    pub(super) least_chance: f64,
}

impl TimeShift {
    /// The ratio of now to before, without what the machine explains.
    pub(super) fn factor(&self) -> f64 {
        let factor = self.now / self.was;
        if factor > 1.0 {
            factor / self.excuse()
        } else {
            factor * self.excuse()
        }
    }

    /// Whether the machine itself changed so much that it should be mentioned.
    pub(super) fn has_drifted(&self) -> bool {
        self.drift.max(self.drift.recip()) > 1.0 + STEADY
    }

    /// The factor explained by the machine. It only counts if the time changed in the same
    /// direction.
    fn excuse(&self) -> f64 {
        if self.now >= self.was {
            self.drift.max(1.0)
        } else {
            self.drift.recip().max(1.0)
        }
    }

    /// Whether the levels are further apart than this margin explains, for this many cases.
    fn is_beyond(&self, margin: f64, cases: usize) -> bool {
        let low = self.was.min(self.now);
        let high = self.was.max(self.now);
        #[expect(clippy::cast_precision_loss, reason = "cases are few")]
        let fixed = PROCESS_US * cases as f64;
        high - fixed > low * (1.0 + margin)
    }
}

/// Compares the times of runs of the judge; `None` if one side has none. `least_margin` is a lower
/// bound for the margin.
pub(super) fn movement(was: &[TimedRun], now: &[TimedRun], least_margin: f64) -> Option<TimeShift> {
    let (level_was, run_was) = fastest(was)?;
    let (level_now, run_now) = fastest(now)?;
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
    let cases = run_was.len();
    let with_machine = (1.0 + found.margin) * found.excuse() - 1.0;
    found.is_wide = found.is_beyond(with_machine, cases);
    found.is_excused = !found.is_wide && found.is_beyond(found.margin, cases);
    let rounds = |runs: &[TimedRun]| runs.iter().map(TimedRun::rounds).sum();
    found.least_chance = (2.0 * least_chance_of(cases, rounds(was), rounds(now))).min(1.0);
    // No chance is smaller than the least, and a larger one than the risk does not matter.
    if found.is_wide && found.least_chance <= RISK {
        let (below, above) = if level_now >= level_was {
            (was, now)
        } else {
            (now, was)
        };
        found.chance = (2.0 * chance_of_being_above(&together(below), &together(above))).min(1.0);
    }
    Some(found)
}

/// The rounds of all runs, case by case.
fn together(runs: &[TimedRun]) -> Vec<Vec<f64>> {
    let mut cases: Vec<Vec<f64>> = vec![Vec::new(); runs[0].len()];
    for run in runs {
        cases
            .iter_mut()
            .zip(run.cases())
            .for_each(|(case, times)| case.extend(times));
    }
    cases
}

/// The factor by which the machine alone would make a run slower than another: the ratios of the
/// cases' calibrations, weighted by their times.
fn drift(was: &TimedRun, now: &TimedRun) -> f64 {
    let levels = was.cases().map(least);
    let moved = levels.clone().enumerate().map(|(case, level)| {
        match (was.calibration(case), now.calibration(case)) {
            (Some(was), Some(now)) if was.is_normal() && now.is_normal() => level * now / was,
            _ => level,
        }
    });
    let factor = moved.sum::<f64>() / levels.sum::<f64>();
    if factor.is_normal() { factor } else { 1.0 }
}

/// The level of the fastest run; `None` if there is no run, or its time is zero.
pub(super) fn level(runs: &[TimedRun]) -> Option<f64> {
    fastest(runs).map(|(level, _)| level)
}

fn fastest(runs: &[TimedRun]) -> Option<(f64, &TimedRun)> {
    let levels = runs.iter().map(|run| (sum_of_fastest(run), run));
    levels
        .min_by(|one, other| one.0.total_cmp(&other.0))
        .filter(|(level, _)| level.is_normal())
}

/// The relative change of a level that is explained by noise.
fn margin(runs: &[TimedRun]) -> f64 {
    let within = runs.iter().map(spread).fold(0.0, f64::max);
    (1.0 + WORTH_REPORTING.max(SPREADS * within)) * (1.0 + between(runs)) - 1.0
}

/// The relative difference between the levels of runs; 0 for fewer than two.
pub(super) fn between(runs: &[TimedRun]) -> f64 {
    let levels = || {
        runs.iter()
            .map(sum_of_fastest)
            .filter(|level| level.is_normal())
    };
    let least = levels().fold(f64::MAX, f64::min);
    let most = levels().fold(0.0, f64::max);
    (most / least - 1.0).max(0.0)
}

/// The relative noise of a run's level: the distance from the fastest attempt of each case to the
/// mean of the next two. Independent noise of the cases partly cancels out in their sum.
fn spread(run: &TimedRun) -> f64 {
    let gaps = run.cases().map(|times| {
        let ordered = in_order(times);
        let place = |place: usize| {
            ordered
                .get(place)
                .or(ordered.last())
                .copied()
                .unwrap_or(0.0)
        };
        f64::midpoint(place(1), place(2)) - place(0)
    });
    gaps.map(|gap| gap * gap).sum::<f64>().sqrt() / sum_of_fastest(run)
}

/// The fastest attempt of each case, summed over cases.
fn sum_of_fastest(run: &TimedRun) -> f64 {
    run.cases().map(least).sum()
}

fn least(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::MAX, f64::min)
}

#[cfg(test)]
mod tests;
