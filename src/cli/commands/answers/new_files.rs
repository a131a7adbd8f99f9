//! Files that are written under other names, and are given their own at last: all of them, or none. Knows no case.

use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use tempfile::NamedTempFile;
use tempfile::TempPath;

use gridjudge_sandbox::Fault;

/// A file near the one that is to be written, in a folder that is there: given its name at last, it is there whole or not at all.
pub(super) fn new_file(path: &Path) -> Result<NamedTempFile, Fault> {
    let is_there = |folder: &&Path| !folder.as_os_str().is_empty() && folder.is_dir();
    let folder = path.ancestors().skip(1).find(is_there).unwrap_or(Path::new("."));
    NamedTempFile::new_in(folder).map_err(|error| unwritten(path, error))
}

/// Gives files their names.
///
/// # Errors
/// The first that cannot have it; no file of them is there then.
pub(super) fn keep_all(files: Vec<(TempPath, PathBuf)>) -> Result<(), Fault> {
    let mut kept = KeptFiles::default();
    for (file, path) in files {
        if let Err(error) = kept.keep(file, &path) {
            kept.remove();
            return Err(unwritten(&path, error));
        }
    }
    Ok(())
}

/// What stands under its own name so far.
#[derive(Default)]
struct KeptFiles {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl KeptFiles {
    fn keep(&mut self, file: TempPath, path: &Path) -> io::Result<()> {
        let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let missing: Vec<_> = path.ancestors().skip(1).take_while(is_missing).map(Path::to_owned).collect();
        for folder in missing.into_iter().rev() {
            fs::create_dir(&folder)?;
            self.folders.push(folder);
        }
        file.persist_noclobber(path).map_err(|error| error.error)?;
        self.files.push(path.to_owned());
        Ok(())
    }

    /// Removes it again. What cannot be removed stays: the reason why something cannot be written is what is told.
    fn remove(self) {
        self.files.iter().for_each(|file| _ = fs::remove_file(file));
        self.folders.iter().rev().for_each(|folder| _ = fs::remove_dir(folder));
    }
}

fn unwritten(path: &Path, error: io::Error) -> Fault {
    Fault::new(format!("writing {}", path.display()), error)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// Files of these names in a folder that is not there yet, written but not kept.
    fn written(root: &Path, names: &[&str]) -> Vec<(TempPath, PathBuf)> {
        let write = |name: &&str| {
            let path = root.join(name);
            let mut file = new_file(&path).unwrap();
            file.write_all(name.as_bytes()).unwrap();
            (file.into_temp_path(), path)
        };
        names.iter().map(write).collect()
    }

    fn found(root: &Path) -> Vec<String> {
        let walked = walkdir::WalkDir::new(root).min_depth(1).sort_by_file_name().into_iter().flatten();
        walked.map(|entry| entry.path().strip_prefix(root).unwrap().display().to_string()).collect()
    }

    #[test]
    fn files_are_kept_with_the_folders_that_they_need() {
        let root = tempfile::tempdir().unwrap();
        keep_all(written(root.path(), &["a/b/01", "a/b/02", "03"])).unwrap();
        assert_eq!(found(root.path()), ["03", "a", "a/b", "a/b/01", "a/b/02"]);
        assert_eq!(fs::read_to_string(root.path().join("a/b/02")).unwrap(), "a/b/02");
    }

    #[test]
    fn where_one_cannot_be_kept_none_is() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("02"), "of somebody").unwrap();
        let fault = keep_all(written(root.path(), &["a/01", "02", "a/03"])).unwrap_err();
        assert!(fault.to_string().contains("writing ") && fault.to_string().contains("/02"), "{fault}");
        assert_eq!(found(root.path()), ["02"]);
        assert_eq!(fs::read_to_string(root.path().join("02")).unwrap(), "of somebody");
    }
}
