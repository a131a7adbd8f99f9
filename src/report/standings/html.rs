//! Writes standings as one HTML page that needs nothing else: no script, no font, no address.
//! `maud` escapes every name.

use maud::{Markup, PreEscaped, html as markup};

use crate::model::PointValue;
use crate::report::html_text;
use crate::report::standings::rows::{FEWEST, ProblemColumn, RankingMode, TeamProblem, TeamRow};
use crate::report::standings::table::StandingsTable;
use crate::text::{counted, printable};

/// The style beyond that of all pages.
const STYLE: &str = include_str!("standings.css");

/// The most bytes of the rows of teams. Together with all the rest, a page stays below 5 MB.
const MOST_BYTES: usize = 4_500_000;

/// The start of every page.
pub const START: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta \
                         charset=\"utf-8\">\n<meta name=\"generator\" content=\"gridjudge \
                         standings\">";

/// Formats the standings.
pub fn html(standings: &StandingsTable) -> String {
    let title = if standings.name.is_empty() {
        "Standings".to_owned()
    } else {
        format!("Standings of {}", shown(&standings.name))
    };
    let rows = rows(standings);
    let left_out = standings.rows.len() - rows.len();
    let page = markup! {
        (PreEscaped(START))
        (PreEscaped(html_text::META))
        title { (title) }
        style { (PreEscaped(html_text::STYLE)) (PreEscaped(STYLE)) }
        (PreEscaped("</head>\n<body>\n"))
        header {
            p.brand { "gridjudge standings" }
            h1 { bdi { (title) } }
            p { (summary(standings)) }
            @if standings.is_interrupted {
                p.notice role="note" { strong { "Incomplete." } " Judging was interrupted: attempts are missing." }
            }
            @if standings.is_part {
                p.notice role="note" {
                    strong { "Not the result." } " Only some cases were judged."
                }
            }
        }
        main {
            div.scroll tabindex="0" { (table(standings, &rows)) }
            @if left_out > 0 {
                p.notice role="note" {
                    strong { "The last " (counted(left_out, "team")) " not listed" }
                    ", to keep this page below 5 MB. They are in the log and in the standings as text."
                }
            }
            (legend(standings))
            @for failure in &standings.common_failures {
                p.notice role="note" { (shown(&failure.sentence())) }
            }
        }
        footer { p { "Made by gridjudge from its log. This page contains no scripts and loads nothing." } }
        (PreEscaped("</body>\n</html>\n"))
    };
    page.into_string()
}

/// Foreign text in which characters are made visible that could change the direction of the text
/// around it.
fn shown(name: &str) -> String {
    printable(name)
}

fn summary(standings: &StandingsTable) -> String {
    let rules = match (standings.rules.by, standings.has_minutes) {
        (RankingMode::Points, _) => "ranked by points".to_owned(),
        (RankingMode::Icpc, true) => {
            format!(
                "ranked by problems solved, then by time, with {} minutes for a rejected attempt",
                standings.rules.penalty
            )
        }
        (RankingMode::Icpc, false) => {
            format!(
                "ranked by problems solved, then by rejected attempts, {} each",
                standings.rules.penalty
            )
        }
    };
    format!(
        "{}, {}, {rules}.",
        counted(standings.rows.len(), "team"),
        counted(standings.columns.len(), "problem")
    )
}

/// The rows of the first teams, as many as the page has room for.
fn rows(standings: &StandingsTable) -> Vec<Markup> {
    let mut room = MOST_BYTES;
    let mut rows = Vec::new();
    for row in &standings.rows {
        let line = line(standings, row);
        let Some(left) = room.checked_sub(line.0.len()) else {
            break;
        };
        room = left;
        rows.push(line);
    }
    rows
}

fn table(standings: &StandingsTable, rows: &[Markup]) -> Markup {
    let by_points = standings.rules.by == RankingMode::Points;
    markup! {
        table {
            thead {
                tr {
                    th.n scope="col" { "Rank" }
                    th.team scope="col" { "Team" }
                    @if by_points {
                        th.n scope="col" { "Points" }
                        @if standings.has_fewest() { th.n scope="col" { "Fewest" } }
                    } @else {
                        th.n scope="col" { "Solved" }
                        th.n scope="col" { "Penalty" }
                    }
                    @for column in &standings.columns {
                        th.p scope="col" {
                            (shown(&column.problem))
                            @if let Some(of) = column.of.filter(|_| by_points) { small { "of " (of) } }
                            @if by_points && column.fewest_is_best { small { "fewest" } }
                        }
                    }
                }
            }
            tbody {
                @for row in rows { (row) }
            }
            tfoot { (footer(standings)) }
        }
    }
}

fn line(standings: &StandingsTable, row: &TeamRow) -> Markup {
    markup! {
        tr {
            td.n { (row.rank) }
            th.team scope="row" { bdi { (shown(&row.team)) } }
            @match standings.rules.by {
                RankingMode::Points => {
                    td.n { (row.points) }
                    @if standings.has_fewest() { td.n { (row.fewest_in_words()) } }
                },
                RankingMode::Icpc => { td.n { (row.solved) } td.n { (row.penalty) } },
            }
            @for (cell, column) in row.cells.iter().zip(&standings.columns) {
                @match standings.rules.by {
                    RankingMode::Points => (points(cell, column)),
                    RankingMode::Icpc => (attempts(cell)),
                }
            }
        }
    }
}

/// The cell of a problem if teams are ranked by solved problems.
fn attempts(cell: &TeamProblem) -> Markup {
    let rejected = if cell.rejected > 0 {
        cell.rejected.to_string()
    } else {
        String::new()
    };
    markup! {
        @match cell {
            TeamProblem { is_solved: true, is_first, minute, .. } => {
                td.p.solved.first[*is_first] {
                    "+" (rejected) @if *is_first { " \u{2605}" }
                    @if let Some(minute) = minute { small { (minute) } }
                }
            }
            TeamProblem { rejected: 1.., unjudged, .. } => td.p.rejected { "\u{2212}" (rejected) @if *unjudged > 0 { " ?" } },
            TeamProblem { unjudged: 1.., .. } => td.p.unjudged { "?" },
            TeamProblem { refused: 1.., .. } => td.p.refused { "CE" },
            _ => td.p {},
        }
    }
}

/// The cell of a problem if teams are ranked by points.
fn points(cell: &TeamProblem, column: &ProblemColumn) -> Markup {
    let Some(points) = cell.points else {
        return markup! { @if cell.unjudged > 0 { td.p.unjudged { "?" } } @else { td.p {} } };
    };
    let class = match points {
        _ if cell.fewest_is_best => "solved",
        points if points <= PointValue::ZERO => "rejected",
        points if column.of.is_none_or(|of| points >= of) => "solved",
        _ => "partial",
    };
    markup! { td.p.(class) { (points) @if cell.unjudged > 0 && !cell.is_solved { " ?" } } }
}

fn footer(standings: &StandingsTable) -> Markup {
    let totals = if standings.rules.by == RankingMode::Points && !standings.has_fewest() {
        1
    } else {
        2
    };
    markup! {
        tr {
            td {}
            th.team scope="row" { "Solved by" }
            @for _ in 0..totals { td {} }
            @for column in &standings.columns { td.p { (column.solved) " of " (column.tried) } }
        }
    }
}

fn legend(standings: &StandingsTable) -> Markup {
    let is_first = standings
        .rows
        .iter()
        .flat_map(|row| &row.cells)
        .any(|cell| cell.is_first);
    markup! {
        ul {
            @if standings.rules.by == RankingMode::Icpc {
                li { b { "+2" } " solved after two rejected attempts" @if standings.has_minutes { "; below it, the minute" } }
                li { b { "\u{2212}2" } " rejected twice" }
                @if is_first { li { b { "\u{2605}" } " solved before all others" } }
            }
            @if standings.rules.by == RankingMode::Points && standings.has_fewest() { li { (FEWEST) } }
            @if standings.is_incomplete() {
                li { b { "?" } " could not be judged here, and counts neither for nor against" }
            }
        }
    }
}
