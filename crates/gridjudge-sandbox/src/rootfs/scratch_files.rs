//! Puts the given files into a run's scratch folder, and copies its output file from
//! there after the run. Knows files, hostile ones too; knows nothing of runs. Start at
//! [`put`] and [`take_output`].

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::io::{Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{Component, Path};

use rustix::fs::{FileType, Gid, Mode, OFlags, Uid};
use rustix::io::Errno;

use crate::MissingOutput;
use crate::protocol::GivenEntry;

/// How many bytes are copied at once.
const PIECE_BYTES: u64 = 64 << 10;

/// Puts files into a scratch folder that no process uses, and gives them to its user
/// (`None`: our own). `bundle` contains them one after the other. Doing it twice has
/// the same effect as once.
///
/// # Errors
/// Returns an error if a name leads out of the folder, or is both a file and a folder,
/// or the disk is full.
pub(crate) fn put(
    scratch: BorrowedFd,
    bundle: &File,
    entries: &[GivenEntry],
    owner: Option<u32>,
) -> io::Result<()> {
    let mut at = 0;
    for entry in entries {
        let mut parts = parts(&entry.name)?;
        let name = parts.pop().unwrap_or_default();
        let mut folder = scratch.try_clone_to_owned()?;
        for part in parts {
            folder = folder_in(&folder, part, owner)?;
        }
        let flags = OFlags::WRONLY
            | OFlags::CREATE
            | OFlags::TRUNC
            | OFlags::NOFOLLOW
            | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&folder, name, flags, Mode::RUSR | Mode::WUSR)?;
        give(&file, owner)?;
        copy_at(bundle, at, entry.bytes, &mut file.into())?;
        at += entry.bytes;
    }
    Ok(())
}

/// Copies the file of this name from a scratch folder that no process uses any more, up
/// to one byte more than `most_bytes`. Links of either kind, folders and devices are
/// not followed, read or waited for: they count as [`MissingOutput::NotAFile`].
///
/// # Errors
/// Returns an error if reading fails for another reason, or the copy cannot be written.
pub(crate) fn take_output(
    scratch: BorrowedFd,
    name: &str,
    most_bytes: u64,
    copy: &mut impl Write,
) -> io::Result<Option<MissingOutput>> {
    let [name] = parts(name)?[..] else {
        return Err(refused("the output is in a folder"));
    };
    let flags = OFlags::RDONLY
        | OFlags::NOFOLLOW
        | OFlags::NONBLOCK
        | OFlags::NOCTTY
        | OFlags::CLOEXEC;
    let file = match rustix::fs::openat(scratch, name, flags, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Ok(Some(MissingOutput::Absent)),
        Err(Errno::LOOP | Errno::ACCESS | Errno::PERM | Errno::NXIO | Errno::NODEV) => {
            return Ok(Some(MissingOutput::NotAFile));
        }
        Err(error) => return Err(error.into()),
    };
    let found = rustix::fs::fstat(&file)?;
    // A file with a second name may belong to another user.
    if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile
        || found.st_nlink != 1
    {
        return Ok(Some(MissingOutput::NotAFile));
    }
    io::copy(
        &mut File::from(file).take(most_bytes.saturating_add(1)),
        copy,
    )?;
    Ok(None)
}

/// The parts of a name, none of which leads upwards.
fn parts(name: &str) -> io::Result<Vec<&OsStr>> {
    Path::new(name)
        .components()
        .map(|component| match component {
            Component::Normal(part) => Ok(part),
            _ => Err(refused("the name of a file leads out of its folder")),
        })
        .collect()
}

fn refused(message: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

fn folder_in(
    folder: &OwnedFd,
    name: &OsStr,
    owner: Option<u32>,
) -> io::Result<OwnedFd> {
    match rustix::fs::mkdirat(folder, name, Mode::RWXU) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(error) => return Err(error.into()),
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let made = rustix::fs::openat(folder, name, flags, Mode::empty())?;
    give(&made, owner)?;
    Ok(made)
}

fn give(file: impl AsFd, owner: Option<u32>) -> io::Result<()> {
    let Some(owner) = owner else { return Ok(()) };
    Ok(rustix::fs::fchown(
        file,
        Some(Uid::from_raw(owner)),
        Some(Gid::from_raw(owner)),
    )?)
}

fn copy_at(from: &File, start: u64, bytes: u64, to: &mut File) -> io::Result<()> {
    let mut piece = vec![0; PIECE_BYTES.min(bytes) as usize];
    let mut done = 0;
    while done < bytes {
        let wanted = PIECE_BYTES.min(bytes - done) as usize;
        from.read_exact_at(&mut piece[..wanted], start + done)?;
        to.write_all(&piece[..wanted])?;
        done += wanted as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn folder() -> (tempfile::TempDir, File) {
        let home = tempfile::tempdir().unwrap();
        let opened = File::open(home.path()).unwrap();
        (home, opened)
    }

    fn entry(name: &str, bytes: u64) -> GivenEntry {
        GivenEntry {
            name: name.to_owned(),
            bytes,
        }
    }

    /// The content taken from a name, and the reason if there is none.
    fn taken(
        folder: &File,
        name: &str,
        most_bytes: u64,
    ) -> (String, Option<MissingOutput>) {
        let mut copy = tempfile::tempfile().unwrap();
        let missing = take_output(folder.as_fd(), name, most_bytes, &mut copy).unwrap();
        let mut bytes = vec![0; copy.metadata().unwrap().len() as usize];
        copy.read_exact_at(&mut bytes, 0).unwrap();
        (String::from_utf8(bytes).unwrap(), missing)
    }

    #[test]
    fn a_bundle_is_divided_into_its_files_and_may_be_put_twice() {
        let (home, folder) = folder();
        let mut bundle = tempfile::tempfile().unwrap();
        bundle.write_all(b"onethree").unwrap();
        let entries = [entry("a.txt", 3), entry("b/c/none", 0), entry("b/d", 5)];
        for _ in 0..2 {
            put(folder.as_fd(), &bundle, &entries, None).unwrap();
        }
        let read = |name: &str| fs::read_to_string(home.path().join(name)).unwrap();
        assert_eq!(
            [read("a.txt"), read("b/c/none"), read("b/d")],
            ["one", "", "three"]
        );
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let (home, folder) = folder();
        let bundle = tempfile::tempfile().unwrap();
        for name in ["../a", "/tmp/a", "a/../../b", ".."] {
            put(folder.as_fd(), &bundle, &[entry(name, 0)], None).unwrap_err();
        }
        symlink("/tmp", home.path().join("away")).unwrap();
        put(folder.as_fd(), &bundle, &[entry("away/a", 0)], None).unwrap_err();
    }

    #[test]
    fn a_file_is_taken_up_to_one_byte_beyond_its_limit() {
        let (home, folder) = folder();
        fs::write(home.path().join("out"), "12345").unwrap();
        for (most_bytes, expected) in
            [(9, "12345"), (5, "12345"), (4, "12345"), (3, "1234")]
        {
            assert_eq!(
                taken(&folder, "out", most_bytes),
                (expected.to_owned(), None)
            );
        }
    }

    #[test]
    fn links_folders_and_special_files_are_not_taken() {
        let (home, folder) = folder();
        let path = |name: &str| home.path().join(name);
        fs::write(path("secret"), "secret").unwrap();
        symlink("secret", path("link")).unwrap();
        fs::hard_link(path("secret"), path("other name")).unwrap();
        fs::create_dir(path("folder")).unwrap();
        let fifo = path("fifo");
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, FileType::Fifo, Mode::RWXU, 0)
            .unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        for name in ["link", "other name", "folder", "fifo", "socket"] {
            assert_eq!(
                taken(&folder, name, 9),
                (String::new(), Some(MissingOutput::NotAFile)),
                "{name}"
            );
        }
        assert_eq!(
            taken(&folder, "absent", 9),
            (String::new(), Some(MissingOutput::Absent))
        );
    }
}
