//! The error for an archive that cannot be unpacked, and whether the archive or the machine is to
//! blame.

use std::io;
use std::path::Path;

use crate::mistake;
use crate::mistake::{Mistake, Mistakes};

/// The reason why an archive is not unpacked.
#[derive(Debug)]
pub(crate) enum UnpackError {
    /// The content of the archive is refused.
    Refused(Mistakes),
    /// The archive cannot be opened or read, or its content cannot be written.
    Failed(Mistake),
}

impl UnpackError {
    /// The error for an entry whose content cannot be written.
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
