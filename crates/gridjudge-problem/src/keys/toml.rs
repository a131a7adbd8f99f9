//! Turns the tables of the TOML parser into a tree. Knows no key.

use std::ops::Range;
use std::rc::Rc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::keys::{FilePlace, KeyDocument, KeyEntries, KeyEntry, KeyNode, KeyValue};
use crate::mistake::{Mistake, quoted};

/// The largest file, in bytes, in which all syntax errors are looked for: there may be
/// one for each byte, and the parser keeps them all. In a larger one the first is
/// enough.
const MOST_RECOVERED: usize = 1 << 16;

impl From<Range<usize>> for FilePlace {
    fn from(Range { start, end }: Range<usize>) -> Self {
        Self { start, end }
    }
}

/// Parses the text of a document and notes the mistakes in its syntax. Where there are
/// any, the tree may be an artefact of the parser's recovery, and so may be a further
/// mistake in it.
pub(super) fn parse_toml(document: &KeyDocument) -> Option<Rc<KeyNode>> {
    let text = &document.text;
    let (root, errors) = match DeTable::parse(text) {
        Ok(root) => (root, vec![]),
        Err(_) if text.len() <= MOST_RECOVERED => DeTable::parse_recoverable(text),
        Err(error) => (Spanned::new(0..0, DeTable::default()), vec![error]),
    };
    let mut refusals: Vec<_> = errors
        .iter()
        .map(|error| explained(error, document))
        .collect();
    // The parser may report follow-up errors in the rest of a broken line.
    refusals.dedup_by_key(|refusal| refusal.line);
    for refusal in refusals {
        document.note_mistake(refusal);
    }
    let place = root.span().into();
    let value = KeyValue::Table(entries(root.into_inner()));
    Some(Rc::new(KeyNode { place, value }))
}

fn entries(table: DeTable<'_>) -> KeyEntries {
    let mut entries: KeyEntries = table
        .into_iter()
        .map(|(key, value)| {
            let place = key.span().into();
            let value = node(value);
            (key.into_inner().into_owned(), KeyEntry { place, value })
        })
        .collect();
    entries.sort_by_key(|_, entry| entry.place.start);
    entries
}

fn node(value: Spanned<DeValue<'_>>) -> Rc<KeyNode> {
    let place = value.span().into();
    let value = match value.into_inner() {
        DeValue::Table(table) => KeyValue::Table(entries(table)),
        DeValue::Array(items) => {
            KeyValue::List(items.into_iter().map(node).collect())
        }
        DeValue::String(text) => KeyValue::Text(text.into_owned()),
        DeValue::Boolean(flag) => KeyValue::Flag(flag),
        DeValue::Float(number) => {
            KeyValue::Float(number.as_str().parse().unwrap_or(f64::NAN))
        }
        DeValue::Datetime(date) => KeyValue::Text(date.to_string()),
        DeValue::Integer(number) => {
            let digits = number.as_str();
            let bound = if digits.starts_with('-') {
                i128::MIN
            } else {
                i128::MAX
            };
            let number =
                i128::from_str_radix(digits, number.radix()).unwrap_or(bound);
            KeyValue::Whole(number)
        }
    };
    Rc::new(KeyNode { place, value })
}

// Rewords the TOML parser's errors for readers who do not know TOML. Knows no key of
// ours.

/// The number of dots in a key from which on the parser rejects it.
const TOO_DEEP: usize = 80;

const NUMBER: &str =
    "write a number in digits, for example `9`, and a text in quotes";
const LINES: &str = "write one `key = value` or one `[table]` on a line; only a comment may follow it";

/// Remedies, each with how the parser's messages begin that it is for, and our messages.
/// The first that fits counts; a message that is not listed is kept as it is.
const WORDS: [(&str, &str); 16] = [
    (
        "no file of ours has tables in tables in tables: write `[input]` and its keys",
        "recursion limit => is nested too deeply",
    ),
    (
        "no file of ours has lists in lists in lists: write `[\"a\", \"b\"]`",
        "cannot recurse => is nested too deeply",
    ),
    (
        "put texts in quotes, for example `name = \"Sudoku\"`; numbers, `true` and `false` stand \
         alone",
        "string values must be quoted => a text is not in quotes
invalid date => a text is not in quotes
invalid time => a text is not in quotes
invalid boolean => a text is not in quotes",
    ),
    (
        "write a table as `{ a = 1, b = 2 }`, or with a line `[name]` above its keys",
        "missing comma between key => a comma is missing between two keys of one line
missing assignment => a `=` is missing after a key
missing key for inline => a key is missing between two commas
unclosed inline table => a `{` without its `}`
missing inline table opening => a `}` without its `{`",
    ),
    (
        LINES,
        "unexpected key or value => something comes after the value",
    ),
    ("delete it", "extra `=` => one `=` too many"),
    (
        "write it after the `=`, or delete the line",
        "missing value => the value is missing",
    ),
    (
        "write it as `key = value`",
        "key with no value => a key without a value",
    ),
    (
        "write the line as `[name]`",
        "unclosed table => a `[` without its `]`",
    ),
    (
        "put it in quotes, for example `[table.\"a name\"]`",
        "bare name => a name that needs quotes",
    ),
    (
        "write the line as `[[name]]`",
        "unclosed array table => a `[[` without its `]]`",
    ),
    (
        "write a list as `[\"a\", \"b\"]`, with `]` at its end",
        "unclosed array => a list is not closed
missing comma between array => a comma is missing in a list
extra comma in array => one comma too many in a list
unexpected `=` in array => a `=` inside a list
missing array opening => a `]` without its `[`",
    ),
    (
        "end the text with the quote that it began with, on the same line, and write `\\\\` for a \
         backslash",
        "missing escaped value => a backslash that escapes nothing
invalid basic string => a text in quotes is not closed, or holds what it must not
invalid literal string => a text in quotes is not closed, or holds what it must not
invalid multi-line => a text in three quotes is not closed, or holds what it must not
missing opening quote => a quote that opens nothing",
    ),
    (
        "write each key on a line of its own, for example `key = value`; a key may have only \
         letters, digits, `_` and `-`",
        "invalid unquoted key => a key with a character that no key may have
unquoted keys cannot be empty => a key is missing",
    ),
    (
        "leave the zeros out, or put a text in quotes",
        "unexpected leading zero => a number that begins with 0",
    ),
    (
        "save the file with ordinary line ends",
        "carriage return => a carriage return inside a line",
    ),
];

/// Explains an error of the parser.
fn explained(error: &toml::de::Error, document: &KeyDocument) -> Mistake {
    let text = &document.text;
    let said = error.message();
    let found = error.span();
    let start = found
        .as_ref()
        .map_or_else(|| deepest(text), |span| span.start);
    if let Some(span) = &found
        && said.starts_with("duplicate key")
    {
        let key = text.get(span.clone()).unwrap_or_default();
        return document.mistake(
            span.clone().into(),
            format!("{} appears twice", quoted(key)),
            "delete one of the two; everything in a table is below one `[table]`",
        );
    }
    let rest = text.get(start..).unwrap_or_default();
    let rest = rest.trim_start_matches([' ', '\t']);
    let is_bare = rest.starts_with(['\n', '\r', '#']) || rest.trim().is_empty();
    let line = rest.lines().next().unwrap_or_default();
    let is_closed = line.trim_end().ends_with(']');
    let said = if is_bare && said.starts_with("string values") {
        "missing value"
    } else if said.starts_with("unclosed table") && is_closed {
        // A bracket is closed, but after more than the letters, digits, `_` and `-` of a
        // name.
        "bare name"
    } else {
        said
    };
    let mut known = WORDS.iter().flat_map(|(remedy, rows)| {
        let rows = rows.lines().filter_map(|row| row.split_once(" => "));
        rows.map(|(start, message)| (start, message, *remedy))
    });
    let (message, remedy) = match known.find(|(start, ..)| said.starts_with(start)) {
        Some((_, message, remedy)) => (message.to_owned(), remedy),
        None if said.starts_with("invalid") && said.contains("number") => {
            ("no number".to_owned(), NUMBER)
        }
        None => (said.replace('\n', ", "), LINES),
    };
    document.mistake((start..start).into(), message, remedy)
}

/// The start of the first line with a key of too many parts, which the parser does not
/// report.
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
mod toml_syntax_tests {
    use std::path::Path;

    use toml::de::DeTable;

    use super::*;
    use crate::keys::KeyTable;

    const DEEP: &str = "is nested too deeply";

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
            ("[a.Ada Byron]\nb = 1\n", 1, "a name that needs quotes"),
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
            let document = KeyTable::of_text(Path::new("f.toml"), text).document;
            let wrong = explained(error, &document);
            assert_eq!(wrong.line, Some(line), "{text:.50}: {}", error.message());
            assert!(
                message.is_empty() || wrong.message == message,
                "{text:.50}: {}",
                error.message()
            );
            assert!(wrong.remedy.is_some_and(|remedy| !remedy.is_empty()));
        }
    }

    #[test]
    fn in_a_large_file_only_the_first_syntax_error_is_looked_for() {
        let mistakes = |lines: usize| {
            let text = "name = 1\n".to_owned() + &"\r\n=\n".repeat(lines);
            KeyTable::of_text(Path::new("f.toml"), text)
                .document
                .take_mistakes()
        };
        assert_eq!(mistakes(3).len(), 3);
        let found = mistakes(MOST_RECOVERED);
        assert_eq!((found.len(), found[0].line), (1, Some(3)));
    }
}
