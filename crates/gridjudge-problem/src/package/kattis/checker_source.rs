//! Finds the programs of a package that judge outputs or grade groups, by the names of files. Reads
//! none of them.

use std::path::{Path, PathBuf};

use crate::mistake::Mistake;
use crate::model::HEADER_ENDINGS;
use crate::package::{PackageTree, ReadingNotes};

/// Endings of files that lie beside sources and are not sources.
const BESIDE: [&str; 2] = ["md", "txt"];

/// The folder of the program that grades groups.
const GRADERS: &str = "graders";

/// Returns the only program in `graders`; notes a mistake if there is none, or several.
pub(crate) fn grader(tree: &PackageTree, notes: &mut ReadingNotes) -> Option<PathBuf> {
    let folder = tree.root.join(GRADERS);
    match tree.children(GRADERS).into_iter().collect::<Vec<_>>()[..] {
        [] => {
            let mistake = Mistake::of(folder, "the grader (`grading: custom`) is not there");
            let remedy = "put its source into that folder, or write `grading: default`";
            notes.mistake(mistake.with_remedy(remedy));
            None
        }
        [program] => match tree.file(program) {
            Some(path) => Some(path.to_owned()),
            None => in_folder(program, tree, notes),
        },
        _ => {
            let mistake = Mistake::of(
                folder,
                "holds several graders, and the format has room for one",
            );
            notes.mistake(mistake.with_remedy("delete those that are not meant"));
            None
        }
    }
}

/// Scripts that build and run a program; they represent all files beside them, `build` before
/// `run`.
pub(crate) const SCRIPTS: [&str; 2] = ["build", "run"];

/// Returns the programs that check outputs, sorted by name, from a folder that holds a file or a
/// folder for each. Notes those that cannot be run.
pub(crate) fn among(folder: &str, tree: &PackageTree, notes: &mut ReadingNotes) -> Vec<PathBuf> {
    let programs: Vec<_> = tree
        .children(folder)
        .into_iter()
        .filter(|name| tree.file(name).is_none_or(is_source))
        .collect();
    if programs.is_empty() {
        let message = "the program that checks outputs (`validation: custom`) is not there";
        let remedy =
            format!("put its source into `{folder}/NAME/`, or write `validation: default`");
        notes.mistake(Mistake::of(tree.root.join(folder), message).with_remedy(remedy));
    }
    programs
        .into_iter()
        .filter_map(|program| match tree.file(program) {
            Some(path) => Some(path.to_owned()),
            None => in_folder(program, tree, notes),
        })
        .collect()
}

/// Whether a file among sources may be a source itself.
fn is_source(path: &Path) -> bool {
    let ending = path
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default();
    !HEADER_ENDINGS.contains(&ending) && !BESIDE.contains(&ending)
}

/// Returns the file that represents the program in a folder; how several files belong together is
/// decided where the program is built. Notes a mistake if the folder has no source.
pub(crate) fn in_folder(
    folder: &str,
    tree: &PackageTree,
    notes: &mut ReadingNotes,
) -> Option<PathBuf> {
    let top = tree
        .below(folder)
        .filter(|(name, _)| !name[folder.len() + 1..].contains('/'));
    let files: Vec<_> = top.collect();
    let named = SCRIPTS.iter().chain(&["__main__.py"]).find_map(|wanted| {
        files
            .iter()
            .find(|(name, _)| name[folder.len() + 1..] == **wanted)
    });
    let found = named.or_else(|| files.iter().find(|(_, path)| is_source(path)));
    if found.is_none() {
        let mistake = Mistake::of(
            tree.root.join(folder),
            "the program that belongs here is not there",
        );
        notes.mistake(mistake.with_remedy("put its source into that folder, or delete the folder"));
    }
    Some(found?.1.to_owned())
}
