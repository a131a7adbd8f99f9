//! A baseline: results and times by case, and which cases lack them. Knows neither files nor changes.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::compare::case_stats::CaseStats;
use crate::compare::key::SubmissionKey;
use crate::compare::key::TrialKey;

/// The results of submissions, from one run of the judge or several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The machines on which it was recorded.
    pub(super) machines: BTreeSet<String>,
    pub(super) lines: BTreeMap<TrialKey, CaseStats>,
    /// Cases that were not judged, so that nothing is known about them.
    pub(super) unjudged: BTreeSet<TrialKey>,
    /// Submissions of which no case was judged.
    pub(super) skipped: BTreeSet<SubmissionKey>,
    /// Whether a run was interrupted, so that a missing case may still exist.
    pub(super) incomplete: bool,
}

impl Baseline {
    /// Number of pairs of a submission and a case with a result.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are no results.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The problem and the submission of each line.
    pub fn submissions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lines.keys().map(|key| (&*key.problem, &*key.submission))
    }

    /// The submissions with results.
    pub(super) fn owners(&self) -> BTreeSet<SubmissionKey> {
        self.lines.keys().map(TrialKey::owner).collect()
    }

    /// Adds the results of another run of the judge.
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

    /// Keeps only submissions that the other baseline mentions.
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

    /// Whether both were recorded on one machine. The kernel, named last, may differ, because it changes
    /// every week.
    pub fn is_of_the_machine_of(&self, other: &Self) -> bool {
        let machines = self.machines.iter().chain(&other.machines);
        let hardware: BTreeSet<_> = machines
            .map(|name| name.rsplit_once(", Linux").map_or(name.as_str(), |(name, _)| name))
            .collect();
        // Old logs do not name the machine.
        self.machines.is_empty() || other.machines.is_empty() || hardware.len() == 1
    }

    /// The names of its machines, in words.
    pub fn machines(&self) -> String {
        self.machines.iter().map(String::as_str).collect::<Vec<_>>().join(" and ")
    }
}

/// A case that is in both baselines.
#[derive(Clone, Copy)]
pub(super) struct SharedCase<'a> {
    pub(super) key: &'a TrialKey,
    pub(super) was: &'a CaseStats,
    pub(super) now: &'a CaseStats,
}

impl SharedCase<'_> {
    /// Whether all attempts in both baselines ended normally with the same verdict, so that their times mean
    /// the same.
    pub(super) fn is_whole(&self) -> bool {
        self.was.verdict() == self.now.verdict() && self.was.is_whole() && self.now.is_whole()
    }

    /// Whether its times and its memory can be compared.
    pub(super) fn has_times(&self) -> bool {
        self.is_whole() && self.was.has_times() && self.now.has_times()
    }
}

/// The cases that are in both baselines, in order.
pub(super) fn shared_cases<'a>(was: &'a Baseline, now: &'a Baseline) -> Vec<SharedCase<'a>> {
    let lines = was.lines.iter();
    lines.filter_map(|(key, was)| Some(SharedCase { key, was, now: now.lines.get(key)? })).collect()
}
