//! Formats standings for a terminal. Cells are short, so that tens of problems fit
//! beside each other.

use anstyle::Style;

use crate::model::RankingMode;
use crate::report::standings::{
    CommonFailure, FEWEST, ProblemColumn, StandingsTable, TeamProblem, TeamRow,
};
use crate::report::{
    Columns, LEGEND, Narrowing, TableRow, cut_text, heading, text_table,
};
use crate::text::{hanging, printable, text_or_none};

/// The most characters shown of a team's name.
const LONGEST_NAME: usize = 40;

/// The column of the teams. The totals follow it, and then the problems.
const TEAM: usize = 1;

/// The layouts to try in order until the table fits the terminal. In each of them team
/// names are cut, to `least_name` letters at least; if the last is still too wide, the
/// last problems are left out. docs/contest.md describes this order.
const LAYOUTS: [TableLayout; 3] = [
    TableLayout {
        is_lettered: false,
        has_minutes: true,
        least_name: 20,
    },
    TableLayout {
        is_lettered: true,
        has_minutes: true,
        least_name: 12,
    },
    TableLayout {
        is_lettered: true,
        has_minutes: false,
        least_name: 12,
    },
];

/// How much the table shows.
#[derive(Clone, Copy)]
struct TableLayout {
    /// Whether problems are headed by letters.
    is_lettered: bool,
    /// Whether cells show when a problem was solved.
    has_minutes: bool,
    least_name: usize,
}

/// A table with a layout that fits, and with as many problems as there is room for.
struct LaidTable {
    layout: TableLayout,
    heads: Vec<String>,
    columns: Columns,
    rows: Vec<TableRow>,
}

/// Formats the standings, to fit a terminal of `room` columns if they are written to
/// one. Colours are included as codes, to be stripped where they are not wanted.
pub fn standings_text(standings: &StandingsTable, room: Option<usize>) -> String {
    // The first layout that fits; otherwise the last one, without the problems that do
    // not fit.
    let mut table = LaidTable::laid(standings, LAYOUTS[0], room);
    for narrower in &LAYOUTS[1..] {
        if !room.is_none_or(|room| table.columns.fits(room)) {
            table = LaidTable::laid(standings, *narrower, room);
        }
    }
    let header = team_header(standings);
    let problems = header.len()..header.len() + table.heads.len();
    let steps: Vec<_> = problems.rev().map(Narrowing::Drop).collect();
    table.columns.fit(room, &steps);
    let title = if standings.name.is_empty() {
        "standings".to_owned()
    } else {
        format!("standings of {}", standings.name)
    };
    let mut text = hanging(&format!("\n{}", heading(&title)), room);
    for rule in standings.rules_in_words() {
        text += &hanging(&format!("{}\n", printable(&rule)), room);
    }
    text += &table.columns.table(&table.rows, 0);
    for line in legend(standings, &table) {
        text += &hanging(&format!("{LEGEND}{}{LEGEND:#}\n", printable(&line)), room);
    }
    // The rankings of groups and sites, without the cells of problems.
    let figures = figures(header.len());
    let steps = [Narrowing::Cut(TEAM, LAYOUTS[0].least_name)];
    for group in &standings.groups {
        let title = heading(&format!("{} {}", group.kind, group.name));
        let rows = group.ranks.iter().map(|(rank, place)| {
            let cells = team_cells(&standings.rows[*place], *rank, standings);
            (cells, Style::new())
        });
        text += &hanging(&format!("\n{title}"), room);
        text += &text_table(&header, &figures, rows, (room, &steps));
    }
    text
}

impl LaidTable {
    fn laid(
        standings: &StandingsTable,
        layout: TableLayout,
        room: Option<usize>,
    ) -> Self {
        let heads = heads(&standings.columns, layout.is_lettered);
        let mut header = team_header(standings);
        header.extend(heads.iter().map(String::as_str));
        let rows: Vec<_> =
            standings
                .rows
                .iter()
                .map(|row| {
                    let mut cells = team_cells(row, row.rank, standings);
                    cells.extend(row.cells.iter().map(|cell| {
                        shown(cell, standings.rules.by, layout.has_minutes)
                    }));
                    TableRow::new(&cells, Style::new())
                })
                .collect();
        let mut columns = Columns::new(&header, &figures(header.len()), &rows);
        columns.fit(room, &[Narrowing::Cut(TEAM, layout.least_name)]);
        Self {
            layout,
            heads,
            columns,
            rows,
        }
    }
}

/// The columns that contain figures, of as many as these.
fn figures(columns: usize) -> Vec<usize> {
    (0..columns).filter(|place| *place != TEAM).collect()
}

/// The headers of the columns before those of problems: the team, and the totals by
/// which teams are ranked.
pub(super) fn team_header(standings: &StandingsTable) -> Vec<&str> {
    let totals: &[_] = match standings.rules.by {
        RankingMode::Points if standings.has_fewest() => &["points", "fewest"],
        RankingMode::Points => &["points"],
        RankingMode::Icpc => &["solved", "penalty"],
    };
    [&["rank", "team"], totals].concat()
}

/// The cells of a team with this rank, in the order of their headers.
fn team_cells(
    row: &TeamRow,
    rank: Option<usize>,
    standings: &StandingsTable,
) -> Vec<String> {
    // With the organisation.
    let mut name = shortened(row.name());
    if let Some(organisation) = &row.details.organisation {
        name += &format!(" ({})", shortened(organisation));
    }
    let mut cells = vec![row.rank_in_words(rank), name];
    cells.extend(team_totals(standings, row));
    cells
}

/// The totals of a team, in the order of their headers.
pub(super) fn team_totals(standings: &StandingsTable, row: &TeamRow) -> Vec<String> {
    match standings.rules.by {
        RankingMode::Points if standings.has_fewest() => {
            // `12 in 2`: the points in solved problems in which fewer are better, and
            // how many these are.
            let fewest = match row.solved_with_fewest {
                0 => ".".to_owned(),
                solved => format!("{} in {solved}", row.fewest),
            };
            vec![row.points.to_string(), fewest]
        }
        RankingMode::Points => vec![row.points.to_string()],
        RankingMode::Icpc => vec![row.solved.to_string(), row.penalty.to_string()],
    }
}

/// A team's name, printable and not too long.
fn shortened(name: &str) -> String {
    let name = printable(name);
    if name.chars().count() > LONGEST_NAME {
        name.chars()
            .take(LONGEST_NAME - 3)
            .chain("...".chars())
            .collect()
    } else {
        name
    }
}

/// `+2 95*`: solved in minute 95 after two rejected attempts, before all others.
fn shown(cell: &TeamProblem, by: RankingMode, has_minutes: bool) -> String {
    let open = if cell.hidden > 0 {
        format!(" ?{}", cell.hidden)
    } else if cell.unjudged > 0 && !cell.is_solved {
        "?".to_owned()
    } else {
        String::new()
    };
    let star = if cell.is_first { "*" } else { "" };
    let minute = cell
        .minute
        .filter(|_| has_minutes)
        .map_or_else(String::new, |minute| format!(" {minute}"));
    match (by, cell.points) {
        (RankingMode::Points, Some(points)) => format!("{points}{open}"),
        (RankingMode::Icpc, _) if cell.is_solved => {
            let rejected = (cell.rejected > 0).then_some(cell.rejected);
            format!("+{}{minute}{star}", text_or_none(rejected))
        }
        (RankingMode::Icpc, _) if cell.rejected > 0 => {
            format!("-{}{open}", cell.rejected)
        }
        _ if cell.hidden > 0 => format!("?{}", cell.hidden),
        _ if cell.unjudged > 0 => "?".to_owned(),
        _ if cell.refused > 0 => "CE".to_owned(),
        _ => ".".to_owned(),
    }
}

/// Explains the signs and letters that are used in the table.
fn legend(standings: &StandingsTable, table: &LaidTable) -> Vec<String> {
    let left_out = table.columns.hidden();
    let shown = table.heads.len() - left_out;
    let names = names_of_letters(&table.heads[..shown], &standings.columns);
    // Five on a line, so that tens of them are readable.
    let mut lines: Vec<_> = names.chunks(5).map(|few| few.join(", ")).collect();
    match standings.rules.by {
        RankingMode::Icpc => {
            let has_minutes = standings.has_minutes && table.layout.has_minutes;
            let minute = if has_minutes { " 95" } else { "" };
            let when = if has_minutes { " in minute 95" } else { "" };
            lines.push(format!(
                "+2{minute} solved{when} after 2 rejected attempts; -2 rejected twice"
            ));
            if standings.cells().any(|cell| cell.is_first) {
                lines.push("* solved before all others".to_owned());
            }
        }
        RankingMode::Points if standings.has_fewest() => {
            lines.push(FEWEST.to_owned())
        }
        RankingMode::Points => {}
    }
    if standings.is_incomplete() {
        lines.push(
            "? could not be judged here, and counts neither for nor against"
                .to_owned(),
        );
    }
    if standings.has_hidden() {
        lines.push(
            "?3 tried three times since the freeze: the results are not shown"
                .to_owned(),
        );
    }
    if left_out > 0 {
        let problems = if left_out == 1 {
            "problem is".to_owned()
        } else {
            format!("{left_out} problems are")
        };
        lines.push(format!(
            "the last {problems} not shown: the terminal is too narrow"
        ));
    }
    let failures = standings.common_failures.iter();
    lines.extend(failures.map(CommonFailure::sentence));
    if standings.is_interrupted {
        lines.push("judging was interrupted: attempts are missing".to_owned());
    }
    if standings.is_part {
        lines.push(
            "only some cases were judged: not the result of the contest".to_owned(),
        );
    }
    lines
}

/// The most characters of all problem names together in the header. Otherwise problems
/// are headed by letters, which are explained outside of the table.
const WIDEST_HEADER: usize = 72;

/// The most characters of a head. Alone, a name may be this long.
const LONGEST_HEAD: usize = 80;

/// The headers of the problems' columns: the labels that the contest gives them, if it
/// gives any.
pub(super) fn heads(columns: &[ProblemColumn], is_lettered: bool) -> Vec<String> {
    let has_labels = columns.iter().any(|column| column.details.label.is_some());
    let names: Vec<_> = columns
        .iter()
        .map(|column| {
            cut_text(
                column.details.label.as_deref().unwrap_or(&column.problem),
                LONGEST_HEAD,
            )
        })
        .collect();
    let width: usize = names.iter().map(|name| name.chars().count() + 2).sum();
    if has_labels || width <= WIDEST_HEADER && !is_lettered {
        names
    } else {
        (0..columns.len()).map(letters).collect()
    }
}

/// The heads that are not the names of their problems, each with that name.
pub(super) fn names_of_letters(
    heads: &[String],
    columns: &[ProblemColumn],
) -> Vec<String> {
    let names = columns.iter().map(|column| printable(&column.problem));
    heads
        .iter()
        .zip(names)
        .filter(|(head, name)| *head != name)
        .map(|(head, name)| format!("{head} {name}"))
        .collect()
}

/// `A` to `Z`, then `AA`, `AB`, ...
fn letters(place: usize) -> String {
    let last = char::from(b'A' + u8::try_from(place % 26).unwrap_or_default());
    if place < 26 {
        last.to_string()
    } else {
        letters(place / 26 - 1) + &last.to_string()
    }
}
