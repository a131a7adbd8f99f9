//! Rewords the TOML parser's errors for readers who do not know TOML. Knows no key of ours.

use crate::keys::tree::NotedMistake;
use crate::mistake::quoted;

/// The number of dots in a key from which on the parser rejects it.
const TOO_DEEP: usize = 80;

const DEEP: &str = "is nested too deeply";
const QUOTES: &str =
    "put texts in quotes, as `name = \"Sudoku\"`; numbers, `true` and `false` stand alone";
const LIST: &str = "write a list as `[\"a\", \"b\"]`, with `]` at its end";
const INLINE: &str = "write a table as `{ a = 1, b = 2 }`, or with a line `[name]` above its keys";
const TEXT: &str = "end the text with the quote that it began with, on the same line, and write `\\\\` for a backslash";
const NUMBER: &str = "write a number in digits, as `9`, and a text in quotes";
const KEY: &str = "write each key on a line of its own, as `key = value`; a key may have only letters, digits, `_` and `-`";
const LINES: &str =
    "write one `key = value` or one `[table]` on a line; only a comment may follow it";

/// How the parser's message begins, our message, and its remedy. A message that is not listed is
/// kept as it is.
const WORDS: [(&str, &str, &str); 31] = [
    (
        "recursion limit",
        DEEP,
        "no file of ours has tables in tables in tables: write `[input]` and its keys",
    ),
    (
        "cannot recurse",
        DEEP,
        "no file of ours has lists in lists in lists: write `[\"a\", \"b\"]`",
    ),
    (
        "string values must be quoted",
        "a text is not in quotes",
        QUOTES,
    ),
    ("invalid date", "a text is not in quotes", QUOTES),
    ("invalid time", "a text is not in quotes", QUOTES),
    ("invalid boolean", "a text is not in quotes", QUOTES),
    (
        "missing comma between key",
        "a comma is missing between two keys of one line",
        INLINE,
    ),
    ("missing assignment", "a `=` is missing after a key", INLINE),
    (
        "missing key for inline",
        "a key is missing between two commas",
        INLINE,
    ),
    (
        "unexpected key or value",
        "something comes after the value",
        LINES,
    ),
    ("extra `=`", "one `=` too many", "delete it"),
    (
        "missing value",
        "the value is missing",
        "write it after the `=`, or delete the line",
    ),
    (
        "key with no value",
        "a key without a value",
        "write it as `key = value`",
    ),
    (
        "unclosed table",
        "a `[` without its `]`",
        "write the line as `[name]`",
    ),
    (
        "unclosed array table",
        "a `[[` without its `]]`",
        "write the line as `[[name]]`",
    ),
    ("unclosed array", "a list is not closed", LIST),
    (
        "missing comma between array",
        "a comma is missing in a list",
        LIST,
    ),
    ("extra comma in array", "one comma too many in a list", LIST),
    ("unexpected `=` in array", "a `=` inside a list", LIST),
    ("missing array opening", "a `]` without its `[`", LIST),
    ("unclosed inline table", "a `{` without its `}`", INLINE),
    (
        "missing inline table opening",
        "a `}` without its `{`",
        INLINE,
    ),
    (
        "missing escaped value",
        "a backslash that escapes nothing",
        TEXT,
    ),
    (
        "invalid basic string",
        "a text in quotes is not closed, or holds what it must not",
        TEXT,
    ),
    (
        "invalid literal string",
        "a text in quotes is not closed, or holds what it must not",
        TEXT,
    ),
    (
        "invalid multi-line",
        "a text in three quotes is not closed, or holds what it must not",
        TEXT,
    ),
    ("missing opening quote", "a quote that opens nothing", TEXT),
    (
        "invalid unquoted key",
        "a key with a character that no key may have",
        KEY,
    ),
    ("unquoted keys cannot be empty", "a key is missing", KEY),
    (
        "unexpected leading zero",
        "a number that begins with 0",
        "leave the zeros out, or put a text in quotes",
    ),
    (
        "carriage return",
        "a carriage return inside a line",
        "save the file with ordinary line ends",
    ),
];

/// Explains an error of the parser.
pub(super) fn explained(error: &toml::de::Error, text: &str) -> NotedMistake {
    let said = error.message();
    let found = error.span();
    let start = found
        .as_ref()
        .map_or_else(|| deepest(text), |span| span.start);
    if let (true, Some(span)) = (said.starts_with("duplicate key"), &found) {
        let key = text.get(span.clone()).unwrap_or_default();
        let message = format!("{} appears twice", quoted(key));
        let remedy =
            "delete one of the two; everything in a table is below one `[table]`".to_owned();
        return NotedMistake {
            place: span.clone().into(),
            message,
            remedy,
        };
    }
    let rest = text.get(start..).unwrap_or_default();
    let is_bare = said.starts_with("string values")
        && rest
            .trim_start_matches([' ', '\t'])
            .starts_with(['\n', '\r', '#']);
    let is_bare = is_bare || said.starts_with("string values") && rest.trim().is_empty();
    let said = if is_bare { "missing value" } else { said };
    let known = WORDS.iter().find(|(start, ..)| said.starts_with(start));
    let (message, remedy) = match known {
        Some((_, message, remedy)) => ((*message).to_owned(), *remedy),
        None if said.starts_with("invalid") && said.contains("number") => {
            ("no number".to_owned(), NUMBER)
        }
        None => (said.replace('\n', ", "), LINES),
    };
    NotedMistake {
        place: (start..start).into(),
        message,
        remedy: remedy.to_owned(),
    }
}

/// The start of the first line with a key of too many parts, which the parser does not report.
fn deepest(text: &str) -> usize {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.matches('.').count() >= TOO_DEEP {
            return start;
        }
        start += line.len();
    }
    0
}

#[cfg(test)]
mod tests {
    use toml::de::DeTable;

    use super::*;

    #[test]
    fn broken_syntax_is_reported_in_plain_words_at_its_line() {
        let deep = format!("a = 1\n{} = 1\n", ["a"; 90].join("."));
        let nested = format!("a = 1\nb = {}", "[".repeat(100));
        for (text, line, message) in [
            ("a = 1\na = 2\n", 2, "`a` appears twice"),
            ("[a]\nb = 1\n[a]\n", 3, "`a` appears twice"),
            (&deep, 2, DEEP),
            (&nested, 2, DEEP),
            ("a = \n", 1, "the value is missing"),
            ("a =", 1, "the value is missing"),
            ("a = # b\n", 1, "the value is missing"),
            ("a = b\n", 1, "a text is not in quotes"),
            ("a = = 1\n", 1, "one `=` too many"),
            ("a\n", 1, "a key without a value"),
            ("[a\n", 1, "a `[` without its `]`"),
            ("\na = [1, 2\n", 2, "a list is not closed"),
            ("a = [1 2]\n", 1, "a text is not in quotes"),
            (
                "a = \"b\n",
                1,
                "a text in quotes is not closed, or holds what it must not",
            ),
            (
                "a = 'b\n",
                1,
                "a text in quotes is not closed, or holds what it must not",
            ),
            ("a = 01\n", 1, "a number that begins with 0"),
            ("a b = 1\n", 1, ""),
            ("= 1\n", 1, ""),
            ("a = {b = 1\n", 1, ""),
            ("a = \"\\q\"\n", 1, ""),
        ] {
            let error = &DeTable::parse_recoverable(text).1[0];
            let wrong = explained(error, text);
            let found = 1 + text[..wrong.place.start].matches('\n').count();
            assert_eq!(found, line, "{text:.50}: {}", error.message());
            assert!(
                message.is_empty() || wrong.message == message,
                "{text:.50}: {}",
                error.message()
            );
            assert!(!wrong.remedy.is_empty());
        }
    }
}
