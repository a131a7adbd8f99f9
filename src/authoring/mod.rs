//! What setters of problems use: cases are made, their strength is measured, and programs are searched for faults.

pub mod generate;
mod grids_only;
mod model_solution;
pub mod strength;
pub mod stress;

pub use grids_only::grids_of;
pub use grids_only::grids_of_one_map;
pub use model_solution::ModelAnswerError;
pub use model_solution::write_answer;
