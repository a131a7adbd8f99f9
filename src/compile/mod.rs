//! Prepares a submission for its runs: finds the tools of its language, and compiles it once, in
//! the sandbox, in its own folder. Of the problem it knows only how much memory a run may use.
//! Start at [`Compiler::compile`].

mod build;
mod build_result;
mod compiler;
mod failure_reason;
mod fingerprint;
mod kept_build;
mod language_check;
mod machine_facts;
mod placeholders;
mod source_file;
mod tool_finder;
mod toolchain;

use build::Build;
use build_result::missing;
use failure_reason::Blame;
use kept_build::{FirstBuilds, Kept, KeptBuild};
use machine_facts::{DigestOfTool, MachineFacts, MachineState};
use placeholders::PlaceholderValues;
use source_file::text;
use toolchain::Toolchain;

pub use build_result::BuildResult;
pub use build_result::{BuildFolder, ProgramSource};
pub use compiler::Compiler;
pub use failure_reason::with_words;
pub use machine_facts::Fingerprint;
pub use source_file::{LARGEST_SUBMISSION, included_by, open_source, without_folder};
pub use tool_finder::{LanguageTool, ToolFinder, ToolLocation};

#[cfg(test)]
mod tests;
