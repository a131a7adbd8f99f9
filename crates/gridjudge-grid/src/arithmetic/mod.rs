//! Handles the arithmetic rules of a grid: cages whose cells give a target, and inequalities
//! between two cells. [`Arithmetic`] defines them and checks them cell by cell;
//! [`ArithmeticNarrowing`] removes candidates for searches.

mod breach;
mod demands;
mod narrowed_cage;
mod narrowing;

pub use crate::arithmetic::demands::NoCandidate;
pub use breach::{ArithmeticBreach, CageResult};
pub use demands::{Arithmetic, Cage, CageOperation, Inequality};
pub use narrowing::ArithmeticNarrowing;

#[cfg(test)]
mod tests;
