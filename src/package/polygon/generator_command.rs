//! Splits the command that generates a test of a Polygon package, as in `cmd` of a `<test>`: `gen
//! 10 "a b"`. Knows no other file and runs nothing.
//!
//! Quotes join a word and are removed, and nothing else is special: no shell ever sees a command.
//! Packages have commands like `gen '-mode' '1'`, whose generators, which use testlib, would not
//! understand quoted words.

use std::mem;

/// A program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommandWords {
    /// The generator, as the command calls it.
    pub(super) program: String,
    pub(super) arguments: Vec<String>,
}

/// A mistake in a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum CommandError {
    #[error("names no generator")]
    Empty,
    #[error("has a quote that is not closed")]
    OpenQuote,
    #[error("redirects what it prints, as scripts of tests do and single tests do not")]
    Redirected,
}

impl CommandError {
    pub(super) const fn remedy(self) -> &'static str {
        match self {
            Self::Empty => "write `cmd=\"NAME ARGUMENTS\"`",
            Self::OpenQuote => "close it",
            Self::Redirected => {
                "leave `>` and what follows out; a file that the generator writes is named by `from-file`"
            }
        }
    }
}

impl CommandWords {
    /// Splits a command at its blanks.
    ///
    /// # Errors
    /// Returns the first reason why it is not the command of a single test.
    pub(super) fn split(text: &str) -> Result<Self, CommandError> {
        let mut words = words(text)?.into_iter();
        let program = words.next().ok_or(CommandError::Empty)?;
        Ok(Self {
            program,
            arguments: words.collect(),
        })
    }
}

fn words(text: &str) -> Result<Vec<String>, CommandError> {
    let mut words = Vec::new();
    let mut word = None::<String>;
    let mut quote = None;
    for letter in text.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter.is_whitespace() => words.extend(mem::take(&mut word)),
            None if letter == '>' && word.is_none() => return Err(CommandError::Redirected),
            None if ['"', '\''].contains(&letter) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    if quote.is_none() {
        Ok(words)
    } else {
        Err(CommandError::OpenQuote)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_separate_words_and_quotes_join_them() {
        for (text, words) in [
            ("gen", &["gen"][..]),
            ("  gen\t1  -n=5 ", &["gen", "1", "-n=5"]),
            ("gen '-mode' '1' \"a b\"", &["gen", "-mode", "1", "a b"]),
            (
                "gen --word=\"a  'b'\"c '' \"\"",
                &["gen", "--word=a  'b'c", "", ""],
            ),
            (
                r"gen \ $HOME `id` ; | & < * {1..3} a>b '>'",
                &[
                    "gen", r"\", "$HOME", "`id`", ";", "|", "&", "<", "*", "{1..3}", "a>b", ">",
                ],
            ),
        ] {
            let split = CommandWords::split(text).unwrap();
            assert_eq!(
                [&[split.program][..], &split.arguments].concat(),
                words,
                "{text}"
            );
        }
    }

    #[test]
    fn commands_that_cannot_generate_a_single_test_are_refused() {
        for (text, wrong) in [
            ("", CommandError::Empty),
            (" ", CommandError::Empty),
            ("gen \"1", CommandError::OpenQuote),
            ("gen it's", CommandError::OpenQuote),
            ("gen 1 > 5", CommandError::Redirected),
            ("gen 1 >{1-5}", CommandError::Redirected),
        ] {
            assert_eq!(CommandWords::split(text), Err(wrong), "{text}");
        }
    }
}
