//! Times of then and now, of submissions altogether and of single cases.
//!
//! A submission is asked about all its cases together, round by round: what disturbs the machine for a second disturbs one
//! round of all cases, and the fastest attempts of many cases are steadier in sum than those of one. So totals show changes that
//! no single case can.

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

/// The cases of each submission whose times can be compared.
pub(super) type TimedCases<'a> = BTreeMap<SubmissionKey, Vec<SharedCase<'a>>>;

/// What has become of all times.
#[derive(Default)]
pub(super) struct TimeComparison {
    pub(super) common_factor: Option<f64>,
    pub(super) notes: Vec<String>,
    /// What may have changed unseen, in a few words.
    pub(super) doubt: Option<String>,
    pub(super) changes: Vec<Change>,
}

/// The cases whose times can be compared.
pub(super) fn by_submission<'a>(shared: &[SharedCase<'a>]) -> TimedCases<'a> {
    let mut timed = TimedCases::new();
    for case in shared.iter().filter(|case| case.has_times()) {
        timed.entry(case.key.owner()).or_default().push(*case);
    }
    timed
}

/// What is said of cases that earn the same and of whose times one side knows nothing: they may take any time now.
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
        found.doubt = drifted.as_ref().map(|_| "what the machine itself explains is not told".to_owned());
        found.notes.extend(drifted);
        if let Some((note, doubt)) = blind_note(&totals) {
            found.notes.push(note);
            found.doubt = Some(doubt);
        }
        let totals_told = found.note(totals, true);
        let single_told = found.note(single, false);
        found.note_what_cannot_be_told(totals_told, single_told);
        found
    }

    fn note_what_cannot_be_told(&mut self, totals_told: bool, single_told: bool) {
        if !totals_told {
            self.notes.push(TOO_FEW.to_owned());
            self.doubt = Some("too few attempts to tell changes of time".to_owned());
        } else if !single_told {
            self.notes.push(TOTALS_ONLY.to_owned());
            self.doubt.get_or_insert("too few attempts to tell changes of time of single cases".to_owned());
        }
    }

    /// Adds the changes among those that were asked. Whether so many figures could show one at all.
    fn note(&mut self, asked: Vec<AnsweredQuestion>, is_coarse_too: bool) -> bool {
        let asked: Vec<_> =
            asked.into_iter().filter_map(|asked| Some((asked.movement?, asked.question))).collect();
        let raw: Vec<_> = asked.iter().map(|(found, _)| found.chance).collect();
        #[expect(clippy::cast_precision_loss, reason = "questions are few")]
        let count = asked.len() as f64;
        let mut can_tell = asked.is_empty();
        for ((found, question), chance) in asked.into_iter().zip(corrected(&raw)) {
            let is_told = found.least_chance * count <= RISK;
            can_tell |= is_told;
            if chance <= RISK && found.is_wide {
                self.changes.push(question.answered(found, Some(chance)));
            } else if !is_told && is_coarse_too && is_coarse(found) {
                self.changes.push(question.answered(found, None));
            }
        }
        can_tell
    }
}

/// The answers for single cases, of submissions that have several: of a single case the total has told all.
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
                           totals of submissions are told";
