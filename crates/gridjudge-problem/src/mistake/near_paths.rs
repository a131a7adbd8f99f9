//! Finds the file or folder that a path was meant to name. Knows the names of existing files, a
//! bounded number of each folder; reads no file. Start at [`path_remedy`].

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use crate::files;
use crate::mistake::key_words::nearest;

/// How many entries of a folder are compared with a name, in the order of the folder.
const MOST_ENTRIES: usize = 10_000;

/// The hint for a path that does not exist: the one that was probably meant. Each wrong name in it
/// is replaced by the nearest one of the same folder. If only its first folders have such names,
/// the hint is about these. `fits` says what may be at the path, such as [`Path::is_file`].
pub fn path_remedy(path: &Path, fits: fn(&Path) -> bool) -> Option<String> {
    let mut found = PathBuf::new();
    let mut meant = PathBuf::new();
    for component in path.components() {
        let next = found.join(component);
        let fits = if next == path { fits } else { Path::is_dir };
        let Some(meant_next) = meant_component(&meant, component, fits) else {
            break;
        };
        found = next;
        meant = meant_next;
    }
    let shown = meant.display();
    if meant == found {
        None
    } else if found == path {
        Some(format!("did you mean `{shown}`?"))
    } else {
        let missing = found.display();
        Some(format!(
            "there is no folder `{missing}`; did you mean `{shown}`?"
        ))
    }
}

/// The entry of a folder that is named by this component, or else has the nearest name.
fn meant_component(
    folder: &Path,
    component: Component,
    fits: fn(&Path) -> bool,
) -> Option<PathBuf> {
    let named = folder.join(component);
    if fits(&named) {
        return Some(named);
    }
    let Component::Normal(name) = component else {
        return None;
    };
    nearest_entry(folder, name, fits)
}

fn nearest_entry(folder: &Path, name: &OsStr, fits: fn(&Path) -> bool) -> Option<PathBuf> {
    let entries = files::folder_of(&folder.join(name)).read_dir().ok()?;
    let mut names: Vec<_> = entries
        .take(MOST_ENTRIES)
        .flatten()
        .filter(|entry| fits(&entry.path()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    // Among equally near names, the choice must not depend on the order of the folder's entries.
    names.sort_by(|one, other| other.cmp(one));
    let meant = nearest(name.to_str()?, names.iter().map(String::as_str))?;
    Some(folder.join(meant))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// A folder with these files; a name that ends with `/` is a folder's.
    fn folder_with(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            if name.ends_with('/') {
                fs::create_dir_all(&path).unwrap();
            } else {
                fs::write(&path, "").unwrap();
            }
        }
        folder
    }

    /// The hint for a path in the folder, with paths relative to it.
    fn remedy_in(folder: &Path, path: &str, fits: fn(&Path) -> bool) -> Option<String> {
        let remedy = path_remedy(&folder.join(path), fits)?;
        Some(remedy.replace(&format!("{}/", folder.display()), ""))
    }

    #[test]
    fn each_wrong_name_of_a_path_is_replaced_if_all_of_it_then_exists() {
        let folder = folder_with(&["examples/finals/", "examples/solver.py", "notes"]);
        for (path, meant) in [
            ("exampels/finals", "examples/finals"),
            ("exampels/fianls", "examples/finals"),
            ("examples/fianls/", "examples/finals"),
            ("./exampels/slover.py", "examples/solver.py"),
            ("exampels/../noets", "examples/../notes"),
            ("examples/solver", "examples/solver.py"),
        ] {
            let remedy = remedy_in(folder.path(), path, Path::exists);
            assert_eq!(remedy, Some(format!("did you mean `{meant}`?")), "{path}");
        }
    }

    #[test]
    fn the_folders_that_were_meant_are_named_if_nothing_in_them_was() {
        let folder = folder_with(&["examples/finals/"]);
        for (path, said) in [
            (
                "exampels/wholly/other",
                "there is no folder `exampels`; did you mean `examples`?",
            ),
            (
                "exampels/finals/a.c",
                "there is no folder `exampels/finals`; did you mean `examples/finals`?",
            ),
        ] {
            let remedy = remedy_in(folder.path(), path, Path::is_file);
            assert_eq!(remedy.as_deref(), Some(said), "{path}");
        }
    }

    #[test]
    fn nothing_is_proposed_if_no_name_is_near() {
        let folder = folder_with(&["examples/finals/", "notes"]);
        for path in [
            "wholly_other",
            "wholly_other/finals",
            "examples/wholly_other",
            "notes/finals",
            "examples/finals",
        ] {
            let remedy = remedy_in(folder.path(), path, Path::exists);
            assert_eq!(remedy, None, "{path}");
        }
    }

    #[test]
    fn only_what_is_wanted_there_is_proposed_and_no_link_that_leads_nowhere() {
        let folder = folder_with(&["final/", "finals.c"]);
        symlink("nowhere", folder.path().join("fianl")).unwrap();
        let meant = |fits| remedy_in(folder.path(), "fianl", fits).unwrap();
        assert_eq!(meant(Path::is_file), "did you mean `finals.c`?");
        assert_eq!(meant(Path::is_dir), "did you mean `final`?");
        assert_eq!(meant(Path::exists), "did you mean `final`?");
    }
}
