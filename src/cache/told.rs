//! What was told to the user of this cache and need not be told again: an empty file each, named after a hash of it.

use std::path::Path;

use crate::cache::key::Hasher;
use crate::cache::place::Place;

/// Whether a text was never told before. From now on it was; where the folder cannot remember that, it is news each time.
pub fn is_news(path: &Path, text: &str) -> bool {
    let mut hasher = Hasher::of("told");
    hasher.add(text);
    let marked = Place::make(path).map(|place| place.mark_told(&hasher.finish()));
    !matches!(marked, Ok(Ok(false)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_news_once_until_it_changes_or_the_cache_is_cleared() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache");
        assert!(is_news(&path, "no Landlock"));
        assert!(!is_news(&path, "no Landlock"));
        assert!(is_news(&path, "Landlock 7"));
        assert!(!is_news(&path, "no Landlock"));
        assert_eq!(crate::cache::clear(&path).unwrap(), (0, 0));
        assert!(is_news(&path, "no Landlock"));
    }

    #[test]
    fn where_nothing_can_be_remembered_all_is_news() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(is_news(file.path(), "no Landlock"));
        assert!(is_news(file.path(), "no Landlock"));
    }
}
