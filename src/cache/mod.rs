//! What came of a job that was held before, when everything that a verdict depends on was the same. Knows where it lies,
//! and a key for a program and for a case; knows nothing of order, reports, or which facts matter. Start at
//! [`ProgramCache::open`].
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
mod stats;
mod stored_trial;
mod trial_cache;

pub use dir::default_dir;
pub use key::CacheKey;
pub use key::FileVersion;
pub use key::KeyHasher;
pub use notices::is_new_notice;
pub use program_cache::ProgramCache;
pub use stats::CacheStats;
pub use stats::clear;
pub use stats::stats;
pub use trial_cache::Cache;

#[cfg(test)]
mod tests;
