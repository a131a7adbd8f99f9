//! Reads logs that are named on the command line: a file, or standard input. Errors in a log are
//! reported as mistakes in a file.

use std::fs::File;
use std::io;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use gridjudge_sandbox::Fault;

use crate::cli::{CommandError, input_file, output, screen};
use crate::compare;
use crate::compare::{Baseline, BaselineCollector};
use crate::model::Event;
use crate::report::{LARGEST_LOG, LogError, LogReader, Sink, without_mark};
use crate::shard::KnownCosts;
use crate::spec::{Mistake, Mistakes};

/// The size of the read buffer, in bytes.
const READ_AT_ONCE: usize = 64 << 10;

/// The same where a thousand logs are read together.
const READ_OF_MANY: usize = 8 << 10;

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
        let file = input_file::open(path)?;
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
        let failed = Fault::during("copying the log");
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
            .map_err(Fault::during("reading the log again"))?;
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

    /// Its events, one by one.
    ///
    /// # Errors
    /// If it does not begin like a log.
    pub(crate) fn into_events(self) -> Result<LogEvents, CommandError> {
        let source = BufReader::with_capacity(READ_OF_MANY, self.file);
        let reader = LogReader::open(source).map_err(|error| mistakes(self.path, error))?;
        Ok(LogEvents {
            path: self.path.to_owned(),
            reader,
        })
    }

    fn mistakes(&self, error: LogError) -> Mistakes {
        mistakes(self.path, error)
    }
}

/// The events of a log, in order.
pub(crate) struct LogEvents {
    path: PathBuf,
    reader: LogReader<BufReader<File>>,
}

impl Iterator for LogEvents {
    type Item = Result<Event, CommandError>;

    fn next(&mut self) -> Option<Self::Item> {
        let event = self.reader.next()?;
        Some(event.map_err(|error| mistakes(&self.path, error).into()))
    }
}

/// Converts the errors of a log to mistakes in the file of this name.
fn mistakes(path: &Path, LogError(complaints): LogError) -> Mistakes {
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

// Reads the verdicts, times and memory of earlier runs from a log or a baseline. Commands that
// need one accept either.

/// Bytes at the start of a file by which a baseline is recognised.
const BASELINE_START: usize = 1024;

/// The most bytes that are read of a baseline: some millions of lines.
const LARGEST: u64 = 1 << 30;

/// Reads a log or a baseline; `-` is standard input.
///
/// # Errors
/// Everything that is wrong with it.
pub(crate) fn read(path: &Path) -> Result<Baseline, Mistakes> {
    let mut source: Box<dyn BufRead> = match path.to_str() {
        Some("-") => Box::new(BufReader::new(io::stdin())),
        _ => Box::new(BufReader::new(input_file::open(path)?)),
    };
    let start = source
        .fill_buf()
        .map_err(|error| unreadable(path, &error))?;
    let mark = start.len() - without_mark(start).len();
    source.consume(mark);
    let start = source
        .fill_buf()
        .map_err(|error| unreadable(path, &error))?;
    let first = start.trim_ascii_start().first().copied();
    if compare::is_baseline(start) {
        let mut text = Vec::new();
        source
            .take(LARGEST)
            .read_to_end(&mut text)
            .map_err(|error| unreadable(path, &error))?;
        return compare::read(path, &String::from_utf8_lossy(&text));
    }
    if first != Some(b'{') {
        let mistake = Mistake::of(path, "is neither a log nor a baseline of gridjudge");
        let remedy = "write a log with `gridjudge grade --log FILE`, a baseline with `gridjudge \
                      baseline LOG -o FILE`";
        return Err(mistake.with_remedy(remedy).into());
    }
    read_log(path, source)
}

/// What submissions cost when a log or a baseline was written.
///
/// # Errors
/// Everything that is wrong with it.
pub(crate) fn read_costs(path: &Path) -> Result<KnownCosts, CommandError> {
    let mut costs = KnownCosts::default();
    if compare::is_baseline(&output::beginning(path, BASELINE_START)) {
        for (problem, submission, micros) in read(path)?.times() {
            costs.add(problem, submission, micros);
        }
    } else {
        LogFile::open(path)?.read(|event| costs.take(&event))?;
    }
    Ok(costs)
}

fn read_log(path: &Path, source: Box<dyn BufRead>) -> Result<Baseline, Mistakes> {
    let complain = |error| mistakes(path, error);
    let mut reader = LogReader::open(source).map_err(complain)?;
    let mut collector = BaselineCollector::default();
    for event in reader.by_ref() {
        collector
            .take(&event.map_err(complain)?)
            .map_err(|error| unreadable(path, &error))?;
    }
    let (found, problems) = collector.finish();
    let notice = |text: &str| screen::notice(format_args!("{}: {text}", path.display()));
    reader.notes().iter().for_each(|note| notice(note));
    if problems.incomplete {
        notice("the log is incomplete, so what is missing in it does not count as gone");
    }
    if problems.part {
        notice("only some cases were judged, so what is missing does not count as gone");
    }
    if problems.cached > 0 {
        notice(&format!(
            "{} of its trials come from the cache: their verdicts count, their times do not; \
             `--repeat` and `--no-cache` measure again",
            problems.cached
        ));
    }
    if problems.faults > 0 {
        notice(&format!(
            "the judge itself failed at {} of its trials",
            problems.faults
        ));
    }
    Ok(found)
}

fn unreadable(path: &Path, error: &io::Error) -> Mistakes {
    Mistake::of(path, format!("cannot be read: {error}")).into()
}

/// Checks that writing a file of this kind at `path` would overwrite at most a file of the same
/// kind, which begins with `start`.
///
/// # Errors
/// If a file that begins otherwise is there: most likely another path was meant.
pub(crate) fn replaces_its_like(path: &Path, start: &str, kind: &str) -> Result<(), Mistakes> {
    output::refuse_leading_out(path)?;
    let found = output::beginning(path, start.len());
    if found.is_empty() || found == start.as_bytes() {
        return Ok(());
    }
    let mistake = Mistake::of(
        path,
        format!("is not a {kind}, and the new {kind} would overwrite it"),
    );
    Err(mistake
        .with_remedy("name another file, or delete this one")
        .into())
}
