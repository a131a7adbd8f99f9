//! What a package says of its problem, whatever files say it.

use std::path::Path;
use std::path::PathBuf;

use crate::mistake::Mistake;
use crate::model::CheckerKind;
use crate::model::Constants;
use crate::package::credits::PackageCredits;
use crate::package::format::GROUP_FILE;
use crate::package::format::PackageFormat;
use crate::package::limits::PackageLimits;
use crate::package::yaml::YamlDocument;

/// What a package says of its problem.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PackageMetadata {
    pub(super) format: PackageFormat,
    /// The format that the settings of its groups are in: drafts have those of an older one.
    pub(super) format_of_groups: PackageFormat,
    /// Its title, where there is one.
    pub(super) name: Option<String>,
    /// The languages that it has a title in.
    pub(super) names: Vec<String>,
    pub(super) credits: PackageCredits,
    /// Where it comes from.
    pub(super) source: Option<String>,
    pub(super) limits: PackageLimits,
    /// The program that judges outputs or talks to submissions, where it is not the default validator.
    pub(super) checker: Option<PathBuf>,
    /// Programs that judge the same outputs, and must take them as well.
    pub(super) further_checkers: Vec<PathBuf>,
    /// Which of the two.
    pub(super) checker_kind: CheckerKind,
    /// The program that judges sources, if there is one.
    pub(super) static_validator: Option<PathBuf>,
    /// Flags for the validator, in all groups.
    pub(super) validator_flags: Vec<String>,
    /// Whether it gives points.
    pub(super) is_scoring: bool,
    /// Whether the program that judges outputs says how many.
    pub(super) checker_gives_points: bool,
    /// Whether a submission is run on a case as often as the program asks that judges outputs.
    pub(super) is_multi_pass: bool,
    /// Whether submissions are answers to cases, and no programs.
    pub(super) takes_answers: bool,
    /// Whether it is made for DOMjudge, which reads some things otherwise.
    pub(super) is_for_domjudge: bool,
    /// Whether its files alone would tell another format, or another meaning of the same one.
    pub(super) is_read_otherwise: bool,
    /// The codes of the languages that submissions may be written in; none for all.
    pub(super) languages: Option<Vec<String>>,
    /// Names that stand for values in sources.
    pub(super) constants: Constants,
}

impl PackageMetadata {
    /// What holds where no file says anything.
    pub(super) fn of(format: PackageFormat) -> Self {
        Self {
            format,
            format_of_groups: format,
            name: None,
            names: Vec::new(),
            source: None,
            credits: PackageCredits::default(),
            limits: PackageLimits::of_legacy(),
            checker: None,
            further_checkers: Vec::new(),
            checker_kind: CheckerKind::Checker,
            static_validator: None,
            validator_flags: Vec::new(),
            is_scoring: false,
            is_multi_pass: false,
            takes_answers: false,
            checker_gives_points: false,
            is_for_domjudge: format == PackageFormat::DomJudge,
            is_read_otherwise: false,
            languages: None,
            constants: Constants::default(),
        }
    }

    /// A file of settings that lies among the cases, under reading. One of a group may hold constants.
    ///
    /// # Errors
    /// A mistake that says why it cannot be read.
    pub(super) fn settings(&self, file: &Path) -> Result<YamlDocument, Mistake> {
        match file.file_name().is_some_and(|name| name == GROUP_FILE) {
            true => YamlDocument::read_with(file, &self.constants),
            false => YamlDocument::read(file),
        }
    }
}
