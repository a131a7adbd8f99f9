//! Recognises files of cases that stand for others, which a program must not get in
//! their place: pointers of Git LFS, and compressed files. Start at [`lfs_pointers`].

use std::ops::RangeInclusive;
use std::path::Path;

use crate::files;
use crate::mistake::Mistake;
use crate::text::counted;

/// How a pointer begins. Source: git-lfs, `docs/spec.md`.
const POINTER_START: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";

/// How many bytes a pointer has: lines with the version, a digest in SHA-256, and a
/// size of 1 to 20 digits. Only such files are opened, because there may be very many
/// cases.
const POINTER_BYTES: RangeInclusive<u64> = 126..=145;

/// The endings of compressed files.
const COMPRESSED: &str = "gz bz2 xz zst lzma z 7z zip rar";

/// The mistake that some of the files of cases are pointers of Git LFS, as after
/// `git clone` on a machine without it.
pub(crate) fn lfs_pointers<'f>(
    files: impl Iterator<Item = &'f Path>,
) -> Option<Mistake> {
    let found = first_of(
        files.filter(|file| is_lfs_pointer(file)),
        "is a pointer of Git LFS, not the file itself",
    )?;
    let remedy = "fetch the files: `git lfs pull`, where the repository was cloned";
    Some(found.with_remedy(remedy))
}

/// The mistake that some of the files of cases are compressed.
pub(super) fn compressed<'f>(files: impl Iterator<Item = &'f Path>) -> Option<Mistake> {
    let found = first_of(
        files.filter(|file| is_compressed(file)),
        "is compressed, and programs cannot read it",
    )?;
    let remedy = "unpack the cases, as with `gunzip -r FOLDER`";
    Some(found.with_remedy(remedy))
}

/// A mistake in the first of the files, which counts the others.
fn first_of<'f>(
    mut files: impl Iterator<Item = &'f Path>,
    what: &str,
) -> Option<Mistake> {
    let first = files.next()?;
    let others = files.count();
    if others == 0 {
        return Some(Mistake::about_file(first, what));
    }
    let others = counted(others as u64, "other file");
    let message = format!("{what}; the same holds for {others} of cases");
    Some(Mistake::about_file(first, message))
}

fn is_lfs_pointer(file: &Path) -> bool {
    let has_its_size = file
        .metadata()
        .is_ok_and(|found| POINTER_BYTES.contains(&found.len()));
    has_its_size
        && files::read_bounded(file, *POINTER_BYTES.end())
            .is_ok_and(|content| content.starts_with(POINTER_START))
}

fn is_compressed(file: &Path) -> bool {
    let ending = file.extension().unwrap_or_default();
    let ending = ending.to_ascii_lowercase();
    COMPRESSED.split(' ').any(|known| known == ending)
}
