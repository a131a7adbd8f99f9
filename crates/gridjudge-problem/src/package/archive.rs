//! Unpacks a package from an archive (`.zip`, `.kpp`) into an empty folder of our own, after all
//! entries were checked. Names, links, kinds and sizes are checked here; nothing that an archive
//! claims about itself is trusted. Start at [`unpack`].

mod content;
mod entry_list;
mod name_tree;

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use content::ArchiveBudget;
use entry_list::ArchiveEntry;
use name_tree::EntryKind;
use rawzip::{RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipLocator};

use crate::files;
use crate::files::FileError;
use crate::mistake::{Mistake, Mistakes};

use entry_list::WatchedFile;
use name_tree::{NameClash, NameTree};

pub(crate) use crate::package::archive::content::UnpackError;
pub(crate) use name_tree::case_twins;

/// Endings of packages that are archives.
pub(crate) const ENDINGS: [&str; 2] = ["zip", "kpp"];

/// Whether a path has the ending of an archive.
pub fn is_archive(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
}

/// What the files of an archive may come to.
pub(crate) struct UnpackBounds {
    /// The bytes of all files together.
    pub(crate) bytes: u64,
    /// The number of files and folders.
    pub(crate) files: usize,
}

/// Unpacks an archive of at most this many files and folders into a folder, which must be empty.
///
/// # Errors
/// Returns every entry that is refused by its name or kind, before anything is written; else the
/// first whose content is damaged or too large.
pub(crate) fn unpack(path: &Path, into: &Path, most_files: usize) -> Result<(), Mistakes> {
    unpack_within(
        path,
        files::open(path),
        into,
        UnpackBounds {
            bytes: content::MOST_ALL,
            files: most_files,
        },
    )
    .map_err(Mistakes::from)
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
) -> Result<(), UnpackError> {
    let file = opened.map_err(|refused| match refused {
        FileError::Unreadable(_) => UnpackError::Failed(Mistake::refused(path, &refused)),
        FileError::Kind(_) | FileError::Size(_) | FileError::Link => {
            Mistake::refused(path, &refused).into()
        }
    })?;
    unpack_file(path, file, into, most)
}

fn unpack_file(
    path: &Path,
    file: File,
    into: &Path,
    most: UnpackBounds,
) -> Result<(), UnpackError> {
    let length = file
        .metadata()
        .map_err(|error| cannot_read(path, &error))?
        .len();
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let located = ZipLocator::new().locate_in_reader(WatchedFile::of(file), &mut buffer, length);
    let archive = located.map_err(|(file, error)| match file.error() {
        Some(error) => cannot_read(path, error),
        None => {
            let message = format!("is not a readable archive: {error}");
            Mistake::of(path, message)
                .with_remedy("pack it again")
                .into()
        }
    })?;
    let unpacked = unpack_all(path, &archive, into, most);
    match archive.get_ref().error() {
        Some(error) => Err(cannot_read(path, error)),
        None => unpacked,
    }
}

fn unpack_all(
    path: &Path,
    archive: &ZipArchive<WatchedFile>,
    into: &Path,
    most: UnpackBounds,
) -> Result<(), UnpackError> {
    let entries = entry_list::read(path, archive, most.files)?;
    let mut budget = ArchiveBudget::of(most.bytes);
    let links = content::links(path, archive, &entries, &mut budget)?;
    for entry in &entries {
        write(path, archive, entry, into, &mut budget)?;
    }
    for (name, target) in links {
        let written = std::os::unix::fs::symlink(&target, into.join(&name));
        written.map_err(|error| UnpackError::unwritten(path, &name, &error))?;
    }
    Ok(())
}

/// Writes a file or a folder. Links are written later, so that nothing is ever written through one.
fn write(
    path: &Path,
    archive: &ZipArchive<WatchedFile>,
    entry: &ArchiveEntry,
    into: &Path,
    budget: &mut ArchiveBudget,
) -> Result<(), UnpackError> {
    let place = into.join(&entry.name);
    let failed = |error: io::Error| UnpackError::unwritten(path, &entry.name, &error);
    let folder = match entry.kind {
        EntryKind::Folder => Some(place.as_path()),
        _ => place.parent(),
    };
    folder
        .map_or(Ok(()), files::create_folders)
        .map_err(failed)?;
    if entry.kind == EntryKind::File {
        let mode = if entry.is_executable { 0o755 } else { 0o644 };
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(mode)
            .open(&place)
            .map_err(failed)?;
        content::copy(path, archive, entry, file, budget)?;
    }
    Ok(())
}

fn cannot_read(path: &Path, error: &io::Error) -> UnpackError {
    let remedy = "look at the disk that it lies on";
    UnpackError::Failed(Mistake::of(path, format!("cannot be read: {error}")).with_remedy(remedy))
}

#[cfg(test)]
mod tests;
