//! What becomes of a submission that is made ready, and how it is worded that this machine lacks something for it.

use std::path::Path;

use crate::compile::build_folder::BuildFolder;
use crate::model::Language;
use crate::model::Program;

/// A submission and what became of it.
pub enum BuildResult {
    /// It can be run. The folder lives as long as this does.
    Ready {
        /// What to start.
        program: Program,
        /// Where its files are.
        folder: BuildFolder,
    },
    /// The compiler refused it, or broke a limit on it.
    Refused {
        /// The reason in a few words.
        reason: String,
        /// What the compiler said, at most 64 KiB.
        output: String,
    },
    /// This machine lacks what its language needs.
    Unavailable {
        /// What is missing.
        cause: String,
        /// How to get it.
        remedy: String,
    },
}

/// A tool of a language that is not installed.
pub(super) fn missing(language: &Language, command: &str) -> BuildResult {
    let package = language.package.as_ref();
    BuildResult::Unavailable {
        cause: format!("`{command}` is not installed"),
        remedy: match package {
            Some(package) => format!("install it, on Debian with `apt-get install {package}`"),
            None => format!("install what brings `{command}`"),
        },
    }
}

/// A runtime that the judge could start, and the user of submissions cannot.
pub(super) fn out_of_reach(runtime: &Path) -> BuildResult {
    BuildResult::Unavailable {
        cause: format!("the user that submissions run as cannot start {}", runtime.display()),
        remedy: "install it where every user may start it, as in /usr/local, or judge as an ordinary user"
            .to_owned(),
    }
}
