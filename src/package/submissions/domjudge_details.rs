//! Reads DOMjudge's `submissions.json`: the language of a submission, and the file or class that it starts in.
//! Start at [`SubmissionDetails::read`].

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::files;
use crate::mistake::Mistake;
use crate::package::metadata::PackageMetadata;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;

/// The name of the file, at the root of the package.
const FILE: &str = "submissions.json";

/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// Languages whose ids in DOMjudge are not the codes of package formats.
const OTHER_IDS: [(&str, &str); 5] =
    [("py3", "python3"), ("py2", "python2"), ("kt", "kotlin"), ("js", "javascript"), ("rs", "rust")];

/// What the file says of submissions, by their names relative to `submissions`.
#[derive(Debug, Default)]
pub(super) struct SubmissionDetails(BTreeMap<String, SubmissionDetail>);

/// What the file says of one submission. Its other keys are about the contest.
#[derive(Debug, Default, Deserialize)]
struct SubmissionDetail {
    entry_point: Option<String>,
    langid: Option<String>,
}

impl SubmissionDetails {
    /// Reads the file of a package for DOMjudge, if there is one.
    pub(super) fn read(tree: &PackageTree, metadata: &PackageMetadata, notes: &mut ReadingNotes) -> Self {
        let details = tree.file(FILE).filter(|_| metadata.is_for_domjudge).map(details);
        details.and_then(|details| notes.take(details)).unwrap_or_default()
    }

    /// The file or class that a submission starts in, if the file names it.
    pub(super) fn entry_point(&self, name: &str) -> Option<String> {
        self.0.get(name)?.entry_point.clone().filter(|named| !named.is_empty())
    }

    /// The code of the language of a submission, if the file names it.
    pub(super) fn language(&self, name: &str) -> Option<String> {
        let id = self.0.get(name)?.langid.as_deref().filter(|id| !id.is_empty())?;
        let other = OTHER_IDS.iter().find(|row| row.0 == id).map(|row| row.1);
        Some(other.unwrap_or(id).to_owned())
    }
}

fn details(path: &Path) -> Result<SubmissionDetails, Mistake> {
    let bytes = files::read(path, MOST_BYTES).map_err(|refused| Mistake::refused(path, &refused))?;
    let found: BTreeMap<String, SubmissionDetail> = serde_json::from_slice(&bytes).map_err(|error| {
        let mistake = Mistake::of(path, format!("cannot be read: {error}")).on_line(error.line() as u64);
        mistake.with_remedy(
            "write it as `{\"submissions/accepted/a/\": {\"entry_point\": \"Main\", \"langid\": \"java\"}}`",
        )
    })?;
    let short = |name: String| name.trim_start_matches("submissions/").trim_end_matches('/').to_owned();
    Ok(SubmissionDetails(found.into_iter().map(|(name, detail)| (short(name), detail)).collect()))
}
