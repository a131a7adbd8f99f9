//! Recognises files of cases that stand for others, which a program must not get in their place:
//! pointers of Git LFS, and compressed files. Start at [`lfs_pointers`].

use std::path::Path;

use crate::files;
use crate::mistake::Mistake;
use crate::text::counted;

/// How a pointer begins. Source: git-lfs, `docs/spec.md`.
const POINTER_START: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";

/// A pointer is smaller than this. Source: as above.
const MOST_POINTER: u64 = 1024;

/// The endings of compressed files.
const COMPRESSED: [&str; 9] = ["gz", "bz2", "xz", "zst", "lzma", "z", "7z", "zip", "rar"];

/// The mistake that some of the files of cases are pointers of Git LFS, as after `git clone` on a
/// machine without it.
pub(crate) fn lfs_pointers<'f>(files: impl Iterator<Item = &'f Path>) -> Option<Mistake> {
    let found = files.filter(|file| is_lfs_pointer(file));
    let remedy = "fetch the files: `git lfs pull`, where the repository was cloned";
    first_of(found, "is a pointer of Git LFS, not the file itself").map(|it| it.with_remedy(remedy))
}

/// The mistake that some of the files of cases are compressed.
pub(super) fn compressed<'f>(files: impl Iterator<Item = &'f Path>) -> Option<Mistake> {
    let found = files.filter(|file| is_compressed(file));
    let remedy = "unpack the cases, as with `gunzip -r FOLDER`";
    first_of(found, "is compressed, and programs cannot read it").map(|it| it.with_remedy(remedy))
}

/// A mistake in the first of the files, which counts the others.
fn first_of<'f>(mut files: impl Iterator<Item = &'f Path>, what: &str) -> Option<Mistake> {
    let first = files.next()?;
    let others = files.count();
    let message = if others == 0 {
        what.to_owned()
    } else {
        let others = counted(others as u64, "other file");
        format!("{what}; the same holds for {others} of cases")
    };
    Some(Mistake::of(first, message))
}

fn is_lfs_pointer(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|found| found.len() < MOST_POINTER && found.len() > POINTER_START.len() as u64)
        && files::read(file, MOST_POINTER).is_ok_and(|content| content.starts_with(POINTER_START))
}

fn is_compressed(file: &Path) -> bool {
    let ending = file.extension().unwrap_or_default().to_ascii_lowercase();
    COMPRESSED.iter().any(|known| *known == ending)
}
