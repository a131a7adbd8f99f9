//! What programs earned and took, kept in a file that belongs beside their sources, and what has changed since. Knows
//! events and numbers; knows neither how programs are run nor who asks. Start at [`Comparison::between`].
//!
//! ```text
//! events -> BaselineCollector -> Baseline <-> file
//!                           |
//!             Baseline -> Comparison -> policy, table, Markdown, JSON
//! ```
//!
//! Noise is measured: each case is run several times, and a time has changed if the times of now and then differ by more
//! than chance, than their own spread, and than what is worth a word. See [`moved`].

mod case_stats;
mod change;
mod collect;
mod comparison;
mod disturbance;
mod file;
mod flakiness;
mod markdown;
mod memory;
mod permutation_test;
mod policy;
mod statistics;
mod table;
mod time_shift;
mod times;

pub use change::Change;
pub use change::ChangeKind;
pub use change::ChangeSubject;
pub use collect::BaselineCollector;
pub use collect::LogGaps;
pub use comparison::Comparison;
pub use comparison::NotComparable;
pub use file::is_baseline;
pub use file::read;
pub use file::to_text;
pub use markdown::markdown;
pub use policy::FailurePolicy;
pub use table::ListedChanges;
pub use table::table;

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use case_stats::CaseStats;

/// A submission on a case, in the order of files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TrialKey {
    pub(crate) problem: Arc<str>,
    pub(crate) submission: Arc<str>,
    pub(crate) case: Arc<str>,
}

impl TrialKey {
    /// The submission that it is of.
    pub(crate) fn owner(&self) -> SubmissionKey {
        (Arc::clone(&self.problem), Arc::clone(&self.submission))
    }
}

/// A problem and a submission to it.
pub(crate) type SubmissionKey = (Arc<str>, Arc<str>);

/// What is known of submissions, from one run of the judge or several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The machines that it was made on.
    machines: BTreeSet<String>,
    lines: BTreeMap<TrialKey, CaseStats>,
    /// Cases that were not judged, so that nothing is known of them.
    unjudged: BTreeSet<TrialKey>,
    /// Submissions of which no case was judged.
    skipped: BTreeSet<SubmissionKey>,
    /// Whether the run was broken off, so that what is missing is not gone.
    incomplete: bool,
}

impl Baseline {
    /// Submissions on cases of which something is known.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The problem and the submission of each line.
    pub fn submissions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lines.keys().map(|key| (&*key.problem, &*key.submission))
    }

    /// The submissions of which something is known.
    pub(crate) fn owners(&self) -> BTreeSet<SubmissionKey> {
        self.lines.keys().map(TrialKey::owner).collect()
    }

    /// Adds what another run of the judge has shown.
    pub fn join(&mut self, other: Self) {
        self.machines.extend(other.machines);
        for (key, figures) in other.lines {
            match self.lines.get_mut(&key) {
                Some(known) => known.join(figures),
                None => drop(self.lines.insert(key, figures)),
            }
        }
        self.unjudged.extend(other.unjudged);
        self.unjudged.retain(|key| !self.lines.contains_key(key));
        self.skipped.extend(other.skipped);
        self.incomplete |= other.incomplete;
    }

    /// Takes over what `now` shows of the submissions that it knows. A case on which nothing has changed beyond noise keeps
    /// its line, so that a file in a repository changes where programs do, and small changes that follow each other are
    /// still held against the first.
    #[must_use]
    pub fn updated(mut self, now: Self, comparison: &Comparison) -> Self {
        let (moved, judged) = (comparison.subjects(), now.owners());
        let is_kept =
            |key: &TrialKey| !judged.contains(&key.owner()) || now.unjudged.contains(key) || now.incomplete;
        // Of a submission that has moved altogether all lines are new: otherwise it would be told again for ever.
        let is_steady = |key: &TrialKey| {
            !moved.contains(&ChangeSubject::of_case(key))
                && !moved.contains(&ChangeSubject::of_submission(&key.owner()))
        };
        self.lines.retain(|key, _| is_kept(key) || now.lines.contains_key(key));
        for (key, figures) in now.lines {
            if !self.lines.contains_key(&key) || !is_steady(&key) {
                self.lines.insert(key, figures);
            }
        }
        self.machines.extend(now.machines);
        self
    }

    /// What it knows of the submissions that the other tells of.
    #[must_use]
    pub fn only_what_is_in(mut self, other: &Self) -> Self {
        let (judged, skipped) = (other.owners(), &other.skipped);
        let unjudged: BTreeSet<_> = other.unjudged.iter().map(TrialKey::owner).collect();
        let is_in = |owner: &SubmissionKey| {
            judged.contains(owner) || skipped.contains(owner) || unjudged.contains(owner)
        };
        self.lines.retain(|key, _| is_in(&key.owner()));
        self
    }
}

#[cfg(test)]
mod tests;
