//! What a narrator tells of single cases, as events make it of trials and faults.

use std::sync::Arc;

use crate::model::AttemptRecord;
use crate::model::Event;
use crate::model::Findings;
use crate::model::Tally;
use crate::model::Trial;
use crate::model::TrialRecord;
use crate::model::Verdict;
use crate::run::attempts::micros;
use crate::run::reason::reason;
use crate::run::reporter::SubmissionReporter;
use gridjudge_sandbox::Fault;

impl SubmissionReporter<'_> {
    pub(super) fn judged(
        &mut self,
        number: usize,
        trial: Trial,
        attempts: Vec<AttemptRecord>,
    ) -> TrialRecord {
        let case = self.entry.cases[number].name.clone();
        let expected = self.entry.promises.get(&case).cloned();
        let is_surprising = expected.as_ref().is_some_and(|expected| !expected.allows(trial.verdict));
        self.summary.surprising_cases += usize::from(is_surprising);
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
        let Findings { listed, unlisted, parts_right, grids, diff, picture } =
            trial.findings.clone().unwrap_or_default();
        let mut listed = listed.into_iter();
        TrialRecord {
            expected,
            attempts,
            cpu_us: Some(cpu_us),
            wall_us: Some(micros(trial.usage.wall)),
            peak_memory_bytes: Some(trial.usage.peak_memory_bytes),
            rerun: trial.rerun,
            cached: trial.cached,
            exit: Some(trial.exit).filter(|exit| !exit.is_clean()),
            finding: listed.next(),
            further_findings: listed.collect(),
            unlisted_findings: unlisted,
            parts_right: trial.findings.is_some().then_some(parts_right),
            grids: trial.findings.is_some().then_some(grids),
            diff,
            picture,
            stderr: if accepted {
                String::new()
            } else {
                String::from_utf8_lossy(&trial.stderr_tail).into_owned()
            },
            ..self.blank_record(case, trial.verdict)
        }
    }

    pub(super) fn faulted(&mut self, case: String, fault: Fault, tally: &mut Tally) -> Event {
        tally.faults += 1;
        self.summary.faults += 1;
        Event::TrialFaulted {
            problem: Arc::clone(&self.summary.problem),
            submission: Arc::clone(&self.summary.submission),
            case,
            fault,
        }
    }

    pub(super) fn record(&self, case: String, verdict: Verdict) -> Event {
        Event::TrialFinished(Box::new(self.blank_record(case, verdict)))
    }

    pub(super) fn blank_record(&self, case: String, verdict: Verdict) -> TrialRecord {
        TrialRecord {
            problem: Arc::clone(&self.summary.problem),
            submission: Arc::clone(&self.summary.submission),
            case,
            verdict,
            cpu_us: None,
            wall_us: None,
            peak_memory_bytes: None,
            expected: None,
            rerun: false,
            cached: false,
            attempts: Vec::new(),
            exit: None,
            finding: None,
            further_findings: Vec::new(),
            unlisted_findings: 0,
            parts_right: None,
            grids: None,
            picture: None,
            diff: None,
            stderr: String::new(),
        }
    }
}
