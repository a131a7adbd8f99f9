//! Integers of any size.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::{BigInt, Sign};

/// An integer. One that fits into a machine word is always [`CtdInteger::Small`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CtdInteger {
    Small(i64),
    Large(Box<BigInt>),
}

/// Most digits of an integer that is shown in full.
const MOST_SHOWN: u64 = 60;

impl CtdInteger {
    /// Reads digits, perhaps after a `-`. Takes time that grows with the square of their number.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?;
        match text.parse() {
            Ok(small) => Some(Self::Small(small)),
            Err(_) => text.parse::<BigInt>().ok().map(Self::from),
        }
    }

    pub(super) fn to_big(&self) -> BigInt {
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

    /// The result of an operator, `+`, `-` or `*`.
    pub(super) fn combined(sign: char, left: &Self, right: &Self) -> Self {
        if let (Self::Small(left), Self::Small(right)) = (left, right) {
            let small = match sign {
                '+' => left.checked_add(*right),
                '-' => left.checked_sub(*right),
                _ => left.checked_mul(*right),
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
            _ => left * right,
        }
        .into()
    }

    /// The quotient, rounded towards 0, or the remainder, which has the sign of `left`. `right` is
    /// not 0.
    pub(super) fn divided(sign: char, left: &Self, right: &Self) -> Self {
        if let (Self::Small(left), Self::Small(right)) = (left, right) {
            let small = if sign == '/' {
                left.checked_div(*right)
            } else {
                left.checked_rem(*right)
            };
            if let Some(small) = small {
                return Self::Small(small);
            }
        }
        let left = left.to_big();
        let right = right.to_big();
        if sign == '/' {
            (left / right).into()
        } else {
            (left % right).into()
        }
    }

    /// A power; `None` if it has more than `most_bits` bits.
    pub(super) fn power(&self, exponent: u64, most_bits: u64) -> Option<Self> {
        if let Self::Small(small @ -1..=1) = self {
            let is_even = exponent.is_multiple_of(2);
            let power = if exponent == 0 {
                1
            } else {
                small * if is_even { *small } else { 1 }
            };
            return Some(Self::Small(power));
        }
        let base = self.to_big();
        let bits = base.bits().checked_mul(exponent)?;
        let exponent = u32::try_from(exponent).ok()?;
        (bits <= most_bits).then(|| base.pow(exponent).into())
    }
}

impl From<BigInt> for CtdInteger {
    fn from(number: BigInt) -> Self {
        i64::try_from(&number).map_or_else(|_| Self::Large(Box::new(number)), Self::Small)
    }
}

impl Ord for CtdInteger {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Small(left), Self::Small(right)) => left.cmp(right),
            (Self::Large(left), Self::Large(right)) => left.cmp(right),
            // A large integer lies beyond all small ones.
            (Self::Small(_), Self::Large(large)) => Sign::NoSign.cmp(&large.sign()),
            (Self::Large(large), Self::Small(_)) => large.sign().cmp(&Sign::NoSign),
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
            Self::Large(large) if self.most_digits() <= MOST_SHOWN => write!(formatter, "{large}"),
            Self::Large(_) => write!(
                formatter,
                "an integer of about {} digits",
                self.most_digits()
            ),
        }
    }
}
