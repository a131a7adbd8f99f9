//! The folder that a run works in, and how to empty one whatever was left in it. Knows files; knows
//! nothing of runs. Start at [`ScratchFolder`].

use std::ffi::CString;
use std::io;
use std::os::fd::AsFd;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::path::PathBuf;

use rustix::fs::AtFlags;
use rustix::fs::CWD;
use rustix::fs::Dir;
use rustix::fs::Gid;
use rustix::fs::Mode;
use rustix::fs::OFlags;
use rustix::fs::RenameFlags;
use rustix::fs::Uid;
use rustix::io::Errno;

use crate::sys;

/// Names read from one folder at a time: a bound on memory, whatever a run leaves behind.
const BATCH: usize = 1024;

/// The mode of what is its owner's alone.
const OWNERS: u32 = 0o700;

/// A slot's scratch folder: fresh, empty and its owner's alone at the start of every run.
pub(crate) struct ScratchFolder {
    path: PathBuf,
    owner: Option<u32>,
    folder: OwnedFd,
    /// How we left it: whatever is different is the run's work.
    untouched: FolderState,
}

impl ScratchFolder {
    /// Makes the folder, which must not exist, for this user (`None`: our own).
    pub(crate) fn create(path: &Path, owner: Option<u32>) -> io::Result<Self> {
        let folder = make(path, owner)?;
        let untouched = with_times_reset(&folder)?;
        Ok(Self { path: path.to_owned(), owner, folder, untouched })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the folder fresh again. Nothing that could write to it may be alive.
    ///
    /// An untouched one costs a stat and one read. A touched one is replaced rather than emptied, because
    /// its mode, access lists and attributes are the run's work too.
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
        rustix::fs::fchown(&folder, Some(Uid::from_raw(owner)), Some(Gid::from_raw(owner)))?;
    }
    Ok(folder)
}

/// What a run can change of a folder, and what changes with that.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct FolderState {
    mode: u32,
    owner: (u32, u32),
    links: u64,
    size: i64,
    /// When its entries were last changed; by us, at no real time.
    modified: i64,
    /// When anything was. Before Linux 6.13 clocks of files tick a few hundred times a second, and a change in the tick in
    /// which we made the folder does not show here.
    changed: (i64, u64),
    /// Length of the list of its extended attributes.
    attributes: usize,
}

/// No time at which anybody changes a file.
const NEVER: i64 = 1;

pub(crate) fn folder_state(folder: &OwnedFd) -> io::Result<FolderState> {
    let stat = rustix::fs::fstat(folder)?;
    Ok(FolderState {
        mode: stat.st_mode,
        owner: (stat.st_uid, stat.st_gid),
        links: stat.st_nlink as u64,
        size: stat.st_size as i64,
        modified: stat.st_mtime as i64,
        changed: (stat.st_ctime as i64, stat.st_ctime_nsec as u64),
        attributes: rustix::fs::flistxattr(folder, &mut [0_u8; 0]).unwrap_or(0),
    })
}

/// Sets the times of an empty folder so that any change of its entries shows, and so that they do not tell when it was
/// made; how it looks then.
pub(crate) fn with_times_reset(folder: &OwnedFd) -> io::Result<FolderState> {
    sys::change_times(folder.as_fd(), NEVER)?;
    folder_state(folder)
}

fn is_empty(folder: &OwnedFd) -> io::Result<bool> {
    Ok(names(folder, 1)?.is_empty())
}

/// Up to `most` entries of a folder, in no order.
fn names(folder: &OwnedFd, most: usize) -> io::Result<Vec<CString>> {
    let mut found = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            found.push(entry.file_name().to_owned());
            if found.len() == most {
                break;
            }
        }
    }
    Ok(found)
}

fn open_folder(parent: impl rustix::fd::AsFd, name: impl rustix::path::Arg) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(parent, name, flags, Mode::empty())
}

/// Removes a folder and everything in it; one that does not exist is removed already.
///
/// Whoever filled it must be dead. Links are removed, not followed. A folder's mode does not matter if it
/// is ours or we are root. Neither memory nor descriptors grow with the depth or the width of the tree:
/// the sub-folders of each folder move up to the top, until none holds another.
///
/// # Errors
/// Whatever keeps an entry from being removed, as a file system that became read-only.
pub fn remove_tree(path: &Path) -> io::Result<()> {
    let name = CString::new(path.as_os_str().as_bytes())?;
    match sys::change_mode(CWD, &name, OWNERS) {
        Err(Errno::NOENT) => return Ok(()),
        result => result?,
    }
    let top = open_folder(CWD, path)?;
    let mut hoisted = 0;
    loop {
        let names = names(&top, BATCH)?;
        if names.is_empty() {
            break;
        }
        for name in names {
            if !remove_if_simple(&top, &name)? {
                hoist_folders(&top, &name, &mut hoisted)?;
            }
        }
    }
    match rustix::fs::rmdir(path) {
        Err(Errno::NOENT) => Ok(()),
        result => Ok(result?),
    }
}

/// Removes an entry, unless it is a folder that is not empty.
fn remove_if_simple(folder: &OwnedFd, name: &CString) -> io::Result<bool> {
    match rustix::fs::unlinkat(folder, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => return Ok(true),
        // Linux says the first of a folder, POSIX the second.
        Err(Errno::ISDIR | Errno::PERM) => {}
        Err(error) => return Err(error.into()),
    }
    match rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => Ok(true),
        Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Empties and removes one folder of `top`, whose own sub-folders, where not empty, move up to `top`.
fn hoist_folders(top: &OwnedFd, name: &CString, hoisted: &mut u64) -> io::Result<()> {
    let folder = open_whatever_its_mode(top, name)?;
    loop {
        let names = names(&folder, BATCH)?;
        if names.is_empty() {
            break;
        }
        for inner in names {
            if !remove_if_simple(&folder, &inner)? {
                // Moving a folder rewrites its `..`, for which the kernel wants leave to write to it.
                sys::change_mode(folder.as_fd(), &inner, OWNERS)?;
                move_up(&folder, &inner, top, hoisted)?;
            }
        }
    }
    Ok(rustix::fs::unlinkat(top, name, AtFlags::REMOVEDIR)?)
}

/// `name` is known to be a folder, so that chmod follows no link: links were removed, and nobody who
/// could put one there lives.
fn open_whatever_its_mode(parent: &OwnedFd, name: &CString) -> io::Result<OwnedFd> {
    sys::change_mode(parent.as_fd(), name, OWNERS)?;
    Ok(open_folder(parent, name)?)
}

fn move_up(from: &OwnedFd, name: &CString, top: &OwnedFd, hoisted: &mut u64) -> io::Result<()> {
    loop {
        *hoisted += 1;
        let fresh = format!("hoisted-{hoisted}");
        match rustix::fs::renameat_with(from, name, top, &fresh, RenameFlags::NOREPLACE) {
            // Somebody guessed the name; they cannot have taken all of them.
            Err(Errno::EXIST) => {}
            result => return Ok(result?),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_tree_goes_whatever_its_modes_depth_and_width() {
        let home = tempfile::tempdir().unwrap();
        let tree = home.path().join("tree");
        fs::create_dir_all(tree.join("locked/inner/most")).unwrap();
        fs::create_dir_all(tree.join("hoisted-1/hoisted-2/hoisted-3")).unwrap();
        for number in 0..2 * BATCH {
            fs::write(tree.join(number.to_string()), "").unwrap();
        }
        for folder in ["locked/inner", "locked", "."] {
            fs::set_permissions(tree.join(folder), fs::Permissions::from_mode(0o000)).unwrap();
        }
        remove_tree(&tree).unwrap();
        assert!(!tree.exists());
    }

    #[test]
    fn links_go_and_what_they_name_stays() {
        let home = tempfile::tempdir().unwrap();
        let (tree, outside) = (home.path().join("tree"), home.path().join("outside"));
        fs::create_dir_all(tree.join("folder")).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("file"), "kept").unwrap();
        for link in ["link", "folder/link"] {
            std::os::unix::fs::symlink(&outside, tree.join(link)).unwrap();
        }
        remove_tree(&tree).unwrap();
        assert!(!tree.exists());
        assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "kept");
    }

    #[test]
    fn a_folder_that_is_gone_is_removed_already() {
        let home = tempfile::tempdir().unwrap();
        remove_tree(&home.path().join("none")).unwrap();
    }

    #[test]
    fn an_untouched_folder_is_kept_and_a_touched_one_is_made_anew() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("scratch");
        let mut scratch = ScratchFolder::create(&path, None).unwrap();
        let inode = |scratch: &ScratchFolder| rustix::fs::fstat(&scratch.folder).unwrap().st_ino;
        let first = inode(&scratch);
        scratch.renew().unwrap();
        assert_eq!(inode(&scratch), first);
        fs::write(path.join("file"), "").unwrap();
        scratch.renew().unwrap();
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
        assert_eq!(inode(&scratch), rustix::fs::stat(&path).unwrap().st_ino);
    }

    /// As on a kernel whose clocks of files are coarse.
    #[test]
    fn a_change_shows_that_falls_into_the_tick_in_which_the_folder_was_made() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("scratch");
        let folder = ScratchFolder::create(&path, None).unwrap().folder;
        let made = with_times_reset(&folder).unwrap();
        let now = || FolderState { changed: made.changed, ..folder_state(&folder).unwrap() };
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
