//! Builds the record of a single case for its event. Uses the submission's summary only
//! for the names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridjudge_sandbox::Limits;

use crate::compile::{PrepareFailure, SubmissionRefusal};
use crate::model::{
    AttemptRecord, CheckerImage, CompilerDiagnostic, Event, Expected, Findings,
    SubmissionSkip, SubmissionStart, SubmissionSummary, Trial, TrialRecord, Verdict,
    micros,
};
use crate::run::{CaseOutcome, PlanEntry};

/// The bytes of pictures of a checker that the log still has room for in a submission.
/// A log of thousands of rejected cases would otherwise grow to gigabytes.
pub(super) struct ImageRoom(u64);

impl Default for ImageRoom {
    fn default() -> Self {
        Self(256 * 1024)
    }
}

impl ImageRoom {
    /// The pictures, without the contents of those that there is no room for.
    fn take_images(&mut self, images: Vec<CheckerImage>) -> Vec<CheckerImage> {
        images
            .into_iter()
            .map(|image| match self.0.checked_sub(image.bytes) {
                Some(rest) if image.data.is_some() => {
                    self.0 = rest;
                    image
                }
                _ => CheckerImage {
                    data: None,
                    ..image
                },
            })
            .collect()
    }
}

/// The record of a case that was judged.
pub(super) fn trial_record(
    summary: &SubmissionSummary,
    case: String,
    expected: Option<Expected>,
    trial: Trial,
    attempts: Vec<AttemptRecord>,
    image_room: &mut ImageRoom,
) -> TrialRecord {
    let measured = measured_record(&trial);
    let findings = trial.findings.unwrap_or_default();
    let Findings {
        listed,
        unlisted,
        parts_right,
        grids,
        checker_message,
        diff,
        picture,
        ..
    } = findings;
    // An output that was not read, or that has no grids, has no counts.
    let has_grids = grids > 0;
    let mut listed = listed.into_iter();
    let stderr = match trial.verdict {
        Verdict::Accepted => String::new(),
        _ => String::from_utf8_lossy(&trial.stderr_tail).into_owned(),
    };
    TrialRecord {
        problem: Arc::clone(&summary.problem),
        submission: Arc::clone(&summary.submission),
        case,
        expected,
        attempts,
        rerun: trial.rerun,
        cached: trial.cached,
        exit: Some(trial.exit).filter(|exit| !exit.is_clean()),
        finding: listed.next(),
        further_findings: listed.collect(),
        unlisted_findings: unlisted,
        parts_right: has_grids.then_some(parts_right),
        grids: has_grids.then_some(grids),
        checker_message,
        checker_images: image_room.take_images(findings.checker_images),
        diff,
        picture,
        transcript: trial.transcript,
        stderr,
        ..measured
    }
}

/// What a trial has measured, with its verdict.
fn measured_record(trial: &Trial) -> TrialRecord {
    TrialRecord {
        verdict: trial.verdict,
        cpu_us: Some(micros(trial.usage.cpu)),
        wall_us: Some(micros(trial.usage.wall)),
        peak_memory_bytes: Some(trial.usage.peak_memory_bytes),
        exit: Some(trial.exit),
        ..TrialRecord::default()
    }
}

/// The record of a case that was not run.
pub(super) fn blank_record(
    summary: &SubmissionSummary,
    case: String,
    verdict: Verdict,
) -> TrialRecord {
    let problem = Arc::clone(&summary.problem);
    TrialRecord::blank(problem, Arc::clone(&summary.submission), case, verdict)
}

// What is known of a submission before any of its cases: its blank summary, and its
// first event, that it has been started or is skipped. Knows no verdict.

/// The summary of a submission none of whose cases has been reported.
pub(super) fn blank_summary(entry: &PlanEntry) -> SubmissionSummary {
    SubmissionSummary {
        problem: entry.problem.id.as_str().into(),
        submission: entry.submission.name.as_str().into(),
        language: entry.language_name().to_owned(),
        expected: entry.submission.expected.clone(),
        cases: entry.cases.len(),
        entrant: entry.entrant.clone(),
        ..SubmissionSummary::default()
    }
}

/// The first event, given the outcome of the first case. Paths are made relative to
/// `root`.
pub(super) fn first_event(
    entry: &PlanEntry,
    summary: &SubmissionSummary,
    root: &Path,
    first: &CaseOutcome,
) -> Event {
    let problem = Arc::clone(&summary.problem);
    let submission = Arc::clone(&summary.submission);
    let language = summary.language.clone();
    let entrant = summary.entrant.clone();
    if let CaseOutcome::Failed(PrepareFailure::Unavailable(unusable)) = first {
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
    Event::SubmissionStarted(Box::new(SubmissionStart {
        problem,
        submission,
        path: relative_to(root, &entry.shown_path)
            .to_string_lossy()
            .into_owned(),
        language,
        expected: summary.expected.clone(),
        limits: Some((&entry.limits()).into()),
        decided_by_groups: entry.problem.scoring.decides_verdict,
        entrant,
    }))
}

/// A path relative to a folder if it is inside, however the two are spelled; else the
/// path itself.
pub(crate) fn relative_to(folder: &Path, path: &Path) -> PathBuf {
    if let Ok(inside) = path.strip_prefix(folder) {
        return inside.to_owned();
    }
    resolved_relative_to(folder, path).unwrap_or_else(|| path.to_owned())
}

fn resolved_relative_to(folder: &Path, path: &Path) -> Option<PathBuf> {
    let folder = Path::new(".").join(folder).canonicalize().ok()?;
    // Only the parent is resolved: a link is reported under its own name.
    let parent = Path::new(".").join(path.parent()?).canonicalize().ok()?;
    Some(parent.strip_prefix(folder).ok()?.join(path.file_name()?))
}

// Explains the verdict of a trial, or the refusal of a submission, in a few words for a
// summary.

/// Explains the verdict of a trial in a few words: by its first finding, else by the
/// limit that it broke.
pub(crate) fn of_trial(trial: &Trial, limits: &Limits) -> String {
    let first = trial
        .findings
        .as_ref()
        .and_then(|findings| findings.listed.first());
    let message = first.map(|finding| finding.message.clone());
    message
        .or_else(|| measured_record(trial).breach(Some(limits.into())))
        .unwrap_or_default()
}

/// Explains why a submission was refused, with the compiler's first error if there is
/// one.
pub(crate) fn of_refusal(refusal: &SubmissionRefusal, submission: &str) -> String {
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
