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

/// As `near`, in a package for DOMjudge, where upper and lower case differ.
fn near_for_domjudge(absolute: Option<f64>, relative: Option<f64>) -> TextTask {
    let [absolute_tolerance, relative_tolerance] =
        [absolute, relative].map(|value| value.and_then(Tolerance::new));
    TextTask::Tokens(TokenRules {
        case_sensitive: true,
        absolute_tolerance,
        relative_tolerance,
        for_domjudge: true,
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

/// Each row was given to DOMjudge's own validator. The last column is for the format of
/// Kattis.
#[test]
fn for_domjudge_numbers_are_compared_in_64_binary_digits() {
    for (absolute, relative, found, expected, is_right, is_right_to_kattis) in [
        (1e-6, 1e-6, "0.999999", "1", false, false),
        (1e-6, 1e-6, "1.000001", "1", false, true),
        (1e-9, 1e-9, "0.999999999", "1", false, true),
        (1e-6, 1e-6, "0.6006197", "0.6006207", true, false),
        (1e-6, 1e-6, "-3.6000036", "-3.6", false, true),
        (1e-6, -1.0, "0.333334", "0.333333", true, false),
        (1e-6, -1.0, "0.333332", "0.333333", true, true),
        (0.01, -1.0, "2.51", "2.5", true, true),
        (0.1, -1.0, "0", "-0.1", true, true),
        (0.1, -1.0, "0.9", "1", false, true),
        (-1.0, 1e-6, "0.0", "0", true, true),
        (-1.0, 1e-6, "1e-9", "0", false, false),
        (
            1.0,
            -1.0,
            "9007199254740994",
            "9007199254740993",
            true,
            false,
        ),
        (
            0.0,
            -1.0,
            "9007199254740992",
            "9007199254740993",
            false,
            true,
        ),
        (1e-6, 1e-6, "1.0000001e400", "1e400", true, false),
        (1e-6, 1e-6, "1.1e400", "1e400", false, false),
        (-1.0, 0.0, "0", "1e-5000", true, true),
        (-1.0, 0.0, "1e-4900", "1e-5000", false, true),
        (-1.0, 0.0, "0.9999999999999999999", "1", false, true),
        (-1.0, 0.0, "0.99999999999999999999", "1", true, true),
        (1.0, 1.0, "x", "1", false, false),
    ] {
        let [kattis, domjudge] = [near, near_for_domjudge]
            .map(|task| task(Some(absolute), Some(relative)));
        let both = [&domjudge, &kattis]
            .map(|task| verdict(task, found, expected) == Verdict::Accepted);
        assert_eq!(both, [is_right, is_right_to_kattis], "{found} {expected}");
    }
}

#[test]
fn for_domjudge_infinity_and_nan_are_numbers_equal_to_themselves() {
    let task = near_for_domjudge(Some(1.0), Some(1.0));
    for (found, expected, is_right) in [
        ("INFINITY", "inf", true),
        ("1e5000", "inf", true),
        ("-Inf", "-1e5000", true),
        ("-inf", "inf", false),
        ("-NaN", "nan", true),
        ("inf", "nan", false),
        ("nan", "inf", false),
        ("nan", "5", false),
        ("inf", "5", false),
        ("5", "inf", false),
        ("nan", "nan(1)", false),
        ("1", "infinit", false),
        ("X", "x", false),
    ] {
        assert_eq!(
            verdict(&task, found, expected) == Verdict::Accepted,
            is_right,
            "{found} {expected}"
        );
    }
}

#[test]
fn for_domjudge_a_number_may_have_any_length() {
    let task = near_for_domjudge(None, Some(0.0));
    for zeros in [10, 900, 70_000] {
        let [one, other] =
            ["", "1"].map(|end| format!("1.{}{end}", "0".repeat(zeros)));
        let expected = if zeros < 19 {
            Verdict::WrongAnswer
        } else {
            Verdict::Accepted
        };
        assert_eq!(verdict(&task, &one, &other), expected, "{zeros}");
    }
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
