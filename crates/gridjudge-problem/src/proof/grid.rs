//! Proves cases of grids: the reference solver finds the solutions that the problem's
//! promise is about, and the answer is written in the problem's format. Knows neither
//! files nor where the input comes from.

use std::cell::Cell;
use std::io::{self, BufWriter, Read, Write};

use gridjudge_grid::format::{ReplyKind, write};
use gridjudge_grid::solve::{SearchBounds, Solver, TooHard};
use gridjudge_grid::{BLANK, Shape, Value};

use crate::check::{self, ExpectedAnswer, GridWording, InputError, InputGrids};
use crate::model::{Accept, GridTask};
use crate::text::counted;

use Accept::{All, Any, AnyCounted, Count, First, FirstCounted, Unique, Word};

/// Checks that every grid of an input has the solutions that the problem promises, and
/// writes the answer to `answer`. Returns the number of grids.
///
/// # Errors
/// Returns the first [`SolveError`].
pub fn solve_grids(
    task: &GridTask,
    input: impl Read,
    answer: impl Write,
) -> Result<u64, SolveError> {
    solve_within(
        Some(DEAD_ENDS),
        &solvers_of(task, SearchBounds::default()),
        task,
        input,
        answer,
    )
}

/// Creates the solvers of a task, one for each of its shapes, so that many small inputs
/// can share them.
pub fn solvers_of(task: &GridTask, bounds: SearchBounds) -> Vec<Solver> {
    task.format
        .shapes
        .iter()
        .map(|shape| Solver::new(shape).with_bounds(bounds))
        .collect()
}

/// The dead ends that the proof of any case may take together, and those for each byte
/// of its input. Known grids of order 9 take at most a few hundred, some of order 25
/// some hundred thousand, each about 50 microseconds.
const DEAD_ENDS: u64 = 2_000_000;
const DEAD_ENDS_OF_A_BYTE: u64 = 2;

/// A text that counts the bytes read from it.
struct CountedText<'a, R> {
    text: R,
    bytes: &'a Cell<u64>,
}

impl<R: Read> Read for CountedText<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.text.read(buffer)?;
        self.bytes.set(self.bytes.get() + read as u64);
        Ok(read)
    }
}

/// Does the same as [`solve_grids`], with solvers created by [`solvers_of`], and at most
/// so many dead ends of all grids together, and some more for each byte of the input.
/// Without that number, only each grid is bounded: others may use these solvers at the
/// same time.
///
/// # Errors
/// Returns the first [`SolveError`].
pub fn solve_within(
    dead_ends: Option<u64>,
    solvers: &[Solver],
    task: &GridTask,
    input: impl Read,
    answer: impl Write,
) -> Result<u64, SolveError> {
    let GridTask { format, accept } = task;
    let bytes = Cell::new(0);
    let mut text = CountedText {
        text: input,
        bytes: &bytes,
    };
    let mut clues = InputGrids::open(format, &mut text)?;
    let mut effort_of_own = 0;
    let mut cells = vec![];
    let mut answer = BufWriter::new(answer);
    let mut number = 0;
    while let Some(place) = clues.read_into(&mut cells)? {
        number += 1;
        let grid = clues.place(number);
        let own = clues
            .own_shape()
            .map(|shape| (shape, solvers[place].for_shape(shape)));
        let (shape, solver) = match &own {
            Some((shape, solver)) => (*shape, solver),
            None => (&format.shapes[place], &solvers[place]),
        };
        let truth = match check::expected_answer(solver, *accept, format, &cells) {
            Ok(truth) => truth,
            Err(source) => return Err(SolveError::TooHard { grid, source }),
        };
        effort_of_own += own.as_ref().map_or(0, |(_, solver)| solver.effort());
        if let Some(dead_ends) = dead_ends {
            let effort =
                solvers.iter().map(Solver::effort).sum::<u64>() + effort_of_own;
            let most = dead_ends
                .saturating_add(DEAD_ENDS_OF_A_BYTE.saturating_mul(bytes.get()));
            if effort > most {
                return Err(SolveError::TooSlow {
                    grids: number,
                    dead_ends: most,
                });
            }
        }
        let text = truth.text(format, shape, number).ok_or_else(|| {
            expectation_error(task, shape, solver, &cells, grid, &truth)
        })?;
        let separator = write::separator_before(&format.output, number);
        write!(answer, "{separator}{text}").map_err(SolveError::Writing)?;
    }
    let end = write::separator_after(&format.output, number);
    write!(answer, "{end}").map_err(SolveError::Writing)?;
    answer.flush().map_err(SolveError::Writing)?;
    Ok(number)
}

/// The error for a grid that breaks the problem's promise.
fn expectation_error(
    task: &GridTask,
    shape: &Shape,
    solver: &Solver,
    clues: &[Value],
    grid: String,
    truth: &ExpectedAnswer,
) -> SolveError {
    match (truth, task.accept.most()) {
        (ExpectedAnswer::Reply(kind), _) if task.accept == Word => {
            SolveError::NoWord { grid, kind: *kind }
        }
        (ExpectedAnswer::Reply(ReplyKind::Several), Some(most)) => {
            SolveError::TooMany { grid, most }
        }
        (ExpectedAnswer::Reply(ReplyKind::Several), None) => {
            let wording = GridWording {
                format: &task.format,
                shape,
            };
            let cells = match solver.solutions(clues, 2).as_deref() {
                Ok([one, other]) => wording.difference(one, other),
                _ => String::new(),
            };
            SolveError::Several { grid, cells }
        }
        // Whether the rules contradict each other is asked only now: it takes a search
        // of its own.
        _ if shape.arithmetic().is_some()
            && solver.first(&vec![BLANK; clues.len()]) == Ok(None) =>
        {
            SolveError::NoGrid
        }
        _ => SolveError::NoSolution { grid },
    }
}

/// Says in words what has been proven of every case.
pub(super) fn grid_promise(task: &GridTask) -> &'static str {
    let replies = &task.format.replies;
    match task.accept {
        Word => "each answer the word for it",
        Unique if replies.none.is_some() || replies.several.is_some() => {
            "each answer its one solution, or the line that says why it has none"
        }
        First if replies.none.is_some() => {
            "each answer the first of its solutions, or the line that says that there \
             is none"
        }
        Any if replies.none.is_some() => {
            "each answer one of its solutions, or the line that says that there is none"
        }
        Unique => "each with the one solution that its answer gives",
        Any => "each answer one of its solutions",
        First => "each answer the first of its solutions",
        All { .. } => "each answer all of its solutions",
        FirstCounted { .. } => {
            "each answer the number of its solutions and the first of them"
        }
        AnyCounted { .. } => {
            "each answer the number of its solutions and one of them"
        }
        Count { .. } => "each answer the number of its solutions",
    }
}

/// Whether a sound answer may still be wrong. It may not where any valid completion
/// counts, or where there is only one.
pub(super) fn may_be_wrong_though_sound(task: &GridTask) -> bool {
    let replies = &task.format.replies;
    let has_words = replies.texts().next().is_some();
    has_words || !matches!(task.accept, Unique | Any)
}

// Why there is no answer to an input, in words for its setter.

/// Why the reference solver gives no answer to a grid.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The input cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The answer cannot be written.
    #[error("cannot be written: {0}")]
    Writing(io::Error),
    /// There is no reference solver for the kind of task.
    #[error("no reference solver knows the answers of this problem")]
    NoSolver,
    /// No grid has these clues and keeps the rules.
    #[error("{grid}no completion of these clues keeps the rules")]
    NoSolution {
        /// `grid 3: ` where there are several.
        grid: String,
    },
    /// No grid keeps the rules, whatever its clues.
    #[error("no grid keeps the rules of this problem, with or without clues")]
    NoGrid,
    /// The problem promises one solution, and there are more.
    #[error("{grid}more than one solution, the problem promises one: {cells}")]
    Several {
        /// `grid 3: ` where there are several.
        grid: String,
        /// Two cells in which two solutions differ.
        cells: String,
    },
    /// The answer is a word, and the problem has none for such a grid.
    #[error("{grid}{}, and [answer] has no word for that", said_of(*kind))]
    NoWord {
        /// `grid 3: ` where there are several.
        grid: String,
        /// The reply that would be right.
        kind: ReplyKind,
    },
    /// The problem promises fewer solutions, or has no text for more.
    #[error(
        "{grid}more than {}, the problem allows {most} at most",
        counted(*most, "solution")
    )]
    TooMany {
        /// `grid 3: ` where there are several.
        grid: String,
        /// The most that are allowed.
        most: u64,
    },
    /// The grids of one case are too many that are hard.
    #[error(
        "the solver gave up after grid {grids}: the grids up to it take more than \
         {dead_ends} dead ends"
    )]
    TooSlow {
        /// The number of grids that were solved.
        grids: u64,
        /// The most dead ends that a case of this size may take.
        dead_ends: u64,
    },
    /// The solver gave up.
    #[error("{grid}{source}")]
    TooHard {
        /// `grid 3: ` where there are several.
        grid: String,
        /// The effort after which the solver gave up.
        source: TooHard,
    },
}

/// What is true of a grid, in words.
fn said_of(kind: ReplyKind) -> &'static str {
    match kind {
        ReplyKind::None => "no completion of these clues keeps the rules",
        ReplyKind::Several => "it has more than one solution",
        ReplyKind::Invalid => "two of its clues clash",
        ReplyKind::Complete => "it is complete",
        ReplyKind::Valid => "nothing clashes in it",
        ReplyKind::Solvable => "it has a solution",
        ReplyKind::One => "it has one solution",
    }
}

#[cfg(test)]
mod tests;
