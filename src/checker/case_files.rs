//! Makes the files of a case readable for a checker: as copies in its folder, or in place. Knows no protocol.

use std::fs;
use std::fs::File;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;

use crate::checker::call_names::text;

/// The names of copies in the folder of a call, and their maximum size in bytes: copying this much takes
/// about as long as making the file itself visible in the sandbox.
const INPUT: &str = ".input";
const ANSWER: &str = ".answer";
const LARGEST_COPY: u64 = 2 << 20;

/// Paths of a case's input and answer that a checker can read; both empty if it needs neither.
#[derive(Default)]
pub(super) struct CaseFiles {
    pub(super) input: PathBuf,
    pub(super) answer: PathBuf,
    /// The path of each copy, and that of its original.
    copies: Vec<(String, String)>,
}

impl CaseFiles {
    /// Makes the two readable for a program that works in a folder.
    ///
    /// # Errors
    /// Fails if one of them cannot be read or copied.
    pub(super) fn show(input: &Path, answer: &Path, folder: &Path) -> io::Result<Self> {
        let mut copies = Vec::new();
        let mut shown = |path: &Path, name| {
            let copy = folder.join(name);
            let seen = readable(std::path::absolute(path)?, &copy)?;
            copies.extend((seen == copy).then(|| (text(&copy), text(path))));
            Ok::<_, io::Error>(seen)
        };
        let (input, answer) = (shown(input, INPUT)?, shown(answer, ANSWER)?);
        Ok(Self { input, answer, copies })
    }

    /// Those of the two that are outside of a folder.
    pub(super) fn elsewhere(&self, folder: &Path) -> impl Iterator<Item = PathBuf> {
        [&self.input, &self.answer].into_iter().filter(move |file| !file.starts_with(folder)).cloned()
    }

    /// Replaces the paths of copies in a text by those of their originals.
    pub(super) fn named_in(&self, said: &str) -> String {
        let named = |said: String, (copy, file): &(String, String)| said.replace(copy, file);
        self.copies.iter().fold(said.to_owned(), named)
    }
}

/// Returns a path at which the checker can read a file. Usually that is a copy, because making a file
/// elsewhere visible in the sandbox takes longer. It is the file itself if it is large and every user may
/// read it: the checker may run as another user.
fn readable(path: PathBuf, copy: &Path) -> io::Result<PathBuf> {
    let found = path.metadata()?;
    let is_for_all = found.permissions().mode() & 0o004 != 0;
    // The input of a later pass is in the folder already.
    let is_there = path.parent() == copy.parent();
    if is_for_all && (is_there || found.len() > LARGEST_COPY) {
        return Ok(path);
    }
    // The checker may have left anything there in an earlier pass.
    if copy.symlink_metadata().is_ok() {
        fs::remove_file(copy)?;
    }
    io::copy(&mut File::open(&path)?, &mut File::create_new(copy)?)?;
    fs::set_permissions(copy, Permissions::from_mode(0o644))?;
    Ok(copy.to_owned())
}
