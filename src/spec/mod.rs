//! From files to data: `judge.toml`, `problem.toml`, and the folders around them. Every mistake of a file is found at
//! once, with its line and a remedy. Knows nothing of running or checking. Start at [`JudgeFolder::open`].

mod config;
mod contest;
mod document;
mod examples;
mod folder;
mod language;
mod limits;
mod measure;
mod mistake;
mod pattern;
mod points;
mod problem;
mod recipe;
mod statement;
mod table;
mod token_flags;
mod walk;

pub use config::Config;
pub use config::FILE_NAME;
pub use config::MOST_JOBS;
pub use contest::ContestAttempt;
pub use contest::ContestEntries;
pub use examples::ExampleSubmission;
pub use folder::AnswerRequirement;
pub use folder::JudgeFolder;
pub use folder::MOST_CASE;
pub use folder::SPEC;
pub(crate) use measure::duration;
pub use mistake::Mistake;
pub use mistake::Mistakes;
pub use mistake::SourceExcerpt;
pub use mistake::nearest;
pub use pattern::NamePattern;
pub use points::groups_without_cases;
pub use statement::statement_of;
pub use token_flags::TokenFlagMistake;
pub use token_flags::token_flags;
