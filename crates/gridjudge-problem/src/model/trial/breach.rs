//! The table that decides which limit a run broke.

use gridjudge_sandbox::{Limits, Run};

use crate::model::{LoggedLimits, TrialRecord, Verdict};
use crate::text::{mebibytes, time};

use Verdict::{
    Accepted, CompileError, IdleLimit, MemoryLimit, OutputLimit, PresentationError,
    RuntimeError, Skipped, TimeLimit, WrongAnswer,
};

/// Whether a run broke the limit that a verdict stands for.
type Test = fn(&Run, &Limits) -> bool;

/// The order in which breaches are blamed: if a run broke several limits, the first one
/// counts. See “Order of blame” in `docs/verdicts.md`.
///
/// Output comes first because a program that floods is stopped by a signal and may look
/// like a crash. Memory comes before time because a program that thrashes is slow for
/// want of memory.
const BLAMED_IN_ORDER: [Verdict; 5] =
    [OutputLimit, MemoryLimit, TimeLimit, IdleLimit, RuntimeError];

/// The test for a verdict that a run alone can settle; `None` for all other verdicts. A
/// verdict with a test must also be in [`BLAMED_IN_ORDER`].
fn test_for(verdict: Verdict) -> Option<Test> {
    match verdict {
        OutputLimit => Some(|run, limits| {
            run.stdout_bytes.max(run.stderr_bytes) > limits.output_bytes
        }),
        MemoryLimit => Some(|run, limits| {
            run.out_of_memory || run.usage.peak_memory_bytes > limits.memory_bytes
        }),
        TimeLimit => Some(|run, limits| run.usage.cpu > limits.cpu),
        IdleLimit => Some(|run, limits| {
            run.usage.wall.saturating_sub(run.usage.starved) > limits.wall
        }),
        RuntimeError => Some(|run, _| !run.exit.is_clean()),
        // Decided by the output, by the compiler, or by an earlier case.
        Accepted | WrongAnswer | PresentationError | CompileError | Skipped => None,
    }
}

/// The verdict that follows from a run's exit and usage alone, before its output is
/// read; `None` if it kept every limit and ended well.
pub fn verdict_of_breach(run: &Run, limits: &Limits) -> Option<Verdict> {
    BLAMED_IN_ORDER
        .into_iter()
        .find(|verdict| test_for(*verdict).is_some_and(|broke| broke(run, limits)))
}

// Describes which limit a trial broke and by how much, or how its program ended, for
// the summary of a submission and for every report. Knows verdicts, figures and limits,
// but not findings.

impl TrialRecord {
    /// The broken limit, with the figures that show it; `None` if no limit was broken
    /// or a figure is missing.
    pub fn breach(&self, limits: Option<LoggedLimits>) -> Option<String> {
        if self.verdict == RuntimeError {
            return self.exit.map(|exit| format!("ended with {exit}"));
        }
        let limits = limits?;
        match self.verdict {
            TimeLimit => {
                let cpu = time(self.cpu_us?);
                let allowed = time(limits.cpu_us);
                // A program may be stopped so soon that no digit shows it.
                Some(if cpu == allowed {
                    format!("more than {allowed} of CPU time, {allowed} allowed")
                } else {
                    format!("stopped at {cpu} of CPU time, {allowed} allowed")
                })
            }
            IdleLimit => {
                let wall = time(self.wall_us?);
                let cpu = time(self.cpu_us?);
                let allowed = time(limits.wall_us);
                Some(format!(
                    "{wall} of wall time with {cpu} of CPU time, {allowed} allowed"
                ))
            }
            MemoryLimit => {
                let peak = mebibytes(self.peak_memory_bytes?);
                Some(format!(
                    "{peak} of memory, {} allowed",
                    mebibytes(limits.memory_bytes)
                ))
            }
            OutputLimit => Some(format!(
                "more than {} of output",
                mebibytes(limits.output_bytes)
            )),
            Accepted | WrongAnswer | PresentationError | RuntimeError
            | CompileError | Skipped => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use gridjudge_sandbox::{Exit, Usage};

    use super::*;
    use crate::model::trial::tests::LIMITS;

    /// A run that uses exactly its limits, and one unit more of each limit whose bit is
    /// set in `broken`.
    fn run_breaking(broken: u32) -> Run {
        let over = |bit: u32| u64::from(broken >> bit & 1);
        Run {
            exit: if broken >> 4 & 1 == 1 {
                Exit::Signal(9)
            } else {
                Exit::Code(0)
            },
            usage: Usage {
                cpu: LIMITS.cpu + Duration::from_nanos(over(2)),
                wall: LIMITS.wall + Duration::from_nanos(over(3)),
                starved: Duration::ZERO,
                idled_by_itself: false,
                peak_memory_bytes: LIMITS.memory_bytes + over(1),
                hidden_memory_bytes: 0,
            },
            missing_output: None,
            out_of_memory: false,
            stdout: Box::new(std::io::empty()),
            stdout_bytes: LIMITS.output_bytes + over(0),
            stderr_bytes: 0,
            stderr_tail: Vec::new(),
        }
    }

    #[test]
    fn of_several_breaches_the_first_in_order_is_blamed() {
        let order = ["OLE", "MLE", "TLE", "ILE", "RE"];
        for broken in 0..1 << order.len() {
            let expected = order.get(u32::trailing_zeros(broken) as usize).copied();
            let found =
                verdict_of_breach(&run_breaking(broken), &LIMITS).map(Verdict::code);
            assert_eq!(found, expected, "breaches {broken:05b}");
        }
    }

    #[test]
    fn every_verdict_with_a_test_has_its_place_in_the_order() {
        for verdict in Verdict::all() {
            assert_eq!(
                BLAMED_IN_ORDER.contains(&verdict),
                test_for(verdict).is_some(),
                "{verdict}"
            );
        }
    }

    #[test]
    fn a_run_exactly_at_every_limit_breaks_none() {
        assert_eq!(verdict_of_breach(&run_breaking(0), &LIMITS), None);
    }

    #[test]
    fn time_spent_waiting_for_a_processor_is_not_idling() {
        let mut run = run_breaking(0b01000);
        run.usage.starved = Duration::from_nanos(1);
        assert_eq!(verdict_of_breach(&run, &LIMITS), None);
    }

    #[test]
    fn standard_error_counts_towards_the_output_limit() {
        let run = Run {
            stderr_bytes: 101,
            ..run_breaking(0)
        };
        assert_eq!(verdict_of_breach(&run, &LIMITS), Some(Verdict::OutputLimit));
    }
}
