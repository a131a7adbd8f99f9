//! Makes a result of SARIF: its rule, its text, its place, and what identifies it from one run to
//! the next.

use serde_json::{Value, json};

use crate::text::shortened;

/// The longest path on Linux, in bytes.
const LONGEST_PATH: usize = 4096;

/// The most characters of a result's text.
const MOST_TEXT: usize = 1_000;

/// A result.
pub(super) struct SarifResult<'a> {
    pub(super) rule: &'a str,
    /// `error` or `warning`.
    pub(super) level: &'a str,
    pub(super) text: String,
    /// The file, relative to the root of the repository.
    pub(super) path: &'a str,
    pub(super) line: Option<u64>,
    /// What makes it the same result in another run, beside its rule.
    pub(super) identity: &'a [&'a str],
    /// How many results before this one have the same identity.
    pub(super) earlier: usize,
}

impl SarifResult<'_> {
    pub(super) fn json(&self) -> Value {
        // A longer path cannot name a file.
        let path = if self.path.len() > LONGEST_PATH {
            ""
        } else {
            self.path
        };
        json!({
            "ruleId": self.rule,
            "level": self.level,
            "message": { "text": shortened(&self.text, MOST_TEXT) },
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": { "uri": uri(path) },
                    "region": { "startLine": self.line.unwrap_or(1).max(1) },
                },
            }],
            "partialFingerprints": {
                "primaryLocationLineHash": format!("{}:{}", fingerprint(&[self.identity, &[self.rule]].concat()), self.earlier + 1),
            },
        })
    }
}

/// A path as a URI reference, relative to the repository; absolute if the path is.
fn uri(path: &str) -> String {
    let mut uri = if path.starts_with('/') {
        "file://".to_owned()
    } else {
        String::new()
    };
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte))
        } else {
            uri.push_str(&format!("%{byte:02X}"))
        }
    }
    uri
}

/// Identifies a result from one run to the next, in the form that GitHub uses. FNV-1a is enough,
/// because the hash only needs to be well distributed.
fn fingerprint(parts: &[&str]) -> String {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
