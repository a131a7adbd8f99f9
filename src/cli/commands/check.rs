//! `gridjudge check`: judges an output without running the program that printed it, in
//! this process or by the checker program of the problem.

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Seek, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use gridjudge_sandbox::{Fault, again_if_lost};
use tempfile::NamedTempFile;

use crate::check::{CheckError, InputError};
use crate::checker::CheckerSetup;
use crate::cli::planning::planned_checker::planned_checker;
use crate::cli::{
    Bounded, CancelToken, CommandError, CommandOutcome, CommandResult, GlobalOptions,
    JudgeSession, PackageChoice, SandboxChoice, SandboxStartup, StatusLine,
    input_file, screen, signals,
};
use crate::model::{Case, CheckerTask, Findings, Problem, Task, Verdict};
use crate::package::LineBreaks;
use crate::spec::{AnswerRequirement, Mistake, Mistakes, ProblemFolder};
use crate::text::{path_text, plural, printable};
use crate::{check, checker, proof};

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// The problem
    #[arg(short, long)]
    problem: String,
    #[command(flatten)]
    format: PackageChoice,
    /// The input
    input: PathBuf,
    /// The output to be judged; `-` for standard input
    output: PathBuf,
    /// The expected answer; without it, the solver judges grids, and a checker program
    /// gets the stored answer of the case whose input this is
    answer: Option<PathBuf>,
    /// How strictly the checker program of a problem is isolated from the machine
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    sandbox: SandboxChoice,
}

pub(crate) fn run(arguments: &CheckArgs, common: &GlobalOptions) -> CommandResult {
    let folder = common.folder_with([&arguments.problem], &arguments.format)?;
    let found = folder.find(&arguments.problem)?;
    let problem = found.problem()?;
    let checked = CheckedOutput::find(found, &problem, arguments)?;
    let task = checked
        .own
        .as_ref()
        .map_or(&problem.task, |own| problem.task_on(&own.name));
    let findings = match task.program() {
        Some(checker) if checker.passes > 1 => {
            let message = "is the output of one pass, and the problem has several";
            return Mistake::refuse(&arguments.output, message, "grade a program");
        }
        Some(checker) if !task.is_interactive() => {
            let cancel = signals::cancel_token();
            let found = checked.ask(checker, &mut *output(arguments)?, &cancel);
            if cancel.is_cancelled() {
                return Ok(CommandOutcome::Interrupted);
            }
            found?
        }
        _ => checked.compare(task)?,
    };
    if !screen::is_quiet() {
        explain(arguments, &findings)?;
    }
    let verdict = findings.verdict();
    let meaning = verdict.meaning();
    if findings.grids == 0 {
        let points = findings
            .points
            .map_or_else(String::new, |points| format!(", for {points}"));
        screen::sentence(format_args!("{verdict} ({meaning}){points}"))?;
    } else {
        let grids = plural(findings.grids, "grid");
        screen::result(format_args!(
            "{verdict} ({meaning}): {} of {} {grids} right",
            findings.parts_right, findings.grids
        ))?;
    }
    Ok(CommandOutcome::Surprising.when(verdict != Verdict::Accepted))
}

/// An output to be judged, and the files that it is judged with. They are the same as
/// for a program that is judged: a case of the problem, or files with the line breaks
/// that the judge of a package gives them.
struct CheckedOutput<'a> {
    arguments: &'a CheckArgs,
    found: &'a ProblemFolder,
    problem: &'a Problem,
    /// The problem's case that has this input, if its flags, points or stored answer
    /// may matter.
    own: Option<Case>,
    input: PathBuf,
    /// The answer that the user names.
    answer: Option<PathBuf>,
    /// Copies with other line breaks.
    _copies: Vec<NamedTempFile>,
}

impl<'a> CheckedOutput<'a> {
    fn find(
        found: &'a ProblemFolder,
        problem: &'a Problem,
        arguments: &'a CheckArgs,
    ) -> Result<Self, Mistake> {
        let package = found.readable_package();
        // Listing the cases of a problem may mean thousands of files.
        let own = if problem.case_tasks.is_empty() && problem.task.as_grid().is_some()
        {
            None
        } else {
            // A case on which sources are judged has no input.
            let cases = found.cases(AnswerRequirement::Optional).unwrap_or_default();
            cases.into_iter().find(|case| {
                let input = match &package {
                    Some(package) => package.original_of(&case.input),
                    None => &case.input,
                };
                !problem.is_static(&case.name) && is_same(input, &arguments.input)
            })
        };
        let mut copies = vec![];
        let mut judged = |path: &Path, of_case: Option<&PathBuf>| {
            let Some(package) = &package else {
                return Ok(path.to_owned());
            };
            match of_case.filter(|file| is_same(package.original_of(file), path)) {
                Some(file) => Ok(file.clone()),
                None => with_line_breaks(path, package.line_breaks, &mut copies),
            }
        };
        let input = judged(&arguments.input, own.as_ref().map(|own| &own.input))?;
        let answer = arguments
            .answer
            .as_deref()
            .map(|path| judged(path, own.as_ref().map(|own| &own.answer)))
            .transpose()?;
        Ok(Self {
            arguments,
            found,
            problem,
            own,
            input,
            answer,
            _copies: copies,
        })
    }

    /// Judges the output in this process, for a problem without a checker program.
    fn compare(&self, task: &Task) -> Result<Findings, CommandError> {
        let arguments = self.arguments;
        // The status line must not be drawn over an output that is being typed.
        let is_typed =
            arguments.output.as_os_str() == "-" && io::stdin().is_terminal();
        let _status = (!is_typed).then(|| StatusLine::start("checking"));
        let input = open_rereadable(&arguments.input, &self.input)?;
        // Grids are judged by their inputs alone, unless an answer is named.
        let stored = self
            .own
            .as_ref()
            .map(|own| &*own.answer)
            .filter(|answer| answer.exists() && task.as_grid().is_none());
        let answer = arguments
            .answer
            .as_deref()
            .zip(self.answer.as_deref())
            .or(stored.map(|stored| (stored, stored)))
            .map(|(shown, from)| {
                Ok::<_, Mistake>((shown, open_rereadable(shown, from)?))
            })
            .transpose()?;
        // An input that is not in the format, and an answer that is no answer to it, are
        // refused as by all other commands.
        let given = &*arguments.input;
        let rewind = |path: &Path, mut file: &File| {
            file.rewind().map_err(input_file::unread(path))
        };
        let mut mistakes = proof::mistakes_of_input_file(self.problem, given, &input);
        rewind(given, &input)?;
        if let Some((shown, file)) = &answer
            && mistakes.is_empty()
        {
            mistakes = proof::mistakes_of_answer(
                self.problem,
                (given, &input),
                (shown, file),
                "correct it, or leave it out",
            );
            rewind(given, &input)?;
            rewind(shown, file)?;
        }
        Mistakes::refuse(mistakes)?;
        let output = Bounded::new(output(arguments)?);
        let answer = answer.map(|(_, file)| file);
        check::output(task, input, output, answer)
            .map_err(|error| mistake(arguments, &error).into())
    }

    /// Compiles the checker program of the problem and runs it on the output.
    fn ask(
        &self,
        task: &CheckerTask,
        output: &mut dyn Read,
        cancel: &CancelToken,
    ) -> Result<Findings, CommandError> {
        let case = self.case()?;
        let planned = planned_checker(self.found, task)?;
        let startup = SandboxStartup::begin(Some(1), self.arguments.sandbox.choice());
        let session = JudgeSession::open(startup, &self.found.config, cancel)?;
        let _running = session.close_on_cancel();
        let status = StatusLine::start("compiling the checker");
        let (program, _folders) = session.checker_program(&planned)?;
        drop(status);
        let scoring = &self.problem.scoring;
        let worth = match &self.own {
            Some(own) => scoring.worth_of(&own.name),
            // The input is in no group, so it may get the points of any; those of the
            // last group are used.
            None => scoring.groups.last().map(|group| group.case),
        };
        let unreadable = Fault::during("reading the output");
        // The output may be a pipe, and the checker may have to be run again.
        let mut copy = tempfile::tempfile().map_err(unreadable)?;
        io::copy(output, &mut copy).map_err(unreadable)?;
        let setup = CheckerSetup::new(task, &program, &case, worth);
        Ok(again_if_lost(|| {
            copy.rewind().map_err(unreadable)?;
            checker::check_output(&setup, &mut copy, session.sandbox())
        })?)
    }

    /// The case, with the files that the checker is given.
    fn case(&self) -> Result<Case, Mistake> {
        let given = &self.arguments.input;
        let input = named(&self.input)?;
        let answer = match (&self.answer, &self.own) {
            (Some(answer), _) => named(answer)?,
            (None, Some(own)) => own.answer.clone(),
            (None, None) => {
                return Mistake::refuse(
                    given,
                    "the checker needs the answer to it as well",
                    "give the answer file after the output file",
                );
            }
        };
        let own = self.own.as_ref();
        Ok(Case {
            name: own.map_or_else(|| path_text(given), |own| own.name.clone()),
            input,
            answer,
        })
    }
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
        let line = finding.line.map(|line| format!(":{line}"));
        screen::sentence(format_args!(
            "{path}{}: {}",
            line.unwrap_or_default(),
            printable(&finding.message)
        ))?;
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

/// Opens the input or answer `from`, which is shown as `path`, to be read more than
/// once. If it can be read only once, as a pipe, it is copied.
fn open_rereadable(path: &Path, from: &Path) -> Result<File, Mistake> {
    if path == Path::new("-") {
        let message = "only the output can be standard input";
        return Mistake::refuse(path, message, "name a file");
    }
    let mut file = input_file::open_bounded(from)?;
    if file.rewind().is_ok() {
        return Ok(file);
    }
    tempfile::tempfile()
        .and_then(|mut copy| {
            io::copy(&mut Bounded::new(&file), &mut copy)?;
            copy.rewind()?;
            Ok(copy)
        })
        .map_err(|error| match error.kind() {
            ErrorKind::FileTooLarge => input_file::too_large(path),
            _ => Mistake::about_file(path, format!("cannot be copied: {error}")),
        })
}

/// The mistake for a check that was not possible.
fn mistake(arguments: &CheckArgs, error: &CheckError) -> Mistake {
    use CheckError::*;
    let answer = arguments
        .answer
        .as_deref()
        .unwrap_or(Path::new("the answer"));
    let (path, unreadable) = match error {
        Input(unreadable) => (arguments.input.as_path(), unreadable),
        Answer(unreadable) => (answer, unreadable),
        Output(error) if error.kind() == ErrorKind::FileTooLarge => {
            return input_file::too_large(&arguments.output);
        }
        Output(error) => {
            return input_file::unread(&arguments.output)(error);
        }
        NeedsChecker | NeedsInteractor => {
            return Mistake::new(
                &arguments.output,
                error.to_string(),
                "grade a program",
            );
        }
        NoAnswer | TooHard { .. } => {
            return Mistake::new(
                &arguments.input,
                error.to_string(),
                "name the file of the stored answer as well",
            );
        }
    };
    match unreadable {
        InputError::File(error) => input_file::unread(path)(error),
        InputError::Text(mistake) => proof::mistake_in_input_file(path, mistake),
    }
}

/// The absolute path of a file. The checker opens it itself.
fn named(path: &Path) -> Result<PathBuf, Mistake> {
    let unreadable =
        |error: io::Error| input_file::unreadable(path, &error, Path::is_file);
    let is_plain = path.metadata().map_err(unreadable)?.is_file();
    if !is_plain {
        return Mistake::refuse(
            path,
            "is not a regular file, and the checker opens it by its name",
            "copy it to one",
        );
    }
    path.canonicalize().map_err(unreadable)
}

fn is_same(one: &Path, other: &Path) -> bool {
    one.canonicalize()
        .ok()
        .zip(other.canonicalize().ok())
        .is_some_and(|(one, other)| one == other)
}

/// A copy of a file that is in no case, with other line breaks; the file itself if its
/// judge leaves them.
fn with_line_breaks(
    path: &Path,
    line_breaks: LineBreaks,
    copies: &mut Vec<NamedTempFile>,
) -> Result<PathBuf, Mistake> {
    if line_breaks == LineBreaks::AsTheyAre || path == Path::new("-") {
        return Ok(path.to_owned());
    }
    let unread = |error: io::Error| {
        Mistake::about_file(path, format!("cannot be copied: {error}"))
    };
    let mut copy = NamedTempFile::new().map_err(unread)?;
    line_breaks
        .give(Bounded::new(input_file::open_bounded(path)?), &mut copy)
        .map_err(unread)?;
    copy.flush().map_err(unread)?;
    let place = copy.path().to_owned();
    copies.push(copy);
    Ok(place)
}
