//! A baseline: results and times by case, and which cases lack them, collected from the
//! events of a run. Knows neither files nor changes.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use crate::compare::{CaseStats, SubmissionKey, TrialKey, TrialLines};
use crate::model::{Event, Verdict};
use crate::report::Sink;
use crate::text::JoinedTexts;

/// The results of submissions, from one run of the judge or several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The machines on which it was recorded.
    pub(super) machines: BTreeSet<String>,
    pub(super) lines: TrialLines,
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

    /// The problem and the name of each submission with results.
    pub fn submissions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lines
            .owners()
            .map(|owner| (&*owner.problem, &*owner.submission))
    }

    /// The CPU time of each attempt of each submission, in microseconds, with its
    /// problem and name.
    pub fn times(&self) -> impl Iterator<Item = (&str, &str, u64)> {
        self.lines.iter().map(|line| {
            let owner = line.owner;
            let sum = line.figures().times_us.iter().flatten().sum();
            (&*owner.problem, &*owner.submission, sum)
        })
    }

    /// Adds the results of another run of the judge.
    pub fn join(&mut self, other: Self) {
        self.machines.extend(other.machines);
        for line in other.lines.iter() {
            let figures = line.figures().into_owned();
            let figures = match self.lines.line(line.owner, line.case) {
                Some(known) => known.figures().into_owned().joined(figures),
                None => figures,
            };
            self.lines.insert(line.key(), figures);
        }
        self.unjudged.extend(other.unjudged);
        self.unjudged.retain(|key| !self.lines.contains(key));
        self.skipped.extend(other.skipped);
        self.incomplete |= other.incomplete;
    }

    /// Keeps only submissions that the other baseline mentions.
    #[must_use]
    pub fn only_what_is_in(mut self, other: &Self) -> Self {
        let unjudged = other.unjudged.iter().map(|key| &key.owner);
        let mentioned: BTreeSet<_> = other
            .lines
            .owners()
            .chain(&other.skipped)
            .chain(unjudged)
            .collect();
        self.lines.retain(|key| mentioned.contains(&key.owner));
        self
    }

    /// Whether both were recorded on one machine. The kernel, named last, may differ,
    /// because it changes every week.
    pub fn is_of_the_machine_of(&self, other: &Self) -> bool {
        let machines = self.machines.iter().chain(&other.machines);
        let hardware: BTreeSet<_> = machines
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

/// Collects figures from events.
#[derive(Default)]
pub struct BaselineCollector {
    found: Baseline,
    is_over: bool,
    gaps: LogGaps,
}

/// The gaps in a log that a user should know about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogGaps {
    /// Number of failures of the judge itself.
    pub faults: usize,
    /// Number of trials from the cache: their verdicts count, but not their times.
    pub cached: usize,
    /// Whether the end of the log is missing.
    pub incomplete: bool,
    /// Whether only some of the cases were judged, because the user selected them.
    pub part: bool,
}

impl BaselineCollector {
    /// The collected baseline, and the gaps in it.
    pub fn finish(mut self) -> (Baseline, LogGaps) {
        self.gaps.incomplete = !self.is_over;
        self.found.incomplete = self.gaps.incomplete || self.gaps.part;
        (self.found, self.gaps)
    }
}

fn key_of(problem: &Arc<str>, submission: &Arc<str>, case: &str) -> TrialKey {
    TrialKey {
        owner: SubmissionKey::new(problem, submission),
        case: case.into(),
    }
}

impl Sink for BaselineCollector {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        use Event::*;

        match event {
            SuiteStarted(start) => {
                self.gaps.part = start.part || start.shard.is_some();
                if !start.machine.is_empty() {
                    self.found.machines.insert(start.machine.clone());
                }
            }
            TrialFinished(record) => {
                let key = key_of(&record.problem, &record.submission, &record.case);
                let figures = CaseStats::from_record(record);
                if record.cached && figures.is_some() {
                    self.gaps.cached += 1;
                }
                if record.verdict == Verdict::Skipped {
                    // An earlier case decided the submission.
                    self.found.unjudged.insert(key);
                } else {
                    // A submission that does not compile is not run, but has a verdict.
                    let figures =
                        figures.unwrap_or_else(|| CaseStats::untimed(record.verdict));
                    self.found.lines.insert(key, figures);
                }
            }
            TrialFaulted(failed) => {
                self.gaps.faults += 1;
                self.found.unjudged.insert(key_of(
                    &failed.problem,
                    &failed.submission,
                    &failed.case,
                ));
            }
            SubmissionSkipped(skip) => {
                self.found
                    .skipped
                    .insert(SubmissionKey::new(&skip.problem, &skip.submission));
            }
            SuiteFinished(_) => self.is_over = true,
            _ => {}
        }
        Ok(())
    }
}
