//! Finds out where an output goes: follows links, though never out of the folders that the judge
//! works in, and recognises different names of one file.

use std::io;
use std::io::ErrorKind;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use rustix::io::Errno;

use crate::spec::Mistake;
use crate::text::printable;

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
    /// Anything else that can be written: a device, a FIFO, or a file that has several names or is
    /// an open descriptor.
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

/// An output in one of the folders that the judge works in, which a link leads out of it. The link
/// may be part of what was checked out, and its author decides nothing outside of that.
#[derive(Debug, thiserror::Error)]
#[error("a link leads out of {}, to {}", shown(.folder), shown(.place))]
struct LeadsOut {
    folder: PathBuf,
    place: PathBuf,
}

fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// The real paths of the folders that the judge works in.
static FOLDERS: OnceLock<Vec<PathBuf>> = OnceLock::new();

/// Sets the folders that no link may lead an output out of: these, and the current one. Only the
/// first call counts.
pub(crate) fn stay_in(folders: &[&Path]) {
    let all = folders.iter().copied().chain([Path::new(".")]);
    FOLDERS.get_or_init(|| {
        all.filter_map(|folder| folder.canonicalize().ok())
            .collect()
    });
}

/// The innermost of these folders that an output is named in.
fn folder_around<'f>(path: &Path, folders: &'f [PathBuf]) -> Option<&'f PathBuf> {
    let path = plain(&std::path::absolute(path).ok()?);
    folders
        .iter()
        .filter(|folder| path.starts_with(folder))
        .max_by_key(|folder| folder.as_os_str().len())
}

/// An absolute path without `..`, as it is written: no link is followed.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}

/// Refuses an output that is named in one of the folders that the judge works in, if links lead out
/// of it. It need not exist yet, nor the folders around it. Devices are allowed, and so are links
/// to standard output.
pub(crate) fn refuse_leading_out(path: &Path) -> Result<(), Mistake> {
    let Some(existing) = path
        .ancestors()
        .find(|path| path.symlink_metadata().is_ok())
        .filter(|_| !is_stdout(path))
    else {
        return Ok(());
    };
    match resolved(existing).and_then(|place| refuse_place(existing, place)) {
        Err(error) if error.get_ref().is_some_and(|cause| cause.is::<LeadsOut>()) => {
            let remedy = "name the file itself that it leads to, or delete the link";
            Err(Mistake::of(path, error.to_string()).with_remedy(remedy))
        }
        // Any other error is reported when writing is tried.
        _ => Ok(()),
    }
}

/// The place that links lead an output to, unless it is outside of the folder that the output is
/// named in.
fn refuse_place(path: &Path, place: PathBuf) -> io::Result<PathBuf> {
    let folders = FOLDERS.get().map(Vec::as_slice).unwrap_or_default();
    match folder_around(path, folders) {
        Some(folder)
            if !place.starts_with(folder)
                && !place
                    .metadata()
                    .is_ok_and(|found| found.file_type().is_char_device()) =>
        {
            Err(io::Error::other(LeadsOut {
                folder: folder.clone(),
                place,
            }))
        }
        _ => Ok(place),
    }
}

impl OutputPlace {
    /// Where the output of this name goes.
    ///
    /// # Errors
    /// If its folder does not exist, links form a cycle or lead out of the folder that the judge
    /// works in, or it is a folder itself.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        if path == Path::new(STDOUT) || is_stdout(path) {
            return Ok(Self::Stdout);
        }
        let place = refuse_place(path, resolved(path)?)?;
        let found = match place.metadata() {
            Ok(found) => found,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::Regular(place)),
            Err(error) => return Err(error),
        };
        if found.is_dir() {
            return Err(Errno::ISDIR.into());
        }
        let is_plain = found.is_file() && found.nlink() == 1 && !place.starts_with("/proc");
        Ok(if is_plain {
            Self::Regular(place)
        } else {
            Self::Other(place)
        })
    }
}

impl FileIdentity {
    /// The identity of the file at `path`; `None` for a character device, to which any number of
    /// outputs may go.
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

/// Whether standard output goes to this file or pipe. Two writers to one file, each at its own
/// offset, would destroy its content.
fn is_stdout(path: &Path) -> bool {
    let Ok(named) = path.metadata() else {
        return false;
    };
    let stdout = rustix::fs::fstat(rustix::stdio::stdout());
    let is_same =
        stdout.is_ok_and(|stdout| (stdout.st_dev, stdout.st_ino) == (named.dev(), named.ino()));
    is_same && !named.file_type().is_char_device()
}

/// The path without links, even if the file does not exist yet.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let parent = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        let folder = parent.unwrap_or(Path::new(".")).canonicalize()?;
        let name = path.file_name().ok_or(Errno::ISDIR)?;
        let place = folder.join(name);
        // Links of open descriptors are not followed: a new file at their target's path would be
        // another file.
        let is_link = place
            .symlink_metadata()
            .is_ok_and(|found| found.is_symlink());
        if !is_link || place.starts_with("/proc") {
            return Ok(place);
        }
        path = folder.join(place.read_link()?);
    }
    Err(Errno::LOOP.into())
}
