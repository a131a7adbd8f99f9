//! Lists all files below a folder of problems or cases. A problem may be hostile: no
//! link is followed out of the judge's folder, and the number of entries visited is
//! bounded.

use std::cell::LazyCell;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::files;
use crate::mistake::Mistake;
use crate::spec::Config;

/// The most links to folders that are followed, counted each time: a few from folder to
/// folder multiply to more entries than any disk has, and following a link takes far
/// longer than visiting a file.
const MOST_LINKED: usize = 1_000;

/// Lists all files below a folder, sorted, without hidden ones and what systems and
/// editors leave. Also returns the mistakes found there, sorted by path.
pub(crate) fn files_below(
    root: &Path,
    config: &Config,
) -> (Vec<PathBuf>, Vec<Mistake>) {
    files_among(root, config, [config.most_files, MOST_LINKED])
}

/// As [`files_below`], with other bounds. A `judge.toml` that names `/` must not make
/// the judge read a whole disk.
fn files_among(
    root: &Path,
    config: &Config,
    [most_entries, most_linked]: [usize; 2],
) -> (Vec<PathBuf>, Vec<Mistake>) {
    let bounds = LazyCell::new(|| config.real_folders());
    let leads_out = |link: &Path| {
        link.canonicalize().is_ok_and(|real| {
            !bounds.iter().any(|folder| {
                real.starts_with(folder) && !files::is_version_control(folder, &real)
            })
        })
    };
    if leads_out(root) {
        return (vec![], vec![refusal(root)]);
    }
    let mut files = vec![];
    let mut mistakes = vec![];
    let mut entries = WalkDir::new(root).follow_links(true).into_iter();
    let [mut visited, mut linked] = [0, 0];
    while let Some(entry) = entries.next() {
        visited += 1;
        linked += usize::from(entry.as_ref().is_ok_and(|entry| {
            entry.depth() > 0 && entry.path_is_symlink() && entry.file_type().is_dir()
        }));
        if linked > most_linked {
            return (vec![], vec![too_many_links(root, most_linked)]);
        }
        if visited > most_entries + 1 {
            return (vec![], vec![too_many_entries(root, most_entries)]);
        }
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) if is_below_hidden(root, &error) => continue,
            Err(error) => {
                mistakes.push(not_found(root, &error));
                continue;
            }
        };
        let is_refused =
            entry.depth() > 0 && entry.path_is_symlink() && leads_out(entry.path());
        let is_hidden = entry.depth() > 0 && is_hidden(entry.file_name());
        if is_hidden || is_refused {
            mistakes.extend((!is_hidden).then(|| refusal(entry.path())));
            if entry.file_type().is_dir() {
                entries.skip_current_dir();
            }
        } else if entry.file_type().is_file() {
            files.push(entry.into_path());
        } else if !entry.file_type().is_dir() {
            let remedy = "delete it, or move it away";
            let message = "is neither a file nor a folder";
            mistakes.push(Mistake::new(entry.path(), message, remedy));
        }
    }
    files.sort();
    mistakes.sort_by(|one, other| one.path.cmp(&other.path));
    (files, mistakes)
}

fn too_many_links(root: &Path, most: usize) -> Mistake {
    let remedy = "name a folder in judge.toml that holds nothing else, and delete \
                  links from folder to folder";
    Mistake::new(
        root,
        format!("more than {most} links below it lead to folders"),
        remedy,
    )
}

fn too_many_entries(root: &Path, most: usize) -> Mistake {
    Mistake::new(
        root,
        format!("more than {most} files and folders are below it"),
        format!(
            "name a folder in judge.toml that holds nothing else, {}",
            files::OR_MORE_FILES
        ),
    )
}

/// Whether nobody meant an entry to be read: it is hidden, or left by a system or an
/// editor.
fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") || name.to_str().is_some_and(is_clutter)
}

/// Whether an error concerns a hidden file or folder, for example a hidden broken link.
fn is_below_hidden(root: &Path, error: &walkdir::Error) -> bool {
    let path = error.path().filter(|path| *path != root);
    path.and_then(Path::file_name).is_some_and(is_hidden)
}

fn refusal(path: &Path) -> Mistake {
    let remedy = "put the files themselves in its place, or name the other folder in \
                  judge.toml (`problems`, `cases` or [case_folders])";
    Mistake::new(
        path,
        "is a link that leads out of the judge's folder",
        remedy,
    )
}

fn not_found(root: &Path, error: &walkdir::Error) -> Mistake {
    let path = error.path().unwrap_or(root);
    if let Some(above) = error.loop_ancestor() {
        return Mistake::new(
            path,
            format!("the link leads in a circle, back to {}", above.display()),
            "delete the link",
        );
    }
    let is_missing = error
        .io_error()
        .is_some_and(|error| error.kind() == ErrorKind::NotFound);
    if path == root && is_missing {
        let remedy = "make it, name another one in judge.toml, or name the folder of \
                      another judge.toml with `-C`";
        return Mistake::new(path, "there is no such folder", remedy);
    }
    let why = error
        .io_error()
        .map_or_else(|| error.to_string(), ToString::to_string);
    let remedy = if path.is_symlink() {
        "delete the link, or put the file itself in its place"
    } else {
        "make it readable (`chmod +rx`), or move it away"
    };
    Mistake::new(path, format!("cannot be read: {why}"), remedy)
}

// Recognises files and folders that systems and editors leave beside the files of
// people: nobody handed them in.

/// Files and folders that file managers, archivers and network drives create, in lower
/// case.
const OF_SYSTEMS: [&str; 10] = [
    "__macosx",
    "thumbs.db",
    "ehthumbs.db",
    "desktop.ini",
    "icon\r",
    "system volume information",
    "$recycle.bin",
    "lost+found",
    "@eadir",
    "__pycache__",
];

/// Endings of copies that editors keep, in lower case.
const OF_EDITORS: [&str; 7] = ["~", ".bak", ".swp", ".swo", ".orig", ".rej", ".tmp"];

/// Whether a system or an editor created the file or folder of this name. Hidden ones
/// are not meant.
pub(crate) fn is_clutter(name: &str) -> bool {
    let name = name.to_lowercase();
    let is_copy = OF_EDITORS.iter().any(|ending| name.ends_with(ending));
    let is_lock = name.starts_with('#') && name.ends_with('#') && name.len() > 1
        || name.starts_with("~$");
    OF_SYSTEMS.contains(&name.as_str()) || is_copy || is_lock
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_too_many_files_is_a_mistake() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a", "b", "c"].iter() {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let config = Config::default_in(folder.path());
        assert_eq!(files_among(folder.path(), &config, [3, 0]).0.len(), 3);
        let (files, mistakes) = files_among(folder.path(), &config, [2, 0]);
        assert!(files.is_empty());
        assert_eq!(
            mistakes[0].message,
            "more than 2 files and folders are below it"
        );
    }

    #[test]
    fn the_number_of_followed_links_between_folders_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let levels: Vec<_> = (0..6)
            .map(|level| folder.path().join(level.to_string()))
            .collect();
        for level in &levels {
            std::fs::create_dir(level).unwrap();
        }
        for pair in levels.windows(2) {
            for link in ["a", "b", "c"].iter() {
                std::os::unix::fs::symlink(&pair[1], pair[0].join(link)).unwrap()
            }
        }
        std::fs::write(levels[5].join("file"), "").unwrap();
        let config = Config::default_in(folder.path());
        let most = config.most_files;
        // Each folder is visited directly, and once more for each path of links that
        // leads to it from a folder above.
        let followed = 3 + 12 + 39 + 120 + 363;
        assert!(
            files_among(folder.path(), &config, [most, followed])
                .1
                .is_empty()
        );
        let (files, mistakes) =
            files_among(folder.path(), &config, [most, followed - 1]);
        assert!(files.is_empty());
        assert_eq!(
            mistakes[0].message,
            format!("more than {} links below it lead to folders", followed - 1)
        );
    }
}

#[cfg(test)]
mod clutter_tests {
    use super::*;

    #[test]
    fn what_systems_and_editors_leave_is_recognised() {
        for name in [
            "__MACOSX",
            "Thumbs.db",
            "a.c~",
            "a.cpp.BAK",
            "#a.c#",
            "~$report.docx",
            "Desktop.ini",
        ] {
            assert!(is_clutter(name), "{name}");
        }
        for name in ["a.c", "#1.c", "back.py", "thumbs.py", "a~b.c", "bak", "#"] {
            assert!(!is_clutter(name), "{name}");
        }
    }
}
