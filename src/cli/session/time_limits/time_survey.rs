//! The times of submissions on their cases, collected from the events of a suite. Knows neither
//! rules nor what the times are for.

use crate::sorted::SortedMap;
use std::sync::Arc;

use gridjudge_sandbox::Fault;

use crate::cli::JudgeSession;
use crate::cli::session::outputs::progress;
use crate::model::{Event, TrialRecord, Verdict};
use crate::report::{JudgingPurpose, Sink, SlowestCase};
use crate::run::{JudgingOptions, Plan};

/// The times of the submissions of a suite.
#[derive(Default)]
pub(crate) struct TimeSurvey {
    /// By problem and submission.
    times: SortedMap<(Arc<str>, Arc<str>), SubmissionTimes>,
}

/// The times of one submission.
#[derive(Default)]
pub(crate) struct SubmissionTimes {
    /// Its time limit in microseconds, with what its language is granted.
    limit_us: u64,
    /// By case, those whose time is known.
    cases: SortedMap<String, CaseTime>,
}

/// The longest time of a submission on one case.
pub(crate) struct CaseTime {
    pub(crate) cpu_us: u64,
    pub(crate) verdict: Verdict,
    /// Whether it was stopped at the limit, now or in another trial.
    is_stopped: bool,
}

impl TimeSurvey {
    pub(crate) fn take(&mut self, event: &Event) {
        match event {
            Event::SubmissionStarted {
                problem,
                submission,
                limits,
                ..
            } => self.entry(problem, submission).limit_us = limits.cpu_us,
            Event::TrialFinished(record) => self.take_trial(record),
            _ => {}
        }
    }

    /// Judges a plan only to time it, and shows how far it is.
    pub(crate) fn measure(
        &mut self,
        session: &JudgeSession,
        plan: &Plan,
        purpose: JudgingPurpose,
        options: JudgingOptions<'_>,
    ) -> Result<(), Fault> {
        let mut progress = progress(plan, purpose, &session.activity);
        let judged = session.judge(plan, options, &mut |event| {
            self.take(&event);
            progress
                .iter_mut()
                .for_each(|progress| drop(progress.take(&event)));
        });
        judged.map(drop)
    }

    fn take_trial(&mut self, record: &TrialRecord) {
        let Some(cpu_us) = record.cpu_us else { return };
        let times = self.entry(&record.problem, &record.submission);
        let known = times.cases.entry(record.case.clone()).or_insert(CaseTime {
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

    fn entry(&mut self, problem: &Arc<str>, submission: &Arc<str>) -> &mut SubmissionTimes {
        let key = (Arc::clone(problem), Arc::clone(submission));
        self.times.entry(key).or_default()
    }

    /// The times of a submission; `None` if no time of it is known.
    pub(crate) fn of(&self, problem: &str, submission: &str) -> Option<&SubmissionTimes> {
        let times = self.times.get(&(problem.into(), submission.into()));
        times.filter(|times| !times.cases.is_empty())
    }

    /// The longest time of the submissions that were never stopped.
    pub(crate) fn longest_that_ended(&self) -> Option<SlowestCase> {
        let ended = self.times.iter().filter(|(_, times)| times.has_ended());
        let longest = ended.filter_map(|((_, submission), times)| {
            let (case, time) = times.longest(|_| true)?;
            Some(slowest_case(submission, case, time))
        });
        longest.max_by_key(|longest| longest.cpu_us)
    }
}

impl SubmissionTimes {
    /// The longest of the times that count, with its case.
    pub(crate) fn longest(&self, counts: impl Fn(&CaseTime) -> bool) -> Option<(&str, &CaseTime)> {
        let counting = self.cases.iter().filter(|(_, time)| counts(time));
        let longest = counting.max_by_key(|(_, time)| time.cpu_us);
        longest.map(|(case, time)| (case.as_str(), time))
    }

    /// The longest time on a case in microseconds, if one is known.
    pub(crate) fn cpu_us_on(&self, case: &str) -> Option<u64> {
        self.cases.get(case).map(|time| time.cpu_us)
    }

    /// A case on which it was stopped, if there is one.
    pub(crate) fn stopped_case(&self) -> Option<&str> {
        let mut stopped = self.cases.iter().filter(|(_, time)| time.is_stopped);
        stopped.next().map(|(case, _)| case.as_str())
    }

    /// Whether it was never stopped.
    pub(crate) fn has_ended(&self) -> bool {
        self.stopped_case().is_none()
    }

    /// Whether it ran on a case and was never stopped there.
    pub(crate) fn has_ended_on(&self, case: &str) -> bool {
        self.cases.get(case).is_some_and(|time| !time.is_stopped)
    }

    /// The longest of the times that count, converted to a time limit of the problem itself by
    /// dividing out what the language is granted beyond it.
    pub(crate) fn longest_for(
        &self,
        submission: &str,
        problem_limit_us: u64,
        counts: impl Fn(&CaseTime) -> bool,
    ) -> Option<SlowestCase> {
        let (case, time) = self.longest(counts)?;
        let percent = self.limit_us * 100 / problem_limit_us.max(1);
        Some(SlowestCase {
            cpu_us: time.cpu_us * 100 / percent.max(1),
            ..slowest_case(submission, case, time)
        })
    }
}

fn slowest_case(submission: &str, case: &str, time: &CaseTime) -> SlowestCase {
    SlowestCase {
        submission: submission.into(),
        case: case.to_owned(),
        cpu_us: time.cpu_us,
        stopped: time.is_stopped,
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
            survey.take_trial(&serde_json::from_value(record).unwrap());
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
        let endless = found.of("p", "endless").unwrap();
        assert_eq!(endless.stopped_case(), Some("c"));
        assert!(!endless.has_ended_on("c"));
        let slow = found.of("p", "slow").unwrap();
        assert!(slow.has_ended() && slow.has_ended_on("c") && !slow.has_ended_on("d"));
        assert!(found.of("p", "unknown").is_none());
        let idle = survey(&[("endless", 9, Verdict::IdleLimit)]);
        assert!(idle.longest_that_ended().is_none());
    }

    #[test]
    fn a_time_is_converted_to_the_limit_without_what_its_language_is_granted() {
        let mut found = survey(&[("slow", 900, Verdict::Accepted)]);
        found.entry(&"p".into(), &"slow".into()).limit_us = 3_000;
        let times = found.of("p", "slow").unwrap();
        let longest = times.longest_for("slow", 1_000, |_| true).unwrap();
        assert_eq!(longest.cpu_us, 300);
        let wrong = times.longest_for("slow", 1_000, |time| time.verdict != Verdict::Accepted);
        assert!(wrong.is_none());
    }
}
