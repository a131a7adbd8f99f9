//! The searches that beginners write, each with its name and an exact count of its nodes: what a case costs a program
//! of that kind, on any machine. Adversarial cases are made against them, and the strength of cases is measured with
//! them. A *node* is a candidate that was placed.
//!
//! They differ in the order of cells and of values alone. What they know of the rules is which values stand in a
//! cell's houses; none of them looks for the only place of a value.

mod constrained;
mod kind;
mod search;
mod searcher;

pub use kind::NaiveSearch;
pub use searcher::NaiveSearcher;
pub use searcher::SearchCost;

#[cfg(test)]
mod tests;
