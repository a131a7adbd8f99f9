//! The folder in which a checker works: its own, or that of the files that were submitted, in which
//! it may only read. Links the files that its problem puts there; copies nothing.
//!
//! Source: the Kattis problem package format 2025-09, "Working directory".

use std::fs::Permissions;
use std::io::ErrorKind;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::model::{CheckerProgram, CheckerTask};
use gridjudge_sandbox::Role;

/// The name of the working folder of checkers if no files were submitted.
const NO_FILES: &str = "no-files";

/// The role of a checker whose own folder is `folder`. `submitted` is the folder with the files of
/// the submission, if there are any.
///
/// The submission decides what is in its folder, so that must not be where the checker's feedback
/// is read, nor its `HOME`, where some runtimes look for modules.
///
/// # Errors
/// Fails if an empty folder is needed and cannot be created.
pub(super) fn role(
    task: &CheckerTask,
    checker: &CheckerProgram,
    folder: &Path,
    submitted: Option<&Path>,
) -> io::Result<Role> {
    let folder = folder.to_owned();
    if !task.sees_submission {
        return Ok(Role::Checker { folder });
    }
    let works_in = submitted.map_or_else(
        || no_files(&checker.scratch),
        |submitted| Ok(submitted.to_owned()),
    );
    Ok(Role::SourceChecker {
        folder,
        works_in: works_in?,
    })
}

/// The folder in which a checker was compiled, if it was.
pub(super) fn build_folder(checker: &CheckerProgram) -> Option<&Path> {
    let own = checker.program.readable.iter().map(PathBuf::as_path);
    own.into_iter()
        .find(|folder| folder.starts_with(&checker.scratch))
}

/// Makes the files that a checker finds in its working folder appear there, as links to its build
/// folder.
///
/// # Errors
/// Fails if a link cannot be created.
pub(super) fn link_files(
    task: &CheckerTask,
    checker: &CheckerProgram,
    place: &Path,
) -> io::Result<()> {
    let Some(folder) = build_folder(checker) else {
        return Ok(());
    };
    for file in &task.files {
        let link = place.join(&file.name);
        // An earlier pass has left them there.
        if link.symlink_metadata().is_err() {
            let folders: Vec<_> = link
                .ancestors()
                .skip(1)
                .take_while(|folder| *folder != place)
                .collect();
            for folder in folders.into_iter().rev().filter(|folder| !folder.is_dir()) {
                fs::create_dir(folder)?;
                // Set explicitly, because the umask of the judge may have removed permissions.
                fs::set_permissions(folder, Permissions::from_mode(0o755))?;
            }
            symlink(folder.join(&file.name), link)?;
        }
    }
    Ok(())
}

/// The empty folder that all checkers without a submission share; none of them may write there.
fn no_files(scratch: &Path) -> io::Result<PathBuf> {
    let folder = scratch.join(NO_FILES);
    match fs::create_dir(&folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        // Set explicitly, because the umask of the judge may have removed permissions.
        _ => fs::set_permissions(&folder, Permissions::from_mode(0o755))?,
    }
    Ok(folder)
}
