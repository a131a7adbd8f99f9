//! Removes or empties a folder, whatever was left in it. Knows files; knows nothing of
//! runs. Start at [`remove_tree`].

use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use rustix::path::Arg;

use crate::sys;

/// How many names are read from one folder at a time: bounds memory, whatever a run
/// leaves behind.
const BATCH: usize = 1024;

/// A time, in seconds since 1970, at which no file is really changed.
pub(super) const NEVER: i64 = 1;

/// The mode of a folder that only its owner may use.
const OWNERS: u32 = 0o700;

/// Removes a folder and everything in it; a folder that does not exist is no error.
///
/// The processes that filled it must be dead. Links are removed, not followed. A
/// folder's mode does not matter if it is ours or we are root. Neither memory nor
/// descriptors grow with the depth or the width of the tree: the sub-folders of each
/// folder move up to the top, until none holds another.
///
/// # Errors
/// Returns the error that keeps an entry from being removed, for example a file system
/// that became read-only.
pub fn remove_tree(path: &Path) -> io::Result<()> {
    match empty_folder(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        emptied => emptied?,
    }
    match rustix::fs::rmdir(path) {
        Err(Errno::NOENT) => Ok(()),
        result => Ok(result?),
    }
}

/// Removes everything in a folder, like [`remove_tree`], but keeps the folder, with the
/// mode 700. Its times are reset, so that they reveal nothing of the run that filled
/// it: an access time in the future would stay for ever.
///
/// # Errors
/// As for [`remove_tree`]; also if there is no such folder.
pub fn empty_folder(path: &Path) -> io::Result<()> {
    let name = CString::new(path.as_os_str().as_bytes())?;
    sys::change_mode(CWD, &name, OWNERS)?;
    let top = open_folder(CWD, path)?;
    let mut hoisted_count = 0;
    loop {
        let names = names(&top, BATCH)?;
        if names.is_empty() {
            return Ok(sys::change_times(top.as_fd(), NEVER)?);
        }
        for name in names {
            if !remove_if_simple(&top, &name)? {
                hoist_folders(&top, &name, &mut hoisted_count)?;
            }
        }
    }
}

/// Removes an entry, unless it is a folder that is not empty.
fn remove_if_simple(folder: &OwnedFd, name: &CString) -> io::Result<bool> {
    match rustix::fs::unlinkat(folder, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => return Ok(true),
        // For a folder, Linux returns the first error, POSIX specifies the second.
        Err(Errno::ISDIR | Errno::PERM) => {}
        Err(error) => return Err(error.into()),
    }
    match rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => Ok(true),
        Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Empties and removes one folder of `top`. Its own sub-folders that are not empty are
/// moved up to `top`.
fn hoist_folders(
    top: &OwnedFd,
    name: &CString,
    hoisted_count: &mut u64,
) -> io::Result<()> {
    // `name` is known to be a folder, so chmod follows no link: links were removed, and
    // no process lives that could put one there.
    sys::change_mode(top.as_fd(), name, OWNERS)?;
    let folder = open_folder(top, name)?;
    loop {
        let names = names(&folder, BATCH)?;
        if names.is_empty() {
            break;
        }
        for inner in names {
            if !remove_if_simple(&folder, &inner)? {
                // Moving a folder rewrites its `..`, for which the kernel requires
                // write permission on it.
                sys::change_mode(folder.as_fd(), &inner, OWNERS)?;
                move_up(&folder, &inner, top, hoisted_count)?;
            }
        }
    }
    Ok(rustix::fs::unlinkat(top, name, AtFlags::REMOVEDIR)?)
}

fn move_up(
    from: &OwnedFd,
    name: &CString,
    top: &OwnedFd,
    hoisted_count: &mut u64,
) -> io::Result<()> {
    loop {
        *hoisted_count += 1;
        let fresh = format!("hoisted-{hoisted_count}");
        match rustix::fs::renameat_with(
            from,
            name,
            top,
            &fresh,
            RenameFlags::NOREPLACE,
        ) {
            // The run guessed the name; it cannot have used all of them.
            Err(Errno::EXIST) => {}
            result => return Ok(result?),
        }
    }
}

/// Up to `most` entries of a folder, in no order.
pub(super) fn names(folder: &OwnedFd, most: usize) -> io::Result<Vec<CString>> {
    let mut found = vec![];
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

pub(super) fn open_folder(
    parent: impl AsFd,
    name: impl Arg,
) -> rustix::io::Result<OwnedFd> {
    let flags =
        OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(parent, name, flags, Mode::empty())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_tree_is_removed_whatever_its_modes_depth_and_width() {
        let home = tempfile::tempdir().unwrap();
        let tree = home.path().join("tree");
        fs::create_dir_all(tree.join("locked/inner/most")).unwrap();
        fs::create_dir_all(tree.join("hoisted-1/hoisted-2/hoisted-3")).unwrap();
        for number in 0..2 * BATCH {
            fs::write(tree.join(number.to_string()), "").unwrap();
        }
        for folder in ["locked/inner", "locked", "."] {
            fs::set_permissions(tree.join(folder), fs::Permissions::from_mode(0o000))
                .unwrap();
        }
        remove_tree(&tree).unwrap();
        assert!(!tree.exists());
    }

    #[test]
    fn links_are_removed_and_their_targets_stay() {
        let home = tempfile::tempdir().unwrap();
        let tree = home.path().join("tree");
        let outside = home.path().join("outside");
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
    fn an_emptied_folder_does_not_keep_times_that_were_set_on_it() {
        let home = tempfile::tempdir().unwrap();
        let in_the_future =
            std::time::SystemTime::now() + std::time::Duration::from_secs(1 << 30);
        let times = fs::FileTimes::new()
            .set_accessed(in_the_future)
            .set_modified(in_the_future);
        fs::File::open(home.path())
            .unwrap()
            .set_times(times)
            .unwrap();
        empty_folder(home.path()).unwrap();
        let found = home.path().metadata().unwrap();
        assert!(found.accessed().unwrap() < in_the_future);
        assert!(found.modified().unwrap() < in_the_future);
    }

    #[test]
    fn removing_a_missing_folder_is_no_error() {
        let home = tempfile::tempdir().unwrap();
        remove_tree(&home.path().join("none")).unwrap();
    }
}
