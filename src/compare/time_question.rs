//! Questions about the times of a submission or of a single case: which rounds are compared, and what change
//! the answer is. Each question of a comparison is independent of the others.

use crate::compare::baseline::SharedCase;
use crate::compare::case_stats::CaseStats;
use crate::compare::change::Change;
use crate::compare::change::ChangeKind;
use crate::compare::change::ChangeSubject;
use crate::compare::disturbance::DisturbanceRate;
use crate::compare::key::SubmissionKey;
use crate::compare::time_shift::TimeShift;
use crate::compare::time_shift::TimedRun;
use crate::compare::time_shift::between;
use crate::compare::time_shift::movement;

/// With too few attempts for a test, a time may have changed if it did by this factor, and by this many
/// microseconds.
const COARSE: f64 = 1.5;
const COARSE_US: f64 = 10_000.0;

/// Times that may have changed.
pub(super) struct TimeQuestion {
    subject: ChangeSubject,
    cases: usize,
    pub(super) was: Vec<TimedRun>,
    pub(super) now: Vec<TimedRun>,
    /// For a single case, the margin of its submission, because with ten times of its own a case can look
    /// steady by chance. Zero or the noise between runs for a whole submission.
    least_margin: f64,
}

/// A question with its answer; `None` if there are no times.
pub(super) struct AnsweredQuestion {
    pub(super) question: TimeQuestion,
    pub(super) movement: Option<TimeShift>,
}

impl AnsweredQuestion {
    pub(super) fn of(question: TimeQuestion) -> Self {
        Self { movement: movement(&question.was, &question.now, question.least_margin), question }
    }

    /// Answers a question about a single case. All attempts on its slower side may have been disturbed;
    /// `disturbance` has the rates of before and now.
    pub(super) fn of_case(
        case: &SharedCase<'_>,
        least_margin: f64,
        disturbance: [DisturbanceRate; 2],
    ) -> Self {
        let mut asked = Self::of(TimeQuestion::of_case(case, least_margin));
        if let Some(found) = &mut asked.movement {
            let (slower, all) =
                if found.now >= found.was { (case.now, disturbance[1]) } else { (case.was, disturbance[0]) };
            found.chance = found.chance.max(all.chance_all_disturbed(DisturbanceRate::of([slower])));
        }
        asked
    }

    pub(super) fn margin(&self) -> f64 {
        self.movement.map_or(0.0, |found| found.margin)
    }
}

impl TimeQuestion {
    pub(super) fn of_all(owner: &SubmissionKey, cases: &[SharedCase<'_>]) -> Self {
        let subject = match cases {
            [case] => ChangeSubject::of_case(case.key),
            _ => ChangeSubject::of_submission(owner),
        };
        let (was, now) = (cases.iter().map(|case| case.was), cases.iter().map(|case| case.now));
        // If a case has fewer runs than another, the sum lacks some of the noise between runs, so it is taken
        // from single cases.
        let between =
            was.clone().chain(now.clone()).map(|figures| between(&by_run(&std::iter::once(figures))));
        let least_margin = between.fold(0.0, f64::max);
        let is_even = |runs: &mut dyn Iterator<Item = &CaseStats>| {
            let mut counts = runs.map(|figures| figures.times_us.len());
            let first = counts.next();
            counts.all(|count| Some(count) == first)
        };
        let are_even = is_even(&mut was.clone()) && is_even(&mut now.clone());
        let least_margin = if are_even { 0.0 } else { least_margin };
        Self { subject, cases: cases.len(), was: by_run(&was), now: by_run(&now), least_margin }
    }

    fn of_case(&SharedCase { key, was, now }: &SharedCase<'_>, least_margin: f64) -> Self {
        let of = |figures| by_run(&std::iter::once(figures));
        Self { subject: ChangeSubject::of_case(key), cases: 1, was: of(was), now: of(now), least_margin }
    }

    pub(super) fn answered(self, found: TimeShift, chance: Option<f64>) -> Change {
        let kind = ChangeKind::Time {
            was_us: whole(found.was),
            now_us: whole(found.now),
            factor: found.factor(),
            low: found.factor() / (1.0 + found.margin),
            high: found.factor() * (1.0 + found.margin),
            chance,
            cases: self.cases,
        };
        Change { subject: self.subject, kind }
    }
}

/// How often attempts at a submission were disturbed, before and now.
pub(super) fn disturbance_of(cases: &[SharedCase<'_>]) -> [DisturbanceRate; 2] {
    [
        DisturbanceRate::of(cases.iter().map(|case| case.was)),
        DisturbanceRate::of(cases.iter().map(|case| case.now)),
    ]
}

/// Whether it may have changed, if there are too few attempts for a test.
pub(super) fn is_coarse(found: TimeShift) -> bool {
    !(COARSE.recip()..COARSE).contains(&found.factor())
        && found.is_wide
        && (found.now - found.was).abs() >= COARSE_US
}

/// The times of each run of the judge, case by case. Rounds that not every case has are left out, and so are
/// runs without rounds.
fn by_run<'a>(cases: &(impl Iterator<Item = &'a CaseStats> + Clone)) -> Vec<TimedRun> {
    let runs = cases.clone().map(|figures| figures.times_us.len()).min().unwrap_or(0);
    let run = |run: usize| -> TimedRun {
        let rounds = cases.clone().map(|figures| figures.times_us[run].len()).min().unwrap_or(0);
        let case =
            |figures: &CaseStats| figures.times_us[run][..rounds].iter().map(|time| float(*time)).collect();
        let calibration = |figures: &CaseStats| figures.calibrations_ns[run].map(float);
        TimedRun {
            cases: cases.clone().map(case).collect(),
            calibrations: cases.clone().map(calibration).collect(),
        }
    };
    (0..runs).map(run).filter(|run| !run.cases[0].is_empty()).collect()
}

#[expect(clippy::cast_precision_loss, reason = "times have few digits that count")]
fn float(number: u64) -> f64 {
    number as f64
}

/// A time in whole microseconds.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was a whole number before")]
fn whole(time: f64) -> u64 {
    time.round() as u64
}
