//! One submission on one case: the job before it, the trial after it.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;

use crate::model::Case;
use crate::model::Exit;
use crate::model::Findings;
use crate::model::Input;
use crate::model::Launch;
use crate::model::Limits;
use crate::model::Problem;
use crate::model::Role;
use crate::model::Usage;
use crate::model::Verdict;

/// One submission on one case, self-contained: whoever holds it can run and judge it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The problem.
    pub problem: Arc<Problem>,
    /// What reports call the submission.
    pub submission: Arc<str>,
    /// The case.
    pub case: Case,
    /// What to start.
    pub launch: Launch,
    /// What it may use.
    pub limits: Limits,
}

/// A judged job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// What it earned.
    pub verdict: Verdict,
    /// How its first process ended.
    pub exit: Exit,
    /// What it used.
    pub usage: Usage,
    /// What the checker found; `None` where the run itself had settled the verdict.
    pub findings: Option<Findings>,
    /// The end of what it wrote to standard error.
    pub stderr_tail: Vec<u8>,
    /// Whether the job was run twice. All else is of the run that counts.
    pub rerun: bool,
    /// Whether it was known from an earlier time. All else is of the run of that time.
    pub cached: bool,
}

/// CPU time so close to its limit that one run beside others does not settle on which side of it a program is, in
/// hundredths of the limit. Measured beside others, a program that works on much memory takes a fifth more than alone.
const CLOSE: RangeInclusive<u128> = 80..=125;

impl Trial {
    /// Whether the machine may have had its share in what a first run earned, so that the job is to be run again, with
    /// the machine to itself; [`held_again`](Self::held_again) says which run counts then.
    pub fn is_doubtful(&self, limits: &Limits) -> bool {
        match self.verdict {
            // What is remembered is what counted, after a second run if it took one.
            _ if self.cached => false,
            // Blamed before time, and true at any speed.
            Verdict::OutputLimit | Verdict::MemoryLimit => false,
            // The wait for a processor has been deducted, but not that for a disk, or for memory to come back from one.
            Verdict::IdleLimit => true,
            _ => {
                let (used, limit) = (self.usage.cpu.as_nanos(), limits.cpu.as_nanos());
                (CLOSE.start() * limit..=CLOSE.end() * limit).contains(&(used * 100))
            }
        }
    }

    /// Of a first run and a second, the one that counts, whole.
    ///
    /// A verdict about time is given only if both earn one. Any other verdict of the first run stands, whatever the
    /// second does: a wrong answer that came in time does not become right by another try. Beyond that, the smaller CPU
    /// time counts.
    #[must_use]
    pub fn held_again(self, again: Self) -> Self {
        let was_faster = again.usage.cpu < self.usage.cpu;
        let again_counts = match (self.verdict.is_about_time(), again.verdict.is_about_time()) {
            (true, again_is_too) => was_faster || !again_is_too,
            (false, _) => was_faster && again.verdict == self.verdict,
        };
        Self { rerun: true, ..if again_counts { again } else { self } }
    }
}

/// A submission made ready to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its command.
    pub command: Vec<String>,
    /// Its environment.
    pub environment: Vec<(String, String)>,
    /// What it needs to read.
    pub readable: Vec<PathBuf>,
}

impl Program {
    /// The launch of this program, as a submission, on an input.
    pub fn on(&self, input: Input) -> Launch {
        Launch {
            command: self.command.clone(),
            environment: self.environment.clone(),
            input,
            readable: self.readable.clone(),
            role: Role::Submission,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const LIMITS: Limits = Limits {
        cpu: Duration::from_secs(1),
        wall: Duration::from_secs(2),
        memory_bytes: 1000,
        output_bytes: 100,
        processes: 1,
    };

    fn trial(verdict: Verdict, cpu_ns: u64) -> Trial {
        let usage = Usage { cpu: Duration::from_nanos(cpu_ns), ..Usage::default() };
        Trial {
            verdict,
            exit: Exit::Code(0),
            usage,
            findings: None,
            stderr_tail: Vec::new(),
            rerun: false,
            cached: false,
        }
    }

    #[test]
    fn from_four_fifths_of_the_limit_to_five_quarters_a_run_is_doubtful() {
        for (cpu_ns, doubtful) in [
            (0, false),
            (799_999_999, false),
            (800_000_000, true),
            (1_000_000_000, true),
            (1_250_000_000, true),
            (1_250_000_001, false),
        ] {
            let verdict = if cpu_ns > 1_000_000_000 { Verdict::TimeLimit } else { Verdict::Accepted };
            assert_eq!(trial(verdict, cpu_ns).is_doubtful(&LIMITS), doubtful, "{cpu_ns} ns");
        }
    }

    #[test]
    fn a_limit_of_any_length_has_exact_edges() {
        let limits = Limits { cpu: Duration::from_nanos(7), ..LIMITS };
        let doubtful = (0..12).filter(|cpu_ns| trial(Verdict::Accepted, *cpu_ns).is_doubtful(&limits));
        assert_eq!(doubtful.collect::<Vec<_>>(), [6, 7, 8]);
        let limits = Limits { cpu: Duration::MAX, ..LIMITS };
        assert!(!trial(Verdict::Accepted, u64::MAX).is_doubtful(&limits));
    }

    #[test]
    fn near_the_limit_all_are_doubtful_but_what_broke_another_limit_and_far_from_it_the_idle_alone() {
        let doubtful = |cpu_ns| {
            let verdicts = Verdict::all().filter(move |verdict| trial(*verdict, cpu_ns).is_doubtful(&LIMITS));
            verdicts.map(Verdict::code).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(doubtful(900_000_000), "AC WA PE TLE ILE RE CE SK");
        assert_eq!(doubtful(1_000_000), "ILE");
    }

    #[test]
    fn of_two_runs_the_one_that_counts_is_taken_whole() {
        for (first, again, counts) in [
            // The smaller time of the same verdict.
            (("AC", 9), ("AC", 8), ("AC", 8)),
            (("AC", 8), ("AC", 9), ("AC", 8)),
            (("WA", 9), ("WA", 8), ("WA", 8)),
            (("TLE", 12), ("TLE", 11), ("TLE", 11)),
            (("TLE", 11), ("TLE", 12), ("TLE", 11)),
            // Too much time needs two witnesses...
            (("TLE", 11), ("AC", 9), ("AC", 9)),
            (("TLE", 11), ("WA", 9), ("WA", 9)),
            (("TLE", 11), ("MLE", 12), ("MLE", 12)),
            (("TLE", 11), ("ILE", 1), ("ILE", 1)),
            (("ILE", 1), ("AC", 2), ("AC", 2)),
            (("ILE", 1), ("ILE", 2), ("ILE", 1)),
            // ...and what came in time is not tried twice.
            (("WA", 9), ("AC", 8), ("WA", 9)),
            (("AC", 9), ("WA", 8), ("AC", 9)),
            (("RE", 9), ("AC", 8), ("RE", 9)),
            (("PE", 9), ("AC", 8), ("PE", 9)),
            (("AC", 9), ("TLE", 11), ("AC", 9)),
            (("AC", 9), ("ILE", 1), ("AC", 9)),
        ] {
            let of = |(code, cpu_ns): (&str, u64)| trial(code.parse().unwrap(), cpu_ns);
            let expected = Trial { rerun: true, ..of(counts) };
            assert_eq!(of(first).held_again(of(again)), expected, "{first:?} {again:?}");
        }
    }
}
