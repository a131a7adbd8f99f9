//! The matrix: a row for each submission, and a column for each verdict of its cases. Surprising
//! submissions come first.

use std::io;

use maud::{Markup, PreEscaped, html};

use crate::model::Verdict;
use crate::report::html::section;
use crate::report::html::section::{SubmissionEnd, SubmissionSection};
use crate::report::html_text;
use crate::report::submission_state::ExpectationMode;
use crate::text::{mebibytes, time};

/// Writes the matrix of these submissions row by row, because there may be a hundred thousand.
pub(super) fn write(
    entries: &[SubmissionSection],
    expectation: ExpectationMode,
    put: &mut dyn FnMut(Markup) -> io::Result<()>,
) -> io::Result<()> {
    let columns: Vec<_> = Verdict::all()
        .filter(|verdict| earned(entries, *verdict))
        .collect();
    let (surprising, others): (Vec<_>, Vec<_>) =
        entries.iter().partition(|entry| entry.is_surprising());
    put(PreEscaped("<table class=\"matrix\">".to_owned()))?;
    put(head(&columns, expectation))?;
    if !surprising.is_empty() {
        write_group(
            &format!("Not {}", expectation.word()),
            &surprising,
            &columns,
            true,
            put,
        )?;
    }
    for problem in others.chunk_by(|one, next| one.problem == next.problem) {
        write_group(
            &html_text::line(&problem[0].problem),
            problem,
            &columns,
            false,
            put,
        )?;
    }
    put(PreEscaped("</table>".to_owned()))?;
    put(html! {
        p.key { @for (number, verdict) in columns.iter().enumerate() {
            @if number > 0 { ", " }
            (verdict.code()) " " (verdict.meaning())
        } @if !columns.is_empty() { "." } }
    })
}

fn head(columns: &[Verdict], expectation: ExpectationMode) -> Markup {
    html! {
        caption { "Submissions, and how many of their cases got which verdict, with the most CPU time and memory of a case; those not " (expectation.word()) " come first" }
        thead { tr {
            th scope="col" { "Submission" }
            th scope="col" { "Expected" }
            th scope="col" { "Earned" }
            @for verdict in columns { th.n scope="col" { (verdict.code()) } }
            th.n scope="col" { "CPU time" }
            th.n scope="col" { "Memory" }
        } }
    }
}

fn earned(entries: &[SubmissionSection], verdict: Verdict) -> bool {
    entries
        .iter()
        .any(|entry| entry.counts[verdict as usize] > 0)
}

fn write_group(
    title: &str,
    entries: &[&SubmissionSection],
    columns: &[Verdict],
    names_problem: bool,
    put: &mut dyn FnMut(Markup) -> io::Result<()>,
) -> io::Result<()> {
    let width = columns.len() + 5;
    put(PreEscaped("<tbody>".to_owned()))?;
    put(html! { tr { th scope="rowgroup" colspan=(width) { (title) } } })?;
    entries
        .iter()
        .try_for_each(|entry| put(row(entry, columns, names_problem)))?;
    put(PreEscaped("</tbody>".to_owned()))
}

fn row(entry: &SubmissionSection, columns: &[Verdict], names_problem: bool) -> Markup {
    let measured = match &entry.end {
        SubmissionEnd::Finished(outcome) => {
            Some(outcome).filter(|outcome| outcome.slowest_cpu_us > 0)
        }
        _ => None,
    };
    html! {
        tr class=[entry.is_surprising().then_some("no")] {
            th scope="row" {
                @if names_problem { span.soft { bdi { (html_text::line(&entry.problem)) } } }
                a href={ "#" (entry.id()) } { bdi { (html_text::line(&entry.submission)) } }
            }
            td { @if let Some(expected) = &entry.expected { (html_text::expected(expected)) } }
            td { (end(entry)) }
            @for verdict in columns {
                @match entry.counts[*verdict as usize] {
                    0 => td.n {},
                    count => td.n data-v=(verdict.code()) { (count) },
                }
            }
            td.n { @if let Some(outcome) = measured { (time(outcome.slowest_cpu_us)) } }
            td.n { @if let Some(outcome) = measured { (mebibytes(outcome.peak_memory_bytes)) } }
        }
        "\n"
    }
}

fn end(entry: &SubmissionSection) -> Markup {
    match &entry.end {
        SubmissionEnd::Finished(outcome) => html! {
            (section::earned(outcome))
            @if outcome.flaky > 0 { " flaky" }
        },
        SubmissionEnd::Skipped { .. } => html_text::word("skipped", false),
        SubmissionEnd::Open => html_text::word("unfinished", false),
    }
}
