//! Lists of tables, as `[[generate]]`.

use std::cell::RefCell;

use toml::de::DeValue;

use crate::spec::table::Table;

impl<'d> Table<'d> {
    /// The tables of a list; none if the key is missing.
    pub(crate) fn list_of_tables(&self, key: &'static str) -> Vec<Table<'d>> {
        let Some((key, value)) = self.entry(key) else { return Vec::new() };
        let Some(list) = self.typed(key, value, "a list of tables", DeValue::as_array) else {
            return Vec::new();
        };
        let tables = list.value.iter().filter_map(|item| {
            let entries = self.typed(key, item, "a list of tables", DeValue::as_table)?;
            Some(Table {
                document: self.document,
                name: format!("[{}]", key.get_ref()),
                span: entries.span,
                entries: entries.value,
                known: RefCell::default(),
                chosen: RefCell::default(),
            })
        });
        tables.collect()
    }

    /// The line on which this table begins.
    pub(crate) fn line(&self) -> u64 {
        self.document.line(self.span.start)
    }

    /// Leaves a key unread that is refused for a reason of its own.
    pub(crate) fn pass_over(&self, key: &'static str) {
        self.known.borrow_mut().push(key);
    }

    /// Whether a key's value is a string.
    pub(crate) fn is_string(&self, key: &str) -> bool {
        self.entries.get(key).is_some_and(|value| value.get_ref().is_str())
    }
}
