//! Reads logs that are named on the command line: a file, or standard input. Errors in a log are
//! reported as mistakes in a file.

use std::fs::File;
use std::io;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use crate::cli::exit::CommandError;
use crate::cli::file;
use crate::model::Event;
use crate::report::{LARGEST_LOG, LogError, LogReader};
use crate::spec::{Mistake, Mistakes};
use gridjudge_sandbox::Fault;

/// The size of the read buffer, in bytes.
const READ_AT_ONCE: usize = 64 << 10;

/// The most bytes that the first line of a log can have.
const LONGEST_HEAD: u64 = 16 << 20;

/// A log that can be read more than once.
pub(crate) struct LogFile<'a> {
    path: &'a Path,
    file: File,
    /// Whether broken lines are skipped instead of reported as mistakes.
    pub(crate) is_salvaged: bool,
}

impl<'a> LogFile<'a> {
    /// Opens a log; `-` is standard input. A source that can be read only once is copied, if it
    /// begins like a log.
    pub(crate) fn open(path: &'a Path) -> Result<Self, CommandError> {
        if path == Path::new("-") {
            return Self::copied(Path::new("standard input"), io::stdin());
        }
        let file = file::open(path).map_err(Mistakes::from)?;
        if file.metadata().is_ok_and(|found| found.is_file()) {
            return Ok(Self {
                path,
                file,
                is_salvaged: false,
            });
        }
        Self::copied(path, file)
    }

    /// Copies a log into a temporary file without a name.
    fn copied(path: &'a Path, mut source: impl Read) -> Result<Self, CommandError> {
        let failed = |error| Fault::new("copying the log", error);
        let mut log = Self {
            path,
            file: tempfile::tempfile().map_err(failed)?,
            is_salvaged: false,
        };
        // A device may be endless. So the rest is copied only if the first line is that of a log,
        // and up to the largest size of a log.
        copy(&mut source, &mut log.file, LONGEST_HEAD).map_err(failed)?;
        log.file.rewind().map_err(failed)?;
        LogReader::open(BufReader::new(&log.file)).map_err(|error| log.mistakes(error))?;
        log.file.seek(SeekFrom::End(0)).map_err(failed)?;
        copy(&mut source, &mut log.file, LARGEST_LOG).map_err(failed)?;
        Ok(log)
    }

    /// Reads the whole log and passes each event to `handle`. Returns notes about what was skipped.
    pub(crate) fn read(
        &mut self,
        mut handle: impl FnMut(Event),
    ) -> Result<Vec<String>, CommandError> {
        self.file
            .rewind()
            .map_err(|error| Fault::new("reading the log again", error))?;
        let source = BufReader::with_capacity(READ_AT_ONCE, &self.file);
        let reader = if self.is_salvaged {
            LogReader::salvage(source)
        } else {
            LogReader::open(source)
        };
        let mut reader = reader.map_err(|error| self.mistakes(error))?;
        for event in reader.by_ref() {
            handle(event.map_err(|error| self.mistakes(error))?);
        }
        Ok(reader.notes().to_vec())
    }

    fn mistakes(&self, error: LogError) -> Mistakes {
        mistakes(self.path, error)
    }
}

/// Converts the errors of a log to mistakes in the file of this name.
pub(crate) fn mistakes(path: &Path, LogError(complaints): LogError) -> Mistakes {
    let each = complaints.into_iter().map(|complaint| {
        let mistake = Mistake::of(path, complaint.message).with_remedy(complaint.remedy);
        Mistake {
            line: complaint.line,
            ..mistake
        }
    });
    Mistakes(each.collect())
}

/// Copies to the end of the source, but at most one byte more than `enough`.
fn copy(source: &mut impl Read, target: &mut File, enough: u64) -> io::Result<()> {
    io::copy(&mut source.take(enough + 1), target).map(|_| ())
}
