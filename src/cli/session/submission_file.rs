//! Checks that a path can be that of a submitted program. Knows neither the problem nor the
//! language.

use std::io::ErrorKind;
use std::path::Path;

use crate::cli::nearby;
use crate::spec::{JudgeFolder, Mistake};

/// Refuses a path that is not that of a regular file.
///
/// # Errors
/// A mistake that says what the path is instead.
pub(super) fn require_file(folder: &JudgeFolder, path: &Path) -> Result<(), Mistake> {
    match path.metadata() {
        Ok(found) if found.is_file() => Ok(()),
        Ok(found) if found.is_dir() => Err(Mistake::of(path, "is a folder, not a submission")
            .with_remedy("name the files in it; a contest's folder is graded alone")),
        Ok(_) => Err(Mistake::of(path, "is not a regular file")),
        Err(_) if path == Path::new("-") => Err(Mistake::of(
            path,
            "a submission cannot be standard input",
        )
        .with_remedy(
            "save it in a file with the ending of its language, and name that, with `-p PROBLEM`",
        )),
        Err(error) => {
            let mistake = Mistake::of(path, format!("cannot be read: {error}"));
            let meant = Some(error).filter(|error| error.kind() == ErrorKind::NotFound);
            let remedy = meant.and_then(|_| {
                named_problem(path, folder).or_else(|| nearby::remedy(path, Some(folder)))
            });
            Err(remedy.into_iter().fold(mistake, Mistake::with_remedy))
        }
    }
}

/// The hint for the id of a problem in place of a submission.
fn named_problem(path: &Path, folder: &JudgeFolder) -> Option<String> {
    let id = path
        .to_str()
        .filter(|name| folder.ids().any(|id| id == *name))?;
    Some(format!(
        "to judge the example submissions of the problem `{id}`, write `-p {id}`"
    ))
}
