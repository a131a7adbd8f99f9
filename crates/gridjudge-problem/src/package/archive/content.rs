//! Inflates the content of entries within limits that are enforced while inflating, whatever the
//! headers claim.

use crate::sorted::{SortedMap, SortedSet};
use std::io;
use std::io::{Read, Write};
use std::path::Path;

use flate2::bufread::DeflateDecoder;
use rawzip::ZipArchive;

use crate::mistake;
use crate::mistake::{Mistake, Mistakes};
use crate::package::archive::entry_list::{ArchiveEntry, refused};
use crate::package::archive::name_tree::EntryKind;
use crate::package::archive::{WatchedFile, entry_list};
use crate::text::round_size;

/// The most bytes of one file, and of all files together.
const MOST_FILE: u64 = 1 << 30;
pub(super) const MOST_ALL: u64 = 4 << 30;

/// The bytes that any archive may inflate to. Beyond these, at most [`MOST_RATIO`] bytes for each
/// packed byte.
const SMALL: u64 = 16 << 20;
const MOST_RATIO: u64 = 200;

/// The longest target of a link, in bytes.
const MOST_TARGET: u64 = 4096;

/// The most links in a chain of links.
const MOST_LINKS: usize = 40;

/// The bytes read from and inflated out of an archive so far.
pub(super) struct ArchiveBudget {
    written: u64,
    packed: u64,
    /// The most bytes of all files together.
    most: u64,
}

impl ArchiveBudget {
    /// The budget of an archive from which nothing was unpacked yet.
    pub(super) fn of(most: u64) -> Self {
        Self {
            written: 0,
            packed: 0,
            most,
        }
    }

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

/// Inflates the content of an entry.
pub(super) fn copy(
    path: &Path,
    archive: &ZipArchive<WatchedFile>,
    entry: &ArchiveEntry,
    mut to: impl Write,
    budget: &mut ArchiveBudget,
) -> Result<(), UnpackError> {
    let refuse = |why: &str| refused(path, &entry.name, why);
    let found = archive
        .get_entry(entry.place)
        .map_err(|error| refuse(&format!("cannot be found: {error}")))?;
    let (start, end) = found.compressed_data_range();
    budget.packed += end - start;
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
        budget
            .count(bytes as u64, copied)
            .map_err(|why| refuse(&why))?;
        to.write_all(&buffer[..bytes])
            .map_err(|error| UnpackError::unwritten(path, &entry.name, &error))?;
    }
}

/// Returns the links of an archive and their targets, each of which leads to an entry.
///
/// # Errors
/// Returns every link that leads out of the archive, to nothing, through another link, or in a
/// circle.
pub(super) fn links(
    path: &Path,
    archive: &ZipArchive<WatchedFile>,
    entries: &[ArchiveEntry],
    budget: &mut ArchiveBudget,
) -> Result<Vec<(String, String)>, UnpackError> {
    let mut targets = SortedMap::new();
    for entry in entries.iter().filter(|entry| entry.kind == EntryKind::Link) {
        let mut bytes = Vec::new();
        copy(path, archive, entry, BoundedBuffer(&mut bytes), budget)?;
        let target = String::from_utf8(bytes)
            .map_err(|_| refused(path, &entry.name, "is a link to no name"))?;
        targets.insert(entry.name.as_str(), target);
    }
    let mut there: SortedSet<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    for entry in entries {
        there.extend(
            entry
                .name
                .match_indices('/')
                .map(|(end, _)| &entry.name[..end]),
        );
    }
    let wrong = targets.keys().filter_map(|link| {
        let why = why_refused(link, &targets, &there)?;
        Some(refused(path, link, why))
    });
    let mistakes: Vec<_> = wrong.collect();
    Ok(Mistakes::or(
        mistakes,
        targets
            .into_iter()
            .map(|(link, target)| (link.to_owned(), target))
            .collect(),
    )?)
}

/// Returns the reason to refuse a link, if there is one.
fn why_refused(
    link: &str,
    targets: &SortedMap<&str, String>,
    there: &SortedSet<&str>,
) -> Option<&'static str> {
    let mut place = link.to_owned();
    for _ in 0..MOST_LINKS {
        let Some(target) = targets.get(place.as_str()) else {
            return (!there.contains(place.as_str())).then_some("is a link that leads nowhere");
        };
        match entry_list::resolved(&place, target, |folder| targets.contains_key(folder)) {
            Ok(next) => place = next,
            Err(why) => return Some(why),
        }
        // This check does not follow links in the middle of a path, so it refuses them.
        if place
            .match_indices('/')
            .any(|(end, _)| targets.contains_key(&place[..end]))
        {
            return Some("is a link that leads through another link");
        }
        if place.is_empty() || link.starts_with(&format!("{place}/")) {
            return Some("is a link that leads in a circle");
        }
    }
    Some("is a link that leads in a circle")
}

/// A buffer that accepts no more than the longest target of a link.
struct BoundedBuffer<'a>(&'a mut Vec<u8>);

impl Write for BoundedBuffer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if (self.0.len() + bytes.len()) as u64 > MOST_TARGET {
            return Err(io::Error::other("a link has 4096 bytes at most"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

// The error for an archive that cannot be unpacked, and whether the archive or the machine is to
// blame.

/// The reason why an archive is not unpacked.
#[derive(Debug)]
pub(crate) enum UnpackError {
    /// The content of the archive is refused.
    Refused(Mistakes),
    /// The archive cannot be opened or read, or its content cannot be written.
    Failed(Mistake),
}

impl UnpackError {
    /// The error for an entry whose content cannot be written.
    pub(super) fn unwritten(path: &Path, entry: &str, error: &io::Error) -> Self {
        let message = format!("{} cannot be unpacked: {error}", mistake::quoted(entry));
        let remedy = "make room for temporary files, or set TMPDIR to another disk";
        Self::Failed(Mistake::of(path, message).with_remedy(remedy))
    }
}

impl From<Mistake> for UnpackError {
    fn from(refused: Mistake) -> Self {
        Self::Refused(refused.into())
    }
}

impl From<Mistakes> for UnpackError {
    fn from(refused: Mistakes) -> Self {
        Self::Refused(refused)
    }
}

impl From<UnpackError> for Mistakes {
    fn from(error: UnpackError) -> Self {
        match error {
            UnpackError::Refused(mistakes) => mistakes,
            UnpackError::Failed(mistake) => mistake.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_must_stay_within_its_size_and_its_ratio() {
        let mut budget = ArchiveBudget::of(3 << 20);
        assert_eq!(budget.count(3 << 20, 3 << 20), Ok(()));
        assert_eq!(
            budget.count(1, 1),
            Err("brings all files to more than 3 MiB".to_owned())
        );
        let mut trap = ArchiveBudget::of(MOST_ALL);
        let said = trap.count(SMALL + 1, SMALL + 1).unwrap_err();
        assert_eq!(said, "is compressed so much that it must be a trap");
    }
}
