//! Parses the minute and the number of the attempt in the file name of a contest
//! submission, as in `sudoku@95#2.cpp`.

use std::path::Path;

use crate::mistake::Mistake;
use crate::text::are_digits;

/// The latest minute allowed, a bit more than a year.
pub(super) const LATEST: u64 = 600_000;

/// Parses the time after the `@` in the name of a file.
pub(super) fn minute_of(text: &str, path: &Path) -> Result<u64, Mistake> {
    contest_minute(text).ok_or_else(|| {
        let remedy =
            "write the minutes since the start, for example `@95`, or hours and \
             minutes, for example `@1:35`";
        Mistake::new(
            path,
            format!("`@{text}` is not a valid contest time"),
            remedy,
        )
    })
}

/// Parses `95`, or `1:35` for an hour and 35 minutes.
pub fn contest_minute(text: &str) -> Option<u64> {
    let minute = match text.split_once(':') {
        Some((hours, minutes)) if minutes.len() == 2 => {
            let hours = digits(hours).and_then(|hours| hours.checked_mul(60));
            hours
                .zip(digits(minutes).filter(|minutes| *minutes < 60))
                .map(|(hours, minutes)| hours + minutes)
        }
        Some(_) => None,
        None => digits(text),
    };
    minute.filter(|minute| *minute <= LATEST)
}

/// Parses the number after the `#` in the name of a file.
pub(super) fn attempt_number(text: &str, path: &Path) -> Result<u64, Mistake> {
    digits(text).filter(|number| *number > 0).ok_or_else(|| {
        Mistake::new(
            path,
            format!("`#{text}` is not a valid attempt number"),
            "number the attempts at a problem as `#1`, `#2`",
        )
    })
}

fn digits(text: &str) -> Option<u64> {
    let is_number = text.len() <= 9 && are_digits(text);
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_minutes_or_hours_and_minutes() {
        for (text, minute) in [
            ("0", Some(0)),
            ("95", Some(95)),
            ("007", Some(7)),
            ("1:35", Some(95)),
            ("0:05", Some(5)),
            ("10000:00", Some(600_000)),
            ("600001", None),
            ("1:60", None),
            ("1:5", None),
            ("1:035", None),
            (":35", None),
            ("1:", None),
            ("1:02:03", None),
            ("-1", None),
            ("+1", None),
            ("1.5", None),
            ("", None),
            ("99999999999999999999", None),
            ("99999999999999999999:00", None),
        ] {
            assert_eq!(minute_of(text, Path::new("")).ok(), minute, "{text}");
        }
    }

    #[test]
    fn attempts_are_numbered_from_one() {
        for (text, number) in [
            ("1", Some(1)),
            ("12", Some(12)),
            ("0", None),
            ("", None),
            ("x", None),
            ("+2", None),
        ] {
            assert_eq!(attempt_number(text, Path::new("")).ok(), number, "{text}");
        }
    }
}
