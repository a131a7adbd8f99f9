//! Caches trials for jobs for which everything that a verdict depends on is unchanged, and what
//! compilers have made. Knows where they are stored, and a key for a program and for a case; knows
//! nothing of order, reports, or which facts matter. Start at [`Cache::program_cache`].
//!
//! ```text
//! folder, private to its user
//! +-- trials-9f86d0..    one file for each program, on its problem, at its level, with its limits
//! |       checksum  key of a case  trial
//! |       checksum  key of a case  trial
//! +-- trials-60303a..
//! +-- build-77ab12..     one file for each program that was compiled
//! +-- proofs-77ac03..    one file for each problem, with a line for each case that was proven
//! +-- limit-5c1b7e..     one file for each package whose time limit was measured here
//! +-- estimated-size     how much room the trials and programs take
//! ```
//!
//! A cache is never needed: any problem with it is only a note, and the work is done again.
//! Described for users in `docs/cache.md`.

mod dir;
mod key;
mod program_cache;
mod room;
mod trial_cache;

use dir::{BUILD_PREFIX, CacheDir, StoredFile, TRIALS_PREFIX};
use room::Reservation;

pub use dir::{default_dir, is_new_notice};
pub use key::{CacheKey, FileVersion, KeyHasher};
pub use program_cache::{CacheStats, ProgramCache, clear, stats};
pub use trial_cache::{
    Cache, DigestOfFiles, FilesInState, KeptLimit, KeyWithFiles, MOST_BUILD_BYTES, keep_limit,
    kept_limit, kept_limits,
};

#[cfg(test)]
mod tests;
