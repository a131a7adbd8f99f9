//! Finds a small input on which a program fails: runs random inputs until one fails, then
//! simplifies that input. Knows how to run and judge one input, not how programs are prepared or
//! results are shown.
//!
//! ```text
//! InputSource ---input k---> InputRunner ---outcome---> Fuzzer ---first failure---> Shrinker ---> case, note
//!                        ^                                                              |
//!                        +----------------------- simpler inputs -----------------------+
//! ```
//!
//! Start at [`Fuzzer::run`] and [`Shrinker::shrink`].

mod draft;
mod failure_note;
mod fuzzer;
mod generated;
mod input_runner;
mod seed_grids;
mod shrink;
mod source;

use seed_grids::{SeedGrid, SeedGrids, ShapeSymmetries};

pub use draft::{Draft, DraftGrid};
pub use failure_note::{FailureNote, size_of_shrunk, size_of_text};
pub use fuzzer::{FuzzHarness, GridHarness};
pub use fuzzer::{FuzzResult, Fuzzer};
pub use generated::{GeneratedHarness, GeneratedInput, InputPrograms, InputValidatorProgram};
pub use generated::{GeneratorArguments, PLACEHOLDERS};
pub use input_runner::FailingInput;
pub use input_runner::{FuzzTarget, FuzzTargets, InputOutcome, InputRunner, Symptom};
pub use shrink::{ShrinkBudget, ShrinkResult, Shrinker};
pub use source::InputSource;

#[cfg(test)]
mod tests;
