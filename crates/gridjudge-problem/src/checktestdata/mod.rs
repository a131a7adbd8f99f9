//! Parses and runs programs in the language Checktestdata, in which packages of
//! DOMjudge and Kattis describe their inputs (`.ctd`). An input is checked within
//! bounds of steps and memory, since a program may be hostile. Knows no package and no
//! file. Start at [`CtdProgram::parse`].
//!
//! Source: "Checktestdata language specification", DOMjudge/checktestdata,
//! doc/format-spec.md; where that leaves something open, the behaviour of the program
//! of that name. Numbers that are not integers are exact here, where that program
//! rounds them.

mod arithmetic;
mod check;
mod cursor;
mod evaluation;
mod expression_parser;
mod extended_regex;
mod number;
mod parser;
mod syntax;
mod variables;

use arithmetic::{Checked, StepCounter, Stop, steps_of};
pub use check::CtdFailure;
use cursor::{DataCursor, WrittenFloat};
pub use evaluation::CtdSpaces;
use evaluation::{CtdBounds, InputState};
pub use expression_parser::CtdSyntaxError;
use expression_parser::TokenList;
use number::{CtdFraction, CtdInteger};
pub use parser::CtdProgram;
use syntax::{
    Command, CommandKind, CtdLoop, CtdTest, CtdValue, Expression, FloatCommand,
    FloatNotation, LoopBound, Variable,
};
use variables::{Place, Variables};

#[cfg(test)]
mod tests;
