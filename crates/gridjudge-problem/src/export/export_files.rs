//! The files of an export by name, and how all of them are written into an archive or a
//! folder. Files that are exported unchanged are only referred to by path. Start at
//! [`ExportDraft`] and [`write_export_files`].

use std::fs::Permissions;
use std::io;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::{CompressionMethod, ZipArchiveWriter};

use crate::export::ExportTarget;
use crate::files::{UnfinishedFile, UnfinishedFolder};
use crate::mistake::{Mistake, Mistakes};
use crate::package::{case_twins, folders_around};
use crate::sorted::{SortedMap, SortedSet};
use crate::{files, mistake};

/// A package that is being put together.
#[derive(Debug, Default)]
pub(super) struct ExportDraft {
    /// By their names relative to the root of the package.
    files: SortedMap<String, ExportFile>,
    /// What the format cannot express, or expresses differently: a sentence each,
    /// without a full stop.
    pub(super) notes: Vec<String>,
}

/// One file of an export: a copy of another one, if there is one, and a text after it.
#[derive(Debug, Default)]
pub(super) struct ExportFile {
    original: Option<PathBuf>,
    text: Vec<u8>,
    is_executable: bool,
}

impl ExportDraft {
    /// Adds a file with this content.
    pub(super) fn put(&mut self, name: impl Into<String>, content: impl Into<Vec<u8>>) {
        let file = ExportFile {
            text: content.into(),
            ..ExportFile::default()
        };
        self.files.insert(name.into(), file);
    }

    /// Adds a program with this content, which can be executed.
    pub(super) fn put_executable(&mut self, name: impl Into<String>, content: String) {
        let file = ExportFile {
            text: content.into(),
            is_executable: true,
            ..ExportFile::default()
        };
        self.files.insert(name.into(), file);
    }

    /// Appends a text to a generated file, which is created if it does not exist.
    pub(super) fn append(&mut self, name: &str, text: &str) {
        let file = self.files.entry(name.to_owned()).or_default();
        file.text.extend(text.as_bytes());
    }

    /// Adds a copy of a file.
    pub(super) fn copy(&mut self, name: impl Into<String>, path: &Path) {
        self.copy_with(name, path, String::new());
    }

    /// Adds a copy of a file with a text appended.
    pub(super) fn copy_with(
        &mut self,
        name: impl Into<String>,
        path: &Path,
        appended: String,
    ) {
        let file = ExportFile {
            original: Some(path.to_owned()),
            text: appended.into(),
            is_executable: is_executable(path),
        };
        self.files.insert(name.into(), file);
    }

    /// Notes what the format cannot express.
    pub(super) fn note_loss(&mut self, what: impl Into<String>) {
        self.notes.push(what.into());
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
    fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        let text = &self.text[..];
        Ok(match &self.original {
            Some(path) => {
                let file = files::open_file(path).map_err(io::Error::other)?;
                Box::new(file.chain(text))
            }
            None => Box::new(text),
        })
    }
}

fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
}

// Writes texts as YAML. Every text is in quotes, so that it is never read as a number
// or another type.

/// A text in quotes. The escapes of JSON are all known to YAML.
pub(super) fn quoted_in_yaml(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            letter if letter.is_control() => {
                quoted += &format!("\\u{:04x}", u32::from(letter));
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
            .map(|text| quoted_in_yaml(text))
            .collect::<Vec<_>>()
            .join(", ")
    )
}

// Writes an export into an archive. The bytes are the same each time: names are sorted,
// and there are no times. Kattis' formats require one folder with the archive's name in
// it; DOMjudge reads its files at the root, and needs entries for the folders of
// submissions.

/// The bits of a mode that mark an entry as a file or a folder.
const REGULAR: u32 = 0o100_000;
const DIRECTORY: u32 = 0o040_000;

pub(super) fn write_export_files(
    files: &ExportDraft,
    target: ExportTarget,
    place: &Path,
) -> Result<(), Mistakes> {
    match place.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        _ => {
            return Err(Mistake::new(
                place,
                "is there already",
                "name another one, or move it away",
            )
            .into());
        }
    }
    if let Some((one, other)) = case_twins(files.iter().map(|(name, _)| name)) {
        let names = format!("{} and {}", mistake::quoted(one), mistake::quoted(other));
        let message =
            format!("cannot hold {names}, which differ in upper and lower case only");
        return Err(Mistake::new(
            place,
            message,
            "rename one of them, or export a folder",
        )
        .into());
    }
    let stem = place.file_stem().unwrap_or_default().to_string_lossy();
    let within = if target == ExportTarget::DomJudge {
        String::new()
    } else {
        format!("{stem}/")
    };
    put(files, &within, place).map_err(|error| unwritten(place, &error))
}

fn put(files: &ExportDraft, within: &str, place: &Path) -> io::Result<()> {
    let mut unfinished = UnfinishedFile::beside(place, file_mode(false))?;
    let mut archive = ZipArchiveWriter::new(io::BufWriter::new(unfinished.file()));
    for folder in folders(files, within) {
        let folder = archive
            .new_dir(format!("{folder}/"))
            .unix_permissions(DIRECTORY | FOLDER_MODE);
        folder.create().map_err(io::Error::other)?;
    }
    for (name, file) in files.iter() {
        add(&mut archive, &format!("{within}{name}"), file)?;
    }
    archive.finish().map_err(io::Error::other)?.flush()?;
    unfinished
        .file()
        .set_permissions(Permissions::from_mode(file_mode(false)))?;
    unfinished.create(place)
}

fn add(
    archive: &mut ZipArchiveWriter<impl Write>,
    name: &str,
    file: &ExportFile,
) -> io::Result<()> {
    let entry = archive
        .new_file(name)
        .compression_method(CompressionMethod::DEFLATE)
        .unix_permissions(REGULAR | file_mode(file.is_executable));
    let (mut entry, config) = entry.start().map_err(io::Error::other)?;
    let mut writer =
        config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
    io::copy(&mut file.open()?, &mut writer)?;
    let (encoder, descriptor) = writer.finish().map_err(io::Error::other)?;
    encoder.finish()?;
    entry.finish(descriptor).map_err(io::Error::other)?;
    Ok(())
}

/// Every folder, parents first.
fn folders(files: &ExportDraft, within: &str) -> SortedSet<String> {
    files
        .iter()
        .map(|(name, _)| format!("{within}{name}"))
        .flat_map(|name| folders_around(&name).map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

// Writes an export into a folder, which gets its name when all files are in it, so that
// no partial export stays.

/// The modes of folders and files, whatever the modes of the originals.
const FOLDER_MODE: u32 = 0o755;
const FILE_MODE: u32 = 0o644;

/// The remedy if something exists at the place.
const REMEDY: &str = "name another one, or move it away";

pub(super) fn write_folder(files: &ExportDraft, place: &Path) -> Result<(), Mistakes> {
    refuse_existing(place)?;
    put_file(files, place).map_err(|error| unwritten(place, &error))
}

/// Refuses a place where anything except an empty folder exists.
fn refuse_existing(place: &Path) -> Result<(), Mistakes> {
    let found = match place.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(unwritten(place, &error)),
        Ok(found) => found,
    };
    if !found.is_dir() {
        let message = "is there already, and is not a folder";
        return Err(Mistake::new(place, message, REMEDY).into());
    }
    match place
        .read_dir()
        .and_then(|mut entries| entries.next().transpose())
    {
        Ok(None) => Ok(()),
        Ok(Some(_)) => {
            let message = "is there already, and is not empty";
            Err(Mistake::new(place, message, REMEDY).into())
        }
        Err(error) => Err(unwritten(place, &error)),
    }
}

fn put_file(files: &ExportDraft, place: &Path) -> io::Result<()> {
    let unfinished = UnfinishedFolder::beside(place)?;
    for (name, file) in files.iter() {
        let mut copy = unfinished.create(Path::new(name))?;
        io::copy(&mut file.open()?, &mut copy)?;
        copy.set_permissions(Permissions::from_mode(file_mode(file.is_executable)))?;
    }
    unfinished.rename(place, Some(FOLDER_MODE))
}

/// The mode of a file.
fn file_mode(is_executable: bool) -> u32 {
    if is_executable {
        FOLDER_MODE
    } else {
        FILE_MODE
    }
}

fn unwritten(place: &Path, error: &io::Error) -> Mistakes {
    let remedy = match error.kind() {
        ErrorKind::NotFound => "create the folder above it, or correct the name",
        ErrorKind::PermissionDenied => {
            "give yourself the right to write there, or name another place"
        }
        _ => "name another place",
    };
    Mistake::new(place, format!("cannot be written: {error}"), remedy).into()
}
