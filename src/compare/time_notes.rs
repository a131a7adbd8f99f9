//! Writes notes on times besides their changes, in sentences: attempts that vary too much, a
//! machine that was slower itself, and a change common to all submissions. Reads the answers, but
//! does not alter them.

use crate::compare::statistics::{in_order, median};
use crate::compare::time_question::AnswerList;

/// The fewest submissions for which a common change can be distinguished from changes of each.
const MANY: usize = 5;

/// The smallest common change, as a part of the time. Three quarters of the submissions must have
/// changed by more in the same direction.
const COMMON: f64 = 0.01;

/// The margin beyond which a note is written, because a change of a tenth may be missed then.
const BLIND: f64 = 0.08;

/// The note on attempts that vary so much that a change may go unnoticed: a sentence, and a few
/// words.
pub(super) fn blind_note(margins: &[f64]) -> Option<(String, String)> {
    let blind: Vec<_> = margins
        .iter()
        .copied()
        .filter(|margin| *margin > BLIND)
        .collect();
    let most = 100.0 * blind.iter().copied().reduce(f64::max)?;
    let some = blind.len();
    let all = margins.len();
    let note = format!(
        "attempts at {some} of {all} submissions vary so much that a change of less than {most:.0} % may go unseen: judge them again \
         when the machine is calm"
    );
    Some((
        note,
        format!("a change of time of less than {most:.0} % may go unseen"),
    ))
}

/// The note on a machine that was slower or faster itself, for whole submissions or only for single
/// cases.
pub(super) fn drift_note(totals: &AnswerList<'_>, single: &AnswerList<'_>) -> Option<String> {
    if !totals.drifts.is_empty() {
        let factor = median(&in_order(&totals.drifts));
        let (word, part) = if factor > 1.0 {
            ("slower", factor - 1.0)
        } else {
            ("faster", 1.0 - factor)
        };
        let some = totals.drifts.len();
        let all = totals.asked;
        let part = 100.0 * part;
        return Some(format!(
            "the machine itself was {word}, by {part:.0} %, at {some} of {all} submissions, by the judge's own measurements: \
             changes are reported without that part"
        ));
    }
    let said = |some: usize, all: usize, what: &str| {
        format!(
            "{some} of {all} {what} changed in time along with the machine itself, and are not reported"
        )
    };
    match (totals.excused, single.excused) {
        (0, 0) => None,
        (0, some) => Some(said(some, single.asked, "cases")),
        (some, _) => Some(said(some, totals.asked, "submissions")),
    }
}

/// The median of the factors by which submissions have changed, if there are enough of them and
/// most changed in the same direction.
pub(super) fn common_factor(quotients: &[f64]) -> Option<f64> {
    let factor = median(&in_order(quotients));
    let moved = quotients
        .iter()
        .filter(|quotient| {
            if factor > 1.0 {
                **quotient > 1.0 + COMMON
            } else {
                **quotient < (1.0 + COMMON).recip()
            }
        })
        .count();
    (quotients.len() >= MANY && 4 * moved >= 3 * quotients.len()).then_some(factor)
}
