//! Calculates with values and compares them. Integers stay integers; an integer and a float give a float.

use std::cmp::Ordering;

use crate::checktestdata::syntax::CtdComparison;
use crate::checktestdata::syntax::CtdValue;

/// The result of an operator, its `sign`, on two values.
///
/// # Errors
/// Returns a message that says why there is no result.
pub(super) fn combined(sign: char, left: &CtdValue, right: &CtdValue) -> Result<CtdValue, String> {
    match (left, right) {
        (CtdValue::Int(left), CtdValue::Int(right)) => of_integers(sign, *left, *right).map(CtdValue::Int),
        (CtdValue::Text(_), _) | (_, CtdValue::Text(_)) => Err(format!("`{sign}` takes no strings")),
        _ if sign == '%' => Err("`%` takes integers only".to_owned()),
        (left, CtdValue::Int(exponent)) if sign == '^' => {
            let exponent = i32::try_from(*exponent).ok().filter(|exponent| *exponent >= 0);
            let exponent = exponent.ok_or("an exponent is negative or too large")?;
            Ok(CtdValue::Float(float(left).powi(exponent)))
        }
        _ if sign == '^' => Err("an exponent is not an integer".to_owned()),
        (left, right) => Ok(CtdValue::Float(of_floats(sign, float(left), float(right)))),
    }
}

/// The value with the opposite sign.
pub(super) fn negated(value: &CtdValue) -> Result<CtdValue, String> {
    match value {
        CtdValue::Int(number) => number.checked_neg().map(CtdValue::Int).ok_or_else(too_large),
        CtdValue::Float(number) => Ok(CtdValue::Float(-number)),
        CtdValue::Text(_) => Err("`-` takes no strings".to_owned()),
    }
}

fn of_integers(sign: char, left: i128, right: i128) -> Result<i128, String> {
    if right == 0 && matches!(sign, '/' | '%') {
        return Err("a division by 0".to_owned());
    }
    let found = match sign {
        '+' => left.checked_add(right),
        '-' => left.checked_sub(right),
        '*' => left.checked_mul(right),
        '/' => left.checked_div(right),
        '%' => left.checked_rem(right),
        _ if right < 0 => return Err("an exponent is negative".to_owned()),
        // Powers of all other bases overflow long before such exponents.
        _ if matches!(left, -1..=1) => left.checked_pow(if right > 0 { 2 - (right % 2) as u32 } else { 0 }),
        _ => u32::try_from(right).ok().and_then(|exponent| left.checked_pow(exponent)),
    };
    found.ok_or_else(too_large)
}

fn too_large() -> String {
    "an integer of more than 38 digits, which this judge does not calculate with".to_owned()
}

fn of_floats(sign: char, left: f64, right: f64) -> f64 {
    match sign {
        '+' => left + right,
        '-' => left - right,
        '*' => left * right,
        _ => left / right,
    }
}

/// A value as a float; NaN for a string.
#[expect(clippy::cast_precision_loss, reason = "the other operand is a float")]
fn float(value: &CtdValue) -> f64 {
    match value {
        CtdValue::Int(number) => *number as f64,
        CtdValue::Float(number) => *number,
        CtdValue::Text(_) => f64::NAN,
    }
}

/// Whether a comparison of two values holds.
///
/// # Errors
/// Returns a message if one is a string and the other is not.
pub(super) fn compares(how: CtdComparison, left: &CtdValue, right: &CtdValue) -> Result<bool, String> {
    let order = match (left, right) {
        (CtdValue::Int(left), CtdValue::Int(right)) => Some(left.cmp(right)),
        (CtdValue::Text(left), CtdValue::Text(right)) => Some(left.cmp(right)),
        (CtdValue::Text(_), _) | (_, CtdValue::Text(_)) => {
            return Err("a string is compared with a number".to_owned());
        }
        (left, right) => float(left).partial_cmp(&float(right)),
    };
    Ok(match how {
        CtdComparison::Less => order == Some(Ordering::Less),
        CtdComparison::Greater => order == Some(Ordering::Greater),
        CtdComparison::AtMost => order.is_some_and(Ordering::is_le),
        CtdComparison::AtLeast => order.is_some_and(Ordering::is_ge),
        CtdComparison::Equal => order == Some(Ordering::Equal),
        CtdComparison::Unequal => order != Some(Ordering::Equal),
    })
}
