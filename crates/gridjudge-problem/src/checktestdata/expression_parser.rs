//! Splits the text of a program into words, and parses words into expressions and
//! tests. Knows no commands.

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::BigInt;

use crate::checktestdata::cursor::digits_at;
use crate::checktestdata::syntax::CtdComparison;
use crate::checktestdata::{
    CtdFraction, CtdInteger, CtdTest, CtdValue, Expression, Variable,
};

const COMPARISONS: [(&str, CtdComparison); 6] = [
    ("<=", Ordering::is_le),
    (">=", Ordering::is_ge),
    ("==", Ordering::is_eq),
    ("!=", Ordering::is_ne),
    ("<", Ordering::is_lt),
    (">", Ordering::is_gt),
];

pub(super) type Parsed<T> = Result<T, CtdSyntaxError>;

/// Parses sums and differences, from the left.
pub(super) fn expression(words: &mut TokenList) -> Parsed<Expression> {
    let signs = [("+", '+'), ("-", '-')];
    chain(words, &signs, product, Expression::Chain)
}

fn product(words: &mut TokenList) -> Parsed<Expression> {
    let signs = [("*", '*'), ("/", '/'), ("%", '%')];
    chain(words, &signs, power, Expression::Chain)
}

/// Parses operands with one of these signs between them, from the left. If there are
/// several, `joined` makes one of them, each after the first with what the sign before
/// it means.
fn chain<T, S: Copy>(
    words: &mut TokenList,
    signs: &[(&str, S)],
    operand: impl Fn(&mut TokenList) -> Parsed<T>,
    joined: impl FnOnce(Box<T>, Vec<(S, T)>) -> T,
) -> Parsed<T> {
    let first = operand(words)?;
    let mut rest = vec![];
    while let Some((_, meant)) = signs.iter().find(|(sign, _)| words.takes(sign)) {
        rest.push((*meant, operand(words)?));
    }
    Ok(if rest.is_empty() {
        first
    } else {
        joined(Box::new(first), rest)
    })
}

/// Parses powers, from the left; a minus before one negates the whole.
fn power(words: &mut TokenList) -> Parsed<Expression> {
    if words.takes("-") {
        return words
            .deeper(|words| Ok(Expression::Negative(Box::new(power(words)?))));
    }
    chain(words, &[("^", '^')], operand, Expression::Chain)
}

fn operand(words: &mut TokenList) -> Parsed<Expression> {
    if words.keyword() == "-" {
        return power(words);
    }
    if words.takes("(") {
        let inner = words.deeper(expression)?;
        words.expect(")")?;
        return Ok(inner);
    }
    value(words)
}

/// Parses a number, a string, a variable, or the length of a string.
pub(super) fn value(words: &mut TokenList) -> Parsed<Expression> {
    if words.keyword() == "STRLEN" {
        return words
            .call(|words| words.deeper(value))
            .map(|of| Expression::Length(Box::new(of)));
    }
    match words.peek() {
        Some(Word::Value(value)) => {
            let value = value.clone();
            Ok(words.pass(Expression::Value(value)))
        }
        Some(Word::Name(_)) => variable(words).map(Expression::Variable),
        Some(Word::Fixed(_)) | None => Err(words.wrong("a value")),
    }
}

/// Parses a variable, with its indices if it has any.
pub(super) fn variable(words: &mut TokenList) -> Parsed<Variable> {
    let name = words.name()?;
    let mut indices = vec![];
    if words.takes("[") {
        indices = words.list(|words| words.deeper(expression))?;
        words.expect("]")?;
    }
    Ok(Variable { name, indices })
}

/// Parses tests joined by `&&` and `||`, which have the same precedence and are read
/// from the left, as in the program Checktestdata.
pub(super) fn test(words: &mut TokenList) -> Parsed<CtdTest> {
    let joints = [("&&", true), ("||", false)];
    chain(words, &joints, single_test, CtdTest::Chain)
}

fn single_test(words: &mut TokenList) -> Parsed<CtdTest> {
    // In that program, `!` applies to everything that follows it.
    if words.takes("!") {
        return words.deeper(|words| Ok(CtdTest::Not(Box::new(test(words)?))));
    }
    match words.keyword() {
        "ISEOF" => Ok(words.pass(CtdTest::IsEof)),
        "MATCH" => words.call(value).map(CtdTest::Match),
        "UNIQUE" => words
            .call(|words| words.list(TokenList::name))
            .map(CtdTest::Unique),
        "INARRAY" => words.call(|words| {
            let wanted = expression(words)?;
            words.expect(",")?;
            Ok(CtdTest::InArray(wanted, variable(words)?.name))
        }),
        word if word != "STRLEN" && word.starts_with(char::is_alphabetic) => {
            Err(words.wrong("a test"))
        }
        _ => comparison_or_brackets(words),
    }
}

/// Parses a comparison or a test in brackets. An opening bracket may begin either.
fn comparison_or_brackets(words: &mut TokenList) -> Parsed<CtdTest> {
    let start = words.next;
    let has_bracket = words.keyword() == "(";
    let compared = comparison(words);
    if compared.is_ok() || !has_bracket {
        return compared;
    }
    words.next = start + 1;
    let inner = words.deeper(test)?;
    words.expect(")")?;
    Ok(inner)
}

fn comparison(words: &mut TokenList) -> Parsed<CtdTest> {
    let left = expression(words)?;
    let Some((_, how)) = COMPARISONS.iter().find(|(sign, _)| words.takes(sign))
    else {
        return Err(words.wrong("a comparison"));
    };
    Ok(CtdTest::Compare(*how, left, expression(words)?))
}

// The words of a program, read one after the other by the parsers. Knows no grammar.

/// How deeply expressions, tests and blocks may be nested.
const DEEPEST: usize = 100;

/// The words, and the index of the next one.
pub(super) struct TokenList {
    words: Vec<Token>,
    next: usize,
    depth: usize,
}

impl TokenList {
    /// Splits a program into words.
    pub(super) fn split(text: &[u8]) -> Parsed<Self> {
        let mut lexer = Lexer {
            rest: text,
            line: 1,
            fixed_words: FIXED_WORDS.split_ascii_whitespace().collect(),
        };
        let mut words = vec![];
        while let Some(token) = lexer.next()? {
            words.push(token);
        }
        Ok(Self {
            words,
            next: 0,
            depth: 0,
        })
    }

    pub(super) fn peek(&self) -> Option<&Word> {
        self.words.get(self.next).map(|token| &token.word)
    }

    /// The line of the next word, or of the last.
    pub(super) fn line(&self) -> usize {
        self.words
            .get(self.next)
            .or(self.words.last())
            .map_or(1, |token| token.line)
    }

    /// Takes the next word if it is this keyword or sign, and returns whether it was.
    pub(super) fn takes(&mut self, word: &str) -> bool {
        let is_next = self.keyword() == word;
        self.next += usize::from(is_next);
        is_next
    }

    /// Takes the next word, which must be this keyword or sign.
    pub(super) fn expect(&mut self, word: &str) -> Parsed<()> {
        if self.takes(word) {
            Ok(())
        } else {
            Err(self.wrong(&format!("`{word}`")))
        }
    }

    /// Takes the next word, which must be a name.
    pub(super) fn name(&mut self) -> Parsed<String> {
        match self.peek() {
            Some(Word::Name(name)) => {
                let name = name.clone();
                Ok(self.pass(name))
            }
            _ => Err(self.wrong("a variable")),
        }
    }

    /// Reads one or more things with commas between them.
    pub(super) fn list<T>(
        &mut self,
        read: impl Fn(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut found = vec![read(self)?];
        while self.takes(",") {
            found.push(read(self)?);
        }
        Ok(found)
    }

    /// The next word if it is a keyword or a sign, else nothing.
    pub(super) fn keyword(&self) -> &'static str {
        match self.peek() {
            Some(Word::Fixed(word)) => word,
            _ => "",
        }
    }

    /// Passes a word that stands for this.
    pub(super) fn pass<T>(&mut self, meaning: T) -> T {
        self.next += 1;
        meaning
    }

    /// Passes a keyword, and reads what is in brackets after it.
    pub(super) fn call<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        self.next += 1;
        self.expect("(")?;
        let found = read(self)?;
        self.expect(")")?;
        Ok(found)
    }

    /// Reads something one level deeper.
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        if self.depth == DEEPEST {
            return Err(CtdSyntaxError {
                line: self.line(),
                message: format!(
                    "brackets and blocks are nested more than {DEEPEST} deep"
                ),
            });
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    /// The error that the next word is not `expected`.
    pub(super) fn wrong(&self, expected: &str) -> CtdSyntaxError {
        let found = match self.peek() {
            None => "the end of the file".to_owned(),
            Some(Word::Fixed(word)) => format!("`{word}`"),
            Some(Word::Name(name)) => format!("`{name}`"),
            Some(Word::Value(CtdValue::Text(_))) => "a string".to_owned(),
            Some(Word::Value(_)) => "a number".to_owned(),
        };
        CtdSyntaxError {
            line: self.line(),
            message: format!("expected {expected}, found {found}"),
        }
    }
}

// Splits the text of a program into words.

/// A word, and its line.
struct Token {
    line: usize,
    word: Word,
}

/// A word of a program.
pub(super) enum Word {
    /// A keyword, in capitals, or a sign.
    Fixed(&'static str),
    Name(String),
    Value(CtdValue),
}

/// Keywords, and signs.
const FIXED_WORDS: &str = "ISEOF MATCH UNIQUE INARRAY SPACE NEWLINE EOF INT FLOAT FLOATP STRING REGEX \
                           ASSERT SET UNSET REP REPI WHILE WHILEI IF ELSE END FIXED SCIENTIFIC STRLEN \
                           && || <= >= == != < > ! ( ) [ ] , + - * / % ^ =";

/// Most digits of a number in a program.
const MOST_DIGITS: usize = 20_000;

struct Lexer<'a> {
    rest: &'a [u8],
    line: usize,
    fixed_words: Vec<&'static str>,
}

impl Lexer<'_> {
    fn next(&mut self) -> Parsed<Option<Token>> {
        self.skip_blanks();
        let line = self.line;
        let Some(&first) = self.rest.first() else {
            return Ok(None);
        };
        let word = match first {
            b'"' => self.text()?,
            b'a'..=b'z' => {
                let name = self.take_while(|byte| {
                    byte.is_ascii_lowercase() || byte.is_ascii_digit()
                });
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
                b'\n' => {
                    self.line += 1;
                }
                b' ' | b'\t' | b'\r' => {}
                b'#' => {
                    self.take_while(|byte| byte != b'\n');
                    continue;
                }
                _ => {
                    return;
                }
            }
            self.rest = &self.rest[1..];
        }
    }

    /// Reads the longest keyword or sign.
    fn fixed(&mut self) -> Parsed<Word> {
        let words = self.fixed_words.iter().copied();
        let longest = words
            .filter(|word| self.rest.starts_with(word.as_bytes()))
            .max_by_key(|word| word.len());
        if let Some(word) = longest {
            self.rest = &self.rest[word.len()..];
            return Ok(Word::Fixed(word));
        }
        let rest = self.rest.iter();
        let letters = rest.take_while(|byte| byte.is_ascii_alphanumeric());
        let found = self.rest[..letters.count().max(1)].escape_ascii();
        Err(self.wrong(format!("`{found}` is not a word of the language")))
    }

    /// Reads an integer, or a float if there is a point or an exponent.
    fn number(&mut self) -> Parsed<Word> {
        let whole = digits_at(self.rest, 0);
        let mut end = whole;
        if self.rest.get(end) == Some(&b'.') {
            end += 1 + digits_at(self.rest, end + 1);
        }
        let sign = usize::from(matches!(self.rest.get(end + 1), Some(b'+' | b'-')));
        let exponent = end + 1 + sign;
        let digits = digits_at(self.rest, exponent);
        if matches!(self.rest.get(end), Some(b'e' | b'E')) && digits > 0 {
            end = exponent + digits;
        }
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        if text.len() > MOST_DIGITS {
            return Err(
                self.wrong(format!("a number has more than {MOST_DIGITS} digits"))
            );
        }
        let word = if end == whole {
            integer(text)
        } else {
            fraction(text)
        };
        word.map(Word::Value).ok_or_else(|| {
            self.wrong(format!("`{}` is not a number", text.escape_ascii()))
        })
    }

    fn text(&mut self) -> Parsed<Word> {
        let mut text = vec![];
        self.rest = &self.rest[1..];
        loop {
            let Some((&byte, rest)) = self.rest.split_first() else {
                return Err(self.wrong("a string has no end"));
            };
            self.rest = rest;
            match byte {
                b'"' => return Ok(Word::Value(CtdValue::Text(text.into()))),
                b'\\' => self.escaped(&mut text)?,
                byte => {
                    self.line += usize::from(byte == b'\n');
                    text.push(byte);
                }
            }
        }
    }

    /// Reads the characters after a backslash, and appends what they stand for.
    fn escaped(&mut self, text: &mut Vec<u8>) -> Parsed<()> {
        let octal = self
            .rest
            .iter()
            .take(3)
            .take_while(|byte| (b'0'..=b'7').contains(byte))
            .count();
        if octal > 0 {
            let digits = String::from_utf8_lossy(&self.rest[..octal]);
            let byte = u8::from_str_radix(&digits, 8)
                .map_err(|_| self.wrong("an octal escape is beyond `\\377`"))?;
            text.push(byte);
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

fn fraction(text: &[u8]) -> Option<CtdValue> {
    Some(CtdValue::Float(Arc::new(CtdFraction::parse(text)?)))
}

/// Reads digits as Checktestdata does: those after a 0 as an octal number if they can
/// be one, and otherwise as a number that is not an integer.
fn integer(digits: &[u8]) -> Option<CtdValue> {
    let is_octal = digits.iter().all(|digit| *digit < b'8');
    match digits {
        [b'0', _, ..] if is_octal => {
            Some(CtdValue::Int(BigInt::parse_bytes(digits, 8)?.into()))
        }
        [b'0', _, ..] => fraction(digits),
        _ => CtdInteger::parse(digits).map(CtdValue::Int),
    }
}

// The error of a text that is not a valid program.

/// Why a text is not a valid program.
#[derive(Clone, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct CtdSyntaxError {
    /// The line of the mistake, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}
