//! Comparisons of whole texts. Each part of the comparison has its own tests beside it.

mod dmoj;
mod naive;
mod streams;

use super::*;
use crate::model::{FindingRule, TokenRules, Tolerance, Verdict};

fn findings(task: &TextTask, found: &str, expected: &str) -> Findings {
    text_output(task, found.as_bytes(), expected.as_bytes()).unwrap()
}

fn tokens() -> TextTask {
    TextTask::Tokens(TokenRules::default())
}

fn near(absolute: Option<f64>, relative: Option<f64>) -> TextTask {
    let [absolute_tolerance, relative_tolerance] =
        [absolute, relative].map(|value| value.and_then(Tolerance::new));
    TextTask::Tokens(TokenRules {
        absolute_tolerance,
        relative_tolerance,
        ..TokenRules::default()
    })
}

fn exact_space() -> TextTask {
    TextTask::Tokens(TokenRules {
        space_change_sensitive: true,
        ..TokenRules::default()
    })
}

/// The messages of all findings.
fn messages(task: &TextTask, found: &str, expected: &str) -> Vec<String> {
    findings(task, found, expected)
        .listed
        .into_iter()
        .map(|finding| finding.message)
        .collect()
}

fn verdict(task: &TextTask, found: &str, expected: &str) -> Verdict {
    findings(task, found, expected).verdict()
}

#[test]
fn a_token_that_differs_is_reported_with_its_place_and_both_values() {
    let found = findings(&tokens(), "1 2\n3 x 5\n", "1 2\n3 4 5\n");
    let [finding] = &found.listed[..] else {
        panic!("{found:?}")
    };
    assert_eq!(finding.message, "line 2, token 2: found `x`, expected `4`");
    assert_eq!(
        (finding.rule, finding.line, finding.byte),
        (Some(FindingRule::Token), Some(2), Some(6))
    );
    assert_eq!(found.diff.as_deref(), Some(" 1 2\n-3 4 5\n+3 x 5\n"));
    assert_eq!((found.verdict(), found.grids), (Verdict::WrongAnswer, 0));
}

#[test]
fn a_character_that_looks_like_the_expected_one_is_named() {
    for (found, expected, message) in [
        (
            "\u{2212}5",
            "-5",
            "found `\u{2212}5`, expected `-5`: the 1st character is U+2212 MINUS SIGN, expected U+002D",
        ),
        (
            "Y\u{415}S",
            "YES",
            "found `Y\u{415}S`, expected `YES`: the 2nd character is U+0415 (Cyrillic), expected U+0045",
        ),
    ] {
        assert_eq!(
            messages(&tokens(), found, expected),
            [format!("line 1, token 1: {message}")]
        );
    }
    let number = "line 1, token 1: found `\u{2212}5`, which is not a number, expected -5: \
                  the 1st character is U+2212 MINUS SIGN, expected U+002D";
    assert_eq!(
        messages(&near(None, Some(1e-6)), "\u{2212}5", "-5"),
        [number]
    );
}

#[test]
fn a_number_that_is_off_is_reported_with_its_error() {
    let found = findings(&near(None, Some(1e-6)), "a\nb 3.1415\n", "a\nb 3.1416\n");
    assert_eq!(
        found.listed[0].message,
        "line 2, token 2: found 3.1415, expected 3.1416: off by 3.2e-5, allowed 1e-6 (relative)"
    );
    assert_eq!(
        (found.listed[0].rule, found.diff),
        (Some(FindingRule::Number), None)
    );
}

#[test]
fn where_lines_count_too_only_the_missing_or_trailing_token_is_reported() {
    let lines = TextTask::Lines;
    for (found, expected, message) in [
        (
            "a\n",
            "a b\n",
            "line 2: the output ends here, expected `b` as well",
        ),
        (
            "a\n",
            "a\nb\n",
            "line 2: the output ends here, expected `b` as well",
        ),
        (
            "a b\n",
            "a\n",
            "line 1, token 2: found `b`, expected the end: 1 token too many",
        ),
    ] {
        assert_eq!(messages(&lines, found, expected), [message]);
    }
}

#[test]
fn missing_and_trailing_tokens_are_counted() {
    assert_eq!(
        messages(&tokens(), "1\n", "1\n2 3\n4"),
        ["line 2: the output ends here, expected 3 more tokens, the next is `2`"]
    );
    assert_eq!(
        messages(&tokens(), "1", "1\n2"),
        ["line 1: the output ends here, expected `2` as well"]
    );
    assert_eq!(
        messages(&tokens(), " \n", "a b"),
        ["the output is empty, expected 2 tokens, the first is `a`"]
    );
    assert_eq!(
        messages(&tokens(), "1\n2 3\n", "1\n2"),
        ["line 2, token 2: found `3`, expected the end: 1 token too many"]
    );
    let found = findings(&tokens(), "1", "1 2");
    assert_eq!(
        (found.listed[0].rule, found.listed[0].byte),
        (Some(FindingRule::Missing), Some(1))
    );
    assert_eq!(
        findings(&tokens(), "1 2", "1").listed[0].rule,
        Some(FindingRule::Trailing)
    );
}

#[test]
fn differences_are_listed_while_the_lines_are_in_step() {
    assert_eq!(
        messages(&tokens(), "1 x\n3 y\n5\n", "1 2\n3 4\n5\n").len(),
        2
    );
    // After the token that is missing in line 1, nothing can be compared.
    assert_eq!(
        messages(&tokens(), "x\n3 4\n5 6\n", "1 2\n3 4\n5 6\n"),
        ["line 1, token 1: found `x`, expected `1`"]
    );
    let many = findings(&tokens(), &"x\n".repeat(25), &"y\n".repeat(25));
    assert_eq!((many.listed.len(), many.unlisted), (20, 5));
    assert_eq!(messages(&tokens(), "x\n2\n", "1\n2\n3\n").len(), 2);
}

#[test]
fn white_space_that_counts_is_shown() {
    assert_eq!(
        messages(&exact_space(), "1  2\n", "1 2\n"),
        ["line 1, after token 1: found `\u{b7}\u{b7}`, expected `\u{b7}`"]
    );
    assert_eq!(
        messages(&exact_space(), "1\t2\n", "1 2\n"),
        ["line 1, after token 1: found `\\t`, expected `\u{b7}`"]
    );
    assert_eq!(
        messages(&exact_space(), "1 2", "1 2\n"),
        ["line 1, at the end of the output: found nothing, expected `\\n`"]
    );
    assert_eq!(
        messages(&exact_space(), "\n1", "1"),
        ["line 1, at its start: found `\\n`, expected nothing"]
    );
    assert_eq!(
        verdict(&exact_space(), "1 2", "1 2\n"),
        Verdict::WrongAnswer
    );
    assert_eq!(verdict(&exact_space(), "A b\n", "a B\n"), Verdict::Accepted);
}

#[test]
fn white_space_alone_is_a_presentation_error_where_lines_or_bytes_are_compared() {
    for (found, lines, exact) in [
        ("a b\nc\n", Verdict::Accepted, Verdict::Accepted),
        ("a b\nc", Verdict::Accepted, Verdict::PresentationError),
        (
            "a b  \r\nc\n\n \n",
            Verdict::Accepted,
            Verdict::PresentationError,
        ),
        (
            "a  b\nc\n",
            Verdict::PresentationError,
            Verdict::PresentationError,
        ),
        (
            " a b\nc\n",
            Verdict::PresentationError,
            Verdict::PresentationError,
        ),
        (
            "a b\n\nc\n",
            Verdict::PresentationError,
            Verdict::PresentationError,
        ),
        (
            "a b c\n",
            Verdict::PresentationError,
            Verdict::PresentationError,
        ),
        ("A b\nc\n", Verdict::WrongAnswer, Verdict::WrongAnswer),
        ("a  b\nd\n", Verdict::WrongAnswer, Verdict::WrongAnswer),
        ("a b\n", Verdict::WrongAnswer, Verdict::WrongAnswer),
        ("ab\nc\n", Verdict::WrongAnswer, Verdict::WrongAnswer),
    ] {
        assert_eq!(
            verdict(&TextTask::Lines, found, "a b\nc\n"),
            lines,
            "lines {found:?}"
        );
        assert_eq!(
            verdict(&TextTask::Exact, found, "a b\nc\n"),
            exact,
            "exact {found:?}"
        );
    }
}

#[test]
fn a_wrong_token_decides_and_comes_before_white_space() {
    let found = findings(&TextTask::Exact, "a  b\nd\n", "a b\nc\n");
    let rules: Vec<_> = found
        .listed
        .iter()
        .filter_map(|finding| finding.rule)
        .collect();
    assert_eq!(rules, [FindingRule::Token, FindingRule::Spacing]);
    assert_eq!(found.diff.as_deref(), Some("-a b\n-c\n+a  b\n+d\n"));
}

#[test]
fn tokens_that_look_alike_are_told_apart() {
    assert_eq!(messages(&tokens(), "ab\u{e9}", "abe\u{301}").len(), 1);
    let long = "x".repeat(60);
    assert_eq!(
        messages(&tokens(), &format!("{long}a"), &format!("{long}b")),
        [format!(
            "line 1, token 1: found `{0}`... (21 bytes more), expected `{0}`... (21 bytes more): they differ at byte 60 of the \
         token",
            "x".repeat(40)
        )]
    );
}
