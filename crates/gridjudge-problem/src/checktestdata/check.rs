//! Checks an input against a program, command by command. Start at
//! [`CtdProgram::check`].

use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::checktestdata::arithmetic::{break_off, refuse_input, steps_to_read};
use crate::checktestdata::{
    Checked, Command, CommandKind, CtdBounds, CtdFraction, CtdInteger, CtdLoop,
    CtdProgram, CtdSpaces, CtdValue, Expression, FloatCommand, InputState, LoopBound,
    Stop, Variable, WrittenFloat,
};

/// Most bytes of an input that a message shows.
const MOST_SHOWN: usize = 60;

/// Why an input did not pass the check.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CtdFailure {
    /// The input is not as the program says.
    #[error(
        "line {line}, character {column}: {message} (line {command} of the rules)"
    )]
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
    /// Checks that an input is as the program says. After `is_cancelled` is set, it
    /// stops within a moment.
    ///
    /// # Errors
    /// Returns the first mismatch, or why the check could not be finished.
    pub fn check(
        &self,
        input: &[u8],
        spaces: CtdSpaces,
        is_cancelled: &AtomicBool,
    ) -> Result<(), CtdFailure> {
        let bounds = CtdBounds {
            steps: 10_000_000,
            bytes: 100 << 20,
            is_cancelled,
        };
        self.check_within(input, spaces, &bounds)
    }

    pub(super) fn check_within(
        &self,
        input: &[u8],
        spaces: CtdSpaces,
        bounds: &CtdBounds<'_>,
    ) -> Result<(), CtdFailure> {
        let mut state = InputState::new(input, spaces, bounds);
        state.skip_blanks();
        let all = state.run(&self.commands).and_then(|()| state.expect_end());
        let command = state.command;
        all.map_err(|stop| match stop {
            Stop::Refused(message) => CtdFailure::Refused {
                line: state.data.line,
                column: state.data.column,
                command,
                message,
            },
            Stop::Broken(message) => CtdFailure::Broken { command, message },
            Stop::Cancelled => CtdFailure::Cancelled,
        })
    }
}

impl InputState<'_> {
    fn run(&mut self, commands: &[Command]) -> Checked<()> {
        commands
            .iter()
            .try_for_each(|command| self.run_command(command))
    }

    fn run_command(&mut self, command: &Command) -> Checked<()> {
        use CommandKind::*;

        self.command = command.line;
        self.count(1)?;
        match &command.kind {
            Space if self.skip_blanks() => Ok(()),
            Space => self.text(b" ", "a space"),
            Newline => {
                self.skip_blanks();
                self.text(b"\n", "a line break")?;
                self.skip_blanks();
                Ok(())
            }
            Eof => self.expect_end(),
            Int { least, most, name } => self.take_integer(least, most, name),
            Float(wanted) => self.take_float(wanted),
            Text(expression) => {
                let text = self.string(expression)?;
                self.text(&text, "another text")
            }
            Regex { pattern, name } => self.regex(pattern, name),
            Assert(test) if self.test(test)? => Ok(()),
            Assert(_) => refuse_input("the assertion does not hold"),
            Set(assignments) => {
                assignments.iter().try_for_each(|(name, expression)| {
                    let value = self.value(expression)?;
                    self.set(name, value)
                })
            }
            Unset(names) => names.iter().try_for_each(|name| {
                self.count(1 + self.variables.count(name) as u64)?;
                self.variables.unset(name);
                Ok(())
            }),
            Loop(repeated) => self.repeat(repeated),
            If {
                test,
                then,
                otherwise,
            } => {
                let commands = if self.test(test)? { then } else { otherwise };
                self.run(commands)
            }
        }
    }

    /// Passes blanks if there may be more than the program says. Returns whether there
    /// were any.
    fn skip_blanks(&mut self) -> bool {
        self.spaces == CtdSpaces::More && self.data.skip_blanks()
    }

    fn expect_end(&self) -> Checked<()> {
        if self.data.is_at_end() {
            Ok(())
        } else {
            refuse_input("the input goes on here")
        }
    }

    fn repeat(&mut self, repeated: &CtdLoop) -> Checked<()> {
        let line = self.command;
        self.keep(&repeated.counter, CtdValue::small(0))?;
        let times = match &repeated.bound {
            LoopBound::While(_) => u64::MAX,
            LoopBound::Times(times) => {
                let times = self.integer(times, "the number of repetitions")?;
                let Some(number) = times.as_u64() else {
                    return break_off(format!(
                        "{times} is not a number of repetitions"
                    ));
                };
                number
            }
        };
        for turn in 0..times {
            if let LoopBound::While(test) = &repeated.bound
                && !self.test(test)?
            {
                return Ok(());
            }
            self.count(1)?;
            if let Some(separator) = repeated.separator.as_ref().filter(|_| turn > 0)
            {
                self.run_command(separator)?;
            }
            self.run(&repeated.body)?;
            self.command = line;
            self.keep(&repeated.counter, CtdValue::small(turn + 1))?;
        }
        Ok(())
    }

    fn text(&mut self, text: &[u8], what: &str) -> Checked<()> {
        self.count(text.len() as u64 / 4)?;
        if self.data.take_text(text) {
            return Ok(());
        }
        let found = match self.data.peek() {
            None => "the end of the input".to_owned(),
            Some(byte) => format!("`{}`", byte.escape_ascii()),
        };
        refuse_input(format!("expected {what}, found {found}"))
    }

    fn take_integer(
        &mut self,
        least: &Expression,
        most: &Expression,
        name: &Option<Variable>,
    ) -> Checked<()> {
        let found = self.data.integer();
        let least = self.integer(least, "the lower bound of `INT`")?;
        let most = self.integer(most, "the upper bound of `INT`")?;
        match found {
            [] | [b'-'] => return refuse_input("expected an integer"),
            [b'0', _, ..] => return refuse_input("an integer begins with 0"),
            [b'-', b'0', ..] => return refuse_input("an integer begins with -0"),
            _ => {}
        }
        // An integer of more digits than the bounds need not be read to know that it
        // lies beyond them.
        if found.len() as u64 <= 1 + least.most_digits().max(most.most_digits()) {
            self.count(steps_to_read(found.len()))?;
            let number = CtdInteger::parse(found);
            if let Some(number) = number.filter(|one| (&least..=&most).contains(&one))
            {
                self.data.advance(found.len());
                return self.keep(name, CtdValue::Int(number));
            }
        }
        out_of_range(found, &CtdValue::Int(least), &CtdValue::Int(most))
    }

    fn take_float(&mut self, wanted: &FloatCommand) -> Checked<()> {
        let decimals = self.decimals(wanted)?;
        let found = self.data.float(wanted.notation).or_else(refuse_input)?;
        let WrittenFloat {
            text, has_exponent, ..
        } = found;
        if let Some((least, most)) = decimals {
            let digits = text.strip_prefix(b"-").unwrap_or(text);
            if has_exponent && !matches!(digits, [b'1'..=b'9', b'.', ..]) {
                return refuse_input(
                    "a number with an exponent needs one digit other than 0 and a decimal point \
                     first",
                );
            }
            if !(least..=most).contains(&(found.decimals as u64)) {
                let found = found.decimals;
                return refuse_input(format!(
                    "{found} decimals, and not from {least} to {most}"
                ));
            }
        }
        self.count(4 + steps_to_read(text.len()))?;
        let Some(number) = CtdFraction::parse(text) else {
            return refuse_input("expected a number");
        };
        let value = CtdValue::Float(Arc::new(number));
        let least = self.value(&wanted.least)?;
        let most = self.value(&wanted.most)?;
        let is_large = self.compares(Ordering::is_ge, &value, &least)?;
        let is_small = self.compares(Ordering::is_le, &value, &most)?;
        if !is_large || !is_small {
            return out_of_range(text, &least, &most);
        }
        self.data.advance(text.len());
        self.keep(&wanted.name, value)
    }

    /// The least and the largest number of decimals.
    fn decimals(&mut self, wanted: &FloatCommand) -> Checked<Option<(u64, u64)>> {
        let Some((least, most)) = &wanted.decimals else {
            return Ok(None);
        };
        let mut number = |expression| {
            let decimals = self.integer(expression, "a number of decimals")?;
            match decimals.as_u64() {
                Some(small) if small < i32::MAX as u64 => Ok(small),
                _ => break_off(format!("{decimals} is not a number of decimals")),
            }
        };
        let least = number(least)?;
        let most = number(most)?;
        if least > most {
            return break_off(format!(
                "there are no numbers of decimals from {least} to {most}"
            ));
        }
        Ok(Some((least, most)))
    }

    fn regex(
        &mut self,
        pattern: &Expression,
        name: &Option<Variable>,
    ) -> Checked<()> {
        let pattern = self.string(pattern)?;
        self.count(1)?;
        let Some(found) = self.data.matched(&pattern, &mut self.steps)? else {
            let pattern = String::from_utf8_lossy(&pattern).into_owned();
            return refuse_input(format!(
                "nothing here fits the pattern `{pattern}`"
            ));
        };
        self.data.advance(found.len());
        self.keep(name, CtdValue::Text(found.into()))
    }

    /// Sets a variable, if there is one.
    fn keep(&mut self, name: &Option<Variable>, value: CtdValue) -> Checked<()> {
        if let Some(name) = name {
            self.set(name, value)
        } else {
            Ok(())
        }
    }
}

fn out_of_range(found: &[u8], least: &CtdValue, most: &CtdValue) -> Checked<()> {
    let digits = found.len();
    let found = String::from_utf8_lossy(&found[..digits.min(MOST_SHOWN)]);
    let found = if digits > MOST_SHOWN {
        format!("{found}... ({digits} characters)")
    } else {
        found.into()
    };
    let least = shown(least);
    let most = shown(most);
    refuse_input(format!("{found} does not lie between {least} and {most}"))
}

fn shown(value: &CtdValue) -> String {
    match value {
        CtdValue::Int(number) => number.to_string(),
        CtdValue::Float(number) => number.to_string(),
        CtdValue::Text(text) => format!("\"{}\"", text.escape_ascii()),
    }
}
