//! Finds the files in `include/` that are compiled into every submission: a folder for each
//! language, named by the format's code. Reads none of them.

use std::collections::BTreeMap;

use crate::model::SourceFile;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;

/// Returns the files for each language, by their names in its folder.
pub(super) fn read(
    tree: &PackageTree,
    notes: &mut ReadingNotes,
) -> BTreeMap<String, Vec<SourceFile>> {
    let mut includes: BTreeMap<String, Vec<SourceFile>> = BTreeMap::new();
    for (name, path) in tree.below("include") {
        let below = &name["include/".len()..];
        match below.split_once('/') {
            Some((language, file)) => {
                includes
                    .entry(language.to_owned())
                    .or_default()
                    .push(SourceFile {
                        name: file.to_owned(),
                        path: path.to_owned(),
                    })
            }
            None => notes.ignore(format!("`{name}`: it lies in no folder of a language")),
        }
    }
    includes
}
