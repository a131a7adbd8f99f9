//! The results of submissions and of a whole suite, and the work in progress. Plain
//! data, created once by the suite.

use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::model::{
    ContestRules, Expected, Moment, Requirement, Score, TrialRecord, Verdict,
};

/// The overall result of a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmissionSummary {
    /// Its problem.
    pub problem: Arc<str>,
    /// Its name.
    pub submission: Arc<str>,
    /// Its language's name.
    pub language: String,
    /// The verdict expected of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
    /// The verdict of its first case that is not accepted, or of its groups of cases if
    /// they decide it; `None` if the judge failed before it was known.
    pub verdict: Option<Verdict>,
    /// The case that decided the verdict; for an accepted submission, the one with the
    /// most CPU time, or the first that cost points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst_case: Option<String>,
    /// The reason in a few words, such as the first finding or the exit; empty for an
    /// accepted submission, unless a case cost points.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub reason: String,
    /// Accepted cases.
    pub passed: usize,
    /// All cases.
    pub cases: usize,
    /// Cases at which the judge failed.
    pub faults: usize,
    /// Cases with an expected verdict of their own that got another one.
    #[serde(skip_serializing_if = "crate::model::is_default", default)]
    pub surprising_cases: usize,
    /// Requirements on sets of its cases that were not met.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub unmet: Vec<Requirement>,
    /// Cases with different verdicts at different attempts.
    #[serde(skip_serializing_if = "crate::model::is_default", default)]
    pub flaky: usize,
    /// The longest CPU time of a case, in microseconds.
    pub slowest_cpu_us: u64,
    /// The highest peak of memory of a case, in bytes.
    pub peak_memory_bytes: u64,
    /// The wall time of its compiler, in microseconds, if it was compiled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compile_us: Option<u64>,
    /// Its points, if the problem gives any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The team that submitted it, and when, in a contest.
    #[serde(flatten)]
    pub entrant: Option<Entrant>,
}

impl SubmissionSummary {
    /// Whether it has no verdict because the deadline came first.
    pub fn is_unjudged(&self) -> bool {
        self.verdict == Some(Verdict::Skipped)
    }

    /// Counts a trial that was judged.
    pub fn count_trial(&mut self, record: &TrialRecord) {
        self.passed += usize::from(record.verdict == Verdict::Accepted);
        self.flaky += usize::from(record.is_flaky());
        self.slowest_cpu_us = self.slowest_cpu_us.max(record.cpu_us.unwrap_or(0));
        self.peak_memory_bytes = self
            .peak_memory_bytes
            .max(record.peak_memory_bytes.unwrap_or(0));
    }

    /// The result in words: `WA`, or `WA with 40 of 100 points`.
    pub fn earned(&self) -> String {
        let verdict = self.verdict.map_or("nothing", Verdict::code);
        match &self.score {
            Some(score) => format!("{verdict} with {}", score.in_points()),
            None => verdict.to_owned(),
        }
    }

    /// The points of each group, if there are several.
    pub fn points_by_group(&self) -> Option<String> {
        self.score.as_ref().and_then(Score::by_group)
    }

    /// What it earned, with the points of each group if there are several.
    pub fn earned_in_groups(&self) -> String {
        let earned = self.earned();
        match self.points_by_group() {
            Some(groups) => format!("{earned} ({groups})"),
            None => earned,
        }
    }

    /// The case that explains the verdict, or the missing points of an accepted
    /// submission.
    pub fn decisive_case(&self) -> Option<&str> {
        self.worst_case.as_deref().filter(|_| {
            self.verdict != Some(Verdict::Accepted) || self.has_lost_points()
        })
    }

    /// Whether it is accepted as a whole, in spite of a failed case that cost points.
    pub fn has_lost_points(&self) -> bool {
        self.is_partly_accepted() && self.passed < self.cases
    }

    fn is_partly_accepted(&self) -> bool {
        self.verdict == Some(Verdict::Accepted)
            && self.score.as_ref().is_some_and(Score::is_partial)
    }

    /// Whether it is accepted as expected, but got less than all points, and nothing
    /// says how many are expected.
    pub fn lacks_points(&self) -> bool {
        let expected = self.expected.as_ref().and_then(Expected::score);
        self.is_partly_accepted() && expected.is_none()
    }

    /// Whether anything of it was run, so that there are figures to show.
    pub fn is_measured(&self) -> bool {
        self.slowest_cpu_us > 0 || self.peak_memory_bytes > 0
    }

    /// The unmet requirements in words, each after a semicolon.
    pub fn unmet_in_words(&self) -> String {
        self.unmet
            .iter()
            .map(|unmet| format!("; {unmet}"))
            .collect()
    }

    /// Whether it got the expected points. True if none are expected.
    pub fn has_expected_score(&self) -> bool {
        let expected = self.expected.as_ref().and_then(Expected::score);
        expected.is_none_or(|expected| {
            self.score
                .as_ref()
                .is_some_and(|score| expected.allows(score))
        })
    }

    /// Whether it got another result than the expected one, or none by a fault.
    pub fn is_surprising(&self) -> bool {
        !self.is_as_expected() && !self.is_unjudged()
    }

    /// Whether it got the expected result, which is `AC` without a failed case that
    /// cost points if nothing else is given.
    pub fn is_as_expected(&self) -> bool {
        self.faults == 0
            && self.surprising_cases == 0
            && self.unmet.is_empty()
            && self.verdict.is_some_and(|verdict| match &self.expected {
                Some(expected) => expected.allows(verdict),
                None => verdict == Verdict::Accepted && !self.has_lost_points(),
            })
            && self.has_expected_score()
    }
}

/// The outcome of a suite in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Submissions with the expected result.
    pub as_expected: usize,
    /// Submissions with another result.
    pub surprising: usize,
    /// Submissions that could not be judged on this machine.
    pub skipped: usize,
    /// Failures of the judge itself.
    pub faults: usize,
    /// Trials judged, without compile errors and skipped cases.
    pub trials: usize,
    /// Trials with different verdicts at different attempts.
    #[serde(skip_serializing_if = "crate::model::is_default", default)]
    pub flaky: usize,
    /// Trials whose results came from the cache.
    #[serde(skip_serializing_if = "crate::model::is_default", default)]
    pub cached: usize,
}

impl Tally {
    /// Number of submissions that were judged to the end.
    pub fn judged(&self) -> usize {
        self.as_expected.saturating_add(self.surprising)
    }

    /// Number of submissions that are finished or were skipped.
    pub fn submissions(&self) -> usize {
        self.judged().saturating_add(self.skipped)
    }
}

// A contest: its teams and problems, and when a submission was handed in. Knows no
// rules of ranking.

/// A whole contest. It lists every team, so that a report can show those that submitted
/// nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contest {
    /// Its name.
    pub name: String,
    /// The names of all teams.
    pub teams: Vec<Arc<str>>,
    /// Problem ids, in the order of the columns of the standings.
    pub problems: Vec<Arc<str>>,
    /// The rules that are given, in `contest.toml` or as options.
    #[serde(skip_serializing_if = "crate::model::is_default", default)]
    pub rules: Box<ContestRules>,
    /// The file that its standings are written to whenever it is judged. It is not in
    /// logs.
    #[serde(skip)]
    pub page: Option<PathBuf>,
}

impl Contest {
    /// What takes part in it: in a course, students.
    pub fn entrant_noun(&self) -> &'static str {
        match self.rules.course {
            Some(_) => "student",
            None => "team",
        }
    }
}

/// The team that handed in a submission, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// The team.
    pub team: Arc<str>,
    /// The minute of the contest, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minute: Option<u64>,
    /// When it was handed in, in a course, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitted: Option<Moment>,
}

// The work in progress, for progress displays. Events report finished work, in the
// order of the plan and independent of the number of workers; this does neither, so no
// report may rely on it.

/// The step a submission is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JudgingPhase {
    /// It is being compiled.
    Compiling,
    /// It is being judged on the case at this place.
    Judging(usize),
    /// It is being judged on that case again, while no first run is in progress.
    JudgingAgain(usize),
    /// It must be judged on that case again, and waits until no first run is in
    /// progress.
    Waiting(usize),
}

/// A submission, by its place in the plan, and the step it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ActiveStep {
    /// The submission's place in the plan.
    pub entry: usize,
    /// The step it is in.
    pub phase: JudgingPhase,
}

/// All work in progress. Workers write to it, and progress displays read it.
#[derive(Debug, Default)]
pub struct Activity {
    doing: Mutex<Vec<ActiveStep>>,
}

/// A piece of work that is in progress until this is dropped.
pub struct ActivityGuard<'a> {
    activity: &'a Activity,
    doing: ActiveStep,
}

impl Activity {
    /// Records that a piece of work has begun.
    pub fn begin(&self, entry: usize, phase: JudgingPhase) -> ActivityGuard<'_> {
        let doing = ActiveStep { entry, phase };
        self.doing.lock().push(doing);
        ActivityGuard {
            activity: self,
            doing,
        }
    }

    /// All work in progress, in the order of the plan.
    pub fn now(&self) -> Vec<ActiveStep> {
        let mut doing = self.doing.lock().clone();
        doing.sort_unstable();
        doing
    }
}

impl Drop for ActivityGuard<'_> {
    fn drop(&mut self) {
        let mut doing = self.activity.doing.lock();
        if let Some(place) = doing.iter().position(|other| *other == self.doing) {
            doing.swap_remove(place);
        }
    }
}

#[cfg(test)]
mod activity_tests {
    use super::*;

    #[test]
    fn work_is_in_progress_until_its_guard_is_dropped() {
        let activity = Activity::default();
        let judging = activity.begin(1, JudgingPhase::Judging(7));
        let again = activity.begin(1, JudgingPhase::Judging(7));
        let compiling = activity.begin(0, JudgingPhase::Compiling);
        let of = |entry, phase| ActiveStep { entry, phase };
        let judged = of(1, JudgingPhase::Judging(7));
        assert_eq!(
            activity.now(),
            [of(0, JudgingPhase::Compiling), judged, judged]
        );
        drop((judging, compiling));
        assert_eq!(activity.now(), [judged]);
        drop(again);
        assert_eq!(activity.now(), []);
    }
}
