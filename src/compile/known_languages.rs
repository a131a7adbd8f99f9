//! What the programs of a language depend on, found out once for each language: by its first
//! program, for all of them. Knows neither languages nor tools.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::cache::{FileVersion, FilesInState};

/// What a program depends on besides the bytes of its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// All of it as a text, to be compared or hashed.
    pub text: String,
    /// The files of its tools, each in the version that the text describes. What another version
    /// has made does not belong to the text.
    pub tools: Vec<(PathBuf, FileVersion)>,
    /// All files and folders that were looked at to describe the tools, in the state that the text
    /// describes.
    pub looked_at: Vec<Arc<FilesInState>>,
}

/// The fingerprints of languages.
#[derive(Default)]
pub(super) struct KnownLanguages {
    /// By all the keys of a language; `None` if a tool is missing, or a folder is too large to
    /// read.
    known: Mutex<BTreeMap<String, Option<Arc<Fingerprint>>>>,
}

impl KnownLanguages {
    /// The fingerprint of the language with these keys, found out by the first caller. Others wait
    /// for it.
    pub(super) fn fingerprint(
        &self,
        keys: &str,
        find_out: impl FnOnce() -> Option<Fingerprint>,
    ) -> Option<Arc<Fingerprint>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(keys) {
            return found.clone();
        }
        let found = find_out().map(Arc::new);
        known.insert(keys.to_owned(), found.clone());
        found
    }
}
