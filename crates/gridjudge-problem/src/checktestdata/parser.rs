//! Parses the text of a program into commands. Start at [`CtdProgram::parse`].

use crate::checktestdata::expression_parser::{
    Parsed, expression, test, value, variable,
};
use crate::checktestdata::{
    Command, CommandKind, CtdLoop, CtdSyntaxError, Expression, FloatCommand,
    FloatNotation, LoopBound, TokenList, Variable,
};

/// A program that describes an input.
#[derive(Clone, Debug)]
pub struct CtdProgram {
    pub(super) commands: Vec<Command>,
}

impl CtdProgram {
    /// Parses a program.
    ///
    /// # Errors
    /// Returns [`CtdSyntaxError`] for the first thing that is not in the language.
    pub fn parse(text: &[u8]) -> Result<Self, CtdSyntaxError> {
        let mut words = TokenList::split(text)?;
        let commands = commands(&mut words)?;
        match words.peek() {
            None => Ok(Self { commands }),
            Some(_) => Err(words.wrong("a command outside of any block")),
        }
    }
}

/// Parses commands up to the end of their block, or of the program.
fn commands(words: &mut TokenList) -> Parsed<Vec<Command>> {
    let mut found = vec![];
    while words.peek().is_some() && !["END", "ELSE"].contains(&words.keyword()) {
        found.push(command(words)?);
    }
    Ok(found)
}

fn command(words: &mut TokenList) -> Parsed<Command> {
    let line = words.line();
    let blocks = ["REP", "REPI", "WHILE", "WHILEI", "IF"];
    match blocks.into_iter().find(|word| words.takes(word)) {
        Some(word) => {
            let kind = words.deeper(|words| block(word, words))?;
            Ok(Command { line, kind })
        }
        None => simple(words),
    }
}

/// Parses a command that is not a block.
fn simple(words: &mut TokenList) -> Parsed<Command> {
    let line = words.line();
    let kind = match words.keyword() {
        "SPACE" => words.pass(CommandKind::Space),
        "NEWLINE" => words.pass(CommandKind::Newline),
        "EOF" => words.pass(CommandKind::Eof),
        "INT" => words.call(integer)?,
        "FLOAT" => words.call(|words| float(false, words))?,
        "FLOATP" => words.call(|words| float(true, words))?,
        "STRING" => CommandKind::Text(words.call(value)?),
        "REGEX" => words.call(regex)?,
        "ASSERT" => CommandKind::Assert(words.call(test)?),
        "SET" => CommandKind::Set(words.call(|words| words.list(assignment))?),
        "UNSET" => {
            CommandKind::Unset(words.call(|words| words.list(TokenList::name))?)
        }
        _ => {
            return Err(words.wrong("a command"));
        }
    };
    Ok(Command { line, kind })
}

fn integer(words: &mut TokenList) -> Parsed<CommandKind> {
    let (least, most) = range(words)?;
    let name = further(words, variable)?;
    Ok(CommandKind::Int { least, most, name })
}

fn regex(words: &mut TokenList) -> Parsed<CommandKind> {
    let pattern = value(words)?;
    let name = further(words, variable)?;
    Ok(CommandKind::Regex { pattern, name })
}

fn assignment(words: &mut TokenList) -> Parsed<(Variable, Expression)> {
    let name = variable(words)?;
    words.expect("=")?;
    Ok((name, expression(words)?))
}

/// Parses two expressions with a comma between them.
fn range(words: &mut TokenList) -> Parsed<(Expression, Expression)> {
    let least = expression(words)?;
    words.expect(",")?;
    Ok((least, expression(words)?))
}

fn float(has_decimals: bool, words: &mut TokenList) -> Parsed<CommandKind> {
    let (least, most) = range(words)?;
    let decimals = if has_decimals {
        words.expect(",")?;
        Some(range(words)?)
    } else {
        None
    };
    let name = further(words, variable)?;
    let notation = if name.is_some() {
        further(words, notation)?
    } else {
        None
    };
    Ok(CommandKind::Float(Box::new(FloatCommand {
        least,
        most,
        decimals,
        name,
        notation: notation.unwrap_or(FloatNotation::Any),
    })))
}

fn notation(words: &mut TokenList) -> Parsed<FloatNotation> {
    if words.takes("FIXED") {
        Ok(FloatNotation::Fixed)
    } else if words.takes("SCIENTIFIC") {
        Ok(FloatNotation::Scientific)
    } else {
        Err(words.wrong("`FIXED` or `SCIENTIFIC`"))
    }
}

/// Parses what follows a comma, if one comes next.
fn further<T>(
    words: &mut TokenList,
    read: impl FnOnce(&mut TokenList) -> Parsed<T>,
) -> Parsed<Option<T>> {
    if words.takes(",") {
        read(words).map(Some)
    } else {
        Ok(None)
    }
}

/// Parses a loop or an `IF`, after its keyword.
fn block(word: &str, words: &mut TokenList) -> Parsed<CommandKind> {
    words.expect("(")?;
    if word == "IF" {
        let test = test(words)?;
        words.expect(")")?;
        let then = commands(words)?;
        let otherwise = if words.takes("ELSE") {
            commands(words)?
        } else {
            vec![]
        };
        words.expect("END")?;
        return Ok(CommandKind::If {
            test,
            then,
            otherwise,
        });
    }
    let counter = if word.ends_with('I') {
        let counter = variable(words)?;
        words.expect(",")?;
        Some(counter)
    } else {
        None
    };
    let bound = if word.starts_with("REP") {
        LoopBound::Times(expression(words)?)
    } else {
        LoopBound::While(test(words)?)
    };
    let separator = further(words, simple)?;
    words.expect(")")?;
    let body = commands(words)?;
    words.expect("END")?;
    Ok(CommandKind::Loop(Box::new(CtdLoop {
        counter,
        bound,
        separator,
        body,
    })))
}
