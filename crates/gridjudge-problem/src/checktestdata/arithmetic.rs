//! Calculates with values and compares them, says what that costs, and counts the steps
//! of a program. Integers stay integers; an integer and another number give such a
//! number.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::checktestdata::{CtdFraction, CtdInteger, CtdValue};

/// Most bits of a power.
const MOST_POWER_BITS: u64 = 1 << 20;

/// Products of two machine words that are calculated in the time of one step.
const PRODUCTS_OF_A_STEP: u64 = 16;

/// Bytes of a text that are copied or compared in the time of one step.
pub(super) const BYTES_OF_A_STEP: usize = 64;

/// The steps that an operator takes on two values, or at most takes to compare them.
pub(super) fn steps_of(sign: char, left: &CtdValue, right: &CtdValue) -> u64 {
    let left_words = words(left);
    let right_words = words(right);
    match (left, right) {
        (CtdValue::Int(CtdInteger::Small(-1..=1)), CtdValue::Int(_))
            if sign == '^' =>
        {
            0
        }
        (CtdValue::Int(_), CtdValue::Int(exponent)) if sign == '^' => {
            let bits = (64 * (left_words + 1))
                .saturating_mul(exponent.as_u64().unwrap_or(0));
            // A larger power is refused, which takes no time.
            let words = if bits > 2 * MOST_POWER_BITS {
                0
            } else {
                bits / 64
            };
            words * words / PRODUCTS_OF_A_STEP
        }
        (
            CtdValue::Int(CtdInteger::Small(_)),
            CtdValue::Int(CtdInteger::Small(_)),
        ) => 0,
        (CtdValue::Text(left), CtdValue::Text(right)) => {
            (left.len().min(right.len()) / BYTES_OF_A_STEP) as u64
        }
        // Such a power is made of products of at most so many words.
        (_, CtdValue::Int(exponent)) if sign == '^' => {
            let exponent = exponent.as_u64().unwrap_or(0);
            let words = left_words.saturating_mul(exponent).min(512);
            2 * u64::from(u64::BITS - exponent.leading_zeros())
                * (4 + words * words / PRODUCTS_OF_A_STEP)
        }
        _ => {
            let words = left_words.max(right_words).max(2);
            4 + words.saturating_mul(words) / PRODUCTS_OF_A_STEP
        }
    }
}

fn words(value: &CtdValue) -> u64 {
    match value {
        CtdValue::Int(number) => number.words(),
        CtdValue::Float(number) => number.words(),
        CtdValue::Text(_) => 0,
    }
}

/// The steps that it takes to read a number with this many digits.
pub(super) fn steps_to_read(digits: usize) -> u64 {
    let words = digits as u64 / 19;
    words.saturating_mul(words) / PRODUCTS_OF_A_STEP
}

/// The result of an operator, its `sign`, on two values.
///
/// # Errors
/// Stops if there is no result.
pub(super) fn combined(
    sign: char,
    left: &CtdValue,
    right: &CtdValue,
) -> Checked<CtdValue> {
    match (left, right) {
        (CtdValue::Text(_), _) | (_, CtdValue::Text(_)) => {
            break_off(format!("`{sign}` takes no strings"))
        }
        (_, CtdValue::Int(exponent)) if sign == '^' => power(left, exponent),
        (_, CtdValue::Float(_)) if sign == '^' => {
            break_off("an exponent is not an integer")
        }
        (CtdValue::Int(left), CtdValue::Int(right)) => match sign {
            '/' | '%' if right.is_zero() => break_off("a division by 0"),
            _ => Ok(CtdValue::Int(CtdInteger::combined(sign, left, right))),
        },
        _ if sign == '%' => break_off("`%` takes integers only"),
        _ => {
            let left = left.fraction();
            let right = right.fraction();
            if sign == '/' && right.is_zero() {
                return break_off("a division by 0");
            }
            in_range(CtdFraction::combined(sign, &left, &right))
        }
    }
}

fn power(base: &CtdValue, exponent: &CtdInteger) -> Checked<CtdValue> {
    let Some(exponent) = exponent.as_u64() else {
        return break_off("an exponent is negative or too large");
    };
    let CtdValue::Int(base) = base else {
        return in_range(base.fraction().power(exponent));
    };
    if let Some(power) = base.power(exponent, MOST_POWER_BITS) {
        Ok(CtdValue::Int(power))
    } else {
        break_off("a power has more than 300,000 digits")
    }
}

fn in_range(found: Option<CtdFraction>) -> Checked<CtdValue> {
    match found {
        Some(found) => Ok(CtdValue::Float(Arc::new(found))),
        None => break_off(
            "a number has an exponent that this judge does not calculate with",
        ),
    }
}

/// The value with the opposite sign.
pub(super) fn negated(value: &CtdValue) -> Checked<CtdValue> {
    match value {
        CtdValue::Float(number) => Ok(CtdValue::Float(Arc::new(number.negated()))),
        _ => combined('-', &CtdValue::small(0), value),
    }
}

/// Stops if one of two values that are compared is a string and the other is not.
pub(super) fn expect_same_kind(left: &CtdValue, right: &CtdValue) -> Checked<()> {
    if matches!(left, CtdValue::Text(_)) == matches!(right, CtdValue::Text(_)) {
        Ok(())
    } else {
        break_off("a string is compared with a number")
    }
}

// Counts the steps of a program, and says why one stops.

/// Steps between two looks at whether the check is cancelled: about a millisecond.
const STEPS_OF_A_LOOK: u64 = 1 << 16;

/// The result of a part of a program.
pub(super) type Checked<T> = Result<T, Stop>;

/// Why a program stops before its last command.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The input is not as the program says.
    Refused(String),
    /// The program cannot go on.
    Broken(String),
    /// The check was cancelled.
    Cancelled,
}

/// Refuses the input.
pub(super) fn refuse_input<T>(message: impl Into<String>) -> Checked<T> {
    Err(Stop::Refused(message.into()))
}

/// Stops a program that cannot go on.
pub(super) fn break_off<T>(message: impl Into<String>) -> Checked<T> {
    Err(Stop::Broken(message.into()))
}

/// The steps that may still be taken.
pub(super) struct StepCounter<'a> {
    left: u64,
    /// The steps that were left at the last look at whether the check is cancelled.
    looked_at: u64,
    is_cancelled: &'a AtomicBool,
}

impl<'a> StepCounter<'a> {
    pub(super) fn new(steps: u64, is_cancelled: &'a AtomicBool) -> Self {
        Self {
            left: steps,
            looked_at: steps,
            is_cancelled,
        }
    }

    /// Counts steps. Stops the program if there are none left, or if the check is
    /// cancelled.
    pub(super) fn count(&mut self, steps: u64) -> Checked<()> {
        let Some(left) = self.left.checked_sub(steps) else {
            return break_off("the check takes more steps than this judge allows");
        };
        self.left = left;
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
