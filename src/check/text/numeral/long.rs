//! Parses a numeral of any length, piece by piece in little memory. It keeps enough digits that of
//! the others it only matters whether one is not 0.

use crate::check::text::numeral::underflow::not_quite_zero;

/// Digits that are kept. To decide to which float a number is rounded, 767 are enough.
const MOST_DIGITS: usize = 800;

/// Larger exponents count as this one: no token has enough digits to make up for it.
const LARGEST_EXPONENT: i64 = 1 << 60;

/// A power of ten beyond all floats: as a negative power, even with all kept digits before it.
const BEYOND_FLOATS: i64 = 2000;

/// A numeral being read.
#[derive(Default)]
pub(crate) struct LongNumeral {
    at: NumeralPosition,
    is_negative: bool,
    /// The first digits, without leading zeros.
    digits: Vec<u8>,
    /// Whether a digit other than 0 follows the kept ones.
    has_more: bool,
    /// The power of ten that the digits are multiplied by, without the exponent.
    power: i64,
    exponent: i64,
    has_negative_exponent: bool,
}

/// How far a numeral has been read.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum NumeralPosition {
    #[default]
    Start,
    Sign,
    Whole,
    /// A point without a digit before it.
    BarePoint,
    Fraction,
    ExponentLetter,
    ExponentSign,
    Exponent,
    /// The text is not a numeral.
    Invalid,
}

impl LongNumeral {
    /// Reads the next piece.
    pub(crate) fn read(&mut self, text: &[u8]) {
        for byte in text {
            if self.at == NumeralPosition::Invalid {
                return;
            }
            self.at = self.step(*byte);
        }
    }

    fn step(&mut self, byte: u8) -> NumeralPosition {
        use NumeralPosition as At;
        match (self.at, byte) {
            (At::Start, b'+' | b'-') => {
                self.is_negative = byte == b'-';
                At::Sign
            }
            (At::Start | At::Sign | At::Whole, b'0'..=b'9') => {
                self.take(byte, 1);
                At::Whole
            }
            (At::Start | At::Sign, b'.') => At::BarePoint,
            (At::Whole, b'.') => At::Fraction,
            (At::BarePoint | At::Fraction, b'0'..=b'9') => {
                self.take(byte, 0);
                At::Fraction
            }
            (At::Whole | At::Fraction, b'e' | b'E') => At::ExponentLetter,
            (At::ExponentLetter, b'+' | b'-') => {
                self.has_negative_exponent = byte == b'-';
                At::ExponentSign
            }
            (At::ExponentLetter | At::ExponentSign | At::Exponent, b'0'..=b'9') => {
                let digit = i64::from(byte - b'0');
                self.exponent = self
                    .exponent
                    .saturating_mul(10)
                    .saturating_add(digit)
                    .min(LARGEST_EXPONENT);
                At::Exponent
            }
            _ => At::Invalid,
        }
    }

    fn take(&mut self, digit: u8, place: i64) {
        if self.digits.len() == MOST_DIGITS {
            self.has_more |= digit != b'0';
            self.power += place;
            return;
        }
        if digit != b'0' || !self.digits.is_empty() {
            self.digits.push(digit);
        }
        self.power -= 1 - place;
    }

    /// The nearest float, after the whole numeral has been read; `None` if it is not a number.
    pub(crate) fn value(&self) -> Option<f64> {
        use NumeralPosition as At;
        if !matches!(self.at, At::Whole | At::Fraction | At::Exponent) {
            return None;
        }
        let sign = if self.is_negative { -1.0 } else { 1.0 };
        let exponent = if self.has_negative_exponent {
            -self.exponent
        } else {
            self.exponent
        };
        let power = self.power.saturating_add(exponent);
        Some(match power {
            _ if self.digits.is_empty() => 0.0 * sign,
            BEYOND_FLOATS.. => f64::INFINITY * sign,
            power if power < -BEYOND_FLOATS => not_quite_zero(0.0, self.is_negative),
            power => not_quite_zero(self.kept(power)? * sign, self.is_negative),
        })
    }

    /// The value of the kept digits, times a power of ten.
    fn kept(&self, power: i64) -> Option<f64> {
        let mut text = String::from_utf8(self.digits.clone()).ok()?;
        // If a digit other than 0 was dropped, a 1 is appended for it: it matters half way between
        // two floats.
        let power = if self.has_more { power - 1 } else { power };
        text.push_str(if self.has_more { "1" } else { "" });
        format!("{text}e{power}").parse().ok()
    }
}
