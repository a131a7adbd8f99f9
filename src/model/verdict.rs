//! What a submission earned on a case. Knows the verdicts, their codes, and the folders that stand for them. To add a
//! verdict, add its row here: the compiler names every other place that has to know it.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use serde::Serialize;

/// Declares the enum and its table at once, so that no verdict can be missing from either. A row holds the code, what it
/// means to the author of a submission, and the folders of example submissions that expect it: the first folder is ours,
/// the others are those of other judges.
macro_rules! verdicts {
    ($($(#[$doc:meta])* $name:ident = $code:tt, $meaning:literal, $folders:expr;)*) => {
        /// What a submission earned on one case, or, taken over its cases, altogether.
        ///
        /// A judge's own failure is not among them: that is a [`Fault`](gridjudge_sandbox::Fault).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Verdict {
            $($(#[$doc])* #[serde(rename = $code)] $name,)*
        }

        /// Each verdict, at its own place.
        const TABLE: [VerdictRow; Verdict::COUNT] =
            [$(VerdictRow { verdict: Verdict::$name, code: $code, meaning: $meaning, folders: &$folders },)*];

        impl Verdict {
            /// How many verdicts there are.
            pub const COUNT: usize = [$($code),*].len();
        }
    };
}

/// What is known of a verdict.
struct VerdictRow {
    verdict: Verdict,
    code: &'static str,
    meaning: &'static str,
    folders: &'static [&'static str],
}

verdicts! {
    /// The output is right and every limit was kept.
    Accepted = "AC", "accepted", ["accepted"];
    /// The output is not an answer to the input.
    WrongAnswer = "WA", "wrong answer", ["wrong", "wrong_answer"];
    /// Right but for white space, where the problem is strict about it.
    PresentationError = "PE", "presentation error", ["presentation", "presentation_error"];
    /// More CPU time than allowed, all processes of the submission together.
    TimeLimit = "TLE", "time limit exceeded", ["slow", "time_limit_exceeded"];
    /// The wall time ran out while CPU time was left.
    IdleLimit = "ILE", "idle: wall time ran out", ["idle", "idle_limit_exceeded"];
    /// More memory than allowed at its peak.
    MemoryLimit = "MLE", "memory limit exceeded", ["memory", "memory_limit_exceeded"];
    /// More output than allowed, on standard output or standard error.
    OutputLimit = "OLE", "output limit exceeded", ["output", "output_limit_exceeded"];
    /// An exit code other than zero, or death by a signal.
    RuntimeError = "RE", "runtime error", ["crash", "run_time_error"];
    /// The compiler refused the source.
    CompileError = "CE", "compile error", ["compile", "compile_error"];
    /// Not judged, because an earlier case had settled the submission.
    Skipped = "SK", "not judged", [];
}

impl Verdict {
    /// All verdicts, in the order of the documentation.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.verdict)
    }

    /// The code that reports and logs use, as `WA`.
    pub fn code(self) -> &'static str {
        self.row().code
    }

    /// What the code stands for, as `wrong answer`.
    pub fn meaning(self) -> &'static str {
        self.row().meaning
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
        TABLE.iter().find(|row| row.folders.contains(&name)).map(|row| row.verdict)
    }

    /// Every folder name that expects a verdict, ours first.
    pub fn folders() -> impl Iterator<Item = &'static str> {
        TABLE.iter().filter_map(|row| row.folders.first().copied())
    }

    fn row(self) -> &'static VerdictRow {
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
        TABLE.iter().find(|row| row.code == code).map(|row| row.verdict).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_lists_every_verdict_at_its_own_place() {
        for (place, row) in TABLE.iter().enumerate() {
            assert_eq!(row.verdict as usize, place, "{}", row.code);
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
        let names: Vec<_> = TABLE.iter().flat_map(|row| row.folders).collect();
        for name in &names {
            assert_eq!(names.iter().filter(|other| other == &name).count(), 1, "{name}");
        }
    }
}
