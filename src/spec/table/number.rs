//! Reads whole numbers within bounds, for one key or for keys that the user chose, as in
//! `[points]`.

use std::ops::Range;

use toml::de::DeValue;

use crate::mistake::quoted;
use crate::spec::table::kind::{NUMBER, NUMBERS};
use crate::spec::table::{SpannedValue, TomlTable};

impl<'d> TomlTable<'d> {
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// A whole number between two bounds.
    pub(crate) fn number(
        &self,
        key: &'static str,
        least: u64,
        most: u64,
    ) -> Option<SpannedValue<u64>> {
        let found = self.value(key, &NUMBER, whole)?;
        let value = self.within(key, found.value, least..=most, &found.span)?;
        Some(SpannedValue {
            value,
            span: found.span,
        })
    }

    /// Whole numbers between two bounds: one, or a list of them.
    pub(crate) fn numbers(
        &self,
        key: &'static str,
        least: u64,
        most: u64,
    ) -> Option<SpannedValue<Vec<u64>>> {
        let found = self.value(key, &NUMBERS, |value| match value.as_array() {
            Some(list) => list.iter().map(|item| whole(item.get_ref())).collect(),
            None => Some(vec![whole(value)?]),
        })?;
        let numbers = found
            .value
            .iter()
            .map(|number| self.within(key, *number, least..=most, &found.span));
        // Collected first, so that every number out of bounds is noted.
        let numbers: Vec<_> = numbers.collect();
        Some(SpannedValue {
            value: numbers.into_iter().collect::<Option<_>>()?,
            span: found.span,
        })
    }

    /// All values of this table, which must be whole numbers up to a bound, by their keys. The user
    /// chooses the keys.
    pub(crate) fn numbers_by_name(&self, most: u64) -> Vec<(&'d str, SpannedValue<u64>)> {
        let mut numbers = Vec::new();
        for (key, value) in self.entries {
            let name: &'d str = key.get_ref();
            self.chosen.borrow_mut().push(name);
            let Some(found) = self.typed(key, value, &NUMBER, whole) else {
                continue;
            };
            if let Some(value) = self.within(name, found.value, 0..=most, &found.span) {
                numbers.push((
                    name,
                    SpannedValue {
                        value,
                        span: found.span,
                    },
                ));
            }
        }
        numbers
    }

    /// Returns a number that is within bounds. Notes a mistake if it is not.
    fn within(
        &self,
        key: &str,
        found: i128,
        bounds: std::ops::RangeInclusive<u64>,
        at: &Range<usize>,
    ) -> Option<u64> {
        let number = u64::try_from(found)
            .ok()
            .filter(|number| bounds.contains(number));
        if number.is_none() {
            let least = bounds.start();
            let most = bounds.end();
            let is_unbounded = *most >= i64::MAX as u64;
            let range = if is_unbounded {
                format!("at least {least}")
            } else {
                format!("{least} to {most}")
            };
            let message = match found {
                found if is_unbounded && found > 0 => {
                    format!("{} has too many digits", quoted(key))
                }
                i128::MAX | i128::MIN => format!("{} must be {range}", quoted(key)),
                found => format!("{} must be {range}", quoted(&format!("{key} = {found}"))),
            };
            let remedy = if is_unbounded {
                format!("write {least}, or a larger number of at most 18 digits")
            } else {
                format!("write a number from {least} to {most}")
            };
            self.note(at, message, remedy);
        }
        number
    }
}

/// Reads a whole number of any length. One that does not fit becomes the largest or smallest
/// `i128`.
fn whole(value: &DeValue<'_>) -> Option<i128> {
    let number = value.as_integer()?;
    let digits = number.as_str();
    let bound = if digits.starts_with('-') {
        i128::MIN
    } else {
        i128::MAX
    };
    Some(i128::from_str_radix(digits, number.radix()).unwrap_or(bound))
}
