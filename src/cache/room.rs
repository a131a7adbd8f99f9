//! How much room the cache takes on the disk, and which files are removed to make room.
//! A small file holds an estimate, so that the folder is listed only when the estimate
//! exceeds the limit, or is missing or damaged.
//!
//! A judge adds what it is going to write before it writes it, in large steps, and
//! takes back what it did not write when it ends. So a judge that is killed leaves the
//! estimate too high, which costs one listing. It is too low, by one step, only if
//! another judge listed the folder before that one was killed. The file is never waited
//! for: a judge that finds it locked removes it, and the next one lists the folder. No
//! times count.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};

use rustix::fs::{AtFlags, FlockOperation, OFlags};

use crate::cache::{BUILD_PREFIX, CacheDir, StoredFile};

/// The name of the file with the estimate.
const NAME: &str = "estimated-size";

/// The bytes that are added to the estimate at once, or more if more are needed.
const STEP: u64 = 1 << 20;

/// The letters of a number in the file, and of the whole.
const DIGITS: usize = 20;
const LENGTH: usize = 2 * DIGITS + 2;

/// An estimate of how many bytes the files take.
#[derive(Clone, Copy, Debug, PartialEq)]
struct EstimatedSize {
    /// A number drawn by the judge that last listed the folder. What was reserved
    /// before that is not in `bytes`.
    listing: u64,
    bytes: u64,
}

/// What one judge has added to the estimate in advance.
#[derive(Default)]
pub(super) struct Reservation {
    /// The bytes that it is going to have written in all.
    pub(super) written: u64,
    /// Those of builds among them.
    pub(super) builds: u64,
    /// The bytes that it may write before it must reserve more.
    covered: u64,
    /// The listing of the estimate, and the bytes that were added to it.
    counted: Option<EstimatedSize>,
}

impl CacheDir {
    /// Reserves room for a judge that is going to have written this many bytes in all.
    pub(super) fn reserve(&self, reservation: &mut Reservation, written: u64) {
        reservation.written = written;
        if written <= reservation.covered {
            return;
        }
        let bytes = STEP.max(written - reservation.covered);
        reservation.covered += bytes;
        let counted = self.locked_size(OFlags::empty()).and_then(|file| {
            let size = EstimatedSize::read(&file)?;
            EstimatedSize {
                bytes: size.bytes.saturating_add(bytes),
                ..size
            }
            .write(&file)?;
            Some(size.listing)
        });
        let Some(listing) = counted else {
            return self.forget_size();
        };
        let before = reservation
            .counted
            .filter(|before| before.listing == listing);
        let bytes = before.map_or(bytes, |before| before.bytes + bytes);
        reservation.counted = Some(EstimatedSize { listing, bytes });
    }

    /// Ends a reservation. If the files take more than `most_bytes` by the estimate,
    /// removes some.
    ///
    /// # Errors
    /// Fails if the folder cannot be listed.
    pub(super) fn end_reservation(
        &self,
        reservation: Reservation,
        most_bytes: u64,
    ) -> io::Result<()> {
        let Some(file) = self.locked_size(OFlags::CREATE) else {
            self.forget_size();
            return self.trim(most_bytes).map(drop);
        };
        if let Some(size) = EstimatedSize::read(&file) {
            let counted = reservation
                .counted
                .filter(|counted| counted.listing == size.listing);
            let unused = counted.map_or(0, |counted| counted.bytes);
            let before = size.bytes.saturating_sub(unused);
            let bytes = before.saturating_add(reservation.written);
            if bytes <= most_bytes
                && (EstimatedSize { bytes, ..size }).write(&file).is_some()
            {
                return Ok(());
            }
        }
        let listing = RandomState::new().hash_one(NAME);
        let bytes = self.trim(most_bytes)?;
        // It may have been longer.
        let is_empty = file.set_len(0).is_ok();
        if !is_empty || (EstimatedSize { listing, bytes }).write(&file).is_none() {
            self.forget_size();
        }
        Ok(())
    }

    /// Removes the estimate, so that the next judge that adds something lists the
    /// folder.
    pub(super) fn forget_size(&self) {
        let _ = rustix::fs::unlinkat(&self.folder, NAME, AtFlags::empty());
    }

    /// The file with the estimate, which no other judge uses at the same time; `None`
    /// if there is none, or if one does.
    fn locked_size(&self, flags: OFlags) -> Option<File> {
        let lock = FlockOperation::NonBlockingLockExclusive;
        let (file, found) = self.locked(NAME, OFlags::RDWR | flags, lock).ok()??;
        // Another judge may just have removed it.
        (found.nlink() > 0).then_some(file)
    }

    /// If all files take more than `most_bytes` on the disk, removes some until the
    /// others take nine tenths of that, the least recently used ones first, but first
    /// of all builds that take more than half of it. A file in use is not removed.
    /// Returns the bytes that those left take.
    ///
    /// # Errors
    /// Fails if the folder cannot be listed.
    fn trim(&self, most_bytes: u64) -> io::Result<u64> {
        let mut stored_files = self.stored_files()?;
        let mut used_bytes = 0;
        let mut build_bytes = 0;
        for file in &stored_files {
            used_bytes += file.used_bytes;
            build_bytes += build_bytes_of(file);
        }
        if used_bytes <= most_bytes {
            return Ok(used_bytes);
        }
        let enough = most_bytes / 10 * 9;
        stored_files.sort_unstable_by_key(|file| {
            (file.last_used, *file.key.bytes(), file.prefix)
        });
        // A build is as large as the trials of a hundred programs, so builds get half
        // of the room at most.
        for only_builds in [true, false] {
            stored_files.retain(|file| {
                let is_surplus = build_bytes > most_bytes / 2;
                let may_be = !only_builds || is_surplus && build_bytes_of(file) > 0;
                let name = format!("{}{}", file.prefix, file.key);
                let is_removed = used_bytes > enough
                    && may_be
                    && self.opened(&name, OFlags::RDONLY).is_ok_and(|unused| {
                        let lock = FlockOperation::NonBlockingLockExclusive;
                        rustix::fs::flock(&unused, lock).is_ok()
                            && self.remove_file(file.prefix, &file.key).is_ok()
                    });
                if is_removed {
                    used_bytes -= file.used_bytes;
                    build_bytes -= build_bytes_of(file);
                }
                !is_removed
            });
        }
        Ok(used_bytes)
    }
}

/// The bytes that a file takes if it is a build.
fn build_bytes_of(file: &StoredFile) -> u64 {
    if file.prefix == BUILD_PREFIX {
        file.used_bytes
    } else {
        0
    }
}

impl EstimatedSize {
    /// Reads the estimate; `None` if it is damaged.
    fn read(file: &File) -> Option<Self> {
        let mut text = [0; LENGTH + 1];
        let length = file.read_at(&mut text, 0).ok()?;
        let text = std::str::from_utf8(&text[..length]).ok()?;
        let (listing, bytes) = text.strip_suffix('\n')?.split_once(' ')?;
        let size = Self {
            listing: listing.parse().ok()?,
            bytes: bytes.parse().ok()?,
        };
        (size.text() == text).then_some(size)
    }

    /// Writes the estimate. Returns `None` if that failed.
    fn write(self, file: &File) -> Option<()> {
        file.write_all_at(self.text().as_bytes(), 0).ok()
    }

    fn text(self) -> String {
        format!("{:0DIGITS$} {:0DIGITS$}\n", self.listing, self.bytes)
    }
}

#[cfg(test)]
mod tests;
