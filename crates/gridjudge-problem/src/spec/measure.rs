//! Reads durations and sizes as people write them: `1.5s`, `250ms`, `64MiB`.

use std::time::Duration;

use crate::keys::{KeyTable, ValueKind};

/// Units of time, in nanoseconds.
const TIMES: [(&str, u64); 4] = [
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("min", 60_000_000_000),
    ("m", 60_000_000_000),
];

/// Units of memory, in bytes.
const SIZES: [(&str, u64); 7] = [
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
];

impl KeyTable {
    /// A duration greater than zero, as `"1s"`.
    pub(super) fn duration(&self, key: &'static str) -> Option<Duration> {
        let kind = ValueKind::new("a time in quotes, as \"1s\"", "\"1s\"");
        self.measure(key, kind, duration)
    }

    /// A number of bytes greater than zero, as `"64MiB"`.
    pub(super) fn bytes(&self, key: &'static str) -> Option<u64> {
        let kind = ValueKind::new("a size in quotes, as \"64MiB\"", "\"64MiB\"");
        self.measure(key, kind, bytes)
    }

    /// A number of bytes, as `"256MiB"`, or `"0B"`.
    pub(super) fn bytes_or_none(&self, key: &'static str) -> Option<u64> {
        let kind = ValueKind::new("a size in quotes, as \"256MiB\"", "\"256MiB\"");
        self.measure(key, kind, bytes_or_none)
    }
}

/// Parses a duration greater than zero.
///
/// # Errors
/// Returns what is wrong, worded to follow the quoted value.
pub fn duration(text: &str) -> Result<Duration, String> {
    positive(measure(text, &TIMES, "a time, as `1s` or `250ms`")?).map(Duration::from_nanos)
}

/// Parses a number of bytes greater than zero.
///
/// # Errors
/// Returns what is wrong, worded to follow the quoted value.
fn bytes(text: &str) -> Result<u64, String> {
    positive(bytes_or_none(text)?)
}

/// Parses a number of bytes, which may be zero.
///
/// # Errors
/// Returns what is wrong, worded to follow the quoted value.
fn bytes_or_none(text: &str) -> Result<u64, String> {
    measure(text, &SIZES, "a size, as `64MiB` or `512KiB`")
}

fn positive(value: u64) -> Result<u64, String> {
    if value == 0 {
        Err("must be greater than zero".to_owned())
    } else {
        Ok(value)
    }
}

fn measure(text: &str, units: &[(&str, u64)], wanted: &str) -> Result<u64, String> {
    let digits = text
        .find(|letter: char| !letter.is_ascii_digit() && letter != '.')
        .unwrap_or(text.len());
    let number = &text[..digits];
    let unit = text[digits..].trim();
    let factor = units
        .iter()
        .find(|known| known.0 == unit)
        .map(|known| known.1);
    factor
        .and_then(|factor| decimal(number, factor))
        .ok_or_else(|| format!("is not {wanted}"))
}

/// A decimal number times a factor, rounded down. Uses integer arithmetic, since a limit must be
/// the same on every machine.
fn decimal(number: &str, factor: u64) -> Option<u64> {
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let whole: u64 = whole.parse().ok()?;
    let scale = 10u64.checked_pow(u32::try_from(part.len()).ok()?)?;
    let part: u64 = part.parse().ok()?;
    let fraction = u128::from(part) * u128::from(factor) / u128::from(scale);
    whole
        .checked_mul(factor)?
        .checked_add(u64::try_from(fraction).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_read_exactly() {
        assert_eq!(duration("1s"), Ok(Duration::from_secs(1)));
        assert_eq!(duration("1.25s"), Ok(Duration::from_millis(1250)));
        assert_eq!(duration("250 ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("2min"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("9m"), Ok(Duration::from_secs(540)));
        assert_eq!(bytes("64MiB"), Ok(64 << 20));
        assert_eq!(bytes("1.5KiB"), Ok(1536));
        assert_eq!(bytes("125MB"), Ok(125_000_000));
    }

    #[test]
    fn invalid_times_and_sizes_are_refused() {
        for text in [
            "",
            "s",
            "1",
            "1 x",
            "-1s",
            "1..5s",
            "1.s",
            ".5s",
            "99999999999s",
            "1h 3s",
        ] {
            assert_eq!(
                duration(text),
                Err("is not a time, as `1s` or `250ms`".into()),
                "{text}"
            );
        }
        assert_eq!(duration("0s"), Err("must be greater than zero".into()));
        assert_eq!(bytes("0.0001KiB"), Err("must be greater than zero".into()));
        assert_eq!(bytes_or_none("0B"), Ok(0));
        assert_eq!(
            bytes("64mib"),
            Err("is not a size, as `64MiB` or `512KiB`".into())
        );
    }
}
