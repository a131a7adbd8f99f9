//! Handles the arithmetic rules of a grid: cages whose cells give a target, and inequalities between two
//! cells. [`Arithmetic`] defines them and checks them cell by cell; [`ArithmeticNarrowing`] removes
//! candidates for searches.

mod breach;
mod demands;
mod masks;
mod narrowed_cage;
mod narrowing;
mod value_sets;

pub use breach::ArithmeticBreach;
pub use breach::CageResult;
pub use demands::Arithmetic;
pub use demands::Cage;
pub use demands::CageOperation;
pub use demands::Inequality;
pub use masks::NoCandidate;
pub use narrowing::ArithmeticNarrowing;

#[cfg(test)]
mod tests;
