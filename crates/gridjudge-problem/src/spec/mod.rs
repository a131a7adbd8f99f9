//! Reads `judge.toml`, `problem.toml`, and the folders around them. Reports every
//! mistake of a file at once, with its line and a remedy. Knows nothing of running or
//! checking. Packages of other judges become problems in `package_problem`. Start at
//! [`JudgeFolder::open`].

mod answer_files;
mod config;
mod contest;
mod course;
mod folder;
mod handed_in;
mod limits;
mod package_problem;
mod problem;
mod recipe;

pub(crate) use crate::keys::word_of;
pub use crate::mistake::{Mistake, Mistakes, ReadFailure, SourceExcerpt, nearest};
pub use crate::package::kattis::groups::{TokenFlagMistake, token_flags};
pub use crate::spec::folder::examples::{
    ExampleSubmission, NamePattern, submission_files,
};
pub use crate::spec::folder::problem_folder::{CaseMaker, ProblemFolder, SPEC};
use answer_files::ArchiveFolder;
pub use answer_files::{UnpackedAnswers, is_packed, unpack_answers};
pub use config::{Config, FILE_NAME, MOST_JOBS};
pub use contest::contest_minute;
pub use course::SETTINGS as COURSE_SETTINGS;
pub use folder::JudgeFolder;
pub use folder::cases::{AnswerRequirement, MOST_CASE};
use folder::walk::is_clutter;
pub(crate) use handed_in::is_archive_name;
pub use handed_in::{ContestAttempt, ContestEntries};
use handed_in::{
    EntryKind, FoundEntry, OtherEntries, composed, name_of, real_kind, refuse_foreign,
};
pub use limits::parse_duration;
use limits::read_limits;
pub use problem::ProblemSpec;
pub(crate) use problem::layout::{BLANK_LINES, LINE_END, ORDER_PLACE};
pub use recipe::{no_puzzles, puzzle_layouts, puzzles_of_file};
