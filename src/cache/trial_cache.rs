//! The cache while a judge uses it: where it lies, what makes its keys, how much may be added, and what was wrong with it.
//! Knows nothing of single programs.

use std::env;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

use crate::cache::dir::CacheDir;
use crate::cache::key::FileVersion;
use crate::cache::key::KeyHasher;
use crate::text::counted;
use gridjudge_sandbox::Fault;

/// Number of this way to make keys and to write trials, raised when either changes.
const VERSION: &str = "gridjudge cache 1";

/// The trials that are known.
pub struct Cache {
    pub(super) place: CacheDir,
    /// Bytes that it may have when it is closed, and that one judge may add.
    pub(super) most_bytes: u64,
    /// The machine that runs are made on, and the judge that judges them.
    surroundings: Vec<String>,
    added: AtomicU64,
    damaged: AtomicUsize,
    /// Why nothing is written any more.
    failure: Mutex<Option<String>>,
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

    /// Brings the cache back to its size, and tells what was wrong with it, in sentences.
    pub fn close(self) -> Vec<String> {
        let path = self.place.path().display();
        let mut notes = Vec::new();
        if let damaged @ 1.. = self.damaged.into_inner() {
            let lines = counted(damaged, "damaged line");
            notes.push(format!("the cache at {path} had {lines}, which counted for nothing and are gone"));
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
    pub(super) fn has_room_for(&self, bytes: u64) -> bool {
        let before = self.added.fetch_add(bytes, Ordering::Relaxed);
        before.saturating_add(bytes) <= self.most_bytes && self.lock_failure().is_none()
    }

    /// Nothing is written any more: what failed once fails again, and takes time.
    pub(super) fn give_up(&self, error: &io::Error) {
        self.lock_failure().get_or_insert_with(|| error.to_string());
    }

    pub(super) fn note_damage(&self, lines: usize) {
        self.damaged.fetch_add(lines, Ordering::Relaxed);
    }

    fn lock_failure(&self) -> MutexGuard<'_, Option<String>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What this judge is. The version alone does not tell one build from the next, which matters while the checker is being
/// changed; the file of the binary does.
fn this_judge() -> String {
    let binary = env::current_exe().unwrap_or_default();
    let found = FileVersion::now(Path::new("/proc/self/exe"));
    format!("{} {} {found:?}", env!("CARGO_PKG_VERSION"), binary.display())
}
