//! Collects the longest times that submissions took, from the events of a suite. Knows neither
//! limits nor rules.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::{Event, TrialRecord};
use crate::report::SlowestCase;

/// The longest time of each submission of one problem.
#[derive(Default)]
pub(crate) struct LongestTimes {
    by_submission: BTreeMap<Arc<str>, SlowestCase>,
}

impl LongestTimes {
    pub(crate) fn take(&mut self, event: &Event) {
        if let Event::TrialFinished(record) = event {
            self.take_trial(record);
        }
    }

    fn take_trial(&mut self, record: &TrialRecord) {
        let Some(cpu_us) = record.cpu_us else { return };
        let stopped = record.verdict.is_about_time();
        let found = || SlowestCase {
            submission: Arc::clone(&record.submission),
            case: record.case.clone(),
            cpu_us,
            stopped,
        };
        let known = self
            .by_submission
            .entry(Arc::clone(&record.submission))
            .or_insert_with(found);
        // A stopped run counts as longer than any run that ended.
        if (stopped, cpu_us) > (known.stopped, known.cpu_us) {
            *known = found();
        }
    }

    /// The case on which a submission was stopped, if it was.
    pub(crate) fn stopped_case(&self, submission: &str) -> Option<&str> {
        let longest = self
            .by_submission
            .get(submission)
            .filter(|longest| longest.stopped);
        longest.map(|longest| longest.case.as_str())
    }

    /// Whether a submission ran and was never stopped.
    pub(crate) fn has_ended(&self, submission: &str) -> bool {
        self.by_submission
            .get(submission)
            .is_some_and(|longest| !longest.stopped)
    }

    /// The longest time of the submissions that were never stopped.
    pub(crate) fn longest_that_ended(&self) -> Option<SlowestCase> {
        let ended = self
            .by_submission
            .values()
            .filter(|longest| !longest.stopped);
        ended.max_by_key(|longest| longest.cpu_us).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Verdict;

    fn times(trials: &[(&str, u64, Verdict)]) -> LongestTimes {
        let mut times = LongestTimes::default();
        for (submission, cpu_us, verdict) in trials {
            let record = serde_json::json!({
                "problem": "p", "submission": submission, "case": "c", "verdict": verdict, "cpu_us": cpu_us,
            });
            times.take_trial(&serde_json::from_value(record).unwrap());
        }
        times
    }

    #[test]
    fn submissions_that_were_stopped_have_no_longest_time() {
        let found = times(&[
            ("fast", 5, Verdict::Accepted),
            ("slow", 7, Verdict::Accepted),
            ("slow", 6, Verdict::WrongAnswer),
            ("endless", 3, Verdict::TimeLimit),
            ("endless", 9, Verdict::Accepted),
        ]);
        let slowest = found.longest_that_ended().unwrap();
        assert_eq!((&*slowest.submission, slowest.cpu_us), ("slow", 7));
        assert_eq!(
            (found.stopped_case("endless"), found.stopped_case("slow")),
            (Some("c"), None)
        );
        assert_eq!(
            ["slow", "endless", "unknown"].map(|name| found.has_ended(name)),
            [true, false, false]
        );
        assert!(
            times(&[("endless", 9, Verdict::IdleLimit)])
                .longest_that_ended()
                .is_none()
        );
    }
}
