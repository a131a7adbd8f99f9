//! Drafts the files of a new problem. `task` is what the problem asks for; for grids, `questions`
//! collects the settings and `page` makes the texts; `text_problem` does both for all other tasks.
//! `mistakes` says what is wrong in a draft by the flags and questions that it was made from.
//! Writes no file.

pub(crate) mod page;
pub(crate) mod questions;
pub(crate) mod text_problem;

use page::SpecLines;
use questions::{ProblemAnswers, Prompter};
