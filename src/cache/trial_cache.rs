//! The cache while a judge uses it: its folder, the facts in all its keys, how much may
//! be added, and the problems to report. Knows nothing of single programs.
//!
//! It stores what takes long to make or read, besides trials: what compilers have made,
//! compressed, in one file for each program; digests, such as those of the files of a
//! compiler; and the time limits that were measured on this machine, so that a package
//! has the same limit every time. The state of the files of a digest (inode, size and
//! times) only says whether the digest is still valid. It is no part of any key, so
//! results stay valid on another machine with the same contents.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use data_encoding::HEXLOWER;
use elf::ElfStream;
use elf::endian::AnyEndian;
use elf::note::{Note, NoteGnuBuildId, NoteIterator};
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use gridjudge_sandbox::Fault;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::cache::dir::{self, LIMIT_PREFIX};
use crate::cache::key::{FilesInState, state_of_files};
use crate::cache::{
    BUILD_PREFIX, CacheDir, CacheKey, FileVersion, KeyHasher, KeyWithFiles,
    Reservation,
};
use crate::text::counted;

/// The version of the way in which keys are computed and trials are written, raised
/// when either changes.
const VERSION: &str = "gridjudge cache 3";

/// The unit in which most file systems give room to a file.
pub(super) const DEFAULT_BLOCK_BYTES: u64 = 4096;

/// A cache of trials.
pub struct Cache {
    pub(super) place: CacheDir,
    /// The most bytes that it may take on the disk when it is closed, and that one
    /// judge may add.
    pub(super) most_bytes: u64,
    /// The machine and the judge that trials depend on.
    surroundings: Vec<String>,
    reservation: Mutex<Reservation>,
    damaged: AtomicUsize,
    /// Whether a digest was stored.
    has_new_digests: AtomicBool,
    /// Set by others when nothing that is being computed is needed any more.
    is_stopped: Arc<AtomicBool>,
    /// Why nothing is written any more, if so.
    failure: Mutex<Option<String>>,
}

impl Cache {
    /// Opens the cache in this folder, which is created if it is missing.
    /// `surroundings` are the facts that all runs have in common and verdicts depend
    /// on, besides this binary.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the folder cannot be created or opened, or if other users
    /// may write to it.
    pub fn open(
        path: &Path,
        most_bytes: u64,
        surroundings: &[String],
    ) -> Result<Self, Fault> {
        let place = CacheDir::make(path)?;
        Ok(Self {
            place,
            most_bytes,
            surroundings: [surroundings, &[this_judge()]].concat(),
            reservation: Mutex::default(),
            damaged: AtomicUsize::new(0),
            has_new_digests: AtomicBool::new(false),
            is_stopped: Arc::default(),
            failure: Mutex::new(None),
        })
    }

    /// The flag that ends the computing of digests soon, without any: for an
    /// interruption, from any thread.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_stopped)
    }

    /// Whether nothing that is being computed is needed any more.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// A hasher for the key of a program, which already contains the surroundings.
    pub fn program(&self) -> KeyHasher {
        let hasher = KeyHasher::for_purpose(VERSION);
        self.surroundings.iter().fold(hasher, KeyHasher::with)
    }

    /// Trims the cache to its size, and returns sentences about the problems that it
    /// had.
    pub fn close(self) -> Vec<String> {
        let path = self.place.path().display();
        let mut notes = vec![];
        if let damaged @ 1.. = self.damaged.into_inner() {
            let lines = counted(damaged, "damaged line");
            notes.push(format!(
                "the cache at {path} had {lines}, which were ignored and removed"
            ));
        }
        if self.has_new_digests.into_inner() {
            // If that fails, the next judge tries again.
            let _ = self.place.trim_digests();
        }
        let reservation = self.reservation.into_inner();
        let trimmed = if reservation.written > 0 {
            self.place.end_reservation(reservation, self.most_bytes)
        } else {
            Ok(())
        };
        let failure = self.failure.into_inner();
        if let Some(failure) =
            failure.or_else(|| trimmed.err().map(|error| error.to_string()))
        {
            notes.push(format!(
                "the cache at {path} could not store all results: {failure}"
            ));
        }
        notes
    }

    /// Whether this many more bytes may be written. Counts them as written.
    pub(super) fn has_room_for(&self, bytes: u64) -> bool {
        let mut reservation = self.reservation.lock();
        let written = reservation.written.saturating_add(bytes);
        let has_room = written <= self.most_bytes && self.failure.lock().is_none();
        if has_room {
            self.place.reserve(&mut reservation, written);
        }
        has_room
    }

    /// Records a failure, after which nothing is written any more: another attempt
    /// would probably fail too, and take time.
    pub(super) fn stop_writing(&self, error: &io::Error) {
        self.failure.lock().get_or_insert_with(|| error.to_string());
    }

    pub(super) fn note_damage(&self, lines: usize) {
        self.damaged.fetch_add(lines, Ordering::Relaxed);
    }

    /// The digest that `compute` gets from these files. It is computed again only if
    /// one of them has changed, appeared or vanished. `purpose` distinguishes digests
    /// of the same files.
    ///
    /// Returns `None` if `compute` does, if a file changes in the meantime, or if the
    /// cache is stopped.
    pub fn digest(
        &self,
        purpose: &str,
        files: Vec<PathBuf>,
        compute: impl FnOnce(&[PathBuf]) -> Option<CacheKey>,
    ) -> Option<KeyWithFiles> {
        let (key, newest_change) = state_of_files(purpose, &files);
        let state = FilesInState {
            purpose: purpose.to_owned(),
            files,
            key,
        };
        let known = self.place.digest(&key);
        let key = known.or_else(|| {
            // What takes long in `compute` ends early once the cache is stopped, with
            // whatever it has by then.
            let digest = compute(&state.files)?;
            if self.is_stopped() || !state.is_current() {
                return None;
            }
            // If it cannot be stored, it is computed again the next time.
            let stored = self.place.store_digest(&key, &digest, newest_change);
            if stored.unwrap_or(false) {
                self.has_new_digests.store(true, Ordering::Relaxed);
            }
            Some(digest)
        })?;
        Some(KeyWithFiles {
            key,
            files: vec![],
            looked_at: vec![Arc::new(state)],
        })
    }

    /// What was stored for a program. A file that is damaged is removed.
    pub fn stored_build(&self, program: &CacheKey) -> Option<Vec<u8>> {
        let file = self.place.build(program)?;
        let mut stored = vec![];
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
            None => _ = self.place.remove_file(BUILD_PREFIX, program),
        }
        contents
    }

    /// Stores what a compiler has made, unless it is stored already. If that fails, no
    /// more builds are stored.
    pub fn store_build(&self, program: &CacheKey, contents: &[u8]) {
        if contents.len() as u64 > MOST_BUILD_BYTES {
            return;
        }
        let mut compressed = vec![];
        let mut encoder = DeflateEncoder::new(contents, Compression::fast());
        if encoder.read_to_end(&mut compressed).is_err() {
            return;
        }
        let stored =
            [&checksum(program, &compressed).bytes()[..], &compressed].concat();
        let bytes = (stored.len() as u64).next_multiple_of(DEFAULT_BLOCK_BYTES);
        let mut reservation = self.reservation.lock();
        let builds = reservation.builds.saturating_add(bytes);
        // One judge adds builds to half of the cache at most.
        if builds > self.most_bytes / 2 {
            return;
        }
        reservation.builds = builds;
        drop(reservation);
        // Trials take less room than builds, and need not stop when these do.
        if self.has_room_for(bytes)
            && self.place.store_build(program, &stored).is_err()
        {
            self.reservation.lock().builds = u64::MAX;
        }
    }
}

/// Identifies this judge by the contents of its binary: the version alone does not
/// distinguish builds, which matters while the checker is being changed. A binary
/// without a build id is identified by its file, which another copy of it is not.
fn this_judge() -> String {
    let binary = Path::new("/proc/self/exe");
    let contents =
        build_id(binary).unwrap_or_else(|| format!("{:?}", FileVersion::now(binary)));
    format!("{} {contents}", env!("CARGO_PKG_VERSION"))
}

/// The build id of a program, in hexadecimal digits: a hash of its contents, which the
/// linker has stored in it. `None` if it has none that can be read. The whole file need
/// not be read, which matters at each start.
fn build_id(program: &Path) -> Option<String> {
    let file = File::open(program).ok()?;
    let mut program = ElfStream::<AnyEndian, _>::open_stream(file).ok()?;
    let segments = program.segments().clone();
    segments
        .iter()
        .find_map(|segment| id_in(program.segment_data_as_notes(segment).ok()?))
}

/// The build id among notes.
fn id_in(mut notes: NoteIterator<'_, AnyEndian>) -> Option<String> {
    notes.find_map(|note| match note {
        Note::GnuBuildId(NoteGnuBuildId(id)) if !id.is_empty() => {
            Some(HEXLOWER.encode(id))
        }
        _ => None,
    })
}

/// The most bytes of a program that is stored.
pub const MOST_BUILD_BYTES: u64 = 16 << 20;

/// The length of the checksum at the start of a file.
const CHECKSUM_BYTES: usize = 32;

/// The contents of a file; `None` if it is damaged or belongs to another program.
fn contents_of(program: &CacheKey, stored: &[u8]) -> Option<Vec<u8>> {
    let (sum, compressed) = stored.split_at_checked(CHECKSUM_BYTES)?;
    if checksum(program, compressed).bytes() != sum {
        return None;
    }
    let mut contents = vec![];
    DeflateDecoder::new(compressed)
        .take(MOST_BUILD_BYTES)
        .read_to_end(&mut contents)
        .ok()?;
    Some(contents)
}

fn checksum(program: &CacheKey, compressed: &[u8]) -> CacheKey {
    KeyHasher::for_purpose("build")
        .with(program.bytes())
        .with(compressed)
        .finish()
}

/// A time limit that was measured.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptLimit {
    /// The package, as it was called when it was measured.
    pub package: String,
    /// The limit, in microseconds.
    pub limit_us: u64,
    /// How it was derived, a sentence.
    pub reason: String,
    /// The day, `2026-11-27`.
    pub measured: String,
}

/// Returns the limit that is kept for this package, if there is one and the cache can
/// be read.
pub fn kept_limit(path: &Path, package: &CacheKey) -> Option<KeptLimit> {
    let text = CacheDir::open(path).ok()??.text(LIMIT_PREFIX, package)?;
    serde_json::from_str(&text).ok()
}

/// Keeps a limit, unless another judge has just kept one for the same package. Returns
/// the one that is kept.
pub fn keep_limit(path: &Path, package: &CacheKey, limit: KeptLimit) -> KeptLimit {
    let Ok(text) = serde_json::to_string(&limit) else {
        return limit;
    };
    let created = CacheDir::make(path)
        .ok()
        .and_then(|place| place.create(LIMIT_PREFIX, package).ok());
    if created.is_some_and(|mut file| file.write_all(text.as_bytes()).is_ok()) {
        limit
    } else {
        kept_limit(path, package).unwrap_or(limit)
    }
}

/// All limits that are kept in this folder, by package.
///
/// # Errors
/// Returns a [`Fault`] if the folder cannot be read, or if other users may write to it.
pub fn kept_limits(path: &Path) -> Result<Vec<KeptLimit>, Fault> {
    let Some(place) = CacheDir::open(path)? else {
        return Ok(vec![]);
    };
    let mut limits: Vec<KeptLimit> = place
        .keys(LIMIT_PREFIX)
        .map_err(Fault::at("listing the cache at", path))?
        .iter()
        .filter_map(|key| place.text(LIMIT_PREFIX, key))
        .filter_map(|text| serde_json::from_str(&text).ok())
        .collect();
    limits
        .sort_by_cached_key(|limit| (limit.package.clone(), limit.measured.clone()));
    Ok(limits)
}

#[cfg(test)]
mod build_id_tests {
    use std::fs;

    use super::*;

    fn note(name: &[u8], kind: u32, contents: &[u8]) -> Vec<u8> {
        let mut note = vec![];
        for number in [name.len() as u32, contents.len() as u32, kind] {
            note.extend(number.to_le_bytes());
        }
        for part in [name, contents] {
            note.extend(part);
            note.resize(note.len().next_multiple_of(4), 0);
        }
        note
    }

    #[test]
    fn the_build_id_is_found_among_other_notes() {
        let id = note(b"GNU\0", 3, b"\x01\xab\x00");
        let other = note(b"odd", 3, b"12345");
        let id_in = |notes: &[u8]| {
            let (endian, class) = (AnyEndian::Little, elf::file::Class::ELF64);
            super::id_in(NoteIterator::new(endian, class, 4, notes))
        };
        assert_eq!(
            id_in(&[other.clone(), id.clone()].concat()),
            Some("01ab00".into())
        );
        assert_eq!(id_in(&other), None);
        assert_eq!(id_in(&id[..id.len() - 4]), None);
        assert_eq!(id_in(&[0xff; 40]), None);
        assert_eq!(id_in(&[]), None);
    }

    #[test]
    fn a_copy_of_a_program_has_its_build_id() {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("copy");
        fs::copy("/proc/self/exe", &copy).unwrap();
        let own = build_id(Path::new("/proc/self/exe"));
        assert!(own.is_some());
        assert_eq!(build_id(&copy), own);
    }

    #[test]
    fn a_file_that_is_no_program_has_no_build_id() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for bytes in [
            &b""[..],
            b"#!/bin/sh\n",
            &[b"\x7fELF\x02\x01".as_slice(), &[0xff; 200]].concat(),
        ] {
            fs::write(&path, bytes).unwrap();
            assert_eq!(build_id(&path), None);
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
        let mut hasher = KeyHasher::for_purpose("test");
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
            found.map(|found| found.key)
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
                .key
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
                .key
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

#[cfg(test)]
mod stored_build_tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    fn key(name: &str) -> CacheKey {
        KeyHasher::for_purpose(name).finish()
    }

    fn files(folder: &tempfile::TempDir) -> Vec<PathBuf> {
        fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
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
        let [one, other] =
            [(); 2].map(|()| Cache::open(folder.path(), 1 << 20, &[]).unwrap());
        assert_eq!(one.stored_build(&key("a")), None);
        one.store_build(&key("a"), b"first");
        other.store_build(&key("a"), b"second");
        assert_eq!(other.stored_build(&key("a")).unwrap(), b"first");
        assert_eq!(other.stored_build(&key("b")), None);
    }

    #[test]
    fn a_file_that_is_damaged_cut_or_of_another_program_is_removed_and_can_be_stored_again()
     {
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
        assert!(
            cache.has_room_for(8000)
                && !cache.has_room_for(8000)
                && cache.has_room_for(192)
        );
    }
}

#[cfg(test)]
mod kept_limits_tests {
    use super::*;
    use crate::cache::key::KeyHasher;

    fn limit(limit_us: u64) -> KeptLimit {
        let package = "sum".into();
        let reason = "slow.py takes 1 s".into();
        let measured = "2026-11-27".into();
        KeptLimit {
            package,
            limit_us,
            reason,
            measured,
        }
    }

    #[test]
    fn the_first_limit_of_a_package_is_kept_until_the_cache_is_cleared() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache");
        let package = KeyHasher::for_purpose("a").finish();
        assert_eq!(kept_limit(&path, &package), None);
        assert_eq!(keep_limit(&path, &package, limit(2)), limit(2));
        assert_eq!(keep_limit(&path, &package, limit(1)), limit(2));
        assert_eq!(kept_limit(&path, &package), Some(limit(2)));
        assert_eq!(
            kept_limit(&path, &KeyHasher::for_purpose("b").finish()),
            None
        );
        assert_eq!(kept_limits(&path).unwrap(), [limit(2)]);
        crate::cache::clear_cache(&path).unwrap();
        assert_eq!(kept_limits(&path).unwrap(), []);
    }
}
