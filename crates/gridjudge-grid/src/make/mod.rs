//! Makes grids: random ones, minimal ones, hard ones, and ones that are slow for a given search.
//! The same seed gives the same grid on every machine and in every version, however the solver
//! works: makers use only results that do not depend on its search order, such as the number of
//! solutions. Start at [`GridMaker::make`].

mod adversarial;
mod clue_removal;
mod fill;
mod kind;
mod maker;
mod random_regions;
mod rate;
mod rng;
mod seventeen;
mod solution_counter;
mod steps;

pub use crate::make::kind::Symmetry;
pub use crate::make::rate::MakeError;
pub use kind::GridKind;
pub use maker::GridMaker;
pub use random_regions::random_regions;
pub use rate::{MOST_GUESSES, Rater, Rating};
pub use rng::SeededRng;

#[cfg(test)]
mod tests;
