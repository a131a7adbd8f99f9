//! Why: for each submission that is not accepted, the case that decided and what is wrong with its output.

use std::collections::BTreeSet;
use std::fmt;
use std::fmt::Write as _;
use std::io;
use std::io::Write;

use anstyle::AnsiColor;
use anstyle::Style;

use crate::model::Event;
use crate::model::SubmissionSummary;
use crate::model::TrialRecord;
use crate::model::Verdict;
use crate::report::explain::flakiness;
use crate::report::sink::Sink;
use crate::text::hanging;
use crate::text::printable;

const HEADING: Style = Style::new().bold();
const SIGN: Style = AnsiColor::Red.on_default();

/// What stands before each line that a program has written.
const QUOTE: &str = "    | ";

/// Cases listed of a submission that fails on many.
const MOST_CASES: usize = 20;

/// Which submissions are explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExplainMode {
    /// Those that did not earn what was expected of them.
    Surprises,
    /// All that were not accepted, with all their findings.
    Everything,
}

/// Writes why submissions were not accepted, as soon as that is known.
pub struct Explanations<W> {
    target: W,
    /// Asked before anything is written: how many columns the terminal has that it is written to, if it is one.
    room: Box<dyn Fn() -> Option<usize>>,
    /// What is to be written, all that one event tells at once.
    page: String,
    explain: ExplainMode,
    current: ExplainedSubmission,
    /// Why submissions were skipped, as far as it has been told: a missing compiler is missing for all.
    shown_causes: BTreeSet<String>,
}

/// What is to be told of the submission under way.
#[derive(Default)]
struct ExplainedSubmission {
    /// The record that decided, until it is known whether it is wanted.
    decisive: Option<Box<TrialRecord>>,
    /// Further cases that were not accepted, a line each, at most [`MOST_CASES`], and how many there were.
    others: Vec<String>,
    others_in_all: usize,
    /// Cases that did not earn what is promised for just them, at most [`MOST_CASES`].
    surprises: Vec<String>,
    /// Whether a fault has been told: a broken machine is not to fill the screen.
    fault_told: bool,
}

impl<W: Write> Explanations<W> {
    /// Reasons that go to `target`.
    pub fn new(target: W, explain: ExplainMode) -> Self {
        let (current, shown_causes) = (ExplainedSubmission::default(), BTreeSet::new());
        Self { target, room: Box::new(|| None), page: String::new(), explain, current, shown_causes }
    }

    /// The same, with sentences broken between words for a terminal of as many columns as there are, if it is one.
    #[must_use]
    pub fn in_columns(self, room: impl Fn() -> Option<usize> + 'static) -> Self {
        Self { room: Box::new(room), ..self }
    }

    /// Takes an event; what it has to tell is on the page then.
    fn tell(&mut self, event: &Event) -> fmt::Result {
        match event {
            Event::SubmissionStarted { .. } => self.current = ExplainedSubmission::default(),
            Event::TrialFinished(record) if !record.is_as_expected() => {
                self.note_surprise(record);
                if decides(record.verdict) && self.current.decisive.is_none() {
                    self.current.decisive = Some(record.clone());
                }
            }
            Event::TrialFinished(record) if self.current.decisive.is_none() && decides(record.verdict) => {
                self.current.decisive = Some(record.clone());
            }
            Event::TrialFinished(record) if decides(record.verdict) => self.note_other(record),
            Event::TrialFaulted { problem, submission, case, fault } if !self.current.fault_told => {
                self.current.fault_told = true;
                let trouble = format!("{problem} {submission} on {case}: the judge failed: {fault}");
                self.write_trouble(&trouble, fault.remedy.as_deref())?;
            }
            Event::SubmissionSkipped { problem, submission, cause, remedy, .. }
                if self.shown_causes.insert(cause.clone()) =>
            {
                self.write_trouble(&format!("{problem} {submission}: skipped: {cause}"), Some(remedy))?;
            }
            Event::SubmissionFinished(summary) => self.explain(summary)?,
            _ => {}
        }
        Ok(())
    }

    fn explain(&mut self, summary: &SubmissionSummary) -> fmt::Result {
        let Some(record) = self.current.decisive.take() else { return self.explain_surprises_alone(summary) };
        if self.explain == ExplainMode::Surprises && summary.is_as_expected() {
            return Ok(());
        }
        let TrialRecord { problem, submission, case, verdict, .. } = &*record;
        let place = if *verdict == Verdict::CompileError { String::new() } else { format!(" on {case}") };
        let heading = format!("{problem} {submission}: {verdict} ({}){place}", verdict.meaning());
        writeln!(self.page, "{HEADING}{}{HEADING:#}", printable(&heading))?;
        if let Some(flaky) = flakiness(&record) {
            writeln!(self.page, "    {flaky}")?;
        }
        if record.finding.is_none() {
            writeln!(self.page, "    {}", printable(&summary.reason))?;
        }
        if record.rerun && self.explain == ExplainMode::Everything {
            writeln!(self.page, "    run again, alone; this is the run that counts")?;
        }
        if record.cached && self.explain == ExplainMode::Everything {
            writeln!(self.page, "    from the cache: not run now, but judged when all was the same")?;
        }
        self.write_surprises()?;
        self.write_findings(&record)?;
        self.write_text("diff (- expected, + found)", record.diff.as_deref().unwrap_or(""))?;
        let source = if *verdict == Verdict::CompileError { "compiler" } else { "standard error" };
        self.write_text(source, &record.stderr)?;
        self.write_others()?;
        writeln!(self.page)
    }

    /// Of a submission that was accepted everywhere, though it promises something else for a case.
    fn explain_surprises_alone(&mut self, summary: &SubmissionSummary) -> fmt::Result {
        if self.current.surprises.is_empty() {
            return Ok(());
        }
        let SubmissionSummary { problem, submission, .. } = summary;
        let heading = format!("{problem} {submission}: not as expected for single cases");
        writeln!(self.page, "{HEADING}{}{HEADING:#}", printable(&heading))?;
        self.write_surprises()?;
        writeln!(self.page)
    }

    fn write_surprises(&mut self) -> fmt::Result {
        for surprise in &self.current.surprises {
            writeln!(self.page, "    {SIGN}!{SIGN:#} {}", printable(surprise))?;
        }
        Ok(())
    }

    /// Notes a case that did not earn what is promised for just that case.
    fn note_surprise(&mut self, record: &TrialRecord) {
        let expected = record.expected.as_ref().map(ToString::to_string).unwrap_or_default();
        if self.current.surprises.len() < MOST_CASES {
            self.current
                .surprises
                .push(format!("{} on {}, expected {expected}", record.verdict, record.case));
        }
    }

    fn note_other(&mut self, record: &TrialRecord) {
        self.current.others_in_all += 1;
        if self.current.others.len() < MOST_CASES {
            let message = record.finding.as_ref().map_or("", |finding| &finding.message);
            let flaky = flakiness(record).map_or_else(String::new, |flaky| format!("  {flaky}"));
            let is_told = record.cached && self.explain == ExplainMode::Everything;
            let cached = if is_told { " (cached)" } else { "" };
            self.current
                .others
                .push(format!("{} on {}{cached}{flaky}  {message}", record.verdict, record.case));
        }
    }

    fn write_others(&mut self) -> fmt::Result {
        for other in &self.current.others {
            writeln!(self.page, "    also {}", printable(other.trim_end()))?;
        }
        match self.current.others_in_all - self.current.others.len() {
            0 => Ok(()),
            more => writeln!(self.page, "    and on {more} more"),
        }
    }

    fn write_trouble(&mut self, trouble: &str, remedy: Option<&str>) -> fmt::Result {
        writeln!(self.page, "{}", printable(trouble))?;
        match remedy {
            Some(remedy) => writeln!(self.page, "  hint: {}", printable(remedy)),
            None => Ok(()),
        }
    }

    fn write_findings(&mut self, record: &TrialRecord) -> fmt::Result {
        let lines = record.finding.iter().chain(&record.further_findings);
        for finding in lines {
            let line = finding.unnamed_line().map_or_else(String::new, |line| format!("line {line}: "));
            writeln!(self.page, "    {SIGN}x{SIGN:#} {line}{}", printable(&finding.message))?;
        }
        if record.unlisted_findings > 0 {
            writeln!(self.page, "    and {} more", record.unlisted_findings)?;
        }
        match (record.parts_right, record.grids) {
            (Some(right), Some(grids)) if grids > 1 => {
                writeln!(self.page, "    {right} of {grids} grids right")
            }
            _ => Ok(()),
        }
    }

    fn write_text(&mut self, name: &str, text: &str) -> fmt::Result {
        if text.trim().is_empty() {
            return Ok(());
        }
        writeln!(self.page, "    {name}:")?;
        let lines: Vec<_> = text.lines().collect();
        let most = if self.explain == ExplainMode::Everything { 200 } else { 24 };
        for line in lines.iter().take(most) {
            writeln!(self.page, "{QUOTE}{}", printable(line))?;
        }
        if lines.len() > most {
            writeln!(self.page, "{QUOTE}... (lines more: {})", lines.len() - most)?;
        }
        Ok(())
    }
}

impl<W: Write> Sink for Explanations<W> {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        self.tell(event).map_err(io::Error::other)?;
        if self.page.is_empty() {
            return Ok(());
        }
        let page = fitted(std::mem::take(&mut self.page), (self.room)());
        self.target.write_all(page.as_bytes())
    }
}

/// A page for a terminal of so many columns, if it goes to one. What programs have written stays as they wrote it.
fn fitted(page: String, room: Option<usize>) -> String {
    if room.is_none() {
        return page;
    }
    let line = |line: &str| if line.starts_with(QUOTE) { line.to_owned() } else { hanging(line, room) };
    page.split_inclusive('\n').map(line).collect()
}

/// Whether a submission can earn its verdict by such a case.
fn decides(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::Accepted | Verdict::Skipped)
}
