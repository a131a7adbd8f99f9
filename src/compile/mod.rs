//! Prepares a submission for its runs: finds the tools of its language, and compiles it once, in
//! the sandbox, in its own folder. Of the problem it knows only how much memory a run may use.
//! Start at [`Compiler::compile`].

mod build;
mod build_folder;
mod build_result;
mod compiler;
mod disk_space;
mod failure_reason;
mod fingerprint;
mod first_builds;
mod installation;
mod kept_build;
mod known_good;
mod known_languages;
mod language_check;
mod machine_facts;
mod placeholders;
mod program_key;
mod program_source;
mod source_file;
mod source_name;
mod tool_finder;
mod toolchain;
mod unusable_language;

pub use build_folder::BuildFolder;
pub use build_result::BuildResult;
pub use compiler::Compiler;
pub use failure_reason::with_words;
pub use known_languages::Fingerprint;
pub use program_source::ProgramSource;
pub use source_file::{LARGEST_SUBMISSION, included_by, without_folder};
pub use tool_finder::{LanguageTool, ToolFinder, ToolLocation};
pub use unusable_language::UnusableLanguage;

#[cfg(test)]
mod tests;
