//! Parses words into expressions and tests. Knows no commands.

use crate::checktestdata::{
    CtdComparison, CtdSyntaxError, CtdTest, CtdValue, Expression, TestJoint, Token, Variable, Word,
};

const COMPARISONS: [(&str, CtdComparison); 6] = [
    ("<=", CtdComparison::AtMost),
    (">=", CtdComparison::AtLeast),
    ("==", CtdComparison::Equal),
    ("!=", CtdComparison::Unequal),
    ("<", CtdComparison::Less),
    (">", CtdComparison::Greater),
];

type Parsed<T> = Result<T, CtdSyntaxError>;

/// Parses sums and differences, from the left.
pub(super) fn expression(words: &mut TokenList) -> Parsed<Expression> {
    binary(words, &["+", "-"], |words| {
        binary(words, &["*", "/", "%"], power)
    })
}

/// Parses operands with one of these signs between them, from the left.
fn binary(
    words: &mut TokenList,
    signs: &[&str],
    operand: impl Fn(&mut TokenList) -> Parsed<Expression>,
) -> Parsed<Expression> {
    let first = operand(words)?;
    let mut rest = Vec::new();
    while let Some(sign) = signs.iter().find(|sign| words.takes(sign)) {
        rest.push((sign.chars().next().unwrap_or(' '), operand(words)?));
    }
    Ok(chain(first, rest))
}

fn chain(first: Expression, rest: Vec<(char, Expression)>) -> Expression {
    if rest.is_empty() {
        first
    } else {
        Expression::Chain(Box::new(first), rest)
    }
}

/// Parses powers, from the left; a minus before one negates the whole.
fn power(words: &mut TokenList) -> Parsed<Expression> {
    if words.takes("-") {
        return words.deeper(|words| Ok(Expression::Negative(Box::new(power(words)?))));
    }
    let first = operand(words)?;
    let mut rest = Vec::new();
    while words.takes("^") {
        let is_negative = matches!(words.peek(), Some(Word::Sign("-")));
        rest.push((
            '^',
            if is_negative {
                power(words)?
            } else {
                operand(words)?
            },
        ));
    }
    Ok(chain(first, rest))
}

fn operand(words: &mut TokenList) -> Parsed<Expression> {
    if words.takes("(") {
        let inner = words.deeper(expression)?;
        words.expect(")")?;
        return Ok(inner);
    }
    value(words)
}

/// Parses a number, a string, a variable, or the length of a string.
pub(super) fn value(words: &mut TokenList) -> Parsed<Expression> {
    let value = match words.peek() {
        Some(Word::Int(number)) => CtdValue::Int(number.clone()),
        Some(Word::Float(number)) => CtdValue::Float(number.clone()),
        Some(Word::Text(text)) => CtdValue::Text(text.clone()),
        Some(Word::Name(_)) => return variable(words).map(Expression::Variable),
        Some(Word::Keyword("STRLEN")) => return length(words),
        _ => return Err(words.wrong("a value")),
    };
    words.take();
    Ok(Expression::Value(value))
}

/// Parses `STRLEN` and its argument.
fn length(words: &mut TokenList) -> Parsed<Expression> {
    words.take();
    words.expect("(")?;
    let of = words.deeper(value)?;
    words.expect(")")?;
    Ok(Expression::Length(Box::new(of)))
}

/// Parses a variable, with its indices if it has any.
pub(super) fn variable(words: &mut TokenList) -> Parsed<Variable> {
    let name = words.name()?;
    let mut indices = Vec::new();
    if words.takes("[") {
        indices.push(words.deeper(expression)?);
        while words.takes(",") {
            indices.push(words.deeper(expression)?);
        }
        words.expect("]")?;
    }
    Ok(Variable { name, indices })
}

/// Parses tests joined by `&&` and `||`, which have the same precedence and are read from the left,
/// as in the program Checktestdata.
pub(super) fn test(words: &mut TokenList) -> Parsed<CtdTest> {
    // There, `!` applies to everything that follows it.
    if words.takes("!") {
        return words.deeper(|words| Ok(CtdTest::Not(Box::new(test(words)?))));
    }
    let first = single_test(words)?;
    let mut rest = Vec::new();
    loop {
        let joint = match (words.takes("&&"), words.takes("||")) {
            (true, _) => TestJoint::And,
            (_, true) => TestJoint::Or,
            _ if rest.is_empty() => return Ok(first),
            _ => return Ok(CtdTest::Chain(Box::new(first), rest)),
        };
        let next = if words.takes("!") {
            words.deeper(|words| Ok(CtdTest::Not(Box::new(test(words)?))))?
        } else {
            single_test(words)?
        };
        rest.push((joint, next));
    }
}

fn single_test(words: &mut TokenList) -> Parsed<CtdTest> {
    let word = match words.peek() {
        Some(Word::Keyword(word)) if *word != "STRLEN" => *word,
        _ => return comparison_or_brackets(words),
    };
    if !["ISEOF", "MATCH", "UNIQUE", "INARRAY"].contains(&word) {
        return Err(words.wrong("a test"));
    }
    words.take();
    if word == "ISEOF" {
        return Ok(CtdTest::IsEof);
    }
    words.expect("(")?;
    let found = match word {
        "MATCH" => CtdTest::Match(value(words)?),
        "UNIQUE" => CtdTest::Unique(words.names()?),
        _ => {
            let wanted = expression(words)?;
            words.expect(",")?;
            CtdTest::InArray(wanted, variable(words)?.name)
        }
    };
    words.expect(")")?;
    Ok(found)
}

/// Parses a comparison or a test in brackets. An opening bracket may begin either.
fn comparison_or_brackets(words: &mut TokenList) -> Parsed<CtdTest> {
    let start = words.next;
    let compared = comparison(words);
    let failed_at = words.next;
    if compared.is_ok() {
        return compared;
    }
    words.next = start;
    if !words.takes("(") {
        words.next = failed_at;
        return compared;
    }
    let inner = words.deeper(test)?;
    words.expect(")")?;
    Ok(inner)
}

fn comparison(words: &mut TokenList) -> Parsed<CtdTest> {
    let left = expression(words)?;
    let Some((_, how)) = COMPARISONS.iter().find(|(sign, _)| words.takes(sign)) else {
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
    pub(super) fn new(words: Vec<Token>) -> Self {
        Self {
            words,
            next: 0,
            depth: 0,
        }
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

    /// Takes the next word.
    pub(super) fn take(&mut self) -> Option<Word> {
        let word = self.words.get(self.next)?.word.clone();
        self.next += 1;
        Some(word)
    }

    /// Takes the next word if it is this sign, and returns whether it was.
    pub(super) fn takes(&mut self, sign: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Word::Sign(found)) if *found == sign);
        self.next += usize::from(is_next);
        is_next
    }

    /// Takes the next word, which must be this sign.
    pub(super) fn expect(&mut self, sign: &str) -> Result<(), CtdSyntaxError> {
        if self.takes(sign) {
            Ok(())
        } else {
            Err(self.wrong(&format!("`{sign}`")))
        }
    }

    /// Takes the next word, which must be a name.
    fn name(&mut self) -> Result<String, CtdSyntaxError> {
        match self.peek() {
            Some(Word::Name(name)) => {
                let name = name.clone();
                self.next += 1;
                Ok(name)
            }
            _ => Err(self.wrong("a variable")),
        }
    }

    /// Takes one or more names with commas between them.
    pub(super) fn names(&mut self) -> Result<Vec<String>, CtdSyntaxError> {
        let mut names = vec![self.name()?];
        while self.takes(",") {
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// Reads something one level deeper.
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, CtdSyntaxError>,
    ) -> Result<T, CtdSyntaxError> {
        if self.depth == DEEPEST {
            return Err(CtdSyntaxError {
                line: self.line(),
                message: format!("brackets and blocks are nested more than {DEEPEST} deep"),
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
            Some(Word::Keyword(word) | Word::Sign(word)) => format!("`{word}`"),
            Some(Word::Name(name)) => format!("`{name}`"),
            Some(Word::Int(_) | Word::Float(_)) => "a number".to_owned(),
            Some(Word::Text(_)) => "a string".to_owned(),
        };
        CtdSyntaxError {
            line: self.line(),
            message: format!("expected {expected}, found {found}"),
        }
    }
}
