//! The folder that a run works in, fresh for each run. Knows files; knows nothing of
//! runs. Start at
//! [`ScratchFolder`].

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Gid, Mode, Uid};

use crate::rootfs::remove_tree::{NEVER, names, open_folder, remove_tree};
use crate::sys;

/// A slot's scratch folder: fresh, empty and accessible only to its owner at the start
/// of every run.
pub(crate) struct ScratchFolder {
    path: PathBuf,
    owner: Option<u32>,
    folder: OwnedFd,
    /// Its state as we left it: any difference was made by the run.
    untouched: FolderState,
}

impl ScratchFolder {
    /// Makes the folder, which must not exist, for this user (`None`: our own).
    pub(crate) fn create(path: &Path, owner: Option<u32>) -> io::Result<Self> {
        let folder = make(path, owner)?;
        reset_times(&folder)?;
        let untouched = folder_state(&folder)?;
        Ok(Self {
            path: path.to_owned(),
            owner,
            folder,
            untouched,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A descriptor of the folder itself, whatever its path refers to now.
    pub(crate) fn folder(&self) -> BorrowedFd<'_> {
        self.folder.as_fd()
    }

    /// Makes the folder fresh again. No process that could write to it may be alive.
    ///
    /// An untouched folder costs a stat and one read. A touched one is replaced rather
    /// than emptied, because the run may also have changed its mode, access lists and
    /// attributes.
    pub(crate) fn renew(&mut self) -> io::Result<()> {
        if folder_state(&self.folder)? == self.untouched && is_empty(&self.folder)? {
            return Ok(());
        }
        remove_tree(&self.path)?;
        *self = Self::create(&self.path, self.owner)?;
        Ok(())
    }
}

fn make(path: &Path, owner: Option<u32>) -> io::Result<OwnedFd> {
    rustix::fs::mkdir(path, Mode::RWXU)?;
    let folder = open_folder(CWD, path)?;
    if let Some(owner) = owner {
        rustix::fs::fchown(
            &folder,
            Some(Uid::from_raw(owner)),
            Some(Gid::from_raw(owner)),
        )?;
    }
    Ok(folder)
}

/// The properties of a folder that a run can change, and those that change with them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct FolderState {
    mode: u32,
    owner: (u32, u32),
    links: u64,
    size: i64,
    /// When its entries were last changed; [`NEVER`] if only we have changed them.
    modified: (i64, u64),
    /// When anything was changed. Before Linux 6.13 the clock for file times ticks only
    /// a few hundred times a second, and a change in the tick in which we made the
    /// folder does not show here.
    changed: (i64, u64),
    /// Length of the list of its extended attributes.
    attributes: usize,
}

pub(super) fn folder_state(folder: &OwnedFd) -> io::Result<FolderState> {
    Ok(state_and_access_time(folder)?.0)
}

/// The state of a folder, and when it was last read.
pub(super) fn state_and_access_time(
    folder: &OwnedFd,
) -> io::Result<(FolderState, (i64, u64))> {
    let stat = rustix::fs::fstat(folder)?;
    let state = FolderState {
        mode: stat.st_mode,
        owner: (stat.st_uid, stat.st_gid),
        links: stat.st_nlink as u64,
        size: stat.st_size as i64,
        modified: (stat.st_mtime as i64, stat.st_mtime_nsec as u64),
        changed: (stat.st_ctime as i64, stat.st_ctime_nsec as u64),
        attributes: rustix::fs::flistxattr(folder, &mut [0_u8; 0]).unwrap_or(0),
    };
    Ok((state, (stat.st_atime as i64, stat.st_atime_nsec as u64)))
}

/// Sets the times of an empty folder so that any change of its entries shows, and that
/// they do not reveal when it was made.
pub(super) fn reset_times(folder: &OwnedFd) -> io::Result<()> {
    Ok(sys::change_times(folder.as_fd(), NEVER)?)
}

fn is_empty(folder: &OwnedFd) -> io::Result<bool> {
    Ok(names(folder, 1)?.is_empty())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn an_untouched_folder_is_kept_and_a_touched_one_is_replaced() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("scratch");
        let mut scratch = ScratchFolder::create(&path, None).unwrap();
        let inode = |scratch: &ScratchFolder| {
            rustix::fs::fstat(&scratch.folder).unwrap().st_ino
        };
        let first = inode(&scratch);
        scratch.renew().unwrap();
        assert_eq!(inode(&scratch), first);
        fs::write(path.join("file"), "").unwrap();
        scratch.renew().unwrap();
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
        assert_eq!(inode(&scratch), rustix::fs::stat(&path).unwrap().st_ino);
    }

    /// As on a kernel with a coarse clock for file times.
    #[test]
    fn a_change_in_the_same_clock_tick_in_which_the_folder_was_made_shows() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("scratch");
        let folder = ScratchFolder::create(&path, None).unwrap().folder;
        reset_times(&folder).unwrap();
        let made = folder_state(&folder).unwrap();
        let now = || FolderState {
            changed: made.changed,
            ..folder_state(&folder).unwrap()
        };
        assert!(now() == made);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o500)).unwrap();
        assert!(now() != made);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        assert!(now() == made);
        fs::write(path.join("file"), "").unwrap();
        fs::remove_file(path.join("file")).unwrap();
        assert!(now() != made);
    }
}
