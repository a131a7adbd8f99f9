//! The rules in a naive implementation, and random texts on which both must agree.

use proptest::prelude::*;

use super::*;

fn is_space(byte: u8) -> bool {
    b" \n\r\t\x0b\x0c".contains(&byte)
}

fn split(text: &[u8]) -> Vec<&[u8]> {
    text.split(|byte| is_space(*byte))
        .filter(|token| !token.is_empty())
        .collect()
}

fn gaps(text: &[u8]) -> Vec<Vec<u8>> {
    text.split(|byte| !is_space(*byte))
        .map(<[u8]>::to_vec)
        .filter(|gap| !gap.is_empty())
        .collect()
}

fn number(token: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(token).ok()?;
    let plain = text.bytes().all(|byte| b"0123456789.+-eE".contains(&byte));
    text.parse().ok().filter(|_| plain)
}

/// Whether an output passes, by the naive implementation.
fn passes(rules: &TokenRules, found: &[u8], expected: &[u8]) -> bool {
    let one = split(found);
    let other = split(expected);
    let starts_alike = found.first().is_some_and(|byte| is_space(*byte))
        == expected.first().is_some_and(|byte| is_space(*byte));
    if rules.space_change_sensitive
        && !(starts_alike && gaps(found) == gaps(expected))
    {
        return false;
    }
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|(found, expected)| same(rules, found, expected))
}

fn same(rules: &TokenRules, found: &[u8], expected: &[u8]) -> bool {
    let absolute = rules.absolute_tolerance;
    let relative = rules.relative_tolerance;
    let has_tolerance = absolute.is_some() || relative.is_some();
    if let Some(answer) =
        number(expected).filter(|number| has_tolerance && number.is_finite())
    {
        return number(found)
            .filter(|number| number.is_finite())
            .is_some_and(|found| {
                absolute.is_some_and(|most| (found - answer).abs() <= most.value())
                    || relative.is_some_and(|most| {
                        (found - answer).abs() <= most.value() * answer.abs()
                    })
            });
    }
    if rules.case_sensitive {
        found == expected
    } else {
        found.eq_ignore_ascii_case(expected)
    }
}

fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "1", "1.0", "1.00", "01", "1e0", "+1", "-1", "-0", "0", "0.0", ".5", "5.",
        "0.5", "1e400", "1E400", "1e-400", "inf", "nan", "a", "A", "aB", "Ab",
        "\u{e9}", "\u{a0}", "\0", "0x1", "5e", "e5", ".", "100", "101",
    ])
}

fn space() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        " ", "\n", "", "  ", "\r\n", "\t", "\n\n", " \n", "\x0b", "\n ",
    ])
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec((space(), word()), 0..8)
        .prop_flat_map(|pairs| (Just(pairs), space()))
        .prop_map(|(pairs, last)| {
            pairs
                .iter()
                .map(|(space, word)| format!("{space}{word}"))
                .collect::<String>()
                + last
        })
}

/// An answer, and an output that differs from it in a few places.
fn pair() -> impl Strategy<Value = (String, String)> {
    let similar = (
        prop::collection::vec((space(), word(), space(), word(), 0..6_u8), 0..8),
        space(),
        space(),
    );
    let similar = similar.prop_map(|(pairs, last, other)| {
        let mut texts = (String::new(), String::new());
        for (space, word, other_space, other_word, kind) in pairs {
            texts.0 += &format!("{space}{word}");
            texts.1 += if kind == 0 { other_space } else { space };
            texts.1 += if kind == 1 { other_word } else { word };
        }
        (
            texts.0 + last,
            texts.1 + if last.len() > 1 { last } else { other },
        )
    });
    prop_oneof![similar, (text(), text())]
}

fn rules() -> impl Strategy<Value = TokenRules> {
    let tolerance =
        || prop::option::of(prop::sample::select(vec![0.0, 1e-6, 0.01, 0.5, 1.0]));
    (any::<bool>(), any::<bool>(), tolerance(), tolerance()).prop_map(
        |(case, space, absolute, relative)| TokenRules {
            case_sensitive: case,
            space_change_sensitive: space,
            absolute_tolerance: absolute.and_then(Tolerance::new),
            relative_tolerance: relative.and_then(Tolerance::new),
            for_domjudge: false,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_output_gets_the_verdict_of_the_naive_implementation(rules in rules(), (found, expected) in pair()) {
        let passed = findings(&TextTask::Tokens(rules.clone()), &found, &expected).verdict() == Verdict::Accepted;
        prop_assert_eq!(passed, passes(&rules, found.as_bytes(), expected.as_bytes()), "{:?} {:?}", found, expected);
    }

    #[test]
    fn lines_and_bytes_are_compared_as_in_a_naive_implementation((found, expected) in pair()) {
        let lines = |text: &str| {
            let trim = |line: &str| line.trim_end_matches(|letter: char| letter.is_ascii() && is_space(letter as u8)).to_owned();
            let mut lines: Vec<_> = text.split('\n').map(trim).collect();
            while lines.last().is_some_and(String::is_empty) {
                lines.pop();
            }
            lines
        };
        let same_tokens = split(found.as_bytes()) == split(expected.as_bytes());
        for (task, is_same) in [(TextTask::Lines, lines(&found) == lines(&expected)), (TextTask::Exact, found == expected)] {
            let right = match (is_same, same_tokens) {
                (true, _) => Verdict::Accepted,
                (false, true) => Verdict::PresentationError,
                (false, false) => Verdict::WrongAnswer,
            };
            prop_assert_eq!(verdict(&task, &found, &expected), right, "{:?} {:?} {:?}", task, found, expected);
        }
    }
}
