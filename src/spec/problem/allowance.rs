//! Reads `[limits.LANGUAGE]` of a problem: the time and memory it adds for programs of one
//! language.

use std::collections::BTreeMap;

use crate::keys::KeyTable;
use crate::mistake::{nearest, quoted};
use crate::model::LanguageAllowance;

/// Reads the tables of languages inside a table of limits.
pub(super) fn read(
    limits: &KeyTable<'_>,
    languages: &[&str],
) -> BTreeMap<String, LanguageAllowance> {
    let mut allowances = BTreeMap::new();
    for (language, table) in limits.tables_of_the_rest() {
        if !languages.contains(&language) {
            let remedy = match nearest(language, languages.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("known: {}", languages.join(", ")),
            };
            table.note(
                table.header(),
                format!("unknown language {} in [limits]", quoted(language)),
                remedy,
            );
        }
        let factor = table.whole("time_factor", 1, 1000);
        let time_factor = factor.and_then(|found| u32::try_from(found.value).ok());
        let allowance = LanguageAllowance {
            time_factor,
            extra_memory_bytes: table.bytes("extra_memory"),
        };
        table.refuse_the_rest();
        allowances.insert(language.to_owned(), allowance);
    }
    allowances
}
