//! Explains the verdict of a case: the findings, the drawn grid, what was expected and found, and
//! what the program printed.

use gridjudge_sandbox::Fault;
use maud::{Markup, html};

use crate::model::{BreachFigures, Finding, LoggedLimits, Transcript, TrialRecord, Verdict};
use crate::report::html::grid_drawing::GridDrawing;
use crate::report::html::{checker_images, svg};
use crate::report::{TextExcerpt, explain, html_text};
use crate::text::{mebibytes, time};

/// The most findings shown without a click.
const OPEN_FINDINGS: usize = 6;

/// The explanation of one case: a head that is always shown, and a body if the page has room for
/// it.
pub(crate) struct CaseExplanation {
    anchor: String,
    pub(super) head: String,
    pub(super) body: Option<String>,
}

impl CaseExplanation {
    pub(super) fn of(
        record: &TrialRecord,
        limits: Option<&LoggedLimits>,
        anchor: String,
        has_room: bool,
    ) -> Self {
        let head = html! {
            header { h5 {
                (html_text::label(record.verdict, !record.is_as_expected()))
                @match record.verdict {
                    Verdict::CompileError => "What the compiler said",
                    _ => bdi { (html_text::line(&record.case)) },
                }
            } }
        };
        Self {
            anchor,
            head: head.0,
            body: has_room.then(|| body(record, limits).0),
        }
    }

    /// The explanation of a trial on a page of another kind.
    pub(crate) fn alone(record: &TrialRecord) -> Markup {
        Self::of(record, None, String::new(), true).render()
    }

    pub(super) fn of_fault(case: &str, fault: &Fault, anchor: String) -> Self {
        let head = html! {
            header { h5 { (html_text::word("fault", true)) bdi { (html_text::line(case)) } } }
        };
        let body = html! {
            p { "The judge itself failed; this says nothing about the submission." }
            ul.findings { li { (html_text::line(&fault.to_string())) } }
            @if let Some(remedy) = &fault.remedy {
                p { "What to do: " (html_text::sentence(remedy, 200)) }
            }
        };
        Self {
            anchor,
            head: head.0,
            body: Some(body.0),
        }
    }

    pub(super) fn render(&self) -> Markup {
        html! {
            article id=(self.anchor) {
                (maud::PreEscaped(&self.head))
                @match &self.body {
                    Some(body) => (maud::PreEscaped(body)),
                    None => p.soft { "Left out here, because the page would grow too large. The log has it all." },
                }
            }
        }
    }
}

fn body(record: &TrialRecord, limits: Option<&LoggedLimits>) -> Markup {
    let findings: Vec<_> = record
        .finding
        .iter()
        .chain(&record.further_findings)
        .collect();
    let drawing = record
        .picture
        .as_ref()
        .map(|picture| GridDrawing::of(picture, &findings));
    html! {
        div.why {
            @match &drawing {
                Some(Some(drawing)) => (svg::figure(drawing)),
                Some(None) => p.soft { "The grid of the log contradicts itself, so it is not drawn." },
                None => {}
            }
            (checker_images::figures(&record.checker_images))
            div {
                (conduct(record, limits))
                (list(&findings, record.unlisted_findings))
                (checker_images::left_out(&record.checker_images))
                @if let (Some(right), Some(grids)) = (record.parts_right, record.grids) && grids > 1 {
                    p { (right) " of " (grids) " grids are right." }
                }
                (attempts(record))
                @if let Some(diff) = &record.diff { (difference(diff)) }
                @if let Some(transcript) = &record.transcript { (talk(transcript)) }
                (said(record))
            }
        }
    }
}

/// How the run ended, if that decided the verdict.
fn conduct(record: &TrialRecord, limits: Option<&LoggedLimits>) -> Markup {
    html! {
        @if record.verdict == Verdict::CompileError {
            ul.findings { li { (explain::why(record, limits)) } }
        } @else if record.finding.is_none() {
            ul.findings { li {
                (record.verdict.meaning())
                @if let Some(reason) = BreachFigures::from(record).reason(limits) { ": " (reason) }
            } }
        }
        @if record.rerun { p { "Run again, alone; this is the run that counts." } }
    }
}

fn list(findings: &[&Finding], unlisted: u64) -> Markup {
    // A few more findings are not worth a click.
    let shown = if findings.len() > OPEN_FINDINGS + 2 {
        OPEN_FINDINGS
    } else {
        findings.len()
    };
    html! {
        @if !findings.is_empty() {
            ul.findings { @for finding in &findings[..shown] { (item(finding)) } }
            @if findings.len() > shown {
                details.more {
                    summary { (findings.len() - shown) " further findings" }
                    ul.findings { @for finding in &findings[shown..] { (item(finding)) } }
                }
            }
            @if unlisted > 0 {
                p.soft { "and " (unlisted) " more, which are not listed" }
            }
        }
    }
}

fn item(finding: &Finding) -> Markup {
    html! {
        li {
            (html_text::line(&finding.message))
            @if let Some(line) = finding.unnamed_line() {
                " " span.soft { "(line " (line) ")" }
            }
        }
    }
}

fn attempts(record: &TrialRecord) -> Markup {
    html! {
        @if record.is_flaky() {
            p { "It is flaky: its attempts earned different verdicts." }
            table {
                caption { "Attempts" }
                thead { tr {
                    th scope="col" { "Attempt" }
                    th scope="col" { "Verdict" }
                    th scope="col" { "CPU time" }
                    th scope="col" { "Memory" }
                } }
                tbody {
                    @for (number, attempt) in record.attempts.iter().take(20).enumerate() {
                        tr {
                            th scope="row" { (number + 1) }
                            td { (html_text::label(attempt.verdict, false)) }
                            td { (time(attempt.cpu_us)) }
                            td { (mebibytes(attempt.peak_memory_bytes)) }
                        }
                    }
                }
            }
        }
    }
}

fn difference(diff: &str) -> Markup {
    let TextExcerpt { lines, left_out } = html_text::head(diff);
    html! {
        div.excerpt {
            p { "Expected (\u{2212}) and found (+)" }
            pre tabindex="0" {
                @for line in &lines {
                    @match line.as_bytes().first() {
                        Some(b'-') => del { (line) },
                        Some(b'+') => ins { (line) },
                        _ => (line),
                    }
                    "\n"
                }
            }
            @if left_out > 0 { p { (left_out) " lines more" } }
        }
    }
}

fn talk(transcript: &Transcript) -> Markup {
    html! {
        div.excerpt {
            p { "Talk (> submission, < interactor)" }
            pre tabindex="0" { @for line in explain::talk(transcript) { (line) "\n" } }
        }
    }
}

/// The end of the program's standard error, or the start of the compiler's output.
fn said(record: &TrialRecord) -> Markup {
    let is_compiler = record.verdict == Verdict::CompileError;
    let TextExcerpt { lines, left_out } = if is_compiler {
        html_text::head(&record.stderr)
    } else {
        html_text::tail(&record.stderr)
    };
    html! {
        @if lines.iter().any(|line| !line.trim().is_empty()) {
            div.excerpt {
                p {
                    @if is_compiler { "Compiler" } @else { "Standard error" }
                    @if left_out > 0 && !is_compiler { ", without its first " (left_out) " lines" }
                }
                pre tabindex="0" { @for line in &lines { (line) "\n" } }
                @if left_out > 0 && is_compiler { p { (left_out) " lines more" } }
            }
        }
    }
}
