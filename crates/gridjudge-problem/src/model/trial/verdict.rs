//! The verdicts of judging, their codes, and the folders that stand for them. To add a
//! verdict, add its row here: the compiler then points out most other places that must
//! handle it, and CONTRIBUTING.md lists the rest.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Declares the enum and its table together, so that no verdict can be missing from
/// either. A row contains the code, its meaning in words, and the folders of example
/// submissions that expect it: the first is ours, the others are those of other judges.
macro_rules! verdicts {
    ($($(#[$doc:meta])* $name:ident = $code:tt, $meaning:literal, $folders:expr;)*) => {
        /// The result of a submission on one case, or over all its cases.
        ///
        /// Failures of the judge are not among them: they are a
        /// [`Fault`](gridjudge_sandbox::Fault).
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord,
            Serialize, Deserialize,
        )]
        pub enum Verdict {
            $($(#[$doc])* #[serde(rename = $code)] $name,)*
        }

        /// The rows of all verdicts, in the order of the enum.
        const TABLE: [VerdictRow; Verdict::COUNT] =
            [$(VerdictRow {
                verdict: Verdict::$name,
                code: $code,
                meaning: $meaning,
                folders: &$folders,
            },)*];

        impl Verdict {
            /// How many verdicts there are.
            pub const COUNT: usize = [$($code),*].len();
        }
    };
}

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
    /// Right except for white space, and the problem is strict about that.
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
    /// Not judged, because an earlier case decided the result of the submission.
    #[default]
    Skipped = "SK", "not judged", [];
}

impl Verdict {
    /// All verdicts, in the order of the documentation.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.verdict)
    }

    /// The code with what it means, as `WA (wrong answer)`.
    pub fn with_meaning(self) -> String {
        format!("{self} ({})", self.meaning())
    }

    /// The code that reports and logs use, as `WA`.
    pub fn code(self) -> &'static str {
        self.row().code
    }

    /// What the code stands for, as `wrong answer`.
    pub fn meaning(self) -> &'static str {
        self.row().meaning
    }

    /// Whether it is about time, which also depends on the machine.
    pub fn is_about_time(self) -> bool {
        matches!(self, Self::TimeLimit | Self::IdleLimit)
    }

    /// Whether it rejects a program that was built and run.
    pub fn rejects_a_run(self) -> bool {
        use Verdict::*;

        match self {
            WrongAnswer | PresentationError | TimeLimit | IdleLimit | MemoryLimit
            | OutputLimit | RuntimeError => true,
            Accepted | CompileError | Skipped => false,
        }
    }

    /// The verdict that a folder of example submissions stands for, if its name is
    /// known.
    pub fn expected_by_folder(name: &str) -> Option<Self> {
        TABLE
            .iter()
            .find(|row| row.folders.contains(&name))
            .map(|row| row.verdict)
    }

    /// The folder names that expect a verdict in our own format, one for each verdict
    /// that has one.
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
        TABLE
            .iter()
            .find(|row| row.code == code)
            .map(|row| row.verdict)
            .ok_or(())
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
            assert_eq!(
                serde_json::to_string(&verdict).unwrap(),
                format!("\"{verdict}\"")
            );
        }
    }

    #[test]
    fn a_folder_stands_for_at_most_one_verdict() {
        let names: Vec<_> = TABLE.iter().flat_map(|row| row.folders).collect();
        for name in &names {
            assert_eq!(
                names.iter().filter(|other| other == &name).count(),
                1,
                "{name}"
            );
        }
    }
}
