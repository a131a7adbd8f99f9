//! The one consumer: takes outcomes in the order of the plan and tells them as events. What it tells depends on the
//! plan and the outcomes alone, never on how many workers there were or who finished first.

use std::sync::Arc;

use crate::model::Event;
use crate::model::Exit;
use crate::model::Fault;
use crate::model::Findings;
use crate::model::Limits;
use crate::model::SubmissionSummary;
use crate::model::Tally;
use crate::model::Trial;
use crate::model::TrialRecord;
use crate::model::Verdict;
use crate::suite::plan::Entry;

/// What a worker has to say about a case.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It was judged.
    Judged(Box<Trial>),
    /// The judge failed at it.
    Faulted(Fault),
    /// The submission was refused by its compiler.
    Refused {
        /// In a few words.
        reason: Arc<str>,
        /// What the compiler said.
        output: Arc<str>,
    },
    /// The submission cannot be made ready on this machine.
    Unavailable {
        /// What is missing.
        cause: Arc<str>,
        /// How to get it.
        remedy: Arc<str>,
    },
    /// An earlier case had settled the submission when its turn came.
    NotRun,
}

/// Tells the outcomes of one submission.
pub(crate) struct Narrator<'a> {
    entry: &'a Entry,
    limits: Limits,
    stop_at_first: bool,
    summary: SubmissionSummary,
    /// The longest CPU time of an accepted case, and which.
    slowest: Option<(u64, String)>,
    /// Whether nothing more can change its verdict, or it could not be judged at all.
    settled: bool,
    skipped: bool,
}

impl<'a> Narrator<'a> {
    pub(crate) fn new(entry: &'a Entry, stop_at_first: bool) -> Self {
        let summary = SubmissionSummary {
            problem: entry.problem.id.as_str().into(),
            submission: entry.submission.name.as_str().into(),
            language: entry.language_name().to_owned(),
            expected: entry.submission.expected,
            verdict: None,
            worst_case: None,
            reason: String::new(),
            passed: 0,
            cases: entry.cases.len(),
            faults: 0,
            slowest_cpu_us: 0,
            peak_memory_bytes: 0,
        };
        Self {
            entry,
            limits: entry.limits(),
            stop_at_first,
            summary,
            slowest: None,
            settled: false,
            skipped: false,
        }
    }

    /// Whether the cases to come need not be run.
    pub(crate) fn is_settled(&self) -> bool {
        self.settled
    }

    /// Tells of one case, in its turn.
    pub(crate) fn tell(
        &mut self,
        case: usize,
        outcome: Outcome,
        tally: &mut Tally,
        tell: &mut dyn FnMut(Event),
    ) {
        if case == 0 {
            self.open(&outcome, tally, tell);
        }
        if self.skipped {
            return;
        }
        let case_name = self.entry.cases[case].name.clone();
        if self.settled {
            tell(self.record(case_name, Verdict::Skipped));
            return;
        }
        match outcome {
            Outcome::Judged(trial) => {
                tally.trials += 1;
                tell(self.judged(case_name, *trial));
            }
            Outcome::Refused { reason, output } => {
                self.settle(Verdict::CompileError, None, reason.to_string());
                let record = self.blank_record(case_name, Verdict::CompileError);
                let record = TrialRecord { stderr: output.to_string(), ..record };
                tell(Event::TrialFinished(Box::new(record)));
            }
            Outcome::Faulted(fault) => tell(self.faulted(case_name, fault, tally)),
            // Only an earlier outcome can make it so, and then the submission is settled.
            Outcome::NotRun | Outcome::Unavailable { .. } => tell(self.record(case_name, Verdict::Skipped)),
        }
    }

    /// Tells how the submission did altogether.
    pub(crate) fn close(mut self, tally: &mut Tally, tell: &mut dyn FnMut(Event)) {
        if self.skipped {
            return;
        }
        if self.summary.verdict.is_none() && self.summary.faults == 0 {
            self.summary.verdict = Some(Verdict::Accepted);
            self.summary.worst_case = self.slowest.take().map(|(_, case)| case);
        }
        match self.summary.is_as_expected() {
            true => tally.as_expected += 1,
            false => tally.surprising += 1,
        }
        tell(Event::SubmissionFinished(Box::new(self.summary)));
    }

    fn open(&mut self, first: &Outcome, tally: &mut Tally, tell: &mut dyn FnMut(Event)) {
        let (problem, submission) = (Arc::clone(&self.summary.problem), Arc::clone(&self.summary.submission));
        let language = self.summary.language.clone();
        if let Outcome::Unavailable { cause, remedy } = first {
            tally.skipped += 1;
            self.skipped = true;
            let (cause, remedy) = (cause.to_string(), remedy.to_string());
            tell(Event::SubmissionSkipped { problem, submission, language, cause, remedy });
        } else {
            let (expected, limits) = (self.summary.expected, (&self.limits).into());
            tell(Event::SubmissionStarted { problem, submission, language, expected, limits });
        }
    }

    fn judged(&mut self, case: String, trial: Trial) -> Event {
        let summary = &mut self.summary;
        let cpu_us = micros(trial.usage.cpu);
        summary.slowest_cpu_us = summary.slowest_cpu_us.max(cpu_us);
        summary.peak_memory_bytes = summary.peak_memory_bytes.max(trial.usage.peak_memory_bytes);
        if trial.verdict == Verdict::Accepted {
            summary.passed += 1;
            if self.slowest.as_ref().is_none_or(|(slowest, _)| cpu_us > *slowest) {
                self.slowest = Some((cpu_us, case.clone()));
            }
        } else if summary.verdict.is_none() && summary.faults == 0 {
            let reason = reason(&trial, &self.limits);
            self.settle(trial.verdict, Some(case.clone()), reason);
        }
        let accepted = trial.verdict == Verdict::Accepted;
        let Findings { listed, unlisted, grids_right, grids, diff } =
            trial.findings.clone().unwrap_or_default();
        let mut listed = listed.into_iter();
        Event::TrialFinished(Box::new(TrialRecord {
            cpu_us: Some(cpu_us),
            wall_us: Some(micros(trial.usage.wall)),
            peak_memory_bytes: Some(trial.usage.peak_memory_bytes),
            rerun: trial.rerun,
            exit: Some(trial.exit).filter(|exit| !exit.is_clean()),
            finding: listed.next(),
            further_findings: listed.collect(),
            unlisted_findings: unlisted,
            grids_right: trial.findings.is_some().then_some(grids_right),
            grids: trial.findings.is_some().then_some(grids),
            diff,
            stderr: if accepted {
                String::new()
            } else {
                String::from_utf8_lossy(&trial.stderr_tail).into_owned()
            },
            ..self.blank_record(case, trial.verdict)
        }))
    }

    fn faulted(&mut self, case: String, fault: Fault, tally: &mut Tally) -> Event {
        tally.faults += 1;
        self.summary.faults += 1;
        self.settled |= self.stop_at_first;
        Event::TrialFaulted {
            problem: Arc::clone(&self.summary.problem),
            submission: Arc::clone(&self.summary.submission),
            case,
            fault,
        }
    }

    /// Notes the case that decides.
    fn settle(&mut self, verdict: Verdict, case: Option<String>, reason: String) {
        self.summary.verdict = Some(verdict);
        self.summary.worst_case = case;
        self.summary.reason = reason;
        // A program that does not compile does so on every case.
        self.settled |= self.stop_at_first || verdict == Verdict::CompileError;
    }

    fn record(&self, case: String, verdict: Verdict) -> Event {
        Event::TrialFinished(Box::new(self.blank_record(case, verdict)))
    }

    fn blank_record(&self, case: String, verdict: Verdict) -> TrialRecord {
        TrialRecord {
            problem: Arc::clone(&self.summary.problem),
            submission: Arc::clone(&self.summary.submission),
            case,
            verdict,
            cpu_us: None,
            wall_us: None,
            peak_memory_bytes: None,
            rerun: false,
            exit: None,
            finding: None,
            further_findings: Vec::new(),
            unlisted_findings: 0,
            grids_right: None,
            grids: None,
            diff: None,
            stderr: String::new(),
        }
    }
}

/// Why a trial came to its verdict, in a few words.
fn reason(trial: &Trial, limits: &Limits) -> String {
    match trial.verdict {
        Verdict::TimeLimit => format!(
            "stopped at {:.3} s of CPU time, {:.3} s allowed",
            seconds(trial),
            limits.cpu.as_secs_f64()
        ),
        Verdict::IdleLimit => format!(
            "{:.3} s on the clock with {:.3} s of CPU time, {:.3} s allowed",
            trial.usage.wall.as_secs_f64(),
            seconds(trial),
            limits.wall.as_secs_f64()
        ),
        Verdict::MemoryLimit => format!(
            "{:.1} MiB of memory, {:.1} MiB allowed",
            mebibytes(trial.usage.peak_memory_bytes),
            mebibytes(limits.memory_bytes)
        ),
        Verdict::OutputLimit => format!("more than {:.1} MiB of output", mebibytes(limits.output_bytes)),
        Verdict::RuntimeError => match trial.exit {
            Exit::Code(_) => format!("ended with {}", trial.exit),
            Exit::Signal(_) => format!("ended by {}", trial.exit),
        },
        _ => {
            let first = trial.findings.as_ref().and_then(|findings| findings.listed.first());
            first.map_or_else(String::new, |finding| finding.message.clone())
        }
    }
}

fn seconds(trial: &Trial) -> f64 {
    trial.usage.cpu.as_secs_f64()
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

fn micros(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
