//! Converts paths of submissions to be relative to the root of a repository. Logs contain paths
//! relative to the folder of `judge.toml`, which may be elsewhere in the repository; services that
//! show a report beside the files need them from the root.

use std::path::{Component, Path, PathBuf};

/// A repository, and the place of the judge's folder in it. By default they are the same folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repository {
    root: PathBuf,
    judge: PathBuf,
}

impl Repository {
    /// The repository at `root`, which contains the judge's folder; both are absolute and without
    /// links. `None` if the folder is not inside.
    pub fn around(judge: &Path, root: &Path) -> Option<Self> {
        let judge = judge.strip_prefix(root).ok()?.to_owned();
        Some(Self {
            root: root.to_owned(),
            judge,
        })
    }

    /// A path of a log, relative to the root; unchanged if it leads out of the repository.
    pub(crate) fn seen(&self, path: &str) -> String {
        self.inside(path).unwrap_or_else(|| path.to_owned())
    }

    fn inside(&self, path: &str) -> Option<String> {
        let path = Path::new(path);
        if path.is_absolute() {
            let is_known = self.root.is_absolute();
            return path
                .strip_prefix(&self.root)
                .ok()
                .filter(|_| is_known)
                .map(text);
        }
        let mut seen = PathBuf::new();
        for part in self.judge.join(path).components() {
            match part {
                Component::ParentDir => seen.pop().then_some(())?,
                Component::CurDir => {}
                other => seen.push(other),
            }
        }
        Some(text(&seen))
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(judge: &str, paths: &[&str]) -> Vec<String> {
        let repository = Repository::around(Path::new(judge), Path::new("/repository")).unwrap();
        paths.iter().map(|path| repository.seen(path)).collect()
    }

    #[test]
    fn paths_are_relative_to_the_root_of_the_repository() {
        let paths = ["problems/a.c", "../b.c", "./c.c", "/repository/d.c", ""];
        assert_eq!(
            seen("/repository/contest", &paths),
            [
                "contest/problems/a.c",
                "b.c",
                "contest/c.c",
                "d.c",
                "contest"
            ]
        );
        assert_eq!(seen("/repository", &paths[..1]), ["problems/a.c"]);
    }

    #[test]
    fn paths_outside_the_repository_are_unchanged() {
        let paths = ["../../a.c", "/elsewhere/b.c", "/repository-of-others/c.c"];
        assert_eq!(seen("/repository/contest", &paths), paths);
        assert_eq!(
            Repository::around(Path::new("/elsewhere"), Path::new("/repository")),
            None
        );
        assert_eq!(Repository::default().seen("/a/b.c"), "/a/b.c");
    }
}
