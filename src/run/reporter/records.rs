//! Parts of the records and summaries in events: what was measured, which pictures the
//! log has room for, paths, and verdicts in words.

use std::path::{Path, PathBuf};

use gridjudge_sandbox::Limits;

use crate::compile::SubmissionRefusal;
use crate::model::{CheckerImage, CompilerDiagnostic, Trial, TrialRecord, micros};

/// The pictures, without the contents of those for which there is no room.
pub(super) fn images_that_fit(
    room: &mut u64,
    images: Vec<CheckerImage>,
) -> Vec<CheckerImage> {
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

/// What a trial has measured, with its verdict.
pub(super) fn measured_record(trial: &Trial) -> TrialRecord {
    TrialRecord {
        verdict: trial.verdict,
        cpu_us: Some(micros(trial.usage.cpu)),
        wall_us: Some(micros(trial.usage.wall)),
        peak_memory_bytes: Some(trial.usage.peak_memory_bytes),
        exit: Some(trial.exit),
        ..TrialRecord::default()
    }
}

/// A path relative to a folder if it is inside, however the two are spelled; else the
/// path itself.
pub(crate) fn relative_to(folder: &Path, path: &Path) -> PathBuf {
    if let Ok(inside) = path.strip_prefix(folder) {
        return inside.to_owned();
    }
    let here = Path::new(".");
    // Only the parent is resolved: a link is reported under its own name.
    if let Ok(folder) = here.join(folder).canonicalize()
        && let Some(parent) = path.parent()
        && let Ok(parent) = here.join(parent).canonicalize()
        && let Ok(inside) = parent.strip_prefix(folder)
        && let Some(name) = path.file_name()
    {
        return inside.join(name);
    }
    path.to_owned()
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
