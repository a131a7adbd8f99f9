//! Compiles regular expressions in the syntax of the library that Checktestdata uses. Between brackets, some
//! characters have a special meaning in our own library only, so they are escaped.

use std::borrow::Cow;

use regex_lite::Regex;
use regex_lite::RegexBuilder;

/// The largest size of a compiled pattern, in bytes. Matching the worst one at one place takes a third of a
/// second.
const MOST_COMPILED: usize = 1 << 19;

/// The size of most compiled patterns, in bytes.
const USUAL_COMPILED: usize = 1 << 11;

/// A pattern that must match at the very beginning of a text.
pub(super) struct DataPattern {
    regex: Regex,
    /// The least power of two such that this many times [`USUAL_COMPILED`] bytes are enough for the pattern.
    pub(super) size: u64,
}

impl DataPattern {
    /// Compiles a pattern; `None` if it is not supported or too large.
    pub(super) fn new(pattern: &[u8]) -> Option<Self> {
        let text = translated(&letters(pattern));
        // An invalid pattern must not become valid by the group that is put around it.
        compiled(&text, MOST_COMPILED)?;
        // `^` and `$` match at the lines within a text, as with that library.
        let text = format!(r"\A(?m:{text})");
        // Our library does not report how large a compiled pattern is, so size limits are tried.
        let sizes = std::iter::successors(Some(1), |size| Some(2 * size));
        let mut sizes = sizes.take_while(|size| size * USUAL_COMPILED <= MOST_COMPILED);
        sizes
            .find_map(|size| Some(Self { regex: compiled(&text, size * USUAL_COMPILED)?, size: size as u64 }))
    }

    /// The length in bytes of the match at the beginning.
    pub(super) fn fitting_bytes(&self, data: &[u8]) -> Option<usize> {
        let text = letters(data);
        self.regex.find(&text).map(|found| found.as_str().chars().count())
    }
}

fn compiled(text: &str, most: usize) -> Option<Regex> {
    RegexBuilder::new(text).size_limit(most).build().ok()
}

/// One character for each byte, as that library sees them.
fn letters(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => Cow::Borrowed(text),
        _ => bytes.iter().copied().map(char::from).collect(),
    }
}

/// Translates a pattern for our library.
fn translated(pattern: &str) -> String {
    let mut found = String::with_capacity(pattern.len());
    let mut rest = pattern.chars().peekable();
    while let Some(letter) = rest.next() {
        found.push(letter);
        match letter {
            '\\' => found.extend(rest.next()),
            '[' => class(&mut rest, &mut found),
            _ => {}
        }
    }
    found
}

/// Translates a character class, after its opening bracket. A closing bracket at its beginning is one of the
/// characters, and so is an opening one, unless it begins a name such as `[:digit:]`.
fn class(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, found: &mut String) {
    found.extend(rest.next_if_eq(&'^'));
    if rest.next_if_eq(&']').is_some() {
        found.push_str(r"\]");
    }
    while let Some(letter) = rest.next() {
        match letter {
            ']' => {
                found.push(']');
                return;
            }
            '\\' => {
                found.push('\\');
                found.extend(rest.next());
            }
            '[' if rest.peek() == Some(&':') => {
                found.push('[');
                for letter in rest.by_ref() {
                    found.push(letter);
                    if letter == ']' {
                        break;
                    }
                }
            }
            '[' | '&' | '~' => found.extend(['\\', letter]),
            _ => found.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_within_brackets_are_ordinary_characters() {
        for (pattern, expected) in [
            ("[][,0-9]+", r"[\]\[,0-9]+"),
            ("[^]a]", r"[^\]a]"),
            ("[[:digit:]x]{2}", "[[:digit:]x]{2}"),
            (r"\[[a\]&&b]", r"\[[a\]\&\&b]"),
            ("a|(b[~~])", r"a|(b[\~\~])"),
        ] {
            assert_eq!(translated(pattern), expected);
        }
        assert!(fits("[][,0-9]+", "[1,2]") && !fits("[][,0-9]+", "x") && fits("[[:digit:]x]{2}$", "1x\n2"));
    }

    #[test]
    fn invalid_and_large_patterns_are_refused() {
        for pattern in [r"x)|(\n", r"(a)\1", "[a", "([^a]{500}){600}"] {
            assert!(DataPattern::new(pattern.as_bytes()).is_none(), "{pattern}");
        }
        assert!(DataPattern::new(b"[A-Za-z0-9_ ]{1,4096}").is_some());
    }

    #[test]
    fn characters_of_a_pattern_are_bytes() {
        let fitting = |pattern: &[u8], data: &[u8]| DataPattern::new(pattern).unwrap().fitting_bytes(data);
        assert_eq!(fitting(b".{3}", b"\xe4\xb8\xad\n"), Some(3));
        assert_eq!(fitting("\u{4e2d}".as_bytes(), "\u{4e2d}a".as_bytes()), Some(3));
        assert_eq!(fitting(br"[\x80-\xff]*", b"\xff\x80a"), Some(2));
        assert_eq!(fitting(b"[^a]*", b"\x00\xffa"), Some(2));
        assert_eq!(fitting(br"\w", b"\xe9"), None);
    }

    fn fits(pattern: &str, text: &str) -> bool {
        DataPattern::new(pattern.as_bytes()).unwrap().fitting_bytes(text.as_bytes()).is_some()
    }
}
