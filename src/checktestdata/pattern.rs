//! Regular expressions as the library has them that Checktestdata uses, in the words of ours: between brackets, some signs mean more
//! to ours.

use regex::bytes::Regex;
use regex::bytes::RegexBuilder;

/// Bytes that a pattern may come to, and that looking for it may keep.
const MOST_COMPILED: usize = 1 << 20;
const MOST_KEPT: usize = 1 << 19;

/// A pattern that is to fit at the very beginning; none if it is none that is known here.
pub(super) fn at_beginning(pattern: &[u8]) -> Option<Regex> {
    let text = ours(std::str::from_utf8(pattern).ok()?);
    // What is none by itself may not become one by what is put around it.
    compiled(&text)?;
    // Lines end and begin within a text, as with that library.
    compiled(&format!(r"\A(?m:{text})"))
}

fn compiled(text: &str) -> Option<Regex> {
    let mut builder = RegexBuilder::new(text);
    builder.unicode(false).size_limit(MOST_COMPILED).dfa_size_limit(MOST_KEPT).build().ok()
}

/// The same pattern in our words.
fn ours(pattern: &str) -> String {
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

/// A class of letters, behind its first bracket. A bracket at its beginning is one of the letters, and so is one that opens, unless it
/// begins a name as `[:digit:]`.
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
    fn brackets_within_brackets_are_letters() {
        for (pattern, expected) in [
            ("[][,0-9]+", r"[\]\[,0-9]+"),
            ("[^]a]", r"[^\]a]"),
            ("[[:digit:]x]{2}", "[[:digit:]x]{2}"),
            (r"\[[a\]&&b]", r"\[[a\]\&\&b]"),
            ("a|(b[~~])", r"a|(b[\~\~])"),
        ] {
            assert_eq!(ours(pattern), expected);
        }
        let fits =
            |pattern: &str, text: &str| at_beginning(pattern.as_bytes()).unwrap().is_match(text.as_bytes());
        assert!(fits("[][,0-9]+", "[1,2]") && !fits("[][,0-9]+", "x") && fits("[[:digit:]x]{2}$", "1x\n2"));
        assert!(at_beginning(br"x)|(\n").is_none() && at_beginning(b"([^a]{500}){600}").is_none());
        assert!(
            at_beginning(br"(a)\1").is_none()
                && at_beginning(b"[a").is_none()
                && at_beginning(b"\xff").is_none()
        );
    }
}
