//! Reads `judge.toml`, `problem.toml`, and the folders around them. Reports every mistake of a file
//! at once, with its line and a remedy. Knows nothing of running or checking. Start at
//! [`JudgeFolder::open`].

mod address_space;
mod answer_files;
mod archive_folder;
mod clutter;
mod config;
mod contest;
mod examples;
mod folder;
mod format_settings;
mod lacking_languages;
mod language;
mod limits;
mod measure;
mod package_problem;
mod package_sources;
mod pattern;
mod permissions;
mod points;
mod problem;
mod problem_folder;
mod problem_search;
mod puzzle_file;
mod recipe;
mod script_language;
mod source_contents;
mod statement;
mod user_config;
mod walk;

pub use crate::mistake::{Mistake, Mistakes, SourceExcerpt, nearest};
pub use crate::package::token_flags::{TokenFlagMistake, token_flags};
pub use answer_files::{AnswersError, UnpackedAnswers, is_packed, unpack_answers};
pub use config::{Config, FILE_NAME, MOST_JOBS};
pub use contest::{ContestAttempt, ContestEntries};
pub use examples::{ExampleSubmission, submission_files};
pub use folder::JudgeFolder;
pub use folder::cases::{AnswerRequirement, MOST_CASE};
pub(crate) use measure::duration;
pub use package_sources::PackageTool;
pub use pattern::NamePattern;
pub use points::groups_without_cases_in;
pub use problem_folder::SPEC;
pub use puzzle_file::{no_puzzles, puzzle_layouts, puzzles_of_file};
pub use statement::statement_of;
