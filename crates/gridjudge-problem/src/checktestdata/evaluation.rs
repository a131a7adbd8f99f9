//! Evaluates expressions and tests at a place in an input, with the variables read or
//! set before, within bounds of steps and memory. Knows no commands.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::checktestdata::arithmetic::{
    BYTES_OF_A_STEP, break_off, combined, expect_same_kind, negated, refuse_input,
};
use crate::checktestdata::syntax::CtdComparison;
use crate::checktestdata::{
    Checked, CtdInteger, CtdTest, CtdValue, DataCursor, Expression, Place,
    StepCounter, Variable, Variables, steps_of,
};

/// Steps allowed for each byte of the input in addition to those for every input, and
/// the most allowed in all. An input of 10 MB takes 2 s at most, one of 140 MB or more
/// 25 s.
const STEPS_OF_A_BYTE: u64 = 7;
const MOST_STEPS: u64 = 1_000_000_000;

/// Most indices of a value.
const MOST_INDICES: usize = 16;

/// The state of a check: the place in the input, the variables, and the steps left.
pub(super) struct InputState<'a> {
    pub(super) data: DataCursor<'a>,
    pub(super) spaces: CtdSpaces,
    pub(super) variables: Variables,
    pub(super) steps: StepCounter<'a>,
    /// The line of the last command that was run.
    pub(super) command: usize,
}

impl<'a> InputState<'a> {
    pub(super) fn new(
        input: &'a [u8],
        spaces: CtdSpaces,
        bounds: &CtdBounds<'a>,
    ) -> Self {
        let steps = STEPS_OF_A_BYTE
            .saturating_mul(input.len() as u64)
            .saturating_add(bounds.steps)
            .min(MOST_STEPS);
        Self {
            data: DataCursor::new(input),
            spaces,
            variables: Variables::of_at_most(bounds.bytes),
            steps: StepCounter::new(steps, bounds.is_cancelled),
            command: 1,
        }
    }

    pub(super) fn test(&mut self, test: &CtdTest) -> Checked<bool> {
        self.count(1)?;
        match test {
            CtdTest::Not(inner) => Ok(!self.test(inner)?),
            CtdTest::Chain(first, rest) => {
                let mut holds = self.test(first)?;
                for (needed, next) in rest {
                    if holds == *needed {
                        holds = self.test(next)?;
                    }
                }
                Ok(holds)
            }
            CtdTest::Compare(how, left, right) => {
                let left = self.value(left)?;
                let right = self.value(right)?;
                self.compares(*how, &left, &right)
            }
            CtdTest::IsEof => Ok(self.data.is_at_end()),
            CtdTest::Match(letters) => {
                let letters = self.string(letters)?;
                self.count((letters.len() / BYTES_OF_A_STEP) as u64)?;
                Ok(self.data.peek().is_some_and(|byte| letters.contains(&byte)))
            }
            CtdTest::Unique(names) => {
                let mut each = names.iter();
                if let Some(unset) =
                    each.find(|name| self.variables.any(name).is_none())
                {
                    return refuse_input(format!("{unset} has no value"));
                }
                let duplicate =
                    self.variables.why_not_unique(names, &mut self.steps)?;
                // Duplicates refuse the input and are reported with their indices,
                // whatever the result of the test is used for.
                duplicate.map_or(Ok(true), refuse_input)
            }
            CtdTest::InArray(wanted, name) => {
                let wanted = self.value(wanted)?;
                let Some(value) = self.variables.any(name) else {
                    return refuse_input(format!("{name} has no value"));
                };
                expect_same_kind(&wanted, &value)?;
                self.variables.contains(name, &wanted, &mut self.steps)
            }
        }
    }

    /// Whether a comparison of two values holds.
    pub(super) fn compares(
        &mut self,
        how: CtdComparison,
        left: &CtdValue,
        right: &CtdValue,
    ) -> Checked<bool> {
        self.count(steps_of('-', left, right))?;
        expect_same_kind(left, right)?;
        Ok(how(left.cmp(right)))
    }

    pub(super) fn value(&mut self, expression: &Expression) -> Checked<CtdValue> {
        match expression {
            Expression::Value(value) => self.copy(value),
            Expression::Length(inner) => match self.value(inner)? {
                CtdValue::Text(text) => Ok(CtdValue::small(text.len() as u64)),
                _ => break_off("`STRLEN` takes a string"),
            },
            Expression::Negative(inner) => {
                let value = self.value(inner)?;
                self.count(1 + (value.bytes() / BYTES_OF_A_STEP) as u64)?;
                negated(&value)
            }
            Expression::Chain(first, rest) => {
                let mut value = self.value(first)?;
                for (sign, next) in rest {
                    let next = self.value(next)?;
                    self.count(1 + steps_of(*sign, &value, &next))?;
                    value = combined(*sign, &value, &next)?;
                }
                Ok(value)
            }
            Expression::Variable(Variable { name, indices }) => {
                let place = self.place(indices)?;
                let steps = self.variables.steps_to_find(name, &place);
                self.count(steps)?;
                let Some(value) = self.variables.get(name, &place) else {
                    return refuse_input(format!(
                        "{name}{} has no value",
                        place.shown()
                    ));
                };
                self.copy(&value)
            }
        }
    }

    /// Copies a value. Only those of numbers take time.
    fn copy(&mut self, value: &CtdValue) -> Checked<CtdValue> {
        if let CtdValue::Int(number) = value {
            self.count(number.words() / 8)?;
        }
        Ok(value.clone())
    }

    fn place(&mut self, indices: &[Expression]) -> Checked<Place> {
        if indices.len() > MOST_INDICES {
            return break_off(format!(
                "a value has more than {MOST_INDICES} indices"
            ));
        }
        let indices: Box<[CtdInteger]> = indices
            .iter()
            .map(|index| self.integer(index, "an index"))
            .collect::<Checked<_>>()?;
        self.count(indices.iter().map(CtdInteger::words).sum())?;
        Ok(Place(indices))
    }

    /// The value of an expression that must be an integer; `what` names it.
    pub(super) fn integer(
        &mut self,
        expression: &Expression,
        what: &str,
    ) -> Checked<CtdInteger> {
        match self.value(expression)? {
            CtdValue::Int(number) => Ok(number),
            _ => break_off(format!("{what} is not an integer")),
        }
    }

    pub(super) fn string(&mut self, expression: &Expression) -> Checked<Arc<[u8]>> {
        match self.value(expression)? {
            CtdValue::Text(text) => Ok(text),
            _ => break_off("expected a string, found a number"),
        }
    }

    pub(super) fn set(&mut self, name: &Variable, value: CtdValue) -> Checked<()> {
        let place = self.place(&name.indices)?;
        let steps = self.variables.steps_to_find(&name.name, &place);
        self.count(2 * steps)?;
        if self.variables.set(&name.name, place, value) {
            Ok(())
        } else {
            break_off("its variables take more memory than this judge allows")
        }
    }

    pub(super) fn count(&mut self, steps: u64) -> Checked<()> {
        self.steps.count(steps)
    }
}

/// How much white space separates what a program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CtdSpaces {
    /// What the program says.
    Exact,
    /// Any for a space, and more around line breaks: the option `--whitespace-ok` of
    /// Checktestdata.
    More,
}

// The bounds within which a program is run, since it may be hostile.

/// The bounds within which a program is run.
pub(super) struct CtdBounds<'a> {
    /// Most steps, of 10 to 25 ns each, in addition to those allowed for the size of
    /// the input.
    pub(super) steps: u64,
    /// Most bytes of the values of variables at once.
    pub(super) bytes: usize,
    /// Set from outside to stop.
    pub(super) is_cancelled: &'a AtomicBool,
}
