//! The table that decides which limit a run broke.

use gridjudge_sandbox::{Limits, Run};

use crate::model::{LoggedLimits, TrialRecord, Verdict};
use crate::text::{mebibytes, one_line, time};

use Verdict::{
    Accepted, CompileError, IdleLimit, MemoryLimit, OutputLimit, PresentationError,
    RuntimeError, Skipped, TimeLimit, WrongAnswer,
};

/// Whether a run broke the limit that a verdict stands for.
type BreachTest = fn(&Run, &Limits) -> bool;

/// The verdicts that a run alone can settle, in the order in which breaches are blamed:
/// if a run broke several limits, the first one counts. See “Order of blame” in `docs/verdicts.md`.
///
/// Output comes first because a program that floods is stopped by a signal and may look
/// like a crash. Memory comes before time because a program that thrashes is slow for
/// want of memory.
const BREACHES: [(Verdict, BreachTest); 5] = [
    (OutputLimit, |run, limits| {
        run.stdout_bytes.max(run.stderr_bytes) > limits.output_bytes
    }),
    (MemoryLimit, |run, limits| {
        run.out_of_memory || run.usage.peak_memory_bytes > limits.memory_bytes
    }),
    (TimeLimit, |run, limits| run.usage.cpu > limits.cpu),
    (IdleLimit, |run, limits| {
        run.usage.wall.saturating_sub(run.usage.starved) > limits.wall
    }),
    (RuntimeError, |run, _| !run.exit.is_clean()),
];

/// The verdict that follows from a run's exit and usage alone, before its output is
/// read; `None` if it kept every limit and ended well.
pub fn verdict_of_breach(run: &Run, limits: &Limits) -> Option<Verdict> {
    let broken = BREACHES.iter().find(|(_, broke)| broke(run, limits))?;
    Some(broken.0)
}

// Describes which limit a trial broke and by how much, or how its program ended, for
// the summary of a submission and for every report. Knows verdicts, figures and limits,
// but not findings.

impl TrialRecord {
    /// The broken limit, with the figures that show it, or how the program ended, with
    /// the exception, and in which pass, if there were several; `None` if no limit was
    /// broken or a figure is missing.
    pub fn breach(&self, limits: Option<LoggedLimits>) -> Option<String> {
        let breach = match self.verdict {
            RuntimeError => {
                let exit = self.exit?;
                let said = exception(&self.stderr)
                    .map_or(String::new(), |said| format!(": {}", one_line(said)));
                format!("ended with {exit}{said}")
            }
            TimeLimit => {
                let cpu = time(self.cpu_us?);
                let allowed = time(limits?.cpu_us);
                // A program may be stopped so soon that no digit shows it.
                if cpu == allowed {
                    format!("more than {allowed} of CPU time, {allowed} allowed")
                } else {
                    format!("stopped at {cpu} of CPU time, {allowed} allowed")
                }
            }
            IdleLimit => {
                let wall = time(self.wall_us?);
                let cpu = time(self.cpu_us?);
                let allowed = time(limits?.wall_us);
                format!(
                    "{wall} of wall time with {cpu} of CPU time, {allowed} allowed"
                )
            }
            MemoryLimit => {
                let peak = mebibytes(self.peak_memory_bytes?);
                let allowed = mebibytes(limits?.memory_bytes);
                format!("{peak} of memory, {allowed} allowed")
            }
            OutputLimit => {
                let allowed = mebibytes(limits?.output_bytes);
                format!("more than {allowed} of output")
            }
            Accepted | WrongAnswer | PresentationError | CompileError | Skipped => {
                return None;
            }
        };
        Some(match self.pass {
            Some(pass) => format!("pass {pass}: {breach}"),
            None => breach,
        })
    }
}

/// What is in a line that names an error.
const ERRORS: [&str; 6] = [
    "Error",
    "Exception",
    "terminate called after",
    "panic: ",
    "fatal error: ",
    "panicked at",
];

/// The line of standard error that names the exception by which a program ended: the
/// last one that does, or in Python the last. Traces are indented. Rust says what
/// happened on the next line.
fn exception(stderr: &str) -> Option<&str> {
    let is_python = stderr.contains("Traceback (most recent call last):");
    let lines: Vec<_> = stderr.lines().collect();
    let at = lines.iter().rposition(|line| {
        line.starts_with(char::is_alphabetic)
            && (is_python || ERRORS.iter().any(|error| line.contains(error)))
    })?;
    let next = lines.get(at + 1).filter(|_| lines[at].ends_with(':'));
    Some(next.unwrap_or(&lines[at]))
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
            stderr_tail: vec![],
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
    fn a_program_that_ended_by_an_exception_is_told_with_it() {
        for (stderr, said) in [
            ("", ""),
            ("debug: 5\n", ""),
            (
                "here\nTraceback (most recent call last):\n  File \"a.py\", line 1\n    1/0\n    ~^~\n\
                 ZeroDivisionError: division by zero\n",
                ": ZeroDivisionError: division by zero",
            ),
            (
                "Traceback (most recent call last):\n  a\nKeyError: 'a'\n\nDuring handling of the above \
                 exception, another exception occurred:\n\nTraceback (most recent call last):\n  b\n\
                 ValueError: b\x1b\n",
                ": ValueError: b\\u{1b}",
            ),
            (
                "Exception in thread \"main\" java.lang.StackOverflowError\n\tat A.f(A.java:3)\n",
                ": Exception in thread \"main\" java.lang.StackOverflowError",
            ),
            (
                "/a.js:1\nthrow new Error(\"x\")\n^\n\nError: x\n    at Object.<anonymous> (/a.js:1:7)\n",
                ": Error: x",
            ),
            (
                "\nthread 'main' (7) panicked at a.rs:2:5:\nindex out of bounds: 5\nnote: run with\n",
                ": index out of bounds: 5",
            ),
            (
                "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n",
                ": terminate called after throwing an instance of 'std::bad_alloc'",
            ),
            (
                "panic: no\n\ngoroutine 1 [running]:\nmain.main()\n",
                ": panic: no",
            ),
        ] {
            let record = TrialRecord {
                verdict: Verdict::RuntimeError,
                exit: Some(Exit::Code(1)),
                stderr: stderr.to_owned(),
                ..TrialRecord::default()
            };
            assert_eq!(
                record.breach(None),
                Some(format!("ended with exit code 1{said}"))
            );
        }
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
