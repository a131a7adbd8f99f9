//! What trials are known by: hashes of all that a verdict depends on. Knows how to hash files and facts; which of them
//! matter is for others to say.

use std::fmt;
use std::fs::File;
use std::fs::Metadata;
use std::io;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

/// Bytes of a file that are in memory at once.
const CHUNK: usize = 1 << 16;

/// A hash of everything that makes a program, or a case, what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheKey([u8; 32]);

/// Takes parts one by one, each with its length, so that no two lists of parts are alike.
pub struct KeyHasher(blake3::Hasher);

/// What a file was when it was read. If it is the same later, so are its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileVersion([i64; 7]);

impl CacheKey {
    /// How many letters its name has.
    pub(super) const LETTERS: usize = 64;

    /// The key of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        let key = Self(blake3::Hash::from_hex(name).ok()?.into());
        // One key, one name: no capital letters.
        (key.to_string() == name).then_some(key)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for CacheKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&blake3::Hash::from(self.0).to_hex())
    }
}

impl KeyHasher {
    /// For keys of this purpose alone.
    pub fn of(purpose: &str) -> Self {
        let mut hasher = Self(blake3::Hasher::new());
        hasher.add(purpose);
        hasher
    }

    /// Adds a fact.
    pub fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0.update(&(part.len() as u64).to_le_bytes()).update(part);
    }

    /// Adds the bytes of a file, and says what the file was.
    ///
    /// # Errors
    /// Whatever keeps it from being read; also if it grows or shrinks meanwhile.
    pub fn add_file(&mut self, path: &Path) -> io::Result<FileVersion> {
        // What was a file when it was named may be a pipe by now.
        let flags = OFlags::NONBLOCK.bits().cast_signed();
        let mut file = File::options().read(true).custom_flags(flags).open(path)?;
        let found = file.metadata()?;
        let before = self.0.update(&found.len().to_le_bytes()).count();
        let read = |hasher: &Self| hasher.0.count() - before;
        // Most are small: one read, and no second one to meet the end. One byte of room more tells if they have grown.
        let mut buffer = vec![0; usize::try_from(found.len() + 1).map_or(CHUNK, |length| length.min(CHUNK))];
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

    /// The key of all parts.
    pub fn finish(&self) -> CacheKey {
        CacheKey(self.0.finalize().into())
    }
}

impl FileVersion {
    /// What a file is now; none if it is not there.
    pub fn now(path: &Path) -> Option<Self> {
        path.metadata().ok().as_ref().map(Self::from)
    }
}

impl From<&Metadata> for FileVersion {
    /// Its change time too: unlike the time of its contents, nobody can set it back.
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
        let mut hasher = KeyHasher::of("test");
        parts.iter().for_each(|part| hasher.add(part));
        hasher.finish()
    }

    #[test]
    fn where_a_part_ends_counts() {
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
        for other in [&["a", "bc"][..], &["abc"], &["ab", "c", ""], &["c", "ab"]] {
            assert_ne!(key(&["ab", "c"]), key(other), "{other:?}");
        }
        assert_ne!(KeyHasher::of("a").finish(), KeyHasher::of("b").finish());
    }

    #[test]
    fn a_key_has_one_name() {
        let name = key(&["a"]).to_string();
        assert_eq!((name.len(), CacheKey::named(&name)), (CacheKey::LETTERS, Some(key(&["a"]))));
        for bad in [&name[1..], &name.to_uppercase(), &format!("{}x", &name[1..]), ""] {
            assert_eq!(CacheKey::named(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_file_counts_by_its_bytes_and_a_stamp_tells_when_they_may_have_changed() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        let key = |path: &Path| {
            let mut hasher = KeyHasher::of("test");
            let stamp = hasher.add_file(path).unwrap();
            (hasher.finish(), stamp)
        };
        fs::write(&one, "text").unwrap();
        fs::write(&other, "text").unwrap();
        let (first, stamp) = key(&one);
        assert_eq!(first, key(&other).0);
        assert_eq!(Some(stamp), FileVersion::now(&one));
        fs::rename(&other, &one).unwrap();
        assert_ne!(Some(stamp), FileVersion::now(&one));
        fs::write(&one, "texts").unwrap();
        assert_ne!(first, key(&one).0);
        assert_eq!(FileVersion::now(&other), None);
    }
}
