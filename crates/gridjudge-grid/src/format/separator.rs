//! Defines the separator line between two cases of a text. Data only.

use serde::{Deserialize, Serialize};

/// A line between two cases of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Separator {
    /// The line.
    pub line: String,
    /// Whether it also follows the last case.
    pub closes: bool,
}
