//! Compares times and memory before and now: times of whole submissions and of single
//! cases.
//!
//! A submission is tested on all its cases together, round by round: a disturbance of
//! the machine for a second affects one round of all cases, and the sum of the fastest
//! attempts of many cases is steadier than a single one. So totals show changes that no
//! single case can.
//!
//! Peaks of memory are whole pages and often the same each time, so memory counts as
//! changed if all attempts of one side exceed all of the other; how likely that is by
//! chance shows whether there were enough attempts.

use std::collections::BTreeMap;

use crate::compare::times::{AnswerList, AnsweredQuestion, disturbance_of};
use crate::compare::{
    Baseline, Change, ChangeKind, ChangeSubject, Comparison, SharedCase,
    SubmissionKey, corrected, float, in_order, least_chance, median,
};
use crate::text::counted;

/// The doubt about cases with the same verdict whose times are unknown on one side:
/// they may have changed.
pub(crate) fn untimed(was: &Baseline, now: &Baseline) -> Option<String> {
    let shared = was.lines.shared(&now.lines);
    let count = shared
        .filter(|case| case.is_whole() && !case.has_times())
        .count();
    (count > 0)
        .then(|| format!("the times of {} are not known", counted(count, "case")))
}

/// Adds what the times of cases that are in both show.
pub(crate) fn compare_times(found: &mut Comparison, was: &Baseline, now: &Baseline) {
    let mut totals = AnswerList::default();
    // Those for single cases of submissions that have several; for a single case the
    // total says everything.
    let mut single = AnswerList::default();
    // The factors by which submissions have changed, and their margins.
    let mut quotients = vec![];
    let mut margins = vec![];
    for cases in was.lines.shared_by_submission(&now.lines) {
        // The cases are not stored, since a submission may have a million of them.
        let timed = cases.filter(SharedCase::has_times);
        if timed.clone().next().is_none() {
            continue;
        }
        let total = AnsweredQuestion::of_all(timed.clone(), 0.0);
        let margin = total.as_ref().map_or(0.0, |total| total.shift.margin);
        quotients.extend(total.as_ref().map(|total| total.shift.quotient()));
        margins.push(margin);
        totals.add(total, true);
        if timed.clone().nth(1).is_some() {
            let disturbance = disturbance_of(timed.clone());
            for case in timed {
                let answer = AnsweredQuestion::of_case(case, margin, disturbance);
                single.add(answer, false);
            }
        }
    }
    found.common_factor = common_factor(&quotients);
    if let Some(note) = drift_note(&totals, &single) {
        found.notes.push(note);
        found.doubt =
            Some("what the machine itself explains is not reported".to_owned());
    }
    if let Some((note, doubt)) = blind_note(&margins) {
        found.notes.push(note);
        found.doubt = Some(doubt);
    }
    totals.add_changes(&mut found.changes, true);
    single.add_changes(&mut found.changes, false);
    if !totals.can_tell() {
        found.notes.push(TOO_FEW.to_owned());
        found.doubt = Some("too few attempts to tell changes of time".to_owned());
    } else if !single.can_tell() {
        found.notes.push(TOTALS_ONLY.to_owned());
        found.doubt.get_or_insert(
            "too few attempts to tell changes of time of single cases".to_owned(),
        );
    }
}

impl AnswerList<'_> {
    /// Whether this many figures could show a significant change at all.
    fn can_tell(&self) -> bool {
        let least = self.least_chance;
        least.is_none_or(|least| least * float(self.answered) <= RISK)
    }

    /// Adds the significant changes among these answers.
    fn add_changes(&self, changes: &mut Vec<Change>, is_coarse_too: bool) {
        let raw: Vec<_> = self.telling.iter().map(|one| one.shift.chance).collect();
        for (asked, chance) in self.telling.iter().zip(corrected(&raw, self.answered))
        {
            let found = &asked.shift;
            let can_show = found.least_chance * float(self.answered) <= RISK;
            if chance <= RISK && found.is_wide {
                changes.push(asked.change(Some(chance)));
            } else if !can_show && is_coarse_too && found.is_coarse() {
                changes.push(asked.change(None));
            }
        }
    }
}

const TOO_FEW: &str = "there are too few attempts, for so many questions, to tell a change of \
                       time from noise: judge both with `--repeat 10`";

const TOTALS_ONLY: &str = "there are too few attempts for so many cases to tell a single case's \
                           change of time from noise; only totals of submissions are reported";

// Writes notes on times besides their changes, in sentences: attempts that vary too
// much, a machine that was slower itself, and a change common to all submissions. Reads
// the answers, but does not alter them.

/// The fewest submissions for which a common change can be distinguished from changes
/// of each.
const MANY: usize = 5;

/// The smallest common change, as a part of the time. Three quarters of the submissions
/// must have changed by more in the same direction.
const COMMON: f64 = 0.01;

/// The margin beyond which a note is written, because a change of a tenth may be missed
/// then.
const BLIND: f64 = 0.08;

/// The note on attempts that vary so much that a change may go unnoticed: a sentence,
/// and a few words.
fn blind_note(margins: &[f64]) -> Option<(String, String)> {
    let blind: Vec<_> = margins
        .iter()
        .copied()
        .filter(|margin| *margin > BLIND)
        .collect();
    let most = 100.0 * blind.iter().copied().reduce(f64::max)?;
    let some = blind.len();
    let all = margins.len();
    let note = format!(
        "attempts at {some} of {} vary so much that a change of less than {most:.0} % may go \
         unseen: judge them again when the machine is calm",
        counted(all, "submission")
    );
    Some((
        note,
        format!("a change of time of less than {most:.0} % may go unseen"),
    ))
}

/// The note on a machine that was slower or faster itself, for whole submissions or
/// only for single cases.
fn drift_note(totals: &AnswerList<'_>, single: &AnswerList<'_>) -> Option<String> {
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
            "the machine itself was {word}, by {part:.0} %, at {some} of {}, by the judge's own \
             measurements: changes are reported without that part",
            counted(all, "submission")
        ));
    }
    let said = |some: usize, all: usize, what: &str| {
        format!(
            "the times of {some} of {all} {what} changed only as the machine itself did, and are \
             not reported"
        )
    };
    match (totals.excused, single.excused) {
        (0, 0) => None,
        (0, some) => Some(said(some, single.asked, "cases")),
        (some, _) => Some(said(some, totals.asked, "submissions")),
    }
}

/// The median of the factors by which submissions have changed, if there are enough of
/// them and most changed in the same direction.
fn common_factor(quotients: &[f64]) -> Option<f64> {
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

/// Difference of memory, in KiB, that is ignored although ten attempts agree. Measured:
/// a program of one page peaks at 256 KiB, or at 0.9 to 1.4 MiB, depending on how the
/// kernel counts, and may do so ten times in a row.
const SLACK_KIB: u64 = 1536;

/// The largest chance of any false alarm in a comparison.
const RISK: f64 = 0.005;

/// With too few attempts for a test, memory may have changed if it did by this factor,
/// and by this many KiB.
const COARSE: f64 = 1.5;
const COARSE_KIB: u64 = 16 << 10;

/// The changes of memory: for each submission the case that changed most, and the
/// number of changed cases.
pub(crate) fn memory_changes(was: &Baseline, now: &Baseline) -> Vec<Change> {
    let shared = was.lines.shared(&now.lines);
    let tested = shared.filter(SharedCase::has_times);
    let count = tested.clone().count();
    let mut moved: BTreeMap<(SubmissionKey, &str), Vec<Change>> = BTreeMap::new();
    for case in tested {
        if let Some(kind) = memory_change(case, count) {
            let key = (case.was.owner.clone(), kind.word());
            let subject = ChangeSubject::of_line(case.was);
            moved.entry(key).or_default().push(Change { subject, kind });
        }
    }
    moved
        .into_values()
        .map(|alike| {
            let count = alike.len();
            let most = alike
                .into_iter()
                .max_by(|one, other| one.kind.size().total_cmp(&other.kind.size()));
            let mut most = most.expect("there is one at least");
            if let ChangeKind::Memory { cases, .. } = &mut most.kind {
                *cases = count;
            }
            if count > 1 {
                most.subject.case = None;
            }
            most
        })
        .collect()
}

/// The change, if all attempts of now are above, or below, all of before. `tested` is
/// the number of cases tested.
fn memory_change(case: SharedCase<'_>, tested: usize) -> Option<ChangeKind> {
    let was = case.was.figures();
    let now = case.now.figures();
    let [was_least, was_kib, was_most] = was.memory_kib;
    let [now_least, now_kib, now_most] = now.memory_kib;
    if now_least <= was_most.saturating_add(SLACK_KIB)
        && was_least <= now_most.saturating_add(SLACK_KIB)
    {
        return None;
    }
    let chance = 2.0 * least_chance(was.attempts(), now.attempts()) * float(tested);
    let kind = ChangeKind::Memory {
        was_bytes: 1024 * was_kib,
        now_bytes: 1024 * now_kib,
        chance: (chance <= RISK).then_some(chance),
        cases: 1,
    };
    let is_coarse =
        kind.size() >= COARSE.ln() && was_kib.abs_diff(now_kib) >= COARSE_KIB;
    (chance <= RISK || is_coarse).then_some(kind)
}
