//! Proves cases, and writes their answers. A case is *sound* if input and answer are in the problem's format
//! and the answer fits the input; it is *proven* if the reference solver has also confirmed that it keeps the
//! problem's promises. Knows nothing of submissions. Start at [`mistakes_of`] and [`solve`].

mod case;
mod grid;
mod parallel;
mod solve_error;

pub use case::can_compare_answers;
pub use case::has_solver;
pub use case::mistake_in_input;
pub use case::mistake_of_solve_error;
pub use case::mistakes_of;
pub use case::mistakes_of_answer;
pub use case::mistakes_of_input;
pub use case::promise;
pub use case::prove;
pub use case::solve;
pub use case::wrong_answers;
pub use grid::solve_grids;
pub use grid::solve_with;
pub use grid::solvers_of;
pub use parallel::ProvenCases;
pub use parallel::mistakes_of_all;
pub use solve_error::SolveError;
