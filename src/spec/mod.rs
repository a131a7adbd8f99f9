//! From files to data: `judge.toml`, `problem.toml`, and the folders around them. Every mistake of a file is found at
//! once, with its line and a remedy. Knows nothing of running or checking. Start at [`JudgeFolder::open`].

mod answer_files;
mod archive_folder;
mod config;
mod contest;
mod document;
mod examples;
mod folder;
mod foreign;
mod language;
mod limits;
mod measure;
mod package_sources;
mod pattern;
mod points;
mod problem;
mod problem_folder;
mod recipe;
mod script_language;
mod statement;
mod table;
mod walk;

pub use crate::mistake::Mistake;
pub use crate::mistake::Mistakes;
pub use crate::mistake::SourceExcerpt;
pub use crate::mistake::nearest;
pub use crate::package::token_flags::TokenFlagMistake;
pub use crate::package::token_flags::token_flags;
pub use answer_files::AnswersError;
pub use config::Config;
pub use config::FILE_NAME;
pub use config::MOST_JOBS;
pub use contest::ContestAttempt;
pub use contest::ContestEntries;
pub use examples::ExampleSubmission;
pub use folder::AnswerRequirement;
pub use folder::JudgeFolder;
pub use folder::MOST_CASE;
pub(crate) use measure::duration;
pub use package_sources::PackageTool;
pub use pattern::NamePattern;
pub use points::groups_without_cases;
pub use problem_folder::SPEC;
pub use statement::statement_of;
