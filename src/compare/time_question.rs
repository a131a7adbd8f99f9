//! Questions about the times of a submission or of a single case: which rounds are compared, and
//! what change the answer is. Each question of a comparison is independent of the others.

use std::borrow::Cow;

use crate::compare::time_shift::{between, level, movement};
use crate::compare::{
    CaseStats, Change, ChangeKind, ChangeSubject, RISK, SharedCase, SubmissionKey, TimeShift,
    TimedRun, float,
};

/// With too few attempts for a test, a time may have changed if it did by this factor, and by this
/// many microseconds.
const COARSE: f64 = 1.5;
const COARSE_US: f64 = 10_000.0;

/// Times that may have changed.
struct TimeQuestion {
    was: Vec<TimedRun>,
    now: Vec<TimedRun>,
    /// For a single case, the margin of its submission, because with ten times of its own a case
    /// can look steady by chance. Zero or the noise between runs for a whole submission.
    least_margin: f64,
}

/// What a question was about, and its answer; `None` if there are no times. Its times are
/// forgotten, since there may be a million questions.
pub(super) struct AnsweredQuestion<'a> {
    about: QuestionSubject<'a>,
    movement: Option<TimeShift>,
}

/// Answers of which only those are kept that may be reported, since there may be a million.
#[derive(Default)]
pub(super) struct AnswerList<'a> {
    pub(super) asked: usize,
    /// The number of those with times.
    pub(super) answered: usize,
    /// The smallest chance that any of them can show.
    pub(super) least_chance: f64,
    /// The factors by which the machine itself has changed, where it did.
    pub(super) drifts: Vec<f64>,
    /// The number of those that would have changed by more than noise, if the machine had not.
    pub(super) excused: usize,
    /// Those that are beyond chance before the correction for their number, and coarse changes if
    /// these count.
    pub(super) telling: Vec<(TimeShift, AnsweredQuestion<'a>)>,
}

impl<'a> AnswerList<'a> {
    pub(super) fn add(&mut self, asked: AnsweredQuestion<'a>, is_coarse_too: bool) {
        self.asked += 1;
        let Some(found) = asked.movement else { return };
        let is_first = self.answered == 0;
        self.least_chance = if is_first {
            found.least_chance
        } else {
            self.least_chance.min(found.least_chance)
        };
        self.answered += 1;
        self.drifts
            .extend(found.has_drifted().then_some(found.drift));
        self.excused += usize::from(found.is_excused);
        if found.chance <= RISK || is_coarse_too && is_coarse(found) {
            self.telling.push((found, asked));
        }
    }
}

/// A submission with the number of its cases, or a single case.
#[derive(Clone, Copy)]
enum QuestionSubject<'a> {
    All(&'a SubmissionKey, usize),
    Case(SharedCase<'a>),
}

impl<'a> AnsweredQuestion<'a> {
    /// Answers the question about all these cases of a submission. Also returns the factor by which
    /// its level has changed.
    pub(super) fn of_all(
        owner: &'a SubmissionKey,
        cases: impl Iterator<Item = SharedCase<'a>> + Clone,
    ) -> (Self, Option<f64>) {
        let question = TimeQuestion::of_all(cases.clone());
        let mut first = cases.clone();
        let about = match (first.next(), first.next()) {
            (Some(case), None) => QuestionSubject::Case(case),
            _ => QuestionSubject::All(owner, cases.count()),
        };
        let quotient = level(&question.now)
            .zip(level(&question.was))
            .map(|(now, was)| now / was);
        (
            Self {
                about,
                movement: question.movement(),
            },
            quotient,
        )
    }

    /// Answers a question about a single case. All attempts on its slower side may have been
    /// disturbed; `disturbance` has the rates of before and now.
    pub(super) fn of_case(
        case: SharedCase<'a>,
        least_margin: f64,
        disturbance: [DisturbanceRate; 2],
    ) -> Self {
        let mut movement = TimeQuestion::of_case(&case, least_margin).movement();
        if let Some(found) = &mut movement {
            let (slower, all) = if found.now >= found.was {
                (case.now(), disturbance[1])
            } else {
                (case.was(), disturbance[0])
            };
            found.chance = found
                .chance
                .max(all.chance_all_disturbed(DisturbanceRate::of([&*slower])));
        }
        Self {
            about: QuestionSubject::Case(case),
            movement,
        }
    }

    pub(super) fn margin(&self) -> f64 {
        self.movement.map_or(0.0, |found| found.margin)
    }

    /// The change that it shows, with the chance that it is none.
    pub(super) fn change(&self, found: TimeShift, chance: Option<f64>) -> Change {
        let (subject, cases) = match self.about {
            QuestionSubject::All(owner, cases) => (ChangeSubject::of_submission(owner), cases),
            QuestionSubject::Case(case) => (ChangeSubject::of_case(&case.key()), 1),
        };
        let kind = ChangeKind::Time {
            was_us: whole(found.was),
            now_us: whole(found.now),
            factor: found.factor(),
            low: found.factor() / (1.0 + found.margin),
            high: found.factor() * (1.0 + found.margin),
            chance,
            cases,
        };
        Change { subject, kind }
    }
}

impl TimeQuestion {
    fn of_all<'a>(cases: impl Iterator<Item = SharedCase<'a>> + Clone) -> Self {
        let was = cases.clone().map(|case| case.was());
        let now = cases.map(|case| case.now());
        // If a case has fewer runs than another, the sum lacks some of the noise between runs, so
        // it is taken from single cases.
        let least_margin = if have_even_runs(was.clone()) && have_even_runs(now.clone()) {
            0.0
        } else {
            let each = was.clone().chain(now.clone());
            each.map(|figures| between(&by_run(std::iter::once(figures))))
                .fold(0.0, f64::max)
        };
        Self {
            was: by_run(was),
            now: by_run(now),
            least_margin,
        }
    }

    fn of_case(case: &SharedCase<'_>, least_margin: f64) -> Self {
        let of = |figures| by_run(std::iter::once(figures));
        Self {
            was: of(case.was()),
            now: of(case.now()),
            least_margin,
        }
    }

    fn movement(&self) -> Option<TimeShift> {
        movement(&self.was, &self.now, self.least_margin)
    }
}

/// Whether each case has as many runs as the others.
fn have_even_runs<'a>(cases: impl Iterator<Item = Cow<'a, CaseStats>>) -> bool {
    let mut counts = cases.map(|figures| figures.times_us.len());
    let first = counts.next();
    counts.all(|count| Some(count) == first)
}

/// How often attempts at a submission were disturbed, before and now.
pub(super) fn disturbance_of<'a>(
    cases: impl Iterator<Item = SharedCase<'a>> + Clone,
) -> [DisturbanceRate; 2] {
    let sum = |side: fn(&SharedCase<'a>) -> Cow<'a, CaseStats>| {
        let each = cases
            .clone()
            .map(|case| DisturbanceRate::of([&*side(&case)]));
        each.fold(DisturbanceRate::default(), DisturbanceRate::plus)
    };
    [sum(SharedCase::was), sum(SharedCase::now)]
}

/// Whether it may have changed, if there are too few attempts for a test.
pub(super) fn is_coarse(found: TimeShift) -> bool {
    !(COARSE.recip()..COARSE).contains(&found.factor())
        && found.is_wide
        && (found.now - found.was).abs() >= COARSE_US
}

/// The times of each run of the judge, case by case. Rounds that not every case has are left out,
/// and so are runs without rounds.
fn by_run<'a>(cases: impl Iterator<Item = Cow<'a, CaseStats>> + Clone) -> Vec<TimedRun> {
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
        let mut timed = TimedRun::of_rounds(rounds);
        for figures in cases.clone() {
            let times = figures.times_us[run][..rounds].iter();
            timed.push(
                times.map(|time| nanoseconds(*time)),
                figures.calibrations_ns[run].map(nanoseconds),
            );
        }
        timed
    };
    (0..runs).map(run).filter(|run| run.rounds() > 0).collect()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "times have few digits that count"
)]
fn nanoseconds(number: u64) -> f64 {
    number as f64
}

/// A time in whole microseconds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it was a whole number before"
)]
fn whole(time: f64) -> u64 {
    time.round() as u64
}

// Estimates how many attempts were slowed by other work on the machine. If more than half of them
// are, then all ten attempts at a single case may be; the attempts at the other cases show how
// likely that is.

/// An attempt counts as disturbed if it took longer than the fastest of its case and run by more
/// than this part.
const CALM: f64 = 0.05;

/// The number of attempts, and of disturbed ones among them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct DisturbanceRate {
    attempts: usize,
    disturbed: usize,
}

impl DisturbanceRate {
    /// Counts the attempts at these cases.
    fn of<'a>(cases: impl IntoIterator<Item = &'a CaseStats>) -> Self {
        let mut rate = Self::default();
        for times in cases.into_iter().flat_map(|figures| &figures.times_us) {
            let least = times.iter().min().copied().unwrap_or(0);
            rate.attempts += times.len();
            rate.disturbed += times
                .iter()
                .filter(|time| **time as f64 > least as f64 * (1.0 + CALM))
                .count();
        }
        rate
    }

    /// The rate of these attempts together with others.
    fn plus(self, other: Self) -> Self {
        Self {
            attempts: self.attempts + other.attempts,
            disturbed: self.disturbed + other.disturbed,
        }
    }

    /// The probability that all attempts at the case `at` were disturbed, if they are disturbed as
    /// often as those at the other cases. `self` counts all cases.
    fn chance_all_disturbed(self, at: Self) -> f64 {
        let others = self.attempts.saturating_sub(at.attempts);
        if others == 0 {
            return 0.0;
        }
        let part = float(self.disturbed.saturating_sub(at.disturbed)) / float(others);
        part.powf(float(at.attempts))
    }
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
        let disturbance = DisturbanceRate::of(&[case(&[&[100, 105, 106, 150], &[200, 211]])]);
        assert_eq!(
            disturbance,
            DisturbanceRate {
                attempts: 6,
                disturbed: 3
            }
        );
        assert_eq!(
            DisturbanceRate::of(&[case(&[])]),
            DisturbanceRate::default()
        );
    }

    #[test]
    fn the_chance_that_all_attempts_were_disturbed_follows_from_the_other_cases() {
        let steady = case(&[&[150; 10]]);
        let half = case(&[&[100, 150, 100, 150]]);
        let case = DisturbanceRate::of([&steady]);
        let both = DisturbanceRate::of([&steady, &half]);
        assert_eq!(both.chance_all_disturbed(case), 0.5_f64.powi(10));
        assert_eq!(case.chance_all_disturbed(case), 0.0, "there is no other");
    }
}
