//! A package, read whole: what it says, what is wrong in it, and what it needs that is not judged.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::mistake::Mistake;
use crate::mistake::Mistakes;
use crate::model::Case;
use crate::model::Scoring;
use crate::model::SourceFile;
use crate::model::Task;
use crate::model::TextTask;
use crate::model::Verdict;
use crate::package::case_tasks::tasks;
use crate::package::cases::PackageCases;
use crate::package::credits::PackageCredits;
use crate::package::dmoj;
use crate::package::dmoj::DmojProblem;
use crate::package::dmoj::PackageRoom;
use crate::package::domjudge;
use crate::package::format::INIT_YML;
use crate::package::format::NO_PACKAGE;
use crate::package::format::OJ_FOLDER;
use crate::package::format::PROBLEM_XML;
use crate::package::format::PROBLEM_YAML;
use crate::package::format::PackageFormat;
use crate::package::format::named_package_file;
use crate::package::groups::GroupSettings;
use crate::package::groups::PerCase;
use crate::package::includes;
use crate::package::limits::PackageLimits;
use crate::package::limits::TimeRule;
use crate::package::metadata::PackageMetadata;
use crate::package::oj;
use crate::package::oj::OjCases;
use crate::package::polygon;
use crate::package::polygon::MissingTests;
use crate::package::polygon::PolygonProblem;
use crate::package::problem_yaml;
use crate::package::reading::ReadingNotes;
use crate::package::scoring::scoring;
use crate::package::structure;
use crate::package::submissions::LeftOutSubmission;
use crate::package::submissions::PackageSubmission;
use crate::package::submissions::PackageSubmissions;
use crate::package::tree::PackageTree;
use crate::package::validation::PackageValidation;

/// The time limit of a package that gives none, as DOMjudge has it.
const USUAL_TIME: Duration = Duration::from_secs(10);

/// A problem package of another judge.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its format.
    pub format: PackageFormat,
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
    /// What it allows its submissions.
    pub limits: PackageLimits,
    /// How outputs are judged: compared with the answers, or by a program of the package.
    pub task: Task,
    /// The same for cases with flags of their own, by their names.
    pub case_tasks: BTreeMap<String, Task>,
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
    pub constants: Vec<(String, String)>,
    /// What it needs that is not judged; without any, it can be.
    pub unsupported: Vec<Mistake>,
    /// What is there and counts for nothing here.
    pub ignored: Vec<String>,
}

impl Package {
    /// Reads the package in a folder.
    ///
    /// # Errors
    /// Every mistake in it.
    pub fn read(root: &Path) -> Result<Self, Mistakes> {
        Self::read_with(root, &|| Err(io::Error::other("there is no folder for them")))
    }

    /// The same, with a folder for files that must be made ready, which must live as long as the package.
    ///
    /// # Errors
    /// Every mistake in it.
    pub(crate) fn read_with(root: &Path, room: PackageRoom<'_>) -> Result<Self, Mistakes> {
        let mut notes = ReadingNotes::default();
        let Some(file) = named_package_file(root).map(|name| root.join(name)) else {
            let mistake = Mistake::of(root, format!("is no package: {NO_PACKAGE}"));
            return Err(mistake.with_remedy("name the folder that holds one of them").into());
        };
        let (mut tree, mistakes) = PackageTree::of(root);
        notes.mistakes.extend(mistakes);
        if file.ends_with(PROBLEM_XML) {
            let problem = polygon::read(&file, &tree, &mut notes);
            let package = problem.map(|problem| Self::of_polygon(file, &tree, problem, &mut notes));
            return package.filter(|_| notes.mistakes.is_empty()).ok_or(Mistakes(notes.mistakes));
        }
        if file.ends_with(INIT_YML) {
            let problem = dmoj::read(&file, &tree, room, USUAL_TIME, &mut notes);
            let package = problem.map(|problem| Self::of_dmoj(file, &tree, problem, &mut notes));
            return package.filter(|_| notes.mistakes.is_empty()).ok_or(Mistakes(notes.mistakes));
        }
        if file.ends_with(OJ_FOLDER) {
            let package = Self::of_oj(&tree, file, &mut notes);
            return Mistakes::or(notes.mistakes, package);
        }
        let metadata = match tree.file(PROBLEM_YAML) {
            Some(path) => problem_yaml::read(path, &tree, &mut notes),
            None if notes.mistakes.is_empty() => Some(PackageMetadata::of(PackageFormat::DomJudge)),
            None => None,
        };
        let Some(mut metadata) = metadata else { return Err(Mistakes(notes.mistakes)) };
        if metadata.format.is_legacy() {
            domjudge::add(&mut metadata, &tree, &mut notes);
        } else {
            structure::leave_out_odd_names(&mut tree, &mut notes);
        }
        let package = Self::of_tree(&tree, file, metadata, &mut notes);
        Mistakes::or(notes.mistakes, package)
    }

    fn of_tree(
        tree: &PackageTree,
        file: PathBuf,
        metadata: PackageMetadata,
        notes: &mut ReadingNotes,
    ) -> Self {
        let PackageCases { cases, missing_answers } = PackageCases::read(tree, metadata.format, notes);
        let settings = GroupSettings::read(tree, metadata.format, notes);
        let PerCase { usual: task, others: case_tasks } = tasks(&metadata, &settings, &file, &cases, notes);
        let submissions = PackageSubmissions::read(tree, &metadata, notes);
        let includes = includes::read(tree, notes);
        let remarks = structure::remarks(tree, &metadata);
        let scoring = scoring(&metadata, &tree.root, &settings.grading, &cases, notes);
        Self {
            name: metadata.name,
            source: metadata.source,
            credits: metadata.credits,
            limits: metadata.limits,
            task,
            case_tasks,
            scoring,
            cases,
            missing_answers,
            submissions: submissions.judged,
            left_out: submissions.left_out,
            includes,
            validation: PackageValidation::read(tree, metadata.format, notes),
            remarks,
            constants: metadata.constants,
            unsupported: std::mem::take(&mut notes.unsupported),
            ignored: std::mem::take(&mut notes.ignored),
            ..Self::without_more(metadata.format, file, tree)
        }
    }

    fn of_polygon(
        file: PathBuf,
        tree: &PackageTree,
        problem: PolygonProblem,
        notes: &mut ReadingNotes,
    ) -> Self {
        Self {
            name: problem.name,
            limits: problem.limits,
            task: problem.task,
            scoring: problem.scoring,
            cases: problem.cases,
            missing_tests: problem.missing_tests,
            missing_answers: problem.missing_answers,
            submissions: problem.submissions.judged,
            left_out: problem.submissions.left_out,
            unsupported: std::mem::take(&mut notes.unsupported),
            ignored: std::mem::take(&mut notes.ignored),
            ..Self::without_more(PackageFormat::Polygon, file, tree)
        }
    }

    fn of_dmoj(file: PathBuf, tree: &PackageTree, problem: DmojProblem, notes: &mut ReadingNotes) -> Self {
        Self {
            limits: problem.limits,
            task: problem.task,
            case_tasks: problem.case_tasks,
            scoring: problem.scoring,
            cases: problem.cases,
            missing_answers: problem.missing_answers,
            remarks: problem.remarks,
            unsupported: std::mem::take(&mut notes.unsupported),
            ignored: std::mem::take(&mut notes.ignored),
            ..Self::without_more(PackageFormat::Dmoj, file, tree)
        }
    }

    fn of_oj(tree: &PackageTree, file: PathBuf, notes: &mut ReadingNotes) -> Self {
        let OjCases { cases, missing_answers } = oj::read(tree, notes);
        Self { cases, missing_answers, ..Self::without_more(PackageFormat::Oj, file, tree) }
    }

    /// What holds of a package that says nothing.
    fn without_more(format: PackageFormat, file: PathBuf, tree: &PackageTree) -> Self {
        Self {
            format,
            file,
            name: None,
            source: None,
            credits: PackageCredits::default(),
            files: tree.all(),
            limits: PackageLimits::without_any(),
            task: Task::Text(TextTask::Lines),
            case_tasks: BTreeMap::new(),
            scoring: Scoring::default(),
            cases: Vec::new(),
            missing_tests: MissingTests::default(),
            missing_answers: Vec::new(),
            submissions: Vec::new(),
            left_out: Vec::new(),
            unsupported: Vec::new(),
            includes: BTreeMap::new(),
            constants: Vec::new(),
            validation: PackageValidation::default(),
            remarks: Vec::new(),
            ignored: Vec::new(),
        }
    }

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

    /// How a time limit follows from the times of its submissions, if the format has such a rule.
    pub fn time_rule(&self) -> Option<TimeRule> {
        let has_one =
            !matches!(self.format, PackageFormat::Polygon | PackageFormat::Dmoj | PackageFormat::Oj);
        has_one.then_some(self.limits.rule)
    }

    /// Whether its time limit follows from the times of its submissions. DOMjudge has a usual one.
    pub fn is_measured(&self) -> bool {
        let may_be = self.limits.time.is_none() && self.format != PackageFormat::DomJudge;
        may_be && self.time_rule().is_some()
    }

    /// The time limit: that of the package, else ten seconds, as long as nothing is measured.
    pub fn time_limit(&self) -> Duration {
        self.limits.time.unwrap_or(USUAL_TIME)
    }
}
