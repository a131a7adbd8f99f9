//! Reads an input from its current place. Knows bytes and lines.

use std::collections::HashMap;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{Compiler, Config, WhichCaptures};
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};

use crate::checktestdata::arithmetic::break_off;
use crate::checktestdata::extended_regex::parse_extended_regex;
use crate::checktestdata::{Checked, FloatNotation, StepCounter};

/// Steps that it takes to compile any pattern, beside one for each of its states.
const STEPS_TO_COMPILE: u64 = 100;

/// Most patterns that are kept compiled.
const MOST_PATTERNS: usize = 32;

/// A number that need not be an integer, as it is written.
pub(super) struct WrittenFloat<'a> {
    pub(super) text: &'a [u8],
    pub(super) has_exponent: bool,
    /// The digits behind the point.
    pub(super) decimals: usize,
}

/// An input, and the current place in it.
pub(super) struct DataCursor<'a> {
    data: &'a [u8],
    at: usize,
    /// The line, and the byte in it, both from 1.
    pub(super) line: usize,
    pub(super) column: usize,
    patterns: HashMap<Vec<u8>, DataPattern>,
}

impl<'a> DataCursor<'a> {
    pub(super) fn new(data: &'a [u8]) -> Self {
        Self {
            data,
            at: 0,
            line: 1,
            column: 1,
            patterns: HashMap::new(),
        }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.data.len()
    }

    /// The next byte.
    pub(super) fn peek(&self) -> Option<u8> {
        self.data.get(self.at).copied()
    }

    /// Passes this text if it comes next, or else the bytes that agree with it, and
    /// returns whether it was all of the text.
    pub(super) fn take_text(&mut self, text: &[u8]) -> bool {
        let rest = &self.data[self.at..];
        let alike = text
            .iter()
            .zip(rest)
            .take_while(|(wanted, found)| wanted == found)
            .count();
        self.advance(alike);
        alike == text.len()
    }

    /// Passes white space up to the end of the line, and returns whether there was any.
    pub(super) fn skip_blanks(&mut self) -> bool {
        let blanks = self.data[self.at..]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c))
            .count();
        self.advance(blanks);
        blanks > 0
    }

    /// The digits that come next, perhaps after a sign. Does not pass them.
    pub(super) fn integer(&self) -> &'a [u8] {
        let rest = &self.data[self.at..];
        let sign = usize::from(rest.first() == Some(&b'-'));
        &rest[..sign + digits_at(rest, sign)]
    }

    /// The number that comes next, in this notation. Does not pass it.
    ///
    /// # Errors
    /// Returns what is wrong with it.
    pub(super) fn float(
        &self,
        notation: FloatNotation,
    ) -> Result<WrittenFloat<'a>, &'static str> {
        let rest = &self.data[self.at..];
        let sign = usize::from(rest.first() == Some(&b'-'));
        let whole = digits_at(rest, sign);
        if whole == 0 {
            return Err("expected a number");
        }
        if whole > 1 && rest[sign] == b'0' {
            return Err("a number begins with 0");
        }
        let mut end = sign + whole;
        let mut decimals = 0;
        if rest.get(end) == Some(&b'.') {
            decimals = digits_at(rest, end + 1);
            if decimals == 0 {
                return Err("no digit follows the decimal point");
            }
            end += 1 + decimals;
        }
        let has_exponent = notation != FloatNotation::Fixed
            && matches!(rest.get(end), Some(b'e' | b'E'));
        if has_exponent {
            let start =
                end + 1 + usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
            match digits_at(rest, start) {
                0 => {
                    return Err("an exponent has no digits");
                }
                2.. if rest[start] == b'0' => {
                    return Err("an exponent begins with 0");
                }
                digits => {
                    end = start + digits;
                }
            }
        } else if notation == FloatNotation::Scientific {
            return Err("expected a number with an exponent");
        }
        Ok(WrittenFloat {
            text: &rest[..end],
            has_exponent,
            decimals,
        })
    }

    /// The bytes that come next and match a pattern, as many as possible. Does not pass
    /// them.
    ///
    /// # Errors
    /// Stops if the pattern is wrong, or takes too many steps.
    pub(super) fn matched(
        &mut self,
        pattern: &[u8],
        steps: &mut StepCounter<'_>,
    ) -> Checked<Option<&'a [u8]>> {
        let rest = &self.data[self.at..];
        let compiled = match self.patterns.get_mut(pattern) {
            Some(compiled) => compiled,
            None => {
                let compiled = DataPattern::new(pattern)?;
                steps.count(STEPS_TO_COMPILE + compiled.states as u64)?;
                if self.patterns.len() == MOST_PATTERNS {
                    self.patterns.clear();
                }
                self.patterns.entry(pattern.to_owned()).or_insert(compiled)
            }
        };
        let longest = compiled.longest_match(rest, steps)?;
        Ok(longest.map(|bytes| &rest[..bytes]))
    }

    /// Passes this many bytes.
    pub(super) fn advance(&mut self, bytes: usize) {
        for byte in &self.data[self.at..self.at + bytes] {
            self.column += 1;
            if *byte == b'\n' {
                self.line += 1;
                self.column = 1;
            }
        }
        self.at += bytes;
    }
}

/// The number of digits in a text from a byte on.
pub(super) fn digits_at(text: &[u8], from: usize) -> usize {
    let rest = text.iter().skip(from);
    rest.take_while(|byte| byte.is_ascii_digit()).count()
}

// Compiles regular expressions, and finds the longest match at a place, in time that
// grows with the bytes looked at only.

/// Most bytes of a compiled pattern: enough for 100,000 states, the most that
/// Checktestdata allows.
const MOST_COMPILED: usize = 10 << 20;

/// Bytes that the states met while matching may take before they are forgotten.
const CACHE_BYTES: usize = 2 << 20;

/// Bytes of a new state, states of the pattern, and bytes of an input that take one
/// step.
const BYTES_OF_A_STEP: usize = 16;
const STATES_OF_A_STEP: usize = 256;
const INPUT_BYTES_OF_A_STEP: u64 = 4;

/// A pattern that must match at the very beginning of a text.
struct DataPattern {
    automaton: DFA,
    cache: Cache,
    states: usize,
}

impl DataPattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// Stops if it is wrong or too large.
    fn new(pattern: &[u8]) -> Checked<Self> {
        let parsed = parse_extended_regex(pattern).or_else(|why| {
            break_off(format!("the regular expression is wrong: {why}"))
        })?;
        let too_large = "the regular expression is too large";
        let compiled = Compiler::new()
            .configure(
                Config::new()
                    .utf8(false)
                    .which_captures(WhichCaptures::None)
                    .nfa_size_limit(Some(MOST_COMPILED)),
            )
            .build_from_hir(&parsed)
            .or_else(|_| break_off(too_large))?;
        let states = compiled.states().len();
        let automaton = DFA::builder()
            .configure(
                DFA::config()
                    .match_kind(MatchKind::All)
                    .cache_capacity(CACHE_BYTES)
                    .skip_cache_capacity_check(true),
            )
            .build_from_nfa(compiled)
            .or_else(|_| break_off(too_large))?;
        let cache = automaton.create_cache();
        Ok(Self {
            automaton,
            cache,
            states,
        })
    }

    /// The length in bytes of the longest match at the beginning.
    fn longest_match(
        &mut self,
        data: &[u8],
        steps: &mut StepCounter<'_>,
    ) -> Checked<Option<usize>> {
        // The automaton has no words that could end the search, and forgets states if
        // there are too many.
        let Ok(mut state) = self.automaton.start_state(
            &mut self.cache,
            &start::Config::new().anchored(Anchored::Yes),
        ) else {
            return Ok(None);
        };
        let mut longest = None;
        let mut known = self.cache.memory_usage();
        let mut looked_at = 0;
        for (length, byte) in data.iter().enumerate() {
            let Ok(next) = self.automaton.next_state(&mut self.cache, state, *byte)
            else {
                break;
            };
            let used = self.cache.memory_usage();
            if used != known {
                let new = used.abs_diff(known) / BYTES_OF_A_STEP
                    + self.states / STATES_OF_A_STEP;
                steps.count(1 + new as u64)?;
                known = used;
            }
            looked_at += 1;
            if looked_at == INPUT_BYTES_OF_A_STEP {
                steps.count(1)?;
                looked_at = 0;
            }
            state = next;
            // A match is reported one byte late.
            if state.is_match() {
                longest = Some(length);
            }
            if state.is_dead() {
                return Ok(longest);
            }
        }
        let last = self.automaton.next_eoi_state(&mut self.cache, state);
        Ok(if last.is_ok_and(|last| last.is_match()) {
            Some(data.len())
        } else {
            longest
        })
    }
}

#[cfg(test)]
mod pattern_tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::checktestdata::Stop;

    fn matched(pattern: &[u8], data: &[u8]) -> Result<Option<usize>, String> {
        let is_cancelled = AtomicBool::new(false);
        let mut steps = StepCounter::new(u64::MAX, &is_cancelled);
        DataPattern::new(pattern)
            .and_then(|mut pattern| pattern.longest_match(data, &mut steps))
            .map_err(|stop| match stop {
                Stop::Broken(why) => why,
                other => panic!("{other:?}"),
            })
    }

    #[test]
    fn the_longest_match_counts_and_not_the_first_alternative() {
        for (pattern, data, expected) in [
            ("a|ab", "abc", Some(2)),
            ("(a|ab)(c|bcd)", "abcd", Some(4)),
            ("(a*)+b", "aaab", Some(4)),
            ("a||b", "b", Some(1)),
            ("|a", "b", Some(0)),
            ("", "b", Some(0)),
            ("[a-z]+", "", None),
            ("a{2}?", "a", Some(0)),
            ("a{1,2}{2}", "aaaaa", Some(4)),
            ("a{0}b", "b", Some(1)),
            (".*", "a\nb", Some(3)),
        ] {
            assert_eq!(
                matched(pattern.as_bytes(), data.as_bytes()),
                Ok(expected),
                "{pattern}"
            );
        }
        assert_eq!(matched(b".{2}", b"\xff\x00"), Ok(None));
        assert_eq!(
            matched("[a-z]*".as_bytes(), &b"x".repeat(1 << 20)),
            Ok(Some(1 << 20))
        );
    }

    #[test]
    fn anchors_match_where_the_pattern_begins_and_the_input_ends() {
        assert_eq!(matched(b"^a", b"ab"), Ok(Some(1)));
        assert_eq!(matched(b"a$", b"a"), Ok(Some(1)));
        assert_eq!(matched(b"a$", b"a\n"), Ok(None));
        assert_eq!(matched(b"a\n^b", b"a\nb"), Ok(None));
    }

    #[test]
    fn between_brackets_a_backslash_is_an_ordinary_character() {
        for (pattern, data, expected) in [
            (r"[\.]+", r"\.", Some(2)),
            (r"[\n]", "n", Some(1)),
            ("[][,0-9]+", "[1,2]", Some(5)),
            ("[^]a]", "b", Some(1)),
            ("[+--]+", ",-", Some(2)),
            ("[-a]+", "-a", Some(2)),
            ("[a-]+", "-a", Some(2)),
            ("[[:digit:][:UPPER:]_]+", "1A_b", Some(3)),
            ("[[.-.]a]+", "a-", Some(2)),
            ("[[a]+", "[a", Some(2)),
            ("[[:digit:]x]{2}a]}", "1xa]}", Some(5)),
        ] {
            assert_eq!(
                matched(pattern.as_bytes(), data.as_bytes()),
                Ok(expected),
                "{pattern}"
            );
        }
        assert_eq!(matched(b"[\x80-\xff]*", b"\xff\x80a"), Ok(Some(2)));
    }

    #[test]
    fn wrong_and_large_patterns_are_refused() {
        for pattern in [
            r"x)|(\n",
            r"(a)\1",
            r"\d",
            r"\-",
            "a\\",
            "[a",
            "[]",
            "[z-a]",
            "[a-c-e]",
            "[a-[:digit:]]",
            "[[:digit:]-z]",
            "[[:foo:]]",
            "*a",
            "a|*b",
            "^*",
            "(*b)",
            "(?:a)",
            "(a",
            "{a",
            "a{,3}",
            "a{2",
            "a{3,2}",
            "a{ 1}",
            "a{1,2,3}",
        ] {
            let why = matched(pattern.as_bytes(), b"a").unwrap_err();
            assert!(
                why.starts_with("the regular expression is wrong: "),
                "{pattern}: {why}"
            );
        }
        for pattern in [
            "([^a]{5000}){600}",
            "a{99999999999}",
            "((a{1000}){1000}){1000}",
        ] {
            assert_eq!(
                matched(pattern.as_bytes(), b"a"),
                Err("the regular expression is too large".to_owned())
            );
        }
        for (open, close) in [("(", ")"), ("a", "*")] {
            let deep = format!("{}{}", open.repeat(100_000), close.repeat(100_000));
            assert!(
                matched(deep.as_bytes(), b"a")
                    .unwrap_err()
                    .contains("more than")
            );
        }
        assert!(DataPattern::new(b"[A-Za-z0-9_ ]{1,30000}").is_ok());
    }
}
