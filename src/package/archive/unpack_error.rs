//! Why an archive is not unpacked, and whether it is to blame for that.

use std::io;
use std::path::Path;

use crate::mistake;
use crate::mistake::Mistake;
use crate::mistake::Mistakes;

/// Why an archive is not unpacked.
#[derive(Debug)]
pub(crate) enum UnpackError {
    /// Because of what is in it.
    Refused(Mistakes),
    /// It cannot be opened, or its content not be written.
    Failed(Mistake),
}

impl UnpackError {
    /// That the content of an entry cannot be written.
    pub(super) fn unwritten(path: &Path, entry: &str, error: &io::Error) -> Self {
        let message = format!("{} cannot be unpacked: {error}", mistake::quoted(entry));
        let remedy = "make room for temporary files, or set TMPDIR to another disk";
        Self::Failed(Mistake::of(path, message).with_remedy(remedy))
    }
}

impl From<Mistake> for UnpackError {
    fn from(refused: Mistake) -> Self {
        Self::Refused(refused.into())
    }
}

impl From<Mistakes> for UnpackError {
    fn from(refused: Mistakes) -> Self {
        Self::Refused(refused)
    }
}

impl From<UnpackError> for Mistakes {
    fn from(error: UnpackError) -> Self {
        match error {
            UnpackError::Refused(mistakes) => mistakes,
            UnpackError::Failed(mistake) => mistake.into(),
        }
    }
}
