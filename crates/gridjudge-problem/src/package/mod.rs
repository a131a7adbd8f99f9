//! Reads problem packages of other judges as problems: Kattis `legacy`, `legacy-icpc`
//! and `2025-09`, DOMjudge, Polygon, DMOJ, and folders of online-judge-tools. A package
//! may be hostile, so it is read whole and within bounds, and nothing in it runs here.
//! Knows nothing of `judge.toml`, and of checking only what a package asks for. Start
//! at [`Package::read`].

mod archive;
mod contents;
mod dmoj;
pub(crate) mod domjudge;
mod format;
pub(crate) mod kattis;
mod limits;
mod oj;
mod polygon;
mod reader;
mod text_copies;
mod tree;
mod validation;

pub(crate) use crate::glob::folders_around;
pub use crate::mistake::{RemarkKind, Remarks};
pub(crate) use crate::package::kattis::cases::{
    ANSWER_OF_INTERACTOR, CASE_TEXTS, lone_answer,
};
pub use crate::package::kattis::metadata::PackageCredits;
pub(crate) use crate::package::kattis::scoring::groups_with_cases;
pub(crate) use crate::package::kattis::structure::statement_name;
pub use crate::package::kattis::submissions::{PackageSubmission, SkippedSubmission};
pub(crate) use crate::package::oj::case_patterns::foreign_problem;
pub use crate::package::oj::case_patterns::{CasePatterns, CasePatternsError};
pub(crate) use crate::package::oj::pairing::first_pair;
pub use archive::is_archive;
pub(crate) use archive::{ENDINGS, UnpackBounds, case_twins, unpack, unpack_within};
pub use contents::{GeneratorCommand, MissingTest, Package};
pub(crate) use contents::{is_odd, is_plain, lfs_pointers};
pub use dmoj::programs::{CaseGenerator, GeneratedCase};
use domjudge::{SubmissionDetails, TOO_SLOW};
pub(crate) use format::DOMJUDGE_INI;
use format::{
    ANSWERS, CASE_FILES, GROUP_FILE, INIT_YML, INPUT, LEGACY_GROUP_FILE, OJ_FOLDER,
    PROBLEM_XML, PROBLEM_YAML,
};
pub use format::{
    NO_PACKAGE, PackageFormat, WantedPackage, case_folder, found_package_file,
    has_answered_cases, has_package_file, is_input, is_of_cases, is_package_file,
};
use kattis::groups::GroupSettings;
use kattis::metadata;
use kattis::metadata::PackageMetadata;
use limits::checker_limits;
pub use limits::{PackageLimits, TimeRule};
use oj::pairing::paired_files;
pub use text_copies::LineBreaks;
use text_copies::TextCopies;
use tree::{MAC_FOLDER, PackageTree, blank_separated};
pub(crate) use tree::{first_part, is_among, is_hidden_name, last_part};
pub(crate) use validation::{CaseArguments, SCRIPTS, VALIDATION_SECTIONS};
pub use validation::{ExampleOutput, PackageProgram, PackageValidation};

#[cfg(test)]
mod tests;
