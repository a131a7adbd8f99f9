//! Writes the files of an export into an archive or a folder, and the texts of files in
//! YAML. Start at [`write_export_files`].

use std::collections::BTreeSet;
use std::fs::Permissions;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchiveWriter};

use crate::export::ExportTarget;
use crate::export::material::{ExportFile, ExportFiles};
use crate::files::{UnfinishedFile, UnfinishedFolder};
use crate::mistake::{Mistake, Mistakes, quoted};
use crate::package::{case_twins, folders_around};
use crate::text::JoinedTexts;

// Writes texts as YAML. Every text is in quotes, so that it is never read as a number
// or another type.

/// A text in quotes. The escapes of JSON are all known to YAML.
pub(super) fn quoted_in_yaml(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(letter);
            }
            '\n' => quoted.push_str("\\n"),
            letter if letter.is_control() => {
                quoted += &format!("\\u{:04x}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

/// The line of a key whose value is a text.
pub(super) fn yaml_line(key: &str, text: &str) -> String {
    format!("{key}: {}\n", quoted_in_yaml(text))
}

/// A list of texts.
pub(super) fn list(texts: &[String]) -> String {
    let texts = texts.iter().map(|text| quoted_in_yaml(text));
    format!("[{}]", texts.joined(", "))
}

// Writes an export into an archive. The bytes are the same each time: names are sorted,
// and there are no times. Kattis' formats require one folder with the archive's name in
// it; DOMjudge reads its files at the root, and needs entries for the folders of
// submissions.

/// The bits of a mode that mark an entry as a file or a folder.
const REGULAR: u32 = 0o100_000;
const DIRECTORY: u32 = 0o040_000;

pub(super) fn write_export_files(
    files: &ExportFiles,
    target: ExportTarget,
    place: &Path,
) -> Result<(), Mistakes> {
    match place.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        _ => return Mistake::refuse(place, "is there already", REMEDY),
    }
    if let Some((one, other)) = case_twins(files.keys().map(String::as_str)) {
        let names = format!("{} and {}", quoted(one), quoted(other));
        return Mistake::refuse(
            place,
            format!("cannot hold {names}, which differ in upper and lower case only"),
            "rename one of them, or export a folder",
        );
    }
    let stem = place.file_stem().unwrap_or_default().to_string_lossy();
    let within = if target == ExportTarget::DomJudge {
        String::new()
    } else {
        format!("{stem}/")
    };
    put(files, &within, place).map_err(|error| unwritten(place, &error))
}

/// The first moment that a zip can name, 1980-01-01, in seconds since 1970: exports of
/// one problem are the same bytes, and a date of zeros is none.
const FIRST_MOMENT: i64 = 315_532_800;

fn put(files: &ExportFiles, within: &str, place: &Path) -> io::Result<()> {
    let mut unfinished = UnfinishedFile::beside(place, FILE_MODE)?;
    let mut archive = ZipArchiveWriter::new(io::BufWriter::new(unfinished.file()));
    // Every folder, parents first.
    let folders: BTreeSet<_> = files
        .keys()
        .map(|name| format!("{within}{name}"))
        .flat_map(|name| folders_around(&name).map(str::to_owned).collect::<Vec<_>>())
        .collect();
    for folder in folders {
        let folder = archive
            .new_dir(format!("{folder}/"))
            .last_modified(UtcDateTime::from_unix(FIRST_MOMENT))
            .unix_permissions(DIRECTORY | FOLDER_MODE);
        folder.create().map_err(io::Error::other)?;
    }
    for (name, file) in files {
        add(&mut archive, &format!("{within}{name}"), file)?;
    }
    archive.finish().map_err(io::Error::other)?.flush()?;
    unfinished
        .file()
        .set_permissions(Permissions::from_mode(FILE_MODE))?;
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
        .last_modified(UtcDateTime::from_unix(FIRST_MOMENT))
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

// Writes an export into a folder, which gets its name when all files are in it, so that
// no partial export stays.

/// The modes of folders and files, whatever the modes of the originals.
const FOLDER_MODE: u32 = 0o755;
const FILE_MODE: u32 = 0o644;

/// The remedy if something exists at the place.
const REMEDY: &str = "name another one, or move it away";

/// Refuses a place where anything except an empty folder exists.
pub(super) fn write_folder(
    files: &ExportFiles,
    place: &Path,
) -> Result<(), Mistakes> {
    let found = place.symlink_metadata();
    if found.as_ref().is_ok_and(|found| !found.is_dir()) {
        let message = "is there already, and is not a folder";
        return Mistake::refuse(place, message, REMEDY);
    }
    match found.and_then(|_| place.read_dir()?.next().transpose()) {
        Ok(None) => {}
        Ok(Some(_)) => {
            let message = "is there already, and is not empty";
            return Mistake::refuse(place, message, REMEDY);
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(unwritten(place, &error)),
    }
    put_file(files, place).map_err(|error| unwritten(place, &error))
}

fn put_file(files: &ExportFiles, place: &Path) -> io::Result<()> {
    let unfinished = UnfinishedFolder::beside(place)?;
    for (name, file) in files {
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
