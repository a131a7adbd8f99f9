//! The file system that a run sees: chooses its contents, builds it, caches it and
//! cleans it. Knows nothing of how a run is started. Start at [`cache::RootFsCache`],
//! and for level basic at [`scratch_folder::ScratchFolder`].

pub(super) mod build;
pub(super) mod cache;
pub mod executable;
pub(super) mod remove_tree;
pub(super) mod scratch_folder;
