//! Compiles regular expressions, and finds the longest match at a place, in time that grows with
//! the bytes looked at only.

use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{Compiler, Config, WhichCaptures};
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};

use crate::checktestdata::extended_regex::parse_extended_regex;

/// Most bytes of a compiled pattern: enough for 100,000 states, the most that Checktestdata allows.
const MOST_COMPILED: usize = 10 << 20;

/// Bytes that the states met while matching may take before they are forgotten.
const CACHE_BYTES: usize = 2 << 20;

/// Bytes of a new state, states of the pattern, and bytes of an input that take one step.
const BYTES_OF_A_STEP: usize = 16;
const STATES_OF_A_STEP: usize = 256;
const INPUT_BYTES_OF_A_STEP: u64 = 4;

/// A pattern that must match at the very beginning of a text.
pub(super) struct DataPattern {
    automaton: DFA,
    cache: Cache,
    states: usize,
}

impl DataPattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// Returns a message if it is wrong or too large.
    pub(super) fn new(pattern: &[u8]) -> Result<Self, String> {
        let parsed = parse_extended_regex(pattern);
        let parsed = parsed.map_err(|why| format!("the regular expression is wrong: {why}"))?;
        let too_large = "the regular expression is too large";
        let config = Config::new()
            .utf8(false)
            .which_captures(WhichCaptures::None)
            .nfa_size_limit(Some(MOST_COMPILED));
        let compiled = Compiler::new().configure(config).build_from_hir(&parsed);
        let compiled = compiled.map_err(|_| too_large.to_owned())?;
        let states = compiled.states().len();
        let config = DFA::config()
            .match_kind(MatchKind::All)
            .cache_capacity(CACHE_BYTES)
            .skip_cache_capacity_check(true);
        let automaton = DFA::builder().configure(config).build_from_nfa(compiled);
        let automaton = automaton.map_err(|_| too_large.to_owned())?;
        let cache = automaton.create_cache();
        Ok(Self {
            automaton,
            cache,
            states,
        })
    }

    /// The steps that it took to compile the pattern.
    pub(super) fn steps_to_compile(&self) -> u64 {
        100 + self.states as u64
    }

    /// The length in bytes of the longest match at the beginning. `count` is called with the steps
    /// of the search, and may end it.
    pub(super) fn longest_match<E>(
        &mut self,
        data: &[u8],
        mut count: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Option<usize>, E> {
        let beginning = start::Config::new().anchored(Anchored::Yes);
        // The automaton has no words that could end the search, and forgets states if there are too
        // many.
        let Ok(mut state) = self.automaton.start_state(&mut self.cache, &beginning) else {
            return Ok(None);
        };
        let mut longest = None;
        let mut known = self.cache.memory_usage();
        let mut looked_at = 0;
        for (length, byte) in data.iter().enumerate() {
            let Ok(next) = self.automaton.next_state(&mut self.cache, state, *byte) else {
                break;
            };
            let used = self.cache.memory_usage();
            if used != known {
                let new = used.abs_diff(known) / BYTES_OF_A_STEP + self.states / STATES_OF_A_STEP;
                count(1 + new as u64)?;
                known = used;
            }
            looked_at += 1;
            if looked_at == INPUT_BYTES_OF_A_STEP {
                count(1)?;
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
        Ok(if self.ends_in_a_match(state) {
            Some(data.len())
        } else {
            longest
        })
    }

    fn ends_in_a_match(&mut self, state: LazyStateID) -> bool {
        let last = self.automaton.next_eoi_state(&mut self.cache, state);
        last.is_ok_and(|last| last.is_match())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(pattern: &[u8], data: &[u8]) -> Result<Option<usize>, String> {
        Ok(DataPattern::new(pattern)?
            .longest_match(data, |_| Ok::<_, ()>(()))
            .unwrap())
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
