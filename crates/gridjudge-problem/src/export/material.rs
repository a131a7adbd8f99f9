//! Collects everything of a problem that an export may contain, whether the problem is
//! ours or a package, and knows the formats that it may be exported to. Reads specs and
//! names of files; opens no case and no source.

use std::borrow::Borrow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files;
use crate::mistake::Mistakes;
use crate::model::{Case, Problem, SourceFile, Verdict};
use crate::package::{Package, PackageSubmission};
use crate::spec::{AnswerRequirement, ProblemFolder};

/// The name of the statement of a problem of ours.
const STATEMENT: &str = "statement.md";

/// A problem, with everything beside it, and what has been made of it so far.
pub(super) struct ExportMaterial {
    /// The format that it is exported to.
    pub(super) target: ExportTarget,
    pub(super) problem: Problem,
    /// The file that describes the problem.
    pub(super) file: PathBuf,
    pub(super) cases: Vec<Case>,
    /// Their names in the export, relative to `data`.
    pub(super) case_names: Vec<String>,
    /// The names of submissions with expected verdicts for single cases.
    pub(super) expectations_for_cases: Vec<String>,
    /// The statement of a problem of ours.
    pub(super) statement: Option<PathBuf>,
    /// The most extra memory, in bytes, that a language of a submission that may be
    /// accepted is allowed beyond the limit.
    pub(super) extra_memory_bytes: u64,
    /// The languages of submissions that are allowed more time, with their factors.
    pub(super) time_factors: BTreeMap<String, u32>,
    /// The names of submissions in these languages that may be accepted.
    pub(super) perhaps_too_slow: Vec<String>,
    /// Whether the problem is a package.
    pub(super) is_package: bool,
    /// The package; of a problem of ours one with its example submissions alone.
    pub(super) package: Arc<Package>,
    /// The export.
    pub(super) files: RefCell<ExportFiles>,
    /// What the format cannot express, or expresses differently: a sentence each,
    /// without a full stop.
    pub(super) notes: RefCell<Vec<String>>,
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
        Mistakes::refuse(found.groups_without_cases(&cases))?;
        let package = found.package().transpose()?;
        let file = found.file();
        let mut material = Self {
            target,
            statement: Some(file.with_file_name(STATEMENT))
                .filter(|path| package.is_none() && path.is_file()),
            is_package: package.is_some(),
            package: package.unwrap_or_default(),
            expectations_for_cases: vec![],
            extra_memory_bytes: 0,
            time_factors: BTreeMap::new(),
            perhaps_too_slow: vec![],
            problem,
            file: file.to_owned(),
            cases,
            case_names: vec![],
            files: RefCell::default(),
            notes: RefCell::default(),
        };
        if !material.is_package {
            material.add_examples(found)?;
        }
        Ok(material)
    }

    /// Adds the example submissions of a problem of ours.
    fn add_examples(&mut self, found: &ProblemFolder) -> Result<(), Mistakes> {
        let model = found.model_solution()?.map(|submission| submission.path);
        let cases = self.cases.clone().into();
        for example in found.examples()? {
            if !example.expectations_for(&cases)?.is_empty() {
                self.expectations_for_cases
                    .push(example.submission.name.clone());
            }
            let Some(expected) = example.submission.expected else {
                continue;
            };
            let path = example.submission.path;
            if let Some(language) = found.config.language_of_own(&path) {
                let (factor, extra) = self.problem.allowance_for(language);
                let is_accepted = expected.allows(Verdict::Accepted);
                if factor > 1 {
                    self.time_factors.insert(language.name.clone(), factor);
                    if is_accepted {
                        self.perhaps_too_slow.push(example.submission.name.clone());
                    }
                }
                if is_accepted {
                    self.extra_memory_bytes = self.extra_memory_bytes.max(extra);
                }
            }
            let package = Arc::make_mut(&mut self.package);
            package.submissions.push(PackageSubmission {
                name: example.submission.name,
                files: vec![SourceFile::at(&path)],
                is_model: model.as_ref() == Some(&path),
                expected,
                ..PackageSubmission::default()
            });
        }
        Ok(())
    }

    /// The folder of the problem.
    pub(super) fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new(""))
    }

    /// The package, if it has the files and folders of Kattis' formats.
    pub(super) fn package_of_kattis(&self) -> Option<&Package> {
        Some(&*self.package).filter(|package| package.format.has_kattis_layout())
    }

    /// The files of the package below a folder, with their names relative to it.
    pub(super) fn files_below(
        &self,
        folder: &str,
    ) -> impl Iterator<Item = (&str, &Path)> {
        let start = format!("{folder}/");
        self.package.files.iter().filter_map(move |(name, path)| {
            Some((name.strip_prefix(&start)?, path.as_path()))
        })
    }
}

// The files and the notes that are added to an export.

/// The files of an export, by their names relative to the root of the package.
pub(super) type ExportFiles = BTreeMap<String, ExportFile>;

/// One file of an export: a copy of another one, if there is one, and a text after it.
#[derive(Debug, Default)]
pub(super) struct ExportFile {
    original: Option<PathBuf>,
    text: Vec<u8>,
    pub(super) is_executable: bool,
}

/// Puts the export together.
impl ExportMaterial {
    /// Adds a file with this content.
    pub(super) fn put(&self, name: impl Into<String>, content: impl Into<Vec<u8>>) {
        let file = ExportFile {
            text: content.into(),
            ..ExportFile::default()
        };
        self.files.borrow_mut().insert(name.into(), file);
    }

    /// Adds a program with this content, which can be executed.
    pub(super) fn put_executable(&self, name: String, content: String) {
        self.put(&name, content);
        if let Some(file) = self.files.borrow_mut().get_mut(&name) {
            file.is_executable = true;
        }
    }

    /// Appends a text to a generated file, which is created if it does not exist.
    pub(super) fn append(&self, name: &str, text: &str) {
        let mut files = self.files.borrow_mut();
        let file = files.entry(name.to_owned()).or_default();
        file.text.extend(text.as_bytes());
    }

    /// Adds a copy of a file.
    pub(super) fn copy(&self, name: impl Into<String>, path: &Path) {
        self.copy_with(name, path, String::new());
    }

    /// Adds a copy of a file with a text appended.
    pub(super) fn copy_with(
        &self,
        name: impl Into<String>,
        path: &Path,
        appended: String,
    ) {
        let file = ExportFile {
            original: Some(path.to_owned()),
            text: appended.into(),
            is_executable: files::is_executable(path),
        };
        self.files.borrow_mut().insert(name.into(), file);
    }

    /// Adds copies of files of a program below a folder.
    pub(super) fn copy_files(&self, folder: &str, files: &[SourceFile]) {
        for file in files {
            self.copy(format!("{folder}/{}", file.name), &file.path);
        }
    }

    /// The names of the submissions of which this is true.
    pub(super) fn names_of_submissions(
        &self,
        is_meant: impl Fn(&PackageSubmission) -> bool,
    ) -> Vec<String> {
        let submissions = self.package.submissions.iter();
        submissions
            .filter(|one| is_meant(one))
            .map(|one| one.name.clone())
            .collect()
    }

    /// Notes what the format cannot express.
    pub(super) fn note_loss(&self, what: impl Into<String>) {
        self.notes.borrow_mut().push(what.into());
    }

    /// Notes what the format cannot express, and the things that this is about, if there
    /// are any.
    pub(super) fn note_losses(&self, what: impl Display, names: &[impl Borrow<str>]) {
        if !names.is_empty() {
            self.note_loss(format!("{what}: {}", names.join(", ")));
        }
    }

    /// Whether there is a file or a folder of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        let below = format!("{name}/");
        let files = self.files.borrow();
        files.contains_key(name)
            || files
                .range(below.clone()..)
                .next()
                .is_some_and(|(found, _)| found.starts_with(&below))
    }
}

impl ExportFile {
    /// Opens its content for reading.
    ///
    /// # Errors
    /// Returns an error if the file that it copies cannot be read.
    pub(super) fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        let text = &self.text[..];
        Ok(match &self.original {
            Some(path) => {
                let file = files::open_file(path).map_err(io::Error::other)?;
                Box::new(file.chain(text))
            }
            None => Box::new(text),
        })
    }
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
        // DOMjudge reads the ICPC's version of the format, which has no points.
        self.alias().unwrap_or("legacy-icpc")
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
