//! The folder that one call of a checker works in. Folders are emptied and reused, so that the
//! sandbox can reuse what it has prepared for them. Each thread prefers the folder that it used
//! last. Start at [`CallFolder::claim`].

use std::cell::Cell;
use std::fs::{File, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::{fs, io};

use gridjudge_sandbox::Role;
use rustix::fs::{FlockOperation, OFlags};
use rustix::io::Errno;

use crate::model::{CheckerProgram, CheckerTask};

/// The prefix of the names of these folders.
const PREFIX: &str = "call-";

/// The mode of a folder for its owner alone: the judge or, during a call, the user that the program
/// runs as.
const OWNERS: u32 = 0o700;

thread_local! {
    static LAST_NUMBER: Cell<u32> = const { Cell::new(0) };
}

/// A folder for one call, empty at first. It is emptied again when this is dropped.
pub(super) struct CallFolder {
    path: PathBuf,
    /// The opened folder, locked while it is in use.
    lock: File,
    /// The size of the folder itself when it is empty, in bytes and in blocks.
    size: (u64, u64),
}

impl CallFolder {
    /// Claims a folder that is not in use, or creates one.
    ///
    /// # Errors
    /// Fails if a folder cannot be created or opened.
    pub(super) fn claim(scratch: &Path) -> io::Result<Self> {
        let preferred = LAST_NUMBER.get();
        for number in [preferred].into_iter().chain(0..) {
            let path = scratch.join(format!("{PREFIX}{number}"));
            if let Some(lock) = locked(&path)? {
                LAST_NUMBER.set(number);
                // Other users must not read the copies of inputs and answers: they may not be
                // allowed to read the originals.
                fs::set_permissions(&path, Permissions::from_mode(OWNERS))?;
                let size = size(&lock)?;
                return Ok(Self { path, lock, size });
            }
        }
        unreachable!("there are more numbers than folders")
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the file that was left under a name. Follows no link, and does not block, for example
    /// on a pipe.
    pub(super) fn open(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        File::options()
            .read(true)
            .custom_flags(flags.bits().cast_signed())
            .open(self.path.join(name))
    }
}

impl Drop for CallFolder {
    fn drop(&mut self) {
        // On most file systems a folder that had many files stays as large as it was.
        let is_like_new = gridjudge_sandbox::empty_folder(&self.path).is_ok()
            && size(&self.lock).is_ok_and(|size| size == self.size)
            && !has_attributes(&self.lock);
        if !is_like_new {
            let _ = gridjudge_sandbox::remove_tree(&self.path);
        }
    }
}

fn size(folder: &File) -> io::Result<(u64, u64)> {
    folder
        .metadata()
        .map(|found| (found.size(), found.blocks()))
}

/// Whether a call has set attributes or an access list on the folder. Those of the system itself do
/// not count.
fn has_attributes(folder: &File) -> bool {
    let mut names = [0_u8; 4096];
    match rustix::fs::flistxattr(folder, &mut names) {
        Ok(bytes) => names[..bytes]
            .split(|byte| *byte == 0)
            .any(|name| name.starts_with(b"user.") || name.starts_with(b"system.posix_acl")),
        // There are too many names for the buffer.
        Err(error) => error == Errno::RANGE,
    }
}

/// Opens and locks the folder at a path, and creates it if there is none. Returns `None` if it is
/// in use or not empty.
fn locked(path: &Path) -> io::Result<Option<File>> {
    let is_new = match fs::create_dir(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => false,
        made => made.map(|()| true)?,
    };
    if is_new {
        // Set explicitly, because the umask of the judge may have removed permissions.
        fs::set_permissions(path, Permissions::from_mode(OWNERS))?;
    }
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW;
    let opened = File::options()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path);
    let folder = match opened {
        // Its last user could not empty it, and has just removed it.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        // A call in progress has removed the permission to read it.
        Err(error) if error.kind() == ErrorKind::PermissionDenied && !is_new => return Ok(None),
        opened => opened?,
    };
    match rustix::fs::flock(&folder, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(Errno::WOULDBLOCK) => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    let is_there = path.symlink_metadata().is_ok_and(|found| {
        folder
            .metadata()
            .is_ok_and(|own| (own.dev(), own.ino()) == (found.dev(), found.ino()))
    });
    let is_free = is_there && fs::read_dir(path)?.next().is_none();
    Ok(is_free.then_some(folder))
}

// The folder in which a checker works: its own, or that of the files that were submitted, in which
// it may only read. Links the files that its problem puts there; copies nothing.
//
// Source: the Kattis problem package format 2025-09, "Working directory".

/// The name of the working folder of checkers if no files were submitted.
const NO_FILES: &str = "no-files";

/// The role of a checker whose own folder is `folder`. `submitted` is the folder with the files of
/// the submission, if there are any.
///
/// The submission decides what is in its folder, so that must not be where the checker's feedback
/// is read, nor its `HOME`, where some runtimes look for modules.
///
/// # Errors
/// Fails if an empty folder is needed and cannot be created.
pub(super) fn role(
    task: &CheckerTask,
    checker: &CheckerProgram,
    folder: &Path,
    submitted: Option<&Path>,
) -> io::Result<Role> {
    let folder = folder.to_owned();
    if !task.sees_submission {
        return Ok(Role::Checker { folder });
    }
    let works_in = submitted.map_or_else(
        || no_files(&checker.scratch),
        |submitted| Ok(submitted.to_owned()),
    );
    Ok(Role::SourceChecker {
        folder,
        works_in: works_in?,
    })
}

/// The folder in which a checker was compiled, if it was.
pub(super) fn build_folder(checker: &CheckerProgram) -> Option<&Path> {
    let own = checker.program.readable.iter().map(PathBuf::as_path);
    own.into_iter()
        .find(|folder| folder.starts_with(&checker.scratch))
}

/// Makes the files that a checker finds in its working folder appear there, as links to its build
/// folder.
///
/// # Errors
/// Fails if a link cannot be created.
pub(super) fn link_files(
    task: &CheckerTask,
    checker: &CheckerProgram,
    place: &Path,
) -> io::Result<()> {
    let Some(folder) = build_folder(checker) else {
        return Ok(());
    };
    for file in &task.files {
        let link = place.join(&file.name);
        // An earlier pass has left them there.
        if link.symlink_metadata().is_err() {
            let folders: Vec<_> = link
                .ancestors()
                .skip(1)
                .take_while(|folder| *folder != place)
                .collect();
            for folder in folders.into_iter().rev().filter(|folder| !folder.is_dir()) {
                fs::create_dir(folder)?;
                // Set explicitly, because the umask of the judge may have removed permissions.
                fs::set_permissions(folder, Permissions::from_mode(0o755))?;
            }
            symlink(folder.join(&file.name), link)?;
        }
    }
    Ok(())
}

/// The empty folder that all checkers without a submission share; none of them may write there.
fn no_files(scratch: &Path) -> io::Result<PathBuf> {
    let folder = scratch.join(NO_FILES);
    match fs::create_dir(&folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        // Set explicitly, because the umask of the judge may have removed permissions.
        _ => fs::set_permissions(&folder, Permissions::from_mode(0o755))?,
    }
    Ok(folder)
}

// The last line that a program wrote, for use after its exit code in a message.

/// The most letters of a line that are shown.
const LONGEST_LINE: usize = 200;

/// The last line of standard error, else of standard output, after a colon; empty if there is none.
pub(super) fn last_words(printed: &[u8], errors: &[u8]) -> String {
    let last = |text: &[u8]| {
        let text = String::from_utf8_lossy(text).into_owned();
        let line = text
            .lines()
            .rev()
            .map(str::trim)
            .find(|line| !line.is_empty())?;
        Some(line.chars().take(LONGEST_LINE).collect::<String>())
    };
    last(errors)
        .or_else(|| last(printed))
        .map_or_else(String::new, |line| format!(": {line}"))
}

#[cfg(test)]
mod tests {
    use rustix::thread::{CapabilitySet, CapabilitySets};

    use super::*;

    #[test]
    fn a_folder_is_reused_and_empty() {
        let scratch = tempfile::tempdir().unwrap();
        let first = CallFolder::claim(scratch.path()).unwrap();
        let path = first.path().to_owned();
        fs::create_dir_all(path.join("a/b")).unwrap();
        fs::write(path.join("a/b/c"), "left").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o000)).unwrap();
        drop(first);
        let again = CallFolder::claim(scratch.path()).unwrap();
        assert_eq!(again.path(), path);
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
        assert_eq!(
            path.metadata().unwrap().permissions().mode() & 0o777,
            OWNERS
        );
    }

    #[test]
    fn a_folder_that_has_grown_is_not_reused() {
        let scratch = tempfile::tempdir().unwrap();
        let first = CallFolder::claim(scratch.path()).unwrap();
        let empty = size(&first.lock).unwrap();
        for number in 0..1000 {
            fs::write(first.path().join(format!("{number:0100}")), "").unwrap();
        }
        drop(first);
        assert_eq!(
            size(&CallFolder::claim(scratch.path()).unwrap().lock).unwrap(),
            empty
        );
    }

    #[test]
    fn a_folder_that_could_not_be_emptied_is_left_alone() {
        let scratch = tempfile::tempdir().unwrap();
        let path = CallFolder::claim(scratch.path()).unwrap().path().to_owned();
        fs::write(path.join("left"), "").unwrap();
        assert_ne!(CallFolder::claim(scratch.path()).unwrap().path(), path);
    }

    #[test]
    fn a_folder_that_its_call_has_made_unreadable_is_skipped() {
        let scratch = tempfile::tempdir().unwrap();
        let first = CallFolder::claim(scratch.path()).unwrap();
        fs::set_permissions(first.path(), Permissions::from_mode(0o000)).unwrap();
        let claimed = std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                // Behave like a judge that is not root.
                let none = CapabilitySet::empty();
                let sets = CapabilitySets {
                    effective: none,
                    permitted: none,
                    inheritable: none,
                };
                rustix::thread::set_capabilities(None, sets).unwrap();
                CallFolder::claim(scratch.path()).map(|folder| folder.path().to_owned())
            });
            other.join().unwrap()
        });
        assert_ne!(claimed.unwrap(), first.path());
    }

    #[test]
    fn a_folder_with_attributes_is_not_reused() {
        let scratch = tempfile::tempdir().unwrap();
        let first = CallFolder::claim(scratch.path()).unwrap();
        let lock = File::open(first.path()).unwrap();
        let set = rustix::fs::fsetxattr(
            &lock,
            c"user.left",
            b"word",
            rustix::fs::XattrFlags::empty(),
        );
        // Not every file system supports attributes.
        if set == Err(Errno::NOTSUP) {
            return;
        }
        set.unwrap();
        let path = first.path().to_owned();
        drop(first);
        assert!(!path.exists());
        assert!(!has_attributes(
            &CallFolder::claim(scratch.path()).unwrap().lock
        ));
    }

    #[test]
    fn two_calls_at_once_have_folders_of_their_own() {
        let scratch = tempfile::tempdir().unwrap();
        let first = CallFolder::claim(scratch.path()).unwrap();
        let other = CallFolder::claim(scratch.path()).unwrap();
        assert_ne!(first.path(), other.path());
        let there = std::thread::scope(|scope| {
            scope
                .spawn(|| CallFolder::claim(scratch.path()).unwrap().path().to_owned())
                .join()
                .unwrap()
        });
        assert!(there != first.path() && there != other.path());
    }
}
