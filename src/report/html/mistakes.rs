//! The sections of the mistakes in problems, and of the warnings about them.

use maud::{Markup, html};

use crate::model::MistakeRecord;
use crate::report::html::text;
use crate::report::mistakes::MistakeList;

/// The most mistakes that are shown, and the most warnings.
pub(super) const MOST_SHOWN: usize = 200;

/// The most characters of what is told of a mistake.
const WIDEST: usize = 400;

/// What a warning is about.
const ALLOWED: &str = "What is allowed in problems, but hardly intended";

/// Approximate number of bytes of a row.
const ROW: usize = 500;

/// Approximate number of bytes of the sections.
pub(super) fn weight(found: &MistakeList) -> usize {
    ROW * (found.mistakes.len() + found.warnings.len())
}

/// The sections; empty without mistakes and warnings.
pub(super) fn sections(found: &MistakeList) -> Markup {
    html! {
        (section("Mistakes in problems", "What is wrong in problems", &found.mistakes, found.mistakes_in_all))
        (section("Warnings about problems", ALLOWED, &found.warnings, found.warnings_in_all))
    }
}

fn section(heading: &str, caption: &str, shown: &[MistakeRecord], in_all: usize) -> Markup {
    html! {
        @if !shown.is_empty() {
            h2 { (heading) }
            table.mistakes {
                caption { (caption) ", and which check found it" }
                thead { tr {
                    th scope="col" { "Problem" }
                    th scope="col" { "Place" }
                    th scope="col" { "What" }
                    th scope="col" { "Check" }
                } }
                tbody { @for record in shown { (row(record)) } }
            }
            @if in_all > shown.len() { p.soft { (in_all - shown.len()) " more are only in the log." } }
        }
    }
}

fn row(record: &MistakeRecord) -> Markup {
    html! {
        tr {
            th scope="row" { bdi { (text::line(&record.problem)) } }
            td { bdi.file { (text::line(&record.place())) } }
            td {
                (text::cut(&record.message, WIDEST))
                @if let Some(remedy) = &record.remedy { div.soft { "remedy: " (text::line(remedy)) } }
            }
            td { (record.check.name().replace('_', " ")) }
        }
    }
}
