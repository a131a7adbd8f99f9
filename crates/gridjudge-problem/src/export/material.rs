//! Collects everything of a problem that an export may contain, whether the problem is
//! ours or a package, and knows the formats that it may be exported to. Reads specs and
//! names of files; opens no case and no source.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::mistake::Mistakes;
use crate::model::{Case, Problem, SourceFile};
use crate::package::{Package, PackageCredits, PackageSubmission};
use crate::sorted::SortedMap;
use crate::spec::{AnswerRequirement, ProblemFolder};

/// The name of the statement of a problem of ours.
const STATEMENT: &str = "statement.md";

/// A problem, with everything beside it.
pub(super) struct ExportMaterial {
    /// The format that it is exported to.
    pub(super) target: ExportTarget,
    pub(super) problem: Problem,
    /// The file that describes the problem.
    pub(super) file: PathBuf,
    pub(super) cases: Vec<Case>,
    pub(super) submissions: Vec<PackageSubmission>,
    /// The names of submissions with expected verdicts for single cases.
    pub(super) expectations_for_cases: Vec<String>,
    pub(super) credits: PackageCredits,
    /// The statement of a problem of ours.
    pub(super) statement: Option<PathBuf>,
    /// The most extra memory, in bytes, that a language of a submission that may be
    /// accepted is allowed beyond the limit.
    pub(super) extra_memory_bytes: u64,
    /// The languages of submissions that are allowed more time, with their factors.
    pub(super) time_factors: SortedMap<String, u32>,
    /// The names of submissions in these languages that may be accepted.
    pub(super) perhaps_too_slow: Vec<String>,
    /// The package, if the problem is one.
    pub(super) package: Option<Arc<Package>>,
}

impl ExportMaterial {
    /// Collects the material of a problem.
    ///
    /// # Errors
    /// Reports mistakes in the problem.
    pub(super) fn collect(
        found: &ProblemFolder,
        target: ExportTarget,
    ) -> Result<Self, Mistakes> {
        let problem = found.problem()?;
        let cases = found.cases(AnswerRequirement::Required)?;
        Mistakes::or(found.groups_without_cases(&problem, &cases), ())?;
        let package = found.package().transpose()?;
        let file = found.file();
        let mut material = Self {
            target,
            statement: statement_beside(file).filter(|_| package.is_none()),
            credits: package
                .as_ref()
                .map(|package| package.credits.clone())
                .unwrap_or_default(),
            submissions: package
                .as_ref()
                .map(|package| package.submissions.clone())
                .unwrap_or_default(),
            expectations_for_cases: Vec::new(),
            extra_memory_bytes: 0,
            time_factors: SortedMap::new(),
            perhaps_too_slow: Vec::new(),
            problem,
            file: file.to_owned(),
            cases,
            package,
        };
        // Samples come first in all formats.
        let is_shown: Vec<_> = material
            .cases
            .iter()
            .map(|case| material.is_shown(case))
            .collect();
        let mut shown = is_shown.into_iter();
        let (mut first, others): (Vec<_>, Vec<_>) = std::mem::take(&mut material.cases)
            .into_iter()
            .partition(|_| shown.next() == Some(true));
        first.extend(others);
        material.cases = first;
        if material.package.is_none() {
            material.add_examples(found)?;
        }
        Ok(material)
    }

    /// Adds the example submissions of a problem of ours.
    fn add_examples(&mut self, found: &ProblemFolder) -> Result<(), Mistakes> {
        let model = found.model_solution()?.map(|submission| submission.path);
        for example in found.examples()? {
            if !example.expected_by_case(&self.cases)?.is_empty() {
                self.expectations_for_cases
                    .push(example.submission.name.clone());
            }
            let Some(expected) = example.submission.expected else {
                continue;
            };
            let path = example.submission.path;
            if let Some(language) = found.config.language_of_own(&path) {
                let own = self
                    .problem
                    .allowances
                    .get(&language.id)
                    .copied()
                    .unwrap_or_default();
                let factor = own.time_factor.unwrap_or(language.time_factor);
                let extra = own
                    .extra_memory_bytes
                    .unwrap_or(language.extra_memory_bytes);
                if factor > 1 {
                    self.time_factors.insert(language.name.clone(), factor);
                }
                let is_accepted = expected.allows(crate::model::Verdict::Accepted);
                if is_accepted && factor > 1 {
                    self.perhaps_too_slow.push(example.submission.name.clone());
                }
                if is_accepted {
                    self.extra_memory_bytes = self.extra_memory_bytes.max(extra);
                }
            }
            self.submissions.push(PackageSubmission {
                name: example.submission.name,
                files: vec![SourceFile::at(&path)],
                is_model: model.as_ref() == Some(&path),
                expected,
                ..PackageSubmission::default()
            });
        }
        Ok(())
    }

    /// Whether a statement shows a case whose name does not say so. With points, every
    /// case stays in its group.
    pub(super) fn is_shown(&self, case: &Case) -> bool {
        let package = self
            .package
            .as_ref()
            .filter(|_| self.problem.scoring.is_empty());
        package.is_some_and(|package| package.samples.contains(&case.name))
    }

    /// The folder of the problem.
    pub(super) fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new(""))
    }

    /// The files of the package below a folder, with their names relative to it. Empty
    /// if the problem is no package.
    pub(super) fn files_below(
        &self,
        folder: &str,
    ) -> impl Iterator<Item = (&str, &Path)> {
        let start = format!("{folder}/");
        let files = self.package.iter().flat_map(|package| &package.files);
        files.filter_map(move |(name, path)| {
            Some((name.strip_prefix(&start)?, path.as_path()))
        })
    }
}

fn statement_beside(spec: &Path) -> Option<PathBuf> {
    Some(spec.parent()?.join(STATEMENT)).filter(|path| path.is_file())
}

// The formats that problems are exported to, and the names that differ between them.

/// A format of another judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportTarget {
    /// Kattis' format before it had versions.
    KattisLegacy,
    /// Kattis' format of September 2025.
    Kattis2025,
    /// DOMjudge's: the older format of Kattis, with additions.
    DomJudge,
}

impl ExportTarget {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::KattisLegacy, Self::Kattis2025, Self::DomJudge];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::KattisLegacy => "kattis-legacy",
            Self::Kattis2025 => "kattis-2025-09",
            Self::DomJudge => "domjudge",
        }
    }

    /// Another name of it on the command line: that of the same format where packages
    /// are read.
    pub const fn alias(self) -> Option<&'static str> {
        match self {
            Self::KattisLegacy => Some("legacy"),
            Self::Kattis2025 => Some("2025-09"),
            Self::DomJudge => None,
        }
    }

    /// Whether it has the files and folders of Kattis' older format.
    pub fn uses_legacy_layout(self) -> bool {
        self != Self::Kattis2025
    }

    /// The version in `problem.yaml`.
    pub(super) fn version(self) -> &'static str {
        match self {
            Self::KattisLegacy => "legacy",
            Self::Kattis2025 => "2025-09",
            // DOMjudge reads the ICPC's version of the format, which has no points.
            Self::DomJudge => "legacy-icpc",
        }
    }

    /// The folder of statements.
    pub(super) fn statement_folder(self) -> &'static str {
        if self.uses_legacy_layout() {
            "problem_statement"
        } else {
            "statement"
        }
    }

    /// The folder of the program that judges outputs.
    pub(super) fn validator_folder(self) -> &'static str {
        if self.uses_legacy_layout() {
            "output_validators/check"
        } else {
            "output_validator"
        }
    }

    /// The file with the settings of a group.
    pub(super) fn group_file(self) -> &'static str {
        if self.uses_legacy_layout() {
            "testdata.yaml"
        } else {
            "test_group.yaml"
        }
    }
}
