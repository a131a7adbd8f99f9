//! Stores what compilers have made, compressed, in one file for each program. Knows bytes and their
//! checksum; knows nothing of what they describe.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::cache::{Cache, CacheKey, KeyHasher, dir};

/// The most bytes of a program that is stored.
pub const MOST_BUILD_BYTES: u64 = 16 << 20;

/// The length of the checksum at the start of a file.
const CHECKSUM_BYTES: usize = 32;

impl Cache {
    /// What was stored for a program. A file that is damaged is removed.
    pub fn stored_build(&self, program: &CacheKey) -> Option<Vec<u8>> {
        let file = self.place.build(program)?;
        let mut stored = Vec::new();
        // Compressing may add a few bytes.
        (&file)
            .take(2 * MOST_BUILD_BYTES)
            .read_to_end(&mut stored)
            .ok()?;
        if stored.is_empty() {
            // Another judge has just created it.
            return None;
        }
        let contents = contents_of(program, &stored);
        match contents {
            Some(_) => dir::touch(&file),
            // If that fails, the next judge tries again.
            None => _ = self.place.remove_build(program),
        }
        contents
    }

    /// Stores what a compiler has made, unless it is stored already. If that fails, no more builds
    /// are stored.
    pub fn store_build(&self, program: &CacheKey, contents: &[u8]) {
        if contents.len() as u64 > MOST_BUILD_BYTES {
            return;
        }
        let compressed = DeflateEncoder::new(Vec::new(), Compression::fast());
        let Ok(compressed) = write_all(compressed, contents) else {
            return;
        };
        let stored = [&checksum(program, &compressed).bytes()[..], &compressed].concat();
        // Trials take less room than builds, and need not stop when these do.
        if self.has_room_for_build(stored.len() as u64)
            && self.place.store_build(program, &stored).is_err()
        {
            self.stop_storing_builds();
        }
    }
}

fn write_all(mut encoder: DeflateEncoder<Vec<u8>>, contents: &[u8]) -> std::io::Result<Vec<u8>> {
    encoder.write_all(contents)?;
    encoder.finish()
}

/// The contents of a file; `None` if it is damaged or belongs to another program.
fn contents_of(program: &CacheKey, stored: &[u8]) -> Option<Vec<u8>> {
    let (sum, compressed) = stored.split_at_checked(CHECKSUM_BYTES)?;
    if checksum(program, compressed).bytes() != sum {
        return None;
    }
    let mut contents = Vec::new();
    DeflateDecoder::new(compressed)
        .take(MOST_BUILD_BYTES)
        .read_to_end(&mut contents)
        .ok()?;
    Some(contents)
}

fn checksum(program: &CacheKey, compressed: &[u8]) -> CacheKey {
    let mut hasher = KeyHasher::of("build");
    hasher.add(program.bytes());
    hasher.add(compressed);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    fn key(name: &str) -> CacheKey {
        KeyHasher::of(name).finish()
    }

    fn files(folder: &tempfile::TempDir) -> Vec<PathBuf> {
        let paths = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path());
        paths
            .filter(|path| path.to_str().unwrap().contains(dir::BUILD_PREFIX))
            .collect()
    }

    fn only_file(folder: &tempfile::TempDir) -> PathBuf {
        let files = files(folder);
        assert_eq!(files.len(), 1, "{files:?}");
        files[0].clone()
    }

    #[test]
    fn what_was_stored_is_found_by_any_judge_and_only_for_its_program() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = [(); 2].map(|()| Cache::open(folder.path(), 1 << 20, &[]).unwrap());
        assert_eq!(one.stored_build(&key("a")), None);
        one.store_build(&key("a"), b"first");
        other.store_build(&key("a"), b"second");
        assert_eq!(other.stored_build(&key("a")).unwrap(), b"first");
        assert_eq!(other.stored_build(&key("b")), None);
    }

    #[test]
    fn a_file_that_is_damaged_cut_or_of_another_program_is_removed_and_can_be_stored_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), 1 << 20, &[]).unwrap();
        cache.store_build(&key("b"), &[b'x'; 5000]);
        let path = only_file(&folder);
        let of_another = fs::read(&path).unwrap();
        fs::remove_file(path).unwrap();
        cache.store_build(&key("a"), &[b'y'; 5000]);
        let right = fs::read(only_file(&folder)).unwrap();
        let mut changed = right.clone();
        *changed.last_mut().unwrap() ^= 1;
        for damaged in [
            &right[..1],
            &right[..31],
            &right[..right.len() - 1],
            &changed,
            &of_another,
        ] {
            fs::write(only_file(&folder), damaged).unwrap();
            assert_eq!(cache.stored_build(&key("a")), None);
            assert!(files(&folder).is_empty());
            cache.store_build(&key("a"), &[b'y'; 5000]);
            assert_eq!(cache.stored_build(&key("a")).unwrap(), [b'y'; 5000]);
        }
    }

    #[test]
    fn an_empty_file_of_a_judge_that_was_killed_is_filled_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), 1 << 20, &[]).unwrap();
        cache.store_build(&key("a"), b"a");
        fs::write(only_file(&folder), "").unwrap();
        assert_eq!(cache.stored_build(&key("a")), None);
        cache.store_build(&key("a"), b"a");
        assert_eq!(cache.stored_build(&key("a")).unwrap(), b"a");
    }

    #[test]
    fn one_judge_stores_builds_in_half_of_the_room_and_the_rest_is_left_for_trials() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), 4 * 4096, &[]).unwrap();
        let stored = ["a", "b", "c"].map(|name| {
            cache.store_build(&key(name), b"small");
            cache.stored_build(&key(name)).is_some()
        });
        assert_eq!(stored, [true, true, false]);
        assert!(cache.has_room_for(8000) && !cache.has_room_for(8000) && cache.has_room_for(192));
    }
}
