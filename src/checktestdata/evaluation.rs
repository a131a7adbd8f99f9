//! Evaluates expressions and tests at a place in an input, with the variables read or set before, within
//! bounds of steps and memory. Knows no commands.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;

use crate::checktestdata::arithmetic::combined;
use crate::checktestdata::arithmetic::compares;
use crate::checktestdata::arithmetic::negated;
use crate::checktestdata::bounds::CtdBounds;
use crate::checktestdata::cursor::DataCursor;
use crate::checktestdata::syntax::CtdComparison;
use crate::checktestdata::syntax::CtdTest;
use crate::checktestdata::syntax::CtdValue;
use crate::checktestdata::syntax::Expression;
use crate::checktestdata::syntax::TestJoint;
use crate::checktestdata::syntax::Variable;
use crate::checktestdata::variables::Variables;

/// Steps allowed for each byte of the input in addition to those for every input, and the most allowed in
/// all: a minute, or a few where patterns look far for short matches.
const STEPS_OF_A_BYTE: u64 = 100;
const MOST_STEPS: u64 = 1_000_000_000;

/// Steps between two looks at whether the check is cancelled: about a millisecond.
const STEPS_OF_A_LOOK: u64 = 1 << 16;

/// Bytes of a text that are copied or compared in the time of one step.
const BYTES_OF_A_STEP: usize = 64;

/// Most indices of a value.
const MOST_INDICES: usize = 16;

/// The result of a part of a program.
pub(super) type Checked<T> = Result<T, Stop>;

/// Why a program stops before its last command.
pub(super) enum Stop {
    /// The end of the input was expected, and was reached.
    Ended,
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
        let steps = (bounds.steps + STEPS_OF_A_BYTE * input.len() as u64).min(MOST_STEPS);
        let variables = Variables::of_at_most(bounds.values);
        let steps = StepCounter { left: steps, looked_at: steps, is_cancelled: bounds.is_cancelled };
        Self { data: DataCursor::new(input), variables, steps }
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
                let (left, right) = (self.value(left)?, self.value(right)?);
                compares(*how, &left, &right).map_err(Stop::Broken)
            }
            CtdTest::IsEof => Ok(self.data.is_at_end()),
            CtdTest::Match(letters) => {
                let letters = self.string(letters)?;
                Ok(self.data.peek().is_some_and(|byte| letters.contains(&byte)))
            }
            CtdTest::Unique(names) => self.unique(names),
            CtdTest::InArray(wanted, name) => self.is_in(wanted, name),
        }
    }

    fn unique(&mut self, names: &[String]) -> Checked<bool> {
        if let Some(unset) = names.iter().find(|name| self.variables.all(name).is_none()) {
            return Err(Stop::Refused(format!("{unset} has no value")));
        }
        let steps = &mut self.steps;
        let duplicate = self
            .variables
            .why_not_unique(names, |bytes| steps.count((1 + bytes / BYTES_OF_A_STEP) as u64))?;
        // Duplicates refuse the input and are reported with their indices, whatever the result of the test is
        // used for.
        duplicate.map_or(Ok(true), |why| Err(Stop::Refused(why)))
    }

    fn is_in(&mut self, wanted: &Expression, name: &str) -> Checked<bool> {
        let wanted = self.value(wanted)?;
        let Some(values) = self.variables.all(name) else {
            return Err(Stop::Refused(format!("{name} has no value")));
        };
        for value in values {
            self.steps.count((1 + wanted.bytes() / BYTES_OF_A_STEP) as u64)?;
            if compares(CtdComparison::Equal, &wanted, value) == Ok(true) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn value(&mut self, expression: &Expression) -> Checked<CtdValue> {
        match expression {
            Expression::Value(value) => self.copy(value),
            Expression::Length(inner) => match self.value(inner)? {
                CtdValue::Text(text) => Ok(CtdValue::Int(text.len() as i128)),
                _ => Err(Stop::Broken("`STRLEN` takes a string".to_owned())),
            },
            Expression::Negative(inner) => negated(&self.value(inner)?).map_err(Stop::Broken),
            Expression::Chain(first, rest) => {
                let mut value = self.value(first)?;
                self.count(rest.len() as u64)?;
                for (sign, next) in rest {
                    let next = self.value(next)?;
                    value = combined(*sign, &value, &next).map_err(Stop::Broken)?;
                }
                Ok(value)
            }
            Expression::Variable(Variable { name, indices }) => {
                let indices = self.indices(indices)?;
                let bytes = self.variables.get(name, &indices).map_or(0, CtdValue::bytes);
                self.count((bytes / BYTES_OF_A_STEP) as u64)?;
                let value = self.variables.get(name, &indices).cloned();
                value.ok_or_else(|| match &indices[..] {
                    [] => Stop::Refused(format!("{name} has no value")),
                    indices => Stop::Refused(format!("{name} has no value at index {indices:?}")),
                })
            }
        }
    }

    fn copy(&mut self, value: &CtdValue) -> Checked<CtdValue> {
        self.count((value.bytes() / BYTES_OF_A_STEP) as u64)?;
        Ok(value.clone())
    }

    fn indices(&mut self, indices: &[Expression]) -> Checked<Vec<i128>> {
        if indices.len() > MOST_INDICES {
            return Err(Stop::Broken(format!("a value has more than {MOST_INDICES} indices")));
        }
        let index = |index: &Expression| match self.value(index)? {
            CtdValue::Int(index) => Ok(index),
            _ => Err(Stop::Broken("an index is not an integer".to_owned())),
        };
        indices.iter().map(index).collect()
    }

    pub(super) fn string(&mut self, expression: &Expression) -> Checked<Vec<u8>> {
        match self.value(expression)? {
            CtdValue::Text(text) => Ok(text),
            _ => Err(Stop::Broken("expected a string, found a number".to_owned())),
        }
    }

    pub(super) fn set(&mut self, name: &Variable, value: CtdValue) -> Checked<()> {
        let indices = self.indices(&name.indices)?;
        match self.variables.set(&name.name, indices, value) {
            true => Ok(()),
            false => Err(Stop::Broken("there is no room for more values".to_owned())),
        }
    }

    pub(super) fn count(&mut self, steps: u64) -> Checked<()> {
        self.steps.count(steps)
    }
}

impl StepCounter<'_> {
    /// Counts steps. Stops the program if there are none left, or if the check is cancelled.
    fn count(&mut self, steps: u64) -> Checked<()> {
        match self.left.checked_sub(steps) {
            Some(left) => self.left = left,
            None => return Err(Stop::Broken("the check takes more steps than this judge allows".to_owned())),
        }
        if self.looked_at - self.left < STEPS_OF_A_LOOK {
            return Ok(());
        }
        self.looked_at = self.left;
        if self.is_cancelled.load(Ordering::Relaxed) { Err(Stop::Cancelled) } else { Ok(()) }
    }
}
