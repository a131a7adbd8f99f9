//! Logs as commands are given them: a file, or standard input. What is wrong with one is told like every mistake in a
//! file.

use std::fs::File;
use std::io;
use std::io::BufReader;
use std::io::Read;
use std::io::Seek;
use std::path::Path;

use crate::cli::Stop;
use crate::cli::file;
use crate::model::Event;
use crate::model::Fault;
use crate::report::Reader;
use crate::report::Unreadable;
use crate::spec::Mistake;
use crate::spec::Mistakes;

/// Bytes of a log that are read at once.
const READ_AT_ONCE: usize = 64 << 10;

/// A log that can be read more than once.
pub(crate) struct Logfile<'a> {
    path: &'a Path,
    file: File,
}

impl<'a> Logfile<'a> {
    /// Opens a log; `-` is standard input. What can be read only once is copied.
    pub(crate) fn open(path: &'a Path) -> Result<Self, Stop> {
        if path == Path::new("-") {
            return Ok(Self { path: Path::new("standard input"), file: copied(io::stdin())? });
        }
        let file = file::open(path).map_err(Mistakes::from)?;
        let is_file = file.metadata().is_ok_and(|found| found.is_file());
        let file = if is_file { file } else { copied(file)? };
        Ok(Self { path, file })
    }

    /// Reads all of it, event by event, and hands each to `tell`; what was passed over, in sentences.
    pub(crate) fn read(&mut self, mut tell: impl FnMut(Event)) -> Result<Vec<String>, Stop> {
        self.file.rewind().map_err(|error| Fault::new("reading the log again", error))?;
        let mut reader = Reader::open(BufReader::with_capacity(READ_AT_ONCE, &self.file))
            .map_err(|error| self.mistakes(error))?;
        for event in reader.by_ref() {
            tell(event.map_err(|error| self.mistakes(error))?);
        }
        Ok(reader.notes().to_vec())
    }

    fn mistakes(&self, Unreadable(complaints): Unreadable) -> Mistakes {
        let each = complaints.into_iter().map(|complaint| {
            let mistake = Mistake::of(self.path, complaint.message).with_remedy(complaint.remedy);
            Mistake { line: complaint.line, ..mistake }
        });
        Mistakes(each.collect())
    }
}

/// A copy, in a file without a name.
fn copied(mut source: impl Read) -> Result<File, Fault> {
    let mut copy = || {
        let mut file = tempfile::tempfile()?;
        io::copy(&mut source, &mut file)?;
        Ok(file)
    };
    copy().map_err(|error: io::Error| Fault::new("copying the log", error))
}
