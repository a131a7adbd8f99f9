//! The folders of version control systems. A checkout lies around them, but they are not its
//! author's: services that clone a repository leave the key for it in `.git/config`.

use std::path::Path;

const FOLDERS: [&str; 3] = [".git", ".hg", ".svn"];

/// Whether a real path is in a folder of version control that is below `root`, also a real path.
pub fn is_version_control(root: &Path, real: &Path) -> bool {
    let below = real.strip_prefix(root).unwrap_or(real);
    below
        .components()
        .any(|part| FOLDERS.iter().any(|folder| part.as_os_str() == *folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_into_version_control_is_told_from_one_beside_it() {
        let is_in = |path: &str| is_version_control(Path::new("/a"), Path::new(path));
        assert!(is_in("/a/.git/config") && is_in("/a/.git") && is_in("/a/b/.svn/x"));
        assert!(!is_in("/a/.gitignore") && !is_in("/a/git/config") && !is_in("/a"));
        // What is above the root does not matter, as in a hook.
        assert!(!is_version_control(
            Path::new("/a/.git/x"),
            Path::new("/a/.git/x/y")
        ));
    }
}
