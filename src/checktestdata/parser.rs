//! Parses the text of a program into commands. Start at [`CtdProgram::parse`].

use crate::checktestdata::expression_parser::expression;
use crate::checktestdata::expression_parser::test;
use crate::checktestdata::expression_parser::value;
use crate::checktestdata::expression_parser::variable;
use crate::checktestdata::lexer::Word;
use crate::checktestdata::lexer::words;
use crate::checktestdata::syntax::Command;
use crate::checktestdata::syntax::CommandKind;
use crate::checktestdata::syntax::CtdLoop;
use crate::checktestdata::syntax::FloatNotation;
use crate::checktestdata::syntax::LoopBound;
use crate::checktestdata::syntax::Variable;
use crate::checktestdata::syntax_error::CtdSyntaxError;
use crate::checktestdata::token_list::TokenList;

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
    let Some(Word::Keyword(word)) = words.peek() else { return Err(words.wrong("a command")) };
    let word = *word;
    let is_block = ["REP", "REPI", "WHILE", "WHILEI", "IF"].contains(&word);
    if is_block {
        words.take();
        let kind = words.deeper(|words| block(word, words))?;
        return Ok(Command { line, kind });
    }
    simple(words)
}

/// Parses a command that is not a block.
fn simple(words: &mut TokenList) -> Parsed<Command> {
    let line = words.line();
    let Some(Word::Keyword(word)) = words.peek() else { return Err(words.wrong("a command")) };
    let word = *word;
    let plain = match word {
        "SPACE" => Some(CommandKind::Space),
        "NEWLINE" => Some(CommandKind::Newline),
        "EOF" => Some(CommandKind::Eof),
        "INT" | "FLOAT" | "STRING" | "REGEX" | "ASSERT" | "SET" | "UNSET" => None,
        _ => return Err(words.wrong("a command")),
    };
    words.take();
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
        "INT" | "FLOAT" => number(word == "FLOAT", words)?,
        "STRING" => CommandKind::Text(value(words)?),
        "REGEX" => CommandKind::Regex { pattern: value(words)?, name: further(words, variable)? },
        "ASSERT" => CommandKind::Assert(test(words)?),
        "SET" => {
            let name = variable(words)?;
            words.expect("=")?;
            CommandKind::Set(name, expression(words)?)
        }
        _ => CommandKind::Unset(words.names()?),
    })
}

fn number(is_float: bool, words: &mut TokenList) -> Parsed<CommandKind> {
    let least = expression(words)?;
    words.expect(",")?;
    let most = expression(words)?;
    let name: Option<Variable> = further(words, variable)?;
    if !is_float {
        return Ok(CommandKind::Int { least, most, name });
    }
    let notation = match name.is_some() && words.takes(",") {
        false => FloatNotation::Any,
        true => match words.peek() {
            Some(Word::Keyword("FIXED")) => FloatNotation::Fixed,
            Some(Word::Keyword("SCIENTIFIC")) => FloatNotation::Scientific,
            _ => return Err(words.wrong("`FIXED` or `SCIENTIFIC`")),
        },
    };
    if notation != FloatNotation::Any {
        words.take();
    }
    Ok(CommandKind::Float { least, most, name, notation })
}

/// Parses what follows a comma, if one comes next.
fn further<T>(words: &mut TokenList, read: impl FnOnce(&mut TokenList) -> Parsed<T>) -> Parsed<Option<T>> {
    if words.takes(",") { read(words).map(Some) } else { Ok(None) }
}

/// Parses a loop or an `IF`, after its keyword.
fn block(word: &str, words: &mut TokenList) -> Parsed<CommandKind> {
    words.expect("(")?;
    if word == "IF" {
        let test = test(words)?;
        words.expect(")")?;
        let then = commands(words)?;
        let has_else = matches!(words.peek(), Some(Word::Keyword("ELSE")));
        let otherwise = match has_else {
            true => {
                words.take();
                commands(words)?
            }
            false => Vec::new(),
        };
        end(words)?;
        return Ok(CommandKind::If { test, then, otherwise });
    }
    let counter = match word.ends_with('I') {
        true => {
            let counter = variable(words)?;
            words.expect(",")?;
            Some(counter)
        }
        false => None,
    };
    let bound = match word.starts_with("REP") {
        true => LoopBound::Times(expression(words)?),
        false => LoopBound::While(test(words)?),
    };
    let separator = further(words, simple)?;
    words.expect(")")?;
    let body = commands(words)?;
    end(words)?;
    Ok(CommandKind::Loop(Box::new(CtdLoop { counter, bound, separator, body })))
}

fn end(words: &mut TokenList) -> Parsed<()> {
    match words.peek() {
        Some(Word::Keyword("END")) => {
            words.take();
            Ok(())
        }
        _ => Err(words.wrong("`END`")),
    }
}
