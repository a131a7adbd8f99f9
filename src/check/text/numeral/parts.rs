//! Splits a numeral into its parts in one go. Most numerals are short, and their value is exact at
//! once.

/// Decimal digits that always fit into a `u64`.
const MOST_DIGITS: u32 = 19;

/// Every whole number up to this is a float.
const MOST_EXACT: u64 = 1 << 53;

/// Powers of ten that floats represent exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Larger exponents count as this one.
const LARGEST_EXPONENT: i64 = 1 << 40;

/// A numeral: its first digits, and the power of ten that they are multiplied by.
pub(super) struct NumeralParts {
    pub(super) is_negative: bool,
    mantissa: u64,
    digits: u32,
    power: i64,
}

impl NumeralParts {
    /// The parts of a token; `None` if it is not a number.
    #[inline]
    pub(super) fn of(token: &[u8]) -> Option<Self> {
        let (is_negative, rest) = signed(token);
        let mut parts = Self {
            is_negative,
            mantissa: 0,
            digits: 0,
            power: 0,
        };
        let whole = parts.take(rest, 1);
        let mut rest = &rest[whole..];
        let mut has_digits = whole > 0;
        if let [b'.', behind @ ..] = rest {
            let taken = parts.take(behind, 0);
            has_digits |= taken > 0;
            rest = &behind[taken..];
        }
        if !has_digits {
            return None;
        }
        parts.power += exponent(rest)?;
        Some(parts)
    }

    /// Reads the digits at the start of a text, and returns how many there are. `place` is 1 before
    /// the point and 0 after it, by which the power of ten stays right, also for digits that do not
    /// fit the mantissa.
    #[inline]
    fn take(&mut self, text: &[u8], place: i64) -> usize {
        let mut taken = 0;
        for byte in text {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            taken += 1;
            if self.digits < MOST_DIGITS {
                self.mantissa = self.mantissa * 10 + u64::from(digit);
                self.digits += u32::from(self.mantissa > 0);
                self.power -= 1 - place;
            } else {
                self.digits += 1;
                self.power += place;
            }
        }
        taken
    }

    /// The value, if it can be calculated with only one rounding operation.
    #[inline]
    pub(super) fn exactly(&self) -> Option<f64> {
        let is_all = self.digits <= MOST_DIGITS && self.mantissa <= MOST_EXACT;
        #[expect(clippy::cast_precision_loss, reason = "it is exact up to here")]
        let mantissa = self.mantissa as f64;
        let signed = if self.is_negative {
            -mantissa
        } else {
            mantissa
        };
        let power = usize::try_from(self.power.unsigned_abs())
            .ok()
            .and_then(|power| POWERS.get(power));
        match (power, self.power < 0) {
            _ if self.mantissa == 0 => Some(signed),
            (Some(power), true) if is_all => Some(signed / power),
            (Some(power), false) if is_all => Some(signed * power),
            _ => None,
        }
    }
}

#[inline]
fn signed(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

/// Parses an exponent; 0 if the text is empty, `None` if it is anything else.
#[inline]
fn exponent(text: &[u8]) -> Option<i64> {
    let [b'e' | b'E', rest @ ..] = text else {
        return text.is_empty().then_some(0);
    };
    let (is_negative, digits) = signed(rest);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let exponent = digits.iter().fold(0, |sum, digit| {
        (sum * 10 + i64::from(digit - b'0')).min(LARGEST_EXPONENT)
    });
    Some(if is_negative { -exponent } else { exponent })
}
