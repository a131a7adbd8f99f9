//! Explains in a few words why a compiler has failed: which limit it broke, or how it ended and
//! that no limit was to blame. Knows runs and limits; decides nothing.

use crate::model::{Verdict, micros};
use crate::text::{mebibytes, round_size, round_time, time};
use gridjudge_sandbox::{Exit, Limits, Run, Usage};

/// Messages of compilers about failures of their own, not of the source.
const OWN_FAILURES: [&str; 5] = [
    "internal compiler error",
    "signal terminated program",
    "compiler unexpectedly panicked",
    "PLEASE submit a bug report",
    "An exception has occurred in the compiler",
];

/// Words in messages of compilers that lacked something on this machine or lost a part of
/// themselves, as a linker, in lower case. Other messages may contain them, too.
const SCARCITY: [&str; 15] = [
    "memory",
    "resource temporarily",
    "fork",
    "spawn",
    "thread",
    "cannot execute",
    "no space left",
    "quota",
    "input/output error",
    "too many open files",
    "killed",
    "signal",
    "bus error",
    "link",
    "exit code: -",
];

/// The most lines of a compiler's output that are shown with the reason, and the most letters of
/// them.
const MOST_LINES: usize = 8;
const MOST_LETTERS: usize = 1000;

/// The message of a compiler driver whose assembler or linker broke the limit on file sizes.
const TOO_LARGE: &str = "File size limit exceeded";

/// Adds a few lines of the compiler's output to a reason, from the first error on.
pub fn with_words(reason: &str, output: &str) -> String {
    let lines: Vec<_> = output
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let first = lines
        .iter()
        .position(|line| line.contains("error"))
        .unwrap_or(0);
    let said = lines
        .iter()
        .skip(first)
        .take(MOST_LINES)
        .copied()
        .collect::<Vec<_>>()
        .join(" / ");
    match said.char_indices().nth(MOST_LETTERS) {
        _ if said.is_empty() => reason.to_owned(),
        None => format!("{reason}: {said}"),
        Some((end, _)) => format!("{reason}: {} ...", &said[..end]),
    }
}

/// Whether something else than the source may have made a compiler fail that said this.
pub(crate) fn may_be_of_machine(said: &str) -> bool {
    let lower = said.to_lowercase();
    SCARCITY.iter().any(|words| lower.contains(words))
        || OWN_FAILURES.iter().any(|words| said.contains(words))
        || said.contains(TOO_LARGE)
}

/// Explains in a few words why a compiler has failed that broke a limit or ended with an error.
pub(crate) fn reason(breach: Verdict, run: &Run, limits: &Limits, said: &str) -> String {
    match limit(breach, limits) {
        Some(limit) => format!("compiling: {} ({limit})", breach.meaning()),
        None => bad_exit(run, limits, said),
    }
}

/// The limit that a verdict blames; `None` if it blames none.
fn limit(breach: Verdict, limits: &Limits) -> Option<String> {
    match breach {
        Verdict::OutputLimit => Some(round_size(limits.output_bytes)),
        Verdict::MemoryLimit => Some(round_size(limits.memory_bytes)),
        Verdict::TimeLimit => Some(format!("{} of CPU time", round_time(micros(limits.cpu)))),
        Verdict::IdleLimit => Some(format!("{} of wall time", round_time(micros(limits.wall)))),
        Verdict::RuntimeError
        | Verdict::Accepted
        | Verdict::WrongAnswer
        | Verdict::PresentationError
        | Verdict::CompileError
        | Verdict::Skipped => None,
    }
}

/// Explains how a compiler ended that broke no limit that is measured.
fn bad_exit(run: &Run, limits: &Limits, said: &str) -> String {
    let ended = format!("the compiler ended with {}", run.exit);
    if said.contains(TOO_LARGE) {
        let hard = rustix::process::getrlimit(rustix::process::Resource::Fsize).maximum;
        let most = hard.unwrap_or(u64::MAX).min(limits.output_bytes);
        return format!(
            "{ended}, for it wrote a file of more than {}",
            round_size(most)
        );
    }
    let is_its_own = OWN_FAILURES.iter().any(|words| said.contains(words));
    match run.exit {
        Exit::Signal(_) => format!("{ended}, {}", within(&run.usage, limits)),
        Exit::Code(_) if is_its_own => {
            format!(
                "{ended}, an error of its own, {}",
                within(&run.usage, limits)
            )
        }
        Exit::Code(_) => ended,
    }
}

/// States that no limit is to blame, with the figures that show it.
fn within(usage: &Usage, limits: &Limits) -> String {
    let cpu = time(micros(usage.cpu));
    let of_cpu = round_time(micros(limits.cpu));
    let memory = mebibytes(usage.peak_memory_bytes);
    let of_memory = round_size(limits.memory_bytes);
    format!("within its limits (it used {cpu} of {of_cpu} and {memory} of {of_memory})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiler_output_is_quoted_from_its_first_error_on_and_shortened() {
        assert_eq!(with_words("it failed", " \n"), "it failed");
        assert_eq!(
            with_words("it failed", "a: note\n\n  b: error: x\n   1 | y\n"),
            "it failed: b: error: x / 1 | y"
        );
        assert_eq!(
            with_words("it failed", "make: *** no rule\n"),
            "it failed: make: *** no rule"
        );
        let lines = with_words("", &"error\n".repeat(100));
        assert_eq!(lines.matches("error").count(), MOST_LINES);
        assert_eq!(
            with_words("", &"é".repeat(1 << 16)).chars().count(),
            ": ".len() + MOST_LETTERS + " ...".len()
        );
    }
}
