//! Writes Markdown for a step summary or a pull request: a heading with the outcome,
//! the mistakes in problems, a table of the surprising submissions with the reasons
//! below it, and the other submissions folded away. Foreign text is put into code spans
//! and fences that it cannot break out of, so it neither formats anything nor mentions
//! anyone.

use crate::model::{Event, SubmissionSummary, Tally, Verdict};
use crate::report::screen::matrix;
use crate::report::{
    ExpectationMode, FirstItems, MistakeList, SubmissionState, SubmissionTracker,
    SuiteReport, explain,
};
use crate::text::{counted, one_line, text_or_none};

/// The most submissions explained.
const MOST_EXPLAINED: usize = 30;

/// The heads of the tables of submissions, and of mistakes.
const SUBMISSIONS: &str = "| problem | submission | verdict | expected | cases | slowest | memory \
                           | why |\n|---|---|---|---|--:|--:|--:|---|\n";
const MISTAKES: &str =
    "| problem | check | place | what | remedy |\n|---|---|---|---|---|\n";

/// Collects rows and explanations for a page.
#[derive(Default)]
pub struct Markdown {
    tracker: SubmissionTracker,
    found: MistakeList<String>,
    surprises: FirstItems<String>,
    others: FirstItems<String>,
    explained: Vec<String>,
    /// The version, sandbox, machine and time of the judging.
    setting: String,
    expectation: ExpectationMode,
}

impl Markdown {
    fn heading(&self, tally: &Tally, is_interrupted: bool) -> String {
        let judged = tally.judged();
        let submissions = counted(judged, "submission");
        let end = if is_interrupted { " (incomplete)" } else { "" };
        let mistakes = match self.found.in_words() {
            Some(mistakes) if judged == 0 => {
                return format!(
                    "## gridjudge: {mistakes}, nothing was judged{end}\n\n"
                );
            }
            Some(mistakes) => format!("{mistakes}, "),
            None => String::new(),
        };
        let expectation = self.expectation.word();
        match tally.surprising {
            0 => {
                format!(
                    "## gridjudge: {mistakes}{submissions} {expectation}{end}\n\n"
                )
            }
            surprising => format!(
                "## gridjudge: {mistakes}{surprising} of {submissions} not {expectation}{end}\n\n"
            ),
        }
    }
}

impl SuiteReport for Markdown {
    fn follow(&mut self, event: &Event) {
        use Event::*;

        self.tracker.follow(event);
        self.expectation.take_event(event);
        match event {
            SuiteStarted(start) => {
                let parts: String = [&start.machine, &start.started]
                    .into_iter()
                    .filter(|part| !part.is_empty())
                    .map(|part| format!(", {}", span(part)))
                    .collect();
                let sandbox = match &*start.sandbox {
                    "" => String::new(),
                    level => format!(", sandbox {}", span(level)),
                };
                self.setting =
                    format!("gridjudge {}{sandbox}{parts}\n", span(&start.gridjudge));
            }
            TrialFinished(record) => {
                self.tracker.take_trial(record);
            }
            MistakeFound(record) => {
                self.found.like(record).add(MOST_ROWS, || {
                    let remedy =
                        record.remedy.as_deref().map_or_else(String::new, cell);
                    let [problem, place, message] =
                        [&*record.problem, &record.place(), &record.message]
                            .map(cell);
                    let check = &record.check;
                    format!(
                        "| {problem} | {check} | {place} | {message} | {remedy} |\n"
                    )
                });
            }
            SubmissionSkipped(skip) => {
                let [problem, submission, cause] =
                    [&*skip.problem, &skip.submission, &skip.cause].map(cell);
                self.others.add(MOST_ROWS, || {
                    format!(
                        "| {problem} | {submission} | skipped |  |  |  |  | {cause} |\n"
                    )
                });
            }
            SubmissionFinished(summary) => {
                let state = self.tracker.end(summary);
                if !summary.is_surprising() {
                    self.others.add(MOST_ROWS, || row(summary));
                    return;
                }
                self.surprises.add(MOST_ROWS, || row(summary));
                if self.explained.len() < MOST_EXPLAINED {
                    self.explained.push(explanation(summary, &state));
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, tally: &Tally, is_interrupted: bool) -> String {
        let mut page = self.heading(tally, is_interrupted);
        if is_interrupted {
            page += "**Incomplete: the judging was interrupted.**\n\n";
        }
        let summary = matrix::summary(tally, self.expectation, is_interrupted);
        page += &format!("{summary}\n\n");
        // The tables of submissions may take a quarter of the page each, and those of
        // mistakes an eighth. The rest is for the explanations.
        let MistakeList { mistakes, warnings } = &self.found;
        if mistakes.in_all > 0 {
            page += "### Mistakes in problems\n\n";
            push_table(&mut page, MISTAKES, mistakes, 8);
        }
        if warnings.in_all > 0 {
            page += "<details><summary>Warnings about problems</summary>\n\n";
            push_table(&mut page, MISTAKES, warnings, 8);
            page += "</details>\n\n";
        }
        push_table(&mut page, SUBMISSIONS, &self.surprises, 4);
        for (number, text) in self.explained.iter().enumerate() {
            if page.len() + text.len() > MOST_BYTES {
                let more = self.explained.len() - number;
                page +=
                    &format!("Left out because the page is full: {more} more.\n\n");
                break;
            }
            page += text;
        }
        if self.others.in_all > 0 {
            let summary = match self.expectation {
                ExpectationMode::Expected => "As expected or skipped",
                ExpectationMode::Accepted => "Accepted or skipped",
            };
            page += &format!("<details><summary>{summary}</summary>\n\n");
            push_table(&mut page, SUBMISSIONS, &self.others, 4);
            page += "</details>\n\n";
        }
        page += &self.setting;
        format!("{}\n", page.trim_end())
    }
}

fn row(summary: &SubmissionSummary) -> String {
    let verdict = match summary.verdict {
        Some(_) if summary.faults == 0 => summary.earned_in_groups(),
        _ => "fault".to_owned(),
    };
    let expected = text_or_none(summary.expected.as_ref());
    let place = summary
        .decisive_case()
        .map_or_else(String::new, |case| format!("{} ", cell(case)));
    let [slowest, memory] = explain::most_used(summary);
    let why = if summary.reason.is_empty() {
        String::new()
    } else {
        cell(&summary.reason)
    };
    format!(
        "| {} | {} | {verdict} | {expected} | {}/{} | {slowest} | {memory} | {place}{why} |\n",
        cell(&summary.problem),
        cell(&summary.submission),
        summary.passed,
        summary.cases,
    )
}

fn explanation(summary: &SubmissionSummary, state: &SubmissionState) -> String {
    let decisive = state.rejected.decisive(summary);
    let expected = summary.expected.clone().unwrap_or_default();
    let (what, text) = match (&state.first_fault, decisive) {
        (Some((case, fault)), _) => (
            "the judge failed".to_owned(),
            one_line(&format!("the judge failed on {case}: {fault}")),
        ),
        (None, Some(record)) => {
            let what = format!("{} ({})", record.verdict, record.verdict.meaning());
            let why = state.why(record);
            let details = explain::details_of_trial(record);
            let text = if record.finding.is_some() {
                details
            } else {
                format!("{why}\n{details}")
            };
            let text = summary
                .unmet
                .iter()
                .map(|unmet| format!("{unmet}\n"))
                .collect::<String>()
                + &text;
            let is_refused = record.verdict == Verdict::CompileError;
            (
                if is_refused {
                    what
                } else {
                    format!("{what} on {}", span(&record.case))
                },
                text,
            )
        }
        (None, None) => {
            let earned = summary.earned();
            let text = format!(
                "expected {expected}, earned {earned}{}",
                summary.unmet_in_words()
            );
            (earned, text)
        }
    };
    let problem = span(&summary.problem);
    let submission = span(&summary.submission);
    format!("### {problem} {submission}: {what}\n\n{}\n", fenced(&text))
}

// A page of Markdown with its tables, within a limit, and foreign text in it.

/// The most bytes of a page: GitHub accepts 1 MiB, and other reports may share it.
const MOST_BYTES: usize = 900 << 10;

/// The most rows of a table.
const MOST_ROWS: usize = 2_000;

/// Adds a table with this head, if there are rows. It takes at most a part of the page.
fn push_table(page: &mut String, head: &str, rows: &FirstItems<String>, part: usize) {
    if rows.in_all == 0 {
        return;
    }
    *page += head;
    let end = page.len() + MOST_BYTES / part;
    let mut shown = 0;
    for row in &rows.kept {
        if page.len() >= end {
            break;
        }
        *page += row;
        shown += 1;
    }
    *page += "\n";
    if shown < rows.in_all {
        *page += &format!("Rows left out: {}.\n\n", rows.in_all - shown);
    }
}

/// A code span for a table cell, whose bars must be escaped because tables are split at
/// them first.
pub(super) fn cell(text: &str) -> String {
    span(text).replace('|', "\\|")
}

/// Foreign text as a code span that it cannot break out of.
pub(super) fn span(text: &str) -> String {
    let text = one_line(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    let needs_space =
        text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    let space = if needs_space { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Lines as a code block that they cannot break out of.
pub(super) fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", text.trim_end())
}

fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`')
        .map(str::len)
        .max()
        .unwrap_or(0)
}
