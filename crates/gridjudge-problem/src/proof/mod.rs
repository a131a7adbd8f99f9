//! Proves cases, and writes their answers. A case is *sound* if input and answer are in
//! the problem's format and the answer fits the input; it is *proven* if the reference
//! solver has also confirmed that it keeps the problem's promises. Knows nothing of
//! submissions. Start at [`mistakes_of`] and [`solve`].

mod grid;

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use rayon::ThreadPoolBuilder;
use rayon::iter::{
    IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator,
};

use crate::check::{self, CheckError, InputError};
use crate::model::{Case, Findings, Problem, Task};
use crate::spec::Mistake;
use crate::text::counted;

pub use grid::{SolveError, solve_grids, solve_within, solvers_of};

// Checks many cases in parallel, before anything runs. The caller knows which of them
// were found in order earlier.

/// Checking fewer cases takes less time than starting threads.
const MANY_CASES: usize = 64;

const CASES_PER_PIECE: usize = 16;

/// Lists what `check` finds wrong with cases, in the order of the cases. Many cases are
/// checked on all cores, since the first run waits for this.
#[must_use]
pub fn mistakes_of_all(
    cases: &[Case],
    check: impl Fn(&Case) -> Vec<Mistake> + Sync,
) -> Vec<Mistake> {
    let pool = (cases.len() >= MANY_CASES)
        .then(|| ThreadPoolBuilder::new().build().ok())
        .flatten();
    match pool {
        Some(pool) => pool.install(|| {
            cases
                .par_iter()
                .with_min_len(CASES_PER_PIECE)
                .flat_map_iter(&check)
                .collect()
        }),
        // Few cases, or no threads available.
        None => cases.iter().flat_map(check).collect(),
    }
}

// Checks one case: its files for mistakes, and its answer by the reference solver. How
// a kind of task is solved is known by the module of that kind.

/// Lists what is wrong with a case without solving it: in its input's format, in its
/// answer's format, and whether the answer fits the input. With `and_answer` false, the
/// answer is not read.
pub fn mistakes_of(problem: &Problem, case: &Case, and_answer: bool) -> Vec<Mistake> {
    if problem.is_static(&case.name) {
        return vec![];
    }
    sound_or_mistaken(problem, case, and_answer)
        .unwrap_or_else(|mistake| vec![mistake])
}

fn sound_or_mistaken(
    problem: &Problem,
    case: &Case,
    and_answer: bool,
) -> Result<Vec<Mistake>, Mistake> {
    let mut input = opened(&case.input)?;
    let mistakes = mistakes_of_input_file(problem, &case.input, &input);
    if !mistakes.is_empty() || !and_answer {
        return Ok(mistakes);
    }
    // Opening costs more than reading: there may be thousands of small cases before the
    // first verdict.
    input
        .rewind()
        .map_err(|error| Mistake::unreadable(&case.input, error))?;
    mistakes_of_stored_answer(problem, case, input, |input, answer| {
        check::soundness(problem.task_on(&case.name), input, answer)
    })
}

/// Lists what is wrong with the text of an input, without solving it.
pub fn mistakes_of_input_file(
    problem: &Problem,
    path: &Path,
    input: impl Read,
) -> Vec<Mistake> {
    match check::mistakes_of_input(&problem.task, input) {
        Ok(mistakes) => mistakes
            .iter()
            .map(|mistake| mistake_in_input_file(path, mistake))
            .collect(),
        Err(error) => vec![Mistake::unreadable(path, error)],
    }
}

/// Lists what is wrong with an answer without solving the input, which must be in the
/// format.
pub fn mistakes_of_answer(
    problem: &Problem,
    input: (&Path, impl Read),
    answer: (&Path, impl Read),
    remedy: &str,
) -> Vec<Mistake> {
    let found = check::soundness(&problem.task, input.1, answer.1);
    mistakes_found(input.0, answer.0, found, remedy)
}

/// Checks with the reference solver that an input keeps what the problem promises, and
/// writes the answer to `answer`. Returns the number of grids.
///
/// # Errors
/// Returns the first [`SolveError`].
pub fn solve(
    problem: &Problem,
    input: impl Read,
    answer: impl Write,
) -> Result<u64, SolveError> {
    let task = problem.task.as_grid().ok_or(SolveError::NoSolver)?;
    grid::solve_grids(task, input, answer)
}

/// Checks with the reference solver, if the task has one, that an input keeps what the
/// problem promises. Returns the number of grids.
///
/// # Errors
/// Returns the first [`SolveError`].
pub fn prove(problem: &Problem, input: impl Read) -> Result<u64, SolveError> {
    match problem.task.as_grid() {
        Some(task) => grid::solve_grids(task, input, io::sink()),
        None => Ok(0),
    }
}

/// Says in words what has been proven of all cases of a problem and of their grids.
pub fn promise(problem: &Problem, cases: u64, grids: u64) -> String {
    let with = if cases == 1 { "with" } else { "each with" };
    let cases = counted(cases, "case");
    match &problem.task {
        Task::Grid(task) => {
            let promise = grid::grid_promise(task);
            format!("{cases} in format, {}, {promise}", counted(grids, "grid"))
        }
        Task::Text(_) => {
            format!("{cases}, {with} an input and an answer that can be compared")
        }
        Task::Checker(_) => format!("{cases}, {with} an input and an answer"),
    }
}

/// Turns an error of the reference solver into a mistake for the setter.
pub fn mistake_of_solve_error(case: &Case, refusal: &SolveError) -> Mistake {
    use SolveError::*;

    let message = refusal.to_string();
    let remedy = match refusal {
        Input(InputError::Text(mistake)) => {
            return mistake_in_input_file(&case.input, mistake);
        }
        Input(InputError::File(error)) => {
            return Mistake::unreadable(&case.input, error);
        }
        Writing(_) => return Mistake::about_file(&case.answer, message),
        NoSolver => {
            let remedy = "write the answer by hand, or name a submission that is right, for \
                          example `solution = \"accepted/NAME\"` in [task]";
            return Mistake::new(&case.answer, message, remedy);
        }
        NoWord { kind, .. } => {
            let key = kind.key();
            let remedy = format!(
                "correct the input, or add a word for it, for example `{key} = \"{}\"`",
                key.to_uppercase()
            );
            return Mistake::new(&case.input, message, remedy);
        }
        NoSolution { .. } => {
            "remove or correct a clue; no two of them clash, but together they leave \
             some cell no symbol"
        }
        NoGrid => {
            "correct the cages, inequalities, regions or diagonals of [grid], which \
             contradict each other"
        }
        Several { .. } => {
            "add a clue in one of these cells, or accept any solution (`accept = \
             \"any\"`)"
        }
        TooMany { .. } => {
            "add clues, raise `most`, or say what is written in place of more (`more \
             = \"..\"`)"
        }
        TooSlow { .. } => "add clues, or divide the grids among several cases",
        TooHard { .. } => "add clues",
    };
    Mistake::new(&case.input, message, remedy)
}

/// Lists what the solver finds wrong with the stored answer of a case that is sound.
/// For some problems, a sound answer is always right. A text has no solver; its answer
/// must be one that can be compared.
pub fn wrong_answers(problem: &Problem, case: &Case) -> Vec<Mistake> {
    let is_in_doubt = match &problem.task {
        Task::Grid(task) => grid::may_be_wrong_though_sound(task),
        Task::Text(_) => true,
        // Only the checker knows what an answer is for.
        Task::Checker(_) => false,
    };
    if !is_in_doubt {
        return vec![];
    }
    right_or_mistaken(problem, case).unwrap_or_else(|mistake| vec![mistake])
}

fn right_or_mistaken(
    problem: &Problem,
    case: &Case,
) -> Result<Vec<Mistake>, Mistake> {
    let stored = match &problem.task {
        Task::Text(_) => Some(opened(&case.answer)?),
        Task::Grid(_) | Task::Checker(_) => None,
    };
    let input = opened(&case.input)?;
    mistakes_of_stored_answer(problem, case, input, |input, answer| {
        check::output(problem.task_on(&case.name), input, answer, stored)
    })
}

/// Lists what a check finds wrong with the stored answer of a case.
fn mistakes_of_stored_answer(
    problem: &Problem,
    case: &Case,
    input: File,
    check: impl FnOnce(File, File) -> Result<Findings, CheckError>,
) -> Result<Vec<Mistake>, Mistake> {
    let answer = opened(&case.answer)?;
    Ok(mistakes_found(
        &case.input,
        &case.answer,
        check(input, answer),
        &format!(
            "delete it and write it again with `gridjudge answers {}`",
            problem.id
        ),
    ))
}

fn opened(path: &Path) -> Result<File, Mistake> {
    File::open(path).map_err(|error| Mistake::unreadable(path, error))
}

fn mistakes_found(
    input: &Path,
    answer: &Path,
    found: Result<Findings, CheckError>,
    remedy: &str,
) -> Vec<Mistake> {
    let findings = match found {
        Ok(findings) => findings,
        Err(CheckError::Output(error)) => {
            return vec![Mistake::unreadable(answer, error)];
        }
        Err(other) => return vec![Mistake::about_file(input, other.to_string())],
    };
    findings
        .listed
        .iter()
        .map(|finding| {
            let message = format!("the answer is wrong: {}", finding.message);
            Mistake {
                line: finding.line,
                ..Mistake::new(answer, message, remedy)
            }
        })
        .collect()
}

/// Turns a mistake in an input into one with its file.
pub fn mistake_in_input_file(path: &Path, mistake: &check::InputMistake) -> Mistake {
    Mistake {
        line: Some(mistake.line),
        remedy: mistake.remedy.map(str::to_owned),
        ..Mistake::about_file(path, &mistake.message)
    }
}
