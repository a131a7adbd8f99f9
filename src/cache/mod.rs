//! What came of a job that was held before, when everything that a verdict depends on was the same. Knows where it lies,
//! and a key for a program and for a case; knows nothing of order, reports, or which facts matter. Start at
//! [`Cache::program_cache`].
//!
//! ```text
//! folder, for its user alone
//! +-- trials-9f86d0..    one file for each program, on its problem, at its level, under its limits
//! |       checksum  key of a case  trial
//! |       checksum  key of a case  trial
//! +-- trials-60303a..
//! ```
//!
//! A cache is never needed: whatever is wrong with it is a note, and the work is done again. `docs/cache.md` tells users.

mod dir;
mod key;
mod notices;
mod program_cache;
mod stored_trial;

use std::env;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

use dir::CacheDir;
pub use dir::default_dir;
pub use key::CacheKey;
pub use key::FileVersion;
pub use key::KeyHasher;
pub use notices::is_new_notice;
use program_cache::FileIndex;
pub use program_cache::ProgramCache;

use gridjudge_sandbox::Fault;

/// Number of this way to make keys and to write trials, raised when either changes.
const VERSION: &str = "gridjudge cache 1";

/// The trials that are known.
pub struct Cache {
    place: CacheDir,
    /// Bytes that it may have when it is closed, and that one judge may add.
    most_bytes: u64,
    /// Where runs are made, and by whom they are judged.
    surroundings: Vec<String>,
    added: AtomicU64,
    damaged: AtomicUsize,
    /// Why nothing is written any more.
    failure: Mutex<Option<String>>,
}

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

impl Cache {
    /// The cache in this folder, which is made if it is missing. `surroundings` is what all runs to come have in
    /// common and verdicts depend on, beside this very binary.
    ///
    /// # Errors
    /// A [`Fault`] if the folder cannot be had, or others may write to it.
    pub fn open(path: &Path, most_bytes: u64, surroundings: &[String]) -> Result<Self, Fault> {
        let place = CacheDir::make(path)?;
        Ok(Self {
            place,
            most_bytes,
            surroundings: [surroundings, &[this_judge()]].concat(),
            added: AtomicU64::new(0),
            damaged: AtomicUsize::new(0),
            failure: Mutex::new(None),
        })
    }

    /// To hash what makes a program what it is; its surroundings are in it.
    pub fn program(&self) -> KeyHasher {
        let mut hasher = KeyHasher::of(VERSION);
        self.surroundings.iter().for_each(|fact| hasher.add(fact));
        hasher
    }

    /// The trials of a program.
    pub fn program_cache(&self, program: CacheKey) -> ProgramCache<'_> {
        ProgramCache::open(self, program)
    }

    /// Brings the cache back to its size, and tells what was wrong with it, in sentences.
    pub fn close(self) -> Vec<String> {
        let path = self.place.path().display();
        let mut notes = Vec::new();
        if let damaged @ 1.. = self.damaged.into_inner() {
            let lines = if damaged == 1 { "line" } else { "lines" };
            notes.push(format!(
                "the cache at {path} had {damaged} damaged {lines}, which counted for nothing and are gone"
            ));
        }
        let trimmed = match self.added.into_inner() {
            0 => Ok(()),
            _ => self.place.trim(self.most_bytes),
        };
        let failure = self.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(failure) = failure.or_else(|| trimmed.err().map(|error| error.to_string())) {
            notes.push(format!("the cache at {path} could not take all in: {failure}"));
        }
        notes
    }

    /// Whether so many bytes more may be written; then they are.
    fn has_room_for(&self, bytes: u64) -> bool {
        let before = self.added.fetch_add(bytes, Ordering::Relaxed);
        before.saturating_add(bytes) <= self.most_bytes && self.lock_failure().is_none()
    }

    /// Nothing is written any more: what failed once fails again, and takes time.
    fn give_up(&self, error: &io::Error) {
        self.lock_failure().get_or_insert_with(|| error.to_string());
    }

    fn note_damage(&self, lines: usize) {
        self.damaged.fetch_add(lines, Ordering::Relaxed);
    }

    fn lock_failure(&self) -> std::sync::MutexGuard<'_, Option<String>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
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

/// What this judge is. The version alone does not tell one build from the next, as whoever works on the checker wants to
/// know; the binary's file does.
fn this_judge() -> String {
    let binary = env::current_exe().unwrap_or_default();
    let found = FileVersion::now(Path::new("/proc/self/exe"));
    format!("{} {} {found:?}", env!("CARGO_PKG_VERSION"), binary.display())
}

#[cfg(test)]
mod tests;
