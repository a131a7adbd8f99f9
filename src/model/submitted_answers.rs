//! A submission that is answers and no program: a file for each case, by the names of the cases.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;

/// The answers of a submission. A case without one is not answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubmittedAnswers(BTreeMap<String, PathBuf>);

impl SubmittedAnswers {
    /// These files, by the cases that they answer.
    pub fn new(by_case: BTreeMap<String, PathBuf>) -> Self {
        Self(by_case)
    }

    /// The answer to a case.
    pub fn to(&self, case: &str) -> Option<&Path> {
        self.0.get(case).map(PathBuf::as_path)
    }
}
