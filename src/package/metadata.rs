//! The settings of a problem in a package of the Kattis family, from all its files.

use std::path::{Path, PathBuf};

use crate::keys::KeyDocument;
use crate::mistake;
use crate::mistake::{MOST_TEXT, Mistake};
use crate::model::{CheckerKind, Constants};
use crate::package::credits::PackageCredits;
use crate::package::format::{GROUP_FILE, PackageFormat};
use crate::package::group_grading::LegacyGrading;
use crate::package::limits::PackageLimits;

/// The settings of a problem.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PackageMetadata {
    pub(super) format: PackageFormat,
    /// The format of its groups' settings: drafts may have those of an older one.
    pub(super) format_of_groups: PackageFormat,
    /// Its title, if it has one.
    pub(super) name: Option<String>,
    /// The languages of its titles.
    pub(super) names: Vec<String>,
    pub(super) credits: PackageCredits,
    /// Its source.
    pub(super) source: Option<String>,
    pub(super) limits: PackageLimits,
    /// The program that judges outputs or interacts with submissions, if not the default validator.
    pub(super) checker: Option<PathBuf>,
    /// Further programs that judge the same outputs, and must accept them too.
    pub(super) further_checkers: Vec<PathBuf>,
    /// Whether `checker` judges outputs or interacts with submissions.
    pub(super) checker_kind: CheckerKind,
    /// The program that judges sources, if there is one.
    pub(super) static_validator: Option<PathBuf>,
    /// Flags for the validator, in all groups.
    pub(super) validator_flags: Vec<String>,
    /// Whether it gives points.
    pub(super) is_scoring: bool,
    /// Whether the program that judges outputs decides the points.
    pub(super) checker_gives_points: bool,
    /// Whether a submission may be run several times on a case, as the program that judges outputs
    /// asks.
    pub(super) is_multi_pass: bool,
    /// Whether submissions are answers to cases rather than programs.
    pub(super) submissions_are_answers: bool,
    /// The settings of `problem.yaml` about points that hold for all groups, whatever those say.
    pub(super) grading: LegacyGrading,
    /// Whether it is made for DOMjudge, which interprets some settings differently.
    pub(super) is_for_domjudge: bool,
    /// Whether it is read otherwise than its files alone suggest: as another format, or another
    /// meaning of it.
    pub(super) has_overridden_format: bool,
    /// The codes of the languages that submissions may be written in; `None` for all.
    pub(super) languages: Option<Vec<String>>,
    /// The constants that are filled in in sources.
    pub(super) constants: Constants,
}

impl PackageMetadata {
    /// The defaults of a format.
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
            submissions_are_answers: false,
            checker_gives_points: false,
            grading: LegacyGrading::default(),
            is_for_domjudge: format == PackageFormat::DomJudge,
            has_overridden_format: false,
            languages: None,
            constants: Constants::default(),
        }
    }

    /// Opens a file of settings among the cases. That of a group may use constants.
    ///
    /// # Errors
    /// Returns a mistake that says why it cannot be read.
    pub(super) fn settings(&self, file: &Path) -> Result<KeyDocument, Mistake> {
        if file.file_name().is_some_and(|name| name == GROUP_FILE) {
            let text = mistake::read(file)?;
            let filled = self.constants.filled_in(text.as_bytes(), MOST_TEXT);
            let filled = filled.ok_or_else(|| {
                let most = MOST_TEXT >> 20;
                let message =
                    format!("has more than {most} MiB with the package's `constants` filled in");
                Mistake::of(file, message)
                    .with_remedy("shorten their values, or name fewer of them")
            })?;
            Ok(KeyDocument::of_yaml(file, String::from_utf8_lossy(&filled)))
        } else {
            KeyDocument::read_yaml(file)
        }
    }
}
