//! Parses words into expressions and tests. Knows no commands.

use crate::checktestdata::lexer::Word;
use crate::checktestdata::syntax::{
    CtdComparison, CtdTest, CtdValue, Expression, TestJoint, Variable,
};
use crate::checktestdata::syntax_error::CtdSyntaxError;
use crate::checktestdata::token_list::TokenList;

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
