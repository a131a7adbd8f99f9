//! A baseline: results and times by case, and which cases lack them. Knows neither files nor
//! changes.

use crate::sorted::SortedSet;
use std::borrow::Cow;

use crate::compare::{CaseStats, SubmissionKey, TrialKey, TrialLine, TrialLines};
use crate::text::JoinedTexts;

/// The results of submissions, from one run of the judge or several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The machines on which it was recorded.
    pub(super) machines: SortedSet<String>,
    pub(super) lines: TrialLines,
    /// Cases that were not judged, so that nothing is known about them.
    pub(super) unjudged: SortedSet<TrialKey>,
    /// Submissions of which no case was judged.
    pub(super) skipped: SortedSet<SubmissionKey>,
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

    /// The problem and the name of each submission with results.
    pub fn submissions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lines
            .owners()
            .map(|(problem, submission)| (&**problem, &**submission))
    }

    /// The CPU time of each attempt of each submission, in microseconds, with its problem and name.
    pub fn times(&self) -> impl Iterator<Item = (&str, &str, u64)> {
        self.lines.iter().map(|line| {
            let (problem, submission) = line.owner;
            let sum = line.figures().times_us.iter().flatten().sum();
            (&**problem, &**submission, sum)
        })
    }

    /// The submissions with results.
    pub(super) fn owners(&self) -> SortedSet<SubmissionKey> {
        self.lines.owners().cloned().collect()
    }

    /// Adds the results of another run of the judge.
    pub fn join(&mut self, other: Self) {
        self.machines.extend(other.machines);
        let joined = other.lines.iter().map(|line| {
            let figures = line.figures().into_owned();
            let figures = match self.lines.line(line.owner, line.case) {
                Some(known) => known.figures().into_owned().joined(figures),
                None => figures,
            };
            (line.key(), figures)
        });
        let joined: Vec<_> = joined.collect();
        self.lines.add(joined);
        self.unjudged.extend(other.unjudged);
        self.unjudged.retain(|key| !self.lines.contains(key));
        self.skipped.extend(other.skipped);
        self.incomplete |= other.incomplete;
    }

    /// Keeps only submissions that the other baseline mentions.
    #[must_use]
    pub fn only_what_is_in(mut self, other: &Self) -> Self {
        let judged = other.owners();
        let skipped = &other.skipped;
        let unjudged: SortedSet<_> = other.unjudged.iter().map(TrialKey::owner).collect();
        self.lines.retain(|key| {
            let owner = key.owner();
            judged.contains(&owner) || skipped.contains(&owner) || unjudged.contains(&owner)
        });
        self
    }

    /// Whether both were recorded on one machine. The kernel, named last, may differ, because it
    /// changes every week.
    pub fn is_of_the_machine_of(&self, other: &Self) -> bool {
        let machines = self.machines.iter().chain(&other.machines);
        let hardware: SortedSet<_> = machines
            .map(|name| {
                name.rsplit_once(", Linux")
                    .map_or(name.as_str(), |(name, _)| name)
            })
            .collect();
        // Old logs do not name the machine.
        self.machines.is_empty() || other.machines.is_empty() || hardware.len() == 1
    }

    /// The names of its machines, in words.
    pub fn machines(&self) -> String {
        self.machines.iter().map(String::as_str).joined(" and ")
    }
}

/// A case that is in both baselines.
#[derive(Clone, Copy)]
pub(super) struct SharedCase<'a> {
    was: TrialLine<'a>,
    now: TrialLine<'a>,
}

impl<'a> SharedCase<'a> {
    /// Its submission.
    pub(super) fn owner(&self) -> &'a SubmissionKey {
        self.was.owner
    }

    pub(super) fn key(&self) -> TrialKey {
        self.was.key()
    }

    pub(super) fn was(&self) -> Cow<'a, CaseStats> {
        self.was.figures()
    }

    pub(super) fn now(&self) -> Cow<'a, CaseStats> {
        self.now.figures()
    }

    /// Whether all attempts in both baselines ended normally with the same verdict, so that their
    /// times mean the same.
    pub(super) fn is_whole(&self) -> bool {
        self.was.verdict() == self.now.verdict() && self.was.is_whole() && self.now.is_whole()
    }

    /// Whether its times and its memory can be compared.
    pub(super) fn has_times(&self) -> bool {
        self.is_whole() && self.was.has_times() && self.now.has_times()
    }
}

/// The cases that are in both baselines, in order.
pub(super) fn shared_cases<'a>(
    was: &'a Baseline,
    now: &'a Baseline,
) -> impl Iterator<Item = SharedCase<'a>> + Clone {
    was.lines
        .shared(&now.lines)
        .map(|(was, now)| SharedCase { was, now })
}
