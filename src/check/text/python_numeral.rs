//! Parses numbers as Python's `float` does, except for `inf` and `nan`: underscores may stand
//! between digits. Knows no tolerances.

use std::str;

use crate::check::text::numeral::number;

/// The value of a token as the nearest float, infinite if it is too large for one; `None` if the
/// token is not a number in Python.
pub(super) fn number_of_python(token: &[u8]) -> Option<f64> {
    if !memchr::memchr_iter(b'_', token).all(|at| {
        let digit = |at: usize| token.get(at).is_some_and(u8::is_ascii_digit);
        at > 0 && digit(at - 1) && digit(at + 1)
    }) {
        return None;
    }
    let plain: Vec<u8> = token.iter().copied().filter(|byte| *byte != b'_').collect();
    // It rounds a number that is too small for a float away from zero, which Python does not.
    number(&plain)?;
    str::from_utf8(&plain).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
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
