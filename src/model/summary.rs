//! What submissions, and a whole suite, came to. Plain data, made once by the suite.

use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;

use crate::model::Entrant;
use crate::model::Expected;
use crate::model::Requirement;
use crate::model::Score;
use crate::model::Verdict;

/// What a submission earned altogether.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmissionSummary {
    /// Its problem.
    pub problem: Arc<str>,
    /// Its name.
    pub submission: Arc<str>,
    /// Its language's name.
    pub language: String,
    /// The verdict expected of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected: Option<Expected>,
    /// The verdict of its first case that is not accepted; none if the judge failed before it knew.
    pub verdict: Option<Verdict>,
    /// The case that decided; for an accepted submission, the one that took the most CPU time.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub worst_case: Option<String>,
    /// Why, in a few words: the first finding, the exit, ...; empty for an accepted submission.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub reason: String,
    /// Cases accepted.
    pub passed: usize,
    /// Cases in all.
    pub cases: usize,
    /// Cases the judge failed at.
    pub faults: usize,
    /// Cases with an expected verdict of their own that they did not earn.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub surprising_cases: usize,
    /// What was to come up among its cases, and did not.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub unmet: Vec<Requirement>,
    /// Cases that earned different verdicts at different attempts.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub flaky: usize,
    /// The longest CPU time of a case, in microseconds.
    pub slowest_cpu_us: u64,
    /// The highest peak of memory of a case, in bytes.
    pub peak_memory_bytes: u64,
    /// Its points, where the problem gives some.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<Score>,
    /// Who handed it in, in a contest.
    #[serde(flatten)]
    pub entrant: Option<Entrant>,
}

impl SubmissionSummary {
    /// What it earned, in words: `WA`, or `WA with 40 of 100 points`.
    pub fn earned(&self) -> String {
        let verdict = self.verdict.map_or("nothing", Verdict::code);
        match &self.score {
            Some(score) => format!("{verdict} with {score} points"),
            None => verdict.to_owned(),
        }
    }

    /// Whether anything of it was run, so that there are figures.
    pub fn is_measured(&self) -> bool {
        self.slowest_cpu_us > 0 || self.peak_memory_bytes > 0
    }

    /// What was to come up and did not, in words, each behind a semicolon.
    pub fn unmet_in_words(&self) -> String {
        self.unmet.iter().map(|unmet| format!("; {unmet}")).collect()
    }

    /// Whether it earned the points that were expected, where some were.
    pub fn has_expected_score(&self) -> bool {
        let expected = self.expected.as_ref().and_then(Expected::score);
        expected.is_none_or(|expected| self.score.as_ref().is_some_and(|score| expected.allows(score)))
    }

    /// Whether it earned what was expected: `AC` where nothing else was said.
    pub fn is_as_expected(&self) -> bool {
        let is_allowed = |verdict| match &self.expected {
            Some(expected) => expected.allows(verdict),
            None => verdict == Verdict::Accepted,
        };
        self.faults == 0
            && self.surprising_cases == 0
            && self.unmet.is_empty()
            && self.verdict.is_some_and(is_allowed)
            && self.has_expected_score()
    }
}

/// How a suite went, counted in submissions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Submissions that earned what was expected of them.
    pub as_expected: usize,
    /// Submissions that did not.
    pub surprising: usize,
    /// Submissions that could not be judged here.
    pub skipped: usize,
    /// Times the judge itself failed.
    pub faults: usize,
    /// Trials judged.
    pub trials: usize,
    /// Trials that earned different verdicts at different attempts.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub flaky: usize,
    /// Trials that were not run now, but known from an earlier time.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub cached: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}
