//! Reports one submission: converts the outcomes of its cases, in the order of the plan, into events. They
//! depend on the plan and the outcomes alone, never on how many workers there were or which finished first.

mod records;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::model::AttemptRecord;
use crate::model::Event;
use crate::model::SubmissionSummary;
use crate::model::Trial;
use crate::model::TrialRecord;
use crate::model::Verdict;
use crate::run::attempts::CaseAttempts;
use crate::run::attempts::micros;
use crate::run::expectation_check::ExpectationCheck;
use crate::run::grading::GroupGrader;
use crate::run::group_scores::GroupScores;
use crate::run::plan::PlanEntry;
use crate::run::reason;
use crate::run::reporter::records::blank_record;
use crate::run::reporter::records::trial_record;
use crate::run::task_outcome::TaskOutcome;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Limits;

/// Reports the outcomes of one submission.
pub(super) struct SubmissionReporter<'a> {
    entry: &'a PlanEntry,
    /// The folder to which reported paths are relative.
    root: &'a Path,
    limits: Limits,
    stop_at_first: bool,
    expectations: ExpectationCheck<'a>,
    summary: SubmissionSummary,
    /// The longest CPU time of an accepted case in microseconds, and that case.
    slowest: Option<(u64, String)>,
    /// The attempts at cases that have not been reported yet, by case number.
    unreported: BTreeMap<usize, CaseAttempts>,
    /// Cases before this one no longer count, except for the expectations of the submission.
    lost_before: usize,
    /// Whether the submission could not be judged at all.
    skipped: bool,
    /// The points of its groups, if the problem has any.
    groups: Option<GroupScores<'a>>,
    /// The grader of some of the groups, if a program grades them.
    grader: Option<Box<GroupGrader<'a>>>,
}

impl<'a> SubmissionReporter<'a> {
    pub(super) fn new(entry: &'a PlanEntry, stop_at_first: bool, root: &'a Path) -> Self {
        let summary = SubmissionSummary {
            problem: entry.problem.id.as_str().into(),
            submission: entry.submission.name.as_str().into(),
            language: entry.language_name().to_owned(),
            expected: entry.submission.expected.clone(),
            verdict: None,
            worst_case: None,
            reason: String::new(),
            passed: 0,
            cases: entry.cases.len(),
            faults: 0,
            surprising_cases: 0,
            unmet: Vec::new(),
            flaky: 0,
            slowest_cpu_us: 0,
            peak_memory_bytes: 0,
            score: None,
            entrant: entry.entrant.clone(),
        };
        Self {
            entry,
            root,
            limits: entry.limits(),
            stop_at_first,
            expectations: ExpectationCheck::of(&entry.expectations, &entry.cases),
            summary,
            slowest: None,
            unreported: BTreeMap::new(),
            lost_before: 0,
            skipped: false,
            groups: GroupScores::of(&entry.problem.scoring, &entry.cases),
            grader: None,
        }
    }

    /// Sets the program that grades groups.
    pub(super) fn graded_by(self, grader: Option<Box<GroupGrader<'a>>>) -> Self {
        Self { grader, ..self }
    }

    /// Cases before this one need not be run.
    pub(super) fn settled_before(&self) -> usize {
        let is_refused = self.summary.verdict == Some(Verdict::CompileError);
        let counts = is_refused || self.stop_at_first && self.expectations.are_settled();
        if counts { self.lost_before } else { 0 }
    }

    /// Records an attempt, and the calibration of the machine if measured. Returns cases that need not be run.
    pub(super) fn note(
        &mut self,
        case: usize,
        outcome: TaskOutcome,
        calibration: Option<Duration>,
    ) -> Range<usize> {
        let name = &self.entry.cases[case].name;
        let breaks =
            matches!(&outcome, TaskOutcome::Judged(trial) if self.expectations.breaks(name, trial.verdict));
        let series = self.unreported.entry(case).or_default();
        series.add(outcome, calibration);
        let settles = self.expectations.are_settled() || breaks && self.expectations.end_when_settled();
        let is_lost = self.stop_at_first && !series.is_accepted() && settles;
        let end = || self.groups.as_ref().map_or(usize::MAX, |groups| groups.next_counting(case));
        if is_lost { case + 1..end() } else { 0..0 }
    }

    /// Reports a case after all its attempts have been recorded. Must be called in the order of the cases.
    pub(super) fn report_case(&mut self, case: usize, emit: &mut dyn FnMut(Event)) {
        let Some((outcome, attempts)) = self.unreported.remove(&case).and_then(CaseAttempts::finish) else {
            return;
        };
        if case == 0 {
            self.open(&outcome, emit);
        }
        if self.skipped {
            return;
        }
        let outcome = if self.is_settled(case) { TaskOutcome::NotRun } else { outcome };
        let outcome = self.scored(case, outcome);
        let is_last = case + 1 == self.entry.cases.len();
        let outcome = if is_last { self.graded(case, outcome) } else { outcome };
        let event = self.event(case, outcome, attempts);
        emit(event);
    }

    /// Adds the outcome of a case to expectations and points. Returns it, or a fault if the points are not allowed.
    fn scored(&mut self, case: usize, outcome: TaskOutcome) -> TaskOutcome {
        let TaskOutcome::Judged(trial) = &outcome else {
            self.expectations.record_no_verdict();
            self.lose(case);
            return outcome;
        };
        self.expectations.record(case, &self.entry.cases[case].name, trial.verdict);
        if trial.verdict != Verdict::Accepted {
            self.groups.iter_mut().for_each(|groups| groups.reject(case, trial.verdict));
            self.lose(case);
            return outcome;
        }
        let said = trial.findings.as_ref().and_then(|findings| findings.points);
        match self.groups.as_mut().map_or(Ok(()), |groups| groups.accept(case, said)) {
            Ok(()) => outcome,
            Err(cause) => {
                let doing = format!("adding up the points of {}", self.entry.cases[case].name);
                TaskOutcome::Faulted(Fault::because(doing, cause))
            }
        }
    }

    /// Has the grader grade the groups, if all was judged. If it fails, the fault replaces the last outcome.
    fn graded(&mut self, case: usize, outcome: TaskOutcome) -> TaskOutcome {
        let (Some(groups), Some(grader)) = (&mut self.groups, &self.grader) else { return outcome };
        let is_whole = self.summary.faults == 0 && self.summary.verdict != Some(Verdict::CompileError);
        let has_run = matches!(outcome, TaskOutcome::Judged(_) | TaskOutcome::NotRun);
        if !is_whole || !has_run {
            return outcome;
        }
        match groups.grade(grader) {
            Ok(()) => outcome,
            Err(fault) => {
                groups.lose(case);
                TaskOutcome::Faulted(fault)
            }
        }
    }

    /// Adds the outcome of a case to the summary, and creates its event.
    fn event(&mut self, case: usize, outcome: TaskOutcome, attempts: Vec<AttemptRecord>) -> Event {
        let name = self.entry.cases[case].name.clone();
        let record = match outcome {
            TaskOutcome::Judged(trial) => {
                let expected = self.expectations.allowed_on(&name);
                self.count(&name, &trial);
                let points = self.groups.as_ref().and_then(|groups| groups.points_of(case));
                let has_run = !self.entry.problem.is_static(&name);
                let record = trial_record(&self.summary, name, expected.cloned(), *trial, attempts);
                let record = TrialRecord { points, ..if has_run { record } else { record.without_run() } };
                self.summary.flaky += usize::from(record.is_flaky());
                record
            }
            TaskOutcome::Refused { reason, output } => {
                let reason = reason::of_refusal(&reason, &output, &self.summary.submission);
                self.settle(Verdict::CompileError, None, reason);
                let record = blank_record(&self.summary, name, Verdict::CompileError);
                TrialRecord { stderr: output.to_string(), ..record }
            }
            TaskOutcome::Faulted(fault) => {
                self.summary.faults += 1;
                let (problem, submission) =
                    (Arc::clone(&self.summary.problem), Arc::clone(&self.summary.submission));
                return Event::TrialFaulted { problem, submission, case: name, fault };
            }
            // Only an earlier outcome that has settled the submission can cause these.
            TaskOutcome::NotRun | TaskOutcome::Unavailable { .. } => {
                blank_record(&self.summary, name, Verdict::Skipped)
            }
        };
        Event::TrialFinished(Box::new(record))
    }

    /// Adds a trial to the summary.
    fn count(&mut self, case: &str, trial: &Trial) {
        let summary = &mut self.summary;
        summary.surprising_cases += usize::from(self.expectations.breaks(case, trial.verdict));
        let cpu_us = micros(trial.usage.cpu);
        summary.slowest_cpu_us = summary.slowest_cpu_us.max(cpu_us);
        summary.peak_memory_bytes = summary.peak_memory_bytes.max(trial.usage.peak_memory_bytes);
        if trial.verdict == Verdict::Accepted {
            summary.passed += 1;
            if self.slowest.as_ref().is_none_or(|(slowest, _)| cpu_us > *slowest) {
                self.slowest = Some((cpu_us, case.to_owned()));
            }
        } else if summary.verdict.is_none() && summary.faults == 0 {
            let reason = reason::of_trial(trial, &self.limits);
            self.settle(trial.verdict, Some(case.to_owned()), reason);
        }
    }

    /// Reports the summary of the submission.
    pub(super) fn close(mut self, emit: &mut dyn FnMut(Event)) {
        if self.skipped {
            return;
        }
        if self.summary.verdict.is_none() && self.summary.faults == 0 {
            self.summary.verdict = Some(Verdict::Accepted);
            self.summary.worst_case = self.slowest.take().map(|(_, case)| case);
        }
        self.summary.score = self.groups.take().map(GroupScores::score);
        self.summary.unmet = self.expectations.unmet(self.summary.score.as_ref());
        emit(Event::SubmissionFinished(Box::new(self.summary)));
    }

    /// Reports that the submission has been started, or that it is skipped.
    fn open(&mut self, first: &TaskOutcome, emit: &mut dyn FnMut(Event)) {
        let (problem, submission) = (Arc::clone(&self.summary.problem), Arc::clone(&self.summary.submission));
        let language = self.summary.language.clone();
        if let TaskOutcome::Unavailable { cause, remedy } = first {
            self.skipped = true;
            let (cause, remedy) = (cause.to_string(), remedy.to_string());
            let entrant = self.summary.entrant.clone();
            emit(Event::SubmissionSkipped { problem, submission, language, cause, remedy, entrant });
        } else {
            let (expected, limits) = (self.summary.expected.clone(), (&self.limits).into());
            let path = relative_to(self.root, &self.entry.submission.path).to_string_lossy().into_owned();
            let entrant = self.summary.entrant.clone();
            emit(Event::SubmissionStarted { problem, submission, path, language, expected, limits, entrant });
        }
    }

    /// Whether a case cannot change the result. Asks the groups, whose cases need not be consecutive.
    fn is_settled(&mut self, case: usize) -> bool {
        let is_lost = |groups: &mut GroupScores<'_>| groups.is_settled(case);
        let is_open = !self.expectations.are_settled();
        case < self.settled_before()
            || self.stop_at_first && !is_open && self.groups.as_mut().is_some_and(is_lost)
    }

    /// Records a case that is not accepted. It settles the submission or, if there are points, its group.
    fn lose(&mut self, case: usize) {
        let end = self.groups.as_mut().map_or(usize::MAX, |groups| groups.lose(case));
        self.lost_before = self.lost_before.max(end);
    }

    /// Records the verdict of the submission and the case that decides it.
    fn settle(&mut self, verdict: Verdict, case: Option<String>, reason: String) {
        self.summary.verdict = Some(verdict);
        self.summary.worst_case = case;
        self.summary.reason = reason;
        // A program that does not compile does so on every case.
        if verdict == Verdict::CompileError {
            self.lost_before = usize::MAX;
        }
    }
}

/// A path relative to a folder if it is inside, however the two are spelled; else the path itself.
fn relative_to(folder: &Path, path: &Path) -> PathBuf {
    let real = || {
        let folder = Path::new(".").join(folder).canonicalize().ok()?;
        // Only the parent is resolved: a link is reported under its own name.
        let parent = Path::new(".").join(path.parent()?).canonicalize().ok()?;
        Some(parent.strip_prefix(folder).ok()?.join(path.file_name()?))
    };
    path.strip_prefix(folder).ok().map(Path::to_owned).or_else(real).unwrap_or_else(|| path.to_owned())
}
