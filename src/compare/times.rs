//! Times of then and now, of submissions altogether and of single cases.
//!
//! A submission is asked about all its cases together, round by round: what disturbs the machine for a second disturbs one
//! round of all cases, and the fastest attempts of many cases are steadier in sum than those of one. So totals show changes that
//! no single case can.

use std::collections::BTreeMap;

use crate::compare::Baseline;
use crate::compare::SubmissionKey;
use crate::compare::TrialKey;
use crate::compare::case_stats::CaseStats;
use crate::compare::change::Change;
use crate::compare::change::ChangeKind;
use crate::compare::change::ChangeSubject;
use crate::compare::disturbance::DisturbanceRate;
use crate::compare::statistics::corrected;
use crate::compare::statistics::in_order;
use crate::compare::statistics::median;
use crate::compare::time_shift::RISK;
use crate::compare::time_shift::TimeShift;
use crate::compare::time_shift::TimedRun;
use crate::compare::time_shift::between;
use crate::compare::time_shift::level;
use crate::compare::time_shift::movement;

/// Submissions from which on what all have in common can be told from what each has for itself.
const MANY: usize = 5;

/// What part of the time all must have moved at least, and three of four of them in the same direction, to be told apart.
const COMMON: f64 = 0.01;

/// A margin beyond which it is said to be one: a change of a tenth may be missed then.
const BLIND: f64 = 0.08;

/// Where chance cannot be told, a time has perhaps changed if it did by this factor, and by so many microseconds.
const COARSE: f64 = 1.5;
const COARSE_US: f64 = 10_000.0;

/// A submission's cases of which both sides have times, with what they earned the same.
pub(crate) type SharedCases<'a> = BTreeMap<SubmissionKey, Vec<(&'a TrialKey, &'a CaseStats, &'a CaseStats)>>;

/// What has become of all times.
#[derive(Default)]
pub(crate) struct TimeComparison {
    pub(crate) common_factor: Option<f64>,
    pub(crate) notes: Vec<String>,
    /// What may have changed unseen, in a few words.
    pub(crate) doubt: Option<String>,
    pub(crate) changes: Vec<Change>,
}

/// Times of which it is asked whether they have moved.
struct TimeQuestion {
    subject: ChangeSubject,
    cases: usize,
    was: Vec<TimedRun>,
    now: Vec<TimedRun>,
    /// Of a single case, what its submission's level may move by: with ten times of its own a case can look steady by chance.
    least_margin: f64,
}

/// The cases whose times can be compared.
pub(crate) fn common<'a>(was: &'a Baseline, now: &'a Baseline) -> SharedCases<'a> {
    let mut common = SharedCases::new();
    for (key, then) in &was.lines {
        let Some(now) = now.lines.get(key) else { continue };
        if then.has_times() && now.has_times() && then.verdict() == now.verdict() {
            common.entry(key.owner()).or_default().push((key, then, now));
        }
    }
    common
}

/// What is said of cases that earn the same and of whose times one side knows nothing: they may take any time now.
pub(crate) fn untimed(was: &Baseline, now: &Baseline) -> Option<String> {
    let pairs = was.lines.iter().filter_map(|(key, was)| Some((was, now.lines.get(key)?)));
    let alike = pairs.filter(|(was, now)| was.verdict() == now.verdict() && was.is_whole() && now.is_whole());
    let count = alike.filter(|(was, now)| !was.has_times() || !now.has_times()).count();
    let plural = if count == 1 { "" } else { "s" };
    (count > 0).then(|| format!("the times of {count} case{plural} are not known"))
}

impl TimeComparison {
    pub(crate) fn of(common: &SharedCases<'_>) -> Self {
        let totals: Vec<_> = common.iter().map(|(owner, cases)| TimeQuestion::of_all(owner, cases)).collect();
        let mut found = Self { common_factor: common_factor(&totals), ..Self::default() };
        let totals: Vec<_> = totals.into_iter().map(AnsweredQuestion::of).collect();
        let margins: Vec<_> = totals.iter().map(AnsweredQuestion::margin).collect();
        // Of a single case the total has told all.
        let several = common.values().zip(margins).filter(|(cases, _)| cases.len() > 1);
        let single: Vec<_> = several
            .flat_map(|(cases, margin)| {
                let disturbance = disturbance_of(cases);
                cases.iter().map(move |case| AnsweredQuestion::of_case(*case, margin, disturbance))
            })
            .collect();
        let drifted = drift_note(&totals, &single);
        found.doubt = drifted.as_ref().map(|_| "what the machine itself explains is not told".to_owned());
        found.notes.extend(drifted);
        if let Some((note, doubt)) = blind_note(&totals) {
            found.notes.push(note);
            found.doubt = Some(doubt);
        }
        let totals_told = found.note(totals, true);
        let single_told = found.note(single, false);
        if !totals_told {
            found.notes.push(TOO_FEW.to_owned());
            found.doubt = Some("too few attempts to tell changes of time".to_owned());
        } else if !single_told {
            found.notes.push(TOTALS_ONLY.to_owned());
            found.doubt.get_or_insert("too few attempts to tell changes of time of single cases".to_owned());
        }
        found
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

const TOO_FEW: &str = "there are too few attempts, for so many questions, to tell a change of time from noise: judge both with `--repeat 10`";

const TOTALS_ONLY: &str = "there are too few attempts for so many cases to tell a single case's change of time from noise; \
                           totals of submissions are told";

/// The weather of a submission, then and now.
fn disturbance_of(cases: &[(&TrialKey, &CaseStats, &CaseStats)]) -> [DisturbanceRate; 2] {
    [
        cases.iter().map(|case| DisturbanceRate::of(case.1)).sum(),
        cases.iter().map(|case| DisturbanceRate::of(case.2)).sum(),
    ]
}

/// A question with what it comes to; nothing where there is no time.
struct AnsweredQuestion {
    question: TimeQuestion,
    movement: Option<TimeShift>,
}

impl AnsweredQuestion {
    fn of(question: TimeQuestion) -> Self {
        Self { movement: movement(&question.was, &question.now, question.least_margin), question }
    }

    /// Of a single case. Its slower side may be one without a calm attempt; `disturbance` is that of then and of now.
    fn of_case(
        case: (&TrialKey, &CaseStats, &CaseStats),
        least_margin: f64,
        disturbance: [DisturbanceRate; 2],
    ) -> Self {
        let mut asked = Self::of(TimeQuestion::of_case(case, least_margin));
        if let Some(found) = &mut asked.movement {
            let (slower, all) =
                if found.now >= found.was { (case.2, disturbance[1]) } else { (case.1, disturbance[0]) };
            found.chance = found.chance.max(all.chance_all_disturbed(DisturbanceRate::of(slower)));
        }
        asked
    }

    fn margin(&self) -> f64 {
        self.movement.map_or(0.0, |found| found.margin)
    }
}

/// What is said where attempts vary so much that silence means little: a sentence, and a few words.
fn blind_note(totals: &[AnsweredQuestion]) -> Option<(String, String)> {
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
fn drift_note(totals: &[AnsweredQuestion], single: &[AnsweredQuestion]) -> Option<String> {
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

impl TimeQuestion {
    fn of_all((problem, submission): &SubmissionKey, cases: &[(&TrialKey, &CaseStats, &CaseStats)]) -> Self {
        let subject = match cases {
            [(key, ..)] => ChangeSubject::of_case(key),
            _ => ChangeSubject::of_submission(&(problem.clone(), submission.clone())),
        };
        let (was, now) = (cases.iter().map(|case| case.1), cases.iter().map(|case| case.2));
        // Where a case has fewer runs than another, what lies between runs is lost to the sum, so each case tells its own.
        let between =
            was.clone().chain(now.clone()).map(|figures| between(&by_run(&std::iter::once(figures))));
        let least_margin = between.fold(0.0, f64::max);
        let is_even = |runs: &mut dyn Iterator<Item = &CaseStats>| {
            let mut counts = runs.map(|figures| figures.times_us.len());
            let first = counts.next();
            counts.all(|count| Some(count) == first)
        };
        let are_even = is_even(&mut was.clone()) && is_even(&mut now.clone());
        let least_margin = if are_even { 0.0 } else { least_margin };
        Self { subject, cases: cases.len(), was: by_run(&was), now: by_run(&now), least_margin }
    }

    fn of_case((key, was, now): (&TrialKey, &CaseStats, &CaseStats), least_margin: f64) -> Self {
        let of = |figures| by_run(&std::iter::once(figures));
        Self { subject: ChangeSubject::of_case(key), cases: 1, was: of(was), now: of(now), least_margin }
    }

    fn answered(self, found: TimeShift, chance: Option<f64>) -> Change {
        let kind = ChangeKind::Time {
            was_us: whole(found.was),
            now_us: whole(found.now),
            factor: found.factor(),
            low: found.factor() / (1.0 + found.margin),
            high: found.factor() * (1.0 + found.margin),
            chance,
            cases: self.cases,
        };
        Change { subject: self.subject, kind }
    }
}

/// Whether it has perhaps moved, where chance cannot be told.
fn is_coarse(found: TimeShift) -> bool {
    !(COARSE.recip()..COARSE).contains(&found.factor())
        && found.is_wide
        && (found.now - found.was).abs() >= COARSE_US
}

/// By what factor all submissions have moved together, if there are enough of them, and most moved the same way.
fn common_factor(totals: &[TimeQuestion]) -> Option<f64> {
    let quotients = totals.iter().filter_map(|total| Some(level(&total.now)? / level(&total.was)?));
    let quotients: Vec<_> = quotients.collect();
    let factor = median(&in_order(&quotients));
    let beyond = |quotient: &&f64| {
        if factor > 1.0 { **quotient > 1.0 + COMMON } else { **quotient < (1.0 + COMMON).recip() }
    };
    let moved = quotients.iter().filter(beyond).count();
    (quotients.len() >= MANY && 4 * moved >= 3 * quotients.len()).then_some(factor)
}

/// The times of each run of the judge, case by case; rounds that not every case has are left out, and runs without rounds.
fn by_run<'a>(cases: &(impl Iterator<Item = &'a CaseStats> + Clone)) -> Vec<TimedRun> {
    let runs = cases.clone().map(|figures| figures.times_us.len()).min().unwrap_or(0);
    let run = |run: usize| -> TimedRun {
        let rounds = cases.clone().map(|figures| figures.times_us[run].len()).min().unwrap_or(0);
        let case =
            |figures: &CaseStats| figures.times_us[run][..rounds].iter().map(|time| float(*time)).collect();
        let beat = |figures: &CaseStats| figures.calibrations_ns[run].map(float);
        TimedRun { cases: cases.clone().map(case).collect(), calibrations: cases.clone().map(beat).collect() }
    };
    (0..runs).map(run).filter(|run| !run.cases[0].is_empty()).collect()
}

#[expect(clippy::cast_precision_loss, reason = "times have few digits that count")]
fn float(number: u64) -> f64 {
    number as f64
}

/// A time in whole microseconds.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was a whole number before")]
fn whole(time: f64) -> u64 {
    time.round() as u64
}
