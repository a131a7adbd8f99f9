//! Reads the keys of `[task]` that control how tokens are compared.

use crate::keys::KeyTable;
use crate::model::{TokenRules, Tolerance};
use crate::package::token_flags::{REMEDY_OF_BOTH, set_tolerance};

/// The keys that are switches, and those that are tolerances.
const SWITCHES: [&str; 2] = ["case_sensitive", "space_change_sensitive"];
const TOLERANCES: [&str; 3] = [
    "float_tolerance",
    "float_absolute_tolerance",
    "float_relative_tolerance",
];

/// All keys of this module. They have a meaning for tokens only.
pub(super) fn keys() -> impl Iterator<Item = &'static str> {
    SWITCHES.into_iter().chain(TOLERANCES)
}

/// Reads the keys.
pub(super) fn read(table: &KeyTable<'_>) -> TokenRules {
    let [case_sensitive, space_change_sensitive] =
        SWITCHES.map(|key| table.flag(key).is_some_and(|found| found.value));
    let mut rules = TokenRules {
        case_sensitive,
        space_change_sensitive,
        ..TokenRules::default()
    };
    for key in TOLERANCES {
        let Some(found) = table.number(key) else {
            continue;
        };
        let tolerance = Tolerance::new(found.value);
        if tolerance.is_none() {
            let remedy =
                format!("write a number that is finite and not negative, as `{key} = 1e-6`");
            table.note(
                found.place,
                format!("`{key}` must not be {}", found.value),
                remedy,
            );
        }
        set_tolerance(&mut rules, key, tolerance);
    }
    let other = TOLERANCES[1..]
        .iter()
        .find_map(|key| Some((key, table.place(key)?)));
    if let Some((key, place)) = other.filter(|_| table.has(TOLERANCES[0])) {
        table.note(
            place,
            format!("`{key}` cannot be combined with `float_tolerance`"),
            REMEDY_OF_BOTH,
        );
    }
    rules
}
