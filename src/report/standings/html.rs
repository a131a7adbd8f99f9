//! Writes standings as one HTML page that needs nothing else: no script, no font, no
//! address. `maud` escapes every name.
//!
//! All rows are on one screen if that is possible at all: their height depends on the
//! height of the screen. Where it is too narrow for all columns, each row becomes a
//! block, so nothing is cut off.

use maud::{Markup, PreEscaped, html as markup};

use crate::model::{PointValue, RankingMode};
use crate::report::standings::{
    FEWEST, ProblemColumn, StandingsTable, TeamProblem, TeamRow, heads,
    names_of_letters, team_header, team_totals,
};
use crate::report::{cut_sentence, cut_text, html_text, readable_time};
use crate::text::{capitalized, counted};

/// The style beyond that of all pages.
const STYLE: &str = include_str!("standings.css");

/// The style where the columns do not fit beside each other.
const NARROW: &str = include_str!("narrow.css");

/// The style of a page for a wall.
const WALL: &str = include_str!("wall.css");

/// The most bytes of the rows of teams. Together with all the rest, a page stays below
/// 5 MB.
const MOST_BYTES: usize = 4_500_000;

/// The most teams that are listed once more in the rankings of groups and sites: the
/// first of all.
const MOST_IN_GROUPS: usize = 1_000;

/// The most characters shown of a name.
const LONGEST_NAME: usize = 80;

/// The most characters of a sentence below the table.
const LONGEST_NOTICE: usize = 400;

/// The longest head of a problem's column on a wall, where the letters are large.
const LONGEST_WALL_HEAD: usize = 6;

/// Seconds that a wall shows a row on average while it scrolls, and those that it takes
/// at least before it reloads.
const WALL_SECONDS: [usize; 2] = [1, 30];

/// The start of every page.
pub const START: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta \
                         charset=\"utf-8\">\n<meta name=\"generator\" content=\"gridjudge \
                         standings\">";

/// Formats the standings as a page to read.
pub fn standings_html(standings: &StandingsTable) -> String {
    page(standings, false)
}

/// Formats the standings as a page for a screen on a wall, to be seen from afar: large,
/// in high contrast; it scrolls and reloads itself.
pub fn wall(standings: &StandingsTable) -> String {
    page(standings, true)
}

fn page(standings: &StandingsTable, is_wall: bool) -> String {
    let title = if standings.name.is_empty() {
        "Standings".to_owned()
    } else {
        format!("Standings of {}", shown(&standings.name))
    };
    let is_lettered = is_wall
        && standings
            .columns
            .iter()
            .any(|column| column.problem.chars().count() > LONGEST_WALL_HEAD);
    let heads = heads(&standings.columns, is_lettered);
    let names = names_of_letters(&heads, &standings.columns);
    let rows = rows(standings, &heads);
    let cycle = WALL_SECONDS[1].max(WALL_SECONDS[0] * rows.len());
    let page = markup! {
        (PreEscaped(START))
        (PreEscaped(html_text::META))
        @if is_wall { meta http-equiv="refresh" content=(cycle); }
        title { (title) }
        style {
            (PreEscaped(html_text::STYLE)) (PreEscaped(STYLE))
            @if is_wall {
                (PreEscaped(WALL)) ":root{--columns:" (heads.len()) ";--cycle:" (cycle) "s}"
            }
            @else { (PreEscaped(narrow_style(&heads))) }
        }
        (PreEscaped("</head>\n<body>\n"))
        header {
            div {
                p.brand { "gridjudge standings" }
                h1 {
                    bdi { (title) }
                }
                p { (summary(standings)) }
                @if let Some(state) = state(standings, is_wall.then_some(cycle)) {
                    p { (state) }
                }
            }
            (legend(standings))
        }
        main {
            (notices(standings))
            div.scroll tabindex="0" { (table(standings, &heads, &rows)) }
            @if !names.is_empty() {
                p.names { (names.join(", ")) "." }
            }
            @if !is_wall { (groups(standings, rows.len().min(MOST_IN_GROUPS))) }
            (remarks(standings, rows.len(), is_wall))
        }
        footer {
            p {
                "Made by gridjudge from its log. This page contains no scripts and loads nothing."
            }
        }
        (PreEscaped("</body>\n</html>\n"))
    };
    page.into_string()
}

/// What is said below the table: how many teams it does not list after the first
/// `listed`, and which cases all teams have failed, which is no news for spectators.
fn remarks(standings: &StandingsTable, listed: usize, is_wall: bool) -> Markup {
    let left_out = standings.rows.len() - listed;
    markup! {
        @if left_out > 0 {
            p.notice role="note" {
                strong { "The last " (counted(left_out, "team")) " not listed" }
                ", to keep this page below 5 MB. They are in the log and in the standings as text."
            }
        }
        @for failure in standings.common_failures.iter().filter(|_| !is_wall) {
            p.notice role="note" {
                (cut_sentence(&failure.sentence(), LONGEST_NOTICE))
            }
        }
    }
}

/// The style for screens that are too narrow for all columns.
fn narrow_style(heads: &[String]) -> String {
    // Pixels of a cell, of a letter of a head, and of all columns before those of the
    // problems.
    let columns: usize = heads
        .iter()
        .map(|head| (head.chars().count() * 8 + 14).max(58))
        .sum();
    let least = columns + 370;
    format!("@media screen and (max-width: {least}px) {{\n{NARROW}}}\n")
}

/// What says that not everything is in the standings.
fn notices(standings: &StandingsTable) -> Markup {
    markup! {
        @if standings.is_interrupted {
            p.notice role="note" {
                strong { "Incomplete." }
                " Judging was interrupted: attempts are missing."
            }
        }
        @if standings.is_part {
            p.notice role="note" {
                strong { "Not the result." }
                " Only some cases were judged."
            }
        }
    }
}

/// The age of the standings: what was submitted later is not in them. A page that
/// reloads itself, every `cycle` seconds, says what an old time means.
fn state(standings: &StandingsTable, cycle: Option<usize>) -> Option<String> {
    let started = readable_time(&standings.started)?;
    Some(match cycle {
        None => format!("Judged {started}."),
        Some(seconds) => format!(
            "As of {started}. Looks for newer standings every {seconds} s: if this is long ago, \
             nobody has judged since."
        ),
    })
}

/// Foreign text in which characters are made visible that could change the direction of
/// the text around it.
fn shown(name: &str) -> String {
    cut_text(name, LONGEST_NAME)
}

fn summary(standings: &StandingsTable) -> String {
    let rules = standings.rules_in_words().join("; ");
    format!(
        "{}, {}, {}.",
        counted(standings.rows.len(), "team"),
        counted(standings.columns.len(), "problem"),
        cut_sentence(&rules, LONGEST_NOTICE)
    )
}

/// The rows of the first teams, as many as the page has room for.
fn rows(standings: &StandingsTable, heads: &[String]) -> Vec<Markup> {
    let mut room = MOST_BYTES;
    standings
        .rows
        .iter()
        .map_while(|row| {
            let line = markup! {
                tr {
                    (team_cells(standings, row, row.rank))
                    @for ((cell, column), head) in row.cells.iter().zip(&standings.columns).zip(heads) {
                        @let (class, content) = problem_cell(cell, column, standings.rules.by);
                        td class={ "p" (class) } data-p=(head) { (content) }
                    }
                }
            };
            room = room.checked_sub(line.0.len())?;
            Some(line)
        })
        .collect()
}

fn table(standings: &StandingsTable, heads: &[String], rows: &[Markup]) -> Markup {
    let by_points = standings.rules.by == RankingMode::Points;
    markup! {
        // The header and the footer take the height of a row each.
        table style={ "--rows:" (rows.len() + 2) } {
            thead {
                tr {
                    (team_heads(standings))
                    @for (head, column) in heads.iter().zip(&standings.columns) {
                        th.p scope="col" {
                            @if let Some(colour) = column.details.safe_color() {
                                span.balloon style={ "background:" (colour) } {}
                            }
                            (head)
                            @if let Some(of) = column.of.filter(|_| by_points) {
                                small { "of " (of) }
                            }
                            @if by_points && column.fewest_is_best {
                                small { "fewest" }
                            }
                        }
                    }
                }
            }
            tbody {
                @for row in rows { (row) }
            }
            tfoot {
                tr {
                    td {}
                    th.team scope="row" { "Solved by" }
                    // The rank and the name have their cells.
                    @for _ in team_header(standings).iter().skip(2) {
                        td {}
                    }
                    @for column in &standings.columns {
                        td.p { (column.solved) " of " (column.tried) }
                    }
                }
            }
        }
    }
}

/// The rank, the name and the totals of a team.
fn team_cells(
    standings: &StandingsTable,
    row: &TeamRow,
    rank: Option<usize>,
) -> Markup {
    markup! {
        td.n { (row.rank_in_words(rank)) }
        th.team scope="row" {
            bdi { (shown(row.name())) }
            @if let Some(organisation) = &row.details.organisation {
                " " small { bdi { (shown(organisation)) } }
            }
        }
        @let heads = team_header(standings).into_iter().skip(2);
        @for (head, total) in heads.zip(team_totals(standings, row)) {
            td.n data-v=[(head != "fewest").then_some(head)] { (total) }
        }
    }
}

/// The heads of the columns before those of problems.
fn team_heads(standings: &StandingsTable) -> Markup {
    markup! {
        @for head in team_header(standings) {
            th class=(if head == "team" { "team" } else { "n" }) scope="col" {
                (capitalized(head))
            }
        }
    }
}

/// The rankings of groups and sites, beside each other where there is room, of the
/// first `most` teams.
fn groups(standings: &StandingsTable, most: usize) -> Markup {
    markup! {
        div.groups {
            @for group in &standings.groups {
                section {
                    h2 {
                        (group.kind) " " bdi { (shown(&group.name)) }
                    }
                    table style={ "--rows:60" } {
                        thead {
                            tr { (team_heads(standings)) }
                        }
                        tbody {
                            @let ranks = group.ranks.iter();
                            @for (rank, place) in ranks.filter(|(_, place)| *place < most) {
                                tr {
                                    (team_cells(standings, &standings.rows[*place], *rank))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The further classes of the cell of a problem, each after a space, and its content.
fn problem_cell(
    cell: &TeamProblem,
    column: &ProblemColumn,
    by: RankingMode,
) -> (&'static str, Markup) {
    let TeamProblem {
        is_solved,
        is_first,
        rejected,
        ..
    } = *cell;
    match (by, cell.points) {
        (RankingMode::Points, Some(points)) => {
            let class = match points {
                _ if cell.fewest_is_best => " solved",
                points if points <= PointValue::ZERO => " rejected",
                points if column.of.is_none_or(|of| points >= of) => " solved",
                _ => " partial",
            };
            (class, markup! { (points) (open(cell)) })
        }
        (RankingMode::Icpc, _) if is_solved => (
            if is_first { " solved first" } else { " solved" },
            markup! {
                @if is_first { "\u{2605}" }
                "+"
                @if rejected > 0 { (rejected) }
                @if let Some(minute) = cell.minute {
                    " " small { (minute) }
                }
            },
        ),
        (RankingMode::Icpc, _) if rejected > 0 => {
            (" rejected", markup! { "\u{2212}" (rejected) (open(cell)) })
        }
        _ if cell.hidden > 0 => (" unjudged", markup! { "?" (cell.hidden) }),
        _ if cell.unjudged > 0 => (" unjudged", markup! { "?" }),
        _ if cell.refused > 0 => (" refused", markup! { "CE" }),
        _ => ("", Markup::default()),
    }
}

/// What says that a cell may change: attempts since the freeze, or that could not be
/// judged.
fn open(cell: &TeamProblem) -> Markup {
    markup! {
        @if cell.hidden > 0 { " ?" (cell.hidden) }
        @else if cell.unjudged > 0 && !cell.is_solved { " ?" }
    }
}

fn legend(standings: &StandingsTable) -> Markup {
    let is_first = standings.cells().any(|cell| cell.is_first);
    markup! {
        ul.key {
            @if standings.rules.by == RankingMode::Icpc {
                li {
                    b.solved {
                        "+2"
                        @if standings.has_minutes { " 95" }
                    }
                    " solved"
                    @if standings.has_minutes { " in minute 95" }
                    " after two rejected attempts"
                }
                li {
                    b.rejected { "\u{2212}2" } " rejected twice"
                }
                @if is_first {
                    li {
                        b { "\u{2605}" } " solved before all others"
                    }
                }
            }
            @if standings.rules.by == RankingMode::Points && standings.has_fewest() {
                li { (FEWEST) }
            }
            @if standings.is_incomplete() {
                li {
                    b.unjudged { "?" }
                    " could not be judged here, and counts neither for nor against"
                }
            }
            @if standings.has_hidden() {
                li {
                    b.unjudged { "?3" }
                    " tried three times since the freeze: the results are not shown"
                }
            }
        }
    }
}
