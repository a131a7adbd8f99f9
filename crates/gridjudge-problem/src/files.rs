//! Opens and reads foreign files within bounds: never waits for a pipe or a device, and
//! never reads more than the caller allows. Keeps names that files give inside their
//! folders, and gives new files their names when they are finished. Knows nothing of
//! their contents, but finds the home folder of the judge's user. Start at
//! [`read_bounded`].

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::{env, fs, io, thread};

use parking_lot::{Mutex, MutexGuard};
use rustix::fs::{CWD, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use tempfile::{NamedTempFile, PersistError, TempDir};

/// How many files and folders are read in one place at most, unless the judge's user
/// allows more.
pub const DEFAULT_MOST_FILES: usize = 100_000;

/// What else the judge's user can do about too many files.
pub(crate) const OR_MORE_FILES: &str =
    "or allow more with `most_files` in your own gridjudge/config.toml";

/// The reason why a file is not read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It is a pipe, a device, a socket or a folder, not a regular file.
    #[error("is {0}, where a file should be")]
    Kind(&'static str),
    /// It is larger than the caller allows, which is this many bytes.
    #[error("is larger than {}", size(*.0))]
    Size(u64),
    /// It was a file, and is a link now, or a folder around it is.
    #[error("has become a link, or a folder around it has, and is not read")]
    Link,
    /// The operating system cannot read it.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
}

impl From<FileError> for io::Error {
    fn from(refused: FileError) -> Self {
        match refused {
            FileError::Unreadable(error) => error,
            refused => Self::other(refused),
        }
    }
}

impl FileError {
    /// Advice for the user on how to fix it.
    pub fn remedy(&self) -> String {
        match self {
            Self::Kind("a folder") => "name a file in it".to_owned(),
            Self::Kind(_) => "replace it with a regular file".to_owned(),
            Self::Size(most) => format!("{} is the most that is read", size(*most)),
            Self::Link => "put the file itself in its place".to_owned(),
            Self::Unreadable(error) => match error.kind() {
                io::ErrorKind::NotFound => {
                    "create it, or correct the name".to_owned()
                }
                io::ErrorKind::PermissionDenied => {
                    "make it readable (`chmod +r`)".to_owned()
                }
                _ => "replace it with a file that can be read".to_owned(),
            },
        }
    }
}

/// Opens a regular file without ever waiting for a writer. Follows links.
///
/// # Errors
/// Returns [`FileError`] if there is no such file or it is not a regular file.
pub fn open_file(path: &Path) -> Result<File, FileError> {
    // Checked before it is opened, because opening some devices has side effects.
    is_file(&path.metadata()?)?;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path)?;
    is_file(&file.metadata()?)?;
    Ok(file)
}

/// Opens a regular file by a path that had no links when it was found, as
/// [`Path::canonicalize`] gives it, and follows none that has taken a place in it
/// since.
///
/// # Errors
/// As [`open_file`], and [`FileError::Link`].
pub fn open_real(path: &Path) -> Result<File, FileError> {
    // A folder after the other, and not by `openat2`, which not every kernel and
    // container has.
    let folder = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut names = path.components().peekable();
    let mut opened = None;
    while let Some(name) = names.next() {
        let flags = if names.peek().is_some() { folder } else { file };
        let around = opened.as_ref().map_or(CWD, AsFd::as_fd);
        let found =
            rustix::fs::openat(around, name.as_os_str(), flags, Mode::empty());
        opened = Some(found.map_err(|error| match error {
            // A link that is opened as a path is no folder.
            Errno::LOOP | Errno::NOTDIR => FileError::Link,
            error => FileError::Unreadable(error.into()),
        })?);
    }
    let file = File::from(opened.ok_or(FileError::Link)?);
    is_file(&file.metadata()?)?;
    Ok(file)
}

/// Reads a whole regular file of at most `most` bytes.
///
/// # Errors
/// Returns [`FileError`] if it is larger, or cannot be read.
pub fn read_bounded(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let file = open_file(path)?;
    let length = file.metadata()?.len();
    if length > most {
        return Err(FileError::Size(most));
    }
    let mut bytes = Vec::with_capacity(length as usize);
    // The file may grow meanwhile, and files that the kernel generates on reading
    // report no length.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        Err(FileError::Size(most))
    } else {
        Ok(bytes)
    }
}

fn is_file(found: &Metadata) -> Result<(), FileError> {
    Err(FileError::Kind(match found.file_type() {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_dir() => "a folder",
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }))
}

/// Formats a size bound, which is a round number.
fn size(bytes: u64) -> String {
    match bytes {
        bytes if bytes >= 1 << 30 => format!("{} GiB", bytes >> 30),
        bytes if bytes >= 1 << 20 => format!("{} MiB", bytes >> 20),
        bytes if bytes >= 1 << 10 => format!("{} KiB", bytes >> 10),
        bytes => format!("{bytes} bytes"),
    }
}

// `std::env::home_dir` is not used: without `HOME` it asks the name services of the
// system, whose libraries a static binary would load, built for another libc.

/// The most bytes of the list of users that are read.
const MOST_BYTES_OF_USERS: u64 = 1 << 20;

/// The home folder of the user who runs this process: what `HOME` says, else the
/// system's list of users. `None` if neither gives an absolute path.
pub fn home_folder() -> Option<PathBuf> {
    let named = env::var_os("HOME").filter(|home| !home.is_empty());
    let home = named.or_else(|| {
        let me = rustix::process::getuid().as_raw();
        user_field(me, 5)
    });
    home.map(PathBuf::from).filter(|home| home.is_absolute())
}

/// A field of a user, by number, in the system's list of users: 0 is the name, and 5
/// the home folder. Source: passwd(5).
pub(crate) fn user_field(user: u32, field: usize) -> Option<OsString> {
    let users = read_bounded(Path::new("/etc/passwd"), MOST_BYTES_OF_USERS).ok()?;
    field_in(&users, user, field)
}

fn field_in(users: &[u8], user: u32, field: usize) -> Option<OsString> {
    let user = user.to_string();
    let mut rows = users
        .split(|byte| *byte == b'\n')
        .map(|line| line.split(|byte| *byte == b':').collect::<Vec<_>>());
    let row = rows.find(|row| row.get(2) == Some(&user.as_bytes()))?;
    Some(OsStr::from_bytes(row.get(field)?).to_owned())
}

// Names of files that other files give, such as a manifest, a spec or a package.
// Whoever wrote them may be hostile: no such name leads out of the folder that it is
// relative to.

/// The longest name, in bytes.
const LONGEST: usize = 4096;

/// A name of a file in a folder or below it, and not in a hidden place. This is the one
/// way from a name that was read to a path.
#[derive(Debug, PartialEq)]
pub struct InnerName<'n>(&'n str);

impl<'n> InnerName<'n> {
    /// The name; `None` if it leads elsewhere, to a hidden place, or can be no name at
    /// all.
    pub fn parse(name: &'n str) -> Option<Self> {
        // Links in hidden places are not looked at when a folder is listed, so they may
        // lead anywhere.
        let is_inside = name
            .split('/')
            .all(|part| !part.is_empty() && !part.starts_with('.'))
            && !name.contains(char::is_control);
        (is_inside && name.len() <= LONGEST).then_some(Self(name))
    }

    /// The path of the file.
    pub fn below(self, folder: &Path) -> PathBuf {
        folder.join(self.0)
    }
}

/// Whether a path is in a folder or below it once all links are followed, as it is or
/// as it would be created. A link that leads nowhere is not: whatever is written to it
/// is created elsewhere. Neither are folders of version control.
pub fn is_beneath(folder: &Path, path: &Path) -> bool {
    let Ok(folder) = here(folder).canonicalize() else {
        return false;
    };
    path.ancestors()
        .map(here)
        .find(|path| path.symlink_metadata().is_ok())
        .and_then(|path| path.canonicalize().ok())
        .is_some_and(|real| {
            real.starts_with(&folder) && !is_version_control(&folder, &real)
        })
}

/// The path; `.` if it is empty.
pub(crate) fn here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    }
}

// The folders of version control systems. A checkout lies around them, but they are not
// its author's: services that clone a repository leave the key for it in `.git/config`.

const FOLDERS: [&str; 3] = [".git", ".hg", ".svn"];

/// Whether a path is in a folder of version control below `root`; both paths are real.
pub fn is_version_control(root: &Path, real: &Path) -> bool {
    real.strip_prefix(root)
        .unwrap_or(real)
        .components()
        .any(|part| FOLDERS.iter().any(|folder| part.as_os_str() == *folder))
}

/// The path that links lead to, or the path itself if nothing can be found there.
pub fn without_links(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The first bytes of a file as text; empty if it cannot be read.
pub fn start_of(path: &Path, bytes: u64) -> String {
    let mut start = vec![];
    let _ = open_file(path).map(|file| file.take(bytes).read_to_end(&mut start));
    String::from_utf8_lossy(&start).into_owned()
}

/// Whether a file may be executed.
pub fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
}

/// The folder that a path is in; that of a bare name is `.`.
pub fn folder_of(path: &Path) -> &Path {
    here(path.parent().unwrap_or(Path::new("")))
}

/// The folder that a path is in, or the nearest one above it that exists.
pub fn nearest_folder(path: &Path) -> &Path {
    path.ancestors()
        .skip(1)
        .find(|folder| folder.is_dir())
        .unwrap_or(Path::new("."))
}

// Files and folders that get their names when they are finished, and temporary ones,
// which get none. Until then they have other names, beside their places, by which
// everybody sees what they are. None is left when its value is dropped or a signal ends
// the process; what a killed process has left is removed by the next one that writes to
// the same folder. A process keeps a lock on each of its own: a process id would not
// do, because a judge in a container has a different set of them. Knows nothing of
// contents.

/// The start of the names of what is unfinished.
const PREFIX: &str = ".gridjudge-unfinished-";

/// The mode of a new folder, before the umask.
const FOLDER_MODE: u32 = 0o777;

/// That of a temporary one, whose contents may be secret.
const TEMPORARY_MODE: u32 = 0o700;

/// How often a name is tried: another judge may take a file for abandoned between its
/// creation and its lock.
const MOST_TRIES: usize = 20;

/// What this process has not finished.
struct Registry {
    /// Whether a signal ends the process, so that nothing more is created or renamed.
    is_ending: bool,
    paths: BTreeSet<PathBuf>,
    /// The folders in which what dead processes left has been removed.
    searched: BTreeSet<PathBuf>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry {
    is_ending: false,
    paths: BTreeSet::new(),
    searched: BTreeSet::new(),
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

/// Creates a folder and those around it, which may be in one that is unfinished or
/// temporary. If a signal ends the process, never returns.
///
/// # Errors
/// If one of them cannot be created.
pub fn create_folders(path: &Path) -> io::Result<()> {
    let _registry = registry();
    fs::create_dir_all(path)
}

/// Removes everything unfinished, and lets no thread of this process create or rename
/// more. To be called when a signal ends the process.
pub fn remove_unfinished() {
    let mut registry = REGISTRY.lock();
    registry.is_ending = true;
    for path in &registry.paths {
        remove(path);
    }
    registry.paths = BTreeSet::new();
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
    /// Creates an empty file with this mode, before the umask, that can be renamed to
    /// `place`.
    ///
    /// # Errors
    /// If it cannot be created in the folder of `place`.
    pub fn beside(place: &Path, mode: u32) -> io::Result<Self> {
        let folder = folder_of(place);
        created_in(folder, mode, |new| {
            let file = new.tempfile_in(folder)?;
            let path = is_locked(file.as_file()).then(|| file.path().to_owned());
            Ok((Self(file), path))
        })
    }

    /// The file, open for reading and writing.
    pub fn file(&mut self) -> &mut File {
        self.0.as_file_mut()
    }

    /// Gives the file its name, in place of whatever has it; a link there is replaced,
    /// and not followed.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub fn replace(self, place: &Path) -> io::Result<File> {
        self.renamed(|file| file.persist(place))
    }

    /// Gives the file its name, if nothing has it.
    ///
    /// # Errors
    /// If something has the name, or it cannot be renamed.
    pub fn create(self, place: &Path) -> io::Result<()> {
        self.renamed(|file| file.persist_noclobber(place)).map(drop)
    }

    fn renamed(
        self,
        rename: impl FnOnce(NamedTempFile) -> Result<File, PersistError>,
    ) -> io::Result<File> {
        let mut registry = registry();
        let path = self.0.path().to_owned();
        let renamed = rename(self.0).map_err(|failed| failed.error);
        registry.paths.remove(&path);
        renamed
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

    /// Creates a folder with these files that can be renamed to `place`.
    ///
    /// # Errors
    /// If the folder or one of the files cannot be written.
    pub fn filled(
        place: &Path,
        files: &[(String, impl AsRef<[u8]>)],
    ) -> io::Result<Self> {
        let unfinished = Self::beside(place)?;
        for (name, bytes) in files {
            unfinished
                .create(Path::new(name))?
                .write_all(bytes.as_ref())?;
        }
        Ok(unfinished)
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
        created_in(parent, mode, |new| {
            let folder = new.tempdir_in(parent)?;
            let lock = File::open(folder.path())?;
            let path = is_locked(&lock).then(|| folder.path().to_owned());
            let created = Self {
                folder,
                _lock: lock,
            };
            Ok((created, path))
        })
    }

    /// Its path so far. What is created or renamed there needs
    /// [`UnfinishedFolder::with`].
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Creates or renames something in the folder, which is not removed meanwhile. If a
    /// signal ends the process, never returns.
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

    /// Gives the folder its name, and a mode, if nothing but an empty folder has the
    /// name.
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

/// Something unfinished that `create` makes in a folder, with its path if it could be
/// locked.
fn created_in<T>(
    folder: &Path,
    mode: u32,
    create: impl Fn(&tempfile::Builder<'_, '_>) -> io::Result<(T, Option<PathBuf>)>,
) -> io::Result<T> {
    remove_abandoned(folder);
    let mut new = tempfile::Builder::new();
    new.prefix(PREFIX).permissions(Permissions::from_mode(mode));
    for _ in 0..MOST_TRIES {
        let mut registry = registry();
        if let (created, Some(path)) = create(&new)? {
            registry.paths.insert(path);
            return Ok(created);
        }
    }
    Err(ErrorKind::ResourceBusy.into())
}

/// Removes what dead processes of this user left unfinished in a folder; once for each
/// folder.
pub fn remove_abandoned(folder: &Path) {
    if !registry().searched.insert(folder.to_owned()) {
        return;
    }
    let me = rustix::process::geteuid().as_raw();
    let flags =
        OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_unfinished = name.as_encoded_bytes().starts_with(PREFIX.as_bytes());
        // `DirEntry::metadata` does not follow links.
        let is_mine = is_unfinished
            && entry.metadata().is_ok_and(|found| {
                (found.is_file() || found.is_dir()) && found.uid() == me
            });
        // A living process has its own locked.
        if is_mine
            && let Ok(file) = rustix::fs::open(entry.path(), flags, Mode::empty())
            && rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive)
                .is_ok()
        {
            remove(&entry.path());
        }
    }
}

/// Locks something that was just created. Returns whether it is still there: another
/// process may have taken it for abandoned. File systems without locks have no such
/// process.
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
    use super::*;

    #[test]
    fn what_has_become_a_link_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let path = |name: &str| root.join(name);
        std::fs::create_dir_all(path("a/b")).unwrap();
        std::fs::write(path("a/b/file"), "1").unwrap();
        let opened = |name: &str| open_real(&path(name));
        let mut text = String::new();
        opened("a/b/file")
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        assert_eq!(text, "1");
        assert!(matches!(opened("a/b"), Err(FileError::Kind("a folder"))));
        assert!(matches!(opened("a/c"), Err(FileError::Unreadable(_))));
        std::os::unix::fs::symlink("b/file", path("a/link")).unwrap();
        assert!(matches!(opened("a/link"), Err(FileError::Link)));
        std::fs::rename(path("a/b"), path("a/c")).unwrap();
        std::os::unix::fs::symlink("c", path("a/b")).unwrap();
        assert!(matches!(opened("a/b/file"), Err(FileError::Link)));
    }

    #[test]
    fn a_file_is_read_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read_bounded(&path, 5).unwrap(), b"12345");
        assert_eq!(
            read_bounded(&path, 4).unwrap_err().to_string(),
            "is larger than 4 bytes"
        );
        assert_eq!(read_bounded(&path, 2 << 20).unwrap(), b"12345");
        assert_eq!(
            FileError::Size(1 << 20).remedy(),
            "1 MiB is the most that is read"
        );
    }

    #[test]
    fn files_that_the_kernel_generates_are_bounded_as_well() {
        // This file reports a length of 0.
        assert!(matches!(
            read_bounded(Path::new("/proc/self/maps"), 10),
            Err(FileError::Size(10))
        ));
        assert!(
            !read_bounded(Path::new("/proc/self/maps"), 1 << 20)
                .unwrap()
                .is_empty()
        );
    }

    #[test]
    fn pipes_devices_and_folders_are_refused_without_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &pipe,
            rustix::fs::FileType::Fifo,
            0o600.into(),
            0,
        )
        .unwrap();
        let why = |path: &Path| open_file(path).unwrap_err().to_string();
        assert_eq!(why(&pipe), "is a pipe, where a file should be");
        assert_eq!(
            why(Path::new("/dev/zero")),
            "is a device, where a file should be"
        );
        assert_eq!(why(folder.path()), "is a folder, where a file should be");
        assert!(
            why(&folder.path().join("nothing"))
                .starts_with("cannot be read: No such file")
        );
    }

    #[test]
    fn the_home_folder_of_a_user_is_that_of_the_first_row_with_its_number() {
        let users = b"root:x:0:0:root:/root:/bin/sh\n\nbroken\n+::::::\n\
                      a:x:1000:100:A, B:/home/a:/bin/sh\nb:x:1000:100::/home/b:\nc:x:7:7\n";
        for (user, home) in [
            (0, Some("/root")),
            (1000, Some("/home/a")),
            (100, None),
            (7, None),
        ] {
            assert_eq!(field_in(users, user, 5), home.map(OsString::from), "{user}");
        }
    }
}

#[cfg(test)]
mod inner_name_tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_name_that_leads_out_or_to_a_hidden_place_is_none() {
        for name in ["a", "secret/a-1", "a..b/c.", "ä", "a b"] {
            let found =
                InnerName::parse(name).map(|name| name.below(Path::new("folder")));
            assert_eq!(found, Some(Path::new("folder").join(name)), "{name}");
        }
        let too_long = "a/".repeat(LONGEST) + "a";
        let hostile = [
            "",
            "/",
            "/etc/passwd",
            "..",
            "../a",
            "a/../../b",
            "a/..",
            ".",
            "./a",
            "a/./b",
            "a//b",
            "a/",
            ".hidden/a",
            "a/.hidden",
            "a\0b",
            "a\nb",
            &too_long,
        ];
        for name in hostile {
            assert_eq!(InnerName::parse(name), None, "{name}");
        }
    }

    #[test]
    fn a_path_is_beneath_a_folder_as_its_links_lead() {
        let place = tempfile::tempdir().unwrap();
        let inner = place.path().join("inner");
        let outer = place.path().join("outer");
        for folder in [&inner, &outer] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join("file"), "").unwrap();
        }
        for (link, target) in [
            ("within", "file"),
            ("out", "../outer"),
            ("absolute", "/etc/passwd"),
            ("dangling", "../outer/new"),
            ("dangling-within", "new"),
        ] {
            symlink(target, inner.join(link)).unwrap();
        }
        for name in ["file", "within", "new", "new/deep/er", "../inner/file"] {
            assert!(is_beneath(&inner, &inner.join(name)), "{name}");
        }
        for name in [
            "out",
            "out/file",
            "out/new/er",
            "absolute",
            "dangling",
            "dangling-within",
            "..",
            "../outer/file",
        ] {
            assert!(!is_beneath(&inner, &inner.join(name)), "{name}");
        }
        assert!(
            is_beneath(Path::new(""), Path::new("Cargo.toml"))
                && !is_beneath(&inner, Path::new("new"))
        );
    }
}

#[cfg(test)]
mod version_control_tests {
    use super::*;

    #[test]
    fn a_path_into_version_control_is_told_from_one_beside_it() {
        let is_in = |path: &str| is_version_control(Path::new("/a"), Path::new(path));
        assert!(is_in("/a/.git/config") && is_in("/a/.git") && is_in("/a/b/.svn/x"));
        assert!(!is_in("/a/.gitignore") && !is_in("/a/git/config") && !is_in("/a"));
        // What is above the root does not matter, as in a hook.
        assert!(!is_version_control(
            Path::new("/a/.git/x"),
            Path::new("/a/.git/x/y")
        ));
    }
}

#[cfg(test)]
mod unfinished_tests {
    use std::io::Write;
    use std::os::unix::fs::symlink;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .map(|name| name.into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_gets_its_name_when_it_is_finished_and_replaces_a_link_without_following_it()
     {
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
