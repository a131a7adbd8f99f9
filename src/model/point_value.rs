//! A number of points: never infinite, and as exact as nine decimals.

use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;

use serde::Deserialize;
use serde::Serialize;
use serde::Serializer;

/// A number of points. Whole ones are written without a fraction.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(from = "f64")]
pub struct PointValue(f64);

/// Decimals beyond these are what is left of calculating.
const UNITS: f64 = 1e9;

/// The most and the least: up to here whole numbers are exact, and so are sums of many.
const MOST: f64 = 1e12;

impl PointValue {
    /// No points.
    pub const ZERO: Self = Self(0.0);

    /// So many, unless that is no number, or beyond a million millions.
    pub fn new(points: f64) -> Option<Self> {
        // Zero has one sign.
        (points.abs() <= MOST).then(|| Self((points * UNITS).round() / UNITS + 0.0))
    }

    /// This part of them.
    #[must_use]
    pub fn times(self, factor: Self) -> Self {
        Self::clamped(self.0 * factor.0)
    }

    /// Each of so many equal parts of them.
    #[must_use]
    pub fn shared_by(self, parts: usize) -> Self {
        // Not rounded, so that all parts together are the whole.
        Self(self.0 / parts.max(1) as f64)
    }

    /// What is left of them without others; never less than none.
    #[must_use]
    pub fn less(self, others: Self) -> Self {
        Self::clamped((self.0 - others.0).max(0.0))
    }

    /// The mean of these; zero of none.
    pub fn mean(points: &[Self]) -> Self {
        points.iter().copied().sum::<Self>().shared_by(points.len())
    }

    /// As a number.
    pub fn get(self) -> f64 {
        self.0
    }

    fn clamped(points: f64) -> Self {
        Self::new(points.clamp(-MOST, MOST)).unwrap_or(Self::ZERO)
    }
}

impl From<u64> for PointValue {
    fn from(points: u64) -> Self {
        Self::clamped(points as f64)
    }
}

/// The nearest number that there is: a log may say anything.
impl From<f64> for PointValue {
    fn from(points: f64) -> Self {
        Self::clamped(points)
    }
}

/// Whole numbers without a fraction, as older logs have them.
impl Serialize for PointValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

impl Ord for PointValue {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for PointValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for PointValue {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for PointValue {}

impl Sum for PointValue {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        Self::clamped(points.map(|points| points.0).sum())
    }
}

/// With six decimals at most, and none that say nothing.
impl fmt::Display for PointValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.6}", self.0);
        out.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_written_as_short_as_they_are() {
        let written = |points: f64| {
            let points = PointValue::new(points).unwrap();
            (points.to_string(), serde_json::to_string(&points).unwrap())
        };
        for (points, text, json) in [
            (60.0, "60", "60"),
            (49.9165, "49.9165", "49.9165"),
            (-0.0, "0", "0"),
            (1e12, "1000000000000", "1000000000000"),
        ] {
            assert_eq!(written(points), (text.to_owned(), json.to_owned()));
        }
        assert_eq!(serde_json::from_str::<PointValue>("60").unwrap(), PointValue::from(60));
        let beyond =
            ["1e300", "-18446744073709551615"].map(|text| serde_json::from_str::<PointValue>(text).unwrap());
        assert_eq!(beyond.map(PointValue::get), [1e12, -1e12]);
        assert_eq!([f64::NAN, f64::INFINITY, -1e13].map(PointValue::new), [None; 3]);
    }

    #[test]
    fn the_parts_of_a_number_are_all_of_it() {
        for parts in [3, 7, 49] {
            let part = PointValue::from(100).shared_by(parts);
            assert_eq!(std::iter::repeat_n(part, parts).sum::<PointValue>(), PointValue::from(100));
        }
        assert_eq!(PointValue::mean(&[]), PointValue::ZERO);
    }
}
