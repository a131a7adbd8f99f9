//! Proves cases, and writes their answers. A case is *sound* if input and answer are in the
//! problem's format and the answer fits the input; it is *proven* if the reference solver has also
//! confirmed that it keeps the problem's promises. Knows nothing of submissions. Start at
//! [`mistakes_of`] and [`solve`].

mod case;
mod grid;
mod parallel;

pub use crate::proof::grid::SolveError;
pub use case::{
    can_compare_answers, has_solver, mistake_in_input, mistake_of_solve_error, mistakes_of,
    mistakes_of_answer, mistakes_of_input, promise, prove, solve, wrong_answers,
};
pub use grid::{solve_grids, solve_with, solvers_of};
pub use parallel::{ProvenCases, mistakes_of_all};
