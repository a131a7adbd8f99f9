//! A moment in time, in seconds, and its written form. Knows no clock.

use std::cmp::Ordering;
use std::fmt;
use std::sync::LazyLock;
use std::time::{Duration, UNIX_EPOCH};

use regex_lite::Regex;
use serde::{Deserialize, Serialize};

/// The latest moment, the end of the year 9999.
const LATEST: u64 = 253_402_300_799;

/// A moment, with the zone in whose time it is written: as `2026-11-28T23:59:00Z`, or
/// as `2026-11-29T00:59:00+01:00`, which is the same moment.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Moment {
    /// Seconds since 1970.
    seconds: u64,
    /// The seconds by which the clocks of its zone are ahead of UTC.
    ahead: i64,
}

impl Moment {
    /// The moment this many seconds after the start of 1970, if it is in the years 1970
    /// to 9999.
    pub fn of_seconds(seconds: i64) -> Option<Self> {
        let seconds = seconds.try_into().ok()?;
        (seconds <= LATEST).then_some(Self { seconds, ahead: 0 })
    }

    /// Reads `2026-11-28 23:59 +01:00`; `T` may stand between date and time, seconds may
    /// follow, and `Z` is the zone of UTC. A moment without a zone is none.
    pub fn parse(text: &str) -> Option<Self> {
        static FORM: LazyLock<Regex> = LazyLock::new(|| {
            let form = r"(?xs)^
                (.*?)
                (?:
                    [Zz]
                    | ([+-]) ([01][0-9] | 2[0-3]) : ([0-5][0-9])
                )
            $";
            Regex::new(form).expect("the pattern is valid")
        });
        let found = FORM.captures(text.trim())?;
        let part = |part| found.get(part).map_or("", |part| part.as_str());
        let number = |digits| part(digits).parse().unwrap_or(0);
        // The seconds by which the clocks of its zone are ahead of UTC.
        let size: i64 = number(3) * 3600 + number(4) * 60;
        let ahead = if part(2) == "-" { -size } else { size };
        let clock = part(1).trim_end();
        // The length of a time without seconds.
        let seconds = if clock.len() == "2026-11-28T23:59".len() {
            ":00"
        } else {
            ""
        };
        let utc = humantime::parse_rfc3339_weak(&format!("{clock}{seconds}")).ok()?;
        let seconds = utc.duration_since(UNIX_EPOCH).ok()?.as_secs();
        let moment = Self::of_seconds(i64::try_from(seconds).ok()? - ahead)?;
        Some(Self { ahead, ..moment })
    }

    /// The same moment, written in the zone of another.
    #[must_use]
    pub fn in_zone_of(self, other: Self) -> Self {
        Self {
            ahead: other.ahead,
            ..self
        }
    }

    /// The moment as people write it, as `2026-11-28 23:59 +01:00`.
    pub fn in_words(self) -> String {
        let written = self.to_string();
        let (date, time) = written.split_once('T').unwrap_or((&written, ""));
        let (clock, zone) = time.split_at(time.len().min("23:59:00".len()));
        let clock = clock.strip_suffix(":00").unwrap_or(clock);
        let zone = if zone == "Z" { "UTC" } else { zone };
        format!("{date} {clock} {zone}")
    }

    /// The seconds from an earlier moment to this one; 0 if that was not earlier.
    pub fn seconds_since(self, earlier: Self) -> u64 {
        self.seconds.saturating_sub(earlier.seconds)
    }
}

impl PartialEq for Moment {
    fn eq(&self, other: &Self) -> bool {
        self.seconds == other.seconds
    }
}

impl Eq for Moment {}

impl PartialOrd for Moment {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Moment {
    fn cmp(&self, other: &Self) -> Ordering {
        self.seconds.cmp(&other.seconds)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The clocks of the zone showed another year at both ends of what can be
        // written.
        let clock = self.seconds.saturating_add_signed(self.ahead).min(LATEST);
        let clock = humantime::format_rfc3339_seconds(
            UNIX_EPOCH + Duration::from_secs(clock),
        );
        if self.ahead == 0 {
            return clock.fmt(out);
        }
        let clock = clock.to_string();
        let sign = if self.ahead < 0 { '-' } else { '+' };
        let minutes = self.ahead.unsigned_abs() / 60;
        let [hours, minutes] = [minutes / 60, minutes % 60];
        let clock = clock.trim_end_matches('Z');
        write!(out, "{clock}{sign}{hours:02}:{minutes:02}")
    }
}

impl From<Moment> for String {
    fn from(moment: Moment) -> Self {
        moment.to_string()
    }
}

impl TryFrom<String> for Moment {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| {
            format!("`{text}` is not a moment such as `2026-11-28T23:59:00Z`")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_a_date_a_time_and_a_zone() {
        let read = |text: &str| Moment::parse(text).map(|moment| moment.to_string());
        for (text, expected) in [
            ("2026-11-28T23:59:00Z", Some("2026-11-28T23:59:00Z")),
            ("2026-11-28 23:59 +01:00", Some("2026-11-28T23:59:00+01:00")),
            (
                "2026-11-28 23:59:30+01:00",
                Some("2026-11-28T23:59:30+01:00"),
            ),
            ("2026-11-28 23:59 -05:30", Some("2026-11-28T23:59:00-05:30")),
            ("2024-02-29 00:00Z", Some("2024-02-29T00:00:00Z")),
            ("1970-01-01 00:30 +01:00", None),
            ("9999-12-31 23:59 -01:00", None),
            ("2026-11-28 23:59", None),
            ("2026-02-30 23:59Z", None),
            ("2026-11-28 24:00Z", None),
            ("2026-11-28 23:59 +1:00", None),
            ("2026-11-28 23:59 +24:00", None),
            ("2026-11-28", None),
            ("Übermorgen +01:00", None),
            ("+01:00", None),
            ("Z", None),
            ("", None),
        ] {
            assert_eq!(read(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_moment_is_the_same_in_every_zone_and_can_be_written_in_another() {
        let [one, other, later] = [
            "2026-11-28 23:59 +01:00",
            "2026-11-28 22:59Z",
            "2026-11-28 23:00Z",
        ]
        .map(|text| Moment::parse(text).unwrap());
        assert!(one == other && one < later);
        assert_eq!(
            later.in_zone_of(one).to_string(),
            "2026-11-29T00:00:00+01:00"
        );
        assert_eq!(one.in_zone_of(other).to_string(), "2026-11-28T22:59:00Z");
        assert_eq!(one.in_words(), "2026-11-28 23:59 +01:00");
        assert_eq!(other.in_words(), "2026-11-28 22:59 UTC");
    }

    #[test]
    fn a_moment_is_logged_as_it_is_written() {
        let moment = Moment::parse("2026-11-28 23:59Z").unwrap();
        let json = serde_json::to_string(&moment).unwrap();
        assert_eq!(json, "\"2026-11-28T23:59:00Z\"");
        assert_eq!(serde_json::from_str::<Moment>(&json).unwrap(), moment);
        assert!(serde_json::from_str::<Moment>("\"tomorrow\"").is_err());
    }
}
