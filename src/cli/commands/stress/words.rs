//! The texts around a finding of `stress`: commands to copy, remarks, and the status line.

use std::fmt::Display;
use std::path::Path;

use crate::authoring::stress::ShrinkResult;
use crate::cli::args::{GlobalOptions, is_path};
use crate::cli::commands::stress::args::StressArgs;
use crate::cli::commands::stress::request::StressRequest;
use crate::report::clock;
use crate::text::{counted, printable};

/// Makes command lines that a user can copy to reproduce a failure.
pub(super) struct CommandWords<'a> {
    pub(super) stress: &'a StressArgs,
    pub(super) common: &'a GlobalOptions,
    pub(super) request: &'a StressRequest,
}

impl CommandWords<'_> {
    /// Where a failing input comes from, in words.
    pub(super) fn origin(&self, number: Option<u64>) -> String {
        match (number, &self.stress.input) {
            (Some(number), _) => format!("input {} of seed {}", number + 1, self.request.seed),
            (None, Some(path)) => path.display().to_string(),
            (None, None) => String::new(),
        }
    }

    /// The command that runs the submission on a case.
    pub(super) fn repeat(&self, case: &Path) -> String {
        format!(
            "{} --input {} --no-shrink",
            self.command(),
            quoted(&case.display())
        )
    }

    /// The command that finds the failure again.
    pub(super) fn search(&self, number: Option<u64>) -> String {
        match (number, &self.stress.input) {
            (Some(number), _) => {
                let command = self.command();
                let generator = self.generator();
                format!(
                    "{command}{generator} --seed {} --runs {}",
                    self.request.seed,
                    number + 1
                )
            }
            (None, Some(case)) => format!("{} --input {}", self.command(), quoted(&case.display())),
            (None, None) => self.command(),
        }
    }

    /// The options that name the generator and its arguments.
    fn generator(&self) -> String {
        let StressArgs {
            generator,
            arguments,
            ..
        } = self.stress;
        let program = generator
            .as_ref()
            .map(|path| format!(" --generator {}", quoted(&path.display())));
        let words = arguments
            .as_ref()
            .map(|words| format!(" --arguments {}", quoted(words)));
        program.unwrap_or_default() + &words.unwrap_or_default()
    }

    /// The part of the command that is the same for all inputs.
    fn command(&self) -> String {
        let folder = self.common.directory.as_ref();
        let folder = folder.map_or_else(String::new, |folder| {
            format!(" -C {}", quoted(&folder.display()))
        });
        let against = self.stress.against.as_ref();
        let against = against.map_or_else(String::new, |path| {
            format!(" --against {}", quoted(&path.display()))
        });
        let solution = self.stress.solution.as_ref();
        let solution = solution.map_or_else(String::new, |path| {
            format!(" --solution {}", quoted(&path.display()))
        });
        let submission = quoted(&self.stress.submission.display());
        // A package that was named by its path cannot be named by its id.
        let named = self.stress.problem.as_ref().filter(|named| is_path(named));
        let problem = named.map_or_else(|| self.request.entry.problem.id.clone(), quoted);
        format!("gridjudge{folder} stress -p {problem} {submission}{against}{solution}")
    }
}

/// Remarks on a shrunk input.
pub(super) fn remarks(shrunk: &ShrinkResult, was_interrupted: bool) -> Vec<String> {
    let mut remarks = Vec::new();
    if was_interrupted {
        remarks.push("interrupted: it may be possible to make it smaller".to_owned());
    } else if !shrunk.is_done {
        let why = "the runs or the time for shrinking are spent";
        remarks.push(format!(
            "{why}: `--shrink-runs` and `--shrink-time` give more"
        ));
    }
    if !shrunk.is_reproducible {
        remarks.push(
            "it does not fail every time: run once more, the program did not fail like this"
                .to_owned(),
        );
    }
    remarks
}

/// A word quoted for a shell, in visible characters: whatever is copied into a shell must be what
/// it looks like.
fn quoted(word: &impl Display) -> String {
    let word = word.to_string();
    if printable(&word) != word {
        return format!("$'{}'", word.chars().map(escaped).collect::<String>());
    }
    if !word.is_empty()
        && word
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "-_./+,=@%".contains(letter))
    {
        word
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A letter, escaped for use between `$'` and `'`.
fn escaped(letter: char) -> String {
    let text = letter.to_string();
    match letter {
        '\'' | '\\' => format!("\\{letter}"),
        // One `#` is harmless, but together with others it may begin a command of a CI service, as
        // `##[` does.
        '#' => r"\x23".to_owned(),
        _ if printable(&text) == text => text,
        _ => text.bytes().map(|byte| format!(r"\x{byte:02x}")).collect(),
    }
}

/// The status line during a search, after so many runs.
pub(super) fn search_status(runs: u64, stress: &StressArgs) -> String {
    let runs = counted(runs, "run");
    let bound = match (&stress.input, stress.runs) {
        (Some(_), _) => return format!("running the input: {runs}"),
        (None, Some(inputs)) => format!("{} or {}", counted(inputs, "input"), clock(stress.time)),
        (None, None) => clock(stress.time),
    };
    format!("looking for an input that fails: {runs}, at most {bound}")
}

/// The status line while an input is shrunk, after so many runs.
pub(super) fn shrink_status(runs: u64, stress: &StressArgs) -> String {
    let StressArgs {
        shrink_runs,
        shrink_time,
        ..
    } = stress;
    let runs = counted(runs, "run");
    format!(
        "shrinking it: {runs}, at most {shrink_runs} or {}",
        clock(*shrink_time)
    )
}
