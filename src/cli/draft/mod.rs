//! The files of a problem that is begun: `page` writes them, `questions` finds out what goes into them. Writes no file.

pub(crate) mod page;
pub(crate) mod questions;
