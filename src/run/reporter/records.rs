//! Builds the record of a single case for its event. Uses the submission's summary only for the
//! names.

use std::sync::Arc;

use crate::model::{
    AttemptRecord, CheckerImage, Expected, Findings, SubmissionSummary, Trial, TrialRecord, Verdict,
};
use crate::run::attempts::micros;

/// The bytes of pictures of a checker that the log still has room for in a submission. A log of
/// thousands of rejected cases would otherwise grow to gigabytes.
pub(super) struct ImageRoom(u64);

impl Default for ImageRoom {
    fn default() -> Self {
        Self(256 * 1024)
    }
}

impl ImageRoom {
    /// The pictures, without the contents of those that there is no room for.
    fn take(&mut self, images: Vec<CheckerImage>) -> Vec<CheckerImage> {
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
        expected,
        attempts,
        cpu_us: Some(micros(trial.usage.cpu)),
        wall_us: Some(micros(trial.usage.wall)),
        peak_memory_bytes: Some(trial.usage.peak_memory_bytes),
        rerun: trial.rerun,
        cached: trial.cached,
        exit: Some(trial.exit).filter(|exit| !exit.is_clean()),
        finding: listed.next(),
        further_findings: listed.collect(),
        unlisted_findings: unlisted,
        parts_right: has_grids.then_some(parts_right),
        grids: has_grids.then_some(grids),
        checker_message,
        checker_images: image_room.take(findings.checker_images),
        diff,
        picture,
        transcript: trial.transcript,
        stderr,
        ..blank_record(summary, case, trial.verdict)
    }
}

/// The record of a case that was not run.
pub(super) fn blank_record(
    summary: &SubmissionSummary,
    case: String,
    verdict: Verdict,
) -> TrialRecord {
    TrialRecord {
        problem: Arc::clone(&summary.problem),
        submission: Arc::clone(&summary.submission),
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
        checker_message: None,
        checker_images: vec![],
        picture: None,
        points: None,
        diff: None,
        transcript: None,
        stderr: String::new(),
    }
}
