//! Drafts the files of a new problem: `questions` collects the settings, `page` makes the texts. Writes no
//! file.

pub(crate) mod page;
pub(crate) mod questions;
