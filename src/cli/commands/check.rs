//! `gridjudge check`: judges an output without running the program that printed it.

mod by_program;
mod case_texts;

use std::fs::File;
use std::io;
use std::io::{ErrorKind, IsTerminal, Read, Seek};
use std::path::Path;

use gridjudge_sandbox::Fault;

use crate::check::{CheckError, InputError};
use crate::cli::{
    Bounded, CommandError, CommandOutcome, CommandResult, GlobalOptions, StatusLine, input_file,
    screen, signals,
};
use crate::model::{Findings, Problem, Task, Verdict};
use crate::spec::{Mistake, Mistakes};
use crate::text::{plural, printable};
use crate::{check, proof};

use by_program::CheckerRequest;
use case_texts::CaseTexts;

pub(crate) use case_texts::CheckArgs;

pub(crate) fn run(arguments: &CheckArgs, common: &GlobalOptions) -> CommandResult {
    let folder = common.folder_with([&arguments.problem], &arguments.format)?;
    let found = folder.find(&arguments.problem)?;
    let problem = found.problem()?;
    let texts = CaseTexts::find(found, &problem, arguments)?;
    let task = texts
        .own
        .as_ref()
        .map_or(&problem.task, |own| problem.task_on(&own.name));
    let findings = match task.program() {
        Some(checker) if !task.is_interactive() => {
            let cancel = signals::cancel_token();
            let request = CheckerRequest {
                arguments,
                found,
                problem: &problem,
                task: checker,
                texts: &texts,
            };
            let found = request.ask(&mut *output(arguments)?, &cancel);
            if cancel.is_cancelled() {
                return Ok(CommandOutcome::Interrupted);
            }
            found?
        }
        _ => compared(arguments, &problem, task, &texts)?,
    };
    if !screen::is_quiet() {
        explain(arguments, &findings)?;
    }
    conclude(&findings)?;
    Ok(CommandOutcome::Surprising.when(findings.verdict() != Verdict::Accepted))
}

/// Judges an output in this process, for a problem without a checker program.
fn compared(
    arguments: &CheckArgs,
    problem: &Problem,
    task: &Task,
    texts: &CaseTexts,
) -> Result<Findings, CommandError> {
    // The status line must not be drawn over an output that is being typed.
    let is_typed = arguments.output.as_os_str() == "-" && io::stdin().is_terminal();
    let _status = (!is_typed).then(|| StatusLine::start("checking"));
    let mut input = SetterFile::open(&arguments.input, &texts.input)?;
    // Grids are judged by their inputs alone, unless an answer is named.
    let stored = texts
        .own
        .as_ref()
        .map(|own| &*own.answer)
        .filter(|answer| answer.exists() && task.as_grid().is_none());
    let named = arguments.answer.as_deref().zip(texts.answer.as_deref());
    let answer = named.or(stored.map(|stored| (stored, stored)));
    let mut answer = answer
        .map(|(shown, from)| SetterFile::open(shown, from))
        .transpose()?;
    refuse_mistakes(problem, &mut input, answer.as_mut())?;
    let output = Bounded::new(output(arguments)?);
    let answer = answer.map(|answer| answer.file);
    check::output(task, input.file, output, answer)
        .map_err(|error| mistake(arguments, &error).into())
}

fn output(arguments: &CheckArgs) -> Result<Box<dyn Read>, Mistakes> {
    Ok(match arguments.output.to_str() {
        Some("-") => Box::new(io::stdin()),
        _ => Box::new(input_file::open_bounded(&arguments.output)?),
    })
}

fn explain(arguments: &CheckArgs, findings: &Findings) -> Result<(), Fault> {
    let path = printable(&arguments.output.to_string_lossy());
    for finding in &findings.listed {
        let message = printable(&finding.message);
        match finding.line {
            Some(line) => screen::sentence(format_args!("{path}:{line}: {message}")),
            None => screen::sentence(format_args!("{path}: {message}")),
        }?;
    }
    if let Some(message) = &findings.checker_message {
        screen::sentence(format_args!("{path}: {}", printable(message)))?;
    }
    if findings.unlisted > 0 {
        screen::result(format_args!("and {} more", findings.unlisted))?;
    }
    for line in findings.diff.iter().flat_map(|diff| diff.lines()) {
        screen::result(format_args!("  | {}", printable(line)))?;
    }
    Ok(())
}

fn conclude(findings: &Findings) -> Result<(), Fault> {
    let verdict = findings.verdict();
    if findings.grids == 0 {
        let points = findings
            .points
            .map_or_else(String::new, |points| format!(", for {points}"));
        return screen::sentence(format_args!("{verdict} ({}){points}", verdict.meaning()));
    }
    let grids = plural(findings.grids, "grid");
    screen::result(format_args!(
        "{verdict} ({}): {} of {} {grids} right",
        verdict.meaning(),
        findings.parts_right,
        findings.grids
    ))
}

/// An input or answer. It is read more than once.
struct SetterFile<'a> {
    path: &'a Path,
    file: File,
}

impl<'a> SetterFile<'a> {
    /// Opens the file `from`, which is shown as `path`. If it can be read only once, as a pipe, it
    /// is copied.
    fn open(path: &'a Path, from: &Path) -> Result<Self, Mistakes> {
        if path == Path::new("-") {
            let mistake = Mistake::of(path, "only the output can be standard input");
            return Err(mistake.with_remedy("name a file").into());
        }
        let mut text = Self {
            path,
            file: input_file::open_bounded(from)?,
        };
        if text.rewind().is_err() {
            let copied = tempfile::tempfile().and_then(|mut copy| {
                io::copy(&mut Bounded::new(&text.file), &mut copy)?;
                Ok(copy)
            });
            text.file = copied.map_err(|error| match error.kind() {
                ErrorKind::FileTooLarge => input_file::too_large(path),
                _ => Mistake::of(path, format!("cannot be copied: {error}")),
            })?;
            text.rewind()?;
        }
        Ok(text)
    }

    /// Seeks to the start of the file.
    fn rewind(&mut self) -> Result<(), Mistakes> {
        let rewound = self.file.rewind();
        rewound.map_err(|error| Mistake::of(self.path, format!("cannot be read: {error}")).into())
    }
}

/// Refuses an input that is not in the format, and an answer that is no answer to it, as all other
/// commands do.
fn refuse_mistakes(
    problem: &Problem,
    input: &mut SetterFile,
    answer: Option<&mut SetterFile>,
) -> Result<(), Mistakes> {
    let mut mistakes = proof::mistakes_of_input(problem, input.path, &input.file);
    input.rewind()?;
    if let Some(answer) = answer.filter(|_| mistakes.is_empty()) {
        let one = (input.path, &input.file);
        let other = (answer.path, &answer.file);
        mistakes = proof::mistakes_of_answer(problem, one, other, "correct it, or leave it out");
        input.rewind()?;
        answer.rewind()?;
    }
    Mistakes::or(mistakes, ())
}

/// The mistake for a check that was not possible.
fn mistake(arguments: &CheckArgs, error: &CheckError) -> Mistakes {
    let answer = arguments
        .answer
        .as_deref()
        .unwrap_or(Path::new("the answer"));
    let (path, unreadable) = match error {
        CheckError::Input(unreadable) => (arguments.input.as_path(), unreadable),
        CheckError::Answer(unreadable) => (answer, unreadable),
        CheckError::Output(error) if error.kind() == ErrorKind::FileTooLarge => {
            return input_file::too_large(&arguments.output).into();
        }
        CheckError::Output(error) => {
            return Mistake::of(&arguments.output, format!("cannot be read: {error}")).into();
        }
        CheckError::NeedsChecker | CheckError::NeedsInteractor => {
            let mistake = Mistake::of(&arguments.output, error.to_string());
            return mistake.with_remedy("grade a program").into();
        }
        CheckError::NoAnswer | CheckError::TooHard { .. } => {
            let mistake = Mistake::of(&arguments.input, error.to_string());
            return mistake
                .with_remedy("name the file of the stored answer as well")
                .into();
        }
    };
    match unreadable {
        InputError::File(error) => Mistake::of(path, format!("cannot be read: {error}")).into(),
        InputError::Text(mistake) => proof::mistake_in_input(path, mistake).into(),
    }
}
