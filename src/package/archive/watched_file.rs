//! The file of an archive, and whether the machine has failed to read it: whoever reads what lies in it takes that for damage.

use std::cell::OnceCell;
use std::fs::File;
use std::io;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;

use rawzip::ReaderAt;

/// A file that keeps the first error of the system that is met at reading it.
pub(super) struct WatchedFile {
    file: File,
    error: OnceCell<io::Error>,
}

impl WatchedFile {
    pub(super) fn of(file: File) -> Self {
        Self { file, error: OnceCell::new() }
    }

    /// Why it could not be read, if so.
    pub(super) fn error(&self) -> Option<&io::Error> {
        self.error.get()
    }
}

impl ReaderAt for WatchedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.file.read_at(buffer, offset).inspect_err(|error| {
            // A place that no file has is named by the archive.
            let is_of_machine = error.kind() != ErrorKind::InvalidInput;
            if let Some(code) = error.raw_os_error().filter(|_| is_of_machine) {
                let _ = self.error.set(io::Error::from_raw_os_error(code));
            }
        })
    }
}
