//! A picture that a checker program has drawn, as a log contains it. Plain text: the contents are
//! base64.

use serde::{Deserialize, Serialize};

/// A file `judgeimage.*` or `teamimage.*` of a checker. Nothing is known of its contents, not even
/// that they are a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckerImage {
    /// The name of the file.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Its contents in base64; `None` if they are too large.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub data: Option<String>,
}
