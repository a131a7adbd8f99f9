//! Finds a small input on which a program fails: runs random inputs until one fails, then simplifies that
//! input. Knows how to run and judge one input, not how programs are prepared or results are shown.
//!
//! ```text
//! InputSource ---input k---> InputRunner ---outcome---> Fuzzer ---first failure---> Shrinker ---> case, note
//!                        ^                                                              |
//!                        +----------------------- simpler inputs -----------------------+
//! ```
//!
//! Start at [`Fuzzer::run`] and [`Shrinker::shrink`].

mod delta_debugging;
mod draft;
mod failing_input;
mod failure_note;
mod fuzzer;
mod generated;
mod generator_arguments;
mod harness;
mod input_runner;
mod seed_grids;
mod shrink;
mod source;
mod symmetries;

pub use draft::Draft;
pub use draft::DraftGrid;
pub use failing_input::FailingInput;
pub use failure_note::FailureNote;
pub use failure_note::size_of_shrunk;
pub use failure_note::size_of_text;
pub use fuzzer::FuzzResult;
pub use fuzzer::Fuzzer;
pub use generated::GeneratedHarness;
pub use generated::GeneratedInput;
pub use generated::InputPrograms;
pub use generated::InputValidatorProgram;
pub use generator_arguments::GeneratorArguments;
pub use generator_arguments::PLACEHOLDERS;
pub use harness::FuzzHarness;
pub use harness::GridHarness;
pub use input_runner::FuzzTarget;
pub use input_runner::FuzzTargets;
pub use input_runner::InputOutcome;
pub use input_runner::InputRunner;
pub use input_runner::Symptom;
pub use shrink::ShrinkBudget;
pub use shrink::ShrinkResult;
pub use shrink::Shrinker;
pub use source::InputSource;

#[cfg(test)]
mod tests;
