//! Makes grids: random ones, minimal ones, hard ones, and ones that are slow for a given search.
//! The same seed gives the same grid on every machine and in every version, however the solver
//! works: makers use only results that do not depend on its search order, such as the number of
//! solutions. Start at [`GridMaker::make`].

mod adversarial;
mod candidates;
mod clue_removal;
mod constrained_fill;
mod error;
mod fill;
mod invalid;
mod kind;
mod maker;
mod random_regions;
mod rate;
mod reducer;
mod rng;
mod seventeen;
mod solution_counter;
mod steps;
mod symmetry;
mod transform;
mod unavoidable;
mod unsolvable;

pub use error::MakeError;
pub use kind::GridKind;
pub use maker::GridMaker;
pub use random_regions::random_regions;
pub use rate::{MOST_GUESSES, Rater, Rating};
pub use rng::SeededRng;
pub use symmetry::Symmetry;

#[cfg(test)]
mod tests;
