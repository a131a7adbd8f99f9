//! Compares numbers as DOMjudge's validator does, in the `long double` of x86-64: 64
//! binary digits instead of 53, which decides near a bound. Other than in the format
//! of Kattis, `inf` and `nan` are numbers, each equal to itself. Knows no findings.
//!
//! Source: DOMjudge, `sql/files/defaultdata/compare/compare.cc`.

use rustc_apfloat::Float;
use rustc_apfloat::ieee::X87DoubleExtended;

use crate::check::text::LongNumeral;
use crate::check::text::numeral::signed;
use crate::model::Tolerance;

/// A number of that type.
#[derive(Clone, Copy)]
pub(super) struct LongDouble(X87DoubleExtended);

/// By how much a number may differ from the answer's. One of the two bounds suffices.
#[derive(Clone, Copy)]
pub(super) struct LongDoubleBounds {
    absolute: Option<LongDouble>,
    relative: Option<LongDouble>,
}

impl LongDouble {
    /// The value of a token; `None` if it is not a number.
    pub(super) fn parse(token: &[u8]) -> Option<Self> {
        let (is_negative, name) = signed(token);
        let size = match name.to_ascii_lowercase().as_slice() {
            b"inf" | b"infinity" => X87DoubleExtended::INFINITY,
            b"nan" => X87DoubleExtended::NAN,
            _ => {
                let mut numeral = LongNumeral::default();
                numeral.read(token);
                return Self::of_numeral(&numeral);
            }
        };
        Some(Self(if is_negative { -size } else { size }))
    }

    /// The value of a numeral; `None` if it is not a number.
    pub(super) fn of_numeral(numeral: &LongNumeral) -> Option<Self> {
        let (digits, power) = numeral.decimal()?;
        let sign = if numeral.is_negative { "-" } else { "" };
        Some(Self(format!("{sign}0{digits}e{power}").parse().ok()?))
    }
}

impl LongDoubleBounds {
    pub(super) fn new(
        absolute: Option<Tolerance>,
        relative: Option<Tolerance>,
    ) -> Self {
        let [absolute, relative] = [absolute, relative].map(|most| {
            // Rounded from the decimal that a problem setter wrote.
            LongDouble::parse(format!("{:e}", most?.value()).as_bytes())
        });
        Self { absolute, relative }
    }

    /// Whether a number is near enough to that of the answer.
    pub(super) fn accept(&self, found: LongDouble, expected: LongDouble) -> bool {
        let [found, expected] = [found.0, expected.0];
        if !(found.is_finite() && expected.is_finite()) {
            return found == expected || found.is_nan() && expected.is_nan();
        }
        let error = (found - expected).value.abs();
        let part = (error / expected.abs()).value;
        // Not a number, and so not beyond its bound, is 0 of 0.
        let is_beyond =
            |size, most: Option<LongDouble>| most.is_none_or(|most| size > most.0);
        !(is_beyond(error, self.absolute) && is_beyond(part, self.relative))
    }
}
