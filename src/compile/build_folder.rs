//! The folder that a submission is compiled in. It is removed when its value is dropped, however
//! deeply nested its contents are: a submission can influence what its compiler creates.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::{fs, io};

use tempfile::TempDir;

/// A folder that every user may read.
pub struct BuildFolder(TempDir);

impl BuildFolder {
    /// Creates a folder in `place`.
    ///
    /// # Errors
    /// Fails if a folder cannot be created there.
    pub(crate) fn make(place: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("made-").tempdir_in(place)?;
        // Submissions may run as another user, who must be able to read the program.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
        Ok(Self(folder))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for BuildFolder {
    /// Anything that cannot be removed now is removed with the judge's private folder around it.
    fn drop(&mut self) {
        let _ = gridjudge_sandbox::remove_tree(self.path());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree so deep that removing it recursively would need too many descriptors or too much
    /// stack.
    #[test]
    fn a_folder_is_removed_however_deep_it_is() {
        let place = tempfile::tempdir().unwrap();
        let folder = BuildFolder::make(place.path()).unwrap();
        let mut inner =
            rustix::fs::open(folder.path(), rustix::fs::OFlags::PATH, 0.into()).unwrap();
        for _ in 0..5000 {
            rustix::fs::mkdirat(&inner, "in", 0o755.into()).unwrap();
            inner = rustix::fs::openat(&inner, "in", rustix::fs::OFlags::PATH, 0.into()).unwrap();
        }
        drop(folder);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }
}
