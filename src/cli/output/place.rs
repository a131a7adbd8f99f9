//! Where an output goes, whatever way that was written: two names of one file are one place.

use std::io;
use std::io::ErrorKind;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::path::PathBuf;

use rustix::io::Errno;

/// Links that are followed, one behind the other, as the kernel does.
const MOST_LINKS: usize = 40;

/// The name of standard output.
const STDOUT: &str = "-";

/// Where an output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OutputPlace {
    /// Standard output, however it was named.
    Stdout,
    /// A regular file of one name, or a name that nothing has yet; no link.
    Regular(PathBuf),
    /// Anything else that can be written: a device, a FIFO, a file of several names or of an open descriptor.
    Other(PathBuf),
}

/// What two outputs must not share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FileIdentity {
    Stdout,
    /// Device and inode.
    File(u64, u64),
    /// What is not there yet.
    Name(PathBuf),
}

impl OutputPlace {
    /// Where the output of this name goes.
    ///
    /// # Errors
    /// If its folder is not there, links go round in a circle, or it is a folder itself.
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
    /// What must not be written twice; none of a device, into which any number of outputs may vanish.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let place = match OutputPlace::of(path) {
            Ok(OutputPlace::Stdout) => return Some(Self::Stdout),
            Ok(OutputPlace::Regular(place) | OutputPlace::Other(place)) => place,
            // It cannot be written; the error comes when that is tried.
            Err(_) => path.to_owned(),
        };
        match place.metadata() {
            Ok(found) if found.file_type().is_char_device() => None,
            Ok(found) => Some(Self::File(found.dev(), found.ino())),
            Err(_) => Some(Self::Name(place)),
        }
    }
}

/// Whether it is the file or the pipe that standard output goes to. Two writers to one file, each at its own offset, would destroy it.
fn is_stdout(path: &Path) -> bool {
    let Ok(named) = path.metadata() else { return false };
    let stdout = rustix::fs::fstat(rustix::stdio::stdout());
    let is_same = stdout.is_ok_and(|stdout| (stdout.st_dev, stdout.st_ino) == (named.dev(), named.ino()));
    is_same && !named.file_type().is_char_device()
}

/// The path of what a name leads to, also where that is not there yet.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = parent.unwrap_or(Path::new(".")).canonicalize()?;
        let name = path.file_name().ok_or(Errno::ISDIR)?;
        let place = folder.join(name);
        // The links of open descriptors lead to files that a new one of the same name would not be.
        let is_link = place.symlink_metadata().is_ok_and(|found| found.is_symlink());
        if !is_link || place.starts_with("/proc") {
            return Ok(place);
        }
        path = folder.join(place.read_link()?);
    }
    Err(Errno::LOOP.into())
}
