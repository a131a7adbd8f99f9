//! Unpacks a package from an archive (`.zip`, `.kpp`) into an empty folder of our own,
//! after all entries were checked. Names, links, kinds and sizes are checked, sizes
//! while inflating; nothing that an archive claims about itself is trusted. Start at
//! [`unpack`].

mod entry_list;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io;
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use entry_list::{ArchiveEntry, EntryKind, WatchedFile, refused};
use flate2::bufread::DeflateDecoder;
use rawzip::{RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipLocator};

use crate::files::FileError;
use crate::mistake::{Mistake, Mistakes, ReadFailure};
use crate::model::ending;
use crate::package::folders_around;
use crate::text::round_size;
use crate::{files, mistake};
pub(crate) use entry_list::case_twins;

/// Endings of packages that are archives.
pub(crate) const ENDINGS: [&str; 2] = ["zip", "kpp"];

/// Whether a path has the ending of an archive.
pub fn is_archive(path: &Path) -> bool {
    ENDINGS.contains(&ending(path))
}

/// What the files of an archive may come to.
pub(crate) struct UnpackBounds {
    /// The bytes of all files together.
    pub(crate) bytes: u64,
    /// The number of files and folders.
    pub(crate) files: usize,
}

/// Unpacks an archive of at most this many files and folders into a folder, which must
/// be empty.
///
/// # Errors
/// Returns every entry that is refused by its name or kind, before anything is written;
/// else the first whose content is damaged or too large.
pub(crate) fn unpack(
    path: &Path,
    into: &Path,
    most_files: usize,
) -> Result<(), Mistakes> {
    unpack_within(
        path,
        files::open_file(path),
        into,
        UnpackBounds {
            bytes: MOST_ALL,
            files: most_files,
        },
    )
    .map_err(ReadFailure::into_mistakes)
}

/// Like [`unpack`], with both bounds, of an archive that was opened.
///
/// # Errors
/// As for [`unpack`], and whether the archive or the machine is to blame.
pub(crate) fn unpack_within(
    path: &Path,
    opened: Result<File, FileError>,
    into: &Path,
    most: UnpackBounds,
) -> Result<(), ReadFailure> {
    let file = opened.map_err(|refused| {
        let mistake = Mistake::refused(path, &refused);
        match refused {
            FileError::Unreadable(_) => ReadFailure::unreadable(mistake),
            FileError::Kind(_) | FileError::Size(_) | FileError::Link => {
                mistake.into()
            }
        }
    })?;
    let length = file
        .metadata()
        .map_err(|error| cannot_read(path, &error))?
        .len();
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let file = WatchedFile {
        file,
        error: OnceCell::new(),
    };
    let located = ZipLocator::new().locate_in_reader(file, &mut buffer, length);
    let archive = located.map_err(|(file, error)| match file.error.get() {
        Some(error) => cannot_read(path, error),
        None => Mistake::new(
            path,
            format!("is not a readable archive: {error}"),
            "pack it again",
        )
        .into(),
    })?;
    let mut unpacking = Unpacking {
        path,
        archive: &archive,
        budget: ArchiveBudget {
            most: most.bytes,
            ..ArchiveBudget::default()
        },
    };
    let unpacked = unpacking.unpack_all(into, most.files);
    if let Some(error) = archive.get_ref().error.get() {
        Err(cannot_read(path, error))
    } else {
        unpacked
    }
}

/// An archive, and the bytes that may still be unpacked from it.
struct Unpacking<'a> {
    path: &'a Path,
    archive: &'a ZipArchive<WatchedFile>,
    budget: ArchiveBudget,
}

impl Unpacking<'_> {
    fn unpack_all(
        &mut self,
        into: &Path,
        most_files: usize,
    ) -> Result<(), ReadFailure> {
        let path = self.path;
        let entries = entry_list::read_entry_list(path, self.archive, most_files)?;
        let links = self.links(&entries)?;
        for entry in &entries {
            self.write(entry, into)?;
        }
        for (name, target) in links {
            let written = std::os::unix::fs::symlink(&target, into.join(name));
            written.map_err(|error| unwritten(path, name, &error))?;
        }
        Ok(())
    }

    /// Writes a file or a folder. Links are written later, so that nothing is ever
    /// written through one.
    fn write(
        &mut self,
        entry: &ArchiveEntry,
        into: &Path,
    ) -> Result<(), ReadFailure> {
        let place = into.join(&entry.name);
        let path = self.path;
        let failed = |error: io::Error| unwritten(path, &entry.name, &error);
        let folder = match entry.kind {
            EntryKind::Folder => Some(place.as_path()),
            _ => place.parent(),
        };
        folder
            .map_or(Ok(()), files::create_folders)
            .map_err(failed)?;
        if entry.kind == EntryKind::File {
            let mode = if entry.is_executable { 0o755 } else { 0o644 };
            let mut file = OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(mode)
                .open(&place)
                .map_err(failed)?;
            self.copy(entry, |bytes| file.write_all(bytes))?;
        }
        Ok(())
    }

    /// Inflates the content of an entry.
    fn copy(
        &mut self,
        entry: &ArchiveEntry,
        mut write: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<(), ReadFailure> {
        let path = self.path;
        let refuse = |why: &str| refused(path, &entry.name, why);
        let found = self
            .archive
            .get_entry(entry.place)
            .map_err(|error| refuse(&format!("cannot be found: {error}")))?;
        let (start, end) = found.compressed_data_range();
        self.budget.packed += end - start;
        let packed = io::BufReader::new(found.reader());
        let content: Box<dyn Read> = if entry.is_deflated {
            Box::new(DeflateDecoder::new(packed))
        } else {
            Box::new(packed)
        };
        let mut content = found.verifying_reader(content);
        let mut buffer = vec![0; 1 << 16];
        let mut copied = 0;
        loop {
            let bytes = content
                .read(&mut buffer)
                .map_err(|error| refuse(&format!("is damaged: {error}")))?;
            if bytes == 0 {
                return Ok(());
            }
            copied += bytes as u64;
            let counted = self.budget.count(bytes as u64, copied);
            counted.map_err(|why| refuse(&why))?;
            write(&buffer[..bytes])
                .map_err(|error| unwritten(path, &entry.name, &error))?;
        }
    }

    /// Returns the links of an archive and their targets, each of which leads to an
    /// entry.
    ///
    /// # Errors
    /// Returns every link that leads out of the archive, to nothing, through another
    /// link, or in a circle.
    fn links<'e>(
        &mut self,
        entries: &'e [ArchiveEntry],
    ) -> Result<BTreeMap<&'e str, String>, ReadFailure> {
        let path = self.path;
        let mut targets = BTreeMap::new();
        for entry in entries.iter().filter(|entry| entry.kind == EntryKind::Link) {
            let mut bytes = vec![];
            self.copy(entry, |read| {
                bytes.extend_from_slice(read);
                if bytes.len() as u64 > MOST_TARGET {
                    return Err(io::Error::other("a link has 4096 bytes at most"));
                }
                Ok(())
            })?;
            let target = String::from_utf8(bytes)
                .map_err(|_| refused(path, &entry.name, "is a link to no name"))?;
            targets.insert(entry.name.as_str(), target);
        }
        let there: BTreeSet<&str> = entries
            .iter()
            .flat_map(|entry| folders_around(&entry.name).chain([&*entry.name]))
            .collect();
        let mistakes: Vec<_> = targets
            .keys()
            .filter_map(|link| {
                let why = why_refused(link, &targets, &there)?;
                Some(refused(path, link, why))
            })
            .collect();
        Ok(Mistakes::or(mistakes, targets)?)
    }
}

fn cannot_read(path: &Path, error: &io::Error) -> ReadFailure {
    let remedy = "look at the disk that it lies on";
    ReadFailure::unreadable(Mistake::unreadable(path, error).with_remedy(remedy))
}

// Inflates the content of entries within limits that are enforced while inflating,
// whatever the headers claim.

/// The most bytes of one file, and of all files together.
const MOST_FILE: u64 = 1 << 30;
const MOST_ALL: u64 = 4 << 30;

/// The bytes that any archive may inflate to. Beyond these, at most [`MOST_RATIO`]
/// bytes for each packed byte.
const SMALL: u64 = 16 << 20;
const MOST_RATIO: u64 = 200;

/// The longest target of a link, in bytes.
const MOST_TARGET: u64 = 4096;

/// The most links in a chain of links.
const MOST_LINKS: usize = 40;

/// The bytes read from and inflated out of an archive so far.
#[derive(Default)]
struct ArchiveBudget {
    written: u64,
    packed: u64,
    /// The most bytes of all files together.
    most: u64,
}

impl ArchiveBudget {
    /// Counts newly inflated bytes of a file, which now has `of_file` bytes.
    ///
    /// # Errors
    /// Returns the reason if any limit is exceeded.
    fn count(&mut self, bytes: u64, of_file: u64) -> Result<(), String> {
        self.written += bytes;
        if of_file > MOST_FILE {
            return Err("has more than 1 GiB".to_owned());
        }
        if self.written > self.most {
            return Err(format!(
                "brings all files to more than {}",
                round_size(self.most)
            ));
        }
        let most = SMALL.saturating_add(self.packed.saturating_mul(MOST_RATIO));
        if self.written > most {
            return Err("is compressed so much that it must be a trap".to_owned());
        }
        Ok(())
    }
}

/// Returns the reason to refuse a link, if there is one.
fn why_refused(
    link: &str,
    targets: &BTreeMap<&str, String>,
    there: &BTreeSet<&str>,
) -> Option<&'static str> {
    let mut place = link.to_owned();
    for _ in 0..MOST_LINKS {
        let Some(target) = targets.get(place.as_str()) else {
            if there.contains(place.as_str()) {
                return None;
            }
            return Some("is a link that leads nowhere");
        };
        place = match entry_list::resolved(&place, target, |folder| {
            targets.contains_key(folder)
        }) {
            Ok(next) => next,
            Err(why) => return Some(why),
        };
        // This check does not follow links in the middle of a path, so it refuses them.
        if folders_around(&place).any(|folder| targets.contains_key(folder)) {
            return Some("is a link that leads through another link");
        }
        if place.is_empty() || link.starts_with(&format!("{place}/")) {
            return Some("is a link that leads in a circle");
        }
    }
    Some("is a link that leads in a circle")
}

/// The failure to write the content of an entry.
fn unwritten(path: &Path, entry: &str, error: &io::Error) -> ReadFailure {
    ReadFailure::unreadable(Mistake::new(
        path,
        format!("{} cannot be unpacked: {error}", mistake::quoted(entry)),
        "make room for temporary files, or set TMPDIR to another disk",
    ))
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod content_tests {
    use super::*;

    #[test]
    fn an_archive_must_stay_within_its_size_and_its_ratio() {
        let mut budget = ArchiveBudget {
            most: 3 << 20,
            ..ArchiveBudget::default()
        };
        assert_eq!(budget.count(3 << 20, 3 << 20), Ok(()));
        assert_eq!(
            budget.count(1, 1),
            Err("brings all files to more than 3 MiB".to_owned())
        );
        let mut trap = ArchiveBudget {
            most: MOST_ALL,
            ..ArchiveBudget::default()
        };
        let said = trap.count(SMALL + 1, SMALL + 1).unwrap_err();
        assert_eq!(said, "is compressed so much that it must be a trap");
    }
}
