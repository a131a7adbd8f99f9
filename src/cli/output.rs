//! Writes output files, for all commands. A regular file is replaced as a whole by a
//! new file with its name, mode and owner. `-` is standard output. Anything else, such
//! as a device, a FIFO or a file with several names, is written through. Links are
//! followed, unless they lead out of the folder that the judge works in. Knows nothing
//! of the contents. Start at [`OutputFile::create`].

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Read, Seek, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, fchown};
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use rustix::io::Errno;

use crate::files::{self, UnfinishedFile};
use crate::report::Sink;
use crate::spec::Mistake;
use crate::text::printable;

/// The size of the write buffer, in bytes.
const WRITTEN_AT_ONCE: usize = 64 << 10;

/// The mode of a new file, before the umask.
const MODE: u32 = 0o666;

/// Checks a place for several files.
///
/// # Errors
/// If the place is `-`, or as [`refuse_leading_out`].
pub(crate) fn refuse_as_folder(place: &Path) -> Result<(), Mistake> {
    if place != Path::new("-") {
        return refuse_leading_out(place);
    }
    Mistake::refuse(
        place,
        "is standard output, and there are several files to be written",
        "name a folder; `./-` is one of that name",
    )
}

/// When the new content of a regular file appears.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum WriteMode {
    /// All at once, when the output is flushed; until then the old content stays.
    /// Reports are flushed only at their end.
    AtTheEnd,
    /// While it is written, so that it can be followed.
    AsWritten,
}

/// An output that is being written.
pub(crate) struct OutputFile {
    target: Box<dyn Write>,
    /// A temporary file with the content so far, and the path that it will be copied
    /// to.
    pending: Option<(File, PathBuf)>,
}

impl OutputFile {
    /// Starts writing an output to this path.
    ///
    /// # Errors
    /// If it cannot be written; an existing file is unchanged then.
    pub(crate) fn create(path: &Path, appearance: WriteMode) -> io::Result<Self> {
        let place = match OutputPlace::find(path)? {
            OutputPlace::Stdout => {
                return Ok(Self {
                    target: Box::new(io::stdout()),
                    pending: None,
                });
            }
            OutputPlace::Other(place) => {
                return Ok(Self {
                    target: Box::new(buffered(File::create(place)?)),
                    pending: None,
                });
            }
            OutputPlace::Regular(place) => place,
        };
        let opened = match appearance {
            WriteMode::AsWritten => {
                replacement(&place).and_then(|file| file.replace(&place))
            }
            // A temporary file without a name, in the folder of the output.
            WriteMode::AtTheEnd => refuse_protected(&place)
                .and_then(|()| tempfile::tempfile_in(files::folder_of(&place))),
        };
        let is_pending = appearance == WriteMode::AtTheEnd && opened.is_ok();
        let file = opened.or_else(|error| open_in_place(&place, error))?;
        Ok(Self {
            target: Box::new(buffered(file.try_clone()?)),
            pending: is_pending.then_some((file, place)),
        })
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.target.write(bytes)
    }

    /// Writes out everything; with [`WriteMode::AtTheEnd`], this replaces the old file,
    /// which is normally unchanged if not everything can be written.
    fn flush(&mut self) -> io::Result<()> {
        self.target.flush()?;
        let Some((written, place)) = &mut self.pending else {
            return Ok(());
        };
        written.rewind()?;
        replacement(place)
            .and_then(|mut file| {
                io::copy(written, file.file())?;
                file.replace(place).map(drop)
            })
            .or_else(|error| {
                let mut file = open_in_place(place, error)?;
                written.rewind()?;
                io::copy(written, &mut file).map(|_| ())
            })
    }
}

/// A sink, and its name in error messages.
pub(crate) type NamedSink = (String, Box<dyn Sink>);

/// Writes a whole output.
///
/// # Errors
/// As [`OutputFile::create`], or if not everything can be written.
pub(crate) fn write_file(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut output = OutputFile::create(path, WriteMode::AtTheEnd)?;
    output.write_all(content.as_ref())?;
    output.flush()
}

/// The first bytes of an existing regular file, at most `most` of them, which show what
/// would be overwritten.
pub(crate) fn beginning(path: &Path, most: usize) -> Vec<u8> {
    let mut found = vec![];
    if let Ok(OutputPlace::Regular(place) | OutputPlace::Other(place)) =
        OutputPlace::find(path)
        && place.metadata().is_ok_and(|found| found.is_file())
        && let Ok(file) = File::open(place)
    {
        // A read error is ignored here: such a file can hardly be written either, and
        // that error is reported.
        let _ = file.take(most as u64).read_to_end(&mut found);
    }
    found
}

/// Checks that writing to `path` would overwrite at most a file that begins with
/// `start`, as those of its kind do.
///
/// # Errors
/// If another file is there, with this message: most likely another path was meant.
pub(crate) fn refuse_unlike(
    path: &Path,
    start: &str,
    message: &str,
) -> Result<(), Mistake> {
    refuse_leading_out(path)?;
    let found = beginning(path, start.len());
    if found.is_empty() || found == start.as_bytes() {
        return Ok(());
    }
    Mistake::refuse(path, message, "name another file, or delete this one")
}

fn buffered(file: File) -> BufWriter<File> {
    BufWriter::with_capacity(WRITTEN_AT_ONCE, file)
}

/// Refuses to replace a read-only file, even if its folder would allow it.
fn refuse_protected(place: &Path) -> io::Result<()> {
    if place.exists() {
        Ok(rustix::fs::access(place, rustix::fs::Access::WRITE_OK)?)
    } else {
        Ok(())
    }
}

/// A new file to replace the one at `place`, with its mode and owner.
fn replacement(place: &Path) -> io::Result<UnfinishedFile> {
    refuse_protected(place)?;
    let mut new = UnfinishedFile::beside(place, MODE)?;
    if let Ok(found) = place.metadata() {
        let file = new.file();
        let made = file.metadata()?;
        if (made.uid(), made.gid()) != (found.uid(), found.gid()) {
            fchown(&*file, Some(found.uid()), Some(found.gid()))?;
        }
        file.set_permissions(found.permissions())?;
    }
    Ok(new)
}

/// Opens and empties the existing file, if it cannot be replaced: in another user's
/// folder, mounted by itself, or with an owner that only root could set. Any other
/// error is returned, and the file stays as it is.
fn open_in_place(place: &Path, error: io::Error) -> io::Result<File> {
    let must_stay = matches!(
        error.kind(),
        ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::ResourceBusy
    );
    if must_stay && place.exists() {
        File::create(place)
    } else {
        Err(error)
    }
}

// Finds out where an output goes: follows links, though never out of the folders that
// the judge works in, and recognises different names of one file.

/// The most links that are followed one after another, as in the kernel.
const MOST_LINKS: usize = 40;

/// The name of standard output.
pub(crate) const STDOUT: &str = "-";

/// Where an output goes.
#[derive(Debug, PartialEq)]
pub(crate) enum OutputPlace {
    /// Standard output, however it was named.
    Stdout,
    /// A regular file with a single name, or a path where nothing exists yet; never a
    /// link.
    Regular(PathBuf),
    /// Anything else that can be written: a device, a FIFO, or a file that has several
    /// names or is an open descriptor.
    Other(PathBuf),
}

/// The identity of an output's file, which no two outputs may share.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FileIdentity {
    Stdout,
    /// Device and inode.
    File(u64, u64),
    /// A file that does not exist yet, by its path without links.
    Name(PathBuf),
}

/// The real path of the judge's folder, if there is one.
static JUDGE: OnceLock<Option<PathBuf>> = OnceLock::new();

/// Sets the judge's folder. No link may lead an output out of it, nor out of the
/// current one. Only the first call counts.
pub(crate) fn stay_in(judge: Option<&Path>) {
    JUDGE.get_or_init(|| Path::new(".").join(judge?).canonicalize().ok());
}

/// The real path of the judge's folder, if there is one.
pub(crate) fn judge_folder() -> Option<&'static Path> {
    JUDGE.get()?.as_deref()
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

/// Refuses an output that is named in one of the folders that the judge works in, if
/// links lead out of it. It need not exist yet, nor the folders around it. Devices are
/// allowed, and so are links to standard output.
pub(crate) fn refuse_leading_out(path: &Path) -> Result<(), Mistake> {
    let Some(existing) = path
        .ancestors()
        .find(|path| path.symlink_metadata().is_ok())
        .filter(|_| !is_stdout(path))
    else {
        return Ok(());
    };
    // Any error is reported when writing is tried.
    let place = resolved(existing).ok();
    match place.and_then(|place| why_outside(existing, &place)) {
        Some(why) => {
            let remedy = "name the file itself that it leads to, or delete the link";
            Mistake::refuse(path, why, remedy)
        }
        None => Ok(()),
    }
}

/// The reason why the place of an output is refused: it is outside of the innermost
/// folder of the judge that the output is named in. A link to there may be part of what
/// was checked out, and its author decides nothing outside of that.
fn why_outside(path: &Path, place: &Path) -> Option<String> {
    let path = plain(&std::path::absolute(path).ok()?);
    let current = Path::new(".").canonicalize().ok();
    let folder = JUDGE
        .get()?
        .iter()
        .chain(&current)
        .filter(|folder| path.starts_with(folder))
        .max_by_key(|folder| folder.as_os_str().len())?;
    let kind = place.metadata().map(|found| found.file_type());
    let is_inside = place.starts_with(folder);
    let is_ours = is_inside
        && (!files::is_version_control(folder, place)
            || files::is_version_control(folder, &path));
    if is_ours || kind.is_ok_and(|kind| kind.is_char_device()) {
        return None;
    }
    let way = if is_inside {
        "into the version control"
    } else {
        "out"
    };
    let shown = |path: &Path| printable(&path.to_string_lossy());
    Some(format!(
        "a link leads {way} of {}, to {}",
        shown(folder),
        shown(place)
    ))
}

impl OutputPlace {
    /// Where the output of this name goes.
    ///
    /// # Errors
    /// If its folder does not exist, links form a cycle or lead out of the folder that
    /// the judge works in, or it is a folder itself.
    pub(crate) fn find(path: &Path) -> io::Result<Self> {
        if is_stdout(path) {
            return Ok(Self::Stdout);
        }
        let place = resolved(path)?;
        if let Some(why) = why_outside(path, &place) {
            return Err(io::Error::other(why));
        }
        let found = match place.metadata() {
            Ok(found) => found,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Self::Regular(place));
            }
            Err(error) => return Err(error),
        };
        if found.is_dir() {
            return Err(Errno::ISDIR.into());
        }
        let is_plain =
            found.is_file() && found.nlink() == 1 && !place.starts_with("/proc");
        Ok(if is_plain {
            Self::Regular(place)
        } else {
            Self::Other(place)
        })
    }
}

impl FileIdentity {
    /// The identity of the file at `path`; `None` for a character device, to which any
    /// number of outputs may go.
    pub(crate) fn read_at(path: &Path) -> Option<Self> {
        let place = match OutputPlace::find(path) {
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

/// Whether an output of this name goes to standard output, as to its file or pipe. Two
/// writers to one file, each at its own offset, would destroy its content.
pub(crate) fn is_stdout(path: &Path) -> bool {
    if path == Path::new(STDOUT) {
        return true;
    }
    let Ok(named) = path.metadata() else {
        return false;
    };
    let is_same = rustix::fs::fstat(rustix::stdio::stdout()).is_ok_and(|stdout| {
        (stdout.st_dev, stdout.st_ino) == (named.dev(), named.ino())
    });
    is_same && !named.file_type().is_char_device()
}

/// The path without links, even if the file does not exist yet.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let folder = files::folder_of(&path).canonicalize()?;
        let name = path.file_name().ok_or(Errno::ISDIR)?;
        let place = folder.join(name);
        // Links of open descriptors are not followed: a new file at their target's path
        // would be another file.
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

#[cfg(test)]
mod tests;
