//! Keeps what a compiler has made in the cache, so that the same program is compiled
//! once: all files of its build folder, or the compiler's messages if it refused the
//! source. Knows the facts that these depend on; knows nothing of commands.
//!
//! What is unpacked is in another folder than the compiler's, and may belong to another
//! user. So a build in which the name of its folder occurs is not kept, nor one that
//! users may not read alike. Neither is a refusal that may have been the machine's
//! fault.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Component, Path};
use std::sync::Arc;

use gridjudge_sandbox::set_mode;
use memchr::memmem;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use walkdir::WalkDir;

use crate::cache::{Cache, CacheKey, MOST_BUILD_BYTES};
use crate::compile::SubmissionRefusal;

/// The most files and folders of a build that is kept.
const MOST_ENTRIES: usize = 10_000;

/// The permissions that are kept.
const MODE: u32 = 0o777;

/// The place of one program in the cache.
pub(super) struct KeptBuild<'a> {
    pub(super) cache: &'a Cache,
    /// The key of the program.
    pub(super) program: CacheKey,
    /// The key in the cache.
    key: CacheKey,
}

/// What is kept of a compilation. In the cache, the contents of the files follow.
#[derive(Serialize, Deserialize)]
pub(super) enum Kept {
    /// The compiler refused the source.
    Refused(SubmissionRefusal),
    /// There is a program.
    Made { entries: Vec<Entry> },
}

/// A file or folder of a build, each folder before what is in it.
#[derive(Serialize, Deserialize)]
pub(super) struct Entry {
    /// Relative to the build folder.
    path: String,
    mode: u32,
    kind: EntryKind,
}

#[derive(Serialize, Deserialize)]
enum EntryKind {
    Folder,
    File { bytes: usize },
    Link { target: String },
}

impl<'a> KeptBuild<'a> {
    /// The place of a program with this key.
    pub(super) fn new(cache: &'a Cache, program: CacheKey) -> Self {
        let hasher = cache.program().with("build").with(program.to_string());
        Self {
            cache,
            program,
            key: hasher.finish(),
        }
    }

    /// Unpacks what was kept into an empty folder. Returns `None` if nothing was.
    pub(super) fn unpack(&self, folder: &Path) -> io::Result<Option<Kept>> {
        let Some(contents) = self.cache.stored_build(&self.key) else {
            return Ok(None);
        };
        let Some((kept, files)) = parse(&contents) else {
            return Ok(None);
        };
        if let Kept::Made { entries } = &kept {
            unpack(entries, files, folder)?;
        }
        Ok(Some(kept))
    }

    /// Keeps the program in a folder, or why there is none. Keeps nothing if a program
    /// depends on where it is.
    pub(super) fn keep(&self, refusal: Option<&SubmissionRefusal>, folder: &Path) {
        let (kept, files) = match refusal {
            None => {
                let Some((entries, files)) = pack(folder) else {
                    return;
                };
                (Kept::Made { entries }, files)
            }
            Some(refusal) => (Kept::Refused(refusal.clone()), vec![]),
        };
        let Ok(mut contents) = serde_json::to_vec(&kept) else {
            return;
        };
        contents.push(b'\n');
        contents.extend(files);
        self.cache.store_build(&self.key, &contents);
    }
}

/// The entries of a build folder, and the contents of its files one after the other.
/// `None` if they may not be kept.
fn pack(folder: &Path) -> Option<(Vec<Entry>, Vec<u8>)> {
    let own_name = memmem::Finder::new(folder.file_name()?.as_encoded_bytes());
    let mut entries = vec![];
    let mut files = vec![];
    for found in WalkDir::new(folder).min_depth(1).sort_by_file_name() {
        let found = found.ok()?;
        let path = found.path().strip_prefix(folder).ok()?.to_str()?.to_owned();
        let metadata = found.metadata().ok()?;
        let mode = metadata.mode() & MODE;
        // Here it may belong to the user of the compiler, there to that of the judge.
        let is_unequal = [mode >> 6, mode >> 3]
            .iter()
            .any(|class| class & 0o5 != mode & 0o5);
        let (kind, words) = if metadata.is_symlink() {
            let target = fs::read_link(found.path()).ok()?.to_str()?.to_owned();
            (
                EntryKind::Link {
                    target: target.clone(),
                },
                target.into_bytes(),
            )
        } else if metadata.is_dir() && !is_unequal {
            (EntryKind::Folder, vec![])
        } else if metadata.is_file()
            && metadata.nlink() == 1
            && !is_unequal
            && files.len() as u64 + metadata.len() <= MOST_BUILD_BYTES
        {
            let contents = fs::read(found.path()).ok()?;
            files.extend(&contents);
            (
                EntryKind::File {
                    bytes: contents.len(),
                },
                contents,
            )
        } else {
            return None;
        };
        if own_name.find(&words).is_some() || entries.len() == MOST_ENTRIES {
            return None;
        }
        entries.push(Entry { path, mode, kind });
    }
    Some((entries, files))
}

/// The stored contents of a build: what is kept, and the contents of its files. `None`
/// if they are not whole, or if an entry is not in the folder.
fn parse(contents: &[u8]) -> Option<(Kept, &[u8])> {
    let end = memchr::memchr(b'\n', contents)?;
    let kept: Kept = serde_json::from_slice(&contents[..end]).ok()?;
    let files = &contents[end + 1..];
    let entries = if let Kept::Made { entries } = &kept {
        &entries[..]
    } else {
        &[]
    };
    let bytes = entries
        .iter()
        .try_fold(0, |sum: usize, entry| match entry.kind {
            EntryKind::File { bytes } => sum.checked_add(bytes),
            EntryKind::Folder | EntryKind::Link { .. } => Some(sum),
        });
    (entries.iter().all(|entry| {
        let mut components = Path::new(&entry.path).components();
        components.all(|component| matches!(component, Component::Normal(_)))
    }) && bytes == Some(files.len()))
    .then_some((kept, files))
}

/// Unpacks entries into an empty folder.
fn unpack(
    entries: &[Entry],
    mut file_contents: &[u8],
    folder: &Path,
) -> io::Result<()> {
    for entry in entries {
        let place = folder.join(&entry.path);
        match &entry.kind {
            EntryKind::Folder => fs::create_dir(&place)?,
            EntryKind::File { bytes } => {
                let (contents, rest) = file_contents.split_at(*bytes);
                File::create_new(&place)?.write_all(contents)?;
                set_mode(&place, entry.mode & MODE)?;
                file_contents = rest;
            }
            EntryKind::Link { target } => symlink(target, &place)?,
        }
    }
    // Only now, and inner ones first: nothing may be created in a folder without write
    // permission.
    for entry in entries
        .iter()
        .rev()
        .filter(|entry| matches!(entry.kind, EntryKind::Folder))
    {
        set_mode(folder.join(&entry.path), entry.mode & MODE)?;
    }
    Ok(())
}

// Lets a program be compiled once where several workers need it at the same time: the
// first compiles it, and the others wait and then find what is kept. Knows keys; knows
// nothing of what is kept.

/// The programs that have been compiled, or are being compiled for the first time.
#[derive(Default)]
pub(super) struct FirstBuilds {
    /// For each program, whether its first compilation has ended. It is locked
    /// meanwhile.
    ended: Mutex<HashMap<CacheKey, Arc<Mutex<bool>>>>,
}

impl FirstBuilds {
    /// Compiles a program, but not while another worker does so for the first time.
    /// After that nobody waits: if nothing was kept, all others compile at the same
    /// time.
    pub(super) fn after_first<T>(
        &self,
        program: CacheKey,
        compile: impl FnOnce() -> T,
    ) -> T {
        let ended = Arc::clone(self.ended.lock().entry(program).or_default());
        let mut has_ended = ended.lock();
        if *has_ended {
            drop(has_ended);
            return compile();
        }
        let made = compile();
        *has_ended = true;
        made
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod first_builds_tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::cache::KeyHasher;

    #[test]
    fn a_second_worker_waits_for_the_first_and_later_ones_for_nobody() {
        let builds = FirstBuilds::default();
        let done = AtomicUsize::new(0);
        let begun = Barrier::new(2);
        let both = Barrier::new(2);
        let key = KeyHasher::for_purpose("a").finish();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                builds.after_first(key, || {
                    begun.wait();
                    std::thread::yield_now();
                    done.store(1, Ordering::SeqCst);
                });
            });
            begun.wait();
            builds.after_first(KeyHasher::for_purpose("b").finish(), || ());
            for _ in 0..2 {
                scope.spawn(|| {
                    builds.after_first(key, || {
                        assert_eq!(done.load(Ordering::SeqCst), 1);
                        both.wait();
                    });
                });
            }
        });
    }
}
