//! Parses the text of a program into commands. Start at [`CtdProgram::parse`].

use crate::checktestdata::expression_parser::words;
use crate::checktestdata::expression_parser::{expression, test, value, variable};
use crate::checktestdata::{
    Command, CommandKind, CtdLoop, CtdSyntaxError, Expression, FloatCommand,
    FloatNotation, LoopBound, TokenList, Variable, Word,
};

/// A program that describes an input.
#[derive(Clone, Debug, PartialEq)]
pub struct CtdProgram {
    pub(super) commands: Vec<Command>,
}

type Parsed<T> = Result<T, CtdSyntaxError>;

impl CtdProgram {
    /// Parses a program.
    ///
    /// # Errors
    /// Returns [`CtdSyntaxError`] for the first thing that is not in the language.
    pub fn parse(text: &[u8]) -> Result<Self, CtdSyntaxError> {
        let mut words = TokenList::new(words(text)?);
        let commands = commands(&mut words)?;
        match words.peek() {
            None => Ok(Self { commands }),
            Some(_) => Err(words.wrong("a command outside of any block")),
        }
    }
}

/// Parses commands up to the end of their block, or of the program.
fn commands(words: &mut TokenList) -> Parsed<Vec<Command>> {
    let mut found = Vec::new();
    while !matches!(words.peek(), None | Some(Word::Keyword("END" | "ELSE"))) {
        found.push(command(words)?);
    }
    Ok(found)
}

fn command(words: &mut TokenList) -> Parsed<Command> {
    let line = words.line();
    let Some(Word::Keyword(word)) = words.peek() else {
        return Err(words.wrong("a command"));
    };
    let word = *word;
    let is_block = ["REP", "REPI", "WHILE", "WHILEI", "IF"].contains(&word);
    if is_block {
        words.take_word();
        let kind = words.deeper(|words| block(word, words))?;
        return Ok(Command { line, kind });
    }
    simple(words)
}

/// Parses a command that is not a block.
fn simple(words: &mut TokenList) -> Parsed<Command> {
    let line = words.line();
    let Some(Word::Keyword(word)) = words.peek() else {
        return Err(words.wrong("a command"));
    };
    let word = *word;
    let plain = match word {
        "SPACE" => Some(CommandKind::Space),
        "NEWLINE" => Some(CommandKind::Newline),
        "EOF" => Some(CommandKind::Eof),
        "INT" | "FLOAT" | "FLOATP" | "STRING" | "REGEX" | "ASSERT" | "SET"
        | "UNSET" => None,
        _ => return Err(words.wrong("a command")),
    };
    words.take_word();
    if let Some(kind) = plain {
        return Ok(Command { line, kind });
    }
    words.expect("(")?;
    let kind = with_arguments(word, words)?;
    words.expect(")")?;
    Ok(Command { line, kind })
}

fn with_arguments(word: &str, words: &mut TokenList) -> Parsed<CommandKind> {
    Ok(match word {
        "INT" => {
            let (least, most) = range(words)?;
            CommandKind::Int {
                least,
                most,
                name: further(words, variable)?,
            }
        }
        "FLOAT" | "FLOATP" => {
            CommandKind::Float(Box::new(float(word == "FLOATP", words)?))
        }
        "STRING" => CommandKind::Text(value(words)?),
        "REGEX" => CommandKind::Regex {
            pattern: value(words)?,
            name: further(words, variable)?,
        },
        "ASSERT" => CommandKind::Assert(test(words)?),
        "SET" => {
            let mut assignments = vec![assignment(words)?];
            while words.takes(",") {
                assignments.push(assignment(words)?);
            }
            CommandKind::Set(assignments)
        }
        _ => CommandKind::Unset(words.names()?),
    })
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

fn float(has_decimals: bool, words: &mut TokenList) -> Parsed<FloatCommand> {
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
    Ok(FloatCommand {
        least,
        most,
        decimals,
        name,
        notation: notation.unwrap_or(FloatNotation::Any),
    })
}

fn notation(words: &mut TokenList) -> Parsed<FloatNotation> {
    let notation = match words.peek() {
        Some(Word::Keyword("FIXED")) => FloatNotation::Fixed,
        Some(Word::Keyword("SCIENTIFIC")) => FloatNotation::Scientific,
        _ => return Err(words.wrong("`FIXED` or `SCIENTIFIC`")),
    };
    words.take_word();
    Ok(notation)
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
        let has_else = matches!(words.peek(), Some(Word::Keyword("ELSE")));
        let otherwise = if has_else {
            words.take_word();
            commands(words)?
        } else {
            Vec::new()
        };
        end(words)?;
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
    end(words)?;
    Ok(CommandKind::Loop(Box::new(CtdLoop {
        counter,
        bound,
        separator,
        body,
    })))
}

fn end(words: &mut TokenList) -> Parsed<()> {
    match words.peek() {
        Some(Word::Keyword("END")) => {
            words.take_word();
            Ok(())
        }
        _ => Err(words.wrong("`END`")),
    }
}
