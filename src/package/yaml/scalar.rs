//! What a scalar says where a type is due. Knows no key.

use super::build::YamlNode;
use super::build::YamlValue;

/// Words for true and false of YAML 1.1, which packages use and its successor reads as texts.
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
    /// Whether nothing stands there.
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

    /// The flag that a word without quotes stands for.
    pub(super) fn flag(&self) -> Option<bool> {
        let YamlValue::Scalar(text, true) = &self.value else { return None };
        let word = FLAGS.iter().find(|(word, _)| text.eq_ignore_ascii_case(word));
        word.map(|(_, value)| *value)
    }

    /// A number in decimals, as `1`, `0.5` and `1e-6`; `0x10` and `inf` are none.
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

    /// What stands there, with an article.
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
