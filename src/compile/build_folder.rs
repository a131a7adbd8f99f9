//! The folder that a submission is made in. It goes with its value, however deep a compiler has dug in it: what
//! compilers make is the submission's work, too.

use std::fs;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;

/// A folder that every user may read.
pub struct BuildFolder(TempDir);

impl BuildFolder {
    /// Makes one in `place`.
    ///
    /// # Errors
    /// Whatever keeps a folder from being made there.
    pub(crate) fn make(place: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("made-").tempdir_in(place)?;
        // Submissions may run as another user, who must get at the program.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
        Ok(Self(folder))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for BuildFolder {
    /// What cannot be removed now goes with the judge's private folder around it.
    fn drop(&mut self) {
        let _ = gridjudge_sandbox::remove_tree(self.path());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree that takes more descriptors, or more stack, than whoever goes down into it has.
    #[test]
    fn a_folder_goes_however_deep_it_is() {
        let place = tempfile::tempdir().unwrap();
        let folder = BuildFolder::make(place.path()).unwrap();
        let mut inner = rustix::fs::open(folder.path(), rustix::fs::OFlags::PATH, 0.into()).unwrap();
        for _ in 0..5000 {
            rustix::fs::mkdirat(&inner, "in", 0o755.into()).unwrap();
            inner = rustix::fs::openat(&inner, "in", rustix::fs::OFlags::PATH, 0.into()).unwrap();
        }
        drop(folder);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }
}
