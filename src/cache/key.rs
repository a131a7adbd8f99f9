//! The keys of cached trials: hashes of everything that a verdict depends on. Knows how
//! to hash files and facts; callers decide which of them matter.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// A hash of everything that identifies a program, or a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheKey([u8; 32]);

/// Computes a key. Hashes each part with its length, so that different lists of parts
/// never give the same bytes.
pub struct KeyHasher(blake3::Hasher);

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
        Self(blake3::Hasher::new()).with(purpose)
    }

    /// Adds a fact.
    pub fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0
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
        let before = self.0.update(&length.to_le_bytes()).count();
        // One more byte shows whether the file has grown.
        let read = self.0.update_reader(file.take(length + 1))?.count() - before;
        if read != length {
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
