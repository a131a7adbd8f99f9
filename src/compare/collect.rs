//! Collects the content of a baseline from the events of a run.

use std::io;
use std::sync::Arc;

use crate::compare::{Baseline, CaseStats, TrialKey, UnsortedLines};
use crate::model::{Event, TrialRecord, Verdict};
use crate::report::Sink;

/// Collects figures from events.
#[derive(Default)]
pub struct BaselineCollector {
    found: Baseline,
    lines: UnsortedLines,
    is_over: bool,
    problems: LogGaps,
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
    pub fn finish(self) -> (Baseline, LogGaps) {
        let problems = LogGaps {
            incomplete: !self.is_over,
            ..self.problems
        };
        let lines = self.lines.sorted();
        (
            Baseline {
                lines,
                incomplete: problems.incomplete || problems.part,
                ..self.found
            },
            problems,
        )
    }

    fn note(&mut self, record: &TrialRecord) {
        let key = key_of(&record.problem, &record.submission, &record.case);
        let figures = CaseStats::of(record);
        if record.cached && figures.is_some() {
            self.problems.cached += 1;
        }
        match figures {
            // An earlier case decided the submission.
            _ if record.verdict == Verdict::Skipped => drop(self.found.unjudged.insert(key)),
            Some(figures) => self.lines.push(&key, figures),
            // A submission that does not compile is not run, but has a verdict.
            None => self.lines.push(&key, CaseStats::untimed(record.verdict)),
        }
    }
}

fn key_of(problem: &Arc<str>, submission: &Arc<str>, case: &str) -> TrialKey {
    TrialKey {
        problem: Arc::clone(problem),
        submission: Arc::clone(submission),
        case: case.into(),
    }
}

impl Sink for BaselineCollector {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::SuiteStarted {
                machine,
                part,
                shard,
                ..
            } => {
                self.problems.part = *part || shard.is_some();
                if !machine.is_empty() {
                    self.found.machines.insert(machine.clone());
                }
            }
            Event::TrialFinished(record) => self.note(record),
            Event::TrialFaulted {
                problem,
                submission,
                case,
                ..
            } => {
                self.problems.faults += 1;
                self.found
                    .unjudged
                    .insert(key_of(problem, submission, case));
            }
            Event::SubmissionSkipped {
                problem,
                submission,
                ..
            } => {
                self.found
                    .skipped
                    .insert((problem.clone(), submission.clone()));
            }
            Event::SuiteFinished(_) => self.is_over = true,
            _ => {}
        }
        Ok(())
    }
}
