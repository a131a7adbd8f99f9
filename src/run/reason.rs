//! Explains the verdict of a trial in a few words, for a summary. Looks at that trial and its limits only.

use crate::model::BreachFigures;
use crate::model::Trial;
use gridjudge_sandbox::Limits;

/// Explains the verdict of a trial in a few words: by its first finding, else by the limit that it broke.
pub(crate) fn reason(trial: &Trial, limits: &Limits) -> String {
    let first = trial.findings.as_ref().and_then(|findings| findings.listed.first());
    let message = first.map(|finding| finding.message.clone());
    message.or_else(|| BreachFigures::from(trial).reason(Some(&limits.into()))).unwrap_or_default()
}
