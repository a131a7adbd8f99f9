//! Keeps numerals that are too small for a float apart from 0.

/// The smallest float above 0, which stands for such a numeral.
pub(super) const LEAST: f64 = f64::from_bits(1);

/// The value of a numeral that is not 0, given the parsed `value`, which may have become 0.
pub(super) fn not_quite_zero(value: f64, is_negative: bool) -> f64 {
    match value {
        0.0 if is_negative => -LEAST,
        0.0 => LEAST,
        value => value,
    }
}
