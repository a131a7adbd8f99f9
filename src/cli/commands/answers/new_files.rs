//! Writes files under temporary names and then gives them their final ones: all of them, or none.
//! Knows nothing of cases.

use crate::sorted::SortedMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{fs, io};

use gridjudge_sandbox::Fault;
use parking_lot::Mutex;
use tempfile::{NamedTempFile, TempPath};

use crate::files::UnfinishedFolder;

/// Makes temporary files, in one folder for each file system, so that renaming them is atomic. All
/// that still have their temporary names are removed with this value.
#[derive(Default)]
pub(super) struct NewFiles {
    /// The folders, by the device of their file system.
    folders: Mutex<SortedMap<u64, UnfinishedFolder>>,
}

impl NewFiles {
    /// Creates a temporary file that can be renamed to `path`.
    pub(super) fn create(&self, path: &Path) -> Result<NamedTempFile, Fault> {
        self.create_beside(path).map_err(Fault::at("writing", path))
    }

    fn create_beside(&self, path: &Path) -> io::Result<NamedTempFile> {
        let nearest = path
            .ancestors()
            .skip(1)
            .find(|folder| !folder.as_os_str().is_empty() && folder.is_dir())
            .unwrap_or(Path::new("."));
        let device = nearest.metadata()?.dev();
        let mut folders = self.folders.lock();
        let folder = match folders.get(&device) {
            Some(known) => known,
            None => folders
                .entry(device)
                .or_insert(UnfinishedFolder::within(nearest)?),
        };
        folder.with(|folder| NamedTempFile::new_in(folder))
    }
}

/// Gives files their final names.
///
/// # Errors
/// The fault of the first file that cannot get its name; none of the files exists then.
pub(super) fn persist_all(files: Vec<(TempPath, PathBuf)>) -> Result<(), Fault> {
    let mut persisted = PersistedFiles::default();
    for (file, path) in files {
        if let Err(error) = persisted.persist(file, &path) {
            persisted.remove();
            return Err(Fault::at("writing", &path)(error));
        }
    }
    Ok(())
}

/// The files, and the new folders, that have their final names so far.
#[derive(Default)]
struct PersistedFiles {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl PersistedFiles {
    fn persist(&mut self, file: TempPath, path: &Path) -> io::Result<()> {
        let missing: Vec<_> = path
            .ancestors()
            .skip(1)
            .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
            .map(Path::to_owned)
            .collect();
        for folder in missing.into_iter().rev() {
            fs::create_dir(&folder)?;
            self.folders.push(folder);
        }
        file.persist_noclobber(path).map_err(|error| error.error)?;
        self.files.push(path.to_owned());
        Ok(())
    }

    /// Removes the files and folders again. Errors are ignored: what is reported is why a file
    /// could not be written.
    fn remove(self) {
        self.files.iter().for_each(|file| _ = fs::remove_file(file));
        self.folders
            .iter()
            .rev()
            .for_each(|folder| _ = fs::remove_dir(folder));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// Writes files with these final names under temporary ones.
    fn written(new_files: &NewFiles, root: &Path, names: &[&str]) -> Vec<(TempPath, PathBuf)> {
        names
            .iter()
            .map(|name| {
                let path = root.join(name);
                let mut file = new_files.create(&path).unwrap();
                file.write_all(name.as_bytes()).unwrap();
                (file.into_temp_path(), path)
            })
            .collect()
    }

    fn found(root: &Path) -> Vec<String> {
        let walked = walkdir::WalkDir::new(root)
            .min_depth(1)
            .sort_by_file_name()
            .into_iter()
            .flatten();
        walked
            .map(|entry| {
                entry
                    .path()
                    .strip_prefix(root)
                    .unwrap()
                    .display()
                    .to_string()
            })
            .collect()
    }

    #[test]
    fn missing_folders_are_created_for_the_files() {
        let root = tempfile::tempdir().unwrap();
        let new_files = NewFiles::default();
        persist_all(written(
            &new_files,
            root.path(),
            &["a/b/01", "a/b/02", "03"],
        ))
        .unwrap();
        drop(new_files);
        assert_eq!(found(root.path()), ["03", "a", "a/b", "a/b/01", "a/b/02"]);
        assert_eq!(
            fs::read_to_string(root.path().join("a/b/02")).unwrap(),
            "a/b/02"
        );
    }

    #[test]
    fn if_one_file_cannot_get_its_name_none_remains() {
        let root = tempfile::tempdir().unwrap();
        let new_files = NewFiles::default();
        fs::write(root.path().join("02"), "of another").unwrap();
        let fault =
            persist_all(written(&new_files, root.path(), &["a/01", "02", "a/03"])).unwrap_err();
        drop(new_files);
        assert!(
            fault.to_string().contains("writing ") && fault.to_string().contains("/02"),
            "{fault}"
        );
        assert_eq!(found(root.path()), ["02"]);
        assert_eq!(
            fs::read_to_string(root.path().join("02")).unwrap(),
            "of another"
        );
    }
}
