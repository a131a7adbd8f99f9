//! Reads DOMjudge's `submissions.json`: the language of a submission, and the file or class that it
//! starts in. Start at [`SubmissionDetails::read`].

use crate::sorted::SortedMap;
use std::path::Path;

use serde_json::Value;

use crate::files;
use crate::model::SourceFile;
use crate::package::{PackageMetadata, PackageTree, ReadingNotes};

/// The name of the file, at the root of the package.
const FILE: &str = "submissions.json";

/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// DOMjudge's ids of languages, and their codes in package formats.
const IDS: [(&str, &str); 20] = [
    ("adb", "ada"),
    ("bash", "bash"),
    ("c", "c"),
    ("cpp", "cpp"),
    ("csharp", "csharp"),
    ("f95", "fortran"),
    ("go", "go"),
    ("hs", "haskell"),
    ("java", "java"),
    ("js", "javascript"),
    ("kt", "kotlin"),
    ("lua", "lua"),
    ("ocaml", "ocaml"),
    ("pas", "pascal"),
    ("pl", "perl"),
    ("py2", "python2"),
    ("py3", "python3"),
    ("rb", "ruby"),
    ("rs", "rust"),
    ("scala", "scala"),
];

/// What the file says of submissions, by their names relative to `submissions`.
#[derive(Debug, Default)]
pub(crate) struct SubmissionDetails(SortedMap<String, SubmissionDetail>);

/// What the file says of one submission. Its other keys are about the contest.
#[derive(Debug, Default)]
struct SubmissionDetail {
    entry_point: Option<String>,
    langid: Option<String>,
}

impl SubmissionDetails {
    /// Reads the file of a package for DOMjudge, if there is one. Like there, whatever is not as
    /// expected says nothing.
    pub(crate) fn read(
        tree: &PackageTree,
        metadata: &PackageMetadata,
        notes: &mut ReadingNotes,
    ) -> Self {
        let Some(path) = tree.file(FILE).filter(|_| metadata.is_for_domjudge) else {
            return Self::default();
        };
        match files::read(path, MOST_BYTES)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        {
            Some(found) => Self::of(&found),
            None => {
                notes.ignore(format!("`{FILE}`, which is not JSON of 1 MiB or less"));
                Self::default()
            }
        }
    }

    fn of(found: &Value) -> Self {
        let text = |detail: &Value, key| {
            detail
                .get(key)
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty())
                .map(str::to_owned)
        };
        let entries = found.as_object().into_iter().flatten();
        Self(
            entries
                .map(|(name, found)| {
                    (
                        name.trim_start_matches("submissions/")
                            .trim_end_matches('/')
                            .to_owned(),
                        (SubmissionDetail {
                            entry_point: text(found, "entry_point"),
                            langid: text(found, "langid"),
                        }),
                    )
                })
                .collect(),
        )
    }

    /// Which of its files a submission starts in, if the file names it or its class: as `Main`,
    /// `team.Main`, or `MainKt`.
    pub(crate) fn entry_point(&self, name: &str, files: &[SourceFile]) -> Option<String> {
        let named = self.0.get(name)?.entry_point.as_deref()?;
        let class = named.rsplit('.').next().unwrap_or(named);
        files
            .iter()
            .find(|file| {
                let stem = Path::new(&file.name)
                    .file_stem()
                    .and_then(|stem| stem.to_str());
                file.name == named
                    || stem.is_some_and(|stem| {
                        [Some(class), class.strip_suffix("Kt")].contains(&Some(stem))
                    })
            })
            .map(|file| file.name.clone())
    }

    /// The code of the language of a submission, if the file names one of DOMjudge's.
    /// Administrators add others, whose ids say nothing.
    pub(crate) fn language(&self, name: &str) -> Option<String> {
        let id = self.0.get(name)?.langid.as_deref()?;
        IDS.iter()
            .find(|row| row.0 == id)
            .map(|row| row.1.to_owned())
    }
}
