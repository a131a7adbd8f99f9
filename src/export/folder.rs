//! Writes an export into a folder, which gets its name when all files are in it, so that no partial
//! export stays.

use std::fs::Permissions;
use std::io;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::export::export_files::ExportFiles;
use crate::files::UnfinishedFolder;
use crate::mistake::{Mistake, Mistakes};

/// The modes of folders and files, whatever the modes of the originals.
pub(super) const FOLDER_MODE: u32 = 0o755;
const FILE_MODE: u32 = 0o644;

/// The remedy if something exists at the place.
const REMEDY: &str = "name another one, or move it away";

pub(super) fn write(files: &ExportFiles, place: &Path) -> Result<(), Mistakes> {
    refuse_existing(place)?;
    put(files, place).map_err(|error| unwritten(place, &error))
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
        return Err(Mistake::of(place, message).with_remedy(REMEDY).into());
    }
    match place
        .read_dir()
        .and_then(|mut entries| entries.next().transpose())
    {
        Ok(None) => Ok(()),
        Ok(Some(_)) => {
            let message = "is there already, and is not empty";
            Err(Mistake::of(place, message).with_remedy(REMEDY).into())
        }
        Err(error) => Err(unwritten(place, &error)),
    }
}

fn put(files: &ExportFiles, place: &Path) -> io::Result<()> {
    let unfinished = UnfinishedFolder::beside(place)?;
    for (name, file) in files.iter() {
        let mut copy = unfinished.create(Path::new(name))?;
        io::copy(&mut file.open()?, &mut copy)?;
        copy.set_permissions(Permissions::from_mode(file_mode(file.is_executable)))?;
    }
    unfinished.rename(place, Some(FOLDER_MODE))
}

/// The mode of a file.
pub(super) fn file_mode(is_executable: bool) -> u32 {
    if is_executable {
        FOLDER_MODE
    } else {
        FILE_MODE
    }
}

pub(super) fn unwritten(place: &Path, error: &io::Error) -> Mistakes {
    let remedy = match error.kind() {
        ErrorKind::NotFound => "create the folder above it, or correct the name",
        ErrorKind::PermissionDenied => {
            "give yourself the right to write there, or name another place"
        }
        _ => "name another place",
    };
    Mistake::of(place, format!("cannot be written: {error}"))
        .with_remedy(remedy)
        .into()
}
