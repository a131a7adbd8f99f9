//! The matrix: a row for each submission, a column for each verdict that its cases earned. What surprises stands first.

use maud::Markup;
use maud::html;

use crate::model::Verdict;
use crate::report::html::entry;
use crate::report::html::entry::End;
use crate::report::html::entry::Entry;
use crate::report::html::text;
use crate::report::html::verdict;
use crate::report::mebibytes;
use crate::report::time;

/// The matrix of these submissions.
pub(super) fn matrix(entries: &[Entry]) -> Markup {
    let columns: Vec<_> = Verdict::all().filter(|verdict| earned(entries, *verdict)).collect();
    let width = columns.len() + 5;
    let (surprising, others): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| entry.is_surprising());
    html! {
        table.matrix {
            caption { "Submissions, and how many of their cases earned which verdict, with the most CPU time and memory of a case; what is not as expected stands first" }
            thead { tr {
                th scope="col" { "Submission" }
                th scope="col" { "Promised" }
                th scope="col" { "Earned" }
                @for verdict in &columns { th.n scope="col" { (verdict.code()) } }
                th.n scope="col" { "CPU time" }
                th.n scope="col" { "Memory" }
            } }
            @if !surprising.is_empty() {
                (group("Not as expected", width, &surprising, &columns, true))
            }
            @for problem in others.chunk_by(|one, next| one.problem == next.problem) {
                (group(&text::line(&problem[0].problem), width, problem, &columns, false))
            }
        }
        p.key { @for (number, verdict) in columns.iter().enumerate() {
            @if number > 0 { ", " }
            (verdict.code()) " " (verdict.meaning())
        } @if !columns.is_empty() { "." } }
    }
}

fn earned(entries: &[Entry], verdict: Verdict) -> bool {
    entries.iter().any(|entry| entry.counts[verdict as usize] > 0)
}

fn group(title: &str, width: usize, entries: &[&Entry], columns: &[Verdict], names_problem: bool) -> Markup {
    html! {
        tbody {
            tr { th scope="rowgroup" colspan=(width) { (title) } }
            @for entry in entries { (row(entry, columns, names_problem)) "\n" }
        }
    }
}

fn row(entry: &Entry, columns: &[Verdict], names_problem: bool) -> Markup {
    let summary = match &entry.end {
        End::Finished(summary) => Some(summary).filter(|summary| summary.slowest_cpu_us > 0),
        _ => None,
    };
    html! {
        tr class=[entry.is_surprising().then_some("no")] {
            th scope="row" {
                @if names_problem { span.soft { bdi { (text::line(&entry.problem)) } } }
                a href={ "#" (entry.id()) } { bdi { (text::line(&entry.submission)) } }
            }
            td { @if let Some(expected) = &entry.expected { (verdict::promise(expected)) } }
            td { (end(entry)) }
            @for verdict in columns {
                @match entry.counts[*verdict as usize] {
                    0 => td.n {},
                    count => td.n data-v=(verdict.code()) { (count) },
                }
            }
            td.n { @if let Some(summary) = summary { (time(summary.slowest_cpu_us)) } }
            td.n { @if let Some(summary) = summary { (mebibytes(summary.peak_memory_bytes)) } }
        }
    }
}

fn end(entry: &Entry) -> Markup {
    match &entry.end {
        End::Finished(summary) => html! {
            (entry::earned(summary))
            @if summary.flaky > 0 { " flaky" }
        },
        End::Skipped { .. } => verdict::word("skipped", false),
        End::Open => verdict::word("unfinished", false),
    }
}
