//! Parses numbers as the default validator of the Kattis problem package format does:
//! `[+-]?(\d*\.\d+|\d+\.|\d+)`, then an optional exponent. Neither hexadecimal, nor
//! `inf` or `nan`. Knows no tolerances.

use std::str;

use NumeralPosition::{
    BarePoint, Exponent, ExponentLetter, ExponentSign, Fraction, Invalid, Sign,
    Start, Whole,
};

/// The longest token, in bytes, that is parsed at once. A longer one may have an
/// exponent to match its length, which the standard library does not parse right.
const SHORT: usize = 400;

/// The value of a token as the nearest float, infinite if it is too large for one, and
/// 0 if it is too small; `None` if the token is not a number.
#[inline]
pub(super) fn parse_number(token: &[u8]) -> Option<f64> {
    if token.len() > SHORT {
        let mut numeral = LongNumeral::default();
        numeral.read(token);
        return numeral.value();
    }
    plain_value(token).or_else(|| {
        // The standard library also knows `inf` and `nan`.
        let are_figures = token.iter().all(|byte| {
            matches!(byte, b'0'..=b'9' | b'.' | b'+' | b'-' | b'e' | b'E')
        });
        let text = str::from_utf8(token).ok().filter(|_| are_figures)?;
        text.parse().ok()
    })
}

/// The most bytes of a numeral without an exponent whose value is exact, or rounded
/// once, if it is calculated in floats.
const MOST_PLAIN: usize = 16;

/// Powers of ten that floats represent exactly.
const POWERS: [f64; MOST_PLAIN] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
    1e15,
];

/// The value of a short numeral without an exponent, as most are; `None` if the token is
/// anything else.
#[inline]
fn plain_value(token: &[u8]) -> Option<f64> {
    let (is_negative, figures) = signed(token);
    if figures.len() > MOST_PLAIN {
        return None;
    }
    let mut number = 0u64;
    let mut digits = 0;
    let mut point = None;
    for byte in figures {
        match byte {
            b'0'..=b'9' => {
                number = number * 10 + u64::from(byte - b'0');
                digits += 1;
            }
            b'.' if point.is_none() => point = Some(digits),
            _ => return None,
        }
    }
    let fraction = digits - point.unwrap_or(digits);
    let divisor = POWERS.get(fraction).filter(|_| digits > 0)?;
    // The number is exact before it is divided.
    let size = number as f64 / divisor;
    Some(if is_negative { -size } else { size })
}

#[inline]
pub(super) fn signed(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

// Parses a numeral of any length, piece by piece in little memory. It keeps enough
// digits that of the others it only matters whether one is not 0.

/// Digits that are kept. To decide to which float a number is rounded, 767 are enough.
const MOST_LONG_DIGITS: usize = 800;

/// Larger exponents count as this one: no token has enough digits to make up for it.
const LARGEST_LONG_EXPONENT: i64 = 1 << 60;

/// A power of ten beyond all floats: as a negative power, even with all kept digits
/// before it.
const BEYOND_FLOATS: i64 = 2000;

/// A numeral being read.
#[derive(Default)]
pub(crate) struct LongNumeral {
    at: NumeralPosition,
    pub(super) is_negative: bool,
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
#[derive(Clone, Copy, Default, PartialEq)]
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
            if self.at == Invalid {
                return;
            }
            self.at = self.step(*byte);
        }
    }

    fn step(&mut self, byte: u8) -> NumeralPosition {
        match (self.at, byte) {
            (Start, b'+' | b'-') => {
                self.is_negative = byte == b'-';
                Sign
            }
            (Start | Sign | Whole, b'0'..=b'9') => {
                self.take_digit(byte, 1);
                Whole
            }
            (Start | Sign, b'.') => BarePoint,
            (Whole, b'.') => Fraction,
            (BarePoint | Fraction, b'0'..=b'9') => {
                self.take_digit(byte, 0);
                Fraction
            }
            (Whole | Fraction, b'e' | b'E') => ExponentLetter,
            (ExponentLetter, b'+' | b'-') => {
                self.has_negative_exponent = byte == b'-';
                ExponentSign
            }
            (ExponentLetter | ExponentSign | Exponent, b'0'..=b'9') => {
                let digit = i64::from(byte - b'0');
                self.exponent = self
                    .exponent
                    .saturating_mul(10)
                    .saturating_add(digit)
                    .min(LARGEST_LONG_EXPONENT);
                Exponent
            }
            _ => Invalid,
        }
    }

    fn take_digit(&mut self, digit: u8, place: i64) {
        if self.digits.len() == MOST_LONG_DIGITS {
            self.has_more |= digit != b'0';
            self.power += place;
            return;
        }
        if digit != b'0' || !self.digits.is_empty() {
            self.digits.push(digit);
        }
        self.power -= 1 - place;
    }

    /// The nearest float, after the whole numeral has been read; `None` if it is not a
    /// number.
    pub(crate) fn value(&self) -> Option<f64> {
        let sign = if self.is_negative { -1.0 } else { 1.0 };
        let (digits, power) = self.decimal()?;
        Some(match power {
            _ if digits.is_empty() => 0.0 * sign,
            BEYOND_FLOATS.. => f64::INFINITY * sign,
            power if power < -BEYOND_FLOATS => 0.0 * sign,
            power => format!("{digits}e{power}").parse::<f64>().ok()? * sign,
        })
    }

    /// The kept digits, without leading zeros, and the power of ten that they are
    /// multiplied by; `None` if it is not a number.
    pub(super) fn decimal(&self) -> Option<(String, i64)> {
        if !matches!(self.at, Whole | Fraction | Exponent) {
            return None;
        }
        let exponent = if self.has_negative_exponent {
            -self.exponent
        } else {
            self.exponent
        };
        let mut power = self.power.saturating_add(exponent);
        let mut digits = String::from_utf8(self.digits.clone()).ok()?;
        // If a digit other than 0 was dropped, a 1 is appended for it: it matters half
        // way between two floats.
        if self.has_more {
            digits.push('1');
            power -= 1;
        }
        Some((digits, power))
    }
}

// Parses numbers as Python's `float` does, except for `inf` and `nan`: underscores may
// stand between digits. Knows no tolerances.

/// The value of a token as the nearest float, infinite if it is too large for one;
/// `None` if the token is not a number in Python.
pub(super) fn number_of_python(token: &[u8]) -> Option<f64> {
    if !memchr::memchr_iter(b'_', token).all(|at| {
        let digit = |at: usize| token.get(at).is_some_and(u8::is_ascii_digit);
        at > 0 && digit(at - 1) && digit(at + 1)
    }) {
        return None;
    }
    let plain: Vec<u8> = token.iter().copied().filter(|byte| *byte != b'_').collect();
    parse_number(&plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_recognised_by_the_grammar_of_the_format() {
        for token in [
            "0", "+5", "-5", "5.", ".5", "-.5e3", "5.e3", "1E5", "1e+5", "1e-05",
            "007", "00.50",
        ] {
            assert_eq!(
                parse_number(token.as_bytes()),
                token.parse().ok(),
                "{token}"
            );
        }
        let none = [
            "", "+", "-", ".", "e5", "5e", "5e+", "--5", "+-5", "1.2.3", "0x10",
            "inf", "nan", "1_0", "1,5",
        ];
        for token in none
            .into_iter()
            .chain(["1e5.", "1e5x", " 1", "1\0", "5d", "infinity", "1e 5"])
        {
            assert_eq!(parse_number(token.as_bytes()), None, "{token}");
        }
    }

    #[test]
    fn short_numerals_are_the_same_floats_as_in_the_standard_library() {
        for digits in ["9999999999999999", "9007199254740993", "1000000000000003"] {
            for point in 0..=16 {
                for sign in ["", "-", "+"] {
                    let token =
                        format!("{sign}{}.{}", &digits[..point], &digits[point..]);
                    for token in [&token, &token[..token.len() - 1]] {
                        let read = parse_number(token.as_bytes()).unwrap();
                        let expected: f64 = token.parse().unwrap();
                        assert_eq!(read.to_bits(), expected.to_bits(), "{token}");
                    }
                }
            }
        }
        assert_eq!(parse_number(b"-0").unwrap().to_bits(), (-0.0f64).to_bits());
    }

    #[test]
    fn a_number_too_small_for_a_float_is_zero_and_one_too_large_is_infinite() {
        for (token, value) in [
            ("1e-5000", 0.0),
            ("-1e-5000", -0.0),
            ("0e99999999999999999999", 0.0),
            ("2e-324", 0.0),
            ("3e-324", f64::from_bits(1)),
        ] {
            assert_eq!(parse_number(token.as_bytes()), Some(value), "{token}");
        }
        assert_eq!(parse_number(b"1e5000"), Some(f64::INFINITY));
        assert_eq!(
            parse_number(b"-1e99999999999999999999"),
            Some(f64::NEG_INFINITY)
        );
        assert_eq!(parse_number(b"1e-99999999999999999999"), Some(0.0));
    }

    #[test]
    fn a_number_is_read_as_the_nearest_float_at_any_length() {
        let half_way = "9007199254740993";
        for length in [0, 10, 383, 384, 385, 1000, 100_000] {
            let zeros = "0".repeat(length);
            let above = format!("{half_way}.{zeros}1");
            assert_eq!(
                parse_number(above.as_bytes()),
                Some(9_007_199_254_740_994.0),
                "{length}"
            );
            assert_eq!(
                parse_number(format!("{half_way}.{zeros}").as_bytes()),
                Some(9_007_199_254_740_992.0)
            );
            let small = format!("-0.{zeros}25e{}", length + 1);
            assert_eq!(parse_number(small.as_bytes()), Some(-2.5), "{length}");
            let large = format!("25{zeros}e-{}", length + 1);
            assert_eq!(parse_number(large.as_bytes()), Some(2.5), "{length}");
        }
    }
}

#[cfg(test)]
mod python_numeral_tests {
    use super::*;

    #[test]
    fn underscores_may_stand_between_digits_and_too_small_numbers_are_zero() {
        for (token, value) in [
            ("1_000", Some(1000.0)),
            ("1_0.2_5e1_0", Some(10.25e10)),
            ("_1", None),
            ("1_", None),
            ("1__0", None),
            ("1_.5", None),
            ("1e_5", None),
            ("1e-5000", Some(0.0)),
            ("1e5000", Some(f64::INFINITY)),
            ("5.", Some(5.0)),
            ("inf", None),
            ("nan", None),
            ("0x10", None),
            ("", None),
        ] {
            assert_eq!(number_of_python(token.as_bytes()), value, "{token}");
        }
        let long = format!("0.{}1", "0".repeat(2_000));
        assert_eq!(number_of_python(long.as_bytes()), Some(0.0));
    }
}
