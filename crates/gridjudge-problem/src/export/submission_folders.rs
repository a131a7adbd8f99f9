//! Decides how an export expresses the expected verdicts of a submission: by a folder
//! that all judges of a format know, or by other means.

use crate::export::ExportTarget;
use crate::model::{Expected, Verdict};

/// The place of a submission in an export, and what tells its expected verdicts if the
/// folder does not.
#[derive(Default)]
pub(super) struct SubmissionPlace {
    pub(super) folder: &'static str,
    /// The words for `@EXPECTED_RESULTS@` in the source.
    pub(super) tag: Vec<&'static str>,
    /// The permitted and the required verdicts of a rule in `submissions.yaml`.
    pub(super) permitted: Vec<&'static str>,
    pub(super) required: Vec<&'static str>,
}

/// The verdicts that Kattis' formats distinguish.
const LETTERS: [&str; 4] = ["AC", "WA", "TLE", "RTE"];

/// The folders and the verdicts that they stand for. All formats have the first
/// [`OF_ALL`]; only 2025-09 has the rest.
const FOLDERS: [(&str, &[&str]); 6] = [
    ("accepted", &["AC"]),
    ("wrong_answer", &["WA"]),
    ("time_limit_exceeded", &["TLE"]),
    ("run_time_error", &["RTE"]),
    ("rejected", &["WA", "TLE", "RTE"]),
    ("brute_force", &["TLE", "RTE"]),
];
const OF_ALL: usize = 4;

/// The folder of submissions whose expected verdicts are given elsewhere.
const MIXED: &str = "mixed";

impl SubmissionPlace {
    /// The place of a submission with these expected verdicts.
    ///
    /// # Errors
    /// Returns why the format cannot express them.
    pub(super) fn choose(
        expected: &Expected,
        target: ExportTarget,
    ) -> Result<Self, String> {
        let verdicts = &without_implied(expected.verdicts());
        if verdicts.is_empty() {
            return Err("no verdict is expected of it, but points".to_owned());
        }
        if target == ExportTarget::DomJudge {
            return Ok(Self::of_domjudge(verdicts));
        }
        // Beside any rejection, it may be left out with a note. Otherwise another
        // promise would remain.
        let others = verdicts
            .iter()
            .filter(|verdict| **verdict != Verdict::CompileError)
            .count();
        if verdicts.contains(&Verdict::CompileError) && others < 2 {
            return Err(
                "the format knows no submissions that do not compile".to_owned()
            );
        }
        // Depending on the judge, a program that prints without end is wrong, too slow
        // or cut off.
        if *verdicts == [Verdict::OutputLimit] {
            return if target.uses_legacy_layout() {
                Err("the format cannot express too much output".to_owned())
            } else {
                Ok(Self::in_folder("rejected"))
            };
        }
        let letters = letters_of(verdicts);
        let known = &FOLDERS[..if target.uses_legacy_layout() {
            OF_ALL
        } else {
            FOLDERS.len()
        }];
        match known.iter().find(|row| row.1 == letters) {
            Some((folder, _)) => Ok(Self::in_folder(folder)),
            None if target.uses_legacy_layout() => Err(format!(
                "the format has no folder for `{}`",
                letters.join(" or ")
            )),
            None if letters.contains(&"AC") => Ok(Self {
                permitted: letters,
                ..Self::in_folder(MIXED)
            }),
            // Some cases may be accepted, but at least one must have one of these
            // verdicts.
            None => Ok(Self {
                permitted: [&["AC"], &letters[..]].concat(),
                required: letters,
                ..Self::in_folder(MIXED)
            }),
        }
    }

    /// The place of a submission whose folder stands for the expected verdicts.
    fn in_folder(folder: &'static str) -> Self {
        Self {
            folder,
            ..Self::default()
        }
    }

    fn of_domjudge(verdicts: &[Verdict]) -> Self {
        // DOMjudge distinguishes too much memory from a crash. Both together are the
        // runtime error of the other formats.
        let exact: [(&str, &[Verdict]); 7] = [
            ("accepted", &[Verdict::Accepted]),
            ("output_limit", &[Verdict::OutputLimit]),
            (
                "wrong_answer",
                &[
                    Verdict::WrongAnswer,
                    Verdict::PresentationError,
                    Verdict::OutputLimit,
                ],
            ),
            (
                "time_limit_exceeded",
                &[Verdict::TimeLimit, Verdict::IdleLimit],
            ),
            ("run_time_error", &[Verdict::RuntimeError]),
            (
                "run_time_error",
                &[Verdict::RuntimeError, Verdict::MemoryLimit],
            ),
            ("compiler_error", &[Verdict::CompileError]),
        ];
        if let Some((folder, _)) = exact.iter().find(|row| {
            verdicts.iter().all(|verdict| row.1.contains(verdict))
                && verdicts != [Verdict::MemoryLimit]
        }) {
            return Self::in_folder(folder);
        }
        let mut words: Vec<_> = Verdict::all()
            .filter(|verdict| verdicts.contains(verdict))
            .filter_map(word_of)
            .collect();
        // DOMjudge tells no output at all from a wrong one. On a machine that does not
        // measure a program's memory, using too much is a crash.
        if words.contains(&"WRONG-ANSWER") {
            words.push("NO-OUTPUT");
        }
        if words.contains(&"MEMORY-LIMIT") && !words.contains(&"RUN-ERROR") {
            words.push("RUN-ERROR");
        }
        words.dedup();
        Self {
            tag: words,
            ..Self::in_folder(MIXED)
        }
    }
}

/// The verdicts without too much output where a program may be too slow: the judges of
/// these formats say that of one that prints without end, so the promise of the latter
/// contains that of the former.
fn without_implied(verdicts: &[Verdict]) -> Vec<Verdict> {
    let is_slow = verdicts.contains(&Verdict::TimeLimit)
        && !verdicts.contains(&Verdict::WrongAnswer);
    verdicts
        .iter()
        .filter(|verdict| !is_slow || **verdict != Verdict::OutputLimit)
        .copied()
        .collect()
}

/// The verdicts as Kattis' formats distinguish them, in the order of [`LETTERS`].
fn letters_of(verdicts: &[Verdict]) -> Vec<&'static str> {
    LETTERS
        .into_iter()
        .filter(|letters| {
            verdicts
                .iter()
                .any(|verdict| letter_of(*verdict) == Some(*letters))
        })
        .collect()
}

/// The word of Kattis' formats for a verdict, if they know it.
fn letter_of(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Accepted => Some("AC"),
        Verdict::WrongAnswer | Verdict::PresentationError | Verdict::OutputLimit => {
            Some("WA")
        }
        Verdict::TimeLimit | Verdict::IdleLimit => Some("TLE"),
        Verdict::RuntimeError | Verdict::MemoryLimit => Some("RTE"),
        Verdict::CompileError | Verdict::Skipped => None,
    }
}

/// DOMjudge's word for a verdict, if it has one.
fn word_of(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Accepted => Some("CORRECT"),
        Verdict::WrongAnswer | Verdict::PresentationError => Some("WRONG-ANSWER"),
        Verdict::TimeLimit | Verdict::IdleLimit => Some("TIMELIMIT"),
        Verdict::MemoryLimit => Some("MEMORY-LIMIT"),
        Verdict::OutputLimit => Some("OUTPUT-LIMIT"),
        Verdict::RuntimeError => Some("RUN-ERROR"),
        Verdict::CompileError => Some("COMPILER-ERROR"),
        Verdict::Skipped => None,
    }
}
