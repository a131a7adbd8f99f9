//! Explains, for each submission that is not accepted, the case that decided and what
//! is wrong with its output. Of a contest, which may have a thousand of them, it
//! chooses the few that say most: of each verdict one, and first one that names a cell
//! of a grid.

use std::collections::BTreeMap;
use std::{io, mem};

use anstyle::{AnsiColor, Style};

use crate::model::{Event, SubmissionSummary, Tally, TrialRecord, Verdict};
use crate::report::{
    FirstItems, RejectedTrials, SuiteReport, Verbosity, explain, heading,
};
use crate::text::{counted, hanging, printable, shortened, text_or_none};

const SIGN: Style = AnsiColor::Red.on_default();

/// Precedes each line that a program has written.
const QUOTE: &str = "    | ";

/// Precedes what a program that was not refused has written to standard error.
const STDERR_HEADING: &str = "    standard error:";

/// The most letters of a quoted line, which a program may have made as long as it
/// liked.
const LONGEST_LINE: usize = 1000;

/// The most cases listed of a submission that fails on many.
const MOST_CASES: usize = 20;

/// Says why submissions were not accepted, as soon as it is known.
pub struct Explanations {
    /// Returns the columns of the terminal that is written to, if it is one. Called for
    /// each text.
    room: fn() -> Option<usize>,
    /// The text for the current event, to be written at once.
    page: String,
    /// Whether all submissions that were not accepted are explained, with all their
    /// findings, and not only those without the expected result.
    shows_all: bool,
    current: ExplainedSubmission,
    /// In a contest, what is shown of the rejected submissions at the end, if not all
    /// are explained.
    telling: Option<TellingReasons>,
}

/// The explanation of the current submission, as far as it is known.
#[derive(Default)]
struct ExplainedSubmission {
    /// The trials that were not accepted, until it is known which one is shown.
    rejected: RejectedTrials,
    /// Further cases that were not accepted, each with a line, at most [`MOST_CASES`].
    others: FirstItems<(String, String)>,
    /// Cases that did not get the verdict expected for them, at most [`MOST_CASES`].
    surprises: Vec<String>,
    /// Whether a fault has been shown: a broken machine must not fill the screen.
    fault_shown: bool,
}

impl Explanations {
    /// Explanations for a screen. Sentences are wrapped to the width that `room`
    /// returns, which is `None` if it is not a terminal.
    pub fn new(verbosity: Verbosity, room: fn() -> Option<usize>) -> Self {
        Self {
            room,
            page: String::new(),
            shows_all: verbosity == Verbosity::Verbose,
            current: ExplainedSubmission::default(),
            telling: None,
        }
    }

    /// Handles an event, and puts the text for it on the page.
    fn handle(&mut self, event: &Event) {
        use Event::*;

        match event {
            SuiteStarted(start) => {
                let is_brief = start.contest.is_some() && !self.shows_all;
                self.telling = is_brief.then(TellingReasons::default);
            }
            SubmissionStarted(start) => {
                self.current = ExplainedSubmission {
                    rejected: RejectedTrials::new(start.decided_by_groups),
                    ..ExplainedSubmission::default()
                };
            }
            TrialFinished(record) => {
                let is_surprise = !record.is_as_expected();
                if is_surprise && self.current.surprises.len() < MOST_CASES {
                    let expected = text_or_none(record.expected.as_ref());
                    self.current.surprises.push(format!(
                        "{} on {}, expected {expected}",
                        record.verdict, record.case
                    ));
                }
                if decides(record.verdict) {
                    let is_other = self.current.rejected.first().is_some();
                    if self.current.rejected.decided_by_groups
                        || is_other && !is_surprise
                    {
                        self.note_other(record);
                    }
                    self.current.rejected.add(record);
                }
            }
            TrialFaulted(failed) if !self.current.fault_shown => {
                self.current.fault_shown = true;
                let fault = &failed.fault;
                let trouble = format!(
                    "{} {} on {}: the judge failed: {fault}",
                    failed.problem, failed.submission, failed.case
                );
                self.page += &format!("{}\n", printable(&trouble));
                if let Some(remedy) = &fault.remedy {
                    self.page += &format!("  hint: {}\n", printable(remedy));
                }
            }
            SubmissionFinished(summary) => {
                let names_cell = self.explain(summary);
                if let (Some(telling), Some(verdict)) =
                    (&mut self.telling, summary.verdict)
                    && !self.page.is_empty()
                {
                    telling.add(verdict, names_cell, &mem::take(&mut self.page));
                }
            }
            _ => {}
        }
    }

    /// Explains a submission if it is to be. Returns whether a cell of a grid is named.
    fn explain(&mut self, summary: &SubmissionSummary) -> bool {
        if !self.shows_all && summary.is_as_expected() {
            return false;
        }
        let rejected = mem::take(&mut self.current.rejected);
        let Some(record) = rejected.decisive(summary) else {
            self.explain_without_case(summary);
            return false;
        };
        self.write_heading(record, summary);
        self.write_surprises();
        for finding in record.findings() {
            let line = finding
                .unnamed_line()
                .map_or_else(String::new, |line| format!("line {line}: "));
            let message = printable(&finding.message);
            self.page += &format!("    {SIGN}x{SIGN:#} {line}{message}\n");
        }
        if record.unlisted_findings > 0 {
            self.page += &format!("    and {} more\n", record.unlisted_findings);
        }
        if let Some(grids) = explain::right_grids(record) {
            self.page += &format!("    {grids} right\n");
        }
        self.write_text(
            "diff (- expected, + found)",
            record.diff.as_deref().unwrap_or(""),
            false,
        );
        // The first error of a compiler matters. A crash is named by the first line in
        // Java, and by the last in Python.
        let has_end = record.verdict != Verdict::CompileError;
        self.write_text(explain::name_of_stderr(record), &record.stderr, has_end);
        self.write_others(Some(&record.case));
        self.page.push('\n');
        record
            .finding
            .as_ref()
            .is_some_and(|finding| finding.row.is_some())
    }

    /// What a submission got, and where and why.
    fn write_heading(&mut self, record: &TrialRecord, summary: &SubmissionSummary) {
        let TrialRecord {
            problem,
            submission,
            verdict,
            ..
        } = record;
        let place = explain::on_case(record);
        let named = match summary.entrant {
            // The names of submissions in a contest contain the problem.
            Some(_) => submission.to_string(),
            None => format!("{problem} {submission}"),
        };
        let earned = format!("{verdict} ({})", verdict.meaning());
        self.page += &heading(&format!("{named}: {earned}{place}"));
        if let Some(flaky) = explain::flakiness(record) {
            self.page += &format!("    {flaky}\n");
        }
        if record.finding.is_none() {
            self.page += &format!("    {}\n", printable(&summary.reason));
        }
        self.write_groups(summary);
        if record.rerun && self.shows_all {
            self.page += "    run again, alone; this is the run that counts\n";
        }
        if record.cached && self.shows_all {
            self.page += "    from the cache: not run now; judged earlier under the same conditions\n";
        }
    }

    fn write_groups(&mut self, summary: &SubmissionSummary) {
        if let Some(groups) = summary.points_by_group() {
            self.page += &format!("    points: {}\n", printable(&groups));
        }
    }

    /// Explains a submission whose verdict no single case decided: one that was
    /// accepted, although another verdict was expected for a case or a case cost
    /// points, or one that a grader rejected.
    fn explain_without_case(&mut self, summary: &SubmissionSummary) {
        let has_surprises = !self.current.surprises.is_empty();
        let is_rejected =
            summary.verdict.is_some_and(decides) && summary.worst_case.is_none();
        if !has_surprises && self.current.others.in_all == 0 && !is_rejected {
            return;
        }
        let problem = &summary.problem;
        let submission = &summary.submission;
        let what = if has_surprises {
            "not as expected for single cases".to_owned()
        } else {
            summary.earned()
        };
        self.page += &heading(&format!("{problem} {submission}: {what}"));
        if is_rejected {
            self.page += &format!("    {}\n", printable(&summary.reason));
        }
        self.write_groups(summary);
        self.write_surprises();
        self.write_others(None);
        self.page.push('\n');
    }

    fn write_surprises(&mut self) {
        for surprise in &self.current.surprises {
            self.page += &format!("    {SIGN}!{SIGN:#} {}\n", printable(surprise));
        }
    }

    fn note_other(&mut self, record: &TrialRecord) {
        self.current.others.add(MOST_CASES, || {
            let message = record
                .finding
                .as_ref()
                .map_or("", |finding| &finding.message);
            let flaky = explain::flakiness(record)
                .map_or_else(String::new, |flaky| format!("  {flaky}"));
            let is_shown = record.cached && self.shows_all;
            let cached = if is_shown { " (cached)" } else { "" };
            let line = format!(
                "{} on {}{cached}{flaky}  {message}",
                record.verdict, record.case
            );
            (record.case.clone(), line)
        });
    }

    /// Lists the cases that were not accepted, beside the one that is shown already.
    fn write_others(&mut self, shown: Option<&str>) {
        let also = if shown.is_some() { "also " } else { "" };
        for (_, other) in self
            .current
            .others
            .kept
            .iter()
            .filter(|(case, _)| shown != Some(case))
        {
            self.page += &format!("    {also}{}\n", printable(other.trim_end()));
        }
        match self.current.others.left_out() {
            0 => {}
            more => self.page += &format!("    and on {more} more\n"),
        }
    }

    /// Writes the first lines of a text, or some of the first and the last.
    fn write_text(&mut self, name: &str, text: &str, has_end: bool) {
        if text.trim().is_empty() {
            return;
        }
        self.page += &format!("    {name}:\n");
        let most = if self.shows_all { 200 } else { 24 };
        let first = if has_end { most / 4 } else { most };
        let left_out = text.lines().count().saturating_sub(most);
        for (number, line) in text.lines().enumerate() {
            if number == first && left_out > 0 {
                let left_out = counted(left_out, "line");
                self.page += &format!("{QUOTE}... ({left_out} left out)\n");
            }
            if !(first..first + left_out).contains(&number) {
                let line = shortened(line, LONGEST_LINE);
                self.page += &format!("{QUOTE}{}\n", printable(&line));
            }
        }
    }
}

impl SuiteReport for Explanations {
    fn take_event(&mut self, event: &Event) -> io::Result<String> {
        self.handle(event);
        Ok(fitted(&mem::take(&mut self.page), self.room))
    }

    fn text(&mut self, _: &Tally, _: bool) -> String {
        let telling = self.telling.take().map(|telling| telling.text());
        fitted(&telling.unwrap_or_default(), self.room)
    }
}

/// Wraps a page to the width of a terminal, if there is one. Lines that programs have
/// written are not wrapped.
fn fitted(page: &str, room: fn() -> Option<usize>) -> String {
    if page.is_empty() {
        return String::new();
    }
    let room = room();
    page.split_inclusive('\n')
        .map(|line| {
            if line.starts_with(QUOTE) {
                line.to_owned()
            } else {
                hanging(line, room)
            }
        })
        .collect()
}

/// Whether a case with this verdict can decide the verdict of its submission.
fn decides(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::Accepted | Verdict::Skipped)
}

/// How many explanations are shown.
const MOST: usize = 3;

/// The most lines of an explanation, with its heading.
const MOST_LINES: usize = 5;

/// The explanations that may be shown at the end.
#[derive(Default)]
struct TellingReasons {
    /// An explanation of each verdict, and whether it names a cell.
    pages: BTreeMap<Verdict, (bool, String)>,
    all: usize,
}

impl TellingReasons {
    /// Adds the explanation of a submission. `names_cell` says whether it names a cell
    /// of a grid.
    fn add(&mut self, verdict: Verdict, names_cell: bool, page: &str) {
        self.all += 1;
        let known = self.pages.get(&verdict);
        if known.is_none_or(|(known_names_cell, _)| names_cell && !known_names_cell) {
            self.pages.insert(verdict, (names_cell, beginning(page)));
        }
    }

    /// What is shown, with an empty line after each explanation.
    fn text(&self) -> String {
        let shown: String = self
            .pages
            .values()
            .take(MOST)
            .map(|(_, page)| format!("{page}\n"))
            .collect();
        match self.all - MOST.min(self.pages.len()) {
            0 => shown,
            more => format!("{shown}{more} more rejected; `-v` explains each\n\n"),
        }
    }
}

/// The first lines of an explanation and, as a traceback ends with what happened, the
/// last line of a crashed program. A sign stands where lines are left out, and never for
/// a single one.
fn beginning(page: &str) -> String {
    const LEFT_OUT: &str = "    ...";
    let lines: Vec<_> = page.trim_end().lines().collect();
    let (first, rest) = lines.split_at(lines.len().min(MOST_LINES));
    // Nothing that is quoted follows what is on standard error.
    let has_crashed = lines.contains(&STDERR_HEADING);
    let last = rest
        .iter()
        .rfind(|line| has_crashed && line.starts_with(QUOTE))
        .copied();
    let mut shown = first.to_vec();
    match rest {
        [] => {}
        [only] => shown.push(only),
        [next, ..] if last == Some(*next) => shown.extend([*next, LEFT_OUT]),
        _ => {
            shown.push(LEFT_OUT);
            shown.extend(last);
        }
    }
    shown.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_each_verdict_is_shown_and_first_one_that_names_a_cell() {
        let mut reasons = TellingReasons::default();
        assert_eq!(reasons.text(), "");
        let long = "WA\n    1\n    2\n    3\n    4\n    5\n    6\n\n";
        reasons.add(Verdict::CompileError, false, "CE\n");
        reasons.add(Verdict::TimeLimit, false, "TLE\n");
        reasons.add(Verdict::WrongAnswer, false, "WA without a cell\n");
        reasons.add(Verdict::WrongAnswer, true, long);
        reasons.add(Verdict::WrongAnswer, true, "WA that came later\n");
        reasons.add(Verdict::RuntimeError, false, "RE\n");
        assert_eq!(
            reasons.text(),
            "WA\n    1\n    2\n    3\n    4\n    ...\n\nTLE\n\nRE\n\n3 more rejected; `-v` explains each\n\n"
        );
    }

    #[test]
    fn a_shortened_explanation_keeps_a_line_alone_and_the_end_of_what_a_program_wrote()
     {
        for (page, expected) in [
            ("1\n2\n3\n4\n5\n6\n\n", "1\n2\n3\n4\n5\n6\n"),
            (
                "RE\n    standard error:\n    | Traceback\n    | a\n    | b\n    | c\n    | \
                 ValueError\n    also RE on 2\n",
                "RE\n    standard error:\n    | Traceback\n    | a\n    | b\n    ...\n    | ValueError\n",
            ),
            (
                "RE\n2\n    standard error:\n    | a\n    | b\n    | ValueError\n    also RE on 2\n",
                "RE\n2\n    standard error:\n    | a\n    | b\n    | ValueError\n    ...\n",
            ),
            (
                "WA\n    diff:\n    | 1\n    | 2\n    | 3\n    | 4\n    | 5\n",
                "WA\n    diff:\n    | 1\n    | 2\n    | 3\n    ...\n",
            ),
        ] {
            assert_eq!(beginning(page), expected);
        }
    }
}
