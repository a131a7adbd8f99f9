//! Temporary folders for unpacked archives. A folder is removed when its value is dropped; the
//! folders of judges that were killed are removed when the next folder is created. Knows nothing of
//! archives.

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{fs, io};

use rustix::fs::FlockOperation;
use tempfile::TempDir;

/// The start of the folder's name.
const PREFIX: &str = "gridjudge-package-";

/// A file beside the unpacked files that a judge keeps locked while it lives.
const ALIVE: &str = "alive";

/// A temporary folder for the files of an archive.
#[derive(Debug)]
pub struct ArchiveFolder {
    folder: TempDir,
    _alive: File,
}

impl ArchiveFolder {
    /// Creates a folder among temporary files, and removes the folders that dead judges of this
    /// user left there.
    pub(super) fn make() -> io::Result<Self> {
        Self::make_in(&std::env::temp_dir())
    }

    fn make_in(parent: &Path) -> io::Result<Self> {
        remove_stale(parent);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        // The file gets its name only when it is locked: another judge would take an unlocked one
        // for abandoned.
        let unnamed = folder.path().join("new");
        let alive = File::create_new(&unnamed)?;
        rustix::fs::flock(&alive, FlockOperation::LockExclusive)?;
        fs::rename(unnamed, folder.path().join(ALIVE))?;
        fs::create_dir(folder.path().join("content"))?;
        Ok(Self {
            folder,
            _alive: alive,
        })
    }

    /// The folder to unpack into.
    pub(super) fn content(&self) -> PathBuf {
        self.folder.path().join("content")
    }
}

fn remove_stale(parent: &Path) {
    let me = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        // `DirEntry::metadata` does not follow links.
        let is_mine = entry
            .metadata()
            .is_ok_and(|found| found.is_dir() && found.uid() == me);
        if is_mine && is_abandoned(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether a judge created a folder and no living judge has it locked.
fn is_abandoned(folder: &Path) -> bool {
    let alive = File::open(folder.join(ALIVE));
    alive.is_ok_and(|alive| {
        rustix::fs::flock(&alive, FlockOperation::NonBlockingLockExclusive).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_dead_judges_are_removed_and_those_of_living_ones_stay() {
        let parent = tempfile::tempdir().unwrap();
        let living = ArchiveFolder::make_in(parent.path()).unwrap();
        let dead = parent.path().join(format!("{PREFIX}dead"));
        let begun = parent.path().join(format!("{PREFIX}begun"));
        let other = parent.path().join("other");
        for folder in [&dead, &begun, &other] {
            fs::create_dir_all(folder.join("content/data")).unwrap();
        }
        fs::write(dead.join(ALIVE), "").unwrap();
        fs::write(other.join(ALIVE), "").unwrap();
        let next = ArchiveFolder::make_in(parent.path()).unwrap();
        assert!(
            living.content().is_dir()
                && next.content().is_dir()
                && begun.is_dir()
                && other.is_dir()
        );
        assert!(!dead.exists());
        drop(next);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 3);
    }
}
