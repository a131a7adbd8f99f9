//! Serialises a line that may name its case: as a bare text if it does not, as stored
//! formats always had it, else as a template.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Template;

/// A line as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredLine {
    Literal(String),
    Numbered(Template),
}

/// Writes a line.
///
/// # Errors
/// Returns the errors of the serializer.
pub(super) fn serialize<S: Serializer>(
    line: &Option<Template>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    line.clone()
        .map(|line| match line.digits {
            None => StoredLine::Literal(line.before),
            Some(_) => StoredLine::Numbered(line),
        })
        .serialize(serializer)
}

/// Reads a line.
///
/// # Errors
/// Returns the errors of the deserializer.
pub(super) fn deserialize<'d, D: Deserializer<'d>>(
    deserializer: D,
) -> Result<Option<Template>, D::Error> {
    let stored = Option::<StoredLine>::deserialize(deserializer)?;
    Ok(stored.map(|stored| match stored {
        StoredLine::Literal(line) => Template::from(line.as_str()),
        StoredLine::Numbered(line) => line,
    }))
}
