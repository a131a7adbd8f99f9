//! The known-good source of a language: its name, and how it is written to the folder in which it
//! is compiled.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::model::{Language, Submission};

/// The known-good source as a submission whose path is just its name.
pub(super) fn known_good_submission(language: &Language) -> Submission {
    let ending = language
        .extensions
        .first()
        .map_or("txt", |ending| ending.as_str());
    let name = format!("known-good.{ending}");
    Submission {
        path: name.as_str().into(),
        name,
        expected: None,
    }
}

/// Writes the known-good source into a folder, under the name that the language's compiler expects.
/// Returns `None` if there is no such source.
pub(super) fn write_known_good(language: &Language, folder: &Path) -> io::Result<Option<PathBuf>> {
    let Some(source) = &language.known_good else {
        return Ok(None);
    };
    let path = match &language.source {
        Some(name) => folder.join(name),
        None => folder.join(known_good_submission(language).path),
    };
    write_readable(&path, source)?;
    Ok(Some(path))
}

/// Writes a file that every user may read, whatever the judge's umask is.
pub(super) fn write_readable(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, text)?;
    fs::set_permissions(path, Permissions::from_mode(0o644))
}
