//! Standings for a terminal. Cells are short, so that tens of problems fit beside each other.

use anstyle::AnsiColor;
use anstyle::Style;

use crate::report::columns;
use crate::report::standings::rows::ProblemColumn;
use crate::report::standings::rows::RankingMode;
use crate::report::standings::rows::TeamProblem;
use crate::report::standings::table::StandingsTable;
use crate::text::printable;

const HEADING: Style = Style::new().bold();
const LEGEND: Style = AnsiColor::BrightBlack.on_default();

/// Letters of the problems' names in a header together; beyond, letters stand for problems, and are explained below.
const WIDEST_HEADER: usize = 72;

/// Letters shown of a team's name.
const LONGEST_NAME: usize = 40;

/// Writes the standings. Colours are in it as codes, to be stripped where they are not wanted.
pub fn text(standings: &StandingsTable) -> String {
    let heads = heads(&standings.columns);
    let by_points = standings.rules.by == RankingMode::Points;
    let totals: &[&str] = if by_points { &["points"] } else { &["solved", "penalty"] };
    let header: Vec<_> =
        ["rank", "team"].iter().chain(totals).copied().chain(heads.iter().map(String::as_str)).collect();
    let figures: Vec<_> = (0..header.len()).filter(|place| *place != 1).collect();
    let rows = standings.rows.iter().map(|row| {
        let mut cells = vec![row.rank.to_string(), shortened(&row.team)];
        match standings.rules.by {
            RankingMode::Points => cells.push(row.points.to_string()),
            RankingMode::Icpc => cells.extend([row.solved.to_string(), row.penalty.to_string()]),
        }
        cells.extend(row.cells.iter().map(|cell| shown(cell, standings.rules.by)));
        (cells, (0, Style::new()))
    });
    let title = if standings.name.is_empty() {
        "standings".to_owned()
    } else {
        format!("standings of {}", standings.name)
    };
    let mut text = format!("\n{HEADING}{}{HEADING:#}\n", printable(&title));
    text += &columns::table(&header, &figures, rows, (None, &[]));
    legend(standings, &heads)
        .iter()
        .for_each(|line| text += &format!("{LEGEND}{}{LEGEND:#}\n", printable(line)));
    text
}

/// What stands above each problem's column.
fn heads(columns: &[ProblemColumn]) -> Vec<String> {
    let names: Vec<_> = columns.iter().map(|column| printable(&column.problem)).collect();
    let width: usize = names.iter().map(|name| name.chars().count() + 2).sum();
    if width <= WIDEST_HEADER { names } else { (0..columns.len()).map(letters).collect() }
}

/// `A` to `Z`, then `AA`, `AB`, ...
fn letters(place: usize) -> String {
    let last = char::from(b'A' + u8::try_from(place % 26).unwrap_or_default());
    if place < 26 { last.to_string() } else { letters(place / 26 - 1) + &last.to_string() }
}

/// A team's name, made harmless and not too long.
fn shortened(name: &str) -> String {
    let name = printable(name);
    match name.chars().count() > LONGEST_NAME {
        true => name.chars().take(LONGEST_NAME - 3).chain("...".chars()).collect(),
        false => name,
    }
}

/// `+2 95*`: solved in minute 95 after two rejected attempts, before all others.
fn shown(cell: &TeamProblem, by: RankingMode) -> String {
    let open = if cell.unjudged > 0 && !cell.is_solved { "?" } else { "" };
    let star = if cell.is_first { "*" } else { "" };
    let count = |count: u64| if count == 0 { String::new() } else { count.to_string() };
    let minute = cell.minute.map_or_else(String::new, |minute| format!(" {minute}"));
    match (by, cell) {
        (RankingMode::Points, TeamProblem { points: Some(points), .. }) => format!("{points}{open}"),
        (RankingMode::Icpc, TeamProblem { is_solved: true, rejected, .. }) => {
            format!("+{}{minute}{star}", count(*rejected))
        }
        (RankingMode::Icpc, TeamProblem { rejected: 1.., .. }) => format!("-{}{open}", cell.rejected),
        (_, TeamProblem { unjudged: 1.., .. }) => "?".to_owned(),
        (_, TeamProblem { refused: 1.., .. }) => "CE".to_owned(),
        _ => ".".to_owned(),
    }
}

/// What the signs mean, as far as they are used.
fn legend(standings: &StandingsTable, heads: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    let is_lettered =
        heads.iter().zip(&standings.columns).any(|(head, column)| *head != printable(&column.problem));
    if is_lettered {
        let names = heads.iter().zip(&standings.columns);
        let names: Vec<_> = names.map(|(head, column)| format!("{head} {}", column.problem)).collect();
        // A few on a line, so that tens of them can be read.
        lines.extend(names.chunks(5).map(|few| few.join(", ")));
    }
    let any = |is: fn(&TeamProblem) -> bool| standings.rows.iter().flat_map(|row| &row.cells).any(is);
    if standings.rules.by == RankingMode::Icpc {
        let minute = if standings.has_minutes { " 95" } else { "" };
        let when = if standings.has_minutes { " in minute 95" } else { "" };
        lines.push(format!("+2{minute} solved{when} after 2 rejected attempts; -2 rejected twice"));
    }
    if any(|cell| cell.is_first) && standings.rules.by == RankingMode::Icpc {
        lines.push("* solved before all others".to_owned());
    }
    if standings.is_incomplete() {
        lines.push("? could not be judged here, and counts neither for nor against".to_owned());
    }
    if standings.is_interrupted {
        lines.push("judging was interrupted: attempts are missing".to_owned());
    }
    if standings.is_part {
        lines.push("only some cases were judged: not the result of the contest".to_owned());
    }
    lines
}
