//! Names of files that other files give, such as a manifest, a spec or a package. Whoever wrote
//! them may be hostile: no such name leads out of the folder that it is relative to.

use std::path::{Path, PathBuf};

/// The longest name, in bytes.
const LONGEST: usize = 4096;

/// A name of a file in a folder or below it, and not in a hidden place. This is the one way from a
/// name that was read to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnerName<'n>(&'n str);

impl<'n> InnerName<'n> {
    /// The name; `None` if it leads elsewhere, to a hidden place, or can be no name at all.
    pub fn of(name: &'n str) -> Option<Self> {
        // Links in hidden places are not looked at when a folder is listed, so they may lead
        // anywhere.
        let is_inside = name
            .split('/')
            .all(|part| !part.is_empty() && !part.starts_with('.'))
            && !name.contains(char::is_control);
        (is_inside && name.len() <= LONGEST).then_some(Self(name))
    }

    /// The path of the file.
    pub fn below(self, folder: &Path) -> PathBuf {
        folder.join(self.0)
    }
}

/// Whether a path is in a folder or below it once all links are followed, as it is or as it would
/// be created. A link that leads nowhere is not: whatever is written to it is created elsewhere.
/// Neither are folders of version control.
pub fn is_beneath(folder: &Path, path: &Path) -> bool {
    let Ok(folder) = here(folder).canonicalize() else {
        return false;
    };
    let existing = path
        .ancestors()
        .map(here)
        .find(|path| path.symlink_metadata().is_ok());
    existing
        .and_then(|path| path.canonicalize().ok())
        .is_some_and(|real| real.starts_with(&folder) && !is_version_control(&folder, &real))
}

/// The path; `.` if it is empty.
fn here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    }
}

// The folders of version control systems. A checkout lies around them, but they are not its
// author's: services that clone a repository leave the key for it in `.git/config`.

const FOLDERS: [&str; 3] = [".git", ".hg", ".svn"];

/// Whether a real path is in a folder of version control that is below `root`, also a real path.
pub fn is_version_control(root: &Path, real: &Path) -> bool {
    let below = real.strip_prefix(root).unwrap_or(real);
    below
        .components()
        .any(|part| FOLDERS.iter().any(|folder| part.as_os_str() == *folder))
}

/// The folder that a path is in; that of a bare name is `.`.
pub fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_name_that_leads_out_or_to_a_hidden_place_is_none() {
        for name in ["a", "secret/a-1", "a..b/c.", "ä", "a b"] {
            let found = InnerName::of(name).map(|name| name.below(Path::new("folder")));
            assert_eq!(found, Some(Path::new("folder").join(name)), "{name}");
        }
        let too_long = "a/".repeat(LONGEST) + "a";
        let hostile = [
            "",
            "/",
            "/etc/passwd",
            "..",
            "../a",
            "a/../../b",
            "a/..",
            ".",
            "./a",
            "a/./b",
            "a//b",
            "a/",
            ".hidden/a",
            "a/.hidden",
            "a\0b",
            "a\nb",
            &too_long,
        ];
        for name in hostile {
            assert_eq!(InnerName::of(name), None, "{name}");
        }
    }

    #[test]
    fn a_path_is_beneath_a_folder_as_its_links_lead() {
        let place = tempfile::tempdir().unwrap();
        let inner = place.path().join("inner");
        let outer = place.path().join("outer");
        for folder in [&inner, &outer] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join("file"), "").unwrap();
        }
        for (link, target) in [
            ("within", "file"),
            ("out", "../outer"),
            ("absolute", "/etc/passwd"),
            ("dangling", "../outer/new"),
            ("dangling-within", "new"),
        ] {
            symlink(target, inner.join(link)).unwrap();
        }
        for name in ["file", "within", "new", "new/deep/er", "../inner/file"] {
            assert!(is_beneath(&inner, &inner.join(name)), "{name}");
        }
        for name in [
            "out",
            "out/file",
            "out/new/er",
            "absolute",
            "dangling",
            "dangling-within",
            "..",
            "../outer/file",
        ] {
            assert!(!is_beneath(&inner, &inner.join(name)), "{name}");
        }
        assert!(
            is_beneath(Path::new(""), Path::new("Cargo.toml"))
                && !is_beneath(&inner, Path::new("new"))
        );
    }
}

#[cfg(test)]
mod version_control_tests {
    use super::*;

    #[test]
    fn a_path_into_version_control_is_told_from_one_beside_it() {
        let is_in = |path: &str| is_version_control(Path::new("/a"), Path::new(path));
        assert!(is_in("/a/.git/config") && is_in("/a/.git") && is_in("/a/b/.svn/x"));
        assert!(!is_in("/a/.gitignore") && !is_in("/a/git/config") && !is_in("/a"));
        // What is above the root does not matter, as in a hook.
        assert!(!is_version_control(
            Path::new("/a/.git/x"),
            Path::new("/a/.git/x/y")
        ));
    }
}
