//! Writes output files, for all commands. A regular file is replaced as a whole by a new file with
//! its name, mode and owner. `-` is standard output. Anything else, such as a device, a FIFO or a
//! file with several names, is written through. Links are followed, unless they lead out of the
//! folder that the judge works in. Knows nothing of the contents. Start at [`OutputFile::create`].

mod place;

use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::io::{BufWriter, ErrorKind, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, fchown};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::files::UnfinishedFile;
use crate::model::Event;
use crate::report::Sink;
use crate::spec::Mistake;

pub(crate) use place::{FileIdentity, OutputPlace, refuse_leading_out, stay_in};

/// The size of the write buffer, in bytes.
const WRITTEN_AT_ONCE: usize = 64 << 10;

/// The mode of a new file, before the umask.
const MODE: u32 = 0o666;

/// Checks a place for several files, which cannot be standard output.
///
/// # Errors
/// If the place is `-`.
pub(crate) fn refuse_stdout(place: &Path) -> Result<(), Mistake> {
    if place != Path::new("-") {
        return Ok(());
    }
    let mistake = Mistake::of(
        place,
        "is standard output, and there are several files to be written",
    );
    Err(mistake.with_remedy("name a folder; `./-` is one of that name"))
}

/// When the new content of a regular file appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteMode {
    /// All at once, when it is finished; until then the old content stays.
    AtTheEnd,
    /// While it is written, so that it can be followed.
    AsWritten,
}

/// An output that is being written. Clones write to the same output.
#[derive(Clone)]
pub(crate) struct OutputFile(Rc<RefCell<OutputState>>);

struct OutputState {
    target: Box<dyn Write>,
    /// A temporary file with the content so far, and the path that it will be copied to.
    pending: Option<(File, PathBuf)>,
}

impl OutputFile {
    /// Starts writing an output to this path.
    ///
    /// # Errors
    /// If it cannot be written; an existing file is unchanged then.
    pub(crate) fn create(path: &Path, appearance: WriteMode) -> io::Result<Self> {
        let place = match OutputPlace::of(path)? {
            OutputPlace::Stdout => return Ok(Self::through(io::stdout())),
            OutputPlace::Other(place) => return Ok(Self::through(buffered(File::create(place)?))),
            OutputPlace::Regular(place) => place,
        };
        match appearance {
            WriteMode::AsWritten => {
                let replaced = replacement(&place).and_then(|file| file.replace(&place));
                Ok(Self::through(buffered(
                    replaced.or_else(|error| open_in_place(&place, error))?,
                )))
            }
            WriteMode::AtTheEnd => {
                match refuse_protected(&place).and_then(|()| unnamed_file(&place)) {
                    Ok(file) => {
                        let target = Box::new(buffered(file.try_clone()?));
                        Ok(Self(Rc::new(RefCell::new(OutputState {
                            target,
                            pending: Some((file, place)),
                        }))))
                    }
                    Err(error) => Ok(Self::through(buffered(open_in_place(&place, error)?))),
                }
            }
        }
    }

    fn through(target: impl Write + 'static) -> Self {
        Self(Rc::new(RefCell::new(OutputState {
            target: Box::new(target),
            pending: None,
        })))
    }

    /// Writes out everything; with [`WriteMode::AtTheEnd`], this replaces the old file.
    ///
    /// # Errors
    /// If not everything can be written; a regular file is normally unchanged then.
    pub(crate) fn finish(&self) -> io::Result<()> {
        let mut writing = self.0.borrow_mut();
        writing.target.flush()?;
        let Some((mut written, place)) = writing.pending.take() else {
            return Ok(());
        };
        written.rewind()?;
        let replaced = replacement(&place).and_then(|mut file| {
            io::copy(&mut written, file.file())?;
            file.replace(&place).map(drop)
        });
        replaced.or_else(|error| {
            let mut file = open_in_place(&place, error)?;
            written.rewind()?;
            io::copy(&mut written, &mut file).map(|_| ())
        })
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().target.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().target.flush()
    }
}

/// A sink whose output is finished after the last event.
pub(crate) struct FileSink {
    pub(crate) sink: Box<dyn Sink>,
    pub(crate) output: OutputFile,
}

impl Sink for FileSink {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        self.sink.take(event)?;
        match event {
            Event::SuiteFinished(_) | Event::SuiteInterrupted(_) => self.output.finish(),
            _ => Ok(()),
        }
    }
}

/// Writes a whole output.
///
/// # Errors
/// As [`OutputFile::create`] and [`OutputFile::finish`].
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut output = OutputFile::create(path, WriteMode::AtTheEnd)?;
    output.write_all(content.as_ref())?;
    output.finish()
}

/// The first bytes of an existing regular file, at most `most` of them, which show what would be
/// overwritten.
pub(crate) fn beginning(path: &Path, most: usize) -> Vec<u8> {
    let mut found = Vec::new();
    if let Ok(OutputPlace::Regular(place) | OutputPlace::Other(place)) = OutputPlace::of(path)
        && place.metadata().is_ok_and(|found| found.is_file())
        && let Ok(file) = File::open(place)
    {
        // A read error is ignored here: such a file can hardly be written either, and that error is
        // reported.
        let _ = file.take(most as u64).read_to_end(&mut found);
    }
    found
}

fn buffered(file: File) -> BufWriter<File> {
    BufWriter::with_capacity(WRITTEN_AT_ONCE, file)
}

fn folder(place: &Path) -> &Path {
    place
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// A temporary file without a name, in the folder of the output.
fn unnamed_file(place: &Path) -> io::Result<File> {
    tempfile::tempfile_in(folder(place))
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

/// Opens and empties the existing file, if it cannot be replaced: in another user's folder, mounted
/// by itself, or with an owner that only root could set. Any other error is returned, and the file
/// stays as it is.
fn open_in_place(place: &Path, error: io::Error) -> io::Result<File> {
    let must_stay = matches!(
        error.kind(),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem | ErrorKind::ResourceBusy
    );
    if must_stay && place.exists() {
        File::create(place)
    } else {
        Err(error)
    }
}

#[cfg(test)]
mod tests;
