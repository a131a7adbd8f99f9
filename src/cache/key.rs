//! The keys of cached trials: hashes of everything that a verdict depends on. Knows how to hash
//! files and facts; callers decide which of them matter.

use std::fs::{File, Metadata};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, io};

use rustix::fs::OFlags;

use crate::cache::Cache;

/// The most bytes of a file that are in memory at once.
const CHUNK: usize = 1 << 16;

/// A hash of everything that identifies a program, or a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheKey([u8; 32]);

/// Computes a key. Hashes each part with its length, so that different lists of parts never give
/// the same bytes.
pub struct KeyHasher(blake3::Hasher);

/// The state of a file when it was read. As long as it is unchanged, so are the file's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileVersion([i64; 7]);

impl CacheKey {
    /// The length of its name in letters.
    pub(super) const LETTERS: usize = 64;

    /// Parses the name of a key.
    pub(super) fn named(name: &str) -> Option<Self> {
        let key = Self(blake3::Hash::from_hex(name).ok()?.into());
        // Capital letters are rejected, so that each key has only one name.
        (key.to_string() == name).then_some(key)
    }

    /// Its first eight bytes, to compare many keys in little memory.
    pub(crate) fn short(&self) -> u64 {
        u64::from_le_bytes(self.0[..8].try_into().unwrap_or_default())
    }

    pub(super) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for CacheKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&blake3::Hash::from(self.0).to_hex())
    }
}

impl KeyHasher {
    /// Creates a hasher for this purpose. Keys of different purposes are never equal.
    pub fn of(purpose: &str) -> Self {
        let mut hasher = Self(blake3::Hasher::new());
        hasher.add(purpose);
        hasher
    }

    /// Adds a fact.
    pub fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0
            .update(&(part.len() as u64).to_le_bytes())
            .update(part);
    }

    /// Adds the bytes of a file, and returns its version.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or if it grows or shrinks in the meantime.
    pub fn add_file(&mut self, path: &Path) -> io::Result<FileVersion> {
        // The path may lead to a pipe by now, so opening it must not block.
        let flags = OFlags::NONBLOCK.bits().cast_signed();
        self.add_opened(File::options().read(true).custom_flags(flags).open(path)?)
    }

    /// As [`add_file`](Self::add_file), of a file that was opened without blocking.
    ///
    /// # Errors
    /// As [`add_file`](Self::add_file).
    pub fn add_opened(&mut self, mut file: File) -> io::Result<FileVersion> {
        let found = file.metadata()?;
        let before = self.0.update(&found.len().to_le_bytes()).count();
        let read = |hasher: &Self| hasher.0.count() - before;
        // Most files are small, and need one read only. One byte of additional room shows whether
        // the file has grown.
        let mut buffer =
            vec![0; usize::try_from(found.len() + 1).map_or(CHUNK, |length| length.min(CHUNK))];
        while read(self) < found.len() {
            match file.read(&mut buffer)? {
                0 => break,
                bytes => _ = self.0.update(&buffer[..bytes]),
            }
        }
        if read(self) != found.len() {
            return Err(io::Error::other("it changes while it is read"));
        }
        Ok(FileVersion::from(&found))
    }

    /// Adds the bytes of files, and returns their versions.
    ///
    /// # Errors
    /// As [`add_file`](Self::add_file).
    pub fn add_files<'a>(
        &mut self,
        files: impl IntoIterator<Item = &'a PathBuf>,
    ) -> io::Result<Vec<(PathBuf, FileVersion)>> {
        files
            .into_iter()
            .map(|path| Ok((path.clone(), self.add_file(path)?)))
            .collect()
    }

    /// The key of all parts.
    pub fn finish(&self) -> CacheKey {
        CacheKey(self.0.finalize().into())
    }
}

impl FileVersion {
    /// The current version of a file; `None` if it does not exist.
    pub fn now(path: &Path) -> Option<Self> {
        path.metadata().ok().as_ref().map(Self::from)
    }

    /// When the file, its permissions or its owner were last changed, in seconds since 1970.
    pub(super) fn change_seconds(&self) -> i64 {
        self.0[5]
    }
}

impl From<&Metadata> for FileVersion {
    /// Includes the change time: unlike the modification time, no user can set it back.
    fn from(found: &Metadata) -> Self {
        Self([
            found.dev().cast_signed(),
            found.ino().cast_signed(),
            found.size().cast_signed(),
            found.mtime(),
            found.mtime_nsec(),
            found.ctime(),
            found.ctime_nsec(),
        ])
    }
}

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
    use std::fs;

    use super::*;

    fn key(parts: &[&str]) -> CacheKey {
        let mut hasher = KeyHasher::of("test");
        parts.iter().for_each(|part| hasher.add(part));
        hasher.finish()
    }

    #[test]
    fn a_key_depends_on_where_parts_end() {
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
        for other in [&["a", "bc"][..], &["abc"], &["ab", "c", ""], &["c", "ab"]] {
            assert_ne!(key(&["ab", "c"]), key(other), "{other:?}");
        }
        assert_ne!(KeyHasher::of("a").finish(), KeyHasher::of("b").finish());
    }

    #[test]
    fn a_key_has_one_name() {
        let name = key(&["a"]).to_string();
        assert_eq!(
            (name.len(), CacheKey::named(&name)),
            (CacheKey::LETTERS, Some(key(&["a"])))
        );
        for bad in [
            &name[1..],
            &name.to_uppercase(),
            &format!("{}x", &name[1..]),
            "",
        ] {
            assert_eq!(CacheKey::named(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_file_is_hashed_by_its_bytes_and_its_version_shows_possible_changes() {
        let folder = tempfile::tempdir().unwrap();
        let one = folder.path().join("one");
        let other = folder.path().join("other");
        let key = |path: &Path| {
            let mut hasher = KeyHasher::of("test");
            let version = hasher.add_file(path).unwrap();
            (hasher.finish(), version)
        };
        fs::write(&one, "text").unwrap();
        fs::write(&other, "text").unwrap();
        let (first, version) = key(&one);
        assert_eq!(first, key(&other).0);
        assert_eq!(Some(version), FileVersion::now(&one));
        fs::rename(&other, &one).unwrap();
        assert_ne!(Some(version), FileVersion::now(&one));
        fs::write(&one, "texts").unwrap();
        assert_ne!(first, key(&one).0);
        assert_eq!(FileVersion::now(&other), None);
    }
}

#[cfg(test)]
mod digests_tests {
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
