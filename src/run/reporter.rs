//! Reports one submission: converts the outcomes of its cases, in the order of the
//! plan, into events. They depend on the plan and the outcomes alone, never on how many
//! workers there were or which finished first.

pub(super) mod expectation_check;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridjudge_sandbox::{Fault, Limits};

use crate::compile::{PrepareFailure, SubmissionRefusal};
use crate::model::{
    AttemptRecord, CheckerImage, CompilerDiagnostic, Event, ResultCode,
    SubmissionSkip, SubmissionStart, SubmissionSummary, Trial, TrialFault,
    TrialRecord, Verdict, micros,
};
use crate::run::{
    AttemptResult, CaseAttempts, CaseOutcome, GroupGrader, GroupScores, PlanEntry,
    RunContext,
};

use expectation_check::ExpectationCheck;

/// Reports the outcomes of one submission.
pub(super) struct SubmissionReporter<'a> {
    entry: &'a PlanEntry,
    /// The folder to which reported paths are relative.
    root: &'a Path,
    stop_at_first: bool,
    expectations: ExpectationCheck<'a>,
    summary: SubmissionSummary,
    /// The longest CPU time of an accepted case in microseconds, and that case.
    slowest: Option<(u64, String)>,
    /// The attempts at cases that have not been reported yet, by case number.
    unreported: BTreeMap<usize, CaseAttempts>,
    /// Cases before this one no longer count, except for the expectations of the
    /// submission.
    lost_before: usize,
    /// Whether the submission could not be judged at all.
    skipped: bool,
    groups: GroupScores<'a>,
    /// The rejected cases by number, if the groups decide the verdict; each with its
    /// verdict and the reason.
    rejections: BTreeMap<usize, (Verdict, String)>,
    /// The grader of some of the groups, if a program grades them.
    grader: Option<Box<GroupGrader<'a>>>,
    /// The bytes of pictures of a checker that the log still has room for.
    image_room: u64,
    /// The first case that was not run because the deadline came first.
    expired_at: Option<String>,
}

/// The bytes of pictures of a checker that the log has room for in a submission. A log
/// of thousands of rejected cases would otherwise grow to gigabytes.
const IMAGE_ROOM: u64 = 256 * 1024;

/// Why a submission without a verdict has none.
const EXPIRED: &str = "not judged: the deadline came first";

impl<'a> SubmissionReporter<'a> {
    /// Reports the submission at this place in the plan.
    pub(super) fn new(context: &'a RunContext<'a>, number: usize) -> Self {
        let suite = context.suite;
        let entry = &suite.plan.entries[number];
        Self {
            entry,
            root: suite.root,
            stop_at_first: suite.options.stop_at_first,
            expectations: ExpectationCheck::for_cases(
                &entry.expectations,
                &entry.cases,
            ),
            summary: SubmissionSummary {
                problem: entry.problem.id.as_str().into(),
                submission: entry.submission.name.as_str().into(),
                language: entry.language_name().to_owned(),
                expected: entry.submission.expected.clone(),
                cases: entry.cases.len(),
                entrant: entry.entrant.clone(),
                ..SubmissionSummary::default()
            },
            slowest: None,
            unreported: BTreeMap::new(),
            lost_before: 0,
            skipped: false,
            groups: GroupScores::for_cases(&entry.problem.scoring, &entry.cases),
            rejections: BTreeMap::new(),
            grader: context.group_grader(number),
            image_room: IMAGE_ROOM,
            expired_at: None,
        }
    }

    /// Cases before this one need not be run.
    pub(super) fn settled_before(&self) -> usize {
        if self.is_refused() {
            // A program that does not compile does so on every case.
            usize::MAX
        } else if self.stop_at_first && self.expectations.are_settled() {
            self.lost_before
        } else {
            0
        }
    }

    /// Records an attempt. Returns cases that need not be run.
    pub(super) fn note_outcome(
        &mut self,
        case: usize,
        mut attempt: AttemptResult,
    ) -> Range<usize> {
        let mut breaks = false;
        if let CaseOutcome::Judged(trial) = &mut attempt.outcome {
            let name = &self.entry.cases[case].name;
            breaks = self.expectations.breaks(name, trial.verdict);
            // In the cache, the program's messages do not name the submission's file.
            let source = self.entry.program_source();
            trial.stderr = source.with_own_name(&trial.stderr);
        }
        let series = self.unreported.entry(case).or_default();
        series.add(attempt);
        let settles = self.expectations.are_settled()
            || breaks && self.expectations.stops_when_settled;
        let passes = series
            .trial()
            .is_some_and(|trial| self.groups.passes(case, trial));
        let is_lost = self.stop_at_first && !passes && settles;
        if is_lost {
            case + 1..self.groups.next_counting(case)
        } else {
            0..0
        }
    }

    /// Reports a case after all its attempts have been recorded. Must be called in the
    /// order of the cases.
    pub(super) fn report_case(&mut self, case: usize, events: &mut Vec<Event>) {
        let Some((outcome, attempts)) =
            self.unreported.remove(&case).and_then(CaseAttempts::finish)
        else {
            return;
        };
        if case == 0 {
            events.push(self.open(&outcome));
        }
        if self.skipped {
            return;
        }
        let mut outcome = if self.groups.is_left_out(case) {
            let name = &self.entry.cases[case].name;
            let breaks = self.expectations.leave_out(case, name);
            self.summary.surprising_cases += usize::from(breaks);
            CaseOutcome::NotRun
        } else if self.is_settled(case) {
            self.scored(case, CaseOutcome::NotRun)
        } else {
            self.scored(case, outcome)
        };
        // After the last case, the grader grades the groups if all was judged. If it
        // fails, the fault replaces the last outcome.
        if case + 1 == self.entry.cases.len()
            && self.is_judged()
            && matches!(outcome, CaseOutcome::Judged(_) | CaseOutcome::NotRun)
            && let Some(grader) = &self.grader
            && let Err(fault) = self.groups.grade(grader)
        {
            self.groups.lose(case);
            outcome = CaseOutcome::Failed(fault.into());
        }
        events.push(self.event(case, outcome, attempts));
    }

    /// The cases after this one that are not judged because their group requires one
    /// that has failed.
    pub(super) fn left_out_after(&mut self, case: usize) -> Range<usize> {
        self.groups.left_out_after(case)
    }

    /// Adds the outcome of a case to expectations and points. Returns it, or a fault if
    /// the points are not allowed.
    fn scored(&mut self, case: usize, outcome: CaseOutcome) -> CaseOutcome {
        let CaseOutcome::Judged(trial) = &outcome else {
            self.expectations.is_broken = true;
            self.lose(case);
            return outcome;
        };
        let findings = &trial.findings;
        let name = &self.entry.cases[case].name;
        let said = findings.judge_message.as_deref();
        self.expectations.record(case, name, trial.verdict, said);
        let said = findings.points;
        if !self.groups.passes(case, trial) {
            self.groups.reject(case, trial.verdict, said);
            self.lose(case);
            return outcome;
        }
        if let Err(cause) = self.groups.accept(case, said) {
            let doing = format!("adding up the points of {name}");
            return CaseOutcome::Failed(Fault::because(doing, cause).into());
        }
        outcome
    }

    /// Adds the outcome of a case to the summary, and creates its event.
    fn event(
        &mut self,
        case: usize,
        outcome: CaseOutcome,
        attempts: Vec<AttemptRecord>,
    ) -> Event {
        use CaseOutcome::*;

        let name = self.entry.cases[case].name.clone();
        // The first case that was not run because the deadline came first settles all
        // after it.
        let expired = match outcome {
            Expired => true,
            NotRun => self.expired_at.is_some() && self.summary.verdict.is_none(),
            Judged(_) | Failed(_) => false,
        };
        if expired {
            self.expired_at.get_or_insert_with(|| name.clone());
        }
        let problem = Arc::clone(&self.summary.problem);
        let submission = Arc::clone(&self.summary.submission);
        let (verdict, stderr) = match outcome {
            Judged(trial) => {
                let record = self.judged_record(case, name, *trial, attempts);
                return Event::TrialFinished(Box::new(record));
            }
            Failed(PrepareFailure::Refused(refusal)) => {
                let reason = reason_of_refusal(&refusal, &submission);
                self.settle(Verdict::CompileError, None, reason);
                (Verdict::CompileError, refusal.output.to_string())
            }
            Failed(PrepareFailure::Faulted(fault)) => {
                self.summary.faults += 1;
                return Event::TrialFaulted(Box::new(TrialFault {
                    problem,
                    submission,
                    case: name,
                    fault,
                }));
            }
            // Only the deadline, or an earlier outcome that has settled the submission,
            // can cause these.
            NotRun | Expired | Failed(PrepareFailure::Unavailable(_)) => {
                (Verdict::Skipped, String::new())
            }
        };
        Event::TrialFinished(Box::new(TrialRecord {
            expired,
            stderr,
            ..TrialRecord::blank(problem, submission, name, verdict)
        }))
    }

    /// Adds a judged case to the summary, and creates its record.
    fn judged_record(
        &mut self,
        case: usize,
        name: String,
        trial: Trial,
        attempts: Vec<AttemptRecord>,
    ) -> TrialRecord {
        self.count(case, &name, &trial);
        let measured = measured_record(&trial);
        let findings = trial.findings;
        // An output that was not read, or that has no grids, has no counts.
        let has_grids = findings.grids > 0;
        let mut listed = findings.listed.into_iter();
        let record = TrialRecord {
            problem: Arc::clone(&self.summary.problem),
            submission: Arc::clone(&self.summary.submission),
            expected: self.expectations.allowed_on(&name).cloned(),
            case: name,
            points: self.groups.points_of(case),
            attempts,
            rerun: trial.rerun,
            cached: trial.cached,
            exit: Some(trial.exit).filter(|exit| !exit.is_clean()),
            finding: listed.next(),
            further_findings: listed.collect(),
            unlisted_findings: findings.unlisted,
            parts_right: has_grids.then_some(findings.parts_right),
            grids: has_grids.then_some(findings.grids),
            checker_message: findings.checker_message,
            checker_images: images_that_fit(
                &mut self.image_room,
                findings.checker_images,
            ),
            diff: findings.diff,
            picture: findings.picture,
            transcript: trial.transcript,
            ..measured
        };
        self.summary.count_trial(&record);
        if self.entry.problem.is_static(&record.case) {
            record.without_run()
        } else {
            record
        }
    }

    /// Records what a trial means for the result of the submission.
    fn count(&mut self, number: usize, case: &str, trial: &Trial) {
        let summary = &mut self.summary;
        summary.surprising_cases +=
            usize::from(self.expectations.breaks(case, trial.verdict));
        if trial.verdict == Verdict::Accepted {
            let cpu_us = micros(trial.usage.cpu);
            if self
                .slowest
                .as_ref()
                .is_none_or(|(slowest, _)| cpu_us > *slowest)
            {
                self.slowest = Some((cpu_us, case.to_owned()));
            }
            return;
        }
        let reason = reason_of_trial(trial, &self.entry.limits());
        if self.entry.problem.scoring.decides_verdict {
            self.rejections
                .insert(number, (trial.verdict, reason.clone()));
        }
        let is_ignored = self.groups.is_ignored(number);
        if summary.verdict.is_none() && summary.faults == 0 && !is_ignored {
            self.settle(trial.verdict, Some(case.to_owned()), reason);
        }
    }

    /// Reports the summary of the submission, given the time of its compiler.
    pub(super) fn close(mut self, compile_us: Option<u64>, events: &mut Vec<Event>) {
        if self.skipped {
            return;
        }
        let slowest = self.slowest.take().map(|(_, case)| case);
        let expired_at = self.expired_at.take();
        let is_expired = expired_at.is_some();
        // A case that was not judged could have decided the verdict.
        let is_open = self.summary.verdict.is_none()
            || self.entry.problem.scoring.decides_verdict;
        if is_expired && is_open && self.summary.faults == 0 {
            self.settle(Verdict::Skipped, expired_at, EXPIRED.to_owned());
        }
        if self.summary.verdict.is_none() && self.summary.faults == 0 {
            self.summary.verdict = Some(Verdict::Accepted);
            self.summary.worst_case.clone_from(&slowest);
        }
        let is_decided = !is_expired && self.is_judged();
        let result = self.groups.verdict();
        self.summary.score = self.groups.score();
        if let Some(result) = result.filter(|_| is_decided) {
            let decisive = result.case.and_then(|case| {
                let name = self.entry.cases[case].name.clone();
                Some((name, self.rejections.remove(&case)?))
            });
            // The result of the groups as a whole, and not the first case that is not
            // accepted. If it is accepted, but rejected cases cost points, the first of
            // them is the reason; otherwise the slowest case is named, as for every
            // accepted submission.
            let summary = &mut self.summary;
            summary.verdict = Some(result.code.verdict());
            let is_accepted = result.code == ResultCode::Accepted;
            (summary.worst_case, summary.reason) = match decisive {
                Some((case, (_, reason)))
                    if is_accepted && summary.has_lost_points() =>
                {
                    (Some(case), reason)
                }
                _ if is_accepted => (slowest, String::new()),
                Some((case, (verdict, reason))) => {
                    summary.verdict = Some(verdict);
                    (Some(case), reason)
                }
                None => (None, "the grader of the problem rejects it".to_owned()),
            };
        }
        self.summary.compile_us = compile_us;
        self.summary.unmet = self.expectations.unmet(self.summary.score.as_ref());
        events.push(Event::SubmissionFinished(Box::new(self.summary)));
    }

    /// The event that the submission has been started, or that it is skipped, given the
    /// outcome of the first case.
    fn open(&mut self, first: &CaseOutcome) -> Event {
        let SubmissionSummary {
            problem,
            submission,
            language,
            expected,
            entrant,
            ..
        } = self.summary.clone();
        if let CaseOutcome::Failed(PrepareFailure::Unavailable(unusable)) = first {
            self.skipped = true;
            return Event::SubmissionSkipped(Box::new(SubmissionSkip {
                problem,
                submission,
                language,
                cause: unusable.cause.clone(),
                remedy: unusable.remedy.clone(),
                package: unusable.package.clone(),
                entrant,
            }));
        }
        let entry = self.entry;
        Event::SubmissionStarted(Box::new(SubmissionStart {
            problem,
            submission,
            path: relative_to(self.root, &entry.shown_path)
                .to_string_lossy()
                .into_owned(),
            language,
            expected,
            limits: Some((&entry.limits()).into()),
            decided_by_groups: entry.problem.scoring.decides_verdict,
            entrant,
        }))
    }

    /// Whether the judge has not failed, and the submission was not refused.
    fn is_judged(&self) -> bool {
        self.summary.faults == 0 && !self.is_refused()
    }

    fn is_refused(&self) -> bool {
        self.summary.verdict == Some(Verdict::CompileError)
    }

    /// Whether a case cannot change the result. Asks the groups, whose cases need not
    /// be consecutive.
    fn is_settled(&self, case: usize) -> bool {
        case < self.settled_before()
            || self.stop_at_first
                && self.expectations.are_settled()
                && self.groups.is_settled(case)
    }

    /// Records a case that is not accepted. It settles the submission or, if there are
    /// points, its group.
    fn lose(&mut self, case: usize) {
        self.lost_before = self.lost_before.max(self.groups.lose(case));
    }

    /// Records the verdict of the submission and the case that decides it.
    fn settle(&mut self, verdict: Verdict, case: Option<String>, reason: String) {
        self.summary.verdict = Some(verdict);
        self.summary.worst_case = case;
        self.summary.reason = reason;
    }
}

// Parts of the records and summaries in events: which pictures the log has room for, what
// was measured, paths, and verdicts in words.

/// The pictures, without the contents of those for which there is no room.
fn images_that_fit(room: &mut u64, images: Vec<CheckerImage>) -> Vec<CheckerImage> {
    images
        .into_iter()
        .map(|image| match room.checked_sub(image.bytes) {
            Some(rest) if image.data.is_some() => {
                *room = rest;
                image
            }
            _ => CheckerImage {
                data: None,
                ..image
            },
        })
        .collect()
}

/// What a trial has measured, with its verdict, and what the program said unless it is
/// accepted.
fn measured_record(trial: &Trial) -> TrialRecord {
    let stderr = match trial.verdict {
        Verdict::Accepted => String::new(),
        _ => trial.stderr.clone(),
    };
    TrialRecord {
        stderr,
        verdict: trial.verdict,
        cpu_us: Some(micros(trial.usage.cpu)),
        wall_us: Some(micros(trial.usage.wall)),
        peak_memory_bytes: Some(trial.usage.peak_memory_bytes),
        exit: Some(trial.exit),
        pass: trial.pass,
        ..TrialRecord::default()
    }
}

/// A path relative to a folder if it is inside, however the two are spelled; else the
/// path itself, which is absolute if it is named from another folder.
pub(crate) fn relative_to(folder: &Path, path: &Path) -> PathBuf {
    if let Ok(inside) = path.strip_prefix(folder) {
        return inside.to_owned();
    }
    let here = Path::new(".");
    let real = |path: &Path| here.join(path).canonicalize();
    // Only the parent is resolved: a link is reported under its own name.
    if let Ok(folder) = real(folder)
        && let Some(parent) = path.parent()
        && let Ok(parent) = real(parent)
        && let Some(name) = path.file_name()
    {
        if let Ok(inside) = parent.strip_prefix(&folder) {
            return inside.join(name);
        }
        if real(here).is_ok_and(|here| here != folder) {
            return parent.join(name);
        }
    }
    path.to_owned()
}

/// Explains the verdict of a trial in a few words: by its first finding, else by the
/// limit that it broke.
pub(crate) fn reason_of_trial(trial: &Trial, limits: &Limits) -> String {
    let first = trial.findings.listed.first();
    let message = first.map(|finding| finding.message.clone());
    message
        .or_else(|| measured_record(trial).breach(Some(limits.into())))
        .unwrap_or_default()
}

/// Explains why a submission was refused, with the compiler's first error if there is
/// one.
fn reason_of_refusal(refusal: &SubmissionRefusal, submission: &str) -> String {
    let SubmissionRefusal { reason, output } = refusal;
    match CompilerDiagnostic::about(output, submission) {
        // A refusal by the judge itself repeats its reason in the output, with
        // remedies.
        Some(error) if !reason.starts_with(&error.to_string()) => {
            format!("{reason}: {error}")
        }
        _ => reason.to_string(),
    }
}
