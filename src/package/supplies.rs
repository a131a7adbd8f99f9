//! Collects what submissions get on cases of 2025-09 beside standard input: `args`, and the files
//! in `CASE.files/`.
//!
//! Source: the Kattis problem package format 2025-09, "Input".

use std::collections::BTreeMap;

use crate::mistake::Mistake;
use crate::model::{Case, CaseSupply, SourceFile};
use crate::package::cases::PackageCases;
use crate::package::format::CASE_FILES;
use crate::package::groups::GroupSettings;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;
use crate::package::validation::{PackageProgram, PackageValidation};

/// The most files of one case; their names go to the sandbox in one message.
const MOST_FILES: usize = 500;

/// The most bytes of these names and of the arguments of one case, which are in the same message.
const MOST_WORD_BYTES: usize = 64 << 10;

/// Returns the supply of each case that has one, by case name, and those of the cases that only
/// test validators.
///
/// Source: the Kattis problem package format 2025-09, "Working directory".
pub(super) fn read(
    tree: &PackageTree,
    settings: &GroupSettings,
    cases: &[Case],
    validation: &PackageValidation,
    notes: &mut ReadingNotes,
) -> [BTreeMap<String, CaseSupply>; 2] {
    let both = [cases, &validation.cases()].map(|cases| supplies(tree, settings, cases, notes));
    for file in both
        .iter()
        .flat_map(BTreeMap::values)
        .flat_map(|supply| &supply.files)
    {
        note_collisions(file, &validation.input_validators, notes);
    }
    both
}

fn supplies(
    tree: &PackageTree,
    settings: &GroupSettings,
    cases: &[Case],
    notes: &mut ReadingNotes,
) -> BTreeMap<String, CaseSupply> {
    cases
        .iter()
        .map(|case| (case.name.clone(), supply_of(case, tree, settings, notes)))
        .filter(|(_, supply)| !supply.is_empty())
        .collect()
}

fn supply_of(
    case: &Case,
    tree: &PackageTree,
    settings: &GroupSettings,
    notes: &mut ReadingNotes,
) -> CaseSupply {
    let folder = PackageCases::files_of(&case.name);
    let files = tree.below(&folder).map(|(name, path)| SourceFile {
        name: name[folder.len() + 1..].to_owned(),
        path: path.to_owned(),
    });
    let files: Vec<_> = files.collect();
    if files.len() > MOST_FILES {
        let message = format!(
            "holds {} files, and a case may have {MOST_FILES}",
            files.len()
        );
        let mistake = Mistake::of(tree.root.join(&folder), message);
        notes.mistakes.push(mistake.with_remedy(format!(
            "pack some of them into one, or leave `{CASE_FILES}` out"
        )));
    }
    let arguments = settings.submission_arguments(&case.name).to_vec();
    let names = files.iter().map(|file| &file.name);
    let words: usize = arguments.iter().chain(names).map(String::len).sum();
    if words > MOST_WORD_BYTES {
        let message = format!(
            "gives submissions arguments and names of files of {words} bytes, and {MOST_WORD_BYTES} are the most"
        );
        let mistake = Mistake::of(&case.input, message);
        notes
            .mistakes
            .push(mistake.with_remedy("put what is long into a file"));
    }
    CaseSupply { arguments, files }
}

/// Notes a file of a case that cannot be in the working folder of an input validator beside its
/// own. No verdict depends on it.
fn note_collisions(file: &SourceFile, validators: &[PackageProgram], notes: &mut ReadingNotes) {
    for PackageProgram { name, files } in validators {
        let Some(own) = files.iter().find(|own| own.collides_with(file)) else {
            continue;
        };
        let own = &own.name;
        let message = format!(
            "collides with `{own}` of the input validator `{name}`: both are in its working folder"
        );
        notes.slip(Mistake::of(&file.path, message).with_remedy("rename one of the two"));
    }
}
