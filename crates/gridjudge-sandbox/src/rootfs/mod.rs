//! The file system that a run sees: how it is built, kept and cleaned.

pub(crate) mod build;
pub(crate) mod cache;
pub(crate) mod contents;
pub mod executable;
pub(crate) mod scratch_folder;
