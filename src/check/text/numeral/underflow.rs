//! Numerals that are not 0, and too small for a float.

/// The smallest number above 0: what such a numeral counts as.
pub(super) const LEAST: f64 = f64::from_bits(1);

/// The value of a numeral that is not 0, where reading it gave this.
pub(super) fn not_quite_zero(value: f64, is_negative: bool) -> f64 {
    match value {
        0.0 if is_negative => -LEAST,
        0.0 => LEAST,
        value => value,
    }
}
