//! Finds the file that the user probably meant by a name that does not exist.

use std::path::{Path, PathBuf};

use crate::spec::{JudgeFolder, nearest};

/// The hint for a missing file, if there is one of a similar name beside it or among the example
/// submissions.
pub(crate) fn remedy(path: &Path, folder: Option<&JudgeFolder>) -> Option<String> {
    let meant = beside(path).or_else(|| among_examples(path, folder?))?;
    Some(format!("did you mean `{}`?", meant.display()))
}

fn beside(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    let here = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let files = here
        .read_dir()
        .ok()?
        .flatten()
        .filter(|entry| entry.path().is_file());
    let mut names: Vec<_> = files
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    // Among equally near names, the choice must not depend on the order of the folder's entries.
    names.sort_by(|one, other| other.cmp(one));
    let meant = nearest(
        path.file_name()?.to_str()?,
        names.iter().map(String::as_str),
    )?;
    Some(folder.join(meant))
}

fn among_examples(path: &Path, folder: &JudgeFolder) -> Option<PathBuf> {
    // To look into an archive, it would have to be unpacked.
    let ids = folder.ids().filter(|id| folder.archive_of(id).is_none());
    let examples = ids.flat_map(|id| folder.examples(id).unwrap_or_default());
    let paths: Vec<_> = examples.map(|example| example.submission.path).collect();
    let name = |path: &Path| {
        path.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let names: Vec<_> = paths.iter().map(|path| name(path)).collect();
    let meant = nearest(&name(path), names.iter().map(String::as_str))?;
    paths
        .iter()
        .zip(&names)
        .find(|(_, name)| *name == meant)
        .map(|(path, _)| path.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_of_a_similar_name_is_proposed() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["solver.cpp", "solver.py", "notes"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let meant = |name: &str| beside(&folder.path().join(name));
        assert_eq!(meant("slover.cpp"), Some(folder.path().join("solver.cpp")));
        assert_eq!(meant("solver.p"), Some(folder.path().join("solver.py")));
        assert_eq!(meant("wholly_other"), None);
        assert_eq!(beside(Path::new("nowhere/solver.py")), None);
    }
}
