//! Which program of a package judges its outputs: found by the names of files, and read by nobody here.

use std::path::Path;
use std::path::PathBuf;

use crate::mistake::Mistake;
use crate::model::HEADER_ENDINGS;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;

/// The folder of programs that say what groups come to.
const GRADERS: &str = "graders";

/// The only program in `graders`. What cannot be run is noted.
pub(super) fn grader(tree: &PackageTree, notes: &mut ReadingNotes) -> Option<PathBuf> {
    let folder = tree.root.join(GRADERS);
    match tree.children(GRADERS).into_iter().collect::<Vec<_>>()[..] {
        [] => {
            let mistake = Mistake::of(folder, "the grader (`grading: custom`) is not there");
            let remedy = "put its source into that folder, or write `grading: default`";
            notes.mistakes.push(mistake.with_remedy(remedy));
            None
        }
        [program] => match tree.file(program) {
            Some(path) => Some(path.to_owned()),
            None => program_in(program, "a grader", tree, notes),
        },
        _ => {
            let mistake = Mistake::of(folder, "holds several graders, and the format has room for one");
            notes.mistakes.push(mistake.with_remedy("delete those that are not meant"));
            None
        }
    }
}

/// Files that make a program in ways that are not known here.
const SCRIPTS: [&str; 2] = ["build", "run"];

/// The program in a folder of a package that holds programs, a file or a folder each. What cannot be run is noted.
pub(super) fn among(folder: &str, tree: &PackageTree, notes: &mut ReadingNotes) -> Option<PathBuf> {
    let programs = tree.children(folder);
    match programs.into_iter().collect::<Vec<_>>()[..] {
        [] => {
            let message = "the program that checks outputs (`validation: custom`) is not there";
            let remedy = format!("put its source into `{folder}/NAME/`, or write `validation: default`");
            notes.mistakes.push(Mistake::of(tree.root.join(folder), message).with_remedy(remedy));
            None
        }
        [program] => match tree.file(program) {
            Some(path) => Some(path.to_owned()),
            None => in_folder(program, tree, notes),
        },
        _ => {
            notes.need_of(&tree.root.join(folder), "several programs that check outputs");
            None
        }
    }
}

/// The source of the program that a folder is. What cannot be run is noted.
pub(super) fn in_folder(folder: &str, tree: &PackageTree, notes: &mut ReadingNotes) -> Option<PathBuf> {
    program_in(folder, "a program that checks outputs", tree, notes)
}

/// The same of a program of this kind.
fn program_in(folder: &str, what: &str, tree: &PackageTree, notes: &mut ReadingNotes) -> Option<PathBuf> {
    let files: Vec<_> = tree.below(folder).collect();
    let is_script = |name: &str| SCRIPTS.iter().any(|script| name == format!("{folder}/{script}"));
    if files.iter().any(|(name, _)| is_script(name)) {
        notes.need_of(&tree.root.join(folder), "a program that is made by a `build` or `run` of its own");
        return None;
    }
    if files.iter().any(|(name, _)| name[folder.len() + 1..].contains('/')) {
        notes.need_of(&tree.root.join(folder), &format!("{what}, with folders in its folder"));
        return None;
    }
    let sources =
        files.iter().filter(|(_, path)| !HEADER_ENDINGS.iter().any(|ending| has_ending(path, ending)));
    let sources: Vec<_> = sources.collect();
    // Modules of a program in Python lie beside it.
    let main = sources.iter().find(|(name, _)| name.ends_with("/__main__.py"));
    match (&sources[..], main) {
        ([(_, path)], _) => Some((*path).to_owned()),
        (several, Some((_, main))) if several.iter().all(|(_, path)| has_ending(path, "py")) => {
            Some((*main).to_owned())
        }
        _ => {
            notes.need_of(&tree.root.join(folder), &format!("{what}, of several sources"));
            None
        }
    }
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}
