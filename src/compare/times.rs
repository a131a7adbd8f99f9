//! Questions about the times of a submission or of a single case: which rounds are
//! compared, and whether the time has changed by more than noise. Each question of a
//! comparison is independent of the others.
//!
//! The *level* of a time is that of the fastest attempt, case by case, summed over
//! cases. Disturbances of a machine only add to times, and come in bursts, so the
//! fastest of ten attempts is steady where the median is not. A time is slower if the
//! following two conditions hold, and faster if they hold the other way round:
//!
//! - The level has changed by more than the margin, which is the larger of
//!   [`WORTH_REPORTING`] and [`SPREADS`] times the distance of the next two attempts
//!   from the fastest; in addition, by more than runs of the judge that were taken for
//!   equal differ, and by more than [`PROCESS_US`] for each case.
//! - If rounds had been assigned by chance, levels this far apart would be rarer than
//!   [`RISK`], after correction for all questions of the comparison.
//!
//! The margin is needed because attempts within seconds of each other differ less than
//! those of another day: they share the neighbours in the cache and the place of the
//! program in memory. If hardly any attempt escapes disturbances, the fastest ones are
//! far apart, and the margin is wide. The constants were chosen on recorded attempts,
//! some of which are among the tests.

pub(super) mod time_changes;

use std::borrow::{Borrow, Cow};
use std::iter;

use crate::compare::{
    CaseStats, Change, ChangeKind, ChangeSubject, SharedCase, chance_of_being_above,
    float, in_order, least_chance_of,
};

/// With too few attempts for a test, a time may have changed if it did by this factor,
/// and by this many microseconds.
const COARSE: f64 = 1.5;
const COARSE_US: f64 = 10_000.0;

/// What a question was about, and its answer. Its times are forgotten, since there may
/// be a million questions.
struct AnsweredQuestion<'a> {
    /// The case, or the first of all cases of a submission.
    first: SharedCase<'a>,
    /// The number of cases.
    cases: usize,
    shift: TimeShift,
}

/// Answers of which only those are kept that may be reported, since there may be a
/// million.
#[derive(Default)]
struct AnswerList<'a> {
    asked: usize,
    /// The number of those with times.
    answered: usize,
    /// The smallest chance that any of them can show.
    least_chance: Option<f64>,
    /// The factors by which the machine itself has changed, where it did.
    drifts: Vec<f64>,
    /// The number of those that would have changed by more than noise, if the machine
    /// had not.
    excused: usize,
    /// Those that are beyond chance before the correction for their number, and coarse
    /// changes if these count.
    telling: Vec<AnsweredQuestion<'a>>,
}

impl<'a> AnswerList<'a> {
    /// Adds an answer; `None` if there are no times.
    fn add(&mut self, answer: Option<AnsweredQuestion<'a>>, is_coarse_too: bool) {
        self.asked += 1;
        let Some(answer) = answer else { return };
        let found = answer.shift;
        let least = self.least_chance.unwrap_or(1.0);
        self.least_chance = Some(least.min(found.least_chance));
        self.answered += 1;
        let drift = found.drift;
        if drift.max(drift.recip()) > 1.0 + STEADY {
            self.drifts.push(drift);
        }
        self.excused += usize::from(found.is_excused);
        if found.chance <= RISK || is_coarse_too && found.is_coarse() {
            self.telling.push(answer);
        }
    }
}

impl<'a> AnsweredQuestion<'a> {
    /// Answers the question about all these cases of a submission; `None` if there are
    /// none, or no times. `least_margin` is a lower bound for the margin.
    fn of_all(
        cases: impl Iterator<Item = SharedCase<'a>> + Clone,
        mut least_margin: f64,
    ) -> Option<Self> {
        let was = cases.clone().map(|case| case.was.figures());
        let now = cases.clone().map(|case| case.now.figures());
        // If a case has fewer runs than another, the sum lacks some of the noise
        // between runs, so it is taken from single cases.
        if !have_even_runs(was.clone()) || !have_even_runs(now.clone()) {
            least_margin = was
                .clone()
                .chain(now.clone())
                .map(|figures| between(&by_run(iter::once(figures))))
                .fold(least_margin, f64::max);
        }
        Some(Self {
            first: cases.clone().next()?,
            cases: cases.count(),
            shift: TimeShift::between(&by_run(was), &by_run(now), least_margin)?,
        })
    }

    /// Answers a question about a single case. Its margin is at least that of its
    /// submission, because with ten times of its own a case can look steady by chance.
    /// All attempts on its slower side may have been disturbed; `disturbance` has the
    /// rates of before and now.
    fn of_case(
        case: SharedCase<'a>,
        least_margin: f64,
        disturbance: [DisturbanceRate; 2],
    ) -> Option<Self> {
        let mut answer = Self::of_all(iter::once(case), least_margin)?;
        let shift = &mut answer.shift;
        let (slower, all) = if shift.now >= shift.was {
            (case.now, disturbance[1])
        } else {
            (case.was, disturbance[0])
        };
        let own = DisturbanceRate::from_cases([slower.figures()]);
        shift.chance = shift.chance.max(all.chance_all_disturbed(own));
        Some(answer)
    }

    /// The change that it shows, with the chance that it is none.
    fn change(&self, chance: Option<f64>) -> Change {
        let found = &self.shift;
        let kind = ChangeKind::Time {
            was_us: found.was.round() as u64,
            now_us: found.now.round() as u64,
            factor: found.factor(),
            low: found.factor() / (1.0 + found.margin),
            high: found.factor() * (1.0 + found.margin),
            chance,
            cases: self.cases,
        };
        let subject = if self.cases == 1 {
            ChangeSubject::of_line(self.first.was)
        } else {
            ChangeSubject::of_submission(self.first.was.owner)
        };
        Change { subject, kind }
    }
}

/// Whether each case has as many runs as the others.
fn have_even_runs<'a>(cases: impl Iterator<Item = Cow<'a, CaseStats>>) -> bool {
    let mut counts = cases.map(|figures| figures.times_us.len());
    let first = counts.next();
    counts.all(|count| Some(count) == first)
}

/// How often attempts at a submission were disturbed, before and now.
fn disturbance_of<'a>(
    cases: impl Iterator<Item = SharedCase<'a>> + Clone,
) -> [DisturbanceRate; 2] {
    let was = cases.clone().map(|case| case.was.figures());
    let now = cases.map(|case| case.now.figures());
    [
        DisturbanceRate::from_cases(was),
        DisturbanceRate::from_cases(now),
    ]
}

/// The times of each run of the judge, case by case. Rounds that not every case has are
/// left out, and so are runs without rounds.
fn by_run<'a>(
    cases: impl Iterator<Item = Cow<'a, CaseStats>> + Clone,
) -> Vec<TimedRun> {
    let runs = cases
        .clone()
        .map(|figures| figures.times_us.len())
        .min()
        .unwrap_or(0);
    let run = |run: usize| -> TimedRun {
        let rounds = cases
            .clone()
            .map(|figures| figures.times_us[run].len())
            .min()
            .unwrap_or(0);
        let times = cases.clone().map(|figures| {
            let times = figures.times_us[run][..rounds].iter();
            times.map(|time| *time as f64).collect()
        });
        let calibrations = cases.clone().map(|figures| {
            figures.calibrations_ns[run].map(|calibration| calibration as f64)
        });
        TimedRun {
            cases: times.collect(),
            calibrations: calibrations.collect(),
        }
    };
    let runs = (0..runs).map(run);
    runs.filter(|run| !run.cases[0].is_empty()).collect()
}

// Estimates how many attempts were slowed by other work on the machine. If more than
// half of them are, then all ten attempts at a single case may be; the attempts at the
// other cases show how likely that is.

/// An attempt counts as disturbed if it took longer than the fastest of its case and
/// run by more than this part.
const CALM: f64 = 0.05;

/// The number of attempts, and of disturbed ones among them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct DisturbanceRate {
    attempts: usize,
    disturbed: usize,
}

impl DisturbanceRate {
    /// Counts the attempts at these cases.
    fn from_cases(cases: impl IntoIterator<Item = impl Borrow<CaseStats>>) -> Self {
        let mut rate = Self::default();
        for figures in cases {
            for times in &figures.borrow().times_us {
                let least = times.iter().min().copied().unwrap_or(0);
                rate.attempts += times.len();
                rate.disturbed += times
                    .iter()
                    .filter(|time| **time as f64 > least as f64 * (1.0 + CALM))
                    .count();
            }
        }
        rate
    }

    /// The probability that all attempts at the case `at` were disturbed, if they are
    /// disturbed as often as those at the other cases. `self` counts all cases.
    fn chance_all_disturbed(self, at: Self) -> f64 {
        let others = self.attempts.saturating_sub(at.attempts);
        if others == 0 {
            return 0.0;
        }
        let part = float(self.disturbed.saturating_sub(at.disturbed)) / float(others);
        part.powf(float(at.attempts))
    }
}

/// The largest chance of any false alarm in a comparison, for totals and for single
/// cases each.
const RISK: f64 = 0.01;

/// The smallest change that is reported, as a part of the time.
const WORTH_REPORTING: f64 = 0.03;

/// How many times its spread a level must have changed.
const SPREADS: f64 = 3.0;

/// CPU time by which starting a process varies anyway, in microseconds.
const PROCESS_US: f64 = 30.0;

/// A calibration that differs by at most this part is not mentioned, because on an
/// equally busy machine it differs by some hundredths from run to run. It is still used
/// as an explanation, since that can only prevent an alarm.
const STEADY: f64 = 0.1;

/// The times of one run of the judge.
#[derive(Clone, Debug)]
struct TimedRun {
    /// The times of each case, one of each round. All have as many rounds, at least
    /// one.
    cases: Vec<Vec<f64>>,
    /// The calibration time of the judge for each case, if it is known.
    calibrations: Vec<Option<f64>>,
}

/// The answer to one question about times.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TimeShift {
    /// The levels, in microseconds.
    was: f64,
    now: f64,
    /// The relative change of a level that is explained by noise, besides what the
    /// machine explains.
    margin: f64,
    /// The factor by which the machine itself was slower now; 1 if that is not known.
    drift: f64,
    /// Whether the level has changed by more than both explain.
    is_wide: bool,
    /// Whether it would have, if the machine had not changed.
    is_excused: bool,
    /// The chance of levels this far apart, in both directions, not yet corrected for
    /// other questions. 1 if the change is not wide, or there are too few rounds, so
    /// that it does not matter.
    chance: f64,
    /// The smallest chance that this many rounds can show.
    least_chance: f64,
}

impl TimeShift {
    /// Compares the times of runs of the judge; `None` if one side has none.
    /// `least_margin` is a lower bound for the margin.
    fn between(
        was: &[TimedRun],
        now: &[TimedRun],
        least_margin: f64,
    ) -> Option<Self> {
        let (level_was, run_was) = fastest(was)?;
        let (level_now, run_now) = fastest(now)?;
        let mut found = Self {
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
        let rounds =
            |runs: &[TimedRun]| runs.iter().map(|run| run.cases[0].len()).sum();
        found.least_chance =
            (2.0 * least_chance_of(cases, rounds(was), rounds(now))).min(1.0);
        // No chance is smaller than the least, and a larger one than the risk does not
        // matter.
        if found.is_wide && found.least_chance <= RISK {
            let (below, above) = if level_now >= level_was {
                (was, now)
            } else {
                (now, was)
            };
            found.chance = (2.0
                * chance_of_being_above(&together(below), &together(above)))
            .min(1.0);
        }
        Some(found)
    }

    /// The factor by which the level has changed.
    fn quotient(&self) -> f64 {
        self.now / self.was
    }

    /// Whether it may have changed, if there are too few attempts for a test.
    fn is_coarse(&self) -> bool {
        !(COARSE.recip()..COARSE).contains(&self.factor())
            && self.is_wide
            && (self.now - self.was).abs() >= COARSE_US
    }

    /// The ratio of now to before, without what the machine explains.
    fn factor(&self) -> f64 {
        let factor = self.quotient();
        if factor > 1.0 {
            factor / self.excuse()
        } else {
            factor * self.excuse()
        }
    }

    /// The factor explained by the machine. It only counts if the time changed in the
    /// same direction.
    fn excuse(&self) -> f64 {
        if self.now >= self.was {
            self.drift.max(1.0)
        } else {
            self.drift.recip().max(1.0)
        }
    }

    /// Whether the levels are further apart than this margin explains, for this many
    /// cases.
    fn is_beyond(&self, margin: f64, cases: usize) -> bool {
        let low = self.was.min(self.now);
        let high = self.was.max(self.now);
        high - PROCESS_US * float(cases) > low * (1.0 + margin)
    }
}

/// The rounds of all runs, case by case.
fn together(runs: &[TimedRun]) -> Vec<Vec<f64>> {
    (0..runs[0].cases.len())
        .map(|case| {
            runs.iter()
                .flat_map(|run| &run.cases[case])
                .copied()
                .collect()
        })
        .collect()
}

/// The factor by which the machine alone would make a run slower than another: the
/// ratios of the cases' calibrations, weighted by their times.
fn drift(was: &TimedRun, now: &TimedRun) -> f64 {
    let calibrations = was.calibrations.iter().zip(&now.calibrations);
    let moved = was.cases.iter().zip(calibrations).map(|(times, pair)| {
        let level = least(times);
        match pair {
            (Some(was), Some(now)) if was.is_normal() && now.is_normal() => {
                level * now / was
            }
            _ => level,
        }
    });
    let factor = moved.sum::<f64>() / sum_of_fastest(was);
    if factor.is_normal() { factor } else { 1.0 }
}

/// The level of the fastest run, and that run; `None` if there is no run, or its time
/// is zero.
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
fn between(runs: &[TimedRun]) -> f64 {
    let levels = || {
        runs.iter()
            .map(sum_of_fastest)
            .filter(|level| level.is_normal())
    };
    let least = levels().fold(f64::MAX, f64::min);
    let most = levels().fold(0.0, f64::max);
    (most / least - 1.0).max(0.0)
}

/// The relative noise of a run's level: the distance from the fastest attempt of each
/// case to the mean of the next two. Independent noise of the cases partly cancels out
/// in their sum.
fn spread(run: &TimedRun) -> f64 {
    let gaps = run.cases.iter().map(|times| {
        let ordered = in_order(times);
        let place = |place: usize| ordered[place.min(ordered.len() - 1)];
        f64::midpoint(place(1), place(2)) - place(0)
    });
    gaps.map(|gap| gap * gap).sum::<f64>().sqrt() / sum_of_fastest(run)
}

/// The fastest attempt of each case, summed over cases.
fn sum_of_fastest(run: &TimedRun) -> f64 {
    run.cases.iter().map(|times| least(times)).sum()
}

fn least(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::MAX, f64::min)
}

#[cfg(test)]
mod disturbance_tests {
    use super::*;
    use crate::model::Verdict;

    fn case(runs: &[&[u64]]) -> CaseStats {
        let times_us = runs.iter().map(|times| times.to_vec()).collect();
        CaseStats {
            times_us,
            ..CaseStats::untimed(Verdict::Accepted)
        }
    }

    #[test]
    fn an_attempt_slower_than_the_fastest_of_its_run_by_a_twentieth_was_disturbed() {
        let disturbance = DisturbanceRate::from_cases(&[case(&[
            &[100, 105, 106, 150],
            &[200, 211],
        ])]);
        assert_eq!(
            disturbance,
            DisturbanceRate {
                attempts: 6,
                disturbed: 3
            }
        );
        assert_eq!(
            DisturbanceRate::from_cases(&[case(&[])]),
            DisturbanceRate::default()
        );
    }

    #[test]
    fn the_chance_that_all_attempts_were_disturbed_follows_from_the_other_cases() {
        let steady = case(&[&[150; 10]]);
        let half = case(&[&[100, 150, 100, 150]]);
        let case = DisturbanceRate::from_cases([&steady]);
        let both = DisturbanceRate::from_cases([&steady, &half]);
        assert_eq!(both.chance_all_disturbed(case), 0.5_f64.powi(10));
        assert_eq!(case.chance_all_disturbed(case), 0.0, "there is no other");
    }
}

#[cfg(test)]
mod tests;
