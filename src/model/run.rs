//! What the sandbox saw of one process tree. Figures without an opinion, and the one table that tells which
//! limit they break.

use std::fmt;
use std::io::Read;
use std::time::Duration;

use serde::Deserialize;
use serde::Serialize;

use crate::model::Limits;
use crate::model::Verdict;

/// How the first process of a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// It exited with this code, 0 to 255.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
}

impl Exit {
    /// Whether it ended by itself and with code 0.
    pub fn is_clean(self) -> bool {
        self == Self::Code(0)
    }
}

/// Names of the signals that end programs, by their numbers on Linux (the same on every architecture that
/// Rust's standard library supports but MIPS and SPARC). Source: signal(7).
const SIGNALS: [(i32, &str); 16] = [
    (1, "SIGHUP"),
    (2, "SIGINT"),
    (3, "SIGQUIT"),
    (4, "SIGILL"),
    (5, "SIGTRAP"),
    (6, "SIGABRT"),
    (7, "SIGBUS"),
    (8, "SIGFPE"),
    (9, "SIGKILL"),
    (11, "SIGSEGV"),
    (13, "SIGPIPE"),
    (14, "SIGALRM"),
    (15, "SIGTERM"),
    (24, "SIGXCPU"),
    (25, "SIGXFSZ"),
    (31, "SIGSYS"),
];

impl fmt::Display for Exit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(out, "exit code {code}"),
            Self::Signal(number) => match SIGNALS.iter().find(|signal| signal.0 == *number) {
                Some((_, name)) => write!(out, "{name}"),
                None => write!(out, "signal {number}"),
            },
        }
    }
}

/// What a run used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time of the whole tree.
    pub cpu: Duration,
    /// Time on the clock, from exec to the exit of the first process.
    pub wall: Duration,
    /// The part of `wall` in which the run wanted a processor and had none: the machine's fault, not its own.
    pub starved: Duration,
    /// Peak memory, in bytes.
    pub peak_memory_bytes: u64,
}

/// One finished run.
pub struct Run {
    /// How its first process ended.
    pub exit: Exit,
    /// What it used.
    pub usage: Usage,
    /// Whether the kernel refused or killed it for memory, at a limit that the peak itself cannot exceed.
    pub out_of_memory: bool,
    /// Standard output, from its first byte.
    pub stdout: Box<dyn Read + Send>,
    /// Bytes written to standard output.
    pub stdout_bytes: u64,
    /// Bytes written to standard error.
    pub stderr_bytes: u64,
    /// The last 4 KiB of standard error.
    pub stderr_tail: Vec<u8>,
}

/// Whether a run broke the limit that a verdict stands for.
type Test = fn(&Run, &Limits) -> bool;

/// The order in which a run's breaches are blamed: of several, the first. Design, section 3.
///
/// Output comes first because a program that floods is stopped by a signal and may look like a crash; memory
/// before time, because one that thrashes is slow for want of memory.
const BREACHES: [(Verdict, Test); 5] = [
    (Verdict::OutputLimit, |run, limits| run.stdout_bytes.max(run.stderr_bytes) > limits.output_bytes),
    (Verdict::MemoryLimit, |run, limits| {
        run.out_of_memory || run.usage.peak_memory_bytes > limits.memory_bytes
    }),
    (Verdict::TimeLimit, |run, limits| run.usage.cpu > limits.cpu),
    (Verdict::IdleLimit, |run, limits| run.usage.wall.saturating_sub(run.usage.starved) > limits.wall),
    (Verdict::RuntimeError, |run, _| !run.exit.is_clean()),
];

impl Run {
    /// The verdict that the run earned by its conduct alone, before anyone reads its output; `None` if it
    /// kept every limit and ended well.
    pub fn breach(&self, limits: &Limits) -> Option<Verdict> {
        BREACHES.iter().find(|(_, broke)| broke(self, limits)).map(|(verdict, _)| *verdict)
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Run")
            .field("exit", &self.exit)
            .field("usage", &self.usage)
            .field("out_of_memory", &self.out_of_memory)
            .field("stdout_bytes", &self.stdout_bytes)
            .field("stderr_bytes", &self.stderr_bytes)
            .field("stderr_tail", &String::from_utf8_lossy(&self.stderr_tail))
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        cpu: Duration::from_secs(1),
        wall: Duration::from_secs(2),
        memory_bytes: 1000,
        output_bytes: 100,
        processes: 1,
    };

    /// A run that uses exactly its limits, and one more of each whose bit is set in `broken`.
    fn run_breaking(broken: u32) -> Run {
        let over = |bit: u32| u64::from(broken >> bit & 1);
        Run {
            exit: if broken >> 4 & 1 == 1 { Exit::Signal(9) } else { Exit::Code(0) },
            usage: Usage {
                cpu: LIMITS.cpu + Duration::from_nanos(over(2)),
                wall: LIMITS.wall + Duration::from_nanos(over(3)),
                starved: Duration::ZERO,
                peak_memory_bytes: LIMITS.memory_bytes + over(1),
            },
            out_of_memory: false,
            stdout: Box::new(std::io::empty()),
            stdout_bytes: LIMITS.output_bytes + over(0),
            stderr_bytes: 0,
            stderr_tail: Vec::new(),
        }
    }

    #[test]
    fn of_all_combinations_of_breaches_the_first_in_order_is_blamed() {
        let order = ["OLE", "MLE", "TLE", "ILE", "RE"];
        for broken in 0..1 << order.len() {
            let expected = order.get(u32::trailing_zeros(broken) as usize).copied();
            let found = run_breaking(broken).breach(&LIMITS).map(Verdict::code);
            assert_eq!(found, expected, "breaches {broken:05b}");
        }
    }

    #[test]
    fn a_run_exactly_at_every_limit_keeps_them() {
        assert_eq!(run_breaking(0).breach(&LIMITS), None);
    }

    #[test]
    fn time_spent_waiting_for_a_processor_is_not_idling() {
        let mut run = run_breaking(0b01000);
        run.usage.starved = Duration::from_nanos(1);
        assert_eq!(run.breach(&LIMITS), None);
    }

    #[test]
    fn a_flood_on_standard_error_is_output_too() {
        let run = Run { stderr_bytes: 101, ..run_breaking(0) };
        assert_eq!(run.breach(&LIMITS), Some(Verdict::OutputLimit));
    }

    #[test]
    fn an_exit_is_named_by_code_or_signal() {
        assert_eq!(Exit::Code(3).to_string(), "exit code 3");
        assert_eq!(Exit::Signal(11).to_string(), "SIGSEGV");
        assert_eq!(Exit::Signal(40).to_string(), "signal 40");
    }
}
