//! Keeps what a compiler has made in the cache, so that the same program is compiled once: all files of its build
//! folder, or the compiler's messages if it refused the source. Knows the facts that these depend on; knows nothing of
//! commands.
//!
//! What is unpacked is in another folder than the compiler's. So a build in which the name of its folder occurs is not
//! kept: a script may start a file by its whole path, for example. Neither is a refusal that may have been the
//! machine's fault.

use std::fs;
use std::fs::File;
use std::fs::Permissions;
use std::io;
use std::io::Read;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::fs::symlink;
use std::path::Component;
use std::path::Path;

use memchr::memmem;
use serde::Deserialize;
use serde::Serialize;
use walkdir::WalkDir;

use crate::cache::Cache;
use crate::cache::CacheKey;
use crate::cache::KeyWithFiles;
use crate::cache::MOST_BUILD_BYTES;
use crate::compile::build_result::BuildResult;

/// The most files and folders of a build that is kept.
const MOST_ENTRIES: usize = 10_000;

/// The permissions that are kept.
const MODE: u32 = 0o777;

/// The place of one program in the cache.
pub(super) struct KeptBuild<'a> {
    cache: &'a Cache,
    key: CacheKey,
    /// What the key was computed from.
    program: KeyWithFiles,
}

/// What is kept of a compilation. In the cache, the contents of the files follow.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Kept {
    /// The compiler refused the source.
    Refused { reason: String, output: String },
    /// There is a program.
    Made { entries: Vec<Entry> },
}

/// A file or folder of a build, each folder before what is in it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Relative to the build folder.
    path: String,
    mode: u32,
    kind: EntryKind,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
enum EntryKind {
    Folder,
    File { bytes: u64 },
    Link { target: String },
}

impl<'a> KeptBuild<'a> {
    /// The place of a program with this key.
    pub(super) fn new(cache: &'a Cache, program: KeyWithFiles) -> Self {
        let mut hasher = cache.program();
        hasher.add("build");
        hasher.add(program.key.to_string());
        Self { cache, key: hasher.finish(), program }
    }

    /// Unpacks what was kept into an empty folder. Returns `None` if nothing was.
    pub(super) fn unpack(&self, folder: &Path) -> io::Result<Option<Kept>> {
        let Some(contents) = self.cache.stored_build(&self.key) else { return Ok(None) };
        unpack(&contents, folder).map(Some)
    }

    /// Keeps the program in a folder, or why there is none. Keeps nothing if a program depends on where it is, if
    /// something else than its source may be to blame for a failure, or if a file has changed since the key was
    /// computed.
    pub(super) fn keep(&self, failed: Option<&BuildResult>, folder: &Path) {
        let (kept, files) = match failed {
            None => match pack(folder) {
                Ok(Some((entries, files))) => (Kept::Made { entries }, files),
                _ => return,
            },
            Some(BuildResult::Refused { reason, output, is_certain: true }) => {
                (Kept::Refused { reason: reason.clone(), output: output.clone() }, Vec::new())
            }
            Some(_) => return,
        };
        let Ok(mut contents) = serde_json::to_vec(&kept) else { return };
        contents.push(b'\n');
        contents.extend(files);
        if self.program.is_current() {
            self.cache.store_build(&self.key, &contents);
        }
    }
}

/// The entries of a build folder, and the contents of its files one after the other. `None` if they may not be kept.
fn pack(folder: &Path) -> io::Result<Option<(Vec<Entry>, Vec<u8>)>> {
    let own_name = folder.file_name().unwrap_or_default().as_encoded_bytes();
    let (mut entries, mut files) = (Vec::new(), Vec::new());
    for found in WalkDir::new(folder).min_depth(1).sort_by_file_name() {
        let found = found?;
        let Some(path) = found.path().strip_prefix(folder).ok().and_then(Path::to_str) else {
            return Ok(None);
        };
        let metadata = found.metadata()?;
        let mode = metadata.permissions().mode() & MODE;
        let kind = if metadata.is_dir() {
            EntryKind::Folder
        } else if metadata.is_symlink() {
            let Some(target) = fs::read_link(found.path())?.to_str().map(str::to_owned) else {
                return Ok(None);
            };
            EntryKind::Link { target }
        } else if metadata.is_file() && files.len() as u64 + metadata.len() <= MOST_BUILD_BYTES {
            let start = files.len();
            File::open(found.path())?.take(metadata.len()).read_to_end(&mut files)?;
            if memmem::find(&files[start..], own_name).is_some() {
                return Ok(None);
            }
            EntryKind::File { bytes: (files.len() - start) as u64 }
        } else {
            return Ok(None);
        };
        let is_link_to_here = matches!(&kind, EntryKind::Link { target } if memmem::find(target.as_bytes(), own_name).is_some());
        // Here it may belong to the user of the compiler, there to that of the judge.
        let is_private = !metadata.is_symlink() && mode >> 6 & 0o5 & !mode != 0;
        if is_link_to_here || is_private || entries.len() == MOST_ENTRIES {
            return Ok(None);
        }
        entries.push(Entry { path: path.to_owned(), mode, kind });
    }
    Ok(Some((entries, files)))
}

/// Unpacks the stored contents of a build into an empty folder.
fn unpack(contents: &[u8], folder: &Path) -> io::Result<Kept> {
    let damaged = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let end =
        memchr::memchr(b'\n', contents).ok_or_else(|| damaged("a build in the cache has no entries"))?;
    let kept: Kept = serde_json::from_slice(&contents[..end])?;
    let mut rest = &contents[end + 1..];
    let Kept::Made { entries } = &kept else { return Ok(kept) };
    for Entry { path, mode, kind } in entries {
        if !Path::new(path).components().all(|component| matches!(component, Component::Normal(_))) {
            return Err(damaged("a build in the cache names a file elsewhere"));
        }
        let place = folder.join(path);
        match kind {
            EntryKind::Folder => fs::create_dir(&place)?,
            EntryKind::Link { target } => {
                symlink(target, &place)?;
                continue;
            }
            EntryKind::File { bytes } => {
                let bytes = usize::try_from(*bytes).ok();
                let (file, after) = bytes
                    .and_then(|bytes| rest.split_at_checked(bytes))
                    .ok_or_else(|| damaged("a build in the cache is too short"))?;
                File::create_new(&place)?.write_all(file)?;
                rest = after;
            }
        }
        fs::set_permissions(&place, Permissions::from_mode(mode & MODE))?;
    }
    Ok(kept)
}

#[cfg(test)]
mod tests;
