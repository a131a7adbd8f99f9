//! Why an archive is not unpacked, and whether it is to blame for that.

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
