//! A submission that consists of answers instead of a program: one file for each case, by case
//! name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The answers of a submission. A case without a file is not answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubmittedAnswers(BTreeMap<String, PathBuf>);

impl SubmittedAnswers {
    /// Creates it from files by case name.
    pub fn new(by_case: BTreeMap<String, PathBuf>) -> Self {
        Self(by_case)
    }

    /// The answer file for a case.
    pub fn to(&self, case: &str) -> Option<&Path> {
        self.0.get(case).map(PathBuf::as_path)
    }
}
