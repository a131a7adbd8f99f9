//! Reads the verdicts, times and memory of earlier runs from a log or a baseline. Commands that
//! need one accept either.

use std::io;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::cli::{file, log_file, output, screen};
use crate::compare;
use crate::compare::{Baseline, BaselineCollector};
use crate::report::{LogReader, Sink, without_mark};
use crate::spec::{Mistake, Mistakes};

/// The most bytes that are read of a baseline: some millions of lines.
const LARGEST: u64 = 1 << 30;

/// Reads a log or a baseline; `-` is standard input.
///
/// # Errors
/// Everything that is wrong with it.
pub(crate) fn read(path: &Path) -> Result<Baseline, Mistakes> {
    let mut source: Box<dyn BufRead> = match path.to_str() {
        Some("-") => Box::new(BufReader::new(io::stdin())),
        _ => Box::new(BufReader::new(file::open(path)?)),
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
        let remedy = "write a log with `gridjudge grade --log FILE`, a baseline with `gridjudge baseline LOG -o FILE`";
        return Err(mistake.with_remedy(remedy).into());
    }
    read_log(path, source)
}

fn read_log(path: &Path, source: Box<dyn BufRead>) -> Result<Baseline, Mistakes> {
    let complain = |error| log_file::mistakes(path, error);
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
            "{} of its trials come from the cache: what they earned counts, and not how long it took; `--repeat` and `--no-cache` measure anew",
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
