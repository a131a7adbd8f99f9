//! From a program to the smallest input found on which it fails: random inputs until one does, then that input made simple.
//! Knows how to run and judge one input, not how programs are made ready nor how results are shown.
//!
//! ```text
//! Source ---input k---> Rig ---outcome---> Hunt ---the first failure---> Shrinker ---> a case, and a note
//!                        ^                                                  |
//!                        +------------------- simpler inputs ---------------+
//! ```
//!
//! Start at [`Hunt::go`] and [`Shrinker::shrink`].

mod draft;
mod fewest;
mod hunt;
mod note;
mod rig;
mod shrink;
mod source;
mod stock;
mod turns;

pub use draft::Draft;
pub use draft::Grid;
pub use hunt::Bag;
pub use hunt::Hunt;
pub use note::Note;
pub use rig::Contestant;
pub use rig::Outcome;
pub use rig::Rig;
pub use rig::Symptom;
pub use shrink::Allowance;
pub use shrink::Shrinker;
pub use shrink::Shrunk;
pub use source::Source;

/// An input that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its number among the random ones; none if somebody brought it.
    pub number: Option<u64>,
    /// The input.
    pub draft: Draft,
    /// What came of it.
    pub outcome: Outcome,
}

#[cfg(test)]
mod tests;
