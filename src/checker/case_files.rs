//! The files of a case as a checker reads them: copies in its folder, or where they stand. Knows no protocol.

use std::fs;
use std::fs::File;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;

use crate::checker::call_names::text;

/// Copies in the folder of a call, and how large they are at most: to copy this takes about as long as to show the file itself.
const INPUT: &str = ".input";
const ANSWER: &str = ".answer";
const LARGEST_COPY: u64 = 2 << 20;

/// Input and answer of a case, as a checker may read them; where there are none, neither has a name.
#[derive(Default)]
pub(super) struct CaseFiles {
    pub(super) input: PathBuf,
    pub(super) answer: PathBuf,
    /// Copies, and what they are copies of.
    copies: Vec<(String, String)>,
}

impl CaseFiles {
    /// Shows the two to whoever works in a folder.
    ///
    /// # Errors
    /// If one cannot be read, or copied.
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

    /// Those that lie elsewhere than in a folder.
    pub(super) fn elsewhere(&self, folder: &Path) -> impl Iterator<Item = PathBuf> {
        [&self.input, &self.answer].into_iter().filter(move |file| !file.starts_with(folder)).cloned()
    }

    /// What was said, with the names of the files themselves in place of those of copies.
    pub(super) fn named_in(&self, said: &str) -> String {
        let named = |said: String, (copy, file): &(String, String)| said.replace(copy, file);
        self.copies.iter().fold(said.to_owned(), named)
    }
}

/// A file of a case as the checker may read it: a copy, since what lies elsewhere has to be made visible, which takes longer; or
/// where it stands, if it is large and every user may read it there, for the checker may run as another.
fn readable(path: PathBuf, copy: &Path) -> io::Result<PathBuf> {
    let found = path.metadata()?;
    let is_for_all = found.permissions().mode() & 0o004 != 0;
    // What an earlier pass has left lies there already.
    let is_there = path.parent() == copy.parent();
    if is_for_all && (is_there || found.len() > LARGEST_COPY) {
        return Ok(path);
    }
    // A checker of an earlier pass may have put anything there.
    if copy.symlink_metadata().is_ok() {
        fs::remove_file(copy)?;
    }
    io::copy(&mut File::open(&path)?, &mut File::create_new(copy)?)?;
    fs::set_permissions(copy, Permissions::from_mode(0o644))?;
    Ok(copy.to_owned())
}
