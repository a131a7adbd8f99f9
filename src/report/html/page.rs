//! The page around the matrix and the submissions: what was judged, when, where,
//! and with what result.

use std::collections::BTreeSet;
use std::sync::Arc;

use maud::{Markup, PreEscaped, html};

use crate::model::{Contest, MistakeRecord, SuiteStart, Tally};
use crate::report::html::{CaseOutcomes, SubmissionSection, matrix};
use crate::report::{
    ExpectationMode, FirstItems, MistakeList, cut_sentence, html_line, html_text,
    isolated_line, readable_time,
};
use crate::text::{JoinedTexts, counted};

/// The start of every page.
pub const START: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta \
                         charset=\"utf-8\"/>\n<meta name=\"generator\" content=\"gridjudge";

/// The style beyond that of all pages.
pub(crate) const STYLE: &str = include_str!("style.css");

/// What the page is about.
#[derive(Default)]
pub(super) struct SuiteResults {
    pub(super) opening: SuiteStart,
    pub(super) expectation: ExpectationMode,
    pub(super) mistakes: MistakeList<MistakeRecord>,
    pub(super) outcomes: CaseOutcomes,
    pub(super) entries: Vec<SubmissionSection>,
    pub(super) left_out: LeftOut,
    pub(super) tally: Tally,
    pub(super) interrupted: bool,
}

/// The whole page.
pub(super) fn page(results: &SuiteResults) -> Markup {
    let SuiteResults {
        opening,
        mistakes,
        entries,
        expectation,
        ..
    } = results;
    let contest = opening.contest.as_ref();
    let subject =
        contest.map_or_else(|| subject(results), |contest| html_line(&contest.name));
    let noun = contest.map_or("team", Contest::entrant_noun);
    let main = html! {
        "\n"
        (section("Mistakes in problems", "What is wrong in problems", &mistakes.mistakes))
        (section("Warnings about problems", ALLOWED, &mistakes.warnings))
        (results.outcomes.section(noun))
        @if !entries.is_empty() {
            h2 { "Verdicts" }
            (results.left_out.notice(expectation.word()))
            (matrix(entries, noun, *expectation))
            h2 { "Submissions" }
        }
        @for problem in entries.chunk_by(|one, next| one.start.problem == next.start.problem) {
            h3 { (isolated_line(&problem[0].start.problem)) }
            @for entry in problem { (entry.render()) }
        }
    };
    // The classes for the lengths of bars: they take less space in a row than a style
    // attribute.
    let bars: String = (1..=100)
        .map(|percent| format!(".u{percent}{{--u:{percent}%}}"))
        .collect();
    framed(
        &format!(" {}", html_line(&opening.gridjudge)),
        &format!("gridjudge: {subject}: {}", verdict(results)),
        &bars,
        &header(&subject, results),
        &html! { main { (main) } "\n" },
        " Times are CPU times of all processes of a run, unless they are called wall time.",
    )
}

/// A page of its own beside a report, with this title; `under_title` follows it in the
/// head.
pub(crate) fn small_page(title: &str, under_title: &Markup, main: &Markup) -> Markup {
    let header = html! { h1 { bdi { (title) } } (under_title) };
    framed("", title, "", &header, &html! { main { (main) } }, "")
}

/// What the pages of submissions have in common. A version follows a space; `style` is
/// that of this page beyond those of all, and `remark` what else the footer says.
fn framed(
    version: &str,
    title: &str,
    style: &str,
    header: &Markup,
    main: &Markup,
    remark: &str,
) -> Markup {
    html! {
        (PreEscaped(START))
        (version)
        (PreEscaped("\"/>"))
        (PreEscaped(html_text::META))
        title { (title) }
        style {
            (PreEscaped(html_text::STYLE))
            (PreEscaped(STYLE))
            (style)
        }
        (PreEscaped("</head>\n<body>\n"))
        header {
            p.brand { "gridjudge report" }
            (header)
        }
        (main)
        footer { p {
            "Made by gridjudge from its log. This page contains no scripts and loads nothing."
            (remark)
        } }
        (PreEscaped("</body>\n</html>\n"))
    }
}

fn header(subject: &str, results: &SuiteResults) -> Markup {
    let SuiteResults { opening, tally, .. } = results;
    html! {
        h1 {
            bdi { (subject) }
        }
        p.lead {
            strong { (verdict(results)) } ": " (counts(tally)) "."
        }
        @if opening.part {
            p.notice role="note" {
                strong { "A part." }
                " Only some cases were judged: the results of the others are not known."
            }
        }
        @if results.interrupted {
            p.notice role="note" {
                strong { "Incomplete." }
                " The judge was interrupted, or its log breaks off"
                @if opening.submissions > 0 {
                    ": of " (opening.submissions) " submissions, " (tally.judged())
                    (if tally.judged() == 1 { " was finished" } else { " were finished" })
                }
                ". Unfinished submissions are missing here."
            }
        }
        dl {
            @if !opening.started.is_empty() {
                dt { "Judged" }
                dd { @match readable_time(&opening.started) {
                    Some(minute) => time datetime=(opening.started) { (minute) },
                    None => (html_line(&opening.started)),
                } }
            }
            @if !opening.machine.is_empty() {
                dt { "Machine" }
                dd { (html_line(&opening.machine)) }
            }
            @if !opening.sandbox.is_empty() {
                dt { "Sandbox" }
                dd {
                    "level " (html_line(&opening.sandbox)) ", "
                    (counted(opening.jobs, "run")) " at once"
                }
            }
            @if !opening.notes.is_empty() {
                dt { "Notes" }
                dd { ul {
                    @for note in &opening.notes {
                        li { (cut_sentence(note, WIDEST)) }
                    }
                } }
            }
        }
    }
}

/// What was judged, in a few words.
fn subject(results: &SuiteResults) -> String {
    let SuiteResults {
        mistakes,
        entries,
        left_out,
        ..
    } = results;
    let found = mistakes
        .mistakes
        .kept
        .iter()
        .chain(&mistakes.warnings.kept)
        .map(|record| &record.problem);
    let mut problems: Vec<_> = entries
        .iter()
        .map(|entry| &entry.start.problem)
        .chain(&left_out.problems)
        .chain(found)
        .collect();
    problems.sort_unstable();
    problems.dedup();
    match (&problems[..], &entries[..]) {
        ([], _) => "nothing".to_owned(),
        ([_], [entry]) if left_out.count() == 0 => html_line(&format!(
            "{} on {}",
            entry.start.submission, entry.start.problem
        )),
        ([problem], _) => html_line(problem),
        (problems, _) => format!("{} problems", problems.len()),
    }
}

/// The outcome in one line.
fn verdict(results: &SuiteResults) -> String {
    let tally = &results.tally;
    let expectation = results.expectation.word();
    let submissions = match (tally.surprising, tally.judged(), results.interrupted) {
        (0, 0, false) => "Nothing was judged".to_owned(),
        (0, _, true) => "Incomplete, nothing unexpected so far".to_owned(),
        (0, _, false) => format!("All {expectation}"),
        (surprising, judged, _) => {
            format!("{surprising} of {judged} not {expectation}")
        }
    };
    match results.mistakes.in_words() {
        Some(mistakes) => format!("{mistakes}. {submissions}"),
        None => submissions,
    }
}

fn counts(tally: &Tally) -> String {
    let some = |count: usize, noun: &str, rest: &str| {
        (count > 0).then(|| counted(count, noun) + rest)
    };
    [
        some(tally.judged(), "submission", "")
            .or_else(|| Some("no submissions".to_owned())),
        some(tally.trials, "trial", "").map(|trials| match tally.cached {
            0 => trials,
            cached => format!("{trials} ({cached} of them from the cache)"),
        }),
        some(tally.skipped, "submission", " skipped"),
        some(tally.flaky, "flaky trial", ""),
        some(tally.faults, "failure", " of the judge itself"),
    ]
    .into_iter()
    .flatten()
    .joined(", ")
}

// Counts the submissions for which a page has no room.

/// The submissions that are not listed.
#[derive(Default)]
pub(super) struct LeftOut {
    /// Those that were judged and are not as expected.
    surprising: usize,
    others: usize,
    problems: BTreeSet<Arc<str>>,
}

impl LeftOut {
    pub(super) fn add(&mut self, entry: &SubmissionSection) {
        let count = if entry.is_surprising() {
            &mut self.surprising
        } else {
            &mut self.others
        };
        *count += 1;
        self.problems.insert(Arc::clone(&entry.start.problem));
    }

    /// Says how many are not listed; empty if all are. `word` is what one should be,
    /// such as `as expected`.
    fn notice(&self, word: &str) -> Markup {
        let Self {
            surprising, others, ..
        } = *self;
        let others = (others > 0).then(|| format!("{others} {word} or not judged"));
        let surprising = (surprising > 0).then(|| format!("{surprising} not {word}"));
        let parts = others.into_iter().chain(surprising).joined(", and ");
        html! {
            @if !parts.is_empty() {
                p.notice role="note" {
                    strong { (counted(self.count(), "submission")) " not listed" }
                    ", to keep this page below 5 MB: " (parts)
                    ". They are in the log and in other reports of it."
                }
            }
        }
    }

    pub(super) fn count(&self) -> usize {
        self.surprising + self.others
    }
}

// The sections of the mistakes in problems, and of the warnings about them.

/// The most mistakes that are shown, and the most warnings.
pub(super) const MOST_SHOWN: usize = 200;

/// The most characters of what is told of a mistake, and of a note.
const WIDEST: usize = 1000;

/// What a warning is about.
const ALLOWED: &str = "What is allowed in problems but hardly intended";

/// A section; empty if nothing was found.
fn section(
    heading: &str,
    caption: &str,
    found: &FirstItems<MistakeRecord>,
) -> Markup {
    html! {
        @if found.in_all > 0 {
            h2 { (heading) }
            table.mistakes {
                caption { (caption) ", and which check found it" }
                thead { tr {
                    th scope="col" { "Problem" }
                    th scope="col" { "Place" }
                    th scope="col" { "What" }
                    th scope="col" { "Check" }
                } }
                tbody {
                    @for record in &found.kept {
                        tr {
                            th scope="row" {
                                (isolated_line(&record.problem))
                            }
                            td {
                                bdi.file { (html_line(&record.place())) }
                            }
                            td {
                                (cut_sentence(&record.message, WIDEST))
                                @if let Some(remedy) = &record.remedy {
                                    div.soft { "remedy: " (cut_sentence(remedy, WIDEST)) }
                                }
                            }
                            td { (record.check.to_string().replace('_', " ")) }
                        }
                    }
                }
            }
            @if found.left_out() > 0 {
                p.soft { (found.left_out()) " more are only in the log." }
            }
        }
    }
}
