//! Times of then and now, of submissions altogether and of single cases.
//!
//! A submission's time over all its cases is taken round by round. A round over many cases is steadier than any of them, and
//! what disturbs the machine for a second disturbs one round of all cases: so totals show changes that no single case can.

use std::collections::BTreeMap;

use crate::baseline::Baseline;
use crate::baseline::Key;
use crate::baseline::Owner;
use crate::baseline::change::Change;
use crate::baseline::change::Kind;
use crate::baseline::change::Subject;
use crate::baseline::figures::Figures;
use crate::baseline::moved::Movement;
use crate::baseline::moved::RISK;
use crate::baseline::moved::movement;
use crate::baseline::ranks::Chances;
use crate::baseline::ranks::corrected;
use crate::baseline::ranks::in_order;
use crate::baseline::ranks::median;

/// Submissions from which on what all have in common can be told from what each has for itself.
pub(crate) const MANY: usize = 5;

/// What part of the time all must have moved at least, and three of four of them in the same direction, to be told apart.
const COMMON: f64 = 0.01;

/// Where chance cannot be told, a time has perhaps changed if it did by this factor, and by so many microseconds.
const COARSE: f64 = 1.5;
const COARSE_US: u64 = 10_000;

/// A submission's cases of which both sides have times, with what they earned the same.
pub(crate) type Common<'a> = BTreeMap<Owner, Vec<(&'a Key, &'a Figures, &'a Figures)>>;

/// What has become of all times.
#[derive(Default)]
pub(crate) struct Times {
    pub(crate) common_factor: Option<f64>,
    pub(crate) notes: Vec<String>,
    pub(crate) changes: Vec<Change>,
}

/// Times of which it is asked whether they have moved.
struct Question {
    subject: Subject,
    cases: usize,
    was: Vec<Vec<f64>>,
    now: Vec<Vec<f64>>,
}

/// The cases whose times can be compared.
pub(crate) fn common<'a>(was: &'a Baseline, now: &'a Baseline) -> Common<'a> {
    let mut common = Common::new();
    for (key, then) in &was.lines {
        let Some(now) = now.lines.get(key) else { continue };
        if then.has_times() && now.has_times() && then.verdict() == now.verdict() {
            common.entry(key.owner()).or_default().push((key, then, now));
        }
    }
    common
}

impl Times {
    pub(crate) fn of(common: &Common<'_>) -> Self {
        let totals: Vec<_> = common.iter().map(|(owner, cases)| Question::of_all(owner, cases)).collect();
        // Of a single case the total has told all.
        let several = common.values().filter(|cases| cases.len() > 1).flatten();
        let single: Vec<_> = several.map(|(key, was, now)| Question::of_case(key, was, now)).collect();
        let mut found = Self { common_factor: common_factor(&totals), ..Self::default() };
        let mut chances = Chances::default();
        let totals_told = found.ask(&mut chances, totals, true);
        let single_told = found.ask(&mut chances, single, false);
        if !totals_told {
            found.notes.push(TOO_FEW.to_owned());
        } else if !single_told {
            found.notes.push(TOTALS_ONLY.to_owned());
        }
        found
    }

    /// Adds the changes among those that were asked. Whether so many figures could show one at all.
    fn ask(&mut self, chances: &mut Chances, questions: Vec<Question>, is_coarse_too: bool) -> bool {
        let factor = self.common_factor.unwrap_or(1.0);
        let scaled = |runs: &[Vec<f64>]| -> Vec<Vec<f64>> {
            runs.iter().map(|run| run.iter().map(|time| time / factor).collect()).collect()
        };
        let asked: Vec<_> = questions
            .into_iter()
            .filter_map(|asked| {
                Some((movement(chances, &asked.was, &scaled(&asked.now), asked.cases)?, asked))
            })
            .collect();
        let raw: Vec<_> = asked.iter().map(|(found, _)| found.chance).collect();
        #[expect(clippy::cast_precision_loss, reason = "questions are few")]
        let count = asked.len() as f64;
        let mut can_tell = asked.is_empty();
        for ((found, question), chance) in asked.into_iter().zip(corrected(&raw)) {
            let is_told = found.least_chance * count <= RISK;
            can_tell |= is_told;
            if chance <= RISK && found.is_wide {
                self.changes.push(question.answered(found, Some(chance)));
            } else if !is_told && is_coarse_too && question.is_coarse(found) {
                self.changes.push(question.answered(found, None));
            }
        }
        can_tell
    }
}

const TOO_FEW: &str =
    "there are too few attempts to tell a change of time from noise: judge both with `--repeat 10`";

const TOTALS_ONLY: &str = "there are too few attempts for so many cases to tell a single case's change of time from noise; \
                           totals of submissions are told";

impl Question {
    fn of_all((problem, submission): &Owner, cases: &[(&Key, &Figures, &Figures)]) -> Self {
        let subject = match cases {
            [(key, ..)] => Subject::of_case(key),
            _ => Subject::of_submission(&(problem.clone(), submission.clone())),
        };
        let (was, now) = (cases.iter().map(|case| case.1), cases.iter().map(|case| case.2));
        Self { subject, cases: cases.len(), was: by_run(&was), now: by_run(&now) }
    }

    fn of_case(key: &Key, was: &Figures, now: &Figures) -> Self {
        let of = |figures| by_run(&std::iter::once(figures));
        Self { subject: Subject::of_case(key), cases: 1, was: of(was), now: of(now) }
    }

    /// Whether it has perhaps moved.
    fn is_coarse(&self, found: Movement) -> bool {
        let factor = found.factor.factor;
        let apart = whole(&self.was).abs_diff(whole(&self.now));
        !(COARSE.recip()..COARSE).contains(&factor) && apart >= COARSE_US
    }

    fn answered(self, found: Movement, chance: Option<f64>) -> Change {
        let kind = Kind::Time {
            was_us: whole(&self.was),
            now_us: whole(&self.now),
            factor: found.factor.factor,
            low: found.factor.low,
            high: found.factor.high,
            chance,
            cases: self.cases,
        };
        Change { subject: self.subject, kind }
    }
}

/// By what factor all submissions have moved together, if there are enough of them, and most moved the same way.
fn common_factor(totals: &[Question]) -> Option<f64> {
    let middle = |runs: &[Vec<f64>]| median(&in_order(&runs.concat()));
    let quotients = totals.iter().map(|total| middle(&total.now) / middle(&total.was));
    let quotients: Vec<_> = quotients.filter(|quotient| quotient.is_normal()).collect();
    let factor = median(&in_order(&quotients));
    let beyond = |quotient: &&f64| {
        if factor > 1.0 { **quotient > 1.0 + COMMON } else { **quotient < (1.0 + COMMON).recip() }
    };
    let moved = quotients.iter().filter(beyond).count();
    (quotients.len() >= MANY && 4 * moved >= 3 * quotients.len()).then_some(factor)
}

/// The times of all rounds of each run of the judge, summed over cases; rounds that not every case has are left out.
fn by_run<'a>(cases: &(impl Iterator<Item = &'a Figures> + Clone)) -> Vec<Vec<f64>> {
    let runs = cases.clone().map(|figures| figures.times_us.len()).min().unwrap_or(0);
    let total = |run: usize| {
        let rounds = cases.clone().map(|figures| figures.times_us[run].len()).min().unwrap_or(0);
        let sum = |round: usize| {
            cases.clone().map(|figures| figures.times_us[run][round]).fold(0, u64::saturating_add)
        };
        (0..rounds).map(|round| float(sum(round))).collect()
    };
    (0..runs).map(total).collect()
}

#[expect(clippy::cast_precision_loss, reason = "times have few digits that count")]
fn float(number: u64) -> f64 {
    number as f64
}

/// The median of all times, in whole microseconds.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was a whole number before")]
fn whole(runs: &[Vec<f64>]) -> u64 {
    median(&in_order(&runs.concat())).round() as u64
}
