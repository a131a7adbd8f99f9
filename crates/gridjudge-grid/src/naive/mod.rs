//! Implements the searches that beginners write, with exact counts of their nodes: the cost of a
//! case for such a program on any machine. Adversarial cases are made against these searches, and
//! they measure the strength of cases. A *node* is a candidate that was placed.
//!
//! The searches differ only in the order of cells and of values. They only exclude values that are
//! already in a cell's houses (or that break a cage or an inequality); none of them searches for
//! the only place of a value.

mod kind;
mod searcher;

pub use kind::NaiveSearch;
pub use searcher::{NaiveSearcher, SearchCost};

#[cfg(test)]
mod tests;
