//! Drafts the files of a new problem. `task` is what the problem asks for; for grids, `questions`
//! collects the settings and `page` makes the texts; `text_problem` does both for all other tasks.
//! `mistakes` says what is wrong in a draft by the flags and questions that it was made from.
//! Writes no file.

pub(crate) mod mistakes;
pub(crate) mod page;
mod prompter;
pub(crate) mod questions;
mod spec_lines;
pub(crate) mod task;
pub(crate) mod text_problem;
