//! Tools for problem setters, which generate cases, measure how strong cases are, and search for
//! inputs on which programs fail.

pub mod generate;
mod grids_only;
mod model_solution;
pub mod strength;
pub mod stress;

pub use grids_only::{grids_of, grids_of_one_map};
pub use model_solution::{ModelAnswerError, write_answer};
