//! What judges find out about this machine, and compile, shared by all tests of a
//! build: otherwise each test would try each language and compile each checker anew.
//! Trials of submissions are not shared, so every test still judges.
//!
//! It is first shared by the tests of a module, which often judge the same programs,
//! and by all once two modules have found it: each new judge's folder gets links to
//! what is shared, and most of it is of use to one module only. It is kept beside what
//! Cargo builds, for one version of the program. Where it cannot be written, nothing is
//! shared.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

/// The folder in the pool of what all tests share; the others have names of modules.
const OF_ALL: &str = "of-all";

/// The modules whose tests judge programs in every language of this machine.
const OF_LANGUAGES: [&str; 4] =
    ["languages", "inheriting", "java_classes", "toolchains"];

/// The modules of a test binary that hold modules.
const OUTER_MODULES: [&str; 2] = ["command_line", "in_process"];

/// Puts everything that is known into a new cache.
pub(super) fn fill(cache: &Path) {
    let Some(pool) = pool() else { return };
    if DirBuilder::new().mode(0o700).create(cache).is_err() {
        return;
    }
    for part in [OF_ALL, &module()] {
        for (name, path) in files(&pool.join(part)) {
            let target = cache.join(&name);
            // Only a file of trials is ever changed.
            if name.starts_with("trials-") {
                let _ = fs::copy(path, target);
            } else {
                let _ = fs::hard_link(path, target);
            }
        }
    }
}

/// Adds what a cache has learned.
pub(super) fn learn_from(cache: &Path) {
    static LEARNED: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let Some(pool) = pool() else { return };
    let module = module();
    let mut learned = LEARNED.lock().unwrap_or_else(PoisonError::into_inner);
    for (name, path) in files(cache) {
        let part = match learned.entry(name.clone()) {
            Entry::Occupied(known) if *known.get() == module => continue,
            Entry::Occupied(_) => OF_ALL,
            Entry::Vacant(new) => new.insert(module.clone()),
        };
        if pool.join(OF_ALL).join(&name).exists() {
            continue;
        }
        let folder = pool.join(part);
        let _ = DirBuilder::new().mode(0o700).create(&folder);
        let target = folder.join(&name);
        if target.exists() {
            continue;
        }
        if name.starts_with("trials-") {
            if is_about_language(&path) {
                copy_whole(&path, &target);
            }
        } else {
            let _ = fs::hard_link(path, target);
        }
    }
}

/// The module of the test that this thread runs; one name for all that try each
/// language of this machine.
fn module() -> String {
    let current = thread::current();
    let test = current.name().unwrap_or_default();
    let mut modules = test
        .split("::")
        .skip_while(|module| OUTER_MODULES.contains(module));
    let module = modules.next().unwrap_or_default();
    let is_of_languages = OF_LANGUAGES.contains(&module);
    if is_of_languages {
        OF_LANGUAGES[0]
    } else {
        module
    }
    .to_owned()
}

/// The files in a folder that may be shared, with their names.
fn files(folder: &Path) -> impl Iterator<Item = (String, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.filter_map(|entry| {
        Some((entry.file_name().into_string().ok()?, entry.path()))
    });
    named.filter(|(name, _)| {
        ["build-", "digest-", "trials-"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
    })
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
    (fs::metadata(&pool).ok()?.dev()
        == fs::metadata(std::env::temp_dir()).ok()?.dev())
    .then_some(pool)
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

/// Whether a file says that a language works: it holds the number 0 and nothing else.
fn is_about_language(trials: &Path) -> bool {
    let text = fs::read_to_string(trials).unwrap_or_default();
    text.trim().lines().count() == 1 && text.trim().ends_with(" 0")
}
