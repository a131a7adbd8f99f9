//! Proves cases, and writes their answers. A case is *sound* if input and answer are in
//! the problem's format and the answer fits the input; it is *proven* if the reference
//! solver has also confirmed that it keeps the problem's promises. Knows nothing of
//! submissions. Start at
//! [`mistakes_of`] and [`solve`].

mod case;
mod grid;

use rayon::ThreadPoolBuilder;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::model::{Case, Problem};
pub use crate::proof::grid::SolveError;
use crate::spec::Mistake;
pub use case::{
    can_compare_answers, has_solver, mistake_in_input_file, mistake_of_solve_error,
    mistakes_of, mistakes_of_answer, mistakes_of_input_file, promise, prove, solve,
    wrong_answers,
};
pub use grid::{solve_grids, solve_with, solvers_of};

// Checks many cases in parallel, before anything runs, except those that were found in
// order earlier. Knows threads; what is wrong with one case is found in `case.rs`, and
// what was found earlier is known to the caller.

/// Checking fewer cases takes less time than starting threads.
const MANY_CASES: usize = 64;

const CASES_PER_PIECE: usize = 16;

/// What was proven of cases earlier.
pub trait ProvenCases: Sync {
    /// Whether input and answer of a case are known to be in order; else what `check`
    /// finds wrong with them, which is remembered if it is nothing.
    fn mistakes_or(
        &self,
        case: &Case,
        check: &dyn Fn() -> Vec<Mistake>,
    ) -> Vec<Mistake>;
}

/// Lists what is wrong with the cases of a problem and their answers, in the order of
/// the cases. Many cases are checked on all cores, since the first run waits for this.
#[must_use]
pub fn mistakes_of_all(
    problem: &Problem,
    cases: &[Case],
    proven: &dyn ProvenCases,
) -> Vec<Mistake> {
    let look = |case| proven.mistakes_or(case, &|| mistakes_of(problem, case, true));
    let pool = (cases.len() >= MANY_CASES)
        .then(|| ThreadPoolBuilder::new().build().ok())
        .flatten();
    match pool {
        Some(pool) => pool.install(|| {
            cases
                .par_iter()
                .with_min_len(CASES_PER_PIECE)
                .flat_map_iter(look)
                .collect()
        }),
        // Few cases, or no threads available.
        None => cases.iter().flat_map(look).collect(),
    }
}
