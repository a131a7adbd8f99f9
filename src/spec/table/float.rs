//! Reads numbers that need not be whole.

use toml::de::DeValue;

use crate::spec::table::kind::FLOAT;
use crate::spec::table::{SpannedValue, TomlTable};

impl TomlTable<'_> {
    /// A number. It may be infinite or `nan`.
    pub(crate) fn float(&self, key: &'static str) -> Option<SpannedValue<f64>> {
        self.value(key, &FLOAT, |value| match value {
            DeValue::Integer(whole) => whole.as_str().parse().ok(),
            DeValue::Float(float) => float.as_str().parse().ok(),
            _ => None,
        })
    }
}
