//! Keeps the time limits that were measured on this machine for packages that give none: a small
//! file for each package, so that a package has the same limit every time. Knows files and figures;
//! knows nothing of how a limit is measured.

use std::path::Path;
use std::time::Duration;

use gridjudge_sandbox::Fault;
use serde::{Deserialize, Serialize};

use crate::cache::{CacheDir, CacheKey};

/// A time limit that was measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

impl KeptLimit {
    /// The limit.
    pub fn limit(&self) -> Duration {
        Duration::from_micros(self.limit_us)
    }
}

/// Returns the limit that is kept for this package, if there is one and the cache can be read.
pub fn kept_limit(path: &Path, package: &CacheKey) -> Option<KeptLimit> {
    let text = CacheDir::open(path).ok()??.limit(package)?;
    serde_json::from_str(&text).ok()
}

/// Keeps a limit, unless another judge has just kept one for the same package. Returns the one that
/// is kept.
pub fn keep_limit(path: &Path, package: &CacheKey, limit: KeptLimit) -> KeptLimit {
    let Ok(text) = serde_json::to_string(&limit) else {
        return limit;
    };
    let is_kept = CacheDir::make(path).is_ok_and(|place| place.keep_limit(package, &text).is_ok());
    if is_kept {
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
        return Ok(Vec::new());
    };
    let keys = place
        .limits()
        .map_err(Fault::at("listing the cache at", path))?;
    let texts = keys.iter().filter_map(|key| place.limit(key));
    let mut limits: Vec<KeptLimit> = texts
        .filter_map(|text| serde_json::from_str(&text).ok())
        .collect();
    limits.sort_by(|one, other| {
        (&one.package, &one.measured).cmp(&(&other.package, &other.measured))
    });
    Ok(limits)
}

#[cfg(test)]
mod tests {
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
        let package = KeyHasher::of("a").finish();
        assert_eq!(kept_limit(&path, &package), None);
        assert_eq!(keep_limit(&path, &package, limit(2)), limit(2));
        assert_eq!(keep_limit(&path, &package, limit(1)), limit(2));
        assert_eq!(kept_limit(&path, &package), Some(limit(2)));
        assert_eq!(kept_limit(&path, &KeyHasher::of("b").finish()), None);
        assert_eq!(kept_limits(&path).unwrap(), [limit(2)]);
        crate::cache::clear(&path).unwrap();
        assert_eq!(kept_limits(&path).unwrap(), []);
    }
}
