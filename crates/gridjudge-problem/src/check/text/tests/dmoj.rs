//! The checkers of DMOJ, and the comparison of online-judge-tools: edge cases of each,
//! and a naive implementation of each rule with random texts on which both must agree.

use proptest::prelude::*;

use super::*;
use crate::model::{ErrorMeasure, NumberLineRules};

fn numbers(precision: i32, measure: ErrorMeasure) -> TextTask {
    let tolerance = Tolerance::new(10f64.powi(-precision)).unwrap();
    TextTask::NumberLines(NumberLineRules { tolerance, measure })
}

fn is_right(task: &TextTask, found: &str, expected: &str) -> bool {
    verdict(task, found, expected) == Verdict::Accepted
}

#[track_caller]
fn holds(task: &TextTask, rows: &[(&str, &str, bool)]) {
    for (found, expected, right) in rows {
        assert_eq!(
            is_right(task, found, expected),
            *right,
            "{found:?} {expected:?} {task:?}"
        );
    }
}

#[test]
fn the_standard_checker_wants_the_same_tokens_on_the_same_lines() {
    holds(
        &TextTask::TokenLines,
        &[
            ("1 2\n3\n", "1 2\n3\n", true),
            ("1\t 2 \n\n \n3", "1 2\n3\n", true),
            ("\n 1 2\r\n3\r\n\r\n", "1 2\n3\n", true),
            ("1 2\r3", "1 2\n3\n", true),
            ("1\n2\n3\n", "1 2\n3\n", false),
            ("1 2 3\n", "1 2\n3\n", false),
            ("1 2\n", "1 2\n3\n", false),
            ("1 2\n3\n4", "1 2\n3\n", false),
            ("Yes\n", "YES\n", false),
            ("12\n", "1\n", false),
            ("", "\n", true),
            ("", "1\n", false),
            ("1\u{a0}2", "1 2", false),
        ],
    );
}

#[test]
fn the_checker_that_strips_lines_counts_each_of_them() {
    holds(
        &TextTask::StrippedLines,
        &[
            ("1 2 \n3\t\n", "1 2\n3\n", true),
            ("1 2\n3", "1 2\n3\n", false),
            ("1 2\n3\n\n", "1 2\n3\n", false),
            ("1 2\r\n3\r\n", "1 2\n3\n", false),
            ("1 2\r3\r", "1 2\n3\n", true),
            ("1  2\n3\n", "1 2\n3\n", false),
            (" 1 2\n3\n", "1 2\n3\n", false),
            ("1 2\n 3\n", "1 2\n3\n", false),
            ("1\n  \n3\n", "1\n\n3\n", true),
            ("1\n3\n", "1\n\n3\n", false),
            ("1\n   ", "1\n", true),
            ("   ", "", true),
            ("\n", "", false),
        ],
    );
}

#[test]
fn the_checker_that_strips_lines_may_ignore_empty_ones() {
    holds(
        &TextTask::StrippedFilledLines,
        &[
            ("\n1 2 \n\n\n3\t\n\n", "1 2\n3\n", true),
            ("1 2\n3", "1 2\n3\n", true),
            ("1 2\r\n3\r\n", "1 2\n3\n", true),
            ("1  2\n3\n", "1 2\n3\n", false),
            ("1 2\n 3\n", "1 2\n3\n", false),
            ("\n 1 2\n3\n", "1 2\n3\n", false),
            ("1 2 3\n", "1 2\n3\n", false),
            ("1 2\n \n3\n", "1 2\n3\n", false),
            ("1\n ", "1\n", false),
            ("\n", "", true),
            (" ", "", false),
        ],
    );
}

#[test]
fn the_checker_of_numbers_counts_lines_of_white_space_and_not_empty_ones() {
    let task = numbers(3, ErrorMeasure::Either);
    holds(
        &task,
        &[
            ("1.0005 a\n\n2\n", "1 a\n2\n", true),
            ("1\r\n2\r\n", "1\n2\n", true),
            ("1\n \n2\n", "1\n2\n", false),
            ("1\n2\n ", "1\n2\n", false),
            ("1\n2 ", "1\n2\n", true),
            (" \n1\n2\n", "1\n2\n", false),
            (" 1\n2\n", "1\n2\n", true),
            ("\n\n1\n2\n", "1\n2\n", true),
            (" \n", " ", true),
            (" ", "\n", false),
            ("1 2\n", "1\n2\n", false),
            ("1 A\n", "1 a\n", false),
            ("1_0\n", "10\n", true),
            ("x\n", "10\n", false),
            ("inf\n", "10\n", false),
            ("nan\n", "10\n", false),
            ("1e400\n", "10\n", false),
            ("10\n", "a\n", false),
        ],
    );
}

#[test]
fn errors_are_measured_as_the_checker_is_configured() {
    let [either, absolute, relative] = [
        ErrorMeasure::Either,
        ErrorMeasure::Absolute,
        ErrorMeasure::Relative,
    ]
    .map(|one| numbers(3, one));
    holds(
        &either,
        &[
            ("1001", "1000", true),
            ("0.001", "0", true),
            ("0.0011", "0", false),
            ("1002", "1000", false),
        ],
    );
    holds(
        &absolute,
        &[
            ("1001", "1000", false),
            ("0.001", "0", true),
            ("1.0005", "1", true),
        ],
    );
    holds(
        &relative,
        // As floats, 1000 * 1.001 is less than 1001.
        &[
            ("1000.9", "1000", true),
            ("1001", "1000", false),
            ("0.0001", "0", false),
            ("0", "0.0", true),
            ("-1000.9", "-1000", true),
        ],
    );
    // Where either measure suffices, no relative error is allowed for an answer smaller
    // than the bound itself.
    let coarse = numbers(0, ErrorMeasure::Either);
    holds(
        &coarse,
        &[
            ("1.4", "0.5", true),
            ("1.6", "0.5", false),
            ("2", "1", true),
            ("5", "3", true),
            ("7", "3", false),
        ],
    );
}

#[test]
fn online_judge_tools_compare_every_byte_except_carriage_returns_before_line_feeds() {
    let task = TextTask::CrlfInsensitive;
    holds(
        &task,
        &[
            ("1\n2\n", "1\n2\n", true),
            ("1\r\n2\n", "1\n2\r\n", true),
            ("1 \n2\n", "1\n2\n", false),
            ("1\n2", "1\n2\n", false),
            ("1\n2\n\n", "1\n2\n", false),
            ("\n1\n2\n", "1\n2\n", false),
            ("1\r2\n", "1\n2\n", false),
            ("1\r\r\n2\n", "1\n2\n", false),
            ("1\n2\n\r", "1\n2\n", false),
            ("A\n", "a\n", false),
            ("", "\r\n", false),
            ("\n", "\r\n", true),
        ],
    );
    assert_eq!(verdict(&task, "3 \n", "3\n"), Verdict::WrongAnswer);
    assert_eq!(
        messages(&task, "1\r\n3 \n", "1\n3\n"),
        ["line 2, at the end of the output: found `\u{b7}\\n`, expected `\\n`"]
    );
}

fn is_space(byte: u8) -> bool {
    b" \n\r\t\x0b\x0c".contains(&byte)
}

fn lines(text: &str) -> Vec<&[u8]> {
    text.as_bytes()
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .collect()
}

fn tokens_of(line: &[u8]) -> Vec<&[u8]> {
    line.split(|byte| is_space(*byte))
        .filter(|token| !token.is_empty())
        .collect()
}

/// Whether an output passes, by the naive implementation.
fn passes(task: &TextTask, found: &str, expected: &str) -> bool {
    match task {
        TextTask::TokenLines => {
            let full = |text| {
                lines(text)
                    .into_iter()
                    .map(tokens_of)
                    .filter(|line| !line.is_empty())
                    .collect::<Vec<_>>()
            };
            full(found) == full(expected)
        }
        TextTask::CrlfInsensitive => {
            found.replace("\r\n", "\n") == expected.replace("\r\n", "\n")
        }
        TextTask::StrippedLines => {
            let stripped = |text| {
                lines(text)
                    .into_iter()
                    .map(<[u8]>::trim_ascii_end_all)
                    .collect::<Vec<_>>()
            };
            stripped(found) == stripped(expected)
        }
        TextTask::StrippedFilledLines => {
            let filled =
                |text| lines(text).into_iter().filter(|line| !line.is_empty());
            filled(found)
                .map(<[u8]>::trim_ascii_end_all)
                .eq(filled(expected).map(<[u8]>::trim_ascii_end_all))
        }
        TextTask::NumberLines(rules) => {
            let full = |text| {
                lines(text)
                    .into_iter()
                    .filter(|line| !line.is_empty())
                    .map(tokens_of)
                    .collect::<Vec<_>>()
            };
            let one = full(found);
            let other = full(expected);
            one.len() == other.len()
                && one.iter().zip(&other).all(|(one, other)| {
                    one.len() == other.len()
                        && one
                            .iter()
                            .zip(other)
                            .all(|(one, other)| is_near(*rules, one, other))
                })
        }
        other => panic!("{other:?}"),
    }
}

trait TrimEnd {
    fn trim_ascii_end_all(&self) -> &[u8];
}

impl TrimEnd for [u8] {
    fn trim_ascii_end_all(&self) -> &[u8] {
        &self[..self
            .iter()
            .rposition(|byte| !is_space(*byte))
            .map_or(0, |last| last + 1)]
    }
}

fn is_near(rules: NumberLineRules, found: &[u8], expected: &[u8]) -> bool {
    let number = |token: &[u8]| std::str::from_utf8(token).ok()?.parse::<f64>().ok();
    let Some(answer) = number(expected) else {
        return found == expected;
    };
    let Some(found) = number(found) else {
        return false;
    };
    let most = rules.tolerance.value();
    let absolute = (found - answer).abs() <= most;
    match rules.measure {
        ErrorMeasure::Absolute => absolute,
        ErrorMeasure::Relative => {
            let bounds = [answer * (1.0 - most), answer * (1.0 + most)];
            bounds[0].min(bounds[1]) <= found && found <= bounds[0].max(bounds[1])
        }
        ErrorMeasure::Either => {
            absolute || answer.abs() >= most && (1.0 - found / answer).abs() <= most
        }
    }
}

fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "1", "1.0", "1.001", "0.999", "-1", "0", "1000", "1001", "a", "A", ".5",
        "1e-4",
    ]);
    let space = || {
        prop::sample::select(vec![
            "", " ", "\n", "\r", "\r\n", " \n", "\n ", "\n\n", "\n \n", "\t", "  ",
        ])
    };
    (prop::collection::vec((space(), word), 0..4), space()).prop_map(
        |(pairs, last)| {
            pairs
                .iter()
                .map(|(space, word)| format!("{space}{word}"))
                .collect::<String>()
                + last
        },
    )
}

fn task() -> impl Strategy<Value = TextTask> {
    let measure = prop::sample::select(vec![
        ErrorMeasure::Either,
        ErrorMeasure::Absolute,
        ErrorMeasure::Relative,
    ]);
    let of_numbers =
        (0..5, measure).prop_map(|(precision, measure)| numbers(precision, measure));
    prop_oneof![
        Just(TextTask::TokenLines),
        Just(TextTask::StrippedLines),
        Just(TextTask::StrippedFilledLines),
        Just(TextTask::CrlfInsensitive),
        of_numbers
    ]
}

/// Two texts that are alike except for their white space, or any two.
fn texts() -> impl Strategy<Value = (String, String)> {
    let blank = prop::sample::select(vec![
        " ", "\n", "\r", "\n \n", "\r\n", "  ", "\n\n", "\t\n",
    ]);
    let similar =
        (text(), prop::collection::vec(blank, 8)).prop_map(|(text, blanks)| {
            let mut blanks = blanks.into_iter();
            let other = text
                .split_inclusive(' ')
                .map(|piece| {
                    piece.trim_end_matches(' ').to_owned()
                        + blanks.next().unwrap_or(" ")
                })
                .collect();
            (text, other)
        });
    prop_oneof![similar, (text(), text())]
}

proptest! {
    #[test]
    fn texts_pass_if_and_only_if_the_naive_implementation_passes_them(task in task(), (found, expected) in texts()) {
        prop_assert_eq!(is_right(&task, &found, &expected), passes(&task, &found, &expected));
        prop_assert!(is_right(&task, &expected, &expected));
    }
}
