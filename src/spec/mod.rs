//! From files to data: `judge.toml`, `problem.toml`, and the folders around them. Every mistake of a file is found at
//! once, with its line and a remedy. Knows nothing of running or checking. Start at [`Folder::open`].

mod config;
mod contest;
mod document;
mod folder;
mod language;
mod limits;
mod measure;
mod mistake;
mod pattern;
mod points;
mod problem;
mod promise;
mod recipe;
mod table;
mod walk;

pub use config::Config;
pub use config::FILE_NAME;
pub use config::MOST_JOBS;
pub use contest::Attempt;
pub use contest::Entries;
pub use folder::Answers;
pub use folder::Folder;
pub use folder::MOST_CASE;
pub use folder::SPEC;
pub(crate) use measure::duration;
pub use mistake::Excerpt;
pub use mistake::Mistake;
pub use mistake::Mistakes;
pub use mistake::nearest;
pub use pattern::Pattern;
pub use points::groups_without_cases;
pub use promise::Example;
