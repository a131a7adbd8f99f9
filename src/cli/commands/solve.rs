//! `gridjudge solve`: solves grids as fast as the machine can.

use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use gridjudge_grid::batch::{
    self, BlockAnswers, PuzzleError, PuzzleMistake, PuzzleText, SolveMode,
};
use gridjudge_sandbox::{Fault, Stopwatch};

use crate::cli::{
    CommandError, CommandOutcome, CommandResult, StatusLine, ThreadCount, input_file,
    screen,
};
use crate::spec::{Mistake, no_puzzles, puzzle_layouts};
use crate::text::counted;

#[derive(Args)]
pub(crate) struct SolveArgs {
    /// Plain 9x9 puzzles, one a line: 81 digits, with `.`, `0`, `*`, `_`, `?` or `-`
    /// for a blank; or a collection in another usual layout; `-` or nothing for
    /// standard input
    file: Option<PathBuf>,
    /// Count solutions, up to N of each puzzle
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..),
        conflicts_with = "unique"
    )]
    count: Option<u32>,
    /// Require exactly one solution of each puzzle
    #[arg(long)]
    unique: bool,
    #[command(flatten)]
    threads: ThreadCount,
}

impl SolveArgs {
    fn task(&self) -> SolveMode {
        match (self.count, self.unique) {
            // `usize` has at least 32 bits on all supported platforms.
            (Some(most), _) => SolveMode::Count(most as usize),
            (None, true) => SolveMode::Unique,
            (None, false) => SolveMode::Any,
        }
    }
}

/// Counts of the puzzles so far.
#[derive(Default)]
struct SolveStats {
    puzzles: u64,
    mistakes: u64,
    /// Lines that are not puzzles.
    unreadable: u64,
}

/// The most lines that are not puzzles for which a message is written.
const MOST_UNREADABLE: u64 = 20;

pub(crate) fn run(arguments: &SolveArgs) -> CommandResult {
    let file = arguments
        .file
        .as_deref()
        .filter(|path| path.as_os_str() != "-");
    let (name, input): (_, Box<dyn Read + Send>) = match file {
        Some(path) => {
            let input = input_file::open_input(path)?;
            (path.display().to_string(), Box::new(input))
        }
        None => ("standard input".to_owned(), Box::new(io::stdin())),
    };
    let input = match PuzzleText::new(input, file.is_none()) {
        Ok(PuzzleText::List(list)) => list,
        Ok(PuzzleText::NoPuzzles(line)) => {
            return Err(no_puzzles(name, &line).into());
        }
        Err(error) => return Err(unreadable(&name, error)),
    };
    let mut tally = SolveStats::default();
    let watch = Stopwatch::start();
    // The status line must not be drawn over puzzles that are being typed.
    let is_typed = file.is_none() && io::stdin().is_terminal();
    let status = if is_typed {
        StatusLine::default()
    } else {
        StatusLine::start("solving")
    };
    let mut output = io::stdout().lock();
    let ended = batch::stream(
        input,
        arguments.task(),
        arguments.threads.number(),
        |answers| {
            let written = status.suspend(|| {
                tally.take_answers(&answers, &name);
                output
                    .write_all(&answers.text)
                    .and_then(|()| output.flush())
            });
            status.say(format_args!("solving: {} done", tally.puzzles()));
            match written {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            }
        },
    )
    .map_err(|error| unreadable(&name, error))?;
    drop(status);
    tally.say_unreadable(&name);
    match ended {
        // The reader of the output may stop early.
        ControlFlow::Break(error) => {
            screen::unless_closed(Err(error), "writing to standard output")?
        }
        ControlFlow::Continue(()) if screen::is_quiet() => {}
        ControlFlow::Continue(()) => tally.summarise(&watch),
    }
    Ok(CommandOutcome::Surprising.when(tally.mistakes > 0))
}

/// A file that is no text is wrong; another that cannot be read is a failure.
fn unreadable(name: &str, error: io::Error) -> CommandError {
    if error.kind() == ErrorKind::InvalidData {
        Mistake::new(name, error.to_string(), puzzle_layouts()).into()
    } else {
        Fault::new(format!("reading {name}"), error).into()
    }
}

impl SolveStats {
    fn take_answers(&mut self, answers: &BlockAnswers, name: &str) {
        self.puzzles += answers.puzzles;
        self.mistakes += answers.mistakes.len() as u64;
        for PuzzleMistake { line, problem } in &answers.mistakes {
            let is_unreadable = matches!(problem, PuzzleError::Unreadable(_));
            self.unreadable += u64::from(is_unreadable);
            if !is_unreadable || self.unreadable <= MOST_UNREADABLE {
                screen::error(
                    format_args!("{name}:{line}: {problem}"),
                    Some(problem.remedy()),
                );
            }
        }
    }

    fn puzzles(&self) -> String {
        counted(self.puzzles, "puzzle")
    }

    /// Says how many lines are not puzzles, beyond those that had a message each.
    fn say_unreadable(&self, name: &str) {
        if self.unreadable > MOST_UNREADABLE {
            let more = counted(self.unreadable - MOST_UNREADABLE, "further line");
            screen::error(
                format_args!("{name}: {more} not read as puzzles"),
                Some(puzzle_layouts()),
            );
        }
    }

    fn summarise(&self, watch: &Stopwatch) {
        let seconds = watch.elapsed().as_secs_f64();
        let puzzles = self.puzzles();
        let rate = self.puzzles as f64 / seconds.max(1e-9);
        screen::notice(format_args!(
            "{puzzles} in {seconds:.2} s ({rate:.0} a second), {} without the requested answer",
            self.mistakes
        ));
    }
}
