//! Files that commands write, all in one way. A regular file is replaced as a whole, by one that takes its name, mode and
//! owner; `-` is standard output; what is anything else, as a device, a FIFO or a file of several names, is written through,
//! and a link leads to what it names. Knows nothing of what is written. Start at [`OutputFile::create`].

mod place;

use std::cell::RefCell;
use std::fs::File;
use std::fs::Permissions;
use std::io;
use std::io::BufWriter;
use std::io::ErrorKind;
use std::io::Read;
use std::io::Seek;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::fs::fchown;
use std::path::Path;
use std::path::PathBuf;
use std::rc::Rc;

use tempfile::NamedTempFile;

use crate::model::Event;
use crate::report::Sink;
use crate::spec::Mistake;

pub(crate) use place::FileIdentity;
pub(crate) use place::OutputPlace;

/// Bytes that are written at once.
const WRITTEN_AT_ONCE: usize = 64 << 10;

/// The mode of a new file, before the umask.
const MODE: u32 = 0o666;

/// A place for files of several, which standard output is none of.
///
/// # Errors
/// If it is named `-`.
pub(crate) fn refuse_stdout(place: &Path) -> Result<(), Mistake> {
    if place != Path::new("-") {
        return Ok(());
    }
    let mistake = Mistake::of(place, "is standard output, and there are several files to be written");
    Err(mistake.with_remedy("name a folder; `./-` is one of that name"))
}

/// When the new content of a regular file appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteMode {
    /// All of it, when it is finished; until then the old one stays.
    AtTheEnd,
    /// As it is written, so that it can be followed.
    AsWritten,
}

/// Something that is being written. Copies write the same.
#[derive(Clone)]
pub(crate) struct OutputFile(Rc<RefCell<OutputState>>);

struct OutputState {
    target: Box<dyn Write>,
    /// A file without a name that is to take the place of another, or of none.
    waiting: Option<(File, PathBuf)>,
}

impl OutputFile {
    /// Begins to write the output of this name.
    ///
    /// # Errors
    /// If it cannot be written. What is there is as it was then.
    pub(crate) fn create(path: &Path, appearance: WriteMode) -> io::Result<Self> {
        let place = match OutputPlace::of(path)? {
            OutputPlace::Stdout => return Ok(Self::through(io::stdout())),
            OutputPlace::Other(place) => return Ok(Self::through(buffered(File::create(place)?))),
            OutputPlace::Regular(place) => place,
        };
        match appearance {
            WriteMode::AsWritten => {
                let replaced = successor(&place).and_then(|file| named(file, &place));
                Ok(Self::through(buffered(replaced.or_else(|error| opened_itself(&place, error))?)))
            }
            WriteMode::AtTheEnd => match refuse_protected(&place).and_then(|()| nameless(&place)) {
                Ok(file) => {
                    let target = Box::new(buffered(file.try_clone()?));
                    Ok(Self(Rc::new(RefCell::new(OutputState { target, waiting: Some((file, place)) }))))
                }
                Err(error) => Ok(Self::through(buffered(opened_itself(&place, error)?))),
            },
        }
    }

    fn through(target: impl Write + 'static) -> Self {
        Self(Rc::new(RefCell::new(OutputState { target: Box::new(target), waiting: None })))
    }

    /// Puts what was written in its place.
    ///
    /// # Errors
    /// If not all of it can be written; a regular file is as it was then.
    pub(crate) fn finish(&self) -> io::Result<()> {
        let mut writing = self.0.borrow_mut();
        writing.target.flush()?;
        let Some((mut written, place)) = writing.waiting.take() else { return Ok(()) };
        written.rewind()?;
        let replaced = successor(&place).and_then(|mut file| {
            io::copy(&mut written, file.as_file_mut())?;
            named(file, &place).map(|_| ())
        });
        replaced.or_else(|error| {
            let mut file = opened_itself(&place, error)?;
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

/// A sink whose output is put in its place after the last event.
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

/// Writes all of it.
///
/// # Errors
/// As [`OutputFile::create`] and [`OutputFile::finish`].
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut output = OutputFile::create(path, WriteMode::AtTheEnd)?;
    output.write_all(content.as_ref())?;
    output.finish()
}

/// The first bytes of a regular file that is there, at most so many: they tell what would be overwritten.
pub(crate) fn beginning(path: &Path, most: usize) -> Vec<u8> {
    let mut found = Vec::new();
    if let Ok(OutputPlace::Regular(place) | OutputPlace::Other(place)) = OutputPlace::of(path)
        && place.metadata().is_ok_and(|found| found.is_file())
        && let Ok(file) = File::open(place)
    {
        // A file that cannot be read cannot be written either, and that error is reported.
        let _ = file.take(most as u64).read_to_end(&mut found);
    }
    found
}

fn buffered(file: File) -> BufWriter<File> {
    BufWriter::with_capacity(WRITTEN_AT_ONCE, file)
}

fn folder(place: &Path) -> &Path {
    place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file without a name, which is gone when it is closed, in the folder of the output.
fn nameless(place: &Path) -> io::Result<File> {
    tempfile::tempfile_in(folder(place))
}

/// A read-only file is not replaced, also where its folder would allow it.
fn refuse_protected(place: &Path) -> io::Result<()> {
    match place.exists() {
        true => Ok(rustix::fs::access(place, rustix::fs::Access::WRITE_OK)?),
        false => Ok(()),
    }
}

/// A new file that is to take the place of this one, with the mode and the owner of what is there.
fn successor(place: &Path) -> io::Result<NamedTempFile> {
    refuse_protected(place)?;
    let mut new = tempfile::Builder::new();
    let file = new.permissions(Permissions::from_mode(MODE)).tempfile_in(folder(place))?;
    if let Ok(found) = place.metadata() {
        let made = file.as_file().metadata()?;
        if (made.uid(), made.gid()) != (found.uid(), found.gid()) {
            fchown(file.as_file(), Some(found.uid()), Some(found.gid()))?;
        }
        file.as_file().set_permissions(found.permissions())?;
    }
    Ok(file)
}

/// Gives it its name.
fn named(file: NamedTempFile, place: &Path) -> io::Result<File> {
    file.persist(place).map_err(|failed| failed.error)
}

/// The existing file, emptied, where no other can take its place: in another user's folder, on a mount of its own, or with an
/// owner that only root could give. Any other error is returned, and the file stays as it is.
fn opened_itself(place: &Path, error: io::Error) -> io::Result<File> {
    let must_stay = matches!(
        error.kind(),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem | ErrorKind::ResourceBusy
    );
    if must_stay && place.exists() { File::create(place) } else { Err(error) }
}

#[cfg(test)]
mod tests;
