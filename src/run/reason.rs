//! Why a trial came to its verdict, in a few words, for a summary. Knows trials and limits; nothing of other trials.

use crate::model::BreachFigures;
use crate::model::Trial;
use gridjudge_sandbox::Limits;

/// Why a trial came to its verdict, in a few words: the first finding, else the limit that it broke.
pub(crate) fn reason(trial: &Trial, limits: &Limits) -> String {
    let first = trial.findings.as_ref().and_then(|findings| findings.listed.first());
    let message = first.map(|finding| finding.message.clone());
    message.or_else(|| BreachFigures::from(trial).reason(Some(&limits.into()))).unwrap_or_default()
}
