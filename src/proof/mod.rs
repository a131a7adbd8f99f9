//! Proving cases, and writing their answers. A case is *sound* if input and answer are in the problem's format and
//! the answer answers the input; it is *proven* if the reference solver has also seen that it keeps the problem's
//! promises. Knows nothing of submissions.

mod parallel;

use std::fs::File;
use std::io;
use std::io::BufWriter;
use std::io::Read;
use std::io::Write;
use std::path::Path;

use crate::check;
use crate::check::CheckError;
use crate::check::ExpectedAnswer;
use crate::check::InputError;
use crate::check::InputGrids;
use crate::model::Accept;
use crate::model::Case;
use crate::model::Findings;
use crate::model::Problem;
use crate::spec::Mistake;
use gridjudge_grid::Format;
use gridjudge_grid::Shape;
use gridjudge_grid::Value;
use gridjudge_grid::format::write;
use gridjudge_grid::solve::SearchBounds;
use gridjudge_grid::solve::Solver;
use gridjudge_grid::solve::TooHard;
pub use parallel::mistakes_of_all;

/// Why the reference solver gives no answer to a grid.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The input cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The answer cannot be written.
    #[error("cannot be written: {0}")]
    Writing(io::Error),
    /// No grid has these clues and keeps the rules.
    #[error("{grid}no completion of these clues keeps the rules")]
    NoSolution {
        /// `grid 3: ` where there are several.
        grid: String,
    },
    /// The problem promises one solution, and there are more.
    #[error("{grid}more than one solution, the problem promises one: {cells}")]
    Several {
        /// `grid 3: ` where there are several.
        grid: String,
        /// Two cells in which two solutions differ.
        cells: String,
    },
    /// The problem promises fewer solutions, or has no text for more.
    #[error("{grid}more than {most} solutions, the problem allows {most} at most")]
    TooMany {
        /// `grid 3: ` where there are several.
        grid: String,
        /// The most that are allowed.
        most: u64,
    },
    /// The search was given up.
    #[error("{grid}{source}")]
    TooHard {
        /// `grid 3: ` where there are several.
        grid: String,
        /// How long was tried.
        source: TooHard,
    },
}

/// What is wrong with a case, short of solving it: its input's format, its answer's format, and whether the answer
/// is right. With `and_answer` false, the answer is not looked at.
pub fn mistakes_of(problem: &Problem, case: &Case, and_answer: bool) -> Vec<Mistake> {
    let mistakes = match File::open(&case.input) {
        Ok(input) => mistakes_of_input(problem, &case.input, input),
        Err(error) => return vec![unreadable(&case.input, &error)],
    };
    if mistakes.is_empty() && and_answer { mistakes_of_stored_answer(problem, case) } else { mistakes }
}

/// What is wrong with the text of an input, short of solving it.
pub fn mistakes_of_input(problem: &Problem, path: &Path, input: impl Read) -> Vec<Mistake> {
    match check::mistakes_of_input(&problem.format, input) {
        Ok(mistakes) => mistakes.iter().map(|mistake| placed(path, mistake)).collect(),
        Err(error) => vec![unreadable(path, &error)],
    }
}

/// What is wrong with an answer to an input that is in the format, short of solving that.
pub fn mistakes_of_answer(
    problem: &Problem,
    input: (&Path, impl Read),
    answer: (&Path, impl Read),
    remedy: &str,
) -> Vec<Mistake> {
    let found = check::soundness(&problem.format, problem.accept, input.1, answer.1);
    mistakes_found(input.0, answer.0, found, remedy)
}

/// Checks with the reference solver that every grid of an input has the solutions that the problem promises, and
/// writes the answer to `answer`.
///
/// # Errors
/// The first [`SolveError`].
pub fn solve(problem: &Problem, input: impl Read, answer: impl Write) -> Result<u64, SolveError> {
    solve_with(&solvers_of(problem, SearchBounds::default()), problem, input, answer)
}

/// The solvers of a problem, one for each of its shapes: who has many small inputs makes them once.
pub fn solvers_of(problem: &Problem, bounds: SearchBounds) -> Vec<Solver> {
    problem.format.shapes.iter().map(|shape| Solver::new(shape).with_bounds(bounds)).collect()
}

/// The same as [`solve`], by these solvers, as [`solvers_of`] makes them.
///
/// # Errors
/// The first [`SolveError`].
pub fn solve_with(
    solvers: &[Solver],
    problem: &Problem,
    input: impl Read,
    answer: impl Write,
) -> Result<u64, SolveError> {
    let Problem { format, accept, .. } = problem;
    let mut clues = InputGrids::open(format, input)?;
    let mut cells = Vec::new();
    let mut answer = BufWriter::new(answer);
    let mut number = 0;
    while let Some(place) = clues.read_into(&mut cells)? {
        number += 1;
        let grid = if clues.may_hold_several() { format!("grid {number}: ") } else { String::new() };
        let solver = &solvers[place];
        let shape = &format.shapes[place];
        let truth = check::expected_answer(solver, *accept, format, &cells);
        let truth = truth.map_err(|source| SolveError::TooHard { grid: grid.clone(), source })?;
        let text = match text_of(format, shape, number, &truth) {
            Some(text) => text,
            None => return Err(expectation_error(problem, shape, solver, &cells, grid, &truth)),
        };
        answer.write_all(text.as_bytes()).map_err(SolveError::Writing)?;
    }
    answer.flush().map_err(SolveError::Writing)?;
    Ok(number)
}

/// The text of the right answer to grid `number`; `None` if the problem has no words for it.
fn text_of(format: &Format, shape: &Shape, number: u64, truth: &ExpectedAnswer) -> Option<String> {
    let (layout, replies) = (&format.output, &format.replies);
    match truth {
        ExpectedAnswer::One(solution) => Some(write::grid(shape, &format.symbols, layout, number, solution)),
        ExpectedAnswer::None => Some(write::text(layout, number, replies.none.as_ref()?)),
        ExpectedAnswer::Several => Some(write::text(layout, number, replies.several.as_ref()?)),
        ExpectedAnswer::Count(count) => {
            Some(write::text(layout, number, &replies.count.as_ref()?.template.line(*count)))
        }
        ExpectedAnswer::All(solutions) => Some(write::listing(format, shape, number, solutions)),
    }
}

/// The refusal of a grid that the problem has promised not to be.
fn expectation_error(
    problem: &Problem,
    shape: &Shape,
    solver: &Solver,
    clues: &[Value],
    grid: String,
    truth: &ExpectedAnswer,
) -> SolveError {
    match (truth, problem.accept) {
        (ExpectedAnswer::Several, Accept::All { most } | Accept::Count { most }) => {
            SolveError::TooMany { grid, most }
        }
        (ExpectedAnswer::Several, _) => match solver.solutions(clues, 2).as_deref() {
            Ok([one, other]) => {
                let cells = check::difference(&problem.format, shape, one, other);
                SolveError::Several { grid, cells }
            }
            _ => SolveError::Several { grid, cells: String::new() },
        },
        _ => SolveError::NoSolution { grid },
    }
}

/// The mistake that a refusal is for the setter.
pub fn mistake_of_solve_error(case: &Case, refusal: &SolveError) -> Mistake {
    match refusal {
        SolveError::Input(InputError::Text(mistake)) => placed(&case.input, mistake),
        SolveError::Input(InputError::File(error)) => unreadable(&case.input, error),
        SolveError::Writing(_) => Mistake::of(&case.answer, refusal.to_string()),
        SolveError::NoSolution { .. } => Mistake::of(&case.input, refusal.to_string()).with_remedy(
            "remove or correct a clue; no two of them clash, but together they leave some cell no symbol",
        ),
        SolveError::Several { .. } => Mistake::of(&case.input, refusal.to_string())
            .with_remedy("add a clue in one of these cells, or accept any solution (`accept = \"any\"`)"),
        SolveError::TooMany { .. } => Mistake::of(&case.input, refusal.to_string())
            .with_remedy("add clues, raise `most`, or say what stands in place of more (`more = \"..\"`)"),
        SolveError::TooHard { .. } => Mistake::of(&case.input, refusal.to_string()).with_remedy("add clues"),
    }
}

fn mistakes_of_stored_answer(problem: &Problem, case: &Case) -> Vec<Mistake> {
    let sound = |input, answer| check::soundness(&problem.format, problem.accept, input, answer);
    mistakes_of_files(problem, case, sound)
}

/// What the solver has against the stored answer of a case. That it is sound has been seen before; where the problem takes
/// any valid completion, or promises that there is but one, there is no more to it.
pub fn wrong_answers(problem: &Problem, case: &Case) -> Vec<Mistake> {
    let has_words = problem.format.replies.none.is_some() || problem.format.replies.several.is_some();
    if matches!(problem.accept, Accept::Unique | Accept::Any) && !has_words {
        return Vec::new();
    }
    let none = None::<io::Empty>;
    let right = |input, answer| check::output(&problem.format, problem.accept, input, answer, none);
    mistakes_of_files(problem, case, right)
}

/// What a check has against the stored answer of a case.
fn mistakes_of_files(
    problem: &Problem,
    case: &Case,
    check: impl FnOnce(File, File) -> Result<Findings, CheckError>,
) -> Vec<Mistake> {
    let files = File::open(&case.input).and_then(|input| Ok((input, File::open(&case.answer)?)));
    let (input, answer) = match files {
        Ok(files) => files,
        Err(error) => return vec![unreadable(&case.answer, &error)],
    };
    let remedy = format!("delete it and write it anew with `gridjudge answers {}`", problem.id);
    mistakes_found(&case.input, &case.answer, check(input, answer), &remedy)
}

fn mistakes_found(
    input: &Path,
    answer: &Path,
    found: Result<Findings, CheckError>,
    remedy: &str,
) -> Vec<Mistake> {
    let findings = match found {
        Ok(findings) => findings,
        Err(CheckError::Output(error)) => return vec![unreadable(answer, &error)],
        Err(other) => return vec![Mistake::of(input, other.to_string())],
    };
    let mistakes = findings.listed.iter().map(|finding| {
        let mistake = Mistake::of(answer, format!("the answer is wrong: {}", finding.message));
        Mistake { line: finding.line, ..mistake }.with_remedy(remedy)
    });
    mistakes.collect()
}

fn placed(path: &Path, mistake: &check::InputMistake) -> Mistake {
    let placed = Mistake::of(path, &mistake.message).on_line(mistake.line);
    Mistake { remedy: mistake.remedy.map(str::to_owned), ..placed }
}

fn unreadable(path: &Path, error: &io::Error) -> Mistake {
    Mistake::of(path, format!("cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridjudge_grid::CellSpacing;
    use gridjudge_grid::GridCount;
    use gridjudge_grid::Layout;
    use gridjudge_grid::Replies;
    use gridjudge_grid::Shape;
    use gridjudge_grid::Symbols;
    use gridjudge_sandbox::Limits;
    use std::time::Duration;

    fn problem(accept: Accept) -> Problem {
        let layout = |count| Layout::bare(count, CellSpacing::Joined);
        Problem {
            id: "p".into(),
            name: "P".into(),
            source: None,
            format: Format {
                shapes: vec![Shape::new(4, 2, 2).unwrap()],
                symbols: Symbols::characters("1234", "*"),
                input: layout(GridCount::First { most: 10 }),
                output: layout(GridCount::AsInput),
                replies: Replies::default(),
            },
            accept,
            limits: Limits {
                cpu: Duration::from_secs(1),
                wall: Duration::from_secs(2),
                memory_bytes: 1,
                output_bytes: 1,
                processes: 1,
            },
            allowances: Default::default(),
            points: Default::default(),
        }
    }

    fn answer(accept: Accept, input: &str) -> Result<String, String> {
        let mut answer = Vec::new();
        solve(&problem(accept), input.as_bytes(), &mut answer).map_err(|refusal| refusal.to_string())?;
        Ok(String::from_utf8(answer).unwrap())
    }

    #[test]
    fn an_answer_is_written_in_the_problems_own_format() {
        let solved = answer(Accept::Unique, "1\n****\n2341\n4123\n3214\n");
        assert_eq!(solved.unwrap(), "1432\n2341\n4123\n3214\n");
    }

    #[test]
    fn the_three_refusals_say_three_different_things() {
        let refused = |input| answer(Accept::Unique, input).unwrap_err();
        assert_eq!(
            refused("2\n****\n2341\n4123\n3214\n12**\n34**\n21**\n43**\n"),
            "grid 2: more than one solution, the problem promises one: row 2, column 3 may be 1 or 2, row 2, column 4 \
             may be 2 or 1"
        );
        assert_eq!(refused("1\n123*\n***4\n****\n****\n"), "no completion of these clues keeps the rules");
        let format = problem(Accept::Unique).format;
        let input = "1\n1**1\n****\n****\n****\n";
        let contradiction = check::mistakes_of_input(&format, input.as_bytes()).unwrap();
        assert_eq!(
            contradiction[0].message,
            "the clues contradict each other: row 1 has two 1s, at columns 1 and 4"
        );
    }

    #[test]
    fn where_any_solution_counts_one_of_several_is_written() {
        assert_eq!(answer(Accept::Any, "1\n****\n****\n****\n****\n").unwrap().lines().count(), 4);
    }
}
