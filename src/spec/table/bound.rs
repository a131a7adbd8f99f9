//! Bounds that may be nothing at all.

use crate::spec::measure;
use crate::spec::table::Table;

impl Table<'_> {
    /// A number of bytes, as `"256MiB"`, or `"0B"`.
    pub(crate) fn bytes_or_none(&self, key: &'static str) -> Option<u64> {
        self.measure(key, "a size in quotes, as \"256MiB\"", measure::bytes_or_none)
    }
}
