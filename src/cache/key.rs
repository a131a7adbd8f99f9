//! The keys of cached trials: hashes of everything that a verdict depends on, and what
//! they were computed from. Knows how to hash files and facts; callers decide which of
//! them matter.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::OFlags;

/// A hash of everything that identifies a program, or a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheKey([u8; 32]);

/// Computes a key. Hashes each part with its length, so that different lists of parts
/// never give the same bytes.
pub struct KeyHasher {
    parts: blake3::Hasher,
    /// What [`KeyWithFiles`] will say that the key was computed from.
    files: Vec<(PathBuf, FileVersion)>,
    looked_at: Vec<Arc<FilesInState>>,
}

/// A key, and the version of each file that it was computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyWithFiles {
    /// The key.
    pub key: CacheKey,
    pub(super) files: Vec<(PathBuf, FileVersion)>,
    /// What was looked at to identify the tools: up to some thousand files and folders.
    pub(super) looked_at: Vec<Arc<FilesInState>>,
}

/// Files, and the state that they were in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FilesInState {
    pub(super) purpose: String,
    pub(super) files: Vec<PathBuf>,
    pub(super) key: CacheKey,
}

/// The state of a file when it was read. As long as it is unchanged, so are the file's
/// bytes.
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
    pub fn for_purpose(purpose: &str) -> Self {
        Self {
            parts: blake3::Hasher::new(),
            files: vec![],
            looked_at: vec![],
        }
        .with(purpose)
    }

    /// Adds a fact.
    pub fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.parts
            .update(&(part.len() as u64).to_le_bytes())
            .update(part);
    }

    /// The same hasher with a fact added.
    #[must_use]
    pub fn with(mut self, part: impl AsRef<[u8]>) -> Self {
        self.add(part);
        self
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
    pub fn add_opened(&mut self, file: File) -> io::Result<FileVersion> {
        let found = file.metadata()?;
        let length = found.len();
        let before = self.parts.update(&length.to_le_bytes()).count();
        // One more byte shows whether the file has grown.
        let read = self.parts.update_reader(file.take(length + 1))?.count() - before;
        if read != length {
            return Err(io::Error::other("it changes while it is read"));
        }
        Ok(FileVersion::from(&found))
    }

    /// Adds the bytes of files, and remembers their versions.
    ///
    /// # Errors
    /// As [`add_file`](Self::add_file).
    pub fn add_files<'a>(
        &mut self,
        files: impl IntoIterator<Item = &'a PathBuf>,
    ) -> io::Result<()> {
        for path in files {
            let version = self.add_file(path)?;
            self.remember(path, version);
        }
        Ok(())
    }

    /// Adds a key after what it is of, and remembers all that it was computed from.
    pub fn add_key(&mut self, what: &str, known: &KeyWithFiles) {
        self.add(format!("{what} {}", known.key));
        self.files.extend_from_slice(&known.files);
        self.looked_at.extend_from_slice(&known.looked_at);
    }

    /// Remembers that the key is computed from this version of a file.
    pub fn remember(&mut self, path: &Path, version: FileVersion) {
        self.files.push((path.to_owned(), version));
    }

    /// The key of all parts.
    pub fn finish(&self) -> CacheKey {
        CacheKey(self.parts.finalize().into())
    }

    /// The key of all parts, and what it was computed from as far as that is
    /// remembered.
    pub fn finish_with_files(self) -> KeyWithFiles {
        KeyWithFiles {
            key: self.finish(),
            files: self.files,
            looked_at: self.looked_at,
        }
    }
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

impl FilesInState {
    /// Whether none of the files has changed, appeared or vanished.
    pub(super) fn is_current(&self) -> bool {
        state_of_files(&self.purpose, &self.files).0 == self.key
    }
}

/// The state of some files, and the latest change of any of them, in seconds since 1970.
pub(super) fn state_of_files(purpose: &str, files: &[PathBuf]) -> (CacheKey, i64) {
    let mut hasher = KeyHasher::for_purpose("state of files").with(purpose);
    let mut newest_change = 0;
    for path in files {
        hasher.add(path.as_os_str().as_encoded_bytes());
        let version = FileVersion::now(path);
        hasher.add(format!("{version:?}"));
        newest_change =
            newest_change.max(version.map_or(0, |version| version.change_seconds()));
    }
    (hasher.finish(), newest_change)
}

impl FileVersion {
    /// The current version of a file; `None` if it does not exist.
    pub fn now(path: &Path) -> Option<Self> {
        path.metadata().ok().as_ref().map(Self::from)
    }

    /// When the file, its permissions or its owner were last changed, in seconds since
    /// 1970.
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn key(parts: &[&str]) -> CacheKey {
        let mut hasher = KeyHasher::for_purpose("test");
        for part in parts {
            hasher.add(part);
        }
        hasher.finish()
    }

    #[test]
    fn a_key_depends_on_where_parts_end() {
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
        for other in [&["a", "bc"][..], &["abc"], &["ab", "c", ""], &["c", "ab"]] {
            assert_ne!(key(&["ab", "c"]), key(other), "{other:?}");
        }
        assert_ne!(
            KeyHasher::for_purpose("a").finish(),
            KeyHasher::for_purpose("b").finish()
        );
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
            let mut hasher = KeyHasher::for_purpose("test");
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
