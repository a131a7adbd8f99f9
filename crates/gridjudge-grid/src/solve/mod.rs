//! Solves grids with any houses of any order, and finds any number of solutions up to a limit.
//! Knows values, not texts.
//!
//! Two searches share the work. [`depth_first`] guesses and backtracks, which is fastest on grids
//! that are easy or have many solutions. If it runs into too many dead ends, [`sat_encoding`]
//! continues with clauses and [`sat_solver`] learns from its dead ends. Both are bounded by counts,
//! so no grid can hang the caller, and neither uses random numbers, so each grid has the same
//! answer on every machine. For grids with cages or inequalities, which the clauses cannot express,
//! the depth-first search works alone. Plain 9x9 grids have a solver of their own, [`nine`]. Start
//! at [`Solver`].

mod depth_first;
mod house_graph;
pub mod nine;
mod sat_encoding;
mod sat_solver;
mod solver;

pub use crate::solve::house_graph::{SearchBounds, TooHard};
pub use solver::Solver;

#[cfg(test)]
mod tests;
