//! Proves the cases of problems for `verify` and `answers`: checks that their grids have as many
//! solutions as the spec says, and that their answers are right.

use std::fs::File;

use crate::cli::session::known_proofs::KnownProofs;
use crate::cli::session::plan_entry::ProblemCases;
use crate::cli::status_line::StatusLine;
use crate::model::{Case, Problem};
use crate::proof;
use crate::spec::{Mistake, Mistakes};

/// Solves every grid of every case that is not known to be solved. Returns the number of grids.
pub(crate) fn prove(
    subject: &ProblemCases,
    proofs: &KnownProofs<'_>,
    status: &StatusLine,
) -> Result<u64, Mistakes> {
    let proven = proofs.of_problem(&subject.problem);
    let id = &subject.problem.id;
    let all = subject.cases.len();
    let solved = subject.cases.iter().zip(1..).map(|(case, number)| {
        status.say(|| format!("proving {id}: case {number} of {all}, {}", case.name));
        proven.grids_or(case, || solutions_of(&subject.problem, case))
    });
    Ok(Mistakes::of_all(solved)?.into_iter().sum())
}

/// Proves that the grids of a case have as many solutions as the problem says, and that the stored
/// answer, if any, is right. Returns the number of grids.
pub(crate) fn solutions_of(problem: &Problem, case: &Case) -> Result<u64, Mistakes> {
    if problem.is_static(&case.name) {
        return Ok(0);
    }
    let input = File::open(&case.input);
    let input =
        input.map_err(|error| Mistake::of(&case.input, format!("cannot be read: {error}")))?;
    let solved = proof::prove(problem, input);
    let solved = solved.map_err(|error| proof::mistake_of_solve_error(case, &error))?;
    let wrong = if case.answer.exists() {
        proof::wrong_answers(problem, case)
    } else {
        Vec::new()
    };
    if wrong.is_empty() {
        Ok(solved)
    } else {
        Err(Mistakes(wrong))
    }
}
