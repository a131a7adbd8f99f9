//! Reads the files in which a kernel describes the machine. Knows their root folder; knows nothing
//! of what they mean.

use std::fs;
use std::path::PathBuf;

use rustix::fs::Access;

/// Kernel files below a root folder, which tests replace. A file that cannot be read counts as
/// missing, because kernels differ.
pub(super) struct KernelFiles {
    root: PathBuf,
}

impl KernelFiles {
    pub(super) fn of_this_machine() -> Self {
        Self { root: "/".into() }
    }

    /// The text of a file, without surrounding white space.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        let text = fs::read_to_string(self.at(path)).ok()?;
        Some(text.trim().to_owned())
    }

    /// The number that a file contains.
    pub(super) fn number(&self, path: &str) -> Option<u64> {
        self.text(path)?.parse().ok()
    }

    pub(super) fn exists(&self, path: &str) -> bool {
        self.at(path).exists()
    }

    /// Whether this process may make entries in a folder.
    pub(super) fn may_change(&self, folder: &str) -> bool {
        rustix::fs::access(self.at(folder), Access::WRITE_OK | Access::EXEC_OK).is_ok()
    }

    /// The texts of a file that each processor has, such as `topology/thread_siblings_list`.
    pub(super) fn of_each_processor(&self, name: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.at("/sys/devices/system/cpu")) else {
            return Vec::new();
        };
        let texts = entries
            .flatten()
            .filter_map(|entry| fs::read_to_string(entry.path().join(name)).ok());
        texts.map(|text| text.trim().to_owned()).collect()
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }
}

/// A machine for tests: files with their texts.
#[cfg(test)]
pub(super) fn fake_machine(texts: &[(&str, &str)]) -> (tempfile::TempDir, KernelFiles) {
    let folder = tempfile::tempdir().unwrap();
    let files = KernelFiles {
        root: folder.path().to_owned(),
    };
    for (path, text) in texts {
        let path = files.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    (folder, files)
}
