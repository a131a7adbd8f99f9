//! The folder that one call of a checker works in. Folders are used again, emptied, by call after call: what the sandbox has made
//! ready for one is of use for the next then. Each thread prefers the one that it had last. Start at [`CallFolder::claim`].

use std::cell::Cell;
use std::fs;
use std::fs::File;
use std::fs::Permissions;
use std::io;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;

use rustix::fs::FlockOperation;
use rustix::fs::OFlags;
use rustix::io::Errno;

/// What the names of these folders begin with.
const PREFIX: &str = "call-";

/// The mode of what is its owner's alone: the judge's, and as long as a call is under way that of whom the program runs as.
const OWNERS: u32 = 0o700;

thread_local! {
    static LAST_NUMBER: Cell<u32> = const { Cell::new(0) };
}

/// A folder for one call, empty at first. Whatever the call has made in it goes with the value.
#[derive(Debug)]
pub(super) struct CallFolder {
    path: PathBuf,
    /// Locked as long as the folder is in use.
    lock: File,
    /// How large it is when it is empty, in bytes and in blocks.
    size: (u64, u64),
}

impl CallFolder {
    /// Takes a folder that nobody uses, or makes one.
    ///
    /// # Errors
    /// If none can be made.
    pub(super) fn claim(scratch: &Path) -> io::Result<Self> {
        let preferred = LAST_NUMBER.get();
        for number in [preferred].into_iter().chain(0..) {
            let path = scratch.join(format!("{PREFIX}{number}"));
            if let Some(lock) = locked(&path)? {
                LAST_NUMBER.set(number);
                // Copies of inputs and answers are nobody else's: the files themselves may lie where others cannot go.
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

    /// Opens what was left under a name; no link is followed, and nothing waited for.
    pub(super) fn open(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        File::options().read(true).custom_flags(flags.bits().cast_signed()).open(self.path.join(name))
    }
}

impl Drop for CallFolder {
    fn drop(&mut self) {
        let is_empty = gridjudge_sandbox::empty_folder(&self.path).is_ok();
        // On most file systems a folder that had many files stays as large as it was.
        let is_as_large = || size(&self.lock).is_ok_and(|size| size == self.size);
        if !(is_empty && is_as_large() && !has_attributes(&self.lock)) {
            let _ = gridjudge_sandbox::remove_tree(&self.path);
        }
    }
}

fn size(folder: &File) -> io::Result<(u64, u64)> {
    folder.metadata().map(|found| (found.size(), found.blocks()))
}

/// Whether a call has put something on the folder that is no file. What the system itself puts there is no matter.
fn has_attributes(folder: &File) -> bool {
    let mut names = [0_u8; 4096];
    match rustix::fs::flistxattr(folder, &mut names) {
        Ok(bytes) => names[..bytes]
            .split(|byte| *byte == 0)
            .any(|name| name.starts_with(b"user.") || name.starts_with(b"system.posix_acl")),
        // More than a few.
        Err(error) => error == Errno::RANGE,
    }
}

/// The folder at a path, made if there is none, and locked; nothing if somebody else uses it, or something could not be removed.
fn locked(path: &Path) -> io::Result<Option<File>> {
    let is_new = match fs::create_dir(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => false,
        made => made.map(|()| true)?,
    };
    if is_new {
        // Whatever the umask of the judge.
        fs::set_permissions(path, Permissions::from_mode(OWNERS))?;
    }
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW;
    let opened = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path);
    let folder = match opened {
        // Who could not empty it has removed it just now.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        // A call is under way that has taken the right to read it away.
        Err(error) if error.kind() == ErrorKind::PermissionDenied && !is_new => return Ok(None),
        opened => opened?,
    };
    match rustix::fs::flock(&folder, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(Errno::WOULDBLOCK) => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    let is_there = path.symlink_metadata().is_ok_and(|found| {
        folder.metadata().is_ok_and(|own| (own.dev(), own.ino()) == (found.dev(), found.ino()))
    });
    let is_free = is_there && fs::read_dir(path)?.next().is_none();
    Ok(is_free.then_some(folder))
}

#[cfg(test)]
mod tests {
    use rustix::thread::CapabilitySet;
    use rustix::thread::CapabilitySets;

    use super::*;

    #[test]
    fn a_folder_is_used_again_and_is_empty_then() {
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
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, OWNERS);
    }

    #[test]
    fn a_folder_that_has_grown_is_not_used_again() {
        let scratch = tempfile::tempdir().unwrap();
        let first = CallFolder::claim(scratch.path()).unwrap();
        let empty = size(&first.lock).unwrap();
        for number in 0..1000 {
            fs::write(first.path().join(format!("{number:0100}")), "").unwrap();
        }
        drop(first);
        assert_eq!(size(&CallFolder::claim(scratch.path()).unwrap().lock).unwrap(), empty);
    }

    #[test]
    fn a_folder_that_could_not_be_emptied_is_left_alone() {
        let scratch = tempfile::tempdir().unwrap();
        let path = CallFolder::claim(scratch.path()).unwrap().path().to_owned();
        fs::write(path.join("left"), "").unwrap();
        assert_ne!(CallFolder::claim(scratch.path()).unwrap().path(), path);
    }

    #[test]
    fn a_folder_that_its_call_has_closed_is_in_nobodys_way() {
        let scratch = tempfile::tempdir().unwrap();
        let first = CallFolder::claim(scratch.path()).unwrap();
        fs::set_permissions(first.path(), Permissions::from_mode(0o000)).unwrap();
        let claimed = std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                // As a judge that is not root.
                let none = CapabilitySet::empty();
                let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
                rustix::thread::set_capabilities(None, sets).unwrap();
                CallFolder::claim(scratch.path()).map(|folder| folder.path().to_owned())
            });
            other.join().unwrap()
        });
        assert_ne!(claimed.unwrap(), first.path());
    }

    #[test]
    fn a_folder_with_attributes_is_not_used_again() {
        let scratch = tempfile::tempdir().unwrap();
        let first = CallFolder::claim(scratch.path()).unwrap();
        let lock = File::open(first.path()).unwrap();
        let set = rustix::fs::fsetxattr(&lock, c"user.left", b"word", rustix::fs::XattrFlags::empty());
        // Not every file system has them.
        if set == Err(Errno::NOTSUP) {
            return;
        }
        set.unwrap();
        let path = first.path().to_owned();
        drop(first);
        assert!(!path.exists());
        assert!(!has_attributes(&CallFolder::claim(scratch.path()).unwrap().lock));
    }

    #[test]
    fn two_calls_at_once_have_folders_of_their_own() {
        let scratch = tempfile::tempdir().unwrap();
        let first = CallFolder::claim(scratch.path()).unwrap();
        let other = CallFolder::claim(scratch.path()).unwrap();
        assert_ne!(first.path(), other.path());
        let there = std::thread::scope(|scope| {
            scope.spawn(|| CallFolder::claim(scratch.path()).unwrap().path().to_owned()).join().unwrap()
        });
        assert!(there != first.path() && there != other.path());
    }
}
