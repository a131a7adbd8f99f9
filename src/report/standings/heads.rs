//! The heads of the problems' columns, which are the same in all forms of standings: the name of
//! each problem, or letters if these are too long together.

use crate::report::html_text::cut;
use crate::report::standings::ProblemColumn;
use crate::text::printable;

/// The most characters of all problem names together in the header. Otherwise problems are headed
/// by letters, which are explained outside of the table.
const WIDEST_HEADER: usize = 72;

/// The most characters of a head. Alone, a name may be this long.
const LONGEST_HEAD: usize = 80;

/// The headers of the problems' columns: the labels that the contest gives them, if it gives any.
pub(super) fn heads(columns: &[ProblemColumn], is_lettered: bool) -> Vec<String> {
    let has_labels = columns.iter().any(|column| column.details.label.is_some());
    let names: Vec<_> = columns
        .iter()
        .map(|column| {
            cut(
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
pub(super) fn names_of_letters(heads: &[String], columns: &[ProblemColumn]) -> Vec<String> {
    let names = columns.iter().map(|column| printable(&column.problem));
    let named = heads.iter().zip(names).filter(|(head, name)| *head != name);
    named.map(|(head, name)| format!("{head} {name}")).collect()
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
