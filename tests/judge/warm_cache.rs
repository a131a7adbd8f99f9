//! What judges find out about this machine, and compile, shared by all tests of a build: otherwise
//! each test would try each language and compile each checker anew. Trials of submissions are not
//! shared, so every test still judges.
//!
//! Only what two tests have found out is shared, because each new judge's folder gets a copy of it,
//! and most of it is of use to one test only. It is kept beside what Cargo builds, for one version
//! of the program. Where it cannot be written, nothing is shared.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Puts everything that is known into a new cache.
pub(super) fn fill(cache: &Path) {
    let Some(pool) = pool() else { return };
    if DirBuilder::new().mode(0o700).create(cache).is_ok() {
        share(pool, cache, |_| true);
    }
}

/// Adds what a cache has learned that another one had learned, too.
pub(super) fn learn_from(cache: &Path) {
    static LEARNED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if let Some(pool) = pool() {
        let mut learned = LEARNED.lock().unwrap_or_else(PoisonError::into_inner);
        share(cache, pool, |name| !learned.insert(name.to_owned()));
    }
}

/// The folder of everything that is known, if this user can write to it.
fn pool() -> Option<&'static Path> {
    static POOL: OnceLock<Option<PathBuf>> = OnceLock::new();
    POOL.get_or_init(create_pool).as_deref()
}

fn create_pool() -> Option<PathBuf> {
    let top = Path::new(env!("CARGO_TARGET_TMPDIR")).join("warm-caches");
    let user = rustix::process::geteuid().as_raw();
    let program = fs::metadata(env!("CARGO_BIN_EXE_gridjudge")).ok()?;
    let name = format!(
        "{user}-{}-{}.{}",
        program.len(),
        program.mtime(),
        program.mtime_nsec()
    );
    fs::create_dir_all(&top).ok()?;
    // Those of older programs are of no use.
    for entry in fs::read_dir(&top).ok()?.flatten() {
        if entry.file_name() != name.as_str()
            && entry.metadata().is_ok_and(|found| found.uid() == user)
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    let pool = top.join(name);
    let _ = DirBuilder::new().mode(0o700).create(&pool);
    // Only files that are linked can be shared.
    (fs::metadata(&pool).ok()?.dev() == fs::metadata(std::env::temp_dir()).ok()?.dev())
        .then_some(pool)
}

/// Brings the files of one folder into another that are not about submissions, if they are wanted.
fn share(from: &Path, to: &Path, mut is_wanted: impl FnMut(&str) -> bool) {
    let Ok(entries) = fs::read_dir(from) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        let target = to.join(name);
        if target.exists() || !is_wanted(name) {
            continue;
        }
        if name.starts_with("build-") {
            // Such a file is large, and is never changed.
            let _ = fs::hard_link(entry.path(), target);
        } else if name.starts_with("digest-")
            || name.starts_with("trials-") && is_about_language(&entry.path())
        {
            copy_whole(&entry.path(), &target);
        }
    }
}

/// Copies a file, of which no other test sees a part.
fn copy_whole(from: &Path, target: &Path) {
    let Ok(file) = tempfile::NamedTempFile::new_in(target.parent().unwrap()) else {
        return;
    };
    if fs::copy(from, file.path()).is_ok() {
        let _ = file.persist_noclobber(target);
    }
}

/// Whether a file says that a language works: no program runs for no time.
fn is_about_language(trials: &Path) -> bool {
    let text = fs::read_to_string(trials).unwrap_or_default();
    text.trim().lines().count() == 1 && text.contains(r#""wall":{"secs":0,"nanos":0}"#)
}
