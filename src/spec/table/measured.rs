//! Reads times and sizes, as `"1s"` and `"64MiB"`.

use std::time::Duration;

use crate::mistake::shortened;
use crate::spec::measure;
use crate::spec::table::kind::ValueKind;
use crate::spec::table::{TomlTable, kind};

impl TomlTable<'_> {
    /// A duration greater than zero, as `"1s"`.
    pub(crate) fn duration(&self, key: &'static str) -> Option<Duration> {
        self.measure(key, &kind::TIME, measure::duration)
    }

    /// A number of bytes greater than zero, as `"64MiB"`.
    pub(crate) fn bytes(&self, key: &'static str) -> Option<u64> {
        self.measure(key, &kind::SIZE, measure::bytes)
    }

    /// A number of bytes, as `"256MiB"`, or `"0B"`.
    pub(crate) fn bytes_or_none(&self, key: &'static str) -> Option<u64> {
        self.measure(key, &kind::SIZE_OR_NONE, measure::bytes_or_none)
    }

    fn measure<T>(
        &self,
        key: &'static str,
        kind: &ValueKind<'_>,
        read: fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        let found = self.value(key, kind, |value| value.as_str().map(str::to_owned))?;
        read(&found.value)
            .map_err(|why| {
                let message = format!("`{key} = \"{}\"` {why}", shortened(&found.value, 40));
                let remedy = format!("write a number and a unit, as `{key} = {}`", kind.example);
                self.note(&found.span, message, remedy);
            })
            .ok()
    }
}
