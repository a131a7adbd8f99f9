//! Numbers that are not integers, exact up to a size that no input needs, and rounded
//! beyond it.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::{BigInt, Sign};

/// The number `numerator / denominator * 10^exponent`. The denominator is positive; it
/// is 1 unless a division made the number.
#[derive(Clone, Debug)]
pub(super) struct CtdFraction {
    numerator: BigInt,
    denominator: BigInt,
    exponent: i64,
}

/// Most bits of a numerator or denominator with which numbers are calculated. The
/// program Checktestdata rounds to 256 bits.
const MOST_BITS: u64 = 1 << 14;

/// Digits to which a longer number is rounded.
const ROUNDED_DIGITS: i64 = 2466;

/// The largest exponent, with either sign. A larger one in a text counts as this one.
const LARGEST_EXPONENT: i64 = 1_000_000_000_000;

impl CtdFraction {
    /// Reads a number such as `-12.5e-3`. Takes time that grows with the square of the
    /// number of digits.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?;
        let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
        let numerator: BigInt = format!("{whole}{decimals}").parse().ok()?;
        let most = if exponent.starts_with('-') {
            -LARGEST_EXPONENT
        } else {
            LARGEST_EXPONENT
        };
        let exponent = exponent
            .parse()
            .unwrap_or(most)
            .clamp(-LARGEST_EXPONENT, LARGEST_EXPONENT);
        let exponent = exponent - i64::try_from(decimals.len()).ok()?;
        Some(Self {
            numerator,
            denominator: BigInt::from(1),
            exponent,
        })
    }

    pub(super) fn from_integer(integer: &CtdInteger) -> Self {
        Self {
            numerator: integer.to_big(),
            denominator: BigInt::from(1),
            exponent: 0,
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.numerator.sign() == Sign::NoSign
    }

    /// How many machine words it takes.
    pub(super) fn words(&self) -> u64 {
        (self.numerator.bits() + self.denominator.bits()).div_ceil(64)
    }

    pub(super) fn negated(&self) -> Self {
        Self {
            numerator: -&self.numerator,
            ..self.clone()
        }
    }

    /// The result of an operator, `+`, `-`, `*` or `/`; `None` if it is too large or
    /// too small. A divisor is not 0.
    pub(super) fn combined(sign: char, left: &Self, right: &Self) -> Option<Self> {
        let left = left.rounded();
        let right = right.rounded();
        let found = match sign {
            '+' => left.plus(&right),
            '-' => left.plus(&right.negated()),
            '*' => left.times(&right),
            _ => left.times(&right.inverse()),
        };
        if found.exponent.abs() > 2 * LARGEST_EXPONENT {
            return None;
        }
        Some(found)
    }

    /// A power; `None` if it is too large or too small.
    pub(super) fn power(&self, exponent: u64) -> Option<Self> {
        let mut power = Self::from_integer(&CtdInteger::Small(1));
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            power = Self::combined('*', &power, &power)?;
            if exponent >> bit & 1 == 1 {
                power = Self::combined('*', &power, self)?;
            }
        }
        Some(power)
    }

    fn plus(&self, other: &Self) -> Self {
        let least = self.exponent.min(other.exponent);
        let gap = self.exponent.abs_diff(other.exponent);
        if gap > 4 * ROUNDED_DIGITS.unsigned_abs()
            && !self.is_zero()
            && !other.is_zero()
        {
            // The smaller one is lost in the rounding.
            return if self.magnitude() > other.magnitude() {
                self.clone()
            } else {
                other.clone()
            };
        }
        let left =
            &self.numerator * &other.denominator * ten_to(self.exponent - least);
        let right =
            &other.numerator * &self.denominator * ten_to(other.exponent - least);
        Self {
            numerator: left + right,
            denominator: &self.denominator * &other.denominator,
            exponent: least,
        }
        .rounded()
    }

    fn times(&self, other: &Self) -> Self {
        Self {
            numerator: &self.numerator * &other.numerator,
            denominator: &self.denominator * &other.denominator,
            exponent: self.exponent + other.exponent,
        }
        .rounded()
    }

    fn inverse(&self) -> Self {
        let is_negative = self.numerator.sign() == Sign::Minus;
        let sign = BigInt::from(if is_negative { -1 } else { 1 });
        Self {
            numerator: &self.denominator * &sign,
            denominator: &self.numerator * &sign,
            exponent: -self.exponent,
        }
    }

    /// The number itself, or rounded if it is too long to calculate with.
    fn rounded(&self) -> Self {
        if self.numerator.bits().max(self.denominator.bits()) <= MOST_BITS {
            return self.clone();
        }
        let digits = (self.magnitude() - self.exponent as f64) as i64;
        let shift = ROUNDED_DIGITS - digits;
        Self {
            numerator: &self.numerator * ten_to(shift)
                / (&self.denominator * ten_to(-shift)),
            denominator: BigInt::from(1),
            exponent: self.exponent - shift,
        }
    }

    /// The logarithm to base 10 of the absolute value, less than 1 too small or too
    /// large. Not of 0.
    fn magnitude(&self) -> f64 {
        let bits = self.numerator.bits() as f64 - self.denominator.bits() as f64;
        bits * std::f64::consts::LOG10_2 + self.exponent as f64
    }

    /// The order of two numbers by their size.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let by_sign = self.numerator.sign().cmp(&other.numerator.sign());
        if by_sign.is_ne() || self.is_zero() {
            return by_sign;
        }
        if self.exponent == other.exponent && self.denominator == other.denominator {
            return self.numerator.cmp(&other.numerator);
        }
        let magnitudes = (self.magnitude(), other.magnitude());
        if (magnitudes.0 - magnitudes.1).abs() > 2.0 {
            let order = magnitudes.0.total_cmp(&magnitudes.1);
            return if self.numerator.sign() == Sign::Minus {
                order.reverse()
            } else {
                order
            };
        }
        let gap = self.exponent - other.exponent;
        let left = &self.numerator * &other.denominator * ten_to(gap);
        let right = &other.numerator * &self.denominator * ten_to(-gap);
        left.cmp(&right)
    }
}

/// This power of ten; 1 if the exponent is negative.
fn ten_to(exponent: i64) -> BigInt {
    BigInt::from(10).pow(u32::try_from(exponent).unwrap_or(0))
}

impl fmt::Display for CtdFraction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_decimal =
            self.denominator == BigInt::from(1) && (-20..=0).contains(&self.exponent);
        if is_decimal && self.words() <= 4 {
            let decimals = self.exponent.unsigned_abs() as usize;
            let digits = format!(
                "{:0width$}",
                self.numerator.magnitude(),
                width = decimals + 1
            );
            let (whole, rest) = digits.split_at(digits.len() - decimals);
            let sign = if self.numerator.sign() == Sign::Minus {
                "-"
            } else {
                ""
            };
            let point = if decimals > 0 { "." } else { "" };
            return write!(formatter, "{sign}{whole}{point}{rest}");
        }
        write!(formatter, "{}", CtdInteger::from(self.numerator.clone()))?;
        if self.denominator != BigInt::from(1) {
            write!(formatter, "/{}", CtdInteger::from(self.denominator.clone()))?;
        }
        if self.exponent == 0 {
            Ok(())
        } else {
            write!(formatter, "e{}", self.exponent)
        }
    }
}

// Integers of any size.

/// An integer. One that fits into a machine word is always [`CtdInteger::Small`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CtdInteger {
    Small(i64),
    Large(Box<BigInt>),
}

/// Most digits of an integer that is shown in full.
const MOST_SHOWN: u64 = 60;

impl CtdInteger {
    /// Reads digits, perhaps after a `-`. Takes time that grows with the square of
    /// their number.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?;
        match text.parse() {
            Ok(small) => Some(Self::Small(small)),
            Err(_) => text.parse::<BigInt>().ok().map(Self::from),
        }
    }

    fn to_big(&self) -> BigInt {
        match self {
            Self::Small(small) => BigInt::from(*small),
            Self::Large(large) => (**large).clone(),
        }
    }

    /// The integer as an exponent or as a number of repetitions.
    pub(super) fn as_u64(&self) -> Option<u64> {
        match self {
            Self::Small(small) => u64::try_from(*small).ok(),
            Self::Large(large) => u64::try_from(&**large).ok(),
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        *self == Self::Small(0)
    }

    /// How many machine words it takes beyond the first.
    pub(super) fn words(&self) -> u64 {
        match self {
            Self::Small(_) => 0,
            Self::Large(large) => large.bits().div_ceil(64),
        }
    }

    /// An upper bound of its number of decimal digits.
    pub(super) fn most_digits(&self) -> u64 {
        match self {
            Self::Small(_) => 19,
            Self::Large(large) => large.bits() * 302 / 1000 + 1,
        }
    }

    /// The result of an operator. A quotient is rounded towards 0, a remainder has the
    /// sign of `left`, and for both `right` is not 0.
    pub(super) fn combined(sign: char, left: &Self, right: &Self) -> Self {
        if let (Self::Small(left), Self::Small(right)) = (left, right) {
            let small = match sign {
                '+' => left.checked_add(*right),
                '-' => left.checked_sub(*right),
                '*' => left.checked_mul(*right),
                '/' => left.checked_div(*right),
                _ => left.checked_rem(*right),
            };
            if let Some(small) = small {
                return Self::Small(small);
            }
        }
        let left = left.to_big();
        let right = right.to_big();
        match sign {
            '+' => left + right,
            '-' => left - right,
            '*' => left * right,
            '/' => left / right,
            _ => left % right,
        }
        .into()
    }

    /// A power; `None` if it has more than `most_bits` bits.
    pub(super) fn power(&self, exponent: u64, most_bits: u64) -> Option<Self> {
        if let Self::Small(small @ -1..=1) = self {
            return Some(Self::Small(match exponent {
                0 => 1,
                _ if exponent.is_multiple_of(2) => small * small,
                _ => *small,
            }));
        }
        let base = self.to_big();
        let bits = base.bits().checked_mul(exponent)?;
        let exponent = u32::try_from(exponent).ok()?;
        if bits > most_bits {
            return None;
        }
        Some(base.pow(exponent).into())
    }
}

impl From<BigInt> for CtdInteger {
    fn from(number: BigInt) -> Self {
        i64::try_from(&number)
            .map_or_else(|_| Self::Large(Box::new(number)), Self::Small)
    }
}

impl Ord for CtdInteger {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Small(left), Self::Small(right)) => left.cmp(right),
            (Self::Large(left), Self::Large(right)) => left.cmp(right),
            (Self::Small(_), _) | (_, Self::Small(_)) => {
                self.to_big().cmp(&other.to_big())
            }
        }
    }
}

impl PartialOrd for CtdInteger {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for CtdInteger {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Small(small) => write!(formatter, "{small}"),
            Self::Large(large) if self.most_digits() <= MOST_SHOWN => {
                write!(formatter, "{large}")
            }
            Self::Large(_) => write!(
                formatter,
                "an integer of about {} digits",
                self.most_digits()
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(text: &str) -> CtdFraction {
        CtdFraction::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn numbers_are_compared_exactly_whatever_their_form() {
        for (left, order, right) in [
            ("0.1", Ordering::Equal, "1e-1"),
            ("-0", Ordering::Equal, "0.00"),
            ("1e100000", Ordering::Greater, "9.9e99999"),
            ("-1e100000", Ordering::Less, "-9.9e99999"),
            ("1e99999999999999999999", Ordering::Greater, "1e5"),
            ("1e-99999999999999999999", Ordering::Greater, "0"),
            (
                "100000000000000000000000000000000000000001e-41",
                Ordering::Greater,
                "1",
            ),
            (
                "1.000000000000000000000000000000000000000001",
                Ordering::Greater,
                "1.0",
            ),
        ] {
            assert_eq!(
                fraction(left).order(&fraction(right)),
                order,
                "{left} {right}"
            );
        }
    }

    #[test]
    fn sums_products_and_quotients_are_exact() {
        for (left, sign, right, expected) in [
            ("0.1", '+', "0.2", "0.3"),
            ("4", '/', "3", "4"),
            ("1e20000", '-', "1", "1e20000"),
            ("-2.5", '*', "4", "-10"),
        ] {
            let found =
                CtdFraction::combined(sign, &fraction(left), &fraction(right))
                    .unwrap();
            let found = if sign == '/' {
                found.times(&fraction(right))
            } else {
                found
            };
            let order = found.order(&fraction(expected));
            assert_eq!(order, Ordering::Equal, "{left} {sign} {right}");
        }
        for (base, exponent, expected) in [("-0.5", 3, "-0.125"), ("7.5", 0, "1")] {
            let power = fraction(base).power(exponent).unwrap();
            assert_eq!(power.order(&fraction(expected)), Ordering::Equal, "{base}");
        }
    }

    #[test]
    fn a_number_that_grows_is_rounded() {
        let mut number = fraction("1.0000001");
        for _ in 0..20 {
            number = CtdFraction::combined('*', &number, &number).unwrap();
        }
        assert!(number.words() < 2 * MOST_BITS / 64);
        assert_eq!(number.order(&fraction("1.1")), Ordering::Greater);
        assert_eq!(number.order(&fraction("1.12")), Ordering::Less);
        assert!(fraction("10").power(u64::MAX).is_none());
    }
}
