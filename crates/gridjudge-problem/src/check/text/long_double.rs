//! Compares numbers as DOMjudge's validator does, in the `long double` of x86-64: 64
//! binary digits instead of 53, which decides near a bound. Other than in the format
//! of Kattis, `inf` and `nan` are numbers, each equal to itself. Knows no findings.
//!
//! Source: DOMjudge, `sql/files/defaultdata/compare/compare.cc`.

use std::sync::LazyLock;

use num_bigint::BigUint;

use crate::check::text::LongNumeral;
use crate::model::Tolerance;

/// A number of that type, without a size if it is not a number.
#[derive(Clone, Copy)]
pub(super) struct LongDouble {
    is_negative: bool,
    size: Option<Magnitude>,
}

/// A number without its sign: `mantissa` times two to the power of `exponent`. The
/// highest bit of the mantissa is set, unless the number is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Magnitude {
    exponent: i64,
    mantissa: u64,
}

/// By how much a number may differ from the answer's. One of the two bounds suffices.
#[derive(Clone, Copy)]
pub(super) struct LongDoubleBounds {
    absolute: Option<Magnitude>,
    relative: Option<Magnitude>,
}

/// The exponents of the largest number and of the smallest above 0, which has only one
/// of its binary digits.
const LARGEST_EXPONENT: i64 = 16_383 - 63;
const SMALLEST_EXPONENT: i64 = -16_445 - 63;

/// A power of ten beyond all numbers of this type, whatever the digits that are kept.
const MOST_POWER: i64 = 6_000;

/// The largest power of ten that a mantissa represents exactly.
const MOST_EXACT_POWER: u32 = 27;

impl LongDouble {
    /// The value of a token; `None` if it is not a number.
    pub(super) fn parse(token: &[u8]) -> Option<Self> {
        let (is_negative, name) = match token {
            [b'-', name @ ..] => (true, name),
            [b'+', name @ ..] => (false, name),
            name => (false, name),
        };
        let size = match name.to_ascii_lowercase().as_slice() {
            b"inf" | b"infinity" => Some(Magnitude::INFINITY),
            b"nan" => None,
            _ => {
                let mut numeral = LongNumeral::default();
                numeral.read(token);
                return Self::of_numeral(&numeral);
            }
        };
        Some(Self { is_negative, size })
    }

    /// The value of a numeral; `None` if it is not a number.
    pub(super) fn of_numeral(numeral: &LongNumeral) -> Option<Self> {
        let (digits, power) = numeral.decimal()?;
        Some(Self {
            is_negative: numeral.is_negative,
            size: Some(Magnitude::of_decimal(&digits, power)?),
        })
    }
}

impl LongDoubleBounds {
    pub(super) fn new(
        absolute: Option<Tolerance>,
        relative: Option<Tolerance>,
    ) -> Self {
        let [absolute, relative] = [absolute, relative].map(|most| {
            // Rounded from the decimal that a problem setter wrote.
            let text = format!("{:e}", most?.value());
            LongDouble::parse(text.as_bytes())?.size
        });
        Self { absolute, relative }
    }

    /// Whether a number is near enough to that of the answer.
    pub(super) fn accept(&self, found: LongDouble, expected: LongDouble) -> bool {
        let has_same_sign = found.is_negative == expected.is_negative;
        let Some((one, other)) = found.size.zip(expected.size) else {
            return found.size == expected.size;
        };
        if one.max(other) == Magnitude::INFINITY {
            return one == other && has_same_sign;
        }
        let error = one.distance(other, has_same_sign);
        let part = if error == Magnitude::ZERO {
            error
        } else {
            error.divided_by(other)
        };
        self.absolute.is_some_and(|most| error <= most)
            || self.relative.is_some_and(|most| part <= most)
    }
}

impl Magnitude {
    const ZERO: Self = Self {
        exponent: i64::MIN,
        mantissa: 0,
    };

    const INFINITY: Self = Self {
        exponent: i64::MAX,
        mantissa: 0,
    };

    /// The nearest number to a sequence of decimal digits times a power of ten.
    fn of_decimal(digits: &str, power: i64) -> Option<Self> {
        let places = u32::try_from(-power).ok();
        let exact = places.filter(|places| *places <= MOST_EXACT_POWER);
        match digits.parse::<u64>().ok().zip(exact) {
            _ if digits.is_empty() || power < -MOST_POWER => Some(Self::ZERO),
            _ if power > MOST_POWER => Some(Self::INFINITY),
            Some((digits, places)) => {
                let power = Self::rounded(10_u128.pow(places), 0, false);
                Some(Self::rounded(digits.into(), 0, false).divided_by(power))
            }
            None => Self::of_many_digits(digits, power),
        }
    }

    /// The same with integers of any size.
    fn of_many_digits(digits: &str, power: i64) -> Option<Self> {
        let mut number: BigUint = digits.parse().ok()?;
        let places = u32::try_from(power.unsigned_abs()).ok()?;
        let power_of_ten = power_of_ten(places)?;
        let mut exponent = 0;
        let mut has_more = false;
        if power >= 0 {
            number *= power_of_ten;
        } else {
            // So many binary digits that the quotient has 66 at least.
            let shift = (power_of_ten.bits() + 66).saturating_sub(number.bits());
            number <<= shift;
            exponent = -i64::try_from(shift).ok()?;
            let quotient = &number / &power_of_ten;
            has_more = &quotient * power_of_ten != number;
            number = quotient;
        }
        let dropped = number.bits().saturating_sub(128);
        has_more |= number.trailing_zeros().is_some_and(|zeros| zeros < dropped);
        let kept = u128::try_from(number >> dropped).ok()?;
        let exponent = exponent + i64::try_from(dropped).ok()?;
        let rounded = Self::rounded(kept, exponent, has_more);
        Some(match rounded.exponent {
            ..SMALLEST_EXPONENT => Self::ZERO,
            SMALLEST_EXPONENT..=LARGEST_EXPONENT => rounded,
            _ => Self::INFINITY,
        })
    }

    /// The nearest number to `value` times two to the power of `exponent`, the one with
    /// an even mantissa if two are as near. `has_more` if the value is a little larger,
    /// in which case it has more than 65 binary digits.
    fn rounded(value: u128, exponent: i64, has_more: bool) -> Self {
        let length = 128 - value.leading_zeros();
        if length == 0 {
            return Self::ZERO;
        }
        // The highest bit moves to the top; below the upper half is the rest.
        let aligned = value << (128 - length);
        let exponent = exponent + i64::from(length) - 64;
        let [kept, rest] = [aligned >> 64, aligned & u128::from(u64::MAX)];
        let half = 1 << 63;
        let is_up = rest > half || rest == half && (has_more || kept & 1 == 1);
        match u64::try_from(kept + u128::from(is_up)) {
            Ok(mantissa) => Self { exponent, mantissa },
            Err(_) => Self {
                exponent: exponent + 1,
                mantissa: 1 << 63,
            },
        }
    }

    /// The quotient of a finite number above 0 by another; infinite if that is 0.
    fn divided_by(self, divisor: Self) -> Self {
        if divisor == Self::ZERO {
            return Self::INFINITY;
        }
        let by = u128::from(divisor.mantissa);
        let dividend = u128::from(self.mantissa) << 64;
        // Two more binary digits, so that there are 66 at least.
        let rest = (dividend % by) << 2;
        let quotient = ((dividend / by) << 2) | (rest / by);
        let exponent = self.exponent - divisor.exponent - 66;
        Self::rounded(quotient, exponent, rest % by != 0)
    }

    /// The distance between two numbers of these sizes.
    fn distance(self, other: Self, have_same_sign: bool) -> Self {
        let [small, large] = [self.min(other), self.max(other)];
        if small == Self::ZERO {
            return large;
        }
        let [whole, added] =
            [large, small].map(|number| u128::from(number.mantissa) << 62);
        let shift = u32::try_from(large.exponent - small.exponent).unwrap_or(u32::MAX);
        let shifted = added.checked_shr(shift).unwrap_or(0);
        let has_more = shifted.checked_shl(shift) != Some(added);
        let sum = if have_same_sign {
            whole - shifted - u128::from(has_more)
        } else {
            whole + shifted
        };
        Self::rounded(sum, large.exponent - 62, has_more)
    }
}

/// The powers of ten whose exponents are multiples of `POWER_STEP`, up to `MOST_POWER`.
/// Each of them takes longer to calculate than all the rest of a number.
static POWERS: LazyLock<Vec<BigUint>> = LazyLock::new(|| {
    let step = BigUint::from(10_u8).pow(POWER_STEP);
    (0..100).map(|steps| step.pow(steps)).collect()
});

const POWER_STEP: u32 = 64;

fn power_of_ten(places: u32) -> Option<BigUint> {
    let known = POWERS.get((places / POWER_STEP) as usize)?;
    Some(known * BigUint::from(10_u8).pow(places % POWER_STEP))
}
