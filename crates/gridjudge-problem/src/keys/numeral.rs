//! Reads numbers as YAML 1.1 and YAML 1.2 do. Sources: the resolver of PyYAML, and the
//! core schema of YAML 1.2.

/// Returns the number that PyYAML reads: decimal, octal after `0`, hexadecimal after
/// `0x`, binary after `0b`, in sixties between colons; with `_` between digits. `None`
/// for a text, and for what is not finite.
pub(crate) fn yaml_1_1(text: &str) -> Option<f64> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1.0, &text[1..]),
        b'+' => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    let number = match digits.as_bytes() {
        [b'0', b'b', rest @ ..] => whole(rest, 2),
        [b'0', b'x', rest @ ..] => whole(rest, 16),
        [b'0', rest @ ..] if !rest.is_empty() && !digits.contains(['.', ':']) => {
            whole(rest, 8)
        }
        _ if digits.contains(':') => in_sixties(digits),
        _ => fraction(digits),
    };
    number
        .map(|number| sign * number)
        .filter(|number| number.is_finite())
}

/// Returns how Python shows the number that PyYAML reads; `None` for a text.
pub(super) fn python_text(text: &str) -> Option<String> {
    let number = yaml_1_1(text)?;
    let digits = text.replace('_', "");
    let is_negative = digits.starts_with('-');
    let unsigned = digits.trim_start_matches(['+', '-']);
    let is_decimal = unsigned.bytes().all(|byte| byte.is_ascii_digit());
    if is_decimal && !unsigned.starts_with('0') {
        // It may have more digits than a float.
        let sign = if is_negative { "-" } else { "" };
        return Some(format!("{sign}{unsigned}"));
    }
    if !text.contains('.') {
        return Some(format!("{:.0}", number + 0.0));
    }
    let size = number.abs();
    if size == 0.0 || (1e-4..1e16).contains(&size) {
        return Some(format!("{number:?}"));
    }
    let shown = format!("{number:e}");
    let (mantissa, exponent) = shown.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    Some(format!("{mantissa}e{exponent:+03}"))
}

/// Returns the number that YAML 1.2 reads.
pub(super) fn yaml_1_2(text: &str) -> Option<f64> {
    match text.get(..2) {
        Some("0x") => whole(&text.as_bytes()[2..], 16),
        Some("0o") => whole(&text.as_bytes()[2..], 8),
        _ => decimal(text),
    }
}

/// Returns the number that a scalar in a list stands for; `None` if it is none.
pub(crate) fn listed_number(text: &str) -> Option<f64> {
    yaml_1_1(text).or_else(|| decimal(text))
}

/// Returns a number in decimals, as `1`, `0.5` or `1e-6`, but not `0x10` or `inf`.
pub(crate) fn decimal(text: &str) -> Option<f64> {
    let is_decimal = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    text.parse()
        .ok()
        .filter(|number: &f64| is_decimal && number.is_finite())
}

/// Returns a whole number in a base; `_` may stand among its digits.
fn whole(digits: &[u8], base: u32) -> Option<f64> {
    let mut number = 0.0;
    for byte in digits.iter().filter(|byte| **byte != b'_') {
        number =
            number * f64::from(base) + f64::from(char::from(*byte).to_digit(base)?);
    }
    digits.iter().any(|byte| *byte != b'_').then_some(number)
}

/// Returns a number in decimals that begins with a digit, or with a point and a digit.
/// Its exponent has a sign and comes after a point.
fn fraction(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let is_right = exponent.is_none_or(|exponent| {
        mantissa.contains('.') && exponent.starts_with(['+', '-'])
    });
    let begins = mantissa
        .trim_start_matches('.')
        .as_bytes()
        .first()?
        .is_ascii_digit();
    let is_plain = mantissa
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b"._".contains(&byte));
    let digits = text.replace('_', "");
    if is_right && begins && is_plain {
        decimal(&digits)
    } else {
        None
    }
}

/// Returns a number that is written in sixties, as `1:30` or `1:30.5`.
fn in_sixties(text: &str) -> Option<f64> {
    let mut parts = text.split(':');
    let first = parts
        .next()
        .filter(|first| first.as_bytes().first().is_some_and(u8::is_ascii_digit))?;
    let mut number = whole(first.as_bytes(), 10)?;
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let digits = part.split('.').next()?;
        let is_last = parts.peek().is_none();
        let is_right = (1..=2).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        let part = part.replace('_', "");
        let value = decimal(&part)
            .filter(|value| *value < 60.0 && (is_last || !part.contains('.')))?;
        number = number * 60.0 + if is_right { value } else { return None };
    }
    // A whole number does not begin with 0.
    (text.contains('.') || !first.starts_with('0')).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_python_shows_them() {
        for (text, shown) in [
            ("7", "7"),
            ("+7", "7"),
            ("-7", "-7"),
            ("-0", "0"),
            ("12_345678901234567891", "12345678901234567891"),
            ("010", "8"),
            ("0x1F", "31"),
            ("1:30", "90"),
            ("1.", "1.0"),
            ("1.50", "1.5"),
            ("1.0e+3", "1000.0"),
            ("1.0e+16", "1e+16"),
            ("2.5e-5", "2.5e-05"),
            ("0.0001", "0.0001"),
        ] {
            assert_eq!(python_text(text).as_deref(), Some(shown), "{text}");
        }
        assert_eq!(python_text("1e3"), None);
    }

    #[test]
    fn numbers_are_read_as_pyyaml_reads_them() {
        let read = [
            ("1", 1.0),
            ("-1", -1.0),
            ("+1", 1.0),
            ("0", 0.0),
            ("010", 8.0),
            ("-010", -8.0),
            ("0_7", 7.0),
            ("1_000", 1000.0),
            ("1_0.5_0", 10.5),
            ("1:30", 90.0),
            ("1:1:1", 3661.0),
            ("1:30.5", 90.5),
            ("0x1F", 31.0),
            ("0b101", 5.0),
            (".5", 0.5),
            ("1.", 1.0),
            ("1.e+2", 100.0),
            ("010.5", 10.5),
            ("0:30.5", 30.5),
        ];
        for (text, number) in read {
            assert_eq!(yaml_1_1(text), Some(number), "{text}");
        }
        let texts = [
            "", "-", "08", "1e3", "1.0e3", "x", "_1", "0x", "0o10", "1:60", "1:", ":1",
            "1 ", ".", "1..2", ".inf",
        ];
        for text in texts {
            assert_eq!(yaml_1_1(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_of_yaml_1_2_have_no_octal_zero_and_no_sixties() {
        assert_eq!(yaml_1_2("010"), Some(10.0));
        assert_eq!(yaml_1_2("0o10"), Some(8.0));
        assert_eq!(yaml_1_2("1_000"), None);
        assert_eq!(yaml_1_2("1:30"), None);
        assert_eq!(yaml_1_2("1e3"), Some(1000.0));
    }
}
