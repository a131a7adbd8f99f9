//! Times submissions, and measures time limits for packages that give none. Before
//! anything is judged, their submissions are timed, and the rule of the format derives
//! a limit from the slowest. That is done once for each package and machine: the limit
//! is kept, and stays the same as long as the package does. Start at
//! [`LimitMeasurement::for_plan`].

pub(super) mod time_rules;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use gridjudge_sandbox::{Fault, Limits, machine};

use crate::cache::{self, CacheKey, KeptLimit, KeyHasher};
use crate::cli::judging::judge_session;
use crate::cli::sinks::progress;
use crate::cli::{
    CommandError, JudgeSession, ProblemCases, planning, screen, startup,
};
use crate::model::{Case, Event, Expected, Problem, Verdict, micros};
use crate::package::TimeRule;
use crate::report::{JudgingPurpose, Sink, SlowestCase, time};
use crate::run::{JudgingOptions, Plan, PlanEntry};
use crate::spec::{JudgeFolder, Mistake, Mistakes};
use crate::text::round_time;

/// The length of a date, `2026-11-27`.
const DAY_LETTERS: usize = 10;

/// The CPU time limit of a case while it is timed.
const LONGEST: Duration = Duration::from_secs(60);

/// The packages of a plan that give no time limit.
pub(crate) struct LimitMeasurement {
    problems: Vec<UntimedProblem>,
}

/// A package that gives no time limit.
struct UntimedProblem {
    id: String,
    rule: TimeRule,
    /// Its own submissions, on all its cases.
    examples: Vec<PlanEntry>,
}

impl LimitMeasurement {
    /// Finds what must be timed for a plan, which must hold all cases of its problems.
    ///
    /// # Errors
    /// Every mistake in the submissions of the packages.
    pub(crate) fn for_plan(
        folder: &JudgeFolder,
        plan: &Plan,
    ) -> Result<Self, Mistakes> {
        let mut seen = BTreeSet::new();
        let mut problems = vec![];
        let mut mistakes = vec![];
        for entry in &plan.entries {
            let id = &entry.problem.id;
            if !seen.insert(id) {
                continue;
            }
            let found = folder.find(id)?;
            let package = found.readable_package();
            let Some(package) = package.filter(|package| package.is_measured())
            else {
                continue;
            };
            let subject = ProblemCases {
                found: Arc::clone(found),
                problem: Arc::clone(&entry.problem),
                cases: Arc::clone(&entry.cases),
                programs: entry.programs.clone(),
            };
            let (examples, of_examples) = planning::examples_with_mistakes(&subject);
            // Past mistakes, what was understood is judged.
            if !found.reads_past_mistakes {
                mistakes.extend(of_examples);
            }
            problems.push(UntimedProblem {
                id: id.clone(),
                rule: package.limits.rule,
                examples,
            });
        }
        Mistakes::or(mistakes, Self { problems })
    }

    /// Refuses to judge only a shard if there is anything to measure: each machine
    /// would measure another limit.
    pub(crate) fn refuse_in_shard(&self) -> Result<(), Mistakes> {
        let mistakes = self.problems.iter().map(|problem| {
            let message =
                "gives no time limit, and each machine would measure another one";
            Mistake::new(
                &problem.id,
                message,
                "give one to all shards, for example `--time-limit 2s`",
            )
        });
        Mistakes::refuse(mistakes)
    }

    /// Sets the time limit of every problem of a plan: the one that is given, or else
    /// what the submissions of the packages take. Shows and returns how the limits were
    /// derived, a sentence each.
    ///
    /// # Errors
    /// If the judge itself failed.
    pub(crate) fn settle(
        &self,
        plan: &mut Plan,
        session: &JudgeSession,
        given: Option<Duration>,
    ) -> Result<Vec<String>, CommandError> {
        let mut notes = vec![];
        if let Some(limit) = given {
            for entry in &mut plan.entries {
                entry.problem = with_time_limit(&entry.problem, limit);
            }
            let limit = round_time(micros(limit));
            notes.push(format!("the time limit is {limit}, by --time-limit"));
        }
        for problem in self.problems.iter().filter(|_| given.is_none()) {
            let Some(kept) = problem.kept_or_measured(session)? else {
                notes.push(format!(
                    "{}: the package gives no time limit, and no accepted submission could be timed, so \
                     10 s apply, as in DOMjudge; `limits: {{time_limit: ..}}` sets another",
                    problem.id
                ));
                continue;
            };
            let limit = Duration::from_micros(kept.limit_us);
            notes.push(format!("{} (measured on {})", kept.reason, kept.measured));
            let entries = plan.entries.iter_mut();
            for entry in entries.filter(|entry| entry.problem.id == problem.id) {
                entry.problem = with_time_limit(&entry.problem, limit);
            }
        }
        notes.iter().for_each(screen::notice_unless_quiet);
        Ok(notes)
    }
}

impl UntimedProblem {
    /// The limit that is kept for this package and machine, or else a new one, which is
    /// kept from now on; `None` if no accepted submission could be timed.
    fn kept_or_measured(
        &self,
        session: &JudgeSession,
    ) -> Result<Option<KeptLimit>, CommandError> {
        let key = startup::cache_place()
            .and_then(|place| Some((place, self.key(session)?)));
        if let Some((place, key)) = &key
            && let Some(kept) = cache::kept_limit(place, key)
        {
            return Ok(Some(kept));
        }
        screen::notice_unless_quiet(format_args!(
            "{}: the package gives no time limit: its own submissions are timed first, once on \
             this machine",
            self.id
        ));
        let Some(found) = self.measure(session)? else {
            return Ok(None);
        };
        let limit = self.rule.limit_for(Duration::from_micros(found.cpu_us));
        let reason = format!(
            "{}: the package gives no time limit; by the rule of its format it is {}: {} takes {} \
             on {}, the longest of all that must end in time, and that {}",
            self.id,
            round_time(micros(limit)),
            found.submission,
            time(found.cpu_us),
            found.case,
            self.rule.calculation()
        );
        let found = KeptLimit {
            package: self.id.clone(),
            limit_us: micros(limit),
            reason,
            measured: judge_session::now().chars().take(DAY_LETTERS).collect(),
        };
        let may_keep =
            startup::keeps_submissions_out(&session.sandbox().guarantees())
                && !session.cancel.is_cancelled();
        Ok(Some(match key.filter(|_| may_keep) {
            Some((place, key)) => cache::keep_limit(&place, &key, found),
            None => found,
        }))
    }

    /// A key for everything that its limit depends on: the machine, the rule, the
    /// submissions with their compilers, the cases and the programs of the package.
    /// Neither the hour nor the load of the machine counts. `None` if there is no place
    /// to remember anything.
    fn key(&self, session: &JudgeSession) -> Option<CacheKey> {
        let mut hasher = KeyHasher::for_purpose("limit");
        hasher.add(machine::processor_model());
        hasher.add(format!("{:?}", self.rule));
        for PlanEntry { submission, .. } in &self.examples {
            hasher.add(&*submission.name);
            hasher.add(format!("{:?}", submission.expected));
        }
        session.key_of_timed(hasher, &self.examples)
    }

    /// Measures the longest time that the limit must leave room for; `None` if no
    /// accepted submission could be timed.
    fn measure(
        &self,
        session: &JudgeSession,
    ) -> Result<Option<SlowestCase>, CommandError> {
        let (accepted, others): (Vec<_>, Vec<_>) = self
            .examples
            .iter()
            .map(|entry| PlanEntry {
                cases: must_end_in_time(entry),
                ..entry.clone()
            })
            .partition(|entry| entry.submission.must_be_accepted());
        let accepted = timed(session, accepted, LONGEST, true)?;
        let Some(slowest) = accepted.longest_that_ended() else {
            return Ok(None);
        };
        // In the format of 2025, wrong submissions must end in time, too, unless they
        // may be too slow.
        if !self.rule.is_strict {
            return Ok(Some(slowest));
        }
        let preliminary = self.rule.limit_for(Duration::from_micros(slowest.cpu_us));
        let others = longest_of_others(session, others, preliminary)?;
        Ok(others
            .filter(|other| other.cpu_us > slowest.cpu_us)
            .or(Some(slowest)))
    }
}

/// The longest time of these submissions, which need not be accepted and yet must end
/// in time.
///
/// They are first given little more than the accepted ones. One that does not end in
/// that time is timed again on the case that was stopped, and on all its cases only if
/// it ends there, so that an endless one costs a minute and not a minute for each case.
fn longest_of_others(
    session: &JudgeSession,
    mut others: Vec<PlanEntry>,
    preliminary: Duration,
) -> Result<Option<SlowestCase>, CommandError> {
    let room = (preliminary * 2).min(LONGEST);
    let first = timed(session, others.clone(), room, false)?;
    let mut stopped = others.clone();
    for entry in &mut stopped {
        let case = first
            .times_of_entry(entry)
            .and_then(SubmissionTimes::stopped_case);
        entry.cases = entry
            .cases
            .iter()
            .filter(|one| case == Some(&*one.name))
            .cloned()
            .collect();
    }
    let again = timed(session, stopped, LONGEST, false)?;
    others.retain(|entry| {
        again
            .times_of_entry(entry)
            .is_some_and(SubmissionTimes::has_ended)
    });
    let slow = timed(session, others, LONGEST, false)?;
    Ok([first, slow]
        .into_iter()
        .filter_map(|times| times.longest_that_ended())
        .max_by_key(|longest| longest.cpu_us))
}

/// Times submissions with this time limit, those that have cases.
fn timed(
    session: &JudgeSession,
    mut entries: Vec<PlanEntry>,
    limit: Duration,
    stop_at_first: bool,
) -> Result<TimeSurvey, CommandError> {
    entries.retain(|entry| !entry.cases.is_empty());
    for entry in &mut entries {
        entry.problem = with_time_limit(&entry.problem, limit);
    }
    let options = JudgingOptions {
        stop_at_first,
        ..JudgingOptions::default()
    };
    let mut times = TimeSurvey::default();
    times.measure(session, entries, JudgingPurpose::TimeLimit, options)?;
    Ok(times)
}

/// The cases on which a submission must end in time, accepted or not, without those
/// whose times say nothing about the limit.
fn must_end_in_time(entry: &PlanEntry) -> Arc<[Case]> {
    let is_in_time = |expected: &Expected| !expected.allows(Verdict::TimeLimit);
    let expectations = &entry.expectations;
    let must_always = entry.submission.expected.as_ref().is_some_and(is_in_time);
    entry
        .cases
        .iter()
        .filter(|case| {
            let allowed = expectations.allowed.get(&case.name);
            (must_always || allowed.is_some_and(is_in_time))
                && !expectations.untimed.contains(&case.name)
        })
        .cloned()
        .collect()
}

/// A copy of a problem with this time limit.
pub(crate) fn with_time_limit(problem: &Problem, cpu: Duration) -> Arc<Problem> {
    let limits = Limits {
        cpu,
        wall: Limits::wall_for(cpu),
        ..problem.limits.clone()
    };
    Arc::new(Problem {
        limits,
        ..problem.clone()
    })
}

// The times of submissions on their cases, collected from the events of a suite. Knows
// neither rules nor what the times are for.

/// The times of the submissions of a suite.
#[derive(Default)]
pub(crate) struct TimeSurvey {
    /// By problem and submission.
    times: BTreeMap<(Arc<str>, Arc<str>), SubmissionTimes>,
}

/// The times of one submission.
#[derive(Default)]
pub(super) struct SubmissionTimes {
    /// Its time limit in microseconds, with what its language is granted.
    limit_us: u64,
    /// By case, those whose time is known.
    cases: BTreeMap<String, CaseTime>,
}

/// The longest time of a submission on one case.
pub(crate) struct CaseTime {
    cpu_us: u64,
    pub(crate) verdict: Verdict,
    /// Whether it was stopped at the limit, now or in another trial.
    is_stopped: bool,
}

impl TimeSurvey {
    fn take_event(&mut self, event: &Event) {
        match event {
            Event::SubmissionStarted(start) => {
                let limits = start.limits.as_ref();
                self.entry(&start.problem, &start.submission).limit_us =
                    limits.map_or(0, |limits| limits.cpu_us);
            }
            Event::TrialFinished(record) => {
                let Some(cpu_us) = record.cpu_us else { return };
                let times = self.entry(&record.problem, &record.submission);
                let known =
                    times.cases.entry(record.case.clone()).or_insert(CaseTime {
                        cpu_us,
                        verdict: record.verdict,
                        is_stopped: false,
                    });
                known.is_stopped |= record.verdict.is_about_time();
                if cpu_us > known.cpu_us {
                    known.cpu_us = cpu_us;
                    known.verdict = record.verdict;
                }
            }
            _ => {}
        }
    }

    /// Judges submissions only to time them, and shows how far it is.
    pub(crate) fn measure(
        &mut self,
        session: &JudgeSession,
        entries: Vec<PlanEntry>,
        purpose: JudgingPurpose,
        options: JudgingOptions<'_>,
    ) -> Result<(), Fault> {
        let plan = Plan {
            entries,
            ..Plan::default()
        };
        let mut progress = progress(&plan, purpose, &session.activity);
        let judged = session.judge(&plan, options, &mut |event| {
            self.take_event(&event);
            if let Some(progress) = &mut progress {
                drop(progress.take_event(&event));
            }
        });
        judged.map(drop)
    }

    fn entry(
        &mut self,
        problem: &Arc<str>,
        submission: &Arc<str>,
    ) -> &mut SubmissionTimes {
        let key = (Arc::clone(problem), Arc::clone(submission));
        self.times.entry(key).or_default()
    }

    /// The times of a submission; `None` if no time of it is known.
    pub(crate) fn times_of_entry(
        &self,
        entry: &PlanEntry,
    ) -> Option<&SubmissionTimes> {
        self.times_of(&entry.problem.id, &entry.submission.name)
    }

    fn times_of(&self, problem: &str, submission: &str) -> Option<&SubmissionTimes> {
        let times = self.times.get(&(problem.into(), submission.into()));
        times.filter(|times| !times.cases.is_empty())
    }

    /// The longest time of the submissions that were never stopped.
    fn longest_that_ended(&self) -> Option<SlowestCase> {
        self.times
            .iter()
            .filter(|(_, times)| times.has_ended())
            .filter_map(|((_, submission), times)| {
                times.longest(submission, |_| true)
            })
            .max_by_key(|longest| longest.cpu_us)
    }
}

impl SubmissionTimes {
    /// The longest of the times that count, of the submission of this name.
    fn longest(
        &self,
        submission: &str,
        counts: impl Fn(&CaseTime) -> bool,
    ) -> Option<SlowestCase> {
        let (case, time) = self
            .cases
            .iter()
            .filter(|(_, time)| counts(time))
            .max_by_key(|(_, time)| time.cpu_us)?;
        Some(SlowestCase {
            submission: submission.into(),
            case: case.clone(),
            cpu_us: time.cpu_us,
            stopped: time.is_stopped,
        })
    }

    /// A case on which it was stopped, if there is one.
    fn stopped_case(&self) -> Option<&str> {
        self.cases
            .iter()
            .find(|(_, time)| time.is_stopped)
            .map(|(case, _)| case.as_str())
    }

    /// Whether it was never stopped.
    fn has_ended(&self) -> bool {
        self.stopped_case().is_none()
    }

    /// Whether it ran on a case and was never stopped there.
    fn has_ended_on(&self, case: &str) -> bool {
        self.cases.get(case).is_some_and(|time| !time.is_stopped)
    }

    /// The longest of the times that count, converted to a time limit of the problem
    /// itself by dividing out what the language is granted beyond it.
    pub(crate) fn longest_for(
        &self,
        submission: &str,
        problem_limit_us: u64,
        counts: impl Fn(&CaseTime) -> bool,
    ) -> Option<SlowestCase> {
        let longest = self.longest(submission, counts)?;
        let percent = self.limit_us * 100 / problem_limit_us.max(1);
        Some(SlowestCase {
            cpu_us: longest.cpu_us * 100 / percent.max(1),
            ..longest
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey(trials: &[(&str, u64, Verdict)]) -> TimeSurvey {
        let mut survey = TimeSurvey::default();
        for (submission, cpu_us, verdict) in trials {
            let record = serde_json::json!({
                "problem": "p",
                "submission": submission,
                "case": "c",
                "verdict": verdict,
                "cpu_us": cpu_us,
            });
            let record = serde_json::from_value(record).unwrap();
            survey.take_event(&Event::TrialFinished(record));
        }
        survey
    }

    #[test]
    fn submissions_that_were_stopped_have_no_longest_time() {
        let found = survey(&[
            ("fast", 5, Verdict::Accepted),
            ("slow", 7, Verdict::Accepted),
            ("slow", 6, Verdict::WrongAnswer),
            ("endless", 3, Verdict::TimeLimit),
            ("endless", 9, Verdict::Accepted),
        ]);
        let slowest = found.longest_that_ended().unwrap();
        assert_eq!((&*slowest.submission, slowest.cpu_us), ("slow", 7));
        let endless = found.times_of("p", "endless").unwrap();
        assert_eq!(endless.stopped_case(), Some("c"));
        assert!(!endless.has_ended_on("c"));
        let slow = found.times_of("p", "slow").unwrap();
        assert!(
            slow.has_ended() && slow.has_ended_on("c") && !slow.has_ended_on("d")
        );
        assert!(found.times_of("p", "unknown").is_none());
        let idle = survey(&[("endless", 9, Verdict::IdleLimit)]);
        assert!(idle.longest_that_ended().is_none());
    }

    #[test]
    fn a_time_is_converted_to_the_limit_without_what_its_language_is_granted() {
        let mut found = survey(&[("slow", 900, Verdict::Accepted)]);
        found.entry(&"p".into(), &"slow".into()).limit_us = 3_000;
        let times = found.times_of("p", "slow").unwrap();
        let longest = times.longest_for("slow", 1_000, |_| true).unwrap();
        assert_eq!(longest.cpu_us, 300);
        let wrong = times
            .longest_for("slow", 1_000, |time| time.verdict != Verdict::Accepted);
        assert!(wrong.is_none());
    }
}
