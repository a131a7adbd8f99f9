//! Counts, and on request removes, the contents of a cache.

use std::io;
use std::path::Path;

use gridjudge_sandbox::Fault;

use crate::cache::{BUILD_PREFIX, CacheDir, FileIndex, StoredFile, TRIALS_PREFIX};

/// The contents of a cache in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// The number of programs, each on one problem, at one sandbox level, and with one set of
    /// limits.
    pub programs: usize,
    /// The number of their trials.
    pub trials: usize,
    /// The number of damaged lines.
    pub damaged: usize,
    /// The number of programs whose compilation or check is kept.
    pub builds: usize,
    /// The bytes that their files take on the disk.
    pub build_bytes: u64,
    /// The bytes that all files take on the disk.
    pub bytes: u64,
}

/// Counts the contents of the cache in this folder. Returns `None` if there is no such folder.
///
/// # Errors
/// Returns a [`Fault`] if it cannot be read, or if other users may write to it.
pub fn stats(path: &Path) -> Result<Option<CacheStats>, Fault> {
    let Some(place) = CacheDir::open(path)? else {
        return Ok(None);
    };
    let mut stats = CacheStats::default();
    for stored in stored_files(&place)? {
        stats.bytes += stored.used_bytes;
        if stored.prefix == BUILD_PREFIX {
            stats.builds += 1;
            stats.build_bytes += stored.used_bytes;
        }
        if stored.prefix != TRIALS_PREFIX {
            continue;
        }
        let Ok(Some(opened)) = place.file(stored.prefix, &stored.key) else {
            continue;
        };
        let Ok(contents) = FileIndex::read(&stored.key, &opened.file) else {
            continue;
        };
        stats.programs += 1;
        stats.trials += contents.lines.len();
        stats.damaged += contents.damaged.len();
    }
    Ok(Some(stats))
}

/// Removes all trials, compiled programs, notices and digests of the cache in this folder, and
/// nothing else. Returns the number of programs whose trials were removed, and the bytes that are
/// free again.
///
/// # Errors
/// As [`stats`], and if something cannot be removed.
pub fn clear(path: &Path) -> Result<(usize, u64), Fault> {
    let Some(place) = CacheDir::open(path)? else {
        return Ok((0, 0));
    };
    let stored_files = stored_files(&place)?;
    let failed = Fault::at("clearing the cache at", path);
    place.forget_all().map_err(failed)?;
    place.forget_size();
    for stored in &stored_files {
        match place.remove_file(stored.prefix, &stored.key) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(failed(error));
            }
            _ => {}
        }
    }
    let programs = stored_files
        .iter()
        .filter(|stored| stored.prefix == TRIALS_PREFIX)
        .count();
    Ok((
        programs,
        stored_files.iter().map(|stored| stored.used_bytes).sum(),
    ))
}

fn stored_files(place: &CacheDir) -> Result<Vec<StoredFile>, Fault> {
    place.stored_files().map_err(|error| {
        Fault::new(
            format!("listing the cache at {}", place.path().display()),
            error,
        )
    })
}
