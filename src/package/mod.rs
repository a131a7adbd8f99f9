//! Reads problem packages of other judges as problems: Kattis `legacy`, `legacy-icpc` and
//! `2025-09`, DOMjudge, Polygon, DMOJ, and folders of online-judge-tools. A package may be hostile,
//! so it is read whole and within bounds, and nothing in it runs here. Knows nothing of
//! `judge.toml`, and of checking only what a package asks for. Start at [`Package::read`].

mod archive;
mod case_patterns;
mod case_tasks;
mod case_texts;
mod cases;
mod checker_source;
mod contents;
mod credits;
mod disagreements;
mod dmoj;
mod domjudge;
pub(crate) mod expected_results;
mod foreign_settings;
mod format;
mod group_grading;
mod groups;
mod includes;
mod ini;
mod limits;
mod metadata;
mod names;
mod oj;
mod pairing;
mod polygon;
mod problem_yaml;
mod reader;
mod reading;
mod scoring;
mod static_cases;
mod structure;
mod submissions;
mod supplies;
mod text_copies;
pub(crate) mod token_flags;
mod tree;
mod validation;
mod xml;

pub(crate) use archive::{
    ENDINGS, UnpackBounds, UnpackError, case_twins, is_archive, unpack, unpack_within,
};
pub use case_patterns::{CasePatterns, CasePatternsError};
pub(crate) use case_texts::CASE_TEXTS;
pub(crate) use cases::ANSWER_OF_INTERACTOR;
pub use contents::Package;
pub use credits::PackageCredits;
pub(crate) use foreign_settings::foreign_problem;
pub(crate) use format::{
    NO_PACKAGE, case_folder, found_package_file, has_answered_cases, has_package_file, is_input,
    is_of_cases, is_package_file,
};
pub use format::{PackageFormat, WantedPackage};
pub use limits::{PackageLimits, TimeRule};
pub(crate) use pairing::first_pair;
pub use polygon::{GeneratorCommand, MissingTest, MissingTests};
pub use submissions::{PackageSubmission, SkippedSubmission};
pub(crate) use text_copies::LineBreaks;
pub use validation::{ExampleOutput, PackageProgram, PackageValidation};

#[cfg(test)]
mod tests;
