//! Reads `symbols` and `blanks` in `[grid]`: the texts for the values of cells. Knows
//! of a shape only how many values it has.

use crate::sorted::SortedSet;

use gridjudge_grid::{Shape, Symbols};

use crate::keys::KeyTable;
use crate::text::plural;

/// The most unprintable and the most repeated characters of one key that are reported:
/// no shape needs so many symbols.
const MOST_REPORTED: usize = 40;

/// The value of `symbols` for numbers instead of characters.
const NUMBERS: &str = "numbers";

/// The keys, before the shape of the grids is known.
pub(super) struct SymbolKeys {
    symbols: Option<String>,
    blanks: Option<String>,
}

/// The values of both keys, with ranges of symbols expanded.
struct SymbolTexts<'s> {
    /// One character for each symbol; empty if the symbols are numbers.
    symbols: String,
    are_numbers: bool,
    blanks: &'s str,
}

impl SymbolKeys {
    pub(super) fn read(table: &KeyTable) -> Self {
        Self {
            symbols: table
                .require("symbols", "`symbols = \"1-9\"`")
                .text("symbols"),
            blanks: table.require("blanks", "`blanks = \"0\"`").text("blanks"),
        }
    }

    /// The symbols, if they are right for grids of which this is the largest: there
    /// must be one for each value, and each character must have one meaning. Notes all
    /// mistakes.
    pub(super) fn of_shape(
        &self,
        table: &KeyTable,
        largest: &Shape,
    ) -> Option<Symbols> {
        let symbols = self.symbols.as_ref()?;
        let blanks = self.blanks.as_ref()?;
        let are_numbers = symbols == NUMBERS;
        let expanded = if are_numbers {
            String::new()
        } else {
            expanded(symbols)
        };
        let texts = SymbolTexts {
            symbols: expanded,
            are_numbers,
            blanks,
        };
        let mistakes = [
            texts.unprintable(),
            Vec::from_iter(texts.wrong_count(largest)),
            Vec::from_iter(texts.without_blank()),
            texts.ambiguous(largest),
        ]
        .concat();
        for (key, message, remedy) in &mistakes {
            table.refuse_value(key, message, remedy)
        }
        mistakes.is_empty().then(|| {
            if are_numbers {
                Symbols::numbers(blanks)
            } else {
                Symbols::characters(&texts.symbols, blanks)
            }
        })
    }
}

/// A mistake: its key, the message and the remedy.
type SymbolMistake = (&'static str, String, String);

impl SymbolTexts<'_> {
    fn unprintable(&self) -> Vec<SymbolMistake> {
        [("symbols", self.symbols.as_str()), ("blanks", self.blanks)]
            .into_iter()
            .flat_map(|(key, text)| {
                let strange: SortedSet<_> = text
                    .chars()
                    .filter(|letter| !letter.is_ascii_graphic())
                    .collect();
                strange
                    .into_iter()
                    .take(MOST_REPORTED)
                    .map(|letter| {
                        (
                            key,
                            format!("`{key}` holds {letter:?}"),
                            "use printable ASCII characters, and no space".to_owned(),
                        )
                    })
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    fn wrong_count(&self, largest: &Shape) -> Option<SymbolMistake> {
        let count = self.symbols.chars().count();
        let needed = largest.values();
        // Unprintable characters have been noted; the count would be a second message
        // about them.
        let is_printable = self.symbols.chars().all(|letter| letter.is_ascii_graphic());
        if self.are_numbers || count == needed || !is_printable {
            return None;
        }
        let characters = plural(count as u64, "character");
        let kind = if largest.is_magic() {
            "magic square"
        } else {
            "grid"
        };
        let order = largest.order();
        let message = format!(
            "`symbols` has {count} {characters}, a {kind} of order {order} needs {needed}"
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
        Some(("symbols", message, remedy))
    }

    fn without_blank(&self) -> Option<SymbolMistake> {
        let remedy =
            "name the character that stands for a blank cell, for example `blanks = \"0\"`"
                .to_owned();
        self.blanks.is_empty().then_some((
            "blanks",
            "`blanks` is empty".to_owned(),
            remedy,
        ))
    }

    fn ambiguous(&self, largest: &Shape) -> Vec<SymbolMistake> {
        let digits = &"123456789"[..largest.values().min(9)];
        let taken = if self.are_numbers {
            digits
        } else {
            &self.symbols
        };
        repeated(&format!("{taken}{}", self.blanks))
            .into_iter()
            .map(|letter| {
                (
                    "symbols",
                    format!("`{letter}` appears twice among symbols and blanks"),
                    "let each character mean one thing".to_owned(),
                )
            })
            .collect()
    }
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

/// The visible characters that appear a second time in a text.
fn repeated(text: &str) -> SortedSet<char> {
    let mut seen = SortedSet::new();
    text.chars()
        .filter(|letter| letter.is_ascii_graphic() && !seen.insert(*letter))
        .collect()
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
