//! Foreign files, opened and read within bounds: no pipe or device is waited for, and no more is read than
//! is wanted. Knows nothing of what stands in them. Start at [`read`].

use std::fs::File;
use std::fs::Metadata;
use std::fs::OpenOptions;
use std::io;
use std::io::Read;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It is a pipe, a device, a folder: nothing that could be read to an end.
    #[error("is {0}, where a file should be")]
    Kind(&'static str),
    /// It is larger than it may be.
    #[error("is larger than {}", size(*.0))]
    Size(u64),
    /// The system cannot read it.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
}

impl FileError {
    /// What to do about it.
    pub fn remedy(&self) -> String {
        match self {
            Self::Kind("a folder") => "name a file in it".to_owned(),
            Self::Kind(_) => "put a plain file in its place".to_owned(),
            Self::Size(most) => format!("{} is the most that is read", size(*most)),
            Self::Unreadable(error) => match error.kind() {
                io::ErrorKind::NotFound => "create it, or correct the name".to_owned(),
                io::ErrorKind::PermissionDenied => "give yourself the right to read it".to_owned(),
                _ => "put a file that can be read in its place".to_owned(),
            },
        }
    }
}

/// Opens a regular file, links followed, without ever waiting for a writer.
///
/// # Errors
/// [`FileError`] if there is none, or something else.
pub fn open(path: &Path) -> Result<File, FileError> {
    // Looked at before it is opened: opening some devices has effects.
    is_file(&path.metadata()?)?;
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)?;
    is_file(&file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file whole, if it has no more than `most` bytes.
///
/// # Errors
/// [`FileError`] if it has more, or cannot be read.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    if length > most {
        return Err(FileError::Size(most));
    }
    let mut bytes = Vec::with_capacity(length as usize);
    // It may grow meanwhile, and what the kernel makes up as it is read has no length.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(FileError::Size(most)) } else { Ok(bytes) }
}

fn is_file(found: &Metadata) -> Result<(), FileError> {
    let kind = found.file_type();
    Err(FileError::Kind(match kind {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_dir() => "a folder",
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }))
}

/// A bound in words. Bounds are round.
fn size(bytes: u64) -> String {
    match bytes {
        bytes if bytes >= 1 << 30 => format!("{} GiB", bytes >> 30),
        bytes if bytes >= 1 << 20 => format!("{} MiB", bytes >> 20),
        bytes if bytes >= 1 << 10 => format!("{} KiB", bytes >> 10),
        bytes => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert_eq!(read(&path, 4).unwrap_err().to_string(), "is larger than 4 bytes");
        assert_eq!(read(&path, 2 << 20).unwrap(), b"12345");
        assert_eq!(FileError::Size(1 << 20).remedy(), "1 MiB is the most that is read");
    }

    #[test]
    fn what_the_kernel_makes_up_has_a_bound_as_well() {
        // It says that it has no bytes at all.
        assert!(matches!(read(Path::new("/proc/self/maps"), 10), Err(FileError::Size(10))));
        assert!(!read(Path::new("/proc/self/maps"), 1 << 20).unwrap().is_empty());
    }

    #[test]
    fn nobody_waits_for_what_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        let why = |path: &Path| open(path).unwrap_err().to_string();
        assert_eq!(why(&pipe), "is a pipe, where a file should be");
        assert_eq!(why(Path::new("/dev/zero")), "is a device, where a file should be");
        assert_eq!(why(folder.path()), "is a folder, where a file should be");
        assert!(why(&folder.path().join("nothing")).starts_with("cannot be read: No such file"));
    }
}
