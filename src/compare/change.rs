//! The changes between two baselines: each with the submission or case that it is
//! about, and all of them.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;

use crate::compare::{CaseStats, SharedCase, SubmissionKey, TrialLine};
use crate::model::Verdict;

/// The subject of a change: a submission on one case, or as a whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ChangeSubject {
    /// The submission.
    #[serde(flatten)]
    pub owner: SubmissionKey,
    /// The case; `None` for the submission as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<Arc<str>>,
}

impl ChangeSubject {
    pub(super) fn of_line(line: TrialLine<'_>) -> Self {
        Self {
            case: Some(Arc::clone(line.case)),
            ..Self::of_submission(line.owner)
        }
    }

    pub(super) fn of_submission(owner: &SubmissionKey) -> Self {
        Self {
            owner: owner.clone(),
            case: None,
        }
    }
}

/// A change and its subject.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The submission, on one case or as a whole.
    #[serde(flatten)]
    pub subject: ChangeSubject,
    /// The kind of change.
    #[serde(flatten)]
    pub kind: ChangeKind,
}

/// The differences between two baselines.
#[derive(Debug, Default, Serialize)]
pub struct Comparison {
    /// Number of submissions that are in both.
    pub submissions: usize,
    /// Number of cases that are in both.
    pub cases: usize,
    /// Number of cases that were not judged this time, and appear in no change.
    pub unjudged: usize,
    /// The median factor by which submissions have changed their time, if nearly all
    /// changed in the same direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub common_factor: Option<f64>,
    /// Sentences about changes that cannot be detected, and why.
    pub notes: Vec<String>,
    /// The changes that may have gone unnoticed, in a few words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// The changes, the worst first.
    pub changes: Vec<Change>,
}

/// The kinds of changes, with their figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum ChangeKind {
    /// The verdict.
    Verdict {
        /// As `AC`, or `WA:3,AC:7` if it is flaky.
        was: String,
        /// As above.
        now: String,
        /// Whether it is now accepted at every attempt.
        is_accepted: bool,
    },
    /// The counts of the verdicts, for a case that was flaky before as well.
    Flaky {
        /// As `WA:3,AC:7`.
        was: String,
        /// As above.
        now: String,
        /// Whether it is now accepted less often.
        is_worse: bool,
        /// The probability that chance alone shows a change this large anywhere in the
        /// comparison.
        chance: f64,
    },
    /// The CPU time.
    Time {
        /// The fastest attempt of each case, summed over cases, in microseconds.
        was_us: u64,
        /// As above.
        now_us: u64,
        /// The ratio of now to before.
        factor: f64,
        /// The factor without the margin for noise. Values between this and `high`
        /// cannot be told apart.
        low: f64,
        /// As above.
        high: f64,
        /// The probability that chance alone shows a change this large anywhere in the
        /// comparison; `None` if there are too few attempts to tell.
        #[serde(skip_serializing_if = "Option::is_none")]
        chance: Option<f64>,
        /// Number of cases over which the time is summed.
        cases: usize,
    },
    /// The peak memory.
    Memory {
        /// The median, in bytes, of the case that has changed most.
        was_bytes: u64,
        /// As above.
        now_bytes: u64,
        /// The probability that chance alone separates all attempts of now from all of
        /// before, anywhere in the comparison; `None` if there are too few attempts to
        /// tell.
        #[serde(skip_serializing_if = "Option::is_none")]
        chance: Option<f64>,
        /// Number of cases that changed in this direction.
        cases: usize,
    },
    /// It existed before, but does not any more.
    Gone {
        /// Number of cases.
        cases: usize,
    },
    /// It did not exist before.
    New {
        /// Number of cases.
        cases: usize,
        /// The verdict of a single case.
        #[serde(skip_serializing_if = "Option::is_none")]
        earned: Option<String>,
    },
}

/// The names of all changes, the worst first.
const WORDS: [&str; 14] = [
    "verdict",
    "flakier",
    "gone",
    "slower",
    "slower?",
    "more memory",
    "more memory?",
    "accepted now",
    "less flaky",
    "faster",
    "faster?",
    "less memory",
    "less memory?",
    "new",
];

/// How many of them are for the worse.
const WORSE: usize = 7;

impl ChangeKind {
    /// Its name in reports, a word or two.
    pub fn word(&self) -> &'static str {
        let is_more = self.factor() > 1.0;
        match self {
            Self::Verdict {
                is_accepted: true, ..
            } => "accepted now",
            Self::Verdict { .. } => "verdict",
            Self::Flaky { is_worse: true, .. } => "flakier",
            Self::Flaky { .. } => "less flaky",
            Self::Gone { .. } => "gone",
            // With a question mark, it may be no change.
            Self::Time { chance, .. } => match (is_more, chance) {
                (true, Some(_)) => "slower",
                (true, None) => "slower?",
                (false, Some(_)) => "faster",
                (false, None) => "faster?",
            },
            Self::Memory { chance, .. } => match (is_more, chance) {
                (true, Some(_)) => "more memory",
                (true, None) => "more memory?",
                (false, Some(_)) => "less memory",
                (false, None) => "less memory?",
            },
            Self::New { .. } => "new",
        }
    }

    /// The place of its name in the order of reports.
    fn rank(&self) -> Option<usize> {
        let word = self.word();
        WORDS.iter().position(|other| *other == word)
    }

    /// Whether it is a change for the worse.
    pub fn is_bad(&self) -> bool {
        WORDS[..WORSE].contains(&self.word())
    }

    /// The factor by which a figure changed; 1 if the change is not about a figure.
    pub fn factor(&self) -> f64 {
        match self {
            Self::Time { factor, .. } => *factor,
            Self::Memory {
                was_bytes,
                now_bytes,
                ..
            } => (*now_bytes).max(1) as f64 / (*was_bytes).max(1) as f64,
            _ => 1.0,
        }
    }

    /// The size of the change of a figure, on a logarithmic scale.
    pub(super) fn size(&self) -> f64 {
        self.factor().ln().abs()
    }
}

impl Change {
    /// The change of a case's verdict, if it changed.
    pub(super) fn of_verdict(case: &SharedCase<'_>) -> Option<Self> {
        let was = case.was.figures();
        let now = case.now.figures();
        let kinds = |figures: &CaseStats| -> BTreeSet<_> {
            figures
                .verdicts
                .iter()
                .map(|(verdict, _)| *verdict)
                .collect()
        };
        if kinds(&was) == kinds(&now) {
            return None;
        }
        let kind = ChangeKind::Verdict {
            was: was.earned(),
            now: now.earned(),
            is_accepted: now.verdict() == Verdict::Accepted && !now.is_flaky(),
        };
        Some(Self {
            subject: ChangeSubject::of_line(case.was),
            kind,
        })
    }

    /// The order of reports: the worst kind first; within a kind, submissions before
    /// cases, then by size.
    pub(super) fn by_weight(&self, other: &Self) -> Ordering {
        let rank =
            |change: &Self| (change.kind.rank(), change.subject.case.is_some());
        rank(self)
            .cmp(&rank(other))
            .then(other.kind.size().total_cmp(&self.kind.size()))
            .then_with(|| self.subject.cmp(&other.subject))
    }
}
