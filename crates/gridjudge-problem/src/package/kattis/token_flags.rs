//! Parses the flags of the default validator of the Kattis problem package format, as
//! `case_sensitive float_tolerance 1e-6`. Works on words and reads no file.

use crate::mistake::{quoted, suggestion};
use crate::model::{TokenRules, Tolerance};

/// Flags without a value, and flags that a number follows.
const SWITCHES: [&str; 2] = ["case_sensitive", "space_change_sensitive"];
const TOLERANCES: [&str; 3] = [
    "float_tolerance",
    "float_absolute_tolerance",
    "float_relative_tolerance",
];

/// A flag that the default validator does not have, or that is used wrongly.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TokenFlagMistake {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
}

/// Parses the flags of the default validator, one word each. Without flags, returns the default
/// rules.
///
/// # Errors
/// Returns the first mistake: a flag that is unknown, given twice, or without its number; a
/// tolerance that is not a number, or negative; or `float_tolerance` beside another tolerance.
pub fn token_flags(words: &[&str]) -> Result<TokenRules, TokenFlagMistake> {
    let mut rules = TokenRules::default();
    let mut given: Vec<&str> = Vec::new();
    let mut words = words.iter().copied();
    while let Some(flag) = words.next() {
        if given.contains(&flag) {
            return mistake(
                format!("the flag {} appears twice", quoted(flag)),
                "delete one of the two",
            );
        }
        match flag {
            "case_sensitive" => rules.case_sensitive = true,
            "space_change_sensitive" => rules.space_change_sensitive = true,
            _ if TOLERANCES.contains(&flag) => {
                let tolerance = Some(value_of(flag, words.next())?);
                set_tolerance(&mut rules, flag, tolerance);
            }
            _ => return Err(unknown(flag)),
        }
        given.push(flag);
    }
    refuse_both(&given)?;
    Ok(rules)
}

/// Sets the tolerances that a flag stands for.
pub(crate) fn set_tolerance(rules: &mut TokenRules, flag: &str, tolerance: Option<Tolerance>) {
    if flag != "float_relative_tolerance" {
        rules.absolute_tolerance = tolerance;
    }
    if flag != "float_absolute_tolerance" {
        rules.relative_tolerance = tolerance;
    }
}

/// Refuses `float_tolerance` beside another tolerance, because it sets both.
fn refuse_both(given: &[&str]) -> Result<(), TokenFlagMistake> {
    let other = given.iter().find(|flag| TOLERANCES[1..].contains(flag));
    match other.filter(|_| given.contains(&TOLERANCES[0])) {
        Some(other) => mistake(
            format!("`float_tolerance` cannot be combined with `{other}`"),
            REMEDY_OF_BOTH,
        ),
        None => Ok(()),
    }
}

/// What to do about `float_tolerance` beside another tolerance.
pub(crate) const REMEDY_OF_BOTH: &str = "it stands for both others: write those two, or it alone";

fn value_of(flag: &str, value: Option<&str>) -> Result<Tolerance, TokenFlagMistake> {
    let Some(value) = value else {
        return mistake(
            format!("the flag `{flag}` has no number after it"),
            &example(flag),
        );
    };
    tolerance(value).ok_or_else(|| TokenFlagMistake {
        message: format!("{} is not a valid value of `{flag}`", quoted(value)),
        remedy: format!("{}; it must be finite and not negative", example(flag)),
    })
}

fn example(flag: &str) -> String {
    format!("write it as `{flag} 1e-6`")
}

/// Parses a number by the grammar of the format, which has neither hexadecimal digits nor `inf` nor
/// `nan`.
fn tolerance(text: &str) -> Option<Tolerance> {
    let is_plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    text.parse()
        .ok()
        .filter(|_| is_plain)
        .and_then(Tolerance::new)
}

fn unknown(flag: &str) -> TokenFlagMistake {
    let known = SWITCHES.into_iter().chain(TOLERANCES);
    TokenFlagMistake {
        message: format!("the default validator has no flag {}", quoted(flag)),
        remedy: suggestion(flag, known, "known: "),
    }
}

fn mistake<T>(message: String, remedy: &str) -> Result<T, TokenFlagMistake> {
    Err(TokenFlagMistake {
        message,
        remedy: remedy.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(flags: &str) -> Result<TokenRules, TokenFlagMistake> {
        token_flags(&flags.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn flags_become_rules() {
        assert_eq!(read(""), Ok(TokenRules::default()));
        let tolerance = Tolerance::new(1e-6);
        let rules = TokenRules {
            case_sensitive: true,
            space_change_sensitive: true,
            ..TokenRules::default()
        };
        let both = TokenRules {
            absolute_tolerance: tolerance,
            relative_tolerance: tolerance,
            ..rules
        };
        assert_eq!(
            read("float_tolerance 1e-6 case_sensitive space_change_sensitive"),
            Ok(both)
        );
        let flags = "float_absolute_tolerance .5 float_relative_tolerance +1E-6";
        let absolute_tolerance = Tolerance::new(0.5);
        let relative_tolerance = tolerance;
        let rules = TokenRules {
            absolute_tolerance,
            relative_tolerance,
            ..TokenRules::default()
        };
        assert_eq!(read(flags), Ok(rules));
        assert!(
            ["0", "5.", "1e5"]
                .iter()
                .all(|number| read(&format!("float_tolerance {number}")).is_ok())
        );
    }

    #[test]
    fn a_wrong_flag_is_reported_with_a_remedy() {
        for (flags, message, remedy) in [
            (
                "float_tol 1",
                "the default validator has no flag `float_tol`",
                "did you mean `float_tolerance`?",
            ),
            (
                "float_tolerance",
                "the flag `float_tolerance` has no number after it",
                "write it as `float_tolerance 1e-6`",
            ),
            (
                "case_sensitive case_sensitive",
                "the flag `case_sensitive` appears twice",
                "delete one of the two",
            ),
            (
                "float_tolerance 1 float_tolerance 2",
                "the flag `float_tolerance` appears twice",
                "delete one of the two",
            ),
            (
                "float_tolerance 1 float_relative_tolerance 1",
                "`float_tolerance` cannot be combined with `float_relative_tolerance`",
                REMEDY_OF_BOTH,
            ),
        ] {
            let mistake = read(flags).unwrap_err();
            assert_eq!(
                (mistake.message.as_str(), mistake.remedy.as_str()),
                (message, remedy)
            );
        }
        assert!(
            read("frobnicate")
                .unwrap_err()
                .remedy
                .starts_with("known: case_sensitive, ")
        );
        for number in [
            "-1",
            "inf",
            "nan",
            "0x1",
            "1e",
            "case_sensitive",
            "1e999",
            "",
            ".",
        ] {
            let mistake = token_flags(&["float_tolerance", number]).unwrap_err();
            assert_eq!(
                mistake.message,
                format!("`{number}` is not a valid value of `float_tolerance`")
            );
        }
    }
}
