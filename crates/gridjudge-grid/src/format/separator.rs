//! The line between two grids of a text. Data only.

use serde::Deserialize;
use serde::Serialize;

/// A line that parts the cases of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Separator {
    /// The line.
    pub line: String,
    /// Whether it follows the last case, too.
    pub closes: bool,
}
