//! Standings as comma-separated values (RFC 4180), for spreadsheets and other programs.

use crate::report::standings::board::Board;
use crate::report::standings::board::Cell;

/// How every table starts.
pub const START: &str = "rank,team,solved,";

/// Writes a board.
pub fn csv(board: &Board) -> String {
    let mut header =
        ["rank", "team", "solved", "penalty", "last_solved", "points"].map(str::to_owned).to_vec();
    for column in &board.columns {
        let of = |what| field(&format!("{}.{what}", column.problem));
        header.extend(["result", "rejected", "minute", "points"].map(of));
    }
    let mut lines = vec![header.join(",")];
    for row in &board.rows {
        let last = if board.has_minutes && row.solved > 0 { row.last.to_string() } else { String::new() };
        let (rank, solved) = (row.rank.to_string(), row.solved.to_string());
        let mut fields =
            vec![rank, field(&row.team), solved, row.penalty.to_string(), last, row.points.to_string()];
        for cell in &row.cells {
            let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
            let rejected = Some(cell.rejected).filter(|_| cell.is_tried());
            let numbers = [number(rejected), number(cell.minute), number(cell.points)];
            fields.push(result(cell).to_owned());
            fields.extend(numbers);
        }
        lines.push(fields.join(","));
    }
    lines.join("\r\n") + "\r\n"
}

fn result(cell: &Cell) -> &'static str {
    match cell {
        Cell { is_solved: true, is_first: true, .. } => "first",
        Cell { is_solved: true, .. } => "solved",
        Cell { unjudged: 1.., .. } => "unjudged",
        Cell { rejected: 1.., .. } => "rejected",
        Cell { refused: 1.., .. } => "refused",
        _ => "",
    }
}

/// A name as a field. Spreadsheets take some beginnings for a formula, which nobody's name is to be.
fn field(name: &str) -> String {
    let is_formula = name.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let name = if is_formula { format!("'{name}") } else { name.to_owned() };
    let is_plain = !name.contains([',', '"', '\n', '\r']);
    if is_plain { name } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}
