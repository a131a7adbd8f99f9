//! What is said of times beside their changes, in sentences: attempts that vary too much, a machine that was slower itself,
//! and what all submissions have in common. Knows the answers and changes none.

use crate::compare::statistics::in_order;
use crate::compare::statistics::median;
use crate::compare::time_question::AnsweredQuestion;
use crate::compare::time_question::TimeQuestion;
use crate::compare::time_shift::level;

/// Submissions from which on what all have in common can be told from what each has for itself.
const MANY: usize = 5;

/// What part of the time all must have moved at least, and three of four of them in the same direction, to be told apart.
const COMMON: f64 = 0.01;

/// A margin beyond which it is said to be one: a change of a tenth may be missed then.
const BLIND: f64 = 0.08;

/// What is said where attempts vary so much that silence means little: a sentence, and a few words.
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

/// What is said where the machine itself was slower or faster now, for whole submissions or for single cases only.
pub(super) fn drift_note(totals: &[AnsweredQuestion], single: &[AnsweredQuestion]) -> Option<String> {
    let has_drifted = |asked: &&AnsweredQuestion| asked.movement.is_some_and(|found| found.has_drifted());
    let drifts: Vec<_> = totals.iter().filter(has_drifted).filter_map(|asked| asked.movement).collect();
    if let Some(factor) = middle(drifts.iter().map(|found| found.drift)) {
        let (word, part) = if factor > 1.0 { ("slower", factor - 1.0) } else { ("faster", 1.0 - factor) };
        let (some, all) = (drifts.len(), totals.len());
        let part = 100.0 * part;
        return Some(format!(
            "the machine itself was {word}, by {part:.0} %, beside {some} of {all} submissions, as work of the judge's own shows: \
             changes are told without that"
        ));
    }
    let excused = |asked: &[AnsweredQuestion]| {
        asked.iter().filter(|asked| asked.movement.is_some_and(|found| found.is_excused)).count()
    };
    let said = |some: usize, all: usize, what: &str| {
        format!("{some} of {all} {what} took another time as the machine itself did, and are not told")
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

/// By what factor all submissions have moved together, if there are enough of them, and most moved the same way.
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
