//! Finds out where an output goes: follows links, and recognises different names of one file.

use std::io;
use std::io::ErrorKind;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::path::PathBuf;

use rustix::io::Errno;

/// The most links that are followed one after another, as in the kernel.
const MOST_LINKS: usize = 40;

/// The name of standard output.
const STDOUT: &str = "-";

/// Where an output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OutputPlace {
    /// Standard output, however it was named.
    Stdout,
    /// A regular file with a single name, or a path where nothing exists yet; never a link.
    Regular(PathBuf),
    /// Anything else that can be written: a device, a FIFO, or a file that has several names or is an open
    /// descriptor.
    Other(PathBuf),
}

/// The identity of an output's file, which no two outputs may share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FileIdentity {
    Stdout,
    /// Device and inode.
    File(u64, u64),
    /// A file that does not exist yet, by its path without links.
    Name(PathBuf),
}

impl OutputPlace {
    /// Where the output of this name goes.
    ///
    /// # Errors
    /// If its folder does not exist, links form a cycle, or it is a folder itself.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        if path == Path::new(STDOUT) || is_stdout(path) {
            return Ok(Self::Stdout);
        }
        let place = resolved(path)?;
        let found = match place.metadata() {
            Ok(found) => found,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::Regular(place)),
            Err(error) => return Err(error),
        };
        if found.is_dir() {
            return Err(Errno::ISDIR.into());
        }
        let is_plain = found.is_file() && found.nlink() == 1 && !place.starts_with("/proc");
        Ok(if is_plain { Self::Regular(place) } else { Self::Other(place) })
    }
}

impl FileIdentity {
    /// The identity of the file at `path`; `None` for a character device, to which any number of outputs may
    /// go.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let place = match OutputPlace::of(path) {
            Ok(OutputPlace::Stdout) => return Some(Self::Stdout),
            Ok(OutputPlace::Regular(place) | OutputPlace::Other(place)) => place,
            // It cannot be written; the error is reported when writing is tried.
            Err(_) => path.to_owned(),
        };
        match place.metadata() {
            Ok(found) if found.file_type().is_char_device() => None,
            Ok(found) => Some(Self::File(found.dev(), found.ino())),
            Err(_) => Some(Self::Name(place)),
        }
    }
}

/// Whether standard output goes to this file or pipe. Two writers to one file, each at its own offset, would
/// destroy its content.
fn is_stdout(path: &Path) -> bool {
    let Ok(named) = path.metadata() else { return false };
    let stdout = rustix::fs::fstat(rustix::stdio::stdout());
    let is_same = stdout.is_ok_and(|stdout| (stdout.st_dev, stdout.st_ino) == (named.dev(), named.ino()));
    is_same && !named.file_type().is_char_device()
}

/// The path without links, even if the file does not exist yet.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = parent.unwrap_or(Path::new(".")).canonicalize()?;
        let name = path.file_name().ok_or(Errno::ISDIR)?;
        let place = folder.join(name);
        // Links of open descriptors are not followed: a new file at their target's path would be another
        // file.
        let is_link = place.symlink_metadata().is_ok_and(|found| found.is_symlink());
        if !is_link || place.starts_with("/proc") {
            return Ok(place);
        }
        path = folder.join(place.read_link()?);
    }
    Err(Errno::LOOP.into())
}
