//! Compares the time limits of packages with the rule of their format, after their
//! submissions were judged: those that must end in time leave room below the limit, and
//! those that must be too slow clearly exceed it. Collects the points that are outside
//! of their range, too. Start at [`TimeRules::for_plan`].

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crate::cli::time_limits::{TimeSurvey, must_end_in_time, with_time_limit};
use crate::cli::{
    CheckFinding, CheckList, CommandError, CommandOutcome, CommandResult,
    JudgeSession, PackageChecks, screen,
};
use crate::model::{CaseExpectations, Event, MistakeRecord, ProblemCheck, micros};
use crate::package::TimeRule;
use crate::report::{JudgingPurpose, SlowestCase, time};
use crate::run::{JudgingOptions, Plan, PlanEntry};
use crate::spec::JudgeFolder;
use crate::text::round_time;

/// The rules of the packages of a plan, and the times of their submissions so far.
pub(crate) struct TimeRules<'a> {
    plan: &'a Plan,
    pub(crate) rules: BTreeMap<String, TimeRule>,
    survey: TimeSurvey,
    /// The errors about points that are outside of the range of their group, by problem
    /// and sentence, each about the first such submission.
    out_of_range: BTreeMap<(String, String), CheckFinding>,
}

/// What the rules find, by problem, each list with what it is about.
pub(crate) struct CheckedTimes(Vec<(String, &'static str, CheckList)>);

impl<'a> TimeRules<'a> {
    /// The rules for a plan whose time limits are settled.
    pub(crate) fn for_plan(plan: &'a Plan, checks: &PackageChecks<'_>) -> Self {
        Self {
            plan,
            rules: checks.time_rules(),
            survey: TimeSurvey::default(),
            out_of_range: BTreeMap::new(),
        }
    }

    pub(crate) fn take_event(&mut self, event: &Event) {
        if let Event::TrialFinished(record) = event
            && self.rules.contains_key(&*record.problem)
        {
            self.survey.take_event(event);
        }
        if let Event::SubmissionFinished(summary) = event
            && self.rules.contains_key(&*summary.problem)
            && let Some(score) = &summary.score
            && let Some(entry) = self.plan.entries.iter().find(|entry| {
                *entry.problem.id == *summary.problem
                    && entry.submission.name == *summary.submission
            })
        {
            for sentence in &score.out_of_range {
                let key = (entry.problem.id.clone(), sentence.clone());
                self.out_of_range.entry(key).or_insert_with(|| {
                    CheckFinding::about(
                        ProblemCheck::Format,
                        &entry.shown_path,
                        format!("{}: {sentence}", summary.submission),
                    )
                });
            }
        }
    }

    /// Finds where a limit breaks the rule of its format; nothing after a cancellation.
    ///
    /// # Errors
    /// If the judge itself failed.
    pub(crate) fn check(
        &self,
        session: &JudgeSession,
    ) -> Result<CheckedTimes, CommandError> {
        let mut lists = vec![];
        for (id, rule) in self
            .rules
            .iter()
            .take_while(|_| !session.cancel.is_cancelled())
        {
            let mut list = CheckList::default();
            let entries = || {
                self.plan
                    .entries
                    .iter()
                    .filter(|entry| entry.problem.id == *id)
            };
            for found in entries().filter_map(|entry| self.too_near(entry, *rule)) {
                list.warning(found);
            }
            let slow = entries().filter_map(|entry| self.with_room(entry, *rule));
            for found in too_fast(slow.collect(), *rule, session)? {
                if rule.is_strict {
                    list.error(found)
                } else {
                    list.warning(found)
                }
            }
            lists.push((id.clone(), "time limit", list));
            let mut list = CheckList::default();
            for ((problem, _), found) in &self.out_of_range {
                if problem == id {
                    list.error(found.clone());
                }
            }
            lists.push((id.clone(), "points", list));
        }
        Ok(CheckedTimes(if session.cancel.is_cancelled() {
            vec![]
        } else {
            lists
        }))
    }

    /// The warning about a submission that must end in time, and leaves less room below
    /// the limit than its format wants. In the older formats a limit that is written
    /// down may leave any room.
    fn too_near(&self, entry: &PlanEntry, rule: TimeRule) -> Option<CheckFinding> {
        if !rule.is_strict {
            return None;
        }
        let cases = must_end_in_time(entry);
        let times = self.survey.times_of_entry(entry)?;
        let (case, cpu_us) = cases
            .iter()
            .filter_map(|case| {
                Some((&case.name, times.cases.get(&case.name)?.cpu_us))
            })
            .max_by_key(|(_, cpu_us)| *cpu_us)?;
        let needed = rule.room_above(Duration::from_micros(cpu_us));
        let limit = entry.problem.limits.cpu;
        (needed > limit).then(|| {
            let name = &entry.submission.name;
            let took = time(cpu_us);
            let limit = round_time(micros(limit));
            let needed = time(micros(needed));
            let text = format!(
                "{name} needs a limit of at least {needed} ({} x {took} on {case}), and has {limit}",
                rule.factor
            );
            about(&entry.shown_path, text)
        })
    }

    /// A submission that must be too slow, with the time that it must take as its
    /// limit, on the cases where it may take so long: where it was stopped, or did not
    /// run. `None` for any other submission.
    fn with_room(&self, entry: &PlanEntry, rule: TimeRule) -> Option<PlanEntry> {
        let times = self
            .survey
            .times_of_entry(entry)
            .filter(|times| !times.has_ended())?;
        let is_slow = entry.submission.expected.as_ref()?.is_too_slow();
        let expectations = &entry.expectations;
        let slow_on = expectations
            .required
            .iter()
            .find(|wanted| wanted.requirement.expected.is_too_slow());
        let cases = entry.cases.iter().filter(|case| {
            let name = &case.name;
            let must_be_slow =
                is_slow || slow_on.is_some_and(|wanted| wanted.cases.contains(name));
            must_be_slow
                && !times.has_ended_on(name)
                && !expectations.untimed.contains(name)
        });
        let limit = rule.slow_from(entry.problem.limits.cpu);
        let entry = PlanEntry {
            problem: with_time_limit(&entry.problem, limit),
            cases: cases.cloned().collect(),
            expectations: CaseExpectations::default(),
            ..entry.clone()
        };
        Some(entry).filter(|entry| !entry.cases.is_empty())
    }
}

/// The warnings about those of these submissions that do not exceed the limit as
/// clearly as their format wants. They run once more, with a longer limit, until they
/// are stopped.
fn too_fast(
    with_room: Vec<PlanEntry>,
    rule: TimeRule,
    session: &JudgeSession,
) -> Result<Vec<CheckFinding>, CommandError> {
    if with_room.is_empty() {
        return Ok(vec![]);
    }
    let mut survey = TimeSurvey::default();
    // Until a submission is stopped, which answers whether it is slow enough.
    let options = JudgingOptions {
        stop_at_first: true,
        ..JudgingOptions::default()
    };
    let purpose = JudgingPurpose::Margins;
    survey.measure(session, with_room.clone(), purpose, options)?;
    let too_fast = with_room.iter().filter_map(|entry| {
        // The limit of the entry is the time that the submission must take.
        let times = survey.times_of_entry(entry)?;
        // A time on a case is not known if it was stopped there or did not run.
        let mut cases = entry.cases.iter();
        if !cases.all(|case| times.has_ended_on(&case.name)) {
            return None;
        }
        let name = &entry.submission.name;
        let SlowestCase { case, cpu_us, .. } = times.longest(name, |_| true)?;
        let time = time(cpu_us);
        let needed = round_time(micros(entry.problem.limits.cpu));
        let margin = rule.margin;
        let text = format!(
            "{name} must be clearly too slow and takes {time} on {case}, less than {needed} \
             ({margin} x the limit)"
        );
        Some(about(&entry.shown_path, text))
    });
    Ok(too_fast.collect())
}

impl CheckedTimes {
    /// The findings for the log.
    pub(crate) fn records(
        &self,
        folder: &JudgeFolder,
    ) -> impl Iterator<Item = MistakeRecord> {
        self.0
            .iter()
            .flat_map(move |(id, _, list)| list.records(id, folder))
    }

    /// Shows the findings. An error among them is a surprise.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(crate) fn show(&self) -> CommandResult {
        let mut outcome = CommandOutcome::default();
        for (id, about, list) in &self.0 {
            let written = list.show(&format!("The {about} of {id}"), "\n", "");
            screen::unless_closed(written, "writing what was checked")?;
            outcome = outcome.max(list.outcome());
        }
        Ok(outcome)
    }
}

fn about(submission: &Path, text: String) -> CheckFinding {
    CheckFinding::about(ProblemCheck::TimeLimit, submission, text)
}
