//! Gives texts of cases the line breaks that the judge of their format gives them.
//! Where a file has others, a copy is made, and the file itself stays as it is.
//!
//! Sources: DMOJ, `TestCase._normalize`; CMS, `cmscontrib/loaders/polygon.py`, which
//! passes each test to `dos2unix`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::{self, UnfinishedFolder};
use crate::mistake::Mistake;

use LineBreaks::{AsTheyAre, LineFeedsOnly, WithoutCarriageReturns};

/// What a judge does to the line breaks of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineBreaks {
    /// Nothing.
    #[default]
    AsTheyAre,
    /// A carriage return before a line feed is dropped, unless the file is no text.
    WithoutCarriageReturns,
    /// A line feed ends every line, the last one too; a carriage return alone ends a
    /// line as well.
    LineFeedsOnly,
}

/// The files of cases in the form that programs get.
#[derive(Default)]
pub(super) struct TextCopies {
    form: LineBreaks,
    /// The temporary folder of the copies, once it is needed.
    pub(super) folder: Option<Arc<UnfinishedFolder>>,
    /// Files in the form that programs get, by the original files.
    pub(super) ready: BTreeMap<PathBuf, PathBuf>,
}

impl TextCopies {
    pub(super) fn new(form: LineBreaks) -> Self {
        Self {
            form,
            ..Self::default()
        }
    }

    /// Returns a file in the form that programs get.
    pub(super) fn ready(&mut self, file: &Path) -> Result<PathBuf, Mistake> {
        if let Some(ready) = self.ready.get(file) {
            return Ok(ready.clone());
        }
        let opened = files::open_file(file)
            .map_err(|refused| Mistake::refused(file, &refused))?;
        let form = self.form;
        let is_given = form.is_given(&opened);
        if is_given.map_err(|error| Mistake::unreadable(file, error))? {
            self.ready.insert(file.to_owned(), file.to_owned());
            return Ok(file.to_owned());
        }
        self.copy(file, |to| form.give(&opened, to))
            .map_err(|error| no_room(file, &error))
    }

    /// Returns an empty file.
    pub(super) fn empty(&mut self) -> io::Result<PathBuf> {
        self.copy(Path::new(""), |_| Ok(()))
    }

    /// Returns the path of the copy of a file, which is written once.
    fn copy(
        &mut self,
        file: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<PathBuf> {
        if let Some(ready) = self.ready.get(file) {
            return Ok(ready.clone());
        }
        let ending = file.extension().unwrap_or_default();
        let path = self
            .folder("copies")?
            .join(self.ready.len().to_string())
            .with_extension(ending);
        let mut to = BufWriter::new(File::create_new(&path)?);
        write(&mut to)?;
        to.flush()?;
        self.ready.insert(file.to_owned(), path.clone());
        Ok(path)
    }

    /// Creates a folder in that of the copies.
    pub(super) fn folder(&mut self, name: &str) -> io::Result<PathBuf> {
        let around = match &self.folder {
            Some(folder) => folder,
            None => self.folder.insert(UnfinishedFolder::temporary()?.into()),
        };
        let folder = around.path().join(name);
        files::create_folders(&folder)?;
        Ok(folder)
    }
}

pub(super) fn no_room(path: &Path, error: &io::Error) -> Mistake {
    Mistake::new(
        path,
        format!("its files of cases cannot be made ready: {error}"),
        "make room for temporary files, or set TMPDIR to another disk",
    )
}

impl LineBreaks {
    /// Whether a file needs no copy. Leaves the file at its start.
    fn is_given(self, mut file: &File) -> io::Result<bool> {
        if self == AsTheyAre {
            return Ok(true);
        }
        let mut buffer = vec![0; 1 << 16];
        let mut last = b'\n';
        let mut has_returns = false;
        let is_given = loop {
            let bytes = file.read(&mut buffer)?;
            let read = &buffer[..bytes];
            let Some(end) = read.last() else {
                break !has_returns
                    && (self == WithoutCarriageReturns || last == b'\n');
            };
            has_returns |= memchr::memchr(b'\r', read).is_some();
            // A file with such a byte is no text.
            if self == WithoutCarriageReturns && memchr::memchr(0, read).is_some() {
                break true;
            }
            last = *end;
        };
        file.rewind()?;
        Ok(is_given)
    }

    /// Copies a text, with the line breaks of this form.
    pub fn give(self, from: impl Read, to: &mut dyn Write) -> io::Result<()> {
        let mut last = b'\n';
        for byte in BufReader::new(from).bytes() {
            let byte = byte?;
            let ends_pair = (last, byte) == (b'\r', b'\n');
            match self {
                AsTheyAre => to.write_all(&[byte])?,
                WithoutCarriageReturns => {
                    // A carriage return is held back until it is known what follows.
                    if last == b'\r' && !ends_pair {
                        to.write_all(b"\r")?;
                    }
                    if byte != b'\r' {
                        to.write_all(&[byte])?;
                    }
                }
                LineFeedsOnly => match byte {
                    b'\r' => to.write_all(b"\n")?,
                    _ if ends_pair => {}
                    _ => to.write_all(&[byte])?,
                },
            }
            last = byte;
        }
        match (self, last) {
            (WithoutCarriageReturns, b'\r') => to.write_all(b"\r"),
            (LineFeedsOnly, other) if other != b'\n' && other != b'\r' => {
                to.write_all(b"\n")
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::package::Package;

    #[test]
    fn each_form_changes_only_the_line_breaks_that_its_judge_changes() {
        let given = |form: LineBreaks, text: &str| {
            let mut to = vec![];
            form.give(text.as_bytes(), &mut to).unwrap();
            String::from_utf8(to).unwrap()
        };
        for (text, without_returns, line_feeds_only) in [
            ("", "", ""),
            ("a", "a", "a\n"),
            ("a\n", "a\n", "a\n"),
            ("a\r\nb\r\n", "a\nb\n", "a\nb\n"),
            ("a\rb\r", "a\rb\r", "a\nb\n"),
            ("a\r\r\nb\r\r", "a\r\nb\r\r", "a\n\nb\n\n"),
            ("\r\n\n\r\na", "\n\n\na", "\n\n\na\n"),
        ] {
            assert_eq!(given(LineBreaks::AsTheyAre, text), text);
            assert_eq!(
                given(LineBreaks::WithoutCarriageReturns, text),
                without_returns,
                "{text:?}"
            );
            assert_eq!(
                given(LineBreaks::LineFeedsOnly, text),
                line_feeds_only,
                "{text:?}"
            );
        }
    }

    #[test]
    fn only_a_file_with_other_line_breaks_is_copied_and_what_is_no_text_never() {
        let place = tempfile::tempdir().unwrap();
        let put = |name: &str, bytes: &[u8]| {
            let path = place.path().join(name);
            fs::write(&path, bytes).unwrap();
            path
        };
        let mut copies = TextCopies::new(LineBreaks::WithoutCarriageReturns);
        let [plain, binary] = [put("plain", b"1\n2"), put("binary", b"1\r\n\0")];
        for same in [&plain, &binary] {
            assert_eq!(copies.ready(same).unwrap(), *same);
        }
        let windows = put("windows", b"1\r\n");
        let copy = copies.ready(&windows).unwrap();
        assert_eq!(fs::read(&copy).unwrap(), b"1\n");
        assert_eq!(copies.ready(&windows).unwrap(), copy);
        let mut package = Package::default();
        package.keep_copies(copies);
        assert_eq!(package.originals, BTreeMap::from([(copy.clone(), windows)]));
        drop(package);
        assert!(!copy.exists());
    }
}
