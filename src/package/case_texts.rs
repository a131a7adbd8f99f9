//! Reads what a package tells people about a case: a hint, and what the case is for. The older
//! formats have files for these, 2025-09 has keys in the settings of a case. No verdict depends on
//! any of it.

use std::collections::BTreeSet;
use std::path::Path;

use crate::keys::{KeyDocument, KeyTable};
use crate::mistake;
use crate::mistake::Mistake;
use crate::package::Package;

/// The two texts about a case, in the words of both kinds of formats: the key of 2025-09, and the
/// ending of the file in the older ones.
pub(crate) const CASE_TEXTS: [(&str, &str); 2] = [("hint", "hint"), ("description", "desc")];

/// Keys of 2025-09 for groups and cases that affect what is shown, and no verdict.
const SHOWN: [&str; 3] = [
    "full_feedback",
    "input_visualizer_args",
    "output_visualizer_args",
];

impl Package {
    /// Reads the texts about a case, in the order of [`CASE_TEXTS`].
    ///
    /// # Errors
    /// Returns a mistake if a file cannot be read, or is no text.
    pub(crate) fn texts_of(&self, case: &str) -> Result<[Option<String>; 2], Mistake> {
        let file = |ending: &str| {
            self.files
                .get(&format!("data/{case}.{ending}"))
                .map(|path| path.as_path())
        };
        if self.format.has_legacy_layout() {
            let text = |ending| file(ending).map(mistake::read).transpose();
            return Ok([text(CASE_TEXTS[0].1)?, text(CASE_TEXTS[1].1)?]);
        }
        let Some(document) = file("yaml").map(KeyDocument::read_yaml).transpose()? else {
            return Ok([None, None]);
        };
        let map = KeyTable::root(&document);
        Ok(CASE_TEXTS.map(|(key, _)| map.text(key).map(|found| found.value)))
    }

    /// The keys about what is shown of cases that the settings of groups and cases hold, in
    /// 2025-09.
    pub(crate) fn display_keys(&self) -> BTreeSet<&'static str> {
        let files = self.files.iter().filter(|(name, _)| {
            !self.format.has_legacy_layout()
                && (name.starts_with("data/") && name.ends_with(".yaml"))
        });
        files.flat_map(|(_, path)| display_keys_in(path)).collect()
    }
}

fn display_keys_in(path: &Path) -> Vec<&'static str> {
    let Ok(document) = KeyDocument::read_yaml(path) else {
        return Vec::new();
    };
    let map = KeyTable::root(&document);
    SHOWN
        .into_iter()
        .filter(|key| map.mark_read(key).is_some())
        .collect()
}
