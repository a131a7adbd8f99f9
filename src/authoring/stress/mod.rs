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

mod fuzzer;
mod generated;
mod input_runner;
mod seed_grids;
mod shrink;
mod source;

use seed_grids::{SeedGrid, SeedGrids, ShapeSymmetries};

pub use fuzzer::{FuzzHarness, FuzzResult, Fuzzer, GridHarness};
pub use generated::{
    GeneratedHarness, GeneratedInput, GeneratorArguments, InputPrograms, InputValidatorProgram,
    PLACEHOLDERS,
};
pub use input_runner::{
    FailingInput, FailureNote, FuzzTarget, FuzzTargets, InputOutcome, InputRunner, Symptom,
    size_of_shrunk, size_of_text,
};
pub use seed_grids::{Draft, DraftGrid};
pub use shrink::{ShrinkBudget, ShrinkResult, Shrinker};
pub use source::InputSource;

#[cfg(test)]
mod tests;
