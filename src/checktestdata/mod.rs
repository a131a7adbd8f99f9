//! The language Checktestdata, in which packages of DOMjudge and Kattis say what their inputs look like (`.ctd`): a program is read, and
//! held against an input within bounds of steps and memory, so that it may come from somebody hostile. Knows no package and no file.
//! Start at [`CtdProgram::parse`].
//!
//! Source: "Checktestdata language specification", DOMjudge/checktestdata, doc/format-spec.md; where that leaves something open, what the
//! program of that name does. Numbers have fewer digits here: integers 38, others those of 64 bits.

mod arithmetic;
mod bounds;
mod check;
mod cursor;
mod evaluation;
mod expression_parser;
mod lexer;
mod parser;
mod pattern;
mod syntax;
mod syntax_error;
mod token_list;
mod variables;

pub use check::CtdFailure;
pub use parser::CtdProgram;
pub use syntax_error::CtdSyntaxError;

#[cfg(test)]
mod tests;
