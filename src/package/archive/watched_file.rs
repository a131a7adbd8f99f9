//! Remembers whether the machine failed to read the file of an archive, which the ZIP reader would
//! report as damage.

use std::cell::OnceCell;
use std::fs::File;
use std::io;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;

use rawzip::ReaderAt;

/// A file that remembers the first system error when it is read.
pub(super) struct WatchedFile {
    file: File,
    error: OnceCell<io::Error>,
}

impl WatchedFile {
    pub(super) fn of(file: File) -> Self {
        Self {
            file,
            error: OnceCell::new(),
        }
    }

    /// The error why it could not be read, if there was one.
    pub(super) fn error(&self) -> Option<&io::Error> {
        self.error.get()
    }
}

impl ReaderAt for WatchedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.file.read_at(buffer, offset).inspect_err(|error| {
            // An impossible offset comes from the archive, not from the machine.
            let is_of_machine = error.kind() != ErrorKind::InvalidInput;
            if let Some(code) = error.raw_os_error().filter(|_| is_of_machine) {
                let _ = self.error.set(io::Error::from_raw_os_error(code));
            }
        })
    }
}
