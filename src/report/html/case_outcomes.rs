//! The cases of a contest that teams have failed: one that nobody passes may be wrong itself, and
//! one that a few fail may be what they have in common.

use crate::sorted::{SortedMap, SortedSet};
use std::sync::Arc;

use maud::{Markup, html};

use crate::model::{Event, Verdict};
use crate::report::html_text;
use crate::text::counted;

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
    /// By problem and case.
    cases: SortedMap<(Arc<str>, String), CaseTeams>,
}

#[derive(Default)]
struct CaseTeams {
    passed: SortedSet<Arc<str>>,
    failed: SortedSet<Arc<str>>,
}

impl CaseOutcomes {
    pub(super) fn take(&mut self, event: &Event) {
        match event {
            Event::SubmissionStarted { entrant, .. } => {
                self.team = entrant.as_ref().map(|entrant| Arc::clone(&entrant.team));
            }
            Event::TrialFinished(record) => {
                let is_judged = !matches!(record.verdict, Verdict::CompileError | Verdict::Skipped);
                let Some(team) = self.team.clone().filter(|_| is_judged) else {
                    return;
                };
                let key = (Arc::clone(&record.problem), record.case.clone());
                let teams = self.cases.entry(key).or_default();
                let of_case = if record.verdict == Verdict::Accepted {
                    &mut teams.passed
                } else {
                    &mut teams.failed
                };
                of_case.insert(team);
            }
            _ => {}
        }
    }

    /// The section about the cases that two teams or more have failed; those that nobody passes
    /// come first.
    pub(super) fn section(&self) -> Markup {
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
                h2 { "Cases that teams have failed" }
                table.failed {
                    caption { "Cases that two teams or more have failed. See whether one that nobody passes is right itself." }
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
                                    bdi { (html_text::line(case)) }
                                }
                                td {
                                    bdi { (html_text::line(problem)) }
                                }
                                td.n data-v="passed by" {
                                    @if teams.passed.is_empty() {
                                        strong { "nobody" }
                                    }
                                    @else { (counted(teams.passed.len(), "team")) }
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
    let named: Vec<_> = teams
        .failed
        .iter()
        .take(MOST_TEAMS)
        .map(|team| html_text::cut(team, WIDEST_NAME))
        .collect();
    let more = teams.failed.len() - named.len();
    html! {
        (teams.failed.len()) ": " bdi { (named.join(", ")) }
        @if more > 0 { " and " (more) " more" }
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
            outcomes.take(&serde_json::from_value(event).unwrap());
        }
    }

    #[test]
    fn a_case_that_nobody_passes_comes_first_and_one_that_a_single_team_fails_is_not_listed() {
        let mut outcomes = CaseOutcomes::default();
        assert_eq!(outcomes.section().0, "");
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
        let section = outcomes.section().0;
        let place = |text: &str| section.find(text).unwrap_or_else(|| panic!("{section}"));
        assert!(place("odd") < place("<strong>nobody</strong>"));
        assert!(place("nobody") < place("2: <bdi>a, b</bdi>"));
        assert!(place("2: ") < place("hard") && place("1 team") < place("3: <bdi>a, b, c</bdi>"));
        assert!(!section.contains("easy") && !section.contains("unknown"));
    }
}
