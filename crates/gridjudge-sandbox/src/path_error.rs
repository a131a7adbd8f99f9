//! An I/O error that names its file, which the standard library's does not. Knows paths; knows nothing of what they are.

use std::io;
use std::path::Path;

/// The same error, with the path at which it was met.
pub(crate) fn path_error(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
