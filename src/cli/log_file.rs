//! Reads earlier results that are named on the command line: logs, from a file or
//! standard input, and baselines; and compares new results with them. Errors in a log
//! are reported as mistakes in a file. Start at [`LogFile::open`] and
//! [`read_baseline`].

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use gridjudge_sandbox::Fault;

use crate::cli::{
    CommandError, CommandOutcome, CommandResult, StatusLine, input_file, log_file,
    output, report_options, screen,
};
use crate::compare::{
    self, Baseline, BaselineCollector, Change, Comparison, FailurePolicy,
    comparison_table,
};
use crate::model::Event;
use crate::report::{
    LARGEST_LOG, LogError, LogReader, Sink, annotations_of_changes, without_mark,
};
use crate::run::Plan;
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
    /// Opens a log; `-` is standard input. A source that can be read only once is
    /// copied, if it begins like a log.
    pub(crate) fn open(path: &'a Path) -> Result<Self, CommandError> {
        if path == Path::new("-") {
            return Self::copied(Path::new("standard input"), io::stdin());
        }
        let file = input_file::open_input(path)?;
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
        // A device may be endless. So the rest is copied only if the first line is that
        // of a log, and up to the largest size of a log.
        copy(&mut source, &mut log.file, LONGEST_HEAD).map_err(failed)?;
        log.file.rewind().map_err(failed)?;
        LogReader::open(BufReader::new(&log.file))
            .map_err(|error| mistakes(path, error))?;
        log.file.seek(SeekFrom::End(0)).map_err(failed)?;
        copy(&mut source, &mut log.file, LARGEST_LOG).map_err(failed)?;
        log.file.rewind().map_err(failed)?;
        Ok(log)
    }

    /// Reads the whole log and passes each event to `handle`. Returns notes about what
    /// was skipped.
    pub(crate) fn read(
        &mut self,
        handle: impl FnMut(Event),
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
        Ok(handle_events(self.path, reader, handle)?)
    }

    /// Its events, in order.
    ///
    /// # Errors
    /// If it does not begin like a log.
    pub(crate) fn into_events(
        self,
    ) -> Result<impl Iterator<Item = Result<Event, CommandError>>, CommandError> {
        let path = self.path;
        let source = BufReader::with_capacity(READ_OF_MANY, self.file);
        let reader =
            LogReader::open(source).map_err(|error| mistakes(path, error))?;
        Ok(reader
            .map(move |event| event.map_err(|error| mistakes(path, error).into())))
    }
}

/// Passes each event of a log to `handle`. Returns notes about what was skipped.
fn handle_events<R: BufRead>(
    path: &Path,
    reader: Result<LogReader<R>, LogError>,
    mut handle: impl FnMut(Event),
) -> Result<Vec<String>, Mistakes> {
    let complain = |error| mistakes(path, error);
    let mut reader = reader.map_err(complain)?;
    for event in reader.by_ref() {
        handle(event.map_err(complain)?);
    }
    Ok(reader.notes().to_vec())
}

/// Converts the errors of a log to mistakes in the file of this name.
fn mistakes(path: &Path, LogError(complaints): LogError) -> Mistakes {
    let each = complaints.into_iter().map(|complaint| Mistake {
        line: complaint.line,
        ..Mistake::new(path, complaint.message, complaint.remedy)
    });
    Mistakes(each.collect())
}

/// Copies to the end of the source, but at most one byte more than `enough`.
fn copy(source: &mut impl Read, target: &mut File, enough: u64) -> io::Result<()> {
    io::copy(&mut source.take(enough + 1), target).map(|_| ())
}

// Reads the verdicts, times and memory of earlier runs from a log or a baseline.
// Commands that need one accept either.

/// Bytes at the start of a file by which a baseline is recognised.
const BASELINE_START: usize = 1024;

/// The most bytes that are read of a baseline: some millions of lines.
const LARGEST: u64 = 1 << 30;

/// Reads a log or a baseline; `-` is standard input.
///
/// # Errors
/// Everything that is wrong with it.
pub(crate) fn read_baseline(path: &Path) -> Result<Baseline, Mistakes> {
    let mut source: Box<dyn BufRead> = match path.to_str() {
        Some("-") => Box::new(BufReader::new(io::stdin())),
        _ => Box::new(BufReader::new(input_file::open_input(path)?)),
    };
    let unread = input_file::unread(path);
    let start = source.fill_buf().map_err(unread)?;
    let mark = start.len() - without_mark(start).len();
    source.consume(mark);
    let start = source.fill_buf().map_err(unread)?;
    let first = start.trim_ascii_start().first().copied();
    if compare::is_baseline(start) {
        let mut text = vec![];
        source
            .take(LARGEST)
            .read_to_end(&mut text)
            .map_err(unread)?;
        return compare::parse_baseline(path, &String::from_utf8_lossy(&text));
    }
    if first != Some(b'{') {
        let remedy = "write a log with `gridjudge grade --log FILE`, a baseline with `gridjudge \
                      baseline LOG -o FILE`";
        return Mistake::refuse(
            path,
            "is neither a log nor a baseline of gridjudge",
            remedy,
        );
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
        for (problem, submission, micros) in read_baseline(path)?.times() {
            costs.add(problem, submission, micros);
        }
    } else {
        LogFile::open(path)?.read(|event| costs.take_event(&event))?;
    }
    Ok(costs)
}

fn read_log(path: &Path, source: Box<dyn BufRead>) -> Result<Baseline, Mistakes> {
    let mut collector = BaselineCollector::default();
    let notes = handle_events(path, LogReader::open(source), |event| {
        // The collector only stores in memory, which cannot fail.
        let _ = collector.take_event(&event);
    })?;
    let (found, problems) = collector.finish();
    let notice =
        |text: &str| screen::notice(format_args!("{}: {text}", path.display()));
    for note in &notes {
        notice(note);
    }
    if problems.incomplete {
        notice(
            "the log is incomplete, so what is missing in it does not count as gone",
        );
    }
    if problems.part {
        notice(
            "only some cases were judged, so what is missing does not count as gone",
        );
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

// Compares the results of `grade`, `verify` and `merge` with a baseline.

#[derive(Args)]
pub(crate) struct BaselineOptions {
    /// Compare the results with a baseline or an older log
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    #[command(flatten)]
    terms: ComparePolicy,
}

/// How to compare, and which changes count as failures.
#[derive(Args)]
pub(crate) struct ComparePolicy {
    /// Changes that lead to exit code 1: a comma-separated list of `verdict`, `gone`,
    /// `time`, `memory`, or `none`; `time=20%` means growth of at least 20 %, beyond
    /// noise [default: verdict]
    #[arg(long, value_name = "WHAT")]
    fail_on: Option<FailurePolicy>,
    /// Compare times even if they were measured on another machine
    #[arg(long)]
    any_machine: bool,
}

/// Collects results to compare them with a baseline.
pub(crate) struct BaselineCheck<'a> {
    path: &'a Path,
    known: Baseline,
    collector: BaselineCollector,
    terms: &'a ComparePolicy,
}

impl BaselineOptions {
    /// Reads the baseline that is named, if any, and checks that it has some of the
    /// plan's submissions.
    ///
    /// # Errors
    /// Every mistake in the file, or in the options.
    pub(crate) fn begin(
        &self,
        plan: &Plan,
    ) -> Result<Option<BaselineCheck<'_>>, Mistakes> {
        let Some(check) = self.open()? else {
            return Ok(None);
        };
        let known = &check.known;
        if known.submissions().any(|(problem, submission)| {
            plan.entries.iter().any(|entry| {
                entry.problem.id == problem && entry.submission.name == submission
            })
        }) {
            return Ok(Some(check));
        }
        let first = known.submissions().next().map_or_else(
            || "it is empty".to_owned(),
            |(problem, submission)| {
                format!("its first line is of {problem} {submission}")
            },
        );
        let message = "knows none of the submissions that are to be judged";
        Mistake::refuse(check.path, message, first)
    }

    /// Reads the baseline that is named, if any.
    ///
    /// # Errors
    /// Every mistake in the file, or in the options.
    pub(crate) fn open(&self) -> Result<Option<BaselineCheck<'_>>, Mistakes> {
        let Some(path) = self.baseline.as_deref() else {
            let is_idle = self.terms.fail_on.is_none() && !self.terms.any_machine;
            return if is_idle {
                Ok(None)
            } else {
                Mistake::refuse(
                    "--fail-on, --any-machine",
                    "there is nothing to compare with",
                    "add `--baseline FILE`",
                )
            };
        };
        Ok(Some(BaselineCheck {
            path,
            known: log_file::read_baseline(path)?,
            collector: BaselineCollector::default(),
            terms: &self.terms,
        }))
    }
}

impl BaselineCheck<'_> {
    pub(crate) fn take_event(&mut self, event: &Event) {
        // The collector only stores in memory, which cannot fail.
        let _ = self.collector.take_event(event);
    }

    /// Shows what has changed for the submissions that were judged, on GitHub too if
    /// requested.
    ///
    /// # Errors
    /// If the baseline has none of their cases, or the comparison cannot be written.
    fn show(self, github: bool) -> CommandResult {
        let (now, _) = self.collector.finish();
        if now.is_empty() {
            // Nothing could be judged, which was already reported.
            return Ok(CommandOutcome::AsExpected);
        }
        let found =
            self.terms
                .compare(&self.known.only_what_is_in(&now), &now, self.path)?;
        let outcome = self.terms.show(&found)?;
        if github {
            self.terms.show_on_github(&found)?;
        }
        Ok(outcome)
    }
}

/// The outcome of a command that compares its results with a baseline, if one is named.
/// Only what is otherwise as expected can be worse than the baseline.
///
/// # Errors
/// As [`BaselineCheck::show`].
pub(crate) fn combined_outcome(
    outcome: CommandOutcome,
    baseline: Option<BaselineCheck<'_>>,
    github: bool,
) -> CommandResult {
    let compared = baseline.map(|check| check.show(github)).transpose()?;
    Ok(outcome.max(compared.unwrap_or_default()))
}

impl ComparePolicy {
    /// Whether a change counts as a failure.
    pub(crate) fn is_failure(&self, change: &Change) -> bool {
        self.fail_on.unwrap_or_default().is_failure(change)
    }

    /// Compares results with a baseline.
    ///
    /// # Errors
    /// If they have no cases in common.
    pub(crate) fn compare(
        &self,
        was: &Baseline,
        now: &Baseline,
        path: &Path,
    ) -> Result<Comparison, Mistakes> {
        let _status = StatusLine::start("comparing");
        Comparison::between(was, now, self.any_machine).map_err(|error| {
            Mistake::new(path, error.to_string(), error.remedy).into()
        })
    }

    /// Shows a comparison. Returns [`CommandOutcome::Surprising`] if a change counts as
    /// a failure.
    pub(crate) fn show(&self, found: &Comparison) -> Result<CommandOutcome, Fault> {
        let room = screen::width_of_results();
        let text = comparison_table(found, screen::verbosity(), room, |change| {
            self.is_failure(change)
        });
        let written = screen::results().write_all(text.as_bytes());
        screen::unless_closed(written, "writing the comparison")?;
        let is_failure = found.changes.iter().any(|change| self.is_failure(change));
        Ok(CommandOutcome::Surprising.when(is_failure))
    }

    /// Annotates what counts as a failure, and adds the comparison to the summary of
    /// the step.
    fn show_on_github(&self, found: &Comparison) -> Result<(), Fault> {
        let is_failure = |change: &Change| self.is_failure(change);
        let failures = found.changes.iter().filter(|change| is_failure(change));
        let annotations =
            annotations_of_changes(failures.map(compare::change_in_words));
        let written = io::stdout().write_all(annotations.as_bytes());
        screen::unless_closed(written, "writing the annotations")?;
        let Some(path) = report_options::step_summary() else {
            return Ok(());
        };
        let file = report_options::open_step_summary(&path);
        let section = format!("\n{}", compare::markdown(found, is_failure));
        file.and_then(|mut file| file.write_all(section.as_bytes()))
            .map_err(Fault::at("writing", &path))
    }
}
