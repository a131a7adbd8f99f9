//! Opens and reads foreign files within bounds: never waits for a pipe or a device, and never reads
//! more than the caller allows. Keeps names that files give inside their folders, and gives new
//! files their names when they are finished. Knows nothing of their contents, but finds the home
//! folder of the judge's user. Start at [`read`].

mod inner_name;
mod unfinished;

use std::env;
use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;

pub use crate::files::inner_name::is_version_control;
pub use inner_name::folder_of;
pub use inner_name::{InnerName, is_beneath};
pub use unfinished::{
    UnfinishedFile, UnfinishedFolder, create_folders, remove_abandoned, remove_unfinished,
};

/// How many files and folders are read in one place at most, unless the judge's user allows more.
pub const USUAL_MOST_FILES: usize = 100_000;

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
                io::ErrorKind::NotFound => "create it, or correct the name".to_owned(),
                io::ErrorKind::PermissionDenied => "make it readable (`chmod +r`)".to_owned(),
                _ => "replace it with a file that can be read".to_owned(),
            },
        }
    }
}

/// Opens a regular file without ever waiting for a writer. Follows links.
///
/// # Errors
/// Returns [`FileError`] if there is no such file or it is not a regular file.
pub fn open(path: &Path) -> Result<File, FileError> {
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
/// [`Path::canonicalize`] gives it, and follows none that has taken a place in it since.
///
/// # Errors
/// As [`open`], and [`FileError::Link`].
pub fn open_real(path: &Path) -> Result<File, FileError> {
    // A folder after the other, and not by `openat2`, which not every kernel and container has.
    let folder = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let names: Vec<_> = path.components().collect();
    let mut opened = None;
    for (place, name) in names.iter().enumerate() {
        let is_last = place + 1 == names.len();
        let flags = if is_last { file } else { folder };
        let around = opened.as_ref().map_or(CWD, AsFd::as_fd);
        let found = rustix::fs::openat(around, name.as_os_str(), flags, Mode::empty());
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
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    if length > most {
        return Err(FileError::Size(most));
    }
    let mut bytes = Vec::with_capacity(length as usize);
    // The file may grow meanwhile, and files that the kernel generates on reading report no length.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        Err(FileError::Size(most))
    } else {
        Ok(bytes)
    }
}

fn is_file(found: &Metadata) -> Result<(), FileError> {
    let kind = found.file_type();
    Err(FileError::Kind(match kind {
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

// `std::env::home_dir` is not used: without `HOME` it asks the name services of the system, whose
// libraries a static binary would load, built for another libc.

/// The most bytes of the list of users that are read.
const MOST_BYTES_OF_USERS: u64 = 1 << 20;

/// The home folder of the user who runs this process: what `HOME` says, else the system's list of
/// users. `None` if neither gives an absolute path.
pub fn home_folder() -> Option<PathBuf> {
    let named = env::var_os("HOME").filter(|home| !home.is_empty());
    let home = named.map(PathBuf::from).or_else(|| {
        let users = read(Path::new("/etc/passwd"), MOST_BYTES_OF_USERS).ok()?;
        home_in(&users, rustix::process::getuid().as_raw())
    });
    home.filter(|home| home.is_absolute())
}

/// The home folder of a user, by number, in the text of `/etc/passwd`. Source: passwd(5).
fn home_in(users: &[u8], user: u32) -> Option<PathBuf> {
    let user = user.to_string();
    let mut rows = users
        .split(|byte| *byte == b'\n')
        .map(|line| line.split(|byte| *byte == b':').collect::<Vec<_>>());
    let row = rows.find(|row| row.get(2) == Some(&user.as_bytes()))?;
    row.get(5)
        .map(|home| PathBuf::from(OsStr::from_bytes(home)))
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
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert_eq!(
            read(&path, 4).unwrap_err().to_string(),
            "is larger than 4 bytes"
        );
        assert_eq!(read(&path, 2 << 20).unwrap(), b"12345");
        assert_eq!(
            FileError::Size(1 << 20).remedy(),
            "1 MiB is the most that is read"
        );
    }

    #[test]
    fn files_that_the_kernel_generates_are_bounded_as_well() {
        // This file reports a length of 0.
        assert!(matches!(
            read(Path::new("/proc/self/maps"), 10),
            Err(FileError::Size(10))
        ));
        assert!(
            !read(Path::new("/proc/self/maps"), 1 << 20)
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
        let why = |path: &Path| open(path).unwrap_err().to_string();
        assert_eq!(why(&pipe), "is a pipe, where a file should be");
        assert_eq!(
            why(Path::new("/dev/zero")),
            "is a device, where a file should be"
        );
        assert_eq!(why(folder.path()), "is a folder, where a file should be");
        assert!(why(&folder.path().join("nothing")).starts_with("cannot be read: No such file"));
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
            assert_eq!(home_in(users, user), home.map(PathBuf::from), "{user}");
        }
    }
}
