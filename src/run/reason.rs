//! Explains the verdict of a trial, or the refusal of a submission, in a few words for a summary.

use crate::model::{BreachFigures, CompilerDiagnostic, Trial};
use gridjudge_sandbox::Limits;

/// Explains the verdict of a trial in a few words: by its first finding, else by the limit that it
/// broke.
pub(crate) fn of_trial(trial: &Trial, limits: &Limits) -> String {
    let first = trial
        .findings
        .as_ref()
        .and_then(|findings| findings.listed.first());
    let message = first.map(|finding| finding.message.clone());
    message
        .or_else(|| BreachFigures::from(trial).reason(Some(&limits.into())))
        .unwrap_or_default()
}

/// Explains why a submission was refused, with the compiler's first error if there is one.
pub(crate) fn of_refusal(reason: &str, output: &str, submission: &str) -> String {
    match CompilerDiagnostic::about(output, submission) {
        // A refusal by the judge itself repeats its reason in the output, with remedies.
        Some(error) if !reason.starts_with(&error.to_string()) => format!("{reason}: {error}"),
        _ => reason.to_owned(),
    }
}
