//! Counts, and on request removes, the contents of a cache.

use std::io;
use std::path::Path;

use crate::cache::dir::CacheDir;
use crate::cache::key::CacheKey;
use crate::cache::program_cache::FileIndex;
use gridjudge_sandbox::Fault;

/// The contents of a cache in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// The number of programs, each on one problem, at one sandbox level, and with one set of limits.
    pub programs: usize,
    /// The number of their trials.
    pub trials: usize,
    /// The number of damaged lines.
    pub damaged: usize,
    /// The size of all files in bytes.
    pub bytes: u64,
}

/// Counts the contents of the cache in this folder. Returns `None` if there is no such folder.
///
/// # Errors
/// Returns a [`Fault`] if it cannot be read, or if other users may write to it.
pub fn stats(path: &Path) -> Result<Option<CacheStats>, Fault> {
    let Some(place) = CacheDir::open(path)? else { return Ok(None) };
    let mut stats = CacheStats::default();
    for (program, bytes) in programs(&place)? {
        let Ok(Some(opened)) = place.file(&program) else { continue };
        let Ok(contents) = FileIndex::read(&program, &opened.file) else { continue };
        stats.programs += 1;
        stats.bytes += bytes;
        stats.trials += contents.lines.len();
        stats.damaged += contents.damaged.len();
    }
    Ok(Some(stats))
}

/// Removes all trials, notices and digests of the cache in this folder, and nothing else. Returns the number of
/// programs whose trials were removed, and their size in bytes.
///
/// # Errors
/// As [`stats`], and if something cannot be removed.
pub fn clear(path: &Path) -> Result<(usize, u64), Fault> {
    let Some(place) = CacheDir::open(path)? else { return Ok((0, 0)) };
    let programs = programs(&place)?;
    let failed = |error| Fault::new(format!("clearing the cache at {}", path.display()), error);
    place.forget_all().map_err(failed)?;
    for (program, _) in &programs {
        match place.remove(program) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(failed(error));
            }
            _ => {}
        }
    }
    Ok((programs.len(), programs.iter().map(|(_, bytes)| bytes).sum()))
}

fn programs(place: &CacheDir) -> Result<Vec<(CacheKey, u64)>, Fault> {
    let doing = || format!("listing the cache at {}", place.path().display());
    place.programs().map_err(|error| Fault::new(doing(), error))
}
