//! What lies in a cache that no judge uses at the moment: counted, and removed when users ask for it.

use std::io;
use std::path::Path;

use crate::cache::dir::CacheDir;
use crate::cache::key::CacheKey;
use crate::cache::program_cache::FileIndex;
use gridjudge_sandbox::Fault;

/// What lies in a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// Programs, each on one problem, at one level, under one set of limits.
    pub programs: usize,
    /// Their trials.
    pub trials: usize,
    /// Lines that are no trials.
    pub damaged: usize,
    /// Bytes of all files.
    pub bytes: u64,
}

/// Counts what lies in the cache in this folder; none if there is no such folder.
///
/// # Errors
/// A [`Fault`] if it cannot be read, or others may write to it.
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

/// Removes all trials and notices of the cache in this folder, and nothing else. Returns how many programs they were of, and the bytes.
///
/// # Errors
/// As [`stats`], and if something cannot be removed.
pub fn clear(path: &Path) -> Result<(usize, u64), Fault> {
    let Some(place) = CacheDir::open(path)? else { return Ok((0, 0)) };
    let programs = programs(&place)?;
    let failed = |error| Fault::new(format!("clearing the cache at {}", path.display()), error);
    place.clear_notices().map_err(failed)?;
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
