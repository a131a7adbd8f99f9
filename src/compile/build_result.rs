//! The result of compiling a submission, and the messages for tools that this machine lacks.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::{fs, io};

use tempfile::TempDir;

use crate::model::{AdditionalSources, Language, Program, Submission, UnusableLanguage};

/// The result of compiling a submission.
pub enum BuildResult {
    /// It can be run.
    Ready {
        /// The program.
        program: Program,
        /// The folder with its files, which is removed when this is dropped.
        folder: BuildFolder,
    },
    /// The compiler refused it, or broke a limit on it.
    Refused {
        /// The reason in a few words.
        reason: String,
        /// The compiler's output, at most 64 KiB.
        output: String,
        /// Whether only the source can be to blame, and so would be the next time.
        is_certain: bool,
    },
    /// This machine lacks what its language needs.
    Unavailable(UnusableLanguage),
}

/// The result if a tool of the language is not installed.
pub(super) fn missing(language: &Language, command: &str) -> BuildResult {
    let package = language.package.as_ref();
    BuildResult::Unavailable(UnusableLanguage {
        cause: format!("`{command}` is not installed"),
        remedy: match package {
            Some(package) => format!("install it, on Debian with `apt-get install {package}`"),
            None => format!("install what brings `{command}`"),
        },
        package: package.cloned(),
    })
}

/// The result if the judge could start the runtime, but the user of submissions cannot.
pub(super) fn out_of_reach(runtime: &Path) -> BuildResult {
    BuildResult::Unavailable(UnusableLanguage {
        cause: format!(
            "the user that submissions run as cannot start {}",
            runtime.display()
        ),
        remedy: "install it where every user may start it, as in /usr/local, or judge as an \
                 ordinary user"
            .to_owned(),
        package: None,
    })
}

// The folder that a submission is compiled in. It is removed when its value is dropped, however
// deeply nested its contents are: a submission can influence what its compiler creates.

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

// What a program is compiled from. Plain data, borrowed from whatever describes the program.

/// What a submission, a checker or another program of a problem is compiled from.
#[derive(Clone, Copy, Debug)]
pub struct ProgramSource<'a> {
    /// Its source, or an executable.
    pub source: &'a Submission,
    /// The other files that it is compiled from.
    pub additional_sources: &'a AdditionalSources,
    /// Its language; `None` for an executable.
    pub language: Option<&'a Language>,
    /// The most memory that a run of it may use, for languages whose runtime needs to know it.
    pub memory_bytes: u64,
    /// Whether it is a submission: then all its files belong to it. Those of other programs may
    /// only lie beside them.
    pub is_submission: bool,
    /// Whether its source keeps its name in any language, because a program of the problem sees it.
    pub keeps_name: bool,
}

#[cfg(test)]
mod build_folder_tests {
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
