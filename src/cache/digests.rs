//! Digests of what takes long to read, such as the files of a compiler. The state of the files
//! (inode, size and times) only says whether a digest that was computed earlier is still valid. It
//! is no part of any key, so results stay valid on another machine with the same contents.

use std::path::PathBuf;
use std::sync::Arc;

use crate::cache::{Cache, CacheKey, FileVersion, KeyHasher};

impl Cache {
    /// The digest that `compute` gets from these files. It is computed again only if one of them
    /// has changed, appeared or vanished. `purpose` distinguishes digests of the same files.
    ///
    /// Returns `None` if `compute` does, if a file changes in the meantime, or if the cache is
    /// stopped.
    pub fn digest(
        &self,
        purpose: &str,
        files: Vec<PathBuf>,
        compute: impl FnOnce(&[PathBuf]) -> Option<CacheKey>,
    ) -> Option<DigestOfFiles> {
        let state = FilesState::now(purpose, &files);
        let digest = match self.place.digest(&state.key) {
            Some(known) => known,
            None => self.new_digest(purpose, &files, &state, compute)?,
        };
        let files = Arc::new(FilesInState {
            purpose: purpose.to_owned(),
            files,
            key: state.key,
        });
        Some(DigestOfFiles { digest, files })
    }

    fn new_digest(
        &self,
        purpose: &str,
        files: &[PathBuf],
        state: &FilesState,
        compute: impl FnOnce(&[PathBuf]) -> Option<CacheKey>,
    ) -> Option<CacheKey> {
        // What takes long in `compute` ends early once the cache is stopped, with whatever it has
        // by then.
        let digest = compute(files).filter(|_| !self.is_stopped())?;
        if FilesState::now(purpose, files).key != state.key {
            return None;
        }
        // If it cannot be stored, it is computed again the next time.
        if self
            .place
            .store_digest(&state.key, &digest, state.newest_change)
            .unwrap_or(false)
        {
            self.count_digest();
        }
        Some(digest)
    }
}

/// A digest of files.
#[derive(Clone, Debug)]
pub struct DigestOfFiles {
    /// The digest.
    pub digest: CacheKey,
    /// The files, in the state that it describes.
    pub files: Arc<FilesInState>,
}

/// Files, and the state that they were in.
#[derive(Debug, PartialEq, Eq)]
pub struct FilesInState {
    purpose: String,
    files: Vec<PathBuf>,
    key: CacheKey,
}

impl FilesInState {
    /// Whether none of the files has changed, appeared or vanished.
    pub fn is_current(&self) -> bool {
        FilesState::now(&self.purpose, &self.files).key == self.key
    }
}

/// A key, and the version of each file that it was computed from.
pub struct KeyWithFiles {
    /// The key.
    pub key: CacheKey,
    /// The files.
    pub files: Vec<(PathBuf, FileVersion)>,
    /// What was looked at to identify the tools: up to some thousand files and folders.
    pub looked_at: Vec<Arc<FilesInState>>,
}

impl KeyWithFiles {
    /// Whether no file has changed since the key was computed.
    pub fn is_current(&self) -> bool {
        self.files
            .iter()
            .all(|(path, version)| FileVersion::now(path) == Some(*version))
            && self.looked_at.iter().all(|files| files.is_current())
    }
}

/// The state of some files.
struct FilesState {
    key: CacheKey,
    /// The latest change of any of them, in seconds since 1970.
    newest_change: i64,
}

impl FilesState {
    fn now(purpose: &str, files: &[PathBuf]) -> Self {
        let mut hasher = KeyHasher::of("state of files");
        hasher.add(purpose);
        let mut newest_change = 0;
        for path in files {
            hasher.add(path.as_os_str().as_encoded_bytes());
            let version = FileVersion::now(path);
            hasher.add(format!("{version:?}"));
            newest_change =
                newest_change.max(version.map_or(0, |version| version.change_seconds()));
        }
        Self {
            key: hasher.finish(),
            newest_change,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fs;
    use std::fs::File;
    use std::path::Path;
    use std::sync::atomic::Ordering;

    use super::*;

    fn digest_of(path: &Path) -> Option<CacheKey> {
        let mut hasher = KeyHasher::of("test");
        hasher.add_file(path).ok()?;
        Some(hasher.finish())
    }

    #[test]
    fn a_digest_is_computed_again_only_after_a_change() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(&folder.path().join("cache"), 1 << 20, &[]).unwrap();
        // Unlike a new file, it has not changed within the last seconds.
        let old = PathBuf::from("/bin/sh");
        let computed = Cell::new(0);
        let digest = |purpose: &str| {
            let found = cache.digest(purpose, vec![old.clone()], |_| {
                computed.set(computed.get() + 1);
                digest_of(&old)
            });
            found.map(|found| found.digest)
        };
        let first = digest("a");
        assert!(first.is_some());
        assert_eq!((digest("a"), computed.get()), (first, 1));
        assert_eq!((digest("b"), computed.get()), (first, 2));
    }

    /// A file may change twice within the resolution of its times.
    #[test]
    fn a_digest_of_a_file_that_was_changed_just_now_is_not_stored() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(&folder.path().join("cache"), 1 << 20, &[]).unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "one").unwrap();
        let digest = || {
            cache
                .digest("a", vec![path.clone()], |_| digest_of(&path))
                .unwrap()
                .digest
        };
        let first = digest();
        let mut file = File::options().write(true).open(&path).unwrap();
        std::io::Write::write_all(&mut file, b"two").unwrap();
        assert_ne!(digest(), first);
        assert!(
            fs::read_dir(folder.path().join("cache"))
                .unwrap()
                .next()
                .is_none()
        );
    }

    #[test]
    fn a_file_that_changes_while_it_is_read_has_no_digest() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(&folder.path().join("cache"), 1 << 20, &[]).unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "one").unwrap();
        let found = cache.digest("a", vec![path.clone()], |_| {
            let digest = digest_of(&path);
            fs::write(&path, "longer").unwrap();
            digest
        });
        assert!(found.is_none());
    }

    #[test]
    fn what_was_computed_until_the_cache_was_stopped_is_no_digest() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(&folder.path().join("cache"), 1 << 20, &[]).unwrap();
        let old = PathBuf::from("/bin/sh");
        let found = cache.digest("a", vec![old.clone()], |_| {
            cache.stop_flag().store(true, Ordering::Relaxed);
            digest_of(&old)
        });
        assert!(found.is_none());
        assert!(
            fs::read_dir(folder.path().join("cache"))
                .unwrap()
                .next()
                .is_none()
        );
    }

    #[test]
    fn a_damaged_digest_is_computed_again() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("cache");
        let cache = Cache::open(&place, 1 << 20, &[]).unwrap();
        let old = PathBuf::from("/bin/sh");
        let digest = || {
            cache
                .digest("a", vec![old.clone()], |_| digest_of(&old))
                .unwrap()
                .digest
        };
        let first = digest();
        for damage in ["", "short", &"x".repeat(65), &"0".repeat(1 << 16)] {
            let stored = fs::read_dir(&place)
                .unwrap()
                .next()
                .unwrap()
                .unwrap()
                .path();
            fs::write(&stored, damage).unwrap();
            assert_eq!(digest(), first);
        }
    }
}
