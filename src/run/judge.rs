//! The outcome of judging a case: a trial, or why there is none; and that of several
//! attempts. Knows neither how a case is judged nor how the outcome is reported.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use gridjudge_sandbox::{Fault, Usage};

use crate::compile::PrepareFailure;
use crate::model::{AttemptRecord, Trial, Verdict, micros};

/// The outcome of judging a case.
pub(super) enum CaseOutcome {
    /// The case was judged.
    Judged(Box<Trial>),
    /// The judge failed, or the submission was refused or cannot be prepared on this
    /// machine.
    Failed(PrepareFailure),
    /// The case was not run, because an earlier one had settled the submission.
    NotRun,
    /// The case was not run, because the deadline came first.
    Expired,
}

/// The result of an attempt.
pub(super) struct AttemptResult {
    pub(super) outcome: CaseOutcome,
    /// The time of a calibration loop just before the run, if each case is judged
    /// several times.
    pub(super) calibration: Option<Duration>,
}

// Combines the attempts at one case into one outcome.

/// The attempts at a case so far.
#[derive(Default)]
pub(super) struct CaseAttempts {
    attempts: Vec<AttemptRecord>,
    /// The outcome that counts: the first without a verdict, else the first that is not
    /// accepted, else the first.
    counts: Option<CaseOutcome>,
}

impl CaseAttempts {
    /// Adds an attempt.
    pub(super) fn add(&mut self, attempt: AttemptResult) {
        let AttemptResult {
            outcome,
            calibration,
        } = attempt;
        if let CaseOutcome::Judged(trial) = &outcome {
            let usage = trial.usage;
            self.attempts.push(AttemptRecord {
                verdict: trial.verdict,
                cpu_us: micros(usage.cpu),
                wall_us: micros(usage.wall),
                peak_memory_bytes: usage.peak_memory_bytes,
                calibration_ns: calibration.map(|calibration| {
                    u64::try_from(calibration.as_nanos()).unwrap_or(u64::MAX)
                }),
            });
        }
        let is_better = match (&self.counts, &outcome) {
            (None, _) => true,
            (Some(CaseOutcome::Judged(counts)), CaseOutcome::Judged(trial)) => {
                counts.verdict == Verdict::Accepted
                    && trial.verdict != Verdict::Accepted
            }
            (Some(CaseOutcome::Judged(_)), _) => true,
            _ => false,
        };
        if is_better {
            self.counts = Some(outcome);
        }
    }

    /// The trial that counts of the attempts so far; `None` if there is no attempt, or
    /// one without a verdict.
    pub(super) fn trial(&self) -> Option<&Trial> {
        match &self.counts {
            Some(CaseOutcome::Judged(trial)) => Some(trial),
            _ => None,
        }
    }

    /// Returns the outcome, with the median figures of those attempts that got its
    /// verdict, and all attempts. A single attempt adds nothing to the outcome, so it
    /// is not listed. Returns `None` if there was no attempt.
    pub(super) fn finish(self) -> Option<(CaseOutcome, Vec<AttemptRecord>)> {
        let Self { attempts, counts } = self;
        Some(match counts? {
            CaseOutcome::Judged(trial) if attempts.len() > 1 => {
                let alike: Vec<_> = attempts
                    .iter()
                    .filter(|attempt| attempt.verdict == trial.verdict)
                    .collect();
                let of = |figure: fn(&AttemptRecord) -> u64| {
                    median(alike.iter().map(|attempt| figure(attempt)).collect())
                };
                let usage = Usage {
                    cpu: Duration::from_micros(of(|attempt| attempt.cpu_us)),
                    wall: Duration::from_micros(of(|attempt| attempt.wall_us)),
                    peak_memory_bytes: of(|attempt| attempt.peak_memory_bytes),
                    ..trial.usage
                };
                (
                    CaseOutcome::Judged(Box::new(Trial { usage, ..*trial })),
                    attempts,
                )
            }
            outcome => (outcome, vec![]),
        })
    }
}

/// The median. For an even number of figures, the mean of the middle two, rounded down;
/// 0 for none.
fn median(mut figures: Vec<u64>) -> u64 {
    figures.sort_unstable();
    match figures.len() {
        0 => 0,
        count => u64::midpoint(figures[(count - 1) / 2], figures[count / 2]),
    }
}

// Converts a panic of the judge into a fault of the case that it judged, so that the
// other cases are still judged and every case is reported.

/// Calls `judge` and returns its outcome, or a fault if it panics.
pub(super) fn catch_panic(judge: impl FnOnce() -> CaseOutcome) -> CaseOutcome {
    let outcome = catch_unwind(AssertUnwindSafe(judge));
    outcome.unwrap_or_else(|panic| {
        CaseOutcome::Failed(Fault::of_panic("judging", panic.as_ref()).into())
    })
}

#[cfg(test)]
mod attempts_tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_the_mean_of_the_two_around_it() {
        for (figures, expected) in [
            (vec![], 0),
            (vec![7], 7),
            (vec![9, 1, 2], 2),
            (vec![4, 1, 9, 3], 3),
        ] {
            assert_eq!(median(figures), expected);
        }
        assert_eq!(median(vec![u64::MAX; 2]), u64::MAX);
    }
}
