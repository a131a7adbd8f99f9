//! Finds the repository around a folder.

use std::env;
use std::path::{Path, PathBuf};

use crate::cli::output;
use crate::report::Repository;

/// The absolute path, with links resolved in the part that exists.
pub(crate) fn real(path: &Path) -> PathBuf {
    let whole = std::path::absolute(Path::new(".").join(path))
        .unwrap_or_else(|_| path.to_owned());
    let known = whole.ancestors().find_map(|around| {
        let real = around.canonicalize().ok()?;
        Some(real.join(whole.strip_prefix(around).ok()?))
    });
    match known {
        // `join` with an empty path leaves a trailing separator.
        Some(real) => real.components().collect(),
        None => whole,
    }
}

/// The nearest folder, from this one upwards, that is the root of a repository. The
/// path must be without links.
pub(crate) fn root_around(folder: &Path) -> Option<&Path> {
    folder
        .ancestors()
        .find(|around| around.join(".git").symlink_metadata().is_ok())
}

/// The repository around the judge's folder: GitHub's workspace if the folder is in it,
/// otherwise the nearest one above. Without either, or without a judge's folder, the
/// result leaves paths as they are.
pub(crate) fn of_judge() -> Repository {
    let Some(judge) = output::judge_folder() else {
        return Repository::default();
    };
    let workspace = env::var_os("GITHUB_WORKSPACE")
        .filter(|path| !path.is_empty())
        .map(PathBuf::from);
    let in_workspace =
        workspace.and_then(|root| Repository::around(judge, &real(&root)));
    in_workspace
        .or_else(|| Repository::around(judge, root_around(judge)?))
        .unwrap_or_default()
}
