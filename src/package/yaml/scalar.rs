//! Converts scalars to the type that is expected of them. Knows no key.

use super::build::YamlNode;
use super::build::YamlValue;

/// Words of YAML 1.1 for true and false, which packages use and YAML 1.2 reads as texts.
const FLAGS: [(&str, bool); 8] = [
    ("true", true),
    ("yes", true),
    ("on", true),
    ("y", true),
    ("false", false),
    ("no", false),
    ("off", false),
    ("n", false),
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
        let YamlValue::Scalar(text, true) = &self.value else { return None };
        let word = FLAGS.iter().find(|(word, _)| text.eq_ignore_ascii_case(word));
        word.map(|(_, value)| *value)
    }

    /// A decimal number, as `1`, `0.5` or `1e-6`, but not `0x10` or `inf`.
    pub(super) fn number(&self) -> Option<f64> {
        let YamlValue::Scalar(text, true) = &self.value else { return None };
        let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        text.parse().ok().filter(|number: &f64| is_decimal && number.is_finite())
    }

    /// The texts of a list of scalars.
    pub(super) fn texts(&self) -> Option<Vec<String>> {
        let YamlValue::List(items) = &self.value else { return None };
        items.iter().map(|item| item.text().map(str::to_owned)).collect()
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
