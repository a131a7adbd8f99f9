//! Parses and runs programs in the language Checktestdata, in which packages of DOMjudge and Kattis
//! describe their inputs (`.ctd`). An input is checked within bounds of steps and memory, since a
//! program may be hostile. Knows no package and no file. Start at [`CtdProgram::parse`].
//!
//! Source: "Checktestdata language specification", DOMjudge/checktestdata, doc/format-spec.md;
//! where that leaves something open, the behaviour of the program of that name. Numbers that are
//! not integers are exact here, where that program rounds them.

mod arithmetic;
mod bounds;
mod check;
mod cursor;
mod evaluation;
mod expression_parser;
mod extended_regex;
mod fraction;
mod integer;
mod lexer;
mod parser;
mod pattern;
mod syntax;
mod syntax_error;
mod token_list;
mod variables;

pub use check::{CtdFailure, CtdSpaces};
pub use parser::CtdProgram;
pub use syntax_error::CtdSyntaxError;

#[cfg(test)]
mod tests;
