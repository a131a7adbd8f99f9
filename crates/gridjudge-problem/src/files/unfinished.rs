//! Files and folders that get their names when they are finished, and temporary ones, which get none.
//! Until then they have other names, beside their places, by which everybody sees what they are. None is left when its value is
//! dropped or a signal ends the process; what a killed process has left is removed by the next one
//! that writes to the same folder. A process keeps a lock on each of its own: a process id would
//! not do, because a judge in a container has a different set of them. Knows nothing of contents.

use crate::sorted::SortedSet;
use std::fs::{File, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::{fs, io, thread};

use parking_lot::{Mutex, MutexGuard};
use rustix::fs::{FlockOperation, Mode, OFlags};
use tempfile::{NamedTempFile, TempDir};

use crate::files::inner_name::folder_of;

/// The start of the names of what is unfinished.
const PREFIX: &str = ".gridjudge-unfinished-";

/// The mode of a new folder, before the umask.
const FOLDER_MODE: u32 = 0o777;

/// That of a temporary one, whose contents may be secret.
const TEMPORARY_MODE: u32 = 0o700;

/// How often a name is tried: another judge may take a file for abandoned between its creation and
/// its lock.
const MOST_TRIES: usize = 20;

/// What this process has not finished.
struct Registry {
    /// Whether a signal ends the process, so that nothing more is created or renamed.
    is_ending: bool,
    paths: SortedSet<PathBuf>,
    /// The folders in which what dead processes left has been removed.
    searched: SortedSet<PathBuf>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry {
    is_ending: false,
    paths: SortedSet::new(),
    searched: SortedSet::new(),
});

/// Locks the registry. If a signal is ending the process, never returns.
fn registry() -> MutexGuard<'static, Registry> {
    loop {
        let registry = REGISTRY.lock();
        if !registry.is_ending {
            return registry;
        }
        drop(registry);
        thread::park();
    }
}

/// Creates a folder and those around it, which may be in one that is unfinished or temporary. If a
/// signal ends the process, never returns.
///
/// # Errors
/// If one of them cannot be created.
pub fn create_folders(path: &Path) -> io::Result<()> {
    let _registry = registry();
    fs::create_dir_all(path)
}

/// Removes everything unfinished, and lets no thread of this process create or rename more. To be
/// called when a signal ends the process.
pub fn remove_unfinished() {
    let mut registry = REGISTRY.lock();
    registry.is_ending = true;
    registry.paths.iter().for_each(|path| remove(path));
    registry.paths = SortedSet::new();
}

/// A file that has no name of its own yet.
#[derive(Debug)]
pub struct UnfinishedFile(NamedTempFile);

/// A folder that has no name of its own yet.
#[derive(Debug)]
pub struct UnfinishedFolder {
    folder: TempDir,
    _lock: File,
}

impl UnfinishedFile {
    /// Creates an empty file with this mode, before the umask, that can be renamed to `place`.
    ///
    /// # Errors
    /// If it cannot be created in the folder of `place`.
    pub fn beside(place: &Path, mode: u32) -> io::Result<Self> {
        let folder = folder_of(place);
        remove_abandoned(folder);
        for _ in 0..MOST_TRIES {
            let mut registry = registry();
            let mut new = tempfile::Builder::new();
            let file = new
                .prefix(PREFIX)
                .permissions(Permissions::from_mode(mode))
                .tempfile_in(folder)?;
            if is_locked(file.as_file()) {
                registry.paths.insert(file.path().to_owned());
                return Ok(Self(file));
            }
        }
        Err(ErrorKind::ResourceBusy.into())
    }

    /// The file, open for reading and writing.
    pub fn file(&mut self) -> &mut File {
        self.0.as_file_mut()
    }

    /// Gives the file its name, in place of whatever has it; a link there is replaced, and not
    /// followed.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub fn replace(self, place: &Path) -> io::Result<File> {
        let mut registry = registry();
        let path = self.0.path().to_owned();
        let renamed = self.0.persist(place).map_err(|failed| failed.error);
        registry.paths.remove(&path);
        renamed
    }

    /// Gives the file its name, if nothing has it.
    ///
    /// # Errors
    /// If something has the name, or it cannot be renamed.
    pub fn create(self, place: &Path) -> io::Result<()> {
        let mut registry = registry();
        let path = self.0.path().to_owned();
        let renamed = self
            .0
            .persist_noclobber(place)
            .map_err(|failed| failed.error);
        registry.paths.remove(&path);
        renamed.map(drop)
    }
}

impl UnfinishedFolder {
    /// Creates an empty folder that can be renamed to `place`.
    ///
    /// # Errors
    /// If it cannot be created in the folder of `place`.
    pub fn beside(place: &Path) -> io::Result<Self> {
        Self::within(folder_of(place))
    }

    /// Creates an empty folder in another one.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn within(parent: &Path) -> io::Result<Self> {
        Self::of_mode(parent, FOLDER_MODE)
    }

    /// Creates an empty folder among temporary files, for this user only.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn temporary() -> io::Result<Self> {
        Self::of_mode(&std::env::temp_dir(), TEMPORARY_MODE)
    }

    fn of_mode(parent: &Path, mode: u32) -> io::Result<Self> {
        remove_abandoned(parent);
        for _ in 0..MOST_TRIES {
            let mut registry = registry();
            let mut new = tempfile::Builder::new();
            let new = new.prefix(PREFIX).permissions(Permissions::from_mode(mode));
            let folder = new.tempdir_in(parent)?;
            let lock = File::open(folder.path())?;
            if is_locked(&lock) {
                registry.paths.insert(folder.path().to_owned());
                return Ok(Self {
                    folder,
                    _lock: lock,
                });
            }
        }
        Err(ErrorKind::ResourceBusy.into())
    }

    /// Its path so far. What is created or renamed there needs [`UnfinishedFolder::with`].
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Creates or renames something in the folder, which is not removed meanwhile. If a signal ends
    /// the process, never returns.
    pub fn with<T>(&self, change: impl FnOnce(&Path) -> T) -> T {
        let _registry = registry();
        change(self.folder.path())
    }

    /// Creates a file in the folder, and the folders around it.
    ///
    /// # Errors
    /// If one of them cannot be created.
    pub fn create(&self, name: &Path) -> io::Result<File> {
        self.with(|folder| {
            let path = folder.join(name);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            File::create_new(path)
        })
    }

    /// Gives the folder its name, and a mode, if nothing but an empty folder has the name.
    ///
    /// # Errors
    /// If something has the name, or it cannot be renamed.
    pub fn rename(mut self, place: &Path, mode: Option<u32>) -> io::Result<()> {
        if let Some(mode) = mode {
            fs::set_permissions(self.path(), Permissions::from_mode(mode))?;
        }
        self.with(|folder| fs::rename(folder, place))?;
        // It has another name now, so nothing must be deleted on drop.
        self.folder.disable_cleanup(true);
        Ok(())
    }
}

impl Drop for UnfinishedFolder {
    fn drop(&mut self) {
        registry().paths.remove(self.folder.path());
    }
}

/// Removes what dead processes of this user left unfinished in a folder; once for each folder.
pub fn remove_abandoned(folder: &Path) {
    if !registry().searched.insert(folder.to_owned()) {
        return;
    }
    let me = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if !name.as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
            continue;
        }
        // `DirEntry::metadata` does not follow links.
        let is_mine = entry
            .metadata()
            .is_ok_and(|found| (found.is_file() || found.is_dir()) && found.uid() == me);
        if is_mine && is_abandoned(&entry.path()) {
            remove(&entry.path());
        }
    }
}

/// Whether no living process has a file or folder locked.
fn is_abandoned(path: &Path) -> bool {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = rustix::fs::open(path, flags, Mode::empty());
    opened.is_ok_and(|file| {
        rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok()
    })
}

/// Locks something that was just created. Returns whether it is still there: another process may
/// have taken it for abandoned. File systems without locks have no such process.
fn is_locked(file: &File) -> bool {
    match rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive) {
        Err(error) if error == rustix::io::Errno::AGAIN => false,
        _ => file.metadata().is_ok_and(|found| found.nlink() > 0),
    }
}

fn remove(path: &Path) {
    let is_folder = path.symlink_metadata().is_ok_and(|found| found.is_dir());
    // An error is ignored: the next process tries again.
    let _ = if is_folder {
        // Under another name, a thread that still fills the folder no longer finds it.
        let mut last = path.as_os_str().to_owned();
        last.push("-last");
        let path = fs::rename(path, &last).map_or(path, |()| Path::new(&last));
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::fs::symlink;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_gets_its_name_when_it_is_finished_and_replaces_a_link_without_following_it() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("file");
        symlink("elsewhere", &place).unwrap();
        let mut file = UnfinishedFile::beside(&place, 0o600).unwrap();
        file.file().write_all(b"text").unwrap();
        assert_eq!(names(folder.path()).len(), 2);
        file.replace(&place).unwrap();
        assert_eq!(
            (names(folder.path()), fs::read(&place).unwrap()),
            (vec!["file".to_owned()], b"text".to_vec())
        );
        let error = UnfinishedFile::beside(&place, 0o600)
            .unwrap()
            .create(&place)
            .unwrap_err();
        assert_eq!(
            (error.kind(), names(folder.path()).len()),
            (ErrorKind::AlreadyExists, 1)
        );
    }

    #[test]
    fn a_folder_gets_its_name_with_everything_in_it_or_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("folder");
        let unfinished = UnfinishedFolder::beside(&place).unwrap();
        unfinished.create(Path::new("a/b")).unwrap();
        drop(unfinished);
        assert_eq!(names(folder.path()), [""; 0]);
        let unfinished = UnfinishedFolder::beside(&place).unwrap();
        unfinished.create(Path::new("a/b")).unwrap();
        unfinished.rename(&place, None).unwrap();
        assert!(place.join("a/b").is_file() && names(folder.path()) == ["folder"]);
        let unfinished = UnfinishedFolder::beside(&place).unwrap();
        assert!(unfinished.rename(&place, None).is_err());
        assert_eq!(names(folder.path()), ["folder"]);
    }

    #[test]
    fn what_the_dead_left_is_removed_and_what_the_living_use_and_all_links_stay() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("folder");
        let other = parent.path().join("other");
        fs::create_dir_all(folder.join(".gridjudge-unfinished-dead/a")).unwrap();
        fs::create_dir(&other).unwrap();
        fs::write(folder.join(".gridjudge-unfinished-file"), "").unwrap();
        fs::write(folder.join(".gridjudge-other"), "").unwrap();
        symlink(&other, folder.join(".gridjudge-unfinished-link")).unwrap();
        let held = folder.join(".gridjudge-unfinished-held");
        fs::write(&held, "").unwrap();
        let lock = File::open(&held).unwrap();
        rustix::fs::flock(&lock, FlockOperation::LockExclusive).unwrap();
        remove_abandoned(&folder);
        let left = [
            ".gridjudge-other",
            ".gridjudge-unfinished-held",
            ".gridjudge-unfinished-link",
        ];
        assert!(
            names(&folder) == left && other.is_dir(),
            "{:?}",
            names(&folder)
        );
    }
}
