//! Why: for each submission that is not accepted, the case that decided and what is wrong with its output.

use std::collections::HashSet;
use std::io;
use std::io::Write;
use std::sync::Arc;

use anstyle::AnsiColor;
use anstyle::Style;

use crate::model::Event;
use crate::model::SubmissionSummary;
use crate::model::TrialRecord;
use crate::model::Verdict;
use crate::report::Sink;

const HEADING: Style = Style::new().bold();
const SIGN: Style = AnsiColor::Red.on_default();

/// Which submissions are explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explain {
    /// Those that did not earn what was expected of them.
    Surprises,
    /// All that were not accepted, with all their findings.
    Everything,
}

/// Writes why submissions were not accepted, as soon as that is known.
pub struct Reasons<W> {
    target: W,
    explain: Explain,
    /// The record that decided the submission under way, until it is known whether it is wanted.
    decisive: Option<Box<TrialRecord>>,
    /// Problems of the judge that have been told, so that a broken machine does not fill the screen.
    told_faults: HashSet<Arc<str>>,
}

impl<W: Write> Reasons<W> {
    /// Reasons that go to `target`.
    pub fn new(target: W, explain: Explain) -> Self {
        Self { target, explain, decisive: None, told_faults: HashSet::new() }
    }

    fn explain(&mut self, summary: &SubmissionSummary) -> io::Result<()> {
        let Some(record) = self.decisive.take() else { return Ok(()) };
        if self.explain == Explain::Surprises && summary.is_as_expected() {
            return Ok(());
        }
        let TrialRecord { problem, submission, case, verdict, .. } = &*record;
        let place = if *verdict == Verdict::CompileError { String::new() } else { format!(" on {case}") };
        let meaning = verdict.meaning();
        writeln!(self.target, "{HEADING}{problem} {submission}: {verdict} ({meaning}){place}{HEADING:#}")?;
        if record.finding.is_none() {
            writeln!(self.target, "    {}", printable(&summary.reason))?;
        }
        self.write_findings(&record)?;
        self.write_text("diff (- expected, + found)", record.diff.as_deref().unwrap_or(""))?;
        let source = if *verdict == Verdict::CompileError { "compiler" } else { "standard error" };
        self.write_text(source, &record.stderr)?;
        writeln!(self.target)
    }

    fn write_findings(&mut self, record: &TrialRecord) -> io::Result<()> {
        let lines = record.finding.iter().chain(&record.further_findings);
        for finding in lines {
            let line = finding.line.map_or_else(String::new, |line| format!("line {line}: "));
            writeln!(self.target, "    {SIGN}x{SIGN:#} {line}{}", printable(&finding.message))?;
        }
        if record.unlisted_findings > 0 {
            writeln!(self.target, "    and {} more", record.unlisted_findings)?;
        }
        match (record.grids_right, record.grids) {
            (Some(right), Some(grids)) if grids > 1 => {
                writeln!(self.target, "    {right} of {grids} grids right")
            }
            _ => Ok(()),
        }
    }

    fn write_text(&mut self, name: &str, text: &str) -> io::Result<()> {
        if text.trim().is_empty() {
            return Ok(());
        }
        writeln!(self.target, "    {name}:")?;
        let lines: Vec<_> = text.lines().collect();
        let most = if self.explain == Explain::Everything { 200 } else { 24 };
        for line in lines.iter().take(most) {
            writeln!(self.target, "    | {}", printable(line))?;
        }
        if lines.len() > most {
            writeln!(self.target, "    | ... ({} lines more)", lines.len() - most)?;
        }
        Ok(())
    }
}

impl<W: Write> Sink for Reasons<W> {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::SubmissionStarted { .. } => self.decisive = None,
            Event::TrialFinished(record)
                if self.decisive.is_none()
                    && !matches!(record.verdict, Verdict::Accepted | Verdict::Skipped) =>
            {
                self.decisive = Some(record.clone());
            }
            Event::TrialFaulted { problem, submission, case, fault } => {
                let name: Arc<str> = format!("{problem} {submission} {fault}").into();
                if self.told_faults.insert(name) {
                    let case = case.as_ref().map_or_else(String::new, |case| format!(" on {case}"));
                    writeln!(
                        self.target,
                        "{problem} {submission}{case}: the judge failed: {}",
                        printable(&fault.to_string())
                    )?;
                    if let Some(remedy) = &fault.remedy {
                        writeln!(self.target, "  hint: {remedy}")?;
                    }
                }
            }
            Event::SubmissionSkipped { problem, submission, cause, remedy, .. } => {
                writeln!(self.target, "{problem} {submission}: skipped: {cause}\n  hint: {remedy}")?;
            }
            Event::SubmissionFinished(summary) => self.explain(summary)?,
            _ => {}
        }
        Ok(())
    }
}

/// Foreign text with everything escaped that could move a terminal's cursor or turn its text around.
fn printable(text: &str) -> String {
    let is_plain = |letter: char| {
        !letter.is_control()
            && !matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().fold(String::new(), |mut shown, letter| {
        match letter {
            '\t' => shown.push_str("    "),
            letter if is_plain(letter) => shown.push(letter),
            letter => shown.extend(letter.escape_default()),
        }
        shown
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_cannot_reach_the_terminal() {
        assert_eq!(printable("a\x1b[2Jb\u{202e}\t\u{e9}\r"), "a\\u{1b}[2Jb\\u{202e}    \u{e9}\\r");
    }
}
