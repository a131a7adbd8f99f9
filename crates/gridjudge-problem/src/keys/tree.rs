//! A file as a tree of values with their places, and what its scalars may be. Knows no
//! key.

use std::rc::Rc;
use std::sync::LazyLock;

use indexmap::IndexMap;
use regex_lite::Regex;

use crate::mistake::{KeySyntax, ellipsized};
use KeyValue::{Flag, Float, List, Plain, Table, Text, Whole};

/// A place in a file: the bytes from `start` to `end`.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) struct FilePlace {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl FilePlace {
    /// The place from here to the end of another one.
    pub(crate) fn to(self, last: Self) -> Self {
        Self {
            start: self.start,
            end: last.end.max(self.end),
        }
    }
}

/// A value that was read, and its place.
#[derive(Clone)]
pub(crate) struct FoundValue<T> {
    pub(crate) value: T,
    pub(crate) place: FilePlace,
}

/// A value in a file.
pub(crate) type KeyNode = FoundValue<KeyValue>;

/// What a value may be.
pub(crate) enum KeyValue {
    /// In quotes, or a date or a time of TOML: a text and nothing else.
    Text(String),
    /// Without quotes in YAML: a text, and also a flag, a number or nothing if it reads
    /// like one.
    Plain(String),
    Flag(bool),
    /// A whole number. One that does not fit is the largest or smallest.
    Whole(i128),
    /// A number, which may be infinite or `nan`.
    Float(f64),
    List(Vec<Rc<KeyNode>>),
    Table(KeyEntries),
}

/// Keys and their values, in the order of the file.
pub(crate) type KeyEntries = IndexMap<String, KeyEntry>;

/// The value of a key, and the place of the key.
pub(crate) type KeyEntry = FoundValue<Rc<KeyNode>>;

/// Words for true and false of YAML 1.1, as PyYAML reads it; each may also begin with
/// or be in capital letters.
const FLAGS: [(&str, bool); 6] = [
    ("true", true),
    ("yes", true),
    ("on", true),
    ("false", false),
    ("no", false),
    ("off", false),
];

/// The largest whole number that is asked for in a message, if there is no other bound.
const MOST_OF_18_DIGITS: u64 = 999_999_999_999_999_999;

impl KeyNode {
    /// Whether there is no value.
    pub(super) fn is_null(&self) -> bool {
        matches!(
            &self.value,
            Plain(text) if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL")
        )
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Text(text) | Plain(text) if !self.is_null() => Some(text),
            _ => None,
        }
    }

    pub(super) fn owned_text(&self) -> Option<String> {
        self.text().map(str::to_owned)
    }

    pub(super) fn flag(&self) -> Option<bool> {
        match &self.value {
            Flag(flag) => Some(*flag),
            Plain(text) => {
                let rest = text.get(1..).unwrap_or_default();
                let is_default = text.bytes().all(|byte| byte.is_ascii_uppercase())
                    || rest.bytes().all(|byte| byte.is_ascii_lowercase());
                let mut words = FLAGS.iter().filter(|_| is_default);
                Some(words.find(|(word, _)| text.eq_ignore_ascii_case(word))?.1)
            }
            _ => None,
        }
    }

    /// A number. In YAML, as PyYAML reads it: `1`, `0.5`, `010` (8), `1_000`, `1:30`
    /// (90), `0x10`; but not `inf`. Beyond that, `1e-6`, which PyYAML takes for a text
    /// that its users convert, and `08`.
    pub(super) fn number(&self) -> Option<f64> {
        match &self.value {
            Plain(text) => listed_number(text),
            Whole(number) => Some(*number as f64),
            Float(number) => Some(*number),
            _ => None,
        }
    }

    /// A whole number within bounds.
    pub(super) fn whole(&self, least: u64, most: u64) -> Option<u64> {
        let number = match &self.value {
            Whole(number) => u64::try_from(*number).ok(),
            Plain(text) => listed_whole(text),
            _ => None,
        };
        number.filter(|number| (least..=most).contains(number))
    }

    /// The whole number within bounds, and with at most 18 digits, that is nearest to
    /// the value: the smallest one if it is no number.
    pub(super) fn nearest_whole(&self, least: u64, most: u64) -> u64 {
        // A number that is out of bounds becomes a bound.
        let number = self.number().unwrap_or_default() as u64;
        number.clamp(least, most.min(MOST_OF_18_DIGITS))
    }

    /// A text in quotes as the number in decimals that it holds, if it does.
    pub(super) fn without_quotes(&self) -> Option<Self> {
        let Text(text) = &self.value else {
            return None;
        };
        let number = decimal(&text.trim().replace('_', ""))?;
        Some(Self {
            value: Plain(number.to_string()),
            place: self.place,
        })
    }

    /// What readers of YAML 1.2 take a number for, in words, if it is another one to
    /// them.
    pub(super) fn other_reading(&self) -> Option<String> {
        let Plain(text) = &self.value else {
            return None;
        };
        let number = yaml_1_1(text)?;
        match yaml_1_2(text) {
            Some(other) if other == number => None,
            Some(other) => {
                Some(format!("{number}, and {other} to readers of YAML 1.2"))
            }
            None => Some(format!("{number}, and a text to readers of YAML 1.2")),
        }
    }

    pub(crate) fn list(&self) -> Option<&[Rc<KeyNode>]> {
        match &self.value {
            List(items) => Some(items),
            _ => None,
        }
    }

    pub(crate) fn table(&self) -> Option<&KeyEntries> {
        match &self.value {
            Table(entries) => Some(entries),
            _ => None,
        }
    }

    /// The texts of a list of nothing else.
    pub(crate) fn texts(&self) -> Option<Vec<String>> {
        self.list()?.iter().map(|item| item.owned_text()).collect()
    }

    /// The text that Python's `str` makes of what PyYAML reads, as `True` of `yes` and
    /// `8` of `010`.
    pub(super) fn python_text(&self) -> Option<String> {
        let Plain(text) = &self.value else {
            return self.owned_text();
        };
        if self.is_null() {
            return Some("None".to_owned());
        }
        if let Some(flag) = self.flag() {
            let word = if flag { "True" } else { "False" };
            return Some(word.to_owned());
        }
        let number = python_text(text);
        number.or_else(|| Some(text.clone()))
    }

    /// One text, or the texts of a list.
    pub(super) fn words(&self) -> Option<Vec<String>> {
        match self.text() {
            Some(text) => Some(vec![text.to_owned()]),
            None => self.texts(),
        }
    }
}

// The kinds of values that keys may have, and how values of another kind are put right.

/// A kind of value.
#[derive(Clone, Copy)]
pub(crate) struct ValueKind<'a> {
    /// Its name, as `a number`.
    pub(crate) what: &'a str,
    /// An example, as written in a file.
    pub(crate) example: &'a str,
}

pub(super) const TEXT: ValueKind<'_> = ValueKind::new("a text", "\"...\"");
pub(super) const FLAG: ValueKind<'_> = ValueKind::new("`true` or `false`", "true");
pub(super) const NUMBER: ValueKind<'_> = ValueKind::new("a number", "1e-6");
pub(super) const LIST: ValueKind<'_> =
    ValueKind::new("a list of texts", "[\"...\", \"...\"]");
pub(super) const LISTS: ValueKind<'_> =
    ValueKind::new("a list of lists of texts", "[[\"...\", \"...\"]]");
pub(super) const WORDS: ValueKind<'_> =
    ValueKind::new("a text or a list of texts", LIST.example);

impl<'a> ValueKind<'a> {
    pub(crate) const fn new(what: &'a str, example: &'a str) -> Self {
        Self { what, example }
    }

    /// The remedy for a value of another kind. `written` is the value's text in the
    /// file.
    pub(super) fn remedy(
        &self,
        syntax: KeySyntax,
        key: &str,
        node: &KeyNode,
        written: &str,
    ) -> String {
        let is_text = matches!(&node.value, Text(_));
        let is_plain = !matches!(&node.value, Text(_) | List(_) | Table(_));
        let wants_text = self.what.starts_with(TEXT.what);
        let wants_quotes = self.example.starts_with(['"', '[']);
        let text = ellipsized(node.text().unwrap_or_default(), 40);
        let is_number_or_flag =
            ["true", "false"].contains(&&*text) || text.parse::<f64>().is_ok();

        let (way, value) = if is_plain && wants_text {
            (
                "put it in quotes: ",
                format!("\"{}\"", ellipsized(written, 40)),
            )
        } else if is_text && !wants_quotes && is_number_or_flag {
            ("leave the quotes out: ", text)
        } else if self.what.contains("number") {
            ("write such a number, for example ", self.example.to_owned())
        } else {
            ("write it as ", self.example.to_owned())
        };
        let between = if syntax == KeySyntax::Toml {
            " = "
        } else {
            ": "
        };
        format!("{way}`{}{between}{value}`", key_as_written(key))
    }
}

/// A key as written in a file: in quotes if it has characters other than letters,
/// digits, `-` and `_`.
pub(super) fn key_as_written(key: &str) -> String {
    let key = ellipsized(key, 40);
    let is_plain = key
        .trim_end_matches("...")
        .chars()
        .all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter));
    if is_plain && !key.is_empty() {
        key
    } else {
        format!("{key:?}")
    }
}

// Reads numbers as YAML 1.1 and YAML 1.2 do. Sources: the resolver of PyYAML, and the
// core schema of YAML 1.2.

/// The numbers of PyYAML: whole ones in several bases, numbers in sixties, and those in
/// decimals, whose exponent has a sign and comes after a point.
static YAML_1_1: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^[-+]?(?:
            0b (?P<binary> [01_]+)
          | 0 (?P<octal> [0-7_]+)
          | 0x (?P<hexadecimal> [0-9a-fA-F_]+)
          | (?P<sixties> [1-9][0-9_]* (?: :[0-5]?[0-9])+
              | [0-9][0-9_]* (?: :[0-5]?[0-9])+ \. [0-9_]*)
          | (?P<decimal> 0 | [1-9][0-9_]*
              | (?: [0-9][0-9_]*\.[0-9_]* | \.[0-9][0-9_]* ) (?: [eE][-+][0-9]+ )?)
        )$",
    )
    .ok()
});

/// Returns the number that PyYAML reads: decimal, octal after `0`, hexadecimal after
/// `0x`, binary after `0b`, in sixties between colons; with `_` between digits. `None`
/// for a text, and for what is not finite.
fn yaml_1_1(text: &str) -> Option<f64> {
    let found = YAML_1_1.as_ref()?.captures(text)?;
    let digits = |form| Some(found.name(form)?.as_str().replace('_', ""));
    let in_base = |form, base| whole(&digits(form)?, base);
    let number = in_base("binary", 2)
        .or_else(|| in_base("octal", 8))
        .or_else(|| in_base("hexadecimal", 16))
        .or_else(|| {
            let digits = digits("sixties")?;
            let mut parts = digits.split(':');
            parts.try_fold(0.0, |number, part| Some(number * 60.0 + decimal(part)?))
        })
        .or_else(|| decimal(&digits("decimal")?))?;
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    Some(sign * number).filter(|number| number.is_finite())
}

/// Returns how Python shows the number that PyYAML reads; `None` for a text.
fn python_text(text: &str) -> Option<String> {
    let number = yaml_1_1(text)?;
    let digits = text.replace('_', "");
    let is_negative = digits.starts_with('-');
    let unsigned = digits.trim_start_matches(['+', '-']);
    let is_decimal = unsigned.bytes().all(|byte| byte.is_ascii_digit());
    if is_decimal && !unsigned.starts_with('0') {
        // It may have more digits than a float.
        let sign = if is_negative { "-" } else { "" };
        return Some(format!("{sign}{unsigned}"));
    }
    if !text.contains('.') {
        return Some(format!("{:.0}", number + 0.0));
    }
    let size = number.abs();
    if size == 0.0 || (1e-4..1e16).contains(&size) {
        return Some(format!("{number:?}"));
    }
    let shown = format!("{number:e}");
    let (mantissa, exponent) = shown.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    Some(format!("{mantissa}e{exponent:+03}"))
}

/// Returns the number that YAML 1.2 reads.
fn yaml_1_2(text: &str) -> Option<f64> {
    match text.get(..2) {
        Some("0x") => whole(&text[2..], 16),
        Some("0o") => whole(&text[2..], 8),
        _ => decimal(text),
    }
}

/// Returns the number that a scalar in a list stands for; `None` if it is none.
pub(crate) fn listed_number(text: &str) -> Option<f64> {
    yaml_1_1(text).or_else(|| decimal(text))
}

/// Returns the whole number that a scalar in a list stands for; `None` if it is none, or
/// negative.
pub(crate) fn listed_whole(text: &str) -> Option<u64> {
    let number = listed_number(text)?;
    (number.fract() == 0.0 && number >= 0.0).then_some(number as u64)
}

/// Returns a number in decimals, as `1`, `0.5` or `1e-6`, but not `0x10` or `inf`.
pub(crate) fn decimal(text: &str) -> Option<f64> {
    let is_decimal = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    text.parse()
        .ok()
        .filter(|number: &f64| is_decimal && number.is_finite())
}

/// Returns a whole number in a base.
fn whole(digits: &str, base: u32) -> Option<f64> {
    let mut number = 0.0;
    for letter in digits.chars() {
        number = number * f64::from(base) + f64::from(letter.to_digit(base)?);
    }
    (!digits.is_empty()).then_some(number)
}

/// The word for a value, among those that a key may have.
pub(crate) fn word_of<T: PartialEq>(
    words: &[(&'static str, T)],
    value: T,
) -> &'static str {
    words
        .iter()
        .find(|(_, known)| *known == value)
        .map_or("", |(word, _)| word)
}

#[cfg(test)]
mod numeral_tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_python_shows_them() {
        for (text, shown) in [
            ("7", "7"),
            ("+7", "7"),
            ("-7", "-7"),
            ("-0", "0"),
            ("12_345678901234567891", "12345678901234567891"),
            ("010", "8"),
            ("0x1F", "31"),
            ("1:30", "90"),
            ("1.", "1.0"),
            ("1.50", "1.5"),
            ("1.0e+3", "1000.0"),
            ("1.0e+16", "1e+16"),
            ("2.5e-5", "2.5e-05"),
            ("0.0001", "0.0001"),
        ] {
            assert_eq!(python_text(text).as_deref(), Some(shown), "{text}");
        }
        assert_eq!(python_text("1e3"), None);
    }

    #[test]
    fn numbers_are_read_as_pyyaml_reads_them() {
        let read = [
            ("1", 1.0),
            ("-1", -1.0),
            ("+1", 1.0),
            ("0", 0.0),
            ("010", 8.0),
            ("-010", -8.0),
            ("0_7", 7.0),
            ("1_000", 1000.0),
            ("1_0.5_0", 10.5),
            ("1:30", 90.0),
            ("1:1:1", 3661.0),
            ("1:30.5", 90.5),
            ("0x1F", 31.0),
            ("0b101", 5.0),
            (".5", 0.5),
            ("1.", 1.0),
            ("1.e+2", 100.0),
            ("010.5", 10.5),
            ("0:30.5", 30.5),
        ];
        for (text, number) in read {
            assert_eq!(yaml_1_1(text), Some(number), "{text}");
        }
        let texts = [
            "", "-", "08", "1e3", "1.0e3", "x", "_1", "0x", "0o10", "1:60", "1:",
            ":1", "1 ", ".", "1..2", ".inf",
        ];
        for text in texts {
            assert_eq!(yaml_1_1(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_of_yaml_1_2_have_no_octal_zero_and_no_sixties() {
        assert_eq!(yaml_1_2("010"), Some(10.0));
        assert_eq!(yaml_1_2("0o10"), Some(8.0));
        assert_eq!(yaml_1_2("1_000"), None);
        assert_eq!(yaml_1_2("0x1_0"), None);
        assert_eq!(yaml_1_2("1:30"), None);
        assert_eq!(yaml_1_2("1e3"), Some(1000.0));
    }
}
