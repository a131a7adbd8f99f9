//! The cache while a judge uses it: its folder, the facts in all its keys, how much may be added,
//! and the problems to report. Knows nothing of single programs.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use gridjudge_sandbox::Fault;
use parking_lot::{Mutex, MutexGuard};

use crate::cache::{CacheDir, FileVersion, KeyHasher, Reservation};
use crate::text::counted;

/// The version of the way in which keys are computed and trials are written, raised when either
/// changes.
const VERSION: &str = "gridjudge cache 2";

/// The unit in which most file systems give room to a file.
pub(super) const USUAL_BLOCK_BYTES: u64 = 4096;

/// A cache of trials.
pub struct Cache {
    pub(super) place: CacheDir,
    /// The most bytes that it may take on the disk when it is closed, and that one judge may add.
    pub(super) most_bytes: u64,
    /// The machine and the judge that trials depend on.
    surroundings: Vec<String>,
    added: AtomicU64,
    /// The bytes of builds among them.
    added_builds: AtomicU64,
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
    /// Opens the cache in this folder, which is created if it is missing. `surroundings` are the
    /// facts that all runs have in common and verdicts depend on, besides this binary.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the folder cannot be created or opened, or if other users may write
    /// to it.
    pub fn open(path: &Path, most_bytes: u64, surroundings: &[String]) -> Result<Self, Fault> {
        let place = CacheDir::make(path)?;
        Ok(Self {
            place,
            most_bytes,
            surroundings: [surroundings, &[this_judge()]].concat(),
            added: AtomicU64::new(0),
            added_builds: AtomicU64::new(0),
            reservation: Mutex::default(),
            damaged: AtomicUsize::new(0),
            has_new_digests: AtomicBool::new(false),
            is_stopped: Arc::default(),
            failure: Mutex::new(None),
        })
    }

    /// The flag that ends the computing of digests soon, without any: for an interruption, from any
    /// thread.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_stopped)
    }

    /// Whether nothing that is being computed is needed any more.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// A hasher for the key of a program, which already contains the surroundings.
    pub fn program(&self) -> KeyHasher {
        let mut hasher = KeyHasher::of(VERSION);
        self.surroundings.iter().for_each(|fact| hasher.add(fact));
        hasher
    }

    /// Trims the cache to its size, and returns sentences about the problems that it had.
    pub fn close(self) -> Vec<String> {
        let path = self.place.path().display();
        let mut notes = Vec::new();
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
        let trimmed = match self.added.into_inner() {
            0 => Ok(()),
            added => self
                .place
                .end_reservation(reservation, added, self.most_bytes),
        };
        let failure = self.failure.into_inner();
        if let Some(failure) = failure.or_else(|| trimmed.err().map(|error| error.to_string())) {
            notes.push(format!(
                "the cache at {path} could not store all results: {failure}"
            ));
        }
        notes
    }

    /// Whether this many more bytes of builds may be written, of which one judge adds half of the
    /// cache at most. Counts them as written.
    pub(super) fn has_room_for_build(&self, bytes: u64) -> bool {
        let bytes = bytes.next_multiple_of(USUAL_BLOCK_BYTES);
        let most_bytes = self.most_bytes / 2;
        let added = self
            .added_builds
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |added| {
                added
                    .checked_add(bytes)
                    .filter(|added| *added <= most_bytes)
            });
        added.is_ok() && self.has_room_for(bytes)
    }

    /// Stores no more builds.
    pub(super) fn stop_storing_builds(&self) {
        self.added_builds.store(u64::MAX, Ordering::Relaxed);
    }

    /// Whether this many more bytes may be written. Counts them as written.
    pub(super) fn has_room_for(&self, bytes: u64) -> bool {
        let added = self
            .added
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |added| {
                added
                    .checked_add(bytes)
                    .filter(|added| *added <= self.most_bytes)
            });
        let Some(added) = added.ok().map(|before| before + bytes) else {
            return false;
        };
        if self.lock_failure().is_some() {
            return false;
        }
        let mut reservation = self.reservation.lock();
        self.place.reserve(&mut reservation, added);
        true
    }

    /// Records a failure, after which nothing is written any more: another attempt would probably
    /// fail too, and take time.
    pub(super) fn stop_writing(&self, error: &io::Error) {
        self.lock_failure().get_or_insert_with(|| error.to_string());
    }

    pub(super) fn note_damage(&self, lines: usize) {
        self.damaged.fetch_add(lines, Ordering::Relaxed);
    }

    pub(super) fn count_digest(&self) {
        self.has_new_digests.store(true, Ordering::Relaxed);
    }

    fn lock_failure(&self) -> MutexGuard<'_, Option<String>> {
        self.failure.lock()
    }
}

/// Identifies this judge by the contents of its binary: the version alone does not distinguish
/// builds, which matters while the checker is being changed. A binary without a build id is
/// identified by its file, which another copy of it is not.
fn this_judge() -> String {
    let binary = Path::new("/proc/self/exe");
    let contents = build_id(binary).unwrap_or_else(|| format!("{:?}", FileVersion::now(binary)));
    format!("{} {contents}", env!("CARGO_PKG_VERSION"))
}

// Reads the build id of a program: a hash of its contents, which the linker has stored in it. The
// whole file need not be read, which matters at each start. Source: the ELF-64 object file format,
// and the note `NT_GNU_BUILD_ID`.

/// The type of a program header that describes notes.
const NOTES: u32 = 4;
/// The type of the note with the build id.
const BUILD_ID: u32 = 3;
/// The most bytes of notes, and the most program headers, that are read.
const MOST_BYTES: u64 = 1 << 16;
const MOST_HEADERS: u16 = 256;

/// The build id of a program, in hexadecimal digits; `None` if it has none that can be read.
fn build_id(program: &Path) -> Option<String> {
    let file = File::open(program).ok()?;
    let mut header = [0; 64];
    file.read_exact_at(&mut header, 0).ok()?;
    // Magic number, 64 bits, least significant byte first.
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let table = number(&header, 32, 8)?;
    let size = number(&header, 54, 2)?;
    let count = number(&header, 56, 2)?.min(u64::from(MOST_HEADERS));
    (0..count).find_map(|index| {
        let mut entry = [0; 56];
        file.read_exact_at(&mut entry, table.checked_add(index * size)?)
            .ok()?;
        let is_notes = number(&entry, 0, 4)? == u64::from(NOTES);
        if is_notes {
            id_in(&read(&file, number(&entry, 8, 8)?, number(&entry, 32, 8)?).ok()?)
        } else {
            None
        }
    })
}

/// The build id among notes: each has the lengths of its name and contents, its type, and both,
/// padded to four bytes.
fn id_in(notes: &[u8]) -> Option<String> {
    let mut rest = notes;
    loop {
        let name = usize::try_from(number(rest, 0, 4)?).ok()?;
        let length = usize::try_from(number(rest, 4, 4)?).ok()?;
        let kind = number(rest, 8, 4)?;
        let start = 12_usize.checked_add(name.next_multiple_of(4))?;
        let contents = rest.get(start..start.checked_add(length)?)?;
        if kind == u64::from(BUILD_ID) && rest.get(12..16)? == b"GNU\0" && !contents.is_empty() {
            return Some(contents.iter().map(|byte| format!("{byte:02x}")).collect());
        }
        rest = rest.get(start.checked_add(length.next_multiple_of(4))?..)?;
    }
}

/// The number of this many bytes at this place, least significant byte first.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + length)?;
    Some(
        bytes
            .iter()
            .rev()
            .fold(0, |number, byte| number << 8 | u64::from(*byte)),
    )
}

fn read(file: &File, at: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length.min(MOST_BYTES)).unwrap_or(0)];
    file.read_exact_at(&mut bytes, at)?;
    Ok(bytes)
}

#[cfg(test)]
mod build_id_tests {
    use std::fs;

    use super::*;

    fn note(name: &[u8], kind: u32, contents: &[u8]) -> Vec<u8> {
        let mut note = Vec::new();
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
