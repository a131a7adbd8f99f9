//! The heads of the problems' columns, which are the same in all forms of standings: the name of
//! each problem, or letters if these are too long together.

use crate::report::standings::rows::ProblemColumn;
use crate::text::printable;

/// The most characters of all problem names together in the header. Otherwise problems are headed
/// by letters, which are explained outside of the table.
const WIDEST_HEADER: usize = 72;

/// The headers of the problems' columns.
pub(super) fn heads(columns: &[ProblemColumn], is_lettered: bool) -> Vec<String> {
    let names: Vec<_> = columns
        .iter()
        .map(|column| printable(&column.problem))
        .collect();
    let width: usize = names.iter().map(|name| name.chars().count() + 2).sum();
    if width <= WIDEST_HEADER && !is_lettered {
        names
    } else {
        (0..columns.len()).map(letters).collect()
    }
}

/// The heads that are not the names of their problems, each with that name.
pub(super) fn names_of_letters(heads: &[String], columns: &[ProblemColumn]) -> Vec<String> {
    let named: Vec<_> = heads
        .iter()
        .zip(columns.iter().map(|column| printable(&column.problem)))
        .collect();
    if named.iter().all(|(head, name)| *head == name) {
        return Vec::new();
    }
    named
        .into_iter()
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
