//! Compares times before and now, of whole submissions and of single cases.
//!
//! A submission is tested on all its cases together, round by round: a disturbance of the machine for a
//! second affects one round of all cases, and the sum of the fastest attempts of many cases is steadier than
//! a single one. So totals show changes that no single case can.

use std::collections::BTreeMap;

use crate::compare::baseline::SharedCase;
use crate::compare::change::Change;
use crate::compare::key::SubmissionKey;
use crate::compare::statistics::corrected;
use crate::compare::time_notes::blind_note;
use crate::compare::time_notes::common_factor;
use crate::compare::time_notes::drift_note;
use crate::compare::time_question::AnsweredQuestion;
use crate::compare::time_question::TimeQuestion;
use crate::compare::time_question::disturbance_of;
use crate::compare::time_question::is_coarse;
use crate::compare::time_shift::RISK;
use crate::text::counted;

/// The cases with comparable times, by submission.
pub(super) type TimedCases<'a> = BTreeMap<SubmissionKey, Vec<SharedCase<'a>>>;

/// The result of comparing all times.
#[derive(Default)]
pub(super) struct TimeComparison {
    pub(super) common_factor: Option<f64>,
    pub(super) notes: Vec<String>,
    /// The changes that may have gone unnoticed, in a few words.
    pub(super) doubt: Option<String>,
    pub(super) changes: Vec<Change>,
}

/// Groups the cases whose times can be compared by submission.
pub(super) fn by_submission<'a>(shared: &[SharedCase<'a>]) -> TimedCases<'a> {
    let mut timed = TimedCases::new();
    for case in shared.iter().filter(|case| case.has_times()) {
        timed.entry(case.key.owner()).or_default().push(*case);
    }
    timed
}

/// The doubt about cases with the same verdict whose times are unknown on one side: they may have changed.
pub(super) fn untimed(shared: &[SharedCase<'_>]) -> Option<String> {
    let count = shared.iter().filter(|case| case.is_whole() && !case.has_times()).count();
    (count > 0).then(|| format!("the times of {} are not known", counted(count, "case")))
}

impl TimeComparison {
    pub(super) fn of(timed: &TimedCases<'_>) -> Self {
        let totals: Vec<_> = timed.iter().map(|(owner, cases)| TimeQuestion::of_all(owner, cases)).collect();
        let mut found = Self { common_factor: common_factor(&totals), ..Self::default() };
        let totals: Vec<_> = totals.into_iter().map(AnsweredQuestion::of).collect();
        let single = single_cases(timed, &totals);
        let drifted = drift_note(&totals, &single);
        found.doubt = drifted.as_ref().map(|_| "what the machine itself explains is not reported".to_owned());
        found.notes.extend(drifted);
        if let Some((note, doubt)) = blind_note(&totals) {
            found.notes.push(note);
            found.doubt = Some(doubt);
        }
        let totals_can_tell = found.note(totals, true);
        let single_can_tell = found.note(single, false);
        found.note_too_few_attempts(totals_can_tell, single_can_tell);
        found
    }

    fn note_too_few_attempts(&mut self, totals_can_tell: bool, single_can_tell: bool) {
        if !totals_can_tell {
            self.notes.push(TOO_FEW.to_owned());
            self.doubt = Some("too few attempts to tell changes of time".to_owned());
        } else if !single_can_tell {
            self.notes.push(TOTALS_ONLY.to_owned());
            self.doubt.get_or_insert("too few attempts to tell changes of time of single cases".to_owned());
        }
    }

    /// Adds the significant changes among these answers. Returns whether this many figures could show one at
    /// all.
    fn note(&mut self, asked: Vec<AnsweredQuestion>, is_coarse_too: bool) -> bool {
        let asked: Vec<_> =
            asked.into_iter().filter_map(|asked| Some((asked.movement?, asked.question))).collect();
        let raw: Vec<_> = asked.iter().map(|(found, _)| found.chance).collect();
        #[expect(clippy::cast_precision_loss, reason = "questions are few")]
        let count = asked.len() as f64;
        let mut can_tell = asked.is_empty();
        for ((found, question), chance) in asked.into_iter().zip(corrected(&raw)) {
            let can_show = found.least_chance * count <= RISK;
            can_tell |= can_show;
            if chance <= RISK && found.is_wide {
                self.changes.push(question.answered(found, Some(chance)));
            } else if !can_show && is_coarse_too && is_coarse(found) {
                self.changes.push(question.answered(found, None));
            }
        }
        can_tell
    }
}

/// The answers for single cases of submissions that have several; for a single case the total says
/// everything.
fn single_cases(timed: &TimedCases<'_>, totals: &[AnsweredQuestion]) -> Vec<AnsweredQuestion> {
    let margins = totals.iter().map(AnsweredQuestion::margin);
    let several = timed.values().zip(margins).filter(|(cases, _)| cases.len() > 1);
    let answers = several.flat_map(|(cases, margin)| {
        let disturbance = disturbance_of(cases);
        cases.iter().map(move |case| AnsweredQuestion::of_case(case, margin, disturbance))
    });
    answers.collect()
}

const TOO_FEW: &str = "there are too few attempts, for so many questions, to tell a change of time from noise: judge both with `--repeat 10`";

const TOTALS_ONLY: &str = "there are too few attempts for so many cases to tell a single case's change of time from noise; \
                           only totals of submissions are reported";
