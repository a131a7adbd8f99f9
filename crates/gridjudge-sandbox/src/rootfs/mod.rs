//! The file system that a run sees: what is in it, how it is built, kept and cleaned. Knows nothing of how a run is started.
//! Start at [`cache::RootFsCache`], and for level basic at [`scratch_folder::ScratchFolder`].

pub(super) mod build;
pub(super) mod cache;
mod contents;
pub mod executable;
pub(super) mod remove_tree;
pub(super) mod scratch_files;
pub(super) mod scratch_folder;
