//! Shows a failing input, and writes it to its folder. Runs nothing.

use std::ffi::OsStr;
use std::path::Path;

use gridjudge_sandbox::Fault;

use crate::authoring::stress::{FuzzResult, InputOutcome, ShrinkResult};
use crate::cli::commands::stress::request::StressRequest;
use crate::cli::{CommandError, is_path, screen};
use crate::text::{counted, printable, shell_word};
use crate::{compile, run};

/// A failing input, with everything that is shown about it.
pub(super) struct FoundFailure<'a> {
    /// Its number among the random inputs; `None` for the input of `--input`.
    pub(super) number: Option<u64>,
    pub(super) input: &'a [u8],
    pub(super) answer: &'a [u8],
    pub(super) outcome: &'a InputOutcome,
    /// The size of the input, in words.
    pub(super) size: &'a str,
    /// Further remarks, a sentence each.
    pub(super) remarks: &'a [String],
    /// The folder that the submission was compiled in.
    pub(super) program_folder: &'a Path,
    /// Whether the input is written to a folder: not if it is just the file of
    /// `--input`.
    pub(super) is_written: bool,
}

impl FoundFailure<'_> {
    /// Shows a failing input, and writes it to its folder.
    pub(super) fn report(
        &self,
        request: &StressRequest<'_>,
    ) -> Result<(), CommandError> {
        self.show(request)?;
        if !self.is_written {
            return Ok(());
        }
        let folder = request
            .place
            .fill(self.input, self.answer, |case| self.page(request, case))?;
        Ok(screen::result(format_args!(
            "\nwritten to {}",
            printable(&folder.to_string_lossy())
        ))?)
    }

    /// Shows the finding, the input, and what the program wrote to standard error.
    fn show(&self, request: &StressRequest<'_>) -> Result<(), Fault> {
        screen::sentence(format_args!(
            "{}: {}",
            printable(&request.origin_of(self.number)),
            printable(&self.finding(request))
        ))?;
        screen::sentence(self.size)?;
        self.remarks.iter().try_for_each(screen::sentence)?;
        screen::result("")?;
        print_text("    ", &String::from_utf8_lossy(self.input))?;
        let stderr = &self.outcome.trial.stderr;
        let stderr = compile::without_folder(self.program_folder, stderr);
        let stderr = request.entry.program_source().with_own_name(&stderr);
        if stderr.trim().is_empty() {
            return Ok(());
        }
        screen::result("\nstandard error:")?;
        print_text("    | ", &stderr)
    }

    /// The finding, in one line.
    fn finding(&self, request: &StressRequest<'_>) -> String {
        let trial = &self.outcome.trial;
        let why = run::reason_of_trial(trial, &request.entry.limits());
        let why = if why.is_empty() {
            String::new()
        } else {
            format!(": {why}")
        };
        let other = self
            .outcome
            .against
            .as_ref()
            .zip(request.against.as_ref())
            .map_or_else(String::new, |(other, against)| {
                let name = printable(&against.submission.name);
                format!("; {name}: {} ({})", other.verdict, other.verdict.meaning())
            });
        format!(
            "{} ({}){why}{other}",
            trial.verdict,
            trial.verdict.meaning()
        )
    }

    /// The page about a failing input, in Markdown, to be stored beside it and
    /// understood months later. It has no control characters: it quotes the output of
    /// an unknown program.
    fn page(&self, request: &StressRequest<'_>, case: &Path) -> String {
        let problem = &request.entry.problem.id;
        let submission = printable(&request.entry.submission.name);
        let mut page = format!("# {submission} fails on this input\n\n");
        let mut row =
            |name: &str, value: &str| page += &format!("- {name}: {value}\n");
        row("problem", problem);
        row("submission", &submission);
        if let Some(other) = &request.against {
            row("compared with", &printable(&other.submission.name));
        }
        row("finding", &self.finding(request));
        row("found", &printable(&request.origin_of(self.number)));
        row("size", self.size);
        for remark in self.remarks {
            row("note", remark);
        }
        let command = request.command();
        let case = shell_path(case);
        let search = request.command_to_search(self.number);
        page += &format!(
            "\nThe failure again:\n\n    {command} --input {case} --no-shrink\n\nThe search again:\n\n    {search}\n\n\
             To keep it as a case, copy the files `.in` and `.ans` into a group of the cases of {problem}.\n"
        );
        page.lines().map(|line| printable(line) + "\n").collect()
    }
}

/// Reports that no failure was found: on random inputs, or on the input of `--input`.
pub(super) fn report_nothing<I>(
    result: &FuzzResult<I>,
    request: &StressRequest<'_>,
    was_interrupted: bool,
) -> Result<(), Fault> {
    let what = if request.against.is_some() {
        "difference"
    } else {
        "failure"
    };
    let end = if was_interrupted { "; interrupted" } else { "" };
    if request.given_input.is_some() {
        return screen::sentence(format_args!("no {what} on this input{end}"));
    }
    let FuzzResult { inputs, alike, .. } = *result;
    let seed = request.seed;
    screen::sentence(format_args!(
        "no {what} in {} of seed {seed}{end}",
        counted(inputs, "input")
    ))?;
    if alike > 0 {
        screen::sentence(format_args!(
            "on {alike} of them both programs fail alike"
        ))?;
    }
    Ok(())
}

/// The most lines that are shown of an input, or of what a program wrote.
const MOST_LINES: usize = 60;

/// Shows a text, each line after a margin. For the output of a program, the margin must
/// not be blank: to GitHub, a line that begins with two colons is a command, even after
/// blanks.
pub(super) fn print_text(margin: &str, text: &str) -> Result<(), Fault> {
    let lines: Vec<_> = text.lines().collect();
    for line in lines.iter().take(MOST_LINES) {
        screen::result(format_args!("{margin}{}", printable(line)))?;
    }
    match lines.len().saturating_sub(MOST_LINES) {
        0 => Ok(()),
        more => {
            let more = counted(more, "more line");
            screen::result(format_args!("{margin}... ({more})"))
        }
    }
}

// The texts around a finding of `stress`: commands to copy, remarks, and the status
// line.

/// Command lines that a user can copy to reproduce a failure.
impl StressRequest<'_> {
    /// Where a failing input comes from, in words.
    fn origin_of(&self, number: Option<u64>) -> String {
        match number {
            Some(number) => format!("input {} of seed {}", number + 1, self.seed),
            None => self.given_path().display().to_string(),
        }
    }

    /// The command that finds the failure again.
    fn command_to_search(&self, number: Option<u64>) -> String {
        let command = self.command();
        let Some(number) = number else {
            return format!("{command} --input {}", shell_path(self.given_path()));
        };
        let generator = option("--generator", self.stress.generator.as_deref());
        let arguments = option("--arguments", self.stress.arguments.as_deref());
        let seed = self.seed;
        format!(
            "{command}{generator}{arguments} --seed {seed} --runs {}",
            number + 1
        )
    }

    /// The part of the command that is the same for all inputs.
    fn command(&self) -> String {
        let folder = option("-C", self.common.directory.as_deref());
        let against = option("--against", self.stress.against.as_deref());
        let solution = option("--solution", self.stress.solution.as_deref());
        let submission = shell_path(&self.stress.submission);
        // A package that was named by its path cannot be named by its id.
        let problem = self
            .stress
            .problem
            .as_ref()
            .filter(|named| is_path(named))
            .map_or_else(|| self.entry.problem.id.clone(), |named| shell_word(named));
        format!(
            "gridjudge{folder} stress -p {problem} {submission}{against}{solution}"
        )
    }
}

/// Remarks on a shrunk input.
pub(super) fn remarks(shrunk: &ShrinkResult, was_interrupted: bool) -> Vec<String> {
    let mut remarks = vec![];
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

/// An option with its value, after a space; nothing without a value.
fn option(name: &str, value: Option<&(impl AsRef<OsStr> + ?Sized)>) -> String {
    value.map_or_else(String::new, |value| {
        format!(" {name} {}", shell_word(&value.as_ref().to_string_lossy()))
    })
}

/// A path quoted for a shell.
fn shell_path(path: &Path) -> String {
    shell_word(&path.to_string_lossy())
}
