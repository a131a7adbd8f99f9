//! Evaluates expressions and tests at a place in an input, with the variables read or
//! set before, within bounds of steps and memory. Knows no commands.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::checktestdata::arithmetic::{BYTES_OF_A_STEP, combined, negated};
use crate::checktestdata::{
    CtdInteger, CtdTest, CtdValue, DataCursor, Expression, Place, TestJoint, Variable,
    Variables, compares, steps_of,
};

/// Steps allowed for each byte of the input in addition to those for every input, and
/// the most allowed in all. An input of 10 MB takes 2 s at most, one of 140 MB or more
/// 25 s.
const STEPS_OF_A_BYTE: u64 = 7;
const MOST_STEPS: u64 = 1_000_000_000;

/// Steps between two looks at whether the check is cancelled: about a millisecond.
const STEPS_OF_A_LOOK: u64 = 1 << 16;

/// Most indices of a value.
const MOST_INDICES: usize = 16;

/// The result of a part of a program.
pub(super) type Checked<T> = Result<T, Stop>;

/// Why a program stops before its last command.
pub(super) enum Stop {
    /// The input is not as the program says.
    Refused(String),
    /// The program cannot go on.
    Broken(String),
    /// The check was cancelled.
    Cancelled,
}

/// The state of a check: the place in the input, the variables, and the steps left.
pub(super) struct InputState<'a> {
    pub(super) data: DataCursor<'a>,
    pub(super) variables: Variables,
    steps: StepCounter<'a>,
}

/// The steps that may still be taken.
struct StepCounter<'a> {
    left: u64,
    /// The steps that were left at the last look at whether the check is cancelled.
    looked_at: u64,
    is_cancelled: &'a AtomicBool,
}

impl<'a> InputState<'a> {
    pub(super) fn new(input: &'a [u8], bounds: &CtdBounds<'a>) -> Self {
        let steps = STEPS_OF_A_BYTE
            .saturating_mul(input.len() as u64)
            .saturating_add(bounds.steps)
            .min(MOST_STEPS);
        let variables = Variables::of_at_most(bounds.bytes);
        let steps = StepCounter {
            left: steps,
            looked_at: steps,
            is_cancelled: bounds.is_cancelled,
        };
        Self {
            data: DataCursor::new(input),
            variables,
            steps,
        }
    }

    pub(super) fn test(&mut self, test: &CtdTest) -> Checked<bool> {
        self.count(1)?;
        match test {
            CtdTest::Not(inner) => Ok(!self.test(inner)?),
            CtdTest::Chain(first, rest) => {
                let mut holds = self.test(first)?;
                for (joint, next) in rest {
                    if holds == (*joint == TestJoint::And) {
                        holds = self.test(next)?;
                    }
                }
                Ok(holds)
            }
            CtdTest::Compare(how, left, right) => {
                let left = self.value(left)?;
                let right = self.value(right)?;
                self.count(steps_of('-', &left, &right))?;
                compares(*how, &left, &right).map_err(Stop::Broken)
            }
            CtdTest::IsEof => Ok(self.data.is_at_end()),
            CtdTest::Match(letters) => {
                let letters = self.string(letters)?;
                self.count((letters.len() / BYTES_OF_A_STEP) as u64)?;
                Ok(self.data.peek().is_some_and(|byte| letters.contains(&byte)))
            }
            CtdTest::Unique(names) => self.unique(names),
            CtdTest::InArray(wanted, name) => self.is_in(wanted, name),
        }
    }

    fn unique(&mut self, names: &[String]) -> Checked<bool> {
        if let Some(unset) =
            names.iter().find(|name| self.variables.any(name).is_none())
        {
            return Err(Stop::Refused(format!("{unset} has no value")));
        }
        let steps = &mut self.steps;
        let duplicate = self
            .variables
            .why_not_unique(names, |more| steps.count(more))?;
        // Duplicates refuse the input and are reported with their indices, whatever the
        // result of the test is used for.
        duplicate.map_or(Ok(true), |why| Err(Stop::Refused(why)))
    }

    fn is_in(&mut self, wanted: &Expression, name: &str) -> Checked<bool> {
        let wanted = self.value(wanted)?;
        let Some(value) = self.variables.any(name) else {
            return Err(Stop::Refused(format!("{name} has no value")));
        };
        if wanted.is_of_another_kind(&value) {
            return Err(Stop::Broken(
                "a string is compared with a number".to_owned(),
            ));
        }
        let steps = &mut self.steps;
        self.variables
            .contains(name, &wanted, |more| steps.count(more))
    }

    pub(super) fn value(&mut self, expression: &Expression) -> Checked<CtdValue> {
        match expression {
            Expression::Value(value) => self.copy(value),
            Expression::Length(inner) => match self.value(inner)? {
                CtdValue::Text(text) => Ok(CtdValue::small(text.len() as u64)),
                _ => Err(Stop::Broken("`STRLEN` takes a string".to_owned())),
            },
            Expression::Negative(inner) => {
                let value = self.value(inner)?;
                self.count(1 + (value.bytes() / BYTES_OF_A_STEP) as u64)?;
                negated(&value).map_err(Stop::Broken)
            }
            Expression::Chain(first, rest) => {
                let mut value = self.value(first)?;
                for (sign, next) in rest {
                    let next = self.value(next)?;
                    self.count(1 + steps_of(*sign, &value, &next))?;
                    value = combined(*sign, &value, &next).map_err(Stop::Broken)?;
                }
                Ok(value)
            }
            Expression::Variable(Variable { name, indices }) => {
                let place = self.place(indices)?;
                let steps = self.variables.steps_to_find(name, &place);
                self.count(steps)?;
                let Some(value) = self.variables.get(name, &place) else {
                    return Err(Stop::Refused(format!(
                        "{name}{} has no value",
                        place.shown()
                    )));
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
            return Err(Stop::Broken(format!(
                "a value has more than {MOST_INDICES} indices"
            )));
        }
        let indices: Vec<CtdInteger> = indices
            .iter()
            .map(|index| self.integer(index, "an index"))
            .collect::<Checked<_>>()?;
        self.count(indices.iter().map(CtdInteger::words).sum())?;
        Ok(Place::new(indices))
    }

    /// The value of an expression that must be an integer; `what` names it.
    pub(super) fn integer(
        &mut self,
        expression: &Expression,
        what: &str,
    ) -> Checked<CtdInteger> {
        match self.value(expression)? {
            CtdValue::Int(number) => Ok(number),
            _ => Err(Stop::Broken(format!("{what} is not an integer"))),
        }
    }

    pub(super) fn string(&mut self, expression: &Expression) -> Checked<Arc<[u8]>> {
        match self.value(expression)? {
            CtdValue::Text(text) => Ok(text),
            _ => Err(Stop::Broken("expected a string, found a number".to_owned())),
        }
    }

    pub(super) fn set(&mut self, name: &Variable, value: CtdValue) -> Checked<()> {
        let place = self.place(&name.indices)?;
        let steps = self.variables.steps_to_find(&name.name, &place);
        self.count(2 * steps)?;
        if self.variables.set(&name.name, place, value) {
            Ok(())
        } else {
            let message = "its variables take more memory than this judge allows";
            Err(Stop::Broken(message.to_owned()))
        }
    }

    /// The bytes that come next and match a pattern. Does not pass them.
    pub(super) fn matched(&mut self, pattern: &[u8]) -> Checked<Option<&'a [u8]>> {
        let steps = &mut self.steps;
        steps.count(1)?;
        self.data
            .matched(pattern, |more| steps.count(more), Stop::Broken)
    }

    pub(super) fn count(&mut self, steps: u64) -> Checked<()> {
        self.steps.count(steps)
    }
}

impl StepCounter<'_> {
    /// Counts steps. Stops the program if there are none left, or if the check is
    /// cancelled.
    fn count(&mut self, steps: u64) -> Checked<()> {
        match self.left.checked_sub(steps) {
            Some(left) => self.left = left,
            None => {
                return Err(Stop::Broken(
                    "the check takes more steps than this judge allows".to_owned(),
                ));
            }
        }
        if self.looked_at - self.left < STEPS_OF_A_LOOK {
            return Ok(());
        }
        self.looked_at = self.left;
        if self.is_cancelled.load(Ordering::Relaxed) {
            Err(Stop::Cancelled)
        } else {
            Ok(())
        }
    }
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

impl<'a> CtdBounds<'a> {
    /// The usual bounds.
    pub(super) fn default_until(is_cancelled: &'a AtomicBool) -> Self {
        Self {
            steps: 10_000_000,
            bytes: 100 << 20,
            is_cancelled,
        }
    }
}
