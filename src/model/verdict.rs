//! What a submission earned on a case. Knows the ten verdicts, their codes, and the folders that stand for them.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use serde::Serialize;

/// What a submission earned on one case, or, taken over its cases, altogether.
///
/// A judge's own failure is not among them: that is a [`Fault`](gridjudge_sandbox::Fault).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// The output is right and every limit was kept.
    #[serde(rename = "AC")]
    Accepted,
    /// The output is not an answer to the input.
    #[serde(rename = "WA")]
    WrongAnswer,
    /// Right but for white space, where the problem is strict about it.
    #[serde(rename = "PE")]
    PresentationError,
    /// More CPU time than allowed, all processes of the submission together.
    #[serde(rename = "TLE")]
    TimeLimit,
    /// The wall clock ran out while CPU time was left.
    #[serde(rename = "ILE")]
    IdleLimit,
    /// More memory than allowed at its peak.
    #[serde(rename = "MLE")]
    MemoryLimit,
    /// More output than allowed, on standard output or standard error.
    #[serde(rename = "OLE")]
    OutputLimit,
    /// An exit code other than zero, or death by a signal.
    #[serde(rename = "RE")]
    RuntimeError,
    /// The compiler refused the source.
    #[serde(rename = "CE")]
    CompileError,
    /// Not judged, because an earlier case had settled the submission.
    #[serde(rename = "SK")]
    Skipped,
}

/// Each verdict with its code, what it means to its author, and the folders of example submissions that
/// promise it; the first folder is ours, the others are what neighbours of ours use.
const TABLE: [(Verdict, &str, &str, &[&str]); 10] = [
    (Verdict::Accepted, "AC", "accepted", &["accepted"]),
    (Verdict::WrongAnswer, "WA", "wrong answer", &["wrong", "wrong_answer"]),
    (Verdict::PresentationError, "PE", "presentation error", &["presentation", "presentation_error"]),
    (Verdict::TimeLimit, "TLE", "time limit exceeded", &["slow", "time_limit_exceeded"]),
    (Verdict::IdleLimit, "ILE", "idle: wall time ran out", &["idle", "idle_limit_exceeded"]),
    (Verdict::MemoryLimit, "MLE", "memory limit exceeded", &["memory", "memory_limit_exceeded"]),
    (Verdict::OutputLimit, "OLE", "output limit exceeded", &["output", "output_limit_exceeded"]),
    (Verdict::RuntimeError, "RE", "runtime error", &["crash", "run_time_error"]),
    (Verdict::CompileError, "CE", "compile error", &["compile", "compile_error"]),
    (Verdict::Skipped, "SK", "not judged", &[]),
];

impl Verdict {
    /// All verdicts, in the order of the documentation.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    /// The code that reports and logs use, as `WA`.
    pub fn code(self) -> &'static str {
        self.row().1
    }

    /// What the code stands for, as `wrong answer`.
    pub fn meaning(self) -> &'static str {
        self.row().2
    }

    /// Whether it tells of time, in which the machine has its share.
    pub fn is_about_time(self) -> bool {
        matches!(self, Self::TimeLimit | Self::IdleLimit)
    }

    /// Whether the machine has its share in it: in time, or in which memory is counted for whom.
    pub fn depends_on_machine(self) -> bool {
        self.is_about_time() || self == Self::MemoryLimit
    }

    /// The verdict that a folder of example submissions stands for, if its name is known.
    pub fn expected_by_folder(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.3.contains(&name)).map(|row| row.0)
    }

    /// Every folder name that expects a verdict, ours first.
    pub fn folders() -> impl Iterator<Item = &'static str> {
        TABLE.iter().filter_map(|row| row.3.first().copied())
    }

    fn row(self) -> &'static (Self, &'static str, &'static str, &'static [&'static str]) {
        // The table lists the variants in the order of their declaration, which a test holds it to.
        &TABLE[self as usize]
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.code())
    }
}

impl FromStr for Verdict {
    type Err = ();

    fn from_str(code: &str) -> Result<Self, ()> {
        TABLE.iter().find(|row| row.1 == code).map(|row| row.0).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_lists_every_verdict_at_its_own_place() {
        for (place, row) in TABLE.iter().enumerate() {
            assert_eq!(row.0 as usize, place, "{}", row.1);
        }
    }

    #[test]
    fn codes_round_trip_in_text_and_in_json() {
        for verdict in Verdict::all() {
            assert_eq!(verdict.code().parse(), Ok(verdict));
            assert_eq!(serde_json::to_string(&verdict).unwrap(), format!("\"{verdict}\""));
        }
    }

    #[test]
    fn a_folder_promises_one_verdict_at_most() {
        let names: Vec<_> = TABLE.iter().flat_map(|row| row.3).collect();
        for name in &names {
            assert_eq!(names.iter().filter(|other| other == &name).count(), 1, "{name}");
        }
    }
}
