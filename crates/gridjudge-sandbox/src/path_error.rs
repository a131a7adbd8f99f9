//! Adds the path to an I/O error, since the standard library's errors do not name it.

use std::io;
use std::path::Path;

/// Returns the same error with the path in front of its text.
pub(crate) fn path_error(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
