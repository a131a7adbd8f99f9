//! Remembers which notices a user has seen and need not see again: an empty file for each, named
//! after its hash.

use std::path::Path;

use crate::cache::{CacheDir, KeyHasher};

/// Whether a text is shown for the first time, and marks it as shown. If the folder cannot store
/// that, a text is new each time.
pub fn is_new_notice(path: &Path, text: &str) -> bool {
    let mut hasher = KeyHasher::of("told");
    hasher.add(text);
    let marked = CacheDir::make(path).map(|place| place.mark_notice_shown(&hasher.finish()));
    !matches!(marked, Ok(Ok(false)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_new_once_until_it_changes_or_the_cache_is_cleared() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache");
        assert!(is_new_notice(&path, "no Landlock"));
        assert!(!is_new_notice(&path, "no Landlock"));
        assert!(is_new_notice(&path, "Landlock 7"));
        assert!(!is_new_notice(&path, "no Landlock"));
        assert_eq!(crate::cache::clear(&path).unwrap(), (0, 0));
        assert!(is_new_notice(&path, "no Landlock"));
    }

    #[test]
    fn without_a_usable_folder_every_notice_is_new() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(is_new_notice(file.path(), "no Landlock"));
        assert!(is_new_notice(file.path(), "no Landlock"));
    }
}
