//! Finds the parts of a folder that every user of the machine may read. Knows permissions; knows
//! nothing of Landlock or runs.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Returns the parts of a folder that every user may read, in as few paths as possible: the folder
/// itself if that is all of it, else the readable paths inside. Links count as readable: their
/// targets are checked where they are.
pub(crate) fn world_readable(folder: &Path) -> Vec<PathBuf> {
    let mut open = Vec::new();
    if collect(folder, &mut open) {
        vec![folder.to_owned()]
    } else {
        open
    }
}

/// Whether every user may read everything at a path; if not, the readable parts are added to
/// `open`.
fn collect(path: &Path, open: &mut Vec<PathBuf>) -> bool {
    let Ok(found) = path.symlink_metadata() else {
        return false;
    };
    if found.is_symlink() {
        return true;
    }
    if !found.is_dir() {
        return found.mode() & 0o004 != 0;
    }
    if found.mode() & 0o005 != 0o005 {
        return false;
    }
    let Ok(entries) = fs::read_dir(path) else {
        return false;
    };
    let mut inside = Vec::new();
    let mut all = true;
    for entry in entries.flatten().map(|entry| entry.path()) {
        if collect(&entry, &mut inside) {
            inside.push(entry)
        } else {
            all = false
        }
    }
    if !all {
        open.append(&mut inside);
    }
    all
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn only_paths_that_other_users_may_not_read_are_left_out() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        let close = |name: &str, mode| {
            fs::set_permissions(root.join(name), Permissions::from_mode(mode)).unwrap()
        };
        for folder in ["", "open", "mixed", "closed"] {
            fs::create_dir_all(root.join(folder)).unwrap();
            close(folder, 0o755);
        }
        for (file, mode) in [
            ("a", 0o644),
            ("open/b", 0o644),
            ("mixed/c", 0o644),
            ("mixed/key", 0o600),
            ("closed/d", 0o644),
        ] {
            fs::write(root.join(file), "").unwrap();
            close(file, mode);
        }
        close("closed", 0o700);
        let mut open = world_readable(root);
        open.sort();
        assert_eq!(open, ["a", "mixed/c", "open"].map(|name| root.join(name)));
        assert_eq!(world_readable(&root.join("open")), [root.join("open")]);
    }
}
