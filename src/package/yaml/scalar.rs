//! Converts scalars to the type that is expected of them. Knows no key.

use super::build::{YamlNode, YamlValue};
use super::numeral;

/// Words for true and false of YAML 1.1, as PyYAML reads it; each may also begin with or be in
/// capital letters.
const FLAGS: [(&str, bool); 6] = [
    ("true", true),
    ("yes", true),
    ("on", true),
    ("false", false),
    ("no", false),
    ("off", false),
];

impl YamlNode {
    /// Whether there is no value.
    pub(super) fn is_null(&self) -> bool {
        matches!(&self.value, YamlValue::Scalar(text, true) if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }

    /// The text of a scalar.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            YamlValue::Scalar(text, _) if !self.is_null() => Some(text),
            _ => None,
        }
    }

    /// The flag that an unquoted word stands for.
    pub(super) fn flag(&self) -> Option<bool> {
        let YamlValue::Scalar(text, true) = &self.value else {
            return None;
        };
        let is_lower = |letters: &str| letters.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_upper = text.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_usual = is_upper || text.get(1..).is_some_and(is_lower);
        let word = FLAGS
            .iter()
            .find(|(word, _)| is_usual && text.eq_ignore_ascii_case(word));
        word.map(|(_, value)| *value)
    }

    /// A number, as PyYAML reads it: `1`, `0.5`, `010` (8), `1_000`, `1:30` (90), `0x10`; but not
    /// `inf`. Beyond that, `1e-6`, which PyYAML takes for a text that its users convert, and `08`.
    pub(super) fn number(&self) -> Option<f64> {
        let YamlValue::Scalar(text, true) = &self.value else {
            return None;
        };
        numeral::listed_number(text)
    }

    /// What readers of YAML 1.2 take a number for, in words, if it is another one to them.
    pub(super) fn other_reading(&self) -> Option<String> {
        let YamlValue::Scalar(text, true) = &self.value else {
            return None;
        };
        let number = numeral::yaml_1_1(text)?;
        match numeral::yaml_1_2(text) {
            Some(other) if other == number => None,
            Some(other) => Some(format!("{number}, and {other} to readers of YAML 1.2")),
            None => Some(format!("{number}, and a text to readers of YAML 1.2")),
        }
    }

    /// The texts of a list of scalars.
    pub(super) fn texts(&self) -> Option<Vec<String>> {
        let YamlValue::List(items) = &self.value else {
            return None;
        };
        items
            .iter()
            .map(|item| item.text().map(str::to_owned))
            .collect()
    }

    /// The kind of the value, with an article.
    pub(super) fn kind(&self) -> &'static str {
        match &self.value {
            _ if self.is_null() => "nothing",
            YamlValue::Scalar(_, true) if self.flag().is_some() => "a flag",
            YamlValue::Scalar(_, true) if self.number().is_some() => "a number",
            YamlValue::Scalar(..) => "a text",
            YamlValue::List(_) => "a list",
            YamlValue::Map(_) => "a map",
        }
    }
}
