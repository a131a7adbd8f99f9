//! Reads `symbols` and `blanks` in `[grid]`: the texts for the values of cells. Knows
//! of a shape only how many values it has.

use std::collections::BTreeSet;

use gridjudge_grid::{Shape, Symbols};

use crate::keys::KeyTable;
use crate::text::counted;

/// The most unprintable and the most repeated characters of one key that are reported:
/// no shape needs so many symbols.
const MOST_REPORTED: usize = 40;

/// The value of `symbols` for numbers instead of characters.
const NUMBERS: &str = "numbers";

/// The symbols that the keys say, if they are right for grids of which this is the
/// largest: there must be one for each value, and each character must have one meaning.
/// Notes all mistakes.
pub(super) fn symbols_of(
    table: &KeyTable,
    symbols: &str,
    blanks: &str,
    largest: &Shape,
) -> Option<Symbols> {
    let are_numbers = symbols == NUMBERS;
    let symbols = if are_numbers {
        String::new()
    } else {
        expanded(symbols)
    };
    let taken = if are_numbers {
        &"123456789"[..largest.values().min(9)]
    } else {
        &symbols
    };
    let are_right = [
        are_printable(table, "symbols", &symbols),
        are_printable(table, "blanks", blanks),
        are_numbers || are_enough(table, &symbols, largest),
        has_blank(table, blanks),
        are_different(table, &format!("{taken}{blanks}")),
    ];
    are_right.iter().all(|is_right| *is_right).then(|| {
        if are_numbers {
            Symbols::numbers(blanks)
        } else {
            Symbols::characters(&symbols, blanks)
        }
    })
}

/// Notes the unprintable characters of a key.
fn are_printable(table: &KeyTable, key: &str, text: &str) -> bool {
    let strange: BTreeSet<_> = text
        .chars()
        .filter(|letter| !letter.is_ascii_graphic())
        .collect();
    for letter in strange.iter().take(MOST_REPORTED) {
        table.refuse_value(
            key,
            format!("`{key}` holds {letter:?}"),
            "use printable ASCII characters, and no space",
        );
    }
    strange.is_empty()
}

/// Notes too few or too many symbols.
fn are_enough(table: &KeyTable, symbols: &str, largest: &Shape) -> bool {
    let count = symbols.chars().count();
    let needed = largest.values();
    // Unprintable characters have been noted; the count would be a second message about
    // them.
    let is_printable = symbols.chars().all(|letter| letter.is_ascii_graphic());
    if count == needed || !is_printable {
        return true;
    }
    let characters = counted(count, "character");
    let kind = if largest.is_magic() {
        "magic square"
    } else {
        "grid"
    };
    let order = largest.order();
    let message = format!(
        "`symbols` has {characters}, a {kind} of order {order} needs {needed}"
    );
    let remedy = match needed {
        1 => "write it alone, for example \"1\"".to_owned(),
        2..=9 => format!("write one for each value, for example \"1-{needed}\""),
        10..=35 => format!(
            "write one for each value, for example \"1-9A-{}\", or \"numbers\"",
            char::from(b'A' + needed as u8 - 10)
        ),
        _ => "write one for each value, or \"numbers\"".to_owned(),
    };
    table.refuse_value("symbols", message, remedy);
    false
}

fn has_blank(table: &KeyTable, blanks: &str) -> bool {
    if blanks.is_empty() {
        table.refuse_value(
            "blanks",
            "`blanks` is empty",
            "name the character that stands for a blank cell, for example `blanks = \
             \"0\"`",
        );
    }
    !blanks.is_empty()
}

/// Notes the visible characters that appear a second time among symbols and blanks.
fn are_different(table: &KeyTable, taken: &str) -> bool {
    let mut seen = BTreeSet::new();
    let repeated: BTreeSet<_> = taken
        .chars()
        .filter(|letter| letter.is_ascii_graphic() && !seen.insert(*letter))
        .collect();
    for letter in &repeated {
        table.refuse_value(
            "symbols",
            format!("`{letter}` appears twice among symbols and blanks"),
            "let each character mean one thing",
        );
    }
    repeated.is_empty()
}

/// Expands ranges in a text: `A-P` stands for all letters from `A` to `P`, likewise for
/// digits. A `-` elsewhere stands for itself.
fn expanded(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut all = String::new();
    let mut rest = &letters[..];
    while let [first, others @ ..] = rest {
        rest = match others {
            ['-', last, others @ ..] if is_range(*first, *last) => {
                all.extend(*first..=*last);
                others
            }
            _ => {
                all.push(*first);
                others
            }
        };
    }
    all
}

fn is_range(first: char, last: char) -> bool {
    let kinds: [fn(&char) -> bool; 3] = [
        char::is_ascii_digit,
        char::is_ascii_uppercase,
        char::is_ascii_lowercase,
    ];
    first < last && kinds.iter().any(|kind| kind(&first) && kind(&last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_expanded_and_any_other_dash_stands_for_itself() {
        for (text, expected) in [
            ("1-9", "123456789"),
            ("0-9A-F", "0123456789ABCDEF"),
            ("a-c", "abc"),
            ("-12", "-12"),
            ("12-", "12-"),
            ("9-1", "9-1"),
            ("1-a", "1-a"),
        ] {
            assert_eq!(expanded(text), expected, "{text}");
        }
    }
}
