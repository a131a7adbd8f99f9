//! What is known of a submission before any of its cases: its blank summary, and its first event,
//! that it has been started or is skipped. Knows no verdict.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::model::{Event, SubmissionSummary};
use crate::run::case_outcome::CaseOutcome;
use crate::run::plan::PlanEntry;

/// The summary of a submission none of whose cases has been reported.
pub(super) fn blank_summary(entry: &PlanEntry) -> SubmissionSummary {
    SubmissionSummary {
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
    }
}

/// The first event, given the outcome of the first case. Paths are made relative to `root`.
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
    if let CaseOutcome::Unavailable { cause, remedy } = first {
        let cause = cause.to_string();
        let remedy = remedy.to_string();
        return Event::SubmissionSkipped {
            problem,
            submission,
            language,
            cause,
            remedy,
            entrant,
        };
    }
    Event::SubmissionStarted {
        problem,
        submission,
        path: relative_to(root, &entry.shown_path)
            .to_string_lossy()
            .into_owned(),
        language,
        expected: summary.expected.clone(),
        limits: (&entry.limits()).into(),
        decided_by_groups: entry.problem.scoring.decides_verdict,
        entrant,
    }
}

/// A path relative to a folder if it is inside, however the two are spelled; else the path itself.
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
