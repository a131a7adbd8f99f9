//! Notices that the user of this cache has seen and need not see again: an empty file each, named after its hash.

use std::path::Path;

use crate::cache::dir::CacheDir;
use crate::cache::key::KeyHasher;

/// Whether a text was never told before. From now on it was; where the folder cannot remember that, it is news each time.
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
    fn a_text_is_news_once_until_it_changes_or_the_cache_is_cleared() {
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
    fn where_nothing_can_be_remembered_all_is_news() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(is_new_notice(file.path(), "no Landlock"));
        assert!(is_new_notice(file.path(), "no Landlock"));
    }
}
