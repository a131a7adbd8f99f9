//! Compares times before and now, of whole submissions and of single cases.
//!
//! A submission is tested on all its cases together, round by round: a disturbance of the machine
//! for a second affects one round of all cases, and the sum of the fastest attempts of many cases
//! is steadier than a single one. So totals show changes that no single case can.

use crate::compare::baseline::SharedCase;
use crate::compare::change::Change;
use crate::compare::key::SubmissionKey;
use crate::compare::statistics::corrected;
use crate::compare::time_notes::{blind_note, common_factor, drift_note};
use crate::compare::time_question::{AnswerList, AnsweredQuestion, disturbance_of, is_coarse};
use crate::compare::time_shift::RISK;
use crate::text::counted;

/// The result of comparing all times.
#[derive(Default)]
pub(super) struct TimeComparison {
    pub(super) common_factor: Option<f64>,
    pub(super) notes: Vec<String>,
    /// The changes that may have gone unnoticed, in a few words.
    pub(super) doubt: Option<String>,
    pub(super) changes: Vec<Change>,
}

/// The doubt about cases with the same verdict whose times are unknown on one side: they may have
/// changed.
pub(super) fn untimed<'a>(shared: impl Iterator<Item = SharedCase<'a>>) -> Option<String> {
    let count = shared
        .filter(|case| case.is_whole() && !case.has_times())
        .count();
    (count > 0).then(|| format!("the times of {} are not known", counted(count, "case")))
}

impl TimeComparison {
    /// Compares the times of these cases, which come by submission.
    pub(super) fn of<'a>(shared: impl Iterator<Item = SharedCase<'a>> + Clone) -> Self {
        let mut answers = TimeAnswers::default();
        let mut timed = shared.filter(SharedCase::has_times).peekable();
        // The cases are not stored, since a submission may have a million of them.
        while let Some(owner) = timed.peek().map(SharedCase::owner) {
            answers.add(
                owner,
                timed.clone().take_while(move |case| case.owner() == owner),
            );
            while timed.next_if(|case| case.owner() == owner).is_some() {}
        }
        let TimeAnswers {
            totals,
            single,
            quotients,
            margins,
        } = answers;
        let mut found = Self {
            common_factor: common_factor(&quotients),
            ..Self::default()
        };
        let drifted = drift_note(&totals, &single);
        found.doubt = drifted
            .as_ref()
            .map(|_| "what the machine itself explains is not reported".to_owned());
        found.notes.extend(drifted);
        if let Some((note, doubt)) = blind_note(&margins) {
            found.notes.push(note);
            found.doubt = Some(doubt);
        }
        let totals_can_tell = found.note(&totals, true);
        let single_can_tell = found.note(&single, false);
        found.note_too_few_attempts(totals_can_tell, single_can_tell);
        found
    }

    fn note_too_few_attempts(&mut self, totals_can_tell: bool, single_can_tell: bool) {
        if !totals_can_tell {
            self.notes.push(TOO_FEW.to_owned());
            self.doubt = Some("too few attempts to tell changes of time".to_owned());
        } else if !single_can_tell {
            self.notes.push(TOTALS_ONLY.to_owned());
            self.doubt.get_or_insert(
                "too few attempts to tell changes of time of single cases".to_owned(),
            );
        }
    }

    /// Adds the significant changes among these answers. Returns whether this many figures could
    /// show one at all.
    fn note(&mut self, answers: &AnswerList<'_>, is_coarse_too: bool) -> bool {
        let raw: Vec<_> = answers
            .telling
            .iter()
            .map(|(found, _)| found.chance)
            .collect();
        #[expect(clippy::cast_precision_loss, reason = "questions are few")]
        let count = answers.answered as f64;
        for ((found, asked), chance) in answers
            .telling
            .iter()
            .zip(corrected(&raw, answers.answered))
        {
            let found = *found;
            let can_show = found.least_chance * count <= RISK;
            if chance <= RISK && found.is_wide {
                self.changes.push(asked.change(found, Some(chance)));
            } else if !can_show && is_coarse_too && is_coarse(found) {
                self.changes.push(asked.change(found, None));
            }
        }
        answers.answered == 0 || answers.least_chance * count <= RISK
    }
}

/// The answers to all questions.
#[derive(Default)]
struct TimeAnswers<'a> {
    totals: AnswerList<'a>,
    /// Those for single cases of submissions that have several; for a single case the total says
    /// everything.
    single: AnswerList<'a>,
    /// The factors by which submissions have changed.
    quotients: Vec<f64>,
    /// The margins of submissions.
    margins: Vec<f64>,
}

impl<'a> TimeAnswers<'a> {
    /// Adds those for a submission with these cases.
    fn add(
        &mut self,
        owner: &'a SubmissionKey,
        cases: impl Iterator<Item = SharedCase<'a>> + Clone,
    ) {
        let (total, quotient) = AnsweredQuestion::of_all(owner, cases.clone());
        let margin = total.margin();
        if cases.clone().nth(1).is_some() {
            let disturbance = disturbance_of(cases.clone());
            cases.for_each(|case| {
                self.single
                    .add(AnsweredQuestion::of_case(case, margin, disturbance), false);
            });
        }
        self.totals.add(total, true);
        self.margins.push(margin);
        self.quotients.extend(quotient);
    }
}

const TOO_FEW: &str = "there are too few attempts, for so many questions, to tell a change of time from noise: judge both with `--repeat 10`";

const TOTALS_ONLY: &str = "there are too few attempts for so many cases to tell a single case's change of time from noise; \
                           only totals of submissions are reported";
