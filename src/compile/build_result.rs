//! The result of compiling a submission, and the messages for tools that this machine lacks.

use std::path::Path;

use crate::compile::build_folder::BuildFolder;
use crate::model::{Language, Program};

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
    Unavailable {
        /// What is missing.
        cause: String,
        /// How to get it.
        remedy: String,
    },
}

/// The result if a tool of the language is not installed.
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

/// The result if the judge could start the runtime, but the user of submissions cannot.
pub(super) fn out_of_reach(runtime: &Path) -> BuildResult {
    BuildResult::Unavailable {
        cause: format!("the user that submissions run as cannot start {}", runtime.display()),
        remedy: "install it where every user may start it, as in /usr/local, or judge as an ordinary user"
            .to_owned(),
    }
}
