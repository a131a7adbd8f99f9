//! What submissions are given on cases of a package beside standard input: `args`, and the files in `CASE.files/`, of 2025-09.
//!
//! Source: the Kattis problem package format 2025-09, "Input".

use std::collections::BTreeMap;

use crate::mistake::Mistake;
use crate::model::Case;
use crate::model::CaseSupply;
use crate::model::SourceFile;
use crate::package::cases::CASE_FILES;
use crate::package::cases::PackageCases;
use crate::package::groups::GroupSettings;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;

/// Files of one case: their names go to the sandbox in one message.
const MOST_FILES: usize = 500;

/// What each case gives that gives something.
pub(super) fn supplies(
    tree: &PackageTree,
    settings: &GroupSettings,
    cases: &[Case],
    notes: &mut ReadingNotes,
) -> BTreeMap<String, CaseSupply> {
    let mut supply = |case: &Case| {
        let folder = PackageCases::files_of(&case.name);
        let files = tree.below(&folder).map(|(name, path)| SourceFile {
            name: name[folder.len() + 1..].to_owned(),
            path: path.to_owned(),
        });
        let files: Vec<_> = files.collect();
        if files.len() > MOST_FILES {
            let message = format!("holds {} files, and a case may have {MOST_FILES}", files.len());
            let mistake = Mistake::of(tree.root.join(&folder), message);
            notes.mistakes.push(
                mistake.with_remedy(format!("pack some of them into one, or leave `{CASE_FILES}` out")),
            );
        }
        let supply = CaseSupply { arguments: settings.submission_arguments(&case.name).to_vec(), files };
        (!supply.is_empty()).then(|| (case.name.clone(), supply))
    };
    cases.iter().filter_map(&mut supply).collect()
}
