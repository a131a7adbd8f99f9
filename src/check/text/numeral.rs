//! Parses numbers as the default validator of the Kattis problem package format does:
//! `[+-]?(\d*\.\d+|\d+\.|\d+)`, then an optional exponent. Neither hexadecimal, nor `inf` or `nan`.
//! Knows no tolerances.

mod long;
mod parts;
mod underflow;

use std::str;

pub(super) use long::LongNumeral;
use parts::NumeralParts;
use underflow::not_quite_zero;

/// The longest token, in bytes, that is parsed at once. A longer one may have an exponent to match
/// its length, which the standard library does not parse right.
const SHORT: usize = 400;

/// The value of a token as the nearest float, infinite if it is too large for one; `None` if the
/// token is not a number.
#[inline]
pub(super) fn number(token: &[u8]) -> Option<f64> {
    if token.len() > SHORT {
        let mut numeral = LongNumeral::default();
        numeral.read(token);
        return numeral.value();
    }
    let parts = NumeralParts::of(token)?;
    parts.exactly().or_else(|| {
        let value: f64 = str::from_utf8(token).ok()?.parse().ok()?;
        Some(not_quite_zero(value, parts.is_negative))
    })
}

#[cfg(test)]
mod tests {
    use super::underflow::LEAST;
    use super::*;

    #[test]
    fn numbers_are_recognised_by_the_grammar_of_the_format() {
        for token in [
            "0", "+5", "-5", "5.", ".5", "-.5e3", "5.e3", "1E5", "1e+5", "1e-05", "007", "00.50",
        ] {
            assert_eq!(number(token.as_bytes()), token.parse().ok(), "{token}");
        }
        let none = [
            "", "+", "-", ".", "e5", "5e", "5e+", "--5", "+-5", "1.2.3", "0x10", "inf", "nan",
            "1_0", "1,5",
        ];
        for token in none
            .into_iter()
            .chain(["1e5.", "1e5x", " 1", "1\0", "5d", "infinity", "1e 5"])
        {
            assert_eq!(number(token.as_bytes()), None, "{token}");
        }
    }

    #[test]
    fn a_number_too_small_for_a_float_is_not_zero_and_one_too_large_is_infinite() {
        for (token, value) in [
            ("1e-5000", LEAST),
            ("-1e-5000", -LEAST),
            ("0e99999999999999999999", 0.0),
        ] {
            assert_eq!(number(token.as_bytes()), Some(value), "{token}");
        }
        assert_eq!(number(b"1e5000"), Some(f64::INFINITY));
        assert_eq!(number(b"-1e99999999999999999999"), Some(f64::NEG_INFINITY));
        assert_eq!(number(b"1e-99999999999999999999"), Some(LEAST));
    }

    #[test]
    fn a_number_is_read_as_the_nearest_float_at_any_length() {
        let half_way = "9007199254740993";
        for length in [0, 10, 383, 384, 385, 1000, 100_000] {
            let zeros = "0".repeat(length);
            let above = format!("{half_way}.{zeros}1");
            assert_eq!(
                number(above.as_bytes()),
                Some(9_007_199_254_740_994.0),
                "{length}"
            );
            assert_eq!(
                number(format!("{half_way}.{zeros}").as_bytes()),
                Some(9_007_199_254_740_992.0)
            );
            let small = format!("-0.{zeros}25e{}", length + 1);
            assert_eq!(number(small.as_bytes()), Some(-2.5), "{length}");
            let large = format!("25{zeros}e-{}", length + 1);
            assert_eq!(number(large.as_bytes()), Some(2.5), "{length}");
        }
    }
}
