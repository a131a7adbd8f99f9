//! The files of an export by name, before anything is written. Files that are exported unchanged
//! are only referred to by path.

use crate::sorted::SortedMap;
use std::fmt::Write;
use std::fs::File;
use std::io;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::files;

/// Files by their names relative to the root of the package.
#[derive(Debug, Default)]
pub(super) struct ExportFiles {
    files: SortedMap<String, ExportFile>,
}

/// One file of an export.
#[derive(Debug)]
pub(super) struct ExportFile {
    content: FileContent,
    pub(super) is_executable: bool,
}

#[derive(Debug)]
enum FileContent {
    Bytes(Vec<u8>),
    Copy(PathBuf),
    /// A copy with a text appended.
    CopyWith(PathBuf, String),
}

impl ExportFiles {
    /// Adds a file with this content.
    pub(super) fn put(&mut self, name: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.add(name.into(), FileContent::Bytes(content.into()), false);
    }

    /// Adds a program with this content, which can be executed.
    pub(super) fn put_executable(&mut self, name: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.add(name.into(), FileContent::Bytes(content.into()), true);
    }

    /// Appends a text to a generated file, which is created if it does not exist.
    pub(super) fn append(&mut self, name: &str, text: &str) {
        let file = self
            .files
            .entry(name.to_owned())
            .or_insert_with(|| ExportFile {
                content: FileContent::Bytes(Vec::new()),
                is_executable: false,
            });
        if let FileContent::Bytes(bytes) = &mut file.content {
            bytes.extend(text.as_bytes());
        }
    }

    /// Adds a copy of a file.
    pub(super) fn copy(&mut self, name: impl Into<String>, path: &Path) {
        self.add(
            name.into(),
            FileContent::Copy(path.to_owned()),
            is_executable(path),
        );
    }

    /// Adds a copy of a file with a text appended.
    pub(super) fn copy_with(&mut self, name: impl Into<String>, path: &Path, appended: String) {
        self.add(
            name.into(),
            FileContent::CopyWith(path.to_owned(), appended),
            is_executable(path),
        );
    }

    fn add(&mut self, name: String, content: FileContent, is_executable: bool) {
        self.files.insert(
            name,
            ExportFile {
                content,
                is_executable,
            },
        );
    }

    /// Whether there is a file or a folder of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        let below = format!("{name}/");
        self.files.contains_key(name)
            || self
                .files
                .range_from(&below)
                .next()
                .is_some_and(|(found, _)| found.starts_with(&below))
    }

    /// The files in the order of their names.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &ExportFile)> {
        self.files.iter().map(|(name, file)| (name.as_str(), file))
    }
}

impl ExportFile {
    /// Opens its content for reading.
    ///
    /// # Errors
    /// Returns an error if the file that it copies cannot be read.
    pub(super) fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        let open =
            |path: &Path| -> io::Result<File> { files::open(path).map_err(io::Error::other) };
        Ok(match &self.content {
            FileContent::Bytes(bytes) => Box::new(&bytes[..]),
            FileContent::Copy(path) => Box::new(open(path)?),
            FileContent::CopyWith(path, appended) => {
                Box::new(open(path)?.chain(appended.as_bytes()))
            }
        })
    }
}

fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
}

// Writes texts as YAML. Every text is in quotes, so that it is never read as a number or another
// type.

/// A text in quotes. The escapes of JSON are all known to YAML.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            letter if letter.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

/// A list of texts.
pub(super) fn list(texts: &[String]) -> String {
    format!(
        "[{}]",
        texts
            .iter()
            .map(|text| quoted(text))
            .collect::<Vec<_>>()
            .join(", ")
    )
}
