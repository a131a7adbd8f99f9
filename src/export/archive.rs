//! Writes an export into an archive. The bytes are the same each time: names are sorted, and there
//! are no times. Kattis' formats require one folder with the archive's name in it; DOMjudge reads
//! its files at the root, and needs entries for the folders of submissions.

use std::collections::BTreeSet;
use std::fs::Permissions;
use std::io;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::{CompressionMethod, ZipArchiveWriter};

use crate::export::export_files::{ExportFile, ExportFiles};
use crate::export::folder::{FOLDER_MODE, file_mode, unwritten};
use crate::export::target::ExportTarget;
use crate::files::UnfinishedFile;
use crate::mistake::{Mistake, Mistakes, quoted};
use crate::package::case_twins;

/// The bits of a mode that mark an entry as a file or a folder.
const REGULAR: u32 = 0o100_000;
const DIRECTORY: u32 = 0o040_000;

pub(super) fn write(
    files: &ExportFiles,
    target: ExportTarget,
    place: &Path,
) -> Result<(), Mistakes> {
    match place.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        _ => {
            let mistake = Mistake::of(place, "is there already");
            return Err(mistake
                .with_remedy("name another one, or move it away")
                .into());
        }
    }
    if let Some((one, other)) = case_twins(files.iter().map(|(name, _)| name)) {
        let names = format!("{} and {}", quoted(one), quoted(other));
        let message = format!("cannot hold {names}, which differ in upper and lower case only");
        return Err(Mistake::of(place, message)
            .with_remedy("rename one of them, or export a folder")
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

fn put(files: &ExportFiles, within: &str, place: &Path) -> io::Result<()> {
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
        .compression_method(CompressionMethod::DEFLATE);
    let entry = entry.unix_permissions(REGULAR | file_mode(file.is_executable));
    let (mut entry, config) = entry.start().map_err(io::Error::other)?;
    let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
    io::copy(&mut file.open()?, &mut writer)?;
    let (encoder, descriptor) = writer.finish().map_err(io::Error::other)?;
    encoder.finish()?;
    entry.finish(descriptor).map_err(io::Error::other)?;
    Ok(())
}

/// Every folder, parents first.
fn folders(files: &ExportFiles, within: &str) -> BTreeSet<String> {
    let names = files.iter().map(|(name, _)| format!("{within}{name}"));
    names
        .flat_map(|name| {
            name.match_indices('/')
                .map(|(end, _)| name[..end].to_owned())
                .collect::<Vec<_>>()
        })
        .collect()
}
