//! Chooses the reader for a package, by the files in it or by the format that the user names, and
//! builds a [`Package`] from the result. Looks into no file itself.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use crate::mistake::{Mistake, Mistakes, RemarkKind, Remarks};
use crate::model::{Constants, FileStreams, Scoring, Task, TextTask};
use crate::package::contents::{Package, USUAL_TIME};
use crate::package::dmoj::DmojProblem;
use crate::package::format::{
    INIT_YML, PROBLEM_XML, PROBLEM_YAML, PackageFormat, WantedPackage, is_of_cases,
    named_package_file,
};
use crate::package::kattis::case_tasks::tasks;
use crate::package::kattis::cases::PackageCases;
use crate::package::kattis::groups::GroupSettings;
use crate::package::kattis::metadata::{PackageCredits, PackageMetadata};
use crate::package::kattis::scoring::scoring;
use crate::package::kattis::submissions::PackageSubmissions;
use crate::package::kattis::{case_tasks, cases, disagreements, problem_yaml, structure};
use crate::package::limits::PackageLimits;
use crate::package::oj::case_patterns::CasePatterns;
use crate::package::polygon::PolygonProblem;
use crate::package::reading::ReadingNotes;
use crate::package::text_copies::{LineBreaks, PackageRoom};
use crate::package::tree::PackageTree;
use crate::package::validation::PackageValidation;
use crate::package::{contents, dmoj, domjudge, oj, polygon};

impl Package {
    /// Reads the package in a folder.
    ///
    /// # Errors
    /// Returns every mistake in it.
    pub fn read(root: &Path) -> Result<Self, Mistakes> {
        let package = Self::read_as(&WantedPackage::default(), root, &|| {
            Err(io::Error::other("there is no folder for them"))
        })?;
        Mistakes::or(package.all_mistakes(), package)
    }

    /// Reads the package in a folder as the wanted format, if one is given. `room` creates a folder
    /// for files that must be prepared; the folder must live as long as the package. The package
    /// may have mistakes, which it then holds.
    ///
    /// # Errors
    /// Returns every mistake in it if it is not understood despite them or has files that are
    /// refused, or that it is of another format.
    pub(crate) fn read_as(
        wanted: &WantedPackage,
        root: &Path,
        room: PackageRoom<'_>,
    ) -> Result<Self, Mistakes> {
        let Some(file) = named_package_file(root, wanted) else {
            return Err(Mistake::of(root, wanted.refusal(root))
                .with_remedy(wanted.remedy(root))
                .into());
        };
        let mut notes = ReadingNotes::about(&file);
        let (mut tree, mistakes) = PackageTree::of(root, wanted.most_files);
        structure::note_unless_unfollowed(mistakes, &file, &mut tree, &mut notes);
        notes.lacks_files = notes.is_mistaken();
        if wanted.cases.is_some() || is_of_cases(&file) {
            let package = Self::of_oj(&tree, file, wanted.cases.as_ref(), &mut notes);
            return Self::despite_mistakes(Some(package), notes);
        }
        if file.ends_with(PROBLEM_XML) {
            let problem = polygon::read(&file, &tree, room, &mut notes);
            let package = problem.map(|problem| Self::of_polygon(file, &tree, problem));
            return Self::despite_mistakes(package, notes);
        }
        if file.ends_with(INIT_YML) {
            let problem = dmoj::read(&file, &tree, room, USUAL_TIME, &mut notes);
            let package = problem.map(|problem| Self::of_dmoj(file, &tree, problem));
            return Self::despite_mistakes(package, notes);
        }
        Self::read_tree(tree, file, wanted.format, notes)
    }

    /// Reads a package of Kattis or DOMjudge.
    fn read_tree(
        mut tree: PackageTree,
        file: PathBuf,
        wanted: Option<PackageFormat>,
        mut notes: ReadingNotes,
    ) -> Result<Self, Mistakes> {
        let Some(mut metadata) = Self::metadata(&tree, wanted, &mut notes) else {
            return Err(Mistakes(notes.remarks.of(RemarkKind::Mistake).to_vec()));
        };
        if metadata.format.has_legacy_layout() {
            domjudge::add(&mut metadata, &tree, wanted, &mut notes);
        } else {
            contents::leave_out_odd(&mut tree, &mut notes);
        }
        structure::note(&tree, &metadata, &mut notes);
        let is_strict =
            [PackageFormat::Legacy, PackageFormat::LegacyIcpc].contains(&metadata.format);
        if is_strict {
            contents::note_violations(&tree, &mut notes);
        }
        let package = Self::of_tree(&tree, file, metadata, &mut notes);
        Self::despite_mistakes(Some(package), notes)
    }

    /// A package that was understood, with the mistakes in it. Returns them alone if it was not, or
    /// if files of it were refused.
    fn despite_mistakes(package: Option<Self>, notes: ReadingNotes) -> Result<Self, Mistakes> {
        match package.filter(|_| !notes.lacks_files) {
            Some(package) => Ok(Self {
                remarks: notes.remarks,
                ..package
            }),
            None => {
                let kinds = [RemarkKind::Mistake, RemarkKind::Slip];
                Err(Mistakes(kinds.map(|kind| notes.remarks.of(kind)).concat()))
            }
        }
    }

    /// Reads `problem.yaml`; a package without one is read as DOMjudge's.
    fn metadata(
        tree: &PackageTree,
        wanted: Option<PackageFormat>,
        notes: &mut ReadingNotes,
    ) -> Option<PackageMetadata> {
        match tree.file(PROBLEM_YAML) {
            Some(path) => problem_yaml::read(path, tree, wanted, notes),
            None if !notes.is_mistaken() => Some(PackageMetadata::of(PackageFormat::DomJudge)),
            None => None,
        }
    }

    fn of_tree(
        tree: &PackageTree,
        file: PathBuf,
        metadata: PackageMetadata,
        notes: &mut ReadingNotes,
    ) -> Self {
        let PackageCases { mut cases } = PackageCases::read(tree, &metadata, notes);
        let settings = GroupSettings::read(tree, &metadata, notes);
        let mut validation = PackageValidation::read(tree, &metadata, notes);
        let mut tasks = tasks(&metadata, &settings, &file, &cases, &mut validation, notes);
        let [supplies, validation_supplies] =
            cases::read(tree, &settings, &cases, &validation, notes);
        // Added last, since neither flags nor files of a case apply to sources.
        tasks
            .others
            .extend(settings.static_cases.add_to(&mut cases, &metadata, notes));
        let submissions = PackageSubmissions::read(tree, &metadata, &cases, notes);
        let scoring = scoring(&metadata, tree, &settings, &cases, notes);
        disagreements::note(tree, &metadata, &settings.grading, &scoring, &cases, notes);
        Self {
            scoring,
            is_for_domjudge: metadata.is_for_domjudge,
            has_overridden_format: metadata.has_overridden_format,
            submissions_are_answers: metadata.submissions_are_answers,
            languages: metadata.languages,
            name: metadata.name,
            source: metadata.source,
            credits: metadata.credits,
            limits: metadata.limits,
            task: tasks.usual,
            case_tasks: tasks.others,
            supplies,
            validation_supplies,
            cases,
            submissions: submissions.judged,
            left_out: submissions.left_out,
            includes: case_tasks::read(tree, notes),
            validation,
            constants: metadata.constants,
            ..Self::of_files(metadata.format, file, tree)
        }
    }

    fn of_polygon(file: PathBuf, tree: &PackageTree, problem: PolygonProblem) -> Self {
        Self {
            name: problem.name,
            limits: problem.limits,
            task: problem.task,
            file_streams: problem.file_streams,
            scoring: problem.scoring,
            cases: problem.cases,
            samples: problem.samples,
            missing_tests: problem.missing_tests,
            originals: problem.originals,
            line_breaks: LineBreaks::WithoutCarriageReturns,
            submissions: problem.submissions.judged,
            left_out: problem.submissions.left_out,
            validation: problem.validation,
            includes: problem.includes,
            source_types: problem.source_types,
            ..Self::of_files(PackageFormat::Polygon, file, tree)
        }
    }

    fn of_dmoj(file: PathBuf, tree: &PackageTree, problem: DmojProblem) -> Self {
        Self {
            limits: problem.limits,
            task: problem.task,
            case_tasks: problem.case_tasks,
            scoring: problem.scoring,
            cases: problem.cases,
            originals: problem.originals,
            line_breaks: LineBreaks::LineFeedsOnly,
            ..Self::of_files(PackageFormat::Dmoj, file, tree)
        }
    }

    fn of_oj(
        tree: &PackageTree,
        file: PathBuf,
        patterns: Option<&CasePatterns>,
        notes: &mut ReadingNotes,
    ) -> Self {
        let cases = match patterns {
            Some(patterns) => oj::read_by_patterns(tree, patterns, notes),
            None => oj::read(tree, &file, notes),
        };
        Self {
            task: Task::Text(oj::COMPARISON),
            cases,
            ..Self::of_files(PackageFormat::Oj, file, tree)
        }
    }

    /// A package with nothing but files, and with default limits and rules.
    fn of_files(format: PackageFormat, file: PathBuf, tree: &PackageTree) -> Self {
        Self {
            format,
            has_overridden_format: false,
            submissions_are_answers: false,
            languages: None,
            file,
            name: None,
            source: None,
            credits: PackageCredits::default(),
            files: tree.all(),
            limits: PackageLimits::without_any(),
            task: Task::Text(TextTask::Lines),
            case_tasks: BTreeMap::new(),
            supplies: BTreeMap::new(),
            validation_supplies: BTreeMap::new(),
            file_streams: FileStreams::default(),
            scoring: Scoring::default(),
            cases: Vec::new(),
            samples: BTreeSet::new(),
            missing_tests: Vec::new(),
            originals: BTreeMap::new(),
            line_breaks: LineBreaks::AsTheyAre,
            is_for_domjudge: false,
            submissions: Vec::new(),
            left_out: Vec::new(),
            includes: BTreeMap::new(),
            constants: Constants::default(),
            source_types: BTreeMap::new(),
            validation: PackageValidation::default(),
            remarks: Remarks::default(),
        }
    }
}
