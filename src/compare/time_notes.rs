//! Writes notes on times besides their changes, in sentences: attempts that vary too much, a machine that was
//! slower itself, and a change common to all submissions. Reads the answers, but does not alter them.

use crate::compare::statistics::in_order;
use crate::compare::statistics::median;
use crate::compare::time_question::AnsweredQuestion;
use crate::compare::time_question::TimeQuestion;
use crate::compare::time_shift::level;

/// The fewest submissions for which a common change can be distinguished from changes of each.
const MANY: usize = 5;

/// The smallest common change, as a part of the time. Three quarters of the submissions must have changed by
/// more in the same direction.
const COMMON: f64 = 0.01;

/// The margin beyond which a note is written, because a change of a tenth may be missed then.
const BLIND: f64 = 0.08;

/// The note on attempts that vary so much that a change may go unnoticed: a sentence, and a few words.
pub(super) fn blind_note(totals: &[AnsweredQuestion]) -> Option<(String, String)> {
    let blind: Vec<_> =
        totals.iter().map(AnsweredQuestion::margin).filter(|margin| *margin > BLIND).collect();
    let most = 100.0 * blind.iter().copied().reduce(f64::max)?;
    let (some, all) = (blind.len(), totals.len());
    let note = format!(
        "attempts at {some} of {all} submissions vary so much that a change of less than {most:.0} % may go unseen: judge them again \
         when the machine is calm"
    );
    Some((note, format!("a change of time of less than {most:.0} % may go unseen")))
}

/// The note on a machine that was slower or faster itself, for whole submissions or only for single cases.
pub(super) fn drift_note(totals: &[AnsweredQuestion], single: &[AnsweredQuestion]) -> Option<String> {
    let has_drifted = |asked: &&AnsweredQuestion| asked.movement.is_some_and(|found| found.has_drifted());
    let drifts: Vec<_> = totals.iter().filter(has_drifted).filter_map(|asked| asked.movement).collect();
    if let Some(factor) = middle(drifts.iter().map(|found| found.drift)) {
        let (word, part) = if factor > 1.0 { ("slower", factor - 1.0) } else { ("faster", 1.0 - factor) };
        let (some, all) = (drifts.len(), totals.len());
        let part = 100.0 * part;
        return Some(format!(
            "the machine itself was {word}, by {part:.0} %, at {some} of {all} submissions, by the judge's own measurements: \
             changes are reported without that part"
        ));
    }
    let excused = |asked: &[AnsweredQuestion]| {
        asked.iter().filter(|asked| asked.movement.is_some_and(|found| found.is_excused)).count()
    };
    let said = |some: usize, all: usize, what: &str| {
        format!("{some} of {all} {what} changed in time along with the machine itself, and are not reported")
    };
    match (excused(totals), excused(single)) {
        (0, 0) => None,
        (0, some) => Some(said(some, single.len(), "cases")),
        (some, _) => Some(said(some, totals.len(), "submissions")),
    }
}

fn middle(factors: impl Iterator<Item = f64>) -> Option<f64> {
    let factors: Vec<_> = factors.collect();
    (!factors.is_empty()).then(|| median(&in_order(&factors)))
}

/// The median factor by which submissions have changed, if there are enough of them and most changed in the
/// same direction.
pub(super) fn common_factor(totals: &[TimeQuestion]) -> Option<f64> {
    let quotients = totals.iter().filter_map(|total| Some(level(&total.now)? / level(&total.was)?));
    let quotients: Vec<_> = quotients.collect();
    let factor = median(&in_order(&quotients));
    let beyond = |quotient: &&f64| {
        if factor > 1.0 { **quotient > 1.0 + COMMON } else { **quotient < (1.0 + COMMON).recip() }
    };
    let moved = quotients.iter().filter(beyond).count();
    (quotients.len() >= MANY && 4 * moved >= 3 * quotients.len()).then_some(factor)
}
