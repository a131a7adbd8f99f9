//! Logs that are named on the command line: a file, or standard input. What is wrong with one is reported as a mistake in a
//! file.

use std::fs::File;
use std::io;
use std::io::BufReader;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::path::Path;

use crate::cli::exit::CommandError;
use crate::cli::file;
use crate::model::Event;
use crate::report::LARGEST_LOG;
use crate::report::LogError;
use crate::report::LogReader;
use crate::spec::Mistake;
use crate::spec::Mistakes;
use gridjudge_sandbox::Fault;

/// Bytes of a log that are read at once.
const READ_AT_ONCE: usize = 64 << 10;

/// Bytes in which the first line of a log ends.
const LONGEST_HEAD: u64 = 16 << 20;

/// A log that can be read more than once.
pub(crate) struct LogFile<'a> {
    path: &'a Path,
    file: File,
    /// Whether what is wrong in it is left out.
    pub(crate) is_salvaged: bool,
}

impl<'a> LogFile<'a> {
    /// Opens a log; `-` is standard input. What can be read only once is copied, if it begins as a log does.
    pub(crate) fn open(path: &'a Path) -> Result<Self, CommandError> {
        if path == Path::new("-") {
            return Self::copied(Path::new("standard input"), io::stdin());
        }
        let file = file::open(path).map_err(Mistakes::from)?;
        if file.metadata().is_ok_and(|found| found.is_file()) {
            return Ok(Self { path, file, is_salvaged: false });
        }
        Self::copied(path, file)
    }

    /// A copy, in a file without a name.
    fn copied(path: &'a Path, mut source: impl Read) -> Result<Self, CommandError> {
        let failed = |error| Fault::new("copying the log", error);
        let mut log = Self { path, file: tempfile::tempfile().map_err(failed)?, is_salvaged: false };
        // A device may never end: its first line tells whether it is worth copying, and no log is larger than that.
        copy(&mut source, &mut log.file, LONGEST_HEAD).map_err(failed)?;
        log.file.rewind().map_err(failed)?;
        LogReader::open(BufReader::new(&log.file)).map_err(|error| log.mistakes(error))?;
        log.file.seek(SeekFrom::End(0)).map_err(failed)?;
        copy(&mut source, &mut log.file, LARGEST_LOG).map_err(failed)?;
        Ok(log)
    }

    /// Reads all of it, event by event, and hands each to `tell`; what was passed over, in sentences.
    pub(crate) fn read(&mut self, mut tell: impl FnMut(Event)) -> Result<Vec<String>, CommandError> {
        self.file.rewind().map_err(|error| Fault::new("reading the log again", error))?;
        let source = BufReader::with_capacity(READ_AT_ONCE, &self.file);
        let reader = if self.is_salvaged { LogReader::salvage(source) } else { LogReader::open(source) };
        let mut reader = reader.map_err(|error| self.mistakes(error))?;
        for event in reader.by_ref() {
            tell(event.map_err(|error| self.mistakes(error))?);
        }
        Ok(reader.notes().to_vec())
    }

    fn mistakes(&self, error: LogError) -> Mistakes {
        mistakes(self.path, error)
    }
}

/// What is wrong with the log of this name.
pub(crate) fn mistakes(path: &Path, LogError(complaints): LogError) -> Mistakes {
    let each = complaints.into_iter().map(|complaint| {
        let mistake = Mistake::of(path, complaint.message).with_remedy(complaint.remedy);
        Mistake { line: complaint.line, ..mistake }
    });
    Mistakes(each.collect())
}

/// Copies to the end, or until so many bytes are enough.
fn copy(source: &mut impl Read, target: &mut File, enough: u64) -> io::Result<()> {
    io::copy(&mut source.take(enough + 1), target).map(|_| ())
}
