//! What a grid may demand beside its houses: cages of cells that add up to a sum, and which of two neighbours is less.
//! [`Arithmetic`] says what it means, cell by cell; [`ArithmeticNarrowing`] is what searches make of it.

mod breach;
mod demands;
mod narrowing;
mod value_sets;

pub use breach::ArithmeticBreach;
pub use demands::Arithmetic;
pub use demands::Cage;
pub use demands::Inequality;
pub use narrowing::ArithmeticNarrowing;
pub use narrowing::NoCandidate;

#[cfg(test)]
mod tests;
