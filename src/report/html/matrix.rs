//! The matrix: a row for each submission, and a column for each verdict of its cases.
//! Surprising submissions come first. Below it, the cases of a contest that teams have
//! failed: one that nobody passes may be wrong itself, and one that a few fail may be
//! what they have in common.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;
use maud::{Markup, html};

use crate::model::{Event, Verdict};
use crate::report::html::{SubmissionSection, earned};
use crate::report::{
    ExpectationMode, GradedOutcome, cut_text, expected_label, html_line,
    isolated_line, word_label,
};
use crate::text::{JoinedTexts, capitalized, counted, mebibytes, plural, time};

/// The columns that depend on the submissions.
struct MatrixColumns {
    /// Whether the submissions are those of a contest or a course, which are named by
    /// team or student, and problem.
    are_of_teams: bool,
    /// Whether the minute of any of them is known.
    has_minutes: bool,
    /// Whether a verdict is expected of any of them.
    has_expected: bool,
    /// The verdicts that any case got.
    verdicts: Vec<Verdict>,
}

impl MatrixColumns {
    /// Number of columns.
    fn count(&self) -> usize {
        1 + usize::from(self.are_of_teams)
            + usize::from(self.has_minutes)
            + usize::from(self.has_expected)
            + self.verdicts.len()
            + 3
    }
}

/// The matrix of these submissions. In a contest, `noun` says what hands them in.
pub(super) fn matrix(
    entries: &[SubmissionSection],
    noun: &str,
    expectation: ExpectationMode,
) -> Markup {
    let has = |is: fn(&SubmissionSection) -> bool| entries.iter().any(is);
    let columns = MatrixColumns {
        are_of_teams: has(|entry| entry.start.entrant.is_some()),
        has_minutes: has(|entry| entry.minute().is_some()),
        has_expected: has(|entry| entry.start.expected.is_some()),
        verdicts: Verdict::all()
            .filter(|verdict| {
                let place = *verdict as usize;
                entries.iter().any(|entry| entry.counts[place] > 0)
            })
            .collect(),
    };
    let (surprising, others): (Vec<_>, Vec<_>) =
        entries.iter().partition(|entry| entry.is_surprising());
    html! {
        table.matrix {
            (head(&columns, noun, expectation))
            @if !surprising.is_empty() {
                (group(&format!("Not {}", expectation.word()), &surprising, &columns, true))
            }
            @for problem in others.chunk_by(|one, next| one.start.problem == next.start.problem) {
                (group(&html_line(&problem[0].start.problem), problem, &columns, false))
            }
        }
        p.key {
            @for (number, verdict) in columns.verdicts.iter().enumerate() {
                @if number > 0 { ", " }
                (verdict.code()) " " (verdict.meaning())
            }
            @if !columns.verdicts.is_empty() { "." }
        }
    }
}

fn head(columns: &MatrixColumns, noun: &str, expectation: ExpectationMode) -> Markup {
    html! {
        caption {
            "Submissions, and how many of their cases got which verdict, with the most CPU time "
            "and memory of a case; those not " (expectation.word()) " come first"
        }
        thead { tr {
            @if columns.are_of_teams {
                th scope="col" { (capitalized(noun)) }
                th scope="col" { "Problem" }
            } @else {
                th scope="col" { "Submission" }
            }
            @if columns.has_minutes {
                th.n.minute scope="col" { "Minute" }
            }
            @if columns.has_expected {
                th scope="col" { "Expected" }
            }
            th scope="col" { "Earned" }
            @for verdict in &columns.verdicts {
                th.n scope="col" { (verdict.code()) }
            }
            th.n scope="col" { "CPU time" }
            th.n scope="col" { "Memory" }
        } }
    }
}

fn group(
    title: &str,
    entries: &[&SubmissionSection],
    columns: &MatrixColumns,
    names_problem: bool,
) -> Markup {
    html! {
        tbody {
            tr { th scope="rowgroup" colspan=(columns.count()) { (title) } }
            @for entry in entries { (row(entry, columns, names_problem)) }
        }
    }
}

fn row(
    entry: &SubmissionSection,
    columns: &MatrixColumns,
    names_problem: bool,
) -> Markup {
    let summary = entry.end.summary();
    let measured = summary.filter(|summary| summary.slowest_cpu_us > 0);
    html! {
        tr class=[entry.is_surprising().then_some("no")] {
            @if columns.are_of_teams {
                @let team = entry.start.entrant.as_ref().map(|entrant| &*entrant.team);
                th scope="row" { (link(entry, team.unwrap_or(&entry.start.submission))) }
                td.problem { (isolated_line(&entry.start.problem)) }
            } @else {
                th scope="row" {
                    @if names_problem {
                        span.soft {
                            (isolated_line(&entry.start.problem))
                        }
                    }
                    (link(entry, &entry.start.submission))
                }
            }
            @if columns.has_minutes {
                td.n.minute { @if let Some(minute) = entry.minute() { (minute) } }
            }
            @if columns.has_expected {
                td.expected {
                    @if let Some(expected) = &entry.start.expected {
                        (expected_label(expected))
                    }
                }
            }
            td.earned { @match &entry.end {
                GradedOutcome::Judged(outcome) => {
                    (earned(outcome))
                    @if outcome.flaky > 0 { " flaky" }
                }
                GradedOutcome::Skipped(_) => (word_label("skipped", false)),
                GradedOutcome::Interrupted => (word_label("unfinished", false)),
            } }
            @for verdict in &columns.verdicts {
                @match entry.counts[*verdict as usize] {
                    0 => td.n {},
                    count => td.n data-v=(verdict.code()) { (count) },
                }
            }
            td.n {
                @if let Some(outcome) = measured { (time(outcome.slowest_cpu_us)) }
            }
            td.n {
                @if let Some(outcome) = measured {
                    (mebibytes(outcome.peak_memory_bytes))
                }
            }
        }
        "\n"
    }
}

fn link(entry: &SubmissionSection, name: &str) -> Markup {
    html! { a href={ "#" (entry.id()) } { (isolated_line(name)) } }
}

/// The most cases listed, and the most teams named for each.
const MOST_CASES: usize = 40;
const MOST_TEAMS: usize = 100;

/// The most characters of a team's name.
const WIDEST_NAME: usize = 40;

/// Which teams have passed and failed which cases.
#[derive(Default)]
pub(super) struct CaseOutcomes {
    /// The team of the current submission, in a contest.
    team: Option<Arc<str>>,
    /// By problem and case, in the order of the plan.
    cases: IndexMap<(Arc<str>, String), CaseTeams>,
}

#[derive(Default)]
struct CaseTeams {
    passed: BTreeSet<Arc<str>>,
    failed: BTreeSet<Arc<str>>,
}

impl CaseOutcomes {
    pub(super) fn take_event(&mut self, event: &Event) {
        match event {
            Event::SubmissionStarted(start) => {
                self.team = start
                    .entrant
                    .as_ref()
                    .map(|entrant| Arc::clone(&entrant.team));
            }
            Event::TrialFinished(record) => {
                let Some(team) = self.team.clone() else {
                    return;
                };
                let key = (Arc::clone(&record.problem), record.case.clone());
                let teams = self.cases.entry(key).or_default();
                match record.verdict {
                    Verdict::CompileError | Verdict::Skipped => {}
                    Verdict::Accepted => _ = teams.passed.insert(team),
                    _ => _ = teams.failed.insert(team),
                }
            }
            _ => {}
        }
    }

    /// The section about the cases that two teams or more have failed; those that
    /// nobody passes come first. `noun` says what a team is.
    pub(super) fn section(&self, noun: &str) -> Markup {
        let mut failed: Vec<_> = self
            .cases
            .iter()
            .filter(|(_, teams)| teams.failed.len() > 1)
            .collect();
        failed.sort_by_key(|(_, teams)| {
            (
                !teams.passed.is_empty(),
                std::cmp::Reverse(teams.failed.len()),
            )
        });
        let left_out = failed.len().saturating_sub(MOST_CASES);
        html! {
            @if !failed.is_empty() {
                h2 { "Cases that " (plural(2, noun)) " have failed" }
                table.failed {
                    caption {
                        "Cases that two or more " (plural(2, noun)) " have failed. A case that nobody passes "
                        "may itself be wrong."
                    }
                    thead { tr {
                        th scope="col" { "Case" }
                        th scope="col" { "Problem" }
                        th.n scope="col" { "Passed by" }
                        th scope="col" { "Failed by" }
                    } }
                    tbody {
                        @for ((problem, case), teams) in failed.iter().take(MOST_CASES) {
                            tr {
                                th scope="row" {
                                    (isolated_line(case))
                                }
                                td {
                                    (isolated_line(problem))
                                }
                                td.n data-v="passed by" {
                                    @if teams.passed.is_empty() {
                                        strong { "nobody" }
                                    }
                                    @else { (counted(teams.passed.len(), noun)) }
                                }
                                td data-v="failed by" { (failed_by(teams)) }
                            }
                        }
                    }
                }
                @if left_out > 0 {
                    p.soft { (counted(left_out, "more case")) " not listed here." }
                }
            }
        }
    }
}

fn failed_by(teams: &CaseTeams) -> Markup {
    let count = teams.failed.len();
    let names = teams
        .failed
        .iter()
        .take(MOST_TEAMS)
        .map(|team| cut_text(team, WIDEST_NAME));
    html! {
        (count) ": " bdi { (names.joined(", ")) }
        @if count > MOST_TEAMS {
            " and " (count - MOST_TEAMS) " more"
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Takes a trial of a team on a case of the problem `p`.
    fn take(outcomes: &mut CaseOutcomes, team: &str, case: &str, verdict: &str) {
        let limits = json!({"cpu_us": 1, "wall_us": 1, "memory_bytes": 1, "output_bytes": 1, "processes": 1});
        let submission = format!("{team}/p.c");
        for event in [
            json!({"event": "submission_started", "problem": "p", "submission": submission,
                "language": "C", "limits": limits, "team": team}),
            json!({"event": "trial_finished", "problem": "p", "submission": submission,
                "case": case, "verdict": verdict}),
        ] {
            outcomes.take_event(&serde_json::from_value(event).unwrap());
        }
    }

    #[test]
    fn cases_that_as_many_have_failed_are_in_the_order_of_the_plan() {
        let mut outcomes = CaseOutcomes::default();
        for case in ["2", "9", "10"] {
            take(
                &mut outcomes,
                "a",
                case,
                if case == "2" { "WA" } else { "SK" },
            );
        }
        for team in ["b", "c"] {
            for case in ["2", "9", "10"] {
                take(&mut outcomes, team, case, "WA");
            }
        }
        let section = outcomes.section("team").0;
        let places = ["2", "9", "10"]
            .map(|case| section.find(&format!("<bdi>{case}</bdi>")).unwrap());
        assert!(places.is_sorted(), "{section}");
    }

    #[test]
    fn a_case_that_nobody_passes_comes_first_and_one_that_a_single_team_fails_is_not_listed()
     {
        let mut outcomes = CaseOutcomes::default();
        assert_eq!(outcomes.section("team").0, "");
        for (team, case, verdict) in [
            ("a", "hard", "WA"),
            ("b", "hard", "TLE"),
            ("c", "hard", "RE"),
            ("d", "hard", "AC"),
            ("a", "odd", "WA"),
            ("b", "odd", "WA"),
            ("a", "easy", "WA"),
            ("b", "easy", "AC"),
            ("a", "unknown", "CE"),
            ("b", "unknown", "SK"),
        ] {
            take(&mut outcomes, team, case, verdict);
        }
        let section = outcomes.section("team").0;
        let place =
            |text: &str| section.find(text).unwrap_or_else(|| panic!("{section}"));
        assert!(place("odd") < place("<strong>nobody</strong>"));
        assert!(place("nobody") < place("2: <bdi>a, b</bdi>"));
        assert!(
            place("2: ") < place("hard")
                && place("1 team") < place("3: <bdi>a, b, c</bdi>")
        );
        assert!(!section.contains("easy") && !section.contains("unknown"));
    }
}
