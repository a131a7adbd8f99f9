//! A package, read whole: what it says, what is wrong in it, and what it needs that is not judged. Knows not how it is read.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::mistake::Mistake;
use crate::model::Case;
use crate::model::CaseSupply;
use crate::model::Constants;
use crate::model::FileStreams;
use crate::model::Scoring;
use crate::model::SourceFile;
use crate::model::Task;
use crate::model::Verdict;
use crate::package::credits::PackageCredits;
use crate::package::format::PackageFormat;
use crate::package::limits::PackageLimits;
use crate::package::limits::TimeRule;
use crate::package::polygon;
use crate::package::polygon::MissingTests;
use crate::package::submissions::LeftOutSubmission;
use crate::package::submissions::PackageSubmission;
use crate::package::validation::PackageProgram;
use crate::package::validation::PackageValidation;

/// The time limit of a package that gives none, as DOMjudge has it.
pub(super) const USUAL_TIME: Duration = Duration::from_secs(10);

/// Folders of programs that judge outputs or sources, or grade submissions; those of several have a name in the plural.
const PROGRAM_FOLDERS: [&str; 4] =
    ["output_validators/", "output_validator/", "static_validator/", "graders/"];

/// A problem package of another judge.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its format.
    pub format: PackageFormat,
    /// Whether its files alone would tell another one, or another meaning, and somebody wants this one.
    pub is_read_otherwise: bool,
    /// The file that says what it is.
    pub file: PathBuf,
    /// Its title, if it has one.
    pub name: Option<String>,
    /// Where it comes from.
    pub source: Option<String>,
    /// Who made it.
    pub credits: PackageCredits,
    /// All its files, by their names as seen from its root, as far as no format hides them.
    pub files: BTreeMap<String, PathBuf>,
    /// Whether its submissions are answers to cases, and no programs.
    pub takes_answers: bool,
    /// The languages that submissions may be written in, as the format calls them; none for all.
    pub languages: Option<Vec<String>>,
    /// What it allows its submissions.
    pub limits: PackageLimits,
    /// How outputs are judged: compared with the answers, or by a program of the package.
    pub task: Task,
    /// The same for cases with flags of their own, by their names.
    pub case_tasks: BTreeMap<String, Task>,
    /// What its cases give submissions beside standard input, by their names.
    pub supplies: BTreeMap<String, CaseSupply>,
    /// What input validators find beside the inputs of cases that do not judge submissions.
    pub validation_supplies: BTreeMap<String, CaseSupply>,
    /// Where its submissions read and write, if not from standard input and to standard output.
    pub file_streams: FileStreams,
    /// What its cases are worth.
    pub scoring: Scoring,
    /// Its cases: samples first, then by name.
    pub cases: Vec<Case>,
    /// Cases whose input is not there, and that a generator of the package makes.
    pub missing_tests: MissingTests,
    /// Cases without an answer.
    pub missing_answers: Vec<Mistake>,
    /// Its submissions.
    pub submissions: Vec<PackageSubmission>,
    /// Its submissions that are not judged.
    pub left_out: Vec<LeftOutSubmission>,
    /// Files that are made into every submission, by languages as the format calls them.
    pub includes: BTreeMap<String, Vec<SourceFile>>,
    /// What it brings to check itself.
    pub validation: PackageValidation,
    /// What its format wants otherwise, though it can be judged.
    pub remarks: Vec<String>,
    /// Names that stand for values in sources.
    pub constants: Constants,
    /// What it needs that is not judged; without any, it can be.
    pub unsupported: Vec<Mistake>,
    /// What is there and counts for nothing here.
    pub ignored: Vec<String>,
}

impl Package {
    /// The same with other places in what is wrong and what is not judged.
    #[must_use]
    pub(crate) fn with_mistakes_at(self, told: impl Fn(Mistake) -> Mistake) -> Self {
        let mistake = self.missing_tests.mistake.map(&told);
        Self {
            unsupported: self.unsupported.into_iter().map(&told).collect(),
            missing_answers: self.missing_answers.into_iter().map(&told).collect(),
            missing_tests: MissingTests { mistake, ..self.missing_tests },
            ..self
        }
    }

    /// Its cases on which a submission runs: all but those on which its source is judged.
    pub fn run_cases(&self) -> impl Iterator<Item = &Case> {
        let is_static = |case: &Case| {
            self.case_tasks.get(&case.name).is_some_and(|task| task.static_validator().is_some())
        };
        self.cases.iter().filter(move |case| !is_static(case))
    }

    /// The submission that knows the answers: the one that the package says, else the first that is right.
    pub fn model_solution(&self) -> Option<&PackageSubmission> {
        let is_right = |one: &&PackageSubmission| one.expected == Verdict::Accepted.into();
        let alone = || self.submissions.iter().filter(|one| one.files.len() == 1);
        alone().find(|one| one.is_model).or_else(|| alone().find(is_right))
    }

    /// Headers for its programs wherever these lie, in the order of their names: Polygon has one folder for them.
    pub fn shared_headers(&self) -> Vec<PathBuf> {
        match self.format {
            PackageFormat::Polygon => polygon::headers(&self.files),
            _ => Vec::new(),
        }
    }

    /// The program that judges or grades and that this file of it belongs to, where that is a folder of several files.
    pub(crate) fn program_around(&self, source: &Path) -> Option<PackageProgram> {
        let (name, _) = self.files.iter().find(|(_, path)| *path == source)?;
        let folder = PROGRAM_FOLDERS.iter().find(|folder| name.starts_with(**folder))?;
        // A single program lies in its folder, or in one in there; else each program has a folder of its own.
        let inner = match folder.trim_end_matches('/').ends_with('s') {
            true => name[folder.len()..].find('/')? + folder.len() + 1,
            false => name.rfind('/')? + 1,
        };
        let around = &name[..inner];
        let inside = self.files.iter().filter(|(name, _)| name.starts_with(around));
        let file = |(name, path): (&String, &PathBuf)| SourceFile {
            name: name[around.len()..].to_owned(),
            path: path.clone(),
        };
        let files: Vec<_> = inside.map(file).collect();
        let is_one = files.len() == 1 && !files.iter().any(PackageProgram::is_script);
        (!is_one).then(|| PackageProgram { name: around.trim_end_matches('/').to_owned(), files })
    }

    /// How a time limit follows from the times of its submissions, if the format has such a rule.
    pub fn time_rule(&self) -> Option<TimeRule> {
        self.format.is_of_kattis().then_some(self.limits.rule)
    }

    /// Whether its time limit follows from the times of its submissions. DOMjudge has a usual one.
    pub fn is_measured(&self) -> bool {
        let may_be = self.limits.time.is_none() && self.format != PackageFormat::DomJudge;
        may_be && !self.takes_answers && self.time_rule().is_some()
    }

    /// Whether a time limit holds that it does not give and nobody measures.
    pub fn has_usual_time(&self) -> bool {
        self.limits.time.is_none() && !self.is_measured() && !self.takes_answers
    }

    /// The time limit: that of the package, else ten seconds, as long as nothing is measured.
    pub fn time_limit(&self) -> Duration {
        self.limits.time.unwrap_or(USUAL_TIME)
    }
}
