//! The folder that a run works in, fresh for each run, and the files that are put into
//! it and taken from it. Knows files; knows nothing of runs. Start at
//! [`ScratchFolder`].

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{CWD, FileType, Gid, Mode, OFlags, Uid};
use rustix::io::Errno;

use crate::protocol::GivenEntry;
use crate::rootfs::remove_tree::{NEVER, names, open_folder, remove_tree};
use crate::{MissingOutput, sys};

/// A slot's scratch folder: fresh, empty and accessible only to its owner at the start
/// of every run.
pub(crate) struct ScratchFolder {
    path: PathBuf,
    owner: Option<u32>,
    folder: OwnedFd,
    /// Its state as we left it: any difference was made by the run.
    untouched: FolderState,
}

impl ScratchFolder {
    /// Makes the folder, which must not exist, for this user (`None`: our own).
    pub(crate) fn create(path: &Path, owner: Option<u32>) -> io::Result<Self> {
        rustix::fs::mkdir(path, Mode::RWXU)?;
        let folder = open_folder(CWD, path)?;
        give(&folder, owner)?;
        reset_times(&folder)?;
        let untouched = folder_state(&folder)?;
        Ok(Self {
            path: path.to_owned(),
            owner,
            folder,
            untouched,
        })
    }

    /// A descriptor of the folder itself, whatever its path refers to now.
    pub(crate) fn folder(&self) -> BorrowedFd<'_> {
        self.folder.as_fd()
    }

    /// Makes the folder fresh again. No process that could write to it may be alive.
    ///
    /// An untouched folder costs a stat and one read. A touched one is replaced rather
    /// than emptied, because the run may also have changed its mode, access lists and
    /// attributes.
    pub(crate) fn renew(&mut self) -> io::Result<()> {
        if folder_state(&self.folder)? == self.untouched && is_empty(&self.folder)? {
            return Ok(());
        }
        remove_tree(&self.path)?;
        *self = Self::create(&self.path, self.owner)?;
        Ok(())
    }
}

/// The properties of a folder that a run can change, and those that change with them.
#[derive(PartialEq, Eq)]
pub(super) struct FolderState {
    mode: u32,
    owner: (u32, u32),
    links: u64,
    size: i64,
    /// When its entries were last changed; [`NEVER`] if only we have changed them.
    modified: (i64, u64),
    /// When anything was changed. Before Linux 6.13 the clock for file times ticks only
    /// a few hundred times a second, and a change in the tick in which we made the
    /// folder does not show here.
    changed: (i64, u64),
    /// Length of the list of its extended attributes.
    attributes: usize,
}

fn folder_state(folder: &OwnedFd) -> io::Result<FolderState> {
    Ok(state_and_access_time(folder)?.0)
}

/// The state of a folder, and when it was last read.
pub(super) fn state_and_access_time(
    folder: &OwnedFd,
) -> io::Result<(FolderState, (i64, u64))> {
    let stat = rustix::fs::fstat(folder)?;
    let state = FolderState {
        mode: stat.st_mode,
        owner: (stat.st_uid, stat.st_gid),
        links: stat.st_nlink as u64,
        size: stat.st_size as i64,
        modified: (stat.st_mtime as i64, stat.st_mtime_nsec as u64),
        changed: (stat.st_ctime as i64, stat.st_ctime_nsec as u64),
        attributes: rustix::fs::flistxattr(folder, &mut [0_u8; 0]).unwrap_or(0),
    };
    Ok((state, (stat.st_atime as i64, stat.st_atime_nsec as u64)))
}

/// Sets the times of an empty folder so that any change of its entries shows, and that
/// they do not reveal when it was made.
pub(super) fn reset_times(folder: &OwnedFd) -> io::Result<()> {
    Ok(sys::change_times(folder.as_fd(), NEVER)?)
}

fn is_empty(folder: &OwnedFd) -> io::Result<bool> {
    Ok(names(folder, 1)?.is_empty())
}

// Puts the given files into a run's scratch folder, and copies its output file from
// there after the run. Knows files, hostile ones too. Start at [`put`] and
// [`take_output`].

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
            match rustix::fs::mkdirat(&folder, part, Mode::RWXU) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            folder = open_folder(&folder, part)?;
            give(&folder, owner)?;
        }
        let flags = OFlags::WRONLY
            | OFlags::CREATE
            | OFlags::TRUNC
            | OFlags::NOFOLLOW
            | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&folder, name, flags, Mode::RUSR | Mode::WUSR)?;
        give(&file, owner)?;
        let mut file = File::from(file);
        let mut piece = vec![0; PIECE_BYTES.min(entry.bytes) as usize];
        let end = at + entry.bytes;
        while at < end {
            let wanted = PIECE_BYTES.min(end - at) as usize;
            bundle.read_exact_at(&mut piece[..wanted], at)?;
            file.write_all(&piece[..wanted])?;
            at += wanted as u64;
        }
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
    mut copy: &File,
) -> io::Result<Option<MissingOutput>> {
    let [name] = parts(name)?[..] else {
        return Err(io::Error::other("the output is in a folder"));
    };
    let flags = OFlags::RDONLY
        | OFlags::NOFOLLOW
        | OFlags::NONBLOCK
        | OFlags::NOCTTY
        | OFlags::CLOEXEC;
    let file = match rustix::fs::openat(scratch, name, flags, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Ok(Some(MissingOutput::Absent)),
        Err(
            Errno::LOOP | Errno::ACCESS | Errno::PERM | Errno::NXIO | Errno::NODEV,
        ) => {
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
    let mut output = File::from(file).take(most_bytes.saturating_add(1));
    io::copy(&mut output, &mut copy)?;
    Ok(None)
}

/// The parts of a name, none of which leads upwards.
fn parts(name: &str) -> io::Result<Vec<&OsStr>> {
    Path::new(name)
        .components()
        .map(|component| match component {
            Component::Normal(part) => Ok(part),
            _ => Err(io::Error::other(
                "the name of a file leads out of its folder",
            )),
        })
        .collect()
}

fn give(file: impl AsFd, owner: Option<u32>) -> io::Result<()> {
    let Some(owner) = owner else { return Ok(()) };
    Ok(rustix::fs::fchown(
        file,
        Some(Uid::from_raw(owner)),
        Some(Gid::from_raw(owner)),
    )?)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn an_untouched_folder_is_kept_and_a_touched_one_is_replaced() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("scratch");
        let mut scratch = ScratchFolder::create(&path, None).unwrap();
        let inode = |scratch: &ScratchFolder| {
            rustix::fs::fstat(&scratch.folder).unwrap().st_ino
        };
        let first = inode(&scratch);
        scratch.renew().unwrap();
        assert_eq!(inode(&scratch), first);
        fs::write(path.join("file"), "").unwrap();
        scratch.renew().unwrap();
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
        assert_eq!(inode(&scratch), rustix::fs::stat(&path).unwrap().st_ino);
    }

    /// As on a kernel with a coarse clock for file times.
    #[test]
    fn a_change_in_the_same_clock_tick_in_which_the_folder_was_made_shows() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("scratch");
        let folder = ScratchFolder::create(&path, None).unwrap().folder;
        reset_times(&folder).unwrap();
        let made = folder_state(&folder).unwrap();
        let now = || FolderState {
            changed: made.changed,
            ..folder_state(&folder).unwrap()
        };
        assert!(now() == made);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o500)).unwrap();
        assert!(now() != made);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        assert!(now() == made);
        fs::write(path.join("file"), "").unwrap();
        fs::remove_file(path.join("file")).unwrap();
        assert!(now() != made);
    }
}

#[cfg(test)]
mod scratch_files_tests {
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
        let copy = tempfile::tempfile().unwrap();
        let missing = take_output(folder.as_fd(), name, most_bytes, &copy).unwrap();
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
