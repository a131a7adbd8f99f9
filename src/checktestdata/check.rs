//! Checks an input against a program, command by command. Start at [`CtdProgram::check`].

use std::sync::atomic::AtomicBool;

use crate::checktestdata::arithmetic::compares;
use crate::checktestdata::bounds::CtdBounds;
use crate::checktestdata::evaluation::Checked;
use crate::checktestdata::evaluation::InputState;
use crate::checktestdata::evaluation::Stop;
use crate::checktestdata::parser::CtdProgram;
use crate::checktestdata::syntax::Command;
use crate::checktestdata::syntax::CommandKind;
use crate::checktestdata::syntax::CtdComparison;
use crate::checktestdata::syntax::CtdLoop;
use crate::checktestdata::syntax::CtdTest;
use crate::checktestdata::syntax::CtdValue;
use crate::checktestdata::syntax::Expression;
use crate::checktestdata::syntax::LoopBound;
use crate::checktestdata::syntax::Variable;

/// The steps counted for matching a pattern of the usual size, however short the match is.
const STEPS_OF_A_PATTERN: u64 = 400;

/// Why an input did not pass the check.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CtdFailure {
    /// The input is not as the program says.
    #[error("line {line}, character {column}: {message} (line {command} of the rules)")]
    Refused {
        /// The line of the input, from 1.
        line: usize,
        /// The byte in it, from 1.
        column: usize,
        /// The line of the command that did not fit.
        command: usize,
        /// What is wrong.
        message: String,
    },
    /// The program cannot be run to its end.
    #[error("line {command} of the rules: {message}")]
    Broken {
        /// The line of the command.
        command: usize,
        /// Why it cannot be run any further.
        message: String,
    },
    /// The check was cancelled.
    #[error("the judge was told to stop")]
    Cancelled,
}

impl CtdProgram {
    /// Checks that an input is as the program says. After `is_cancelled` is set, it stops within a moment.
    ///
    /// # Errors
    /// Returns the first mismatch, or why the check could not be finished.
    pub fn check(&self, input: &[u8], is_cancelled: &AtomicBool) -> Result<(), CtdFailure> {
        self.check_within(input, &CtdBounds::usual(is_cancelled))
    }

    pub(super) fn check_within(&self, input: &[u8], bounds: &CtdBounds<'_>) -> Result<(), CtdFailure> {
        let mut checker = InputChecker { state: InputState::new(input, bounds), command: 1 };
        let all = checker.run(&self.commands).and_then(|()| checker.expect_end());
        let (command, line, column) = (checker.command, checker.state.data.line, checker.state.data.column);
        match all {
            Ok(()) | Err(Stop::Ended) => Ok(()),
            Err(Stop::Refused(message)) => Err(CtdFailure::Refused { line, column, command, message }),
            Err(Stop::Broken(message)) => Err(CtdFailure::Broken { command, message }),
            Err(Stop::Cancelled) => Err(CtdFailure::Cancelled),
        }
    }
}

/// The check of an input in progress.
struct InputChecker<'a> {
    state: InputState<'a>,
    /// The line of the last command that was run.
    command: usize,
}

impl InputChecker<'_> {
    fn run(&mut self, commands: &[Command]) -> Checked<()> {
        commands.iter().try_for_each(|command| self.run_command(command))
    }

    fn run_command(&mut self, command: &Command) -> Checked<()> {
        self.command = command.line;
        self.state.count(1)?;
        match &command.kind {
            CommandKind::Space => self.text(b" ", "a space"),
            CommandKind::Newline => self.text(b"\n", "a line break"),
            CommandKind::Eof => self.expect_end().and(Err(Stop::Ended)),
            CommandKind::Int { least, most, name } => self.integer(least, most, name.as_ref()),
            CommandKind::Float { least, most, name, notation } => {
                let found = self.state.data.float(*notation);
                self.number(false, found, least, most, name.as_ref())
            }
            CommandKind::Text(expression) => {
                let text = self.state.string(expression)?;
                self.text(&text, "another text")
            }
            CommandKind::Regex { pattern, name } => self.regex(pattern, name.as_ref()),
            CommandKind::Assert(test) => self.assert(test),
            CommandKind::Set(name, expression) => {
                let value = self.state.value(expression)?;
                self.state.set(name, value)
            }
            CommandKind::Unset(names) => {
                names.iter().for_each(|name| self.state.variables.unset(name));
                Ok(())
            }
            CommandKind::Loop(repeated) => self.repeat(repeated),
            CommandKind::If { test, then, otherwise } => {
                let commands = if self.state.test(test)? { then } else { otherwise };
                self.run(commands)
            }
        }
    }

    fn assert(&mut self, test: &CtdTest) -> Checked<()> {
        match self.state.test(test)? {
            true => Ok(()),
            false => Err(Stop::Refused("the assertion does not hold".to_owned())),
        }
    }

    fn expect_end(&self) -> Checked<()> {
        if self.state.data.is_at_end() {
            Ok(())
        } else {
            Err(Stop::Refused("the input goes on here".to_owned()))
        }
    }

    fn repeat(&mut self, repeated: &CtdLoop) -> Checked<()> {
        let line = self.command;
        let times = match &repeated.bound {
            LoopBound::While(_) => i128::MAX,
            LoopBound::Times(times) => match self.state.value(times)? {
                CtdValue::Int(times) if times >= 0 => times,
                _ => {
                    return Err(Stop::Broken(
                        "the number of repetitions is negative or not an integer".to_owned(),
                    ));
                }
            },
        };
        let mut turn: i128 = 0;
        loop {
            if let Some(counter) = &repeated.counter {
                self.state.set(counter, CtdValue::Int(turn))?;
            }
            let goes_on = match &repeated.bound {
                LoopBound::Times(_) => turn < times,
                LoopBound::While(test) => self.state.test(test)?,
            };
            if !goes_on {
                return Ok(());
            }
            self.state.count(1)?;
            if let Some(separator) = repeated.separator.as_ref().filter(|_| turn > 0) {
                self.run_command(separator)?;
            }
            self.run(&repeated.body)?;
            self.command = line;
            turn += 1;
        }
    }

    fn text(&mut self, text: &[u8], what: &str) -> Checked<()> {
        self.state.count(text.len() as u64)?;
        self.state.data.take_text(text).map_err(|_| {
            let found = match self.state.data.peek() {
                None => "the end of the input".to_owned(),
                Some(byte) => format!("`{}`", byte.escape_ascii()),
            };
            Stop::Refused(format!("expected {what}, found {found}"))
        })
    }

    fn integer(&mut self, least: &Expression, most: &Expression, name: Option<&Variable>) -> Checked<()> {
        let found = self.state.data.integer();
        let shape = match found {
            [] | [b'-'] => Some("expected an integer"),
            [b'0', _, ..] => Some("an integer begins with 0"),
            [b'-', b'0', ..] => Some("an integer begins with -0"),
            _ => None,
        };
        if let Some(wrong) = shape {
            return Err(Stop::Refused(wrong.to_owned()));
        }
        self.number(true, found, least, most, name)
    }

    /// Reads a number that must lie between two values.
    fn number(
        &mut self,
        is_integer: bool,
        found: &[u8],
        least: &Expression,
        most: &Expression,
        name: Option<&Variable>,
    ) -> Checked<()> {
        if found.is_empty() {
            return Err(Stop::Refused("expected a number".to_owned()));
        }
        let text = String::from_utf8_lossy(found).into_owned();
        let value = match text.parse() {
            Ok(number) if is_integer => CtdValue::Int(number),
            // An integer with more digits than that lies beyond all bounds that can be written.
            _ => CtdValue::Float(text.parse().unwrap_or(f64::NAN)),
        };
        let (least, most) = (self.state.value(least)?, self.state.value(most)?);
        let is_within = compares(CtdComparison::AtLeast, &value, &least).and_then(|is_large| {
            compares(CtdComparison::AtMost, &value, &most).map(|is_small| is_large && is_small)
        });
        if !is_within.map_err(Stop::Broken)? {
            let (least, most) = (shown(&least), shown(&most));
            return Err(Stop::Refused(format!("{text} does not lie between {least} and {most}")));
        }
        self.state.data.advance(found.len());
        name.map_or(Ok(()), |name| self.state.set(name, value))
    }

    fn regex(&mut self, pattern: &Expression, name: Option<&Variable>) -> Checked<()> {
        let pattern = self.state.string(pattern)?;
        let size = self.state.data.size_of(&pattern).map_err(Stop::Broken)?;
        // A larger pattern takes longer at each byte, and mostly looks farther.
        self.state.count(STEPS_OF_A_PATTERN * size * size.isqrt())?;
        let Some(found) = self.state.data.matched(&pattern).map_err(Stop::Broken)? else {
            let pattern = String::from_utf8_lossy(&pattern).into_owned();
            return Err(Stop::Refused(format!("nothing here fits the pattern `{pattern}`")));
        };
        self.state.count(found.len() as u64)?;
        self.state.data.advance(found.len());
        name.map_or(Ok(()), |name| self.state.set(name, CtdValue::Text(found.to_owned())))
    }
}

fn shown(value: &CtdValue) -> String {
    match value {
        CtdValue::Int(number) => number.to_string(),
        CtdValue::Float(number) => number.to_string(),
        CtdValue::Text(text) => format!("\"{}\"", text.escape_ascii()),
    }
}
