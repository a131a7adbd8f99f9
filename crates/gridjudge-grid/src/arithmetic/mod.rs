//! What a grid may demand beside its houses: cages of cells that come to a target, and which of two neighbours is less.
//! [`Arithmetic`] says what it means, cell by cell; [`ArithmeticNarrowing`] is what searches make of it.

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
