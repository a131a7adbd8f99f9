//! Writes the rules of comparing tokens as flags of the formats' default validator.

use crate::model::TokenRules;

/// The flags for the format's default validator.
pub(super) fn flags(rules: &TokenRules) -> Vec<String> {
    let mut flags = Vec::new();
    let mut add = |words: &[&str]| flags.extend(words.iter().map(|word| (*word).to_owned()));
    if rules.case_sensitive {
        add(&["case_sensitive"]);
    }
    if rules.space_change_sensitive {
        add(&["space_change_sensitive"]);
    }
    let absolute = rules.absolute_tolerance;
    let relative = rules.relative_tolerance;
    if let (Some(absolute), true) = (absolute, absolute == relative) {
        add(&["float_tolerance", &absolute.to_string()]);
    } else {
        for (flag, tolerance) in [
            ("float_absolute_tolerance", absolute),
            ("float_relative_tolerance", relative),
        ] {
            if let Some(tolerance) = tolerance {
                add(&[flag, &tolerance.to_string()]);
            }
        }
    }
    flags
}
