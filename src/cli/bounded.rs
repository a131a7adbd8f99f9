//! Reads inputs and outputs that may be endless, such as devices and pipes, up to the size limit of
//! a case file. Start at [`open`].

use std::fs::File;
use std::io;
use std::io::{ErrorKind, IsTerminal, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use crate::cli::file;
use crate::spec::{MOST_CASE, Mistake};

/// Opens a file, pipe or terminal, unless its metadata shows that it is endless or too large.
///
/// # Errors
/// As [`file::open`]; also if `path` is a device, or a file that is too large.
pub(crate) fn open(path: &Path) -> Result<File, Mistake> {
    let file = file::open(path)?;
    let found = file
        .metadata()
        .map_err(|error| Mistake::of(path, format!("cannot be read: {error}")))?;
    let kind = found.file_type();
    if kind.is_file() && found.len() > MOST_CASE {
        return Err(too_large(path));
    }
    // A terminal and `/dev/null` have an end.
    let is_nothing = Path::new("/dev/null")
        .metadata()
        .is_ok_and(|nothing| nothing.rdev() == found.rdev());
    if kind.is_block_device() || (kind.is_char_device() && !is_nothing && !file.is_terminal()) {
        let mistake = Mistake::of(path, "is a device, where a file should be");
        return Err(mistake.with_remedy("name a file, or a pipe"));
    }
    Ok(file)
}

/// Reads a file as a whole.
///
/// # Errors
/// As [`open`]; also if more than [`MOST_CASE`] bytes come.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Mistake> {
    let mut text = Vec::new();
    match Bounded::new(open(path)?).read_to_end(&mut text) {
        Ok(_) => Ok(text),
        Err(error) if error.kind() == ErrorKind::FileTooLarge => Err(too_large(path)),
        Err(error) => Err(Mistake::of(path, format!("cannot be read: {error}"))),
    }
}

/// The mistake for a text that is too large or endless.
pub(crate) fn too_large(path: &Path) -> Mistake {
    let mistake = Mistake::of(path, format!("has more than {MOST_CASE} bytes (1 GiB)"));
    mistake.with_remedy("cut it into several cases")
}

/// Reads at most [`MOST_CASE`] bytes of a source; if there are more, fails with
/// [`ErrorKind::FileTooLarge`].
pub(crate) struct Bounded<R> {
    source: R,
    left: u64,
}

impl<R: Read> Bounded<R> {
    pub(crate) fn new(source: R) -> Self {
        Self {
            source,
            left: MOST_CASE,
        }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            // The source may end exactly at the bound.
            let more = self.source.read(&mut [0])?;
            return if more == 0 {
                Ok(0)
            } else {
                Err(ErrorKind::FileTooLarge.into())
            };
        }
        let most = usize::try_from(self.left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let bytes = self.source.read(&mut buffer[..most])?;
        self.left -= bytes as u64;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: impl Read, most: u64) -> Result<String, ErrorKind> {
        let mut text = String::new();
        let read = Bounded { source, left: most }.read_to_string(&mut text);
        read.map(|_| text).map_err(|error| error.kind())
    }

    #[test]
    fn sources_are_read_up_to_the_bound_and_longer_ones_are_an_error() {
        assert_eq!(read(&b"123"[..], 4), Ok("123".to_owned()));
        assert_eq!(read(&b"1234"[..], 4), Ok("1234".to_owned()));
        assert_eq!(read(&b"12345"[..], 4), Err(ErrorKind::FileTooLarge));
        assert_eq!(
            read(io::repeat(b'1'), 1 << 20),
            Err(ErrorKind::FileTooLarge)
        );
    }

    #[test]
    fn a_device_that_never_ends_and_a_file_that_is_too_large_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let hole = folder.path().join("hole");
        File::create(&hole).unwrap().set_len(MOST_CASE + 1).unwrap();
        let why = |path: &Path| open(path).err().map(|mistake| mistake.message);
        assert_eq!(
            why(&hole),
            Some("has more than 1073741824 bytes (1 GiB)".to_owned())
        );
        for device in ["/dev/zero", "/dev/urandom", "/dev/full"] {
            assert_eq!(
                why(Path::new(device)),
                Some("is a device, where a file should be".to_owned())
            );
        }
        assert_eq!(why(Path::new("/dev/null")), None);
    }
}
