//! Splits the text of a program into words.

use std::sync::Arc;

use num_bigint::BigInt;

use crate::checktestdata::{CtdFraction, CtdInteger};

/// A word, and its line.
pub(super) struct Token {
    pub(super) line: usize,
    pub(super) word: Word,
}

/// A word of a program.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Word {
    /// A command, a test or an option, in capitals.
    Keyword(&'static str),
    Name(String),
    Int(CtdInteger),
    Float(Arc<CtdFraction>),
    Text(Arc<[u8]>),
    /// One or two characters, such as `<=`.
    Sign(&'static str),
}

const KEYWORDS: [&str; 25] = [
    "ISEOF",
    "MATCH",
    "UNIQUE",
    "INARRAY",
    "SPACE",
    "NEWLINE",
    "EOF",
    "INT",
    "FLOAT",
    "FLOATP",
    "STRING",
    "REGEX",
    "ASSERT",
    "SET",
    "UNSET",
    "REP",
    "REPI",
    "WHILE",
    "WHILEI",
    "IF",
    "ELSE",
    "END",
    "FIXED",
    "SCIENTIFIC",
    "STRLEN",
];

/// Most digits of a number in a program.
const MOST_DIGITS: usize = 20_000;

/// Signs, those of two characters first.
const SIGNS: [&str; 20] = [
    "&&", "||", "<=", ">=", "==", "!=", "<", ">", "!", "(", ")", "[", "]", ",", "+", "-", "*", "/",
    "%", "^",
];
const ASSIGNMENT: &str = "=";

/// Splits a program into words.
pub(super) fn words(text: &[u8]) -> Result<Vec<Token>, CtdSyntaxError> {
    let mut lexer = Lexer {
        rest: text,
        line: 1,
    };
    let mut found = Vec::new();
    while let Some(token) = lexer.next()? {
        found.push(token);
    }
    Ok(found)
}

struct Lexer<'a> {
    rest: &'a [u8],
    line: usize,
}

impl Lexer<'_> {
    fn next(&mut self) -> Result<Option<Token>, CtdSyntaxError> {
        self.skip_blanks();
        let line = self.line;
        let Some(&first) = self.rest.first() else {
            return Ok(None);
        };
        let word = match first {
            b'"' => self.text()?,
            b'a'..=b'z' => {
                let name =
                    self.take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
                Word::Name(String::from_utf8_lossy(name).into_owned())
            }
            b'0'..=b'9' => self.number()?,
            _ => self.fixed()?,
        };
        Ok(Some(Token { line, word }))
    }

    /// Passes white space and comments, which reach from `#` to the end of their line.
    fn skip_blanks(&mut self) {
        while let Some(&byte) = self.rest.first() {
            match byte {
                b'\n' => self.line += 1,
                b' ' | b'\t' | b'\r' => {}
                b'#' => {
                    self.take_while(|byte| byte != b'\n');
                    continue;
                }
                _ => return,
            }
            self.rest = &self.rest[1..];
        }
    }

    /// Reads the longest keyword or sign.
    fn fixed(&mut self) -> Result<Word, CtdSyntaxError> {
        let starts = |word: &&&str| self.rest.starts_with(word.as_bytes());
        let keyword = KEYWORDS
            .iter()
            .filter(starts)
            .max_by_key(|word| word.len())
            .copied();
        let sign = SIGNS.iter().chain(&[ASSIGNMENT]).find(starts).copied();
        let (word, length) = match (keyword, sign) {
            (Some(keyword), _) => (Word::Keyword(keyword), keyword.len()),
            (None, Some(sign)) => (Word::Sign(sign), sign.len()),
            (None, None) => {
                let found = self
                    .take_while(|byte| byte.is_ascii_alphanumeric())
                    .to_vec();
                let found = if found.is_empty() {
                    &self.rest[..1]
                } else {
                    &found
                };
                return Err(self.wrong(format!(
                    "`{}` is not a word of the language",
                    found.escape_ascii()
                )));
            }
        };
        self.rest = &self.rest[length..];
        Ok(word)
    }

    /// Reads an integer, or a float if there is a point or an exponent.
    fn number(&mut self) -> Result<Word, CtdSyntaxError> {
        let mut text = self.take_while(|byte| byte.is_ascii_digit()).to_vec();
        let mut is_whole = true;
        if self.rest.first() == Some(&b'.') {
            is_whole = false;
            self.rest = &self.rest[1..];
            text.push(b'.');
            text.extend(self.take_while(|byte| byte.is_ascii_digit()));
        }
        let sign = usize::from(matches!(self.rest.get(1), Some(b'+' | b'-')));
        let is_exponent = matches!(self.rest.first(), Some(b'e' | b'E'));
        if is_exponent && self.rest.get(1 + sign).is_some_and(u8::is_ascii_digit) {
            is_whole = false;
            text.extend(&self.rest[..=sign]);
            self.rest = &self.rest[1 + sign..];
            text.extend(self.take_while(|byte| byte.is_ascii_digit()));
        }
        if text.len() > MOST_DIGITS {
            return Err(self.wrong(format!("a number has more than {MOST_DIGITS} digits")));
        }
        let word = if is_whole {
            integer(&text)
        } else {
            CtdFraction::parse(&text).map(|number| Word::Float(Arc::new(number)))
        };
        word.ok_or_else(|| self.wrong(format!("`{}` is not a number", text.escape_ascii())))
    }

    fn text(&mut self) -> Result<Word, CtdSyntaxError> {
        let mut text = Vec::new();
        self.rest = &self.rest[1..];
        loop {
            let Some((&byte, rest)) = self.rest.split_first() else {
                return Err(self.wrong("a string has no end"));
            };
            self.rest = rest;
            match byte {
                b'"' => return Ok(Word::Text(text.into())),
                b'\\' => self.escaped(&mut text)?,
                byte => {
                    self.line += usize::from(byte == b'\n');
                    text.push(byte);
                }
            }
        }
    }

    /// Reads the characters after a backslash, and appends what they stand for.
    fn escaped(&mut self, text: &mut Vec<u8>) -> Result<(), CtdSyntaxError> {
        let octal = self
            .rest
            .iter()
            .take(3)
            .take_while(|byte| (b'0'..=b'7').contains(byte))
            .count();
        if octal > 0 {
            let number = self.rest[..octal]
                .iter()
                .fold(0, |number, digit| 8 * number + u32::from(digit - b'0'));
            text.push(
                u8::try_from(number)
                    .map_err(|_| self.wrong("an octal escape is beyond `\\377`"))?,
            );
            self.rest = &self.rest[octal..];
            return Ok(());
        }
        let plain = match self.rest.first() {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(&letter @ (b'"' | b'\\')) => letter,
            Some(b'\n') => {
                self.line += 1;
                self.rest = &self.rest[1..];
                return Ok(());
            }
            // Any other backslash stands for itself.
            _ => {
                text.push(b'\\');
                return Ok(());
            }
        };
        text.push(plain);
        self.rest = &self.rest[1..];
        Ok(())
    }

    fn take_while(&mut self, is_wanted: impl Fn(u8) -> bool) -> &[u8] {
        let end = self
            .rest
            .iter()
            .position(|byte| !is_wanted(*byte))
            .unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn wrong(&self, message: impl Into<String>) -> CtdSyntaxError {
        CtdSyntaxError {
            line: self.line,
            message: message.into(),
        }
    }
}

/// Reads digits as Checktestdata does: those after a 0 as an octal number if they can be one, and
/// otherwise as a number that is not an integer.
fn integer(digits: &[u8]) -> Option<Word> {
    let is_octal = digits.iter().all(|digit| *digit < b'8');
    match digits {
        [b'0', _, ..] if is_octal => {
            let number = BigInt::parse_bytes(digits, 8)?;
            Some(Word::Int(number.into()))
        }
        [b'0', _, ..] => CtdFraction::parse(digits).map(|number| Word::Float(Arc::new(number))),
        _ => CtdInteger::parse(digits).map(Word::Int),
    }
}

// The error of a text that is not a valid program.

/// Why a text is not a valid program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct CtdSyntaxError {
    /// The line of the mistake, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}
