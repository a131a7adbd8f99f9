//! The reference solver: any houses of any order, any number of solutions up to a limit. Knows values, not texts.
//!
//! Two searches share the work. [`depth_first`] guesses and takes back, which is quickest where a grid is easy or has many
//! solutions. Where it gets lost, [`sat_encoding`] goes on with clauses and [`sat_solver`] learns from its dead ends. Both are
//! bounded by counts, so no grid can hang the caller, and neither uses random numbers, so each grid has the same answer
//! everywhere. Where a grid has cages or inequalities, of which clauses know nothing, the first goes on alone. Plain 9x9 grids
//! have a solver of their own, [`nine`]. Start at [`Solver`].

mod bounds;
mod completions;
mod depth_first;
mod exactly_one;
mod first;
mod house_graph;
pub mod nine;
mod sat_encoding;
mod sat_solver;
mod search_step;
mod solver;

pub use bounds::SearchBounds;
pub use bounds::TooHard;
pub use solver::Solver;

#[cfg(test)]
mod tests;
