//! Chooses the reader for a package, by the files in it or by the format that the user
//! names. Looks into no file itself.

use std::mem;
use std::path::Path;

use crate::files::DEFAULT_MOST_FILES;
use crate::mistake::{Mistake, Mistakes, RemarkKind};
use crate::package::format::file_among;
use crate::package::kattis::cases::tasks;
use crate::package::kattis::scoring::package_scoring;
use crate::package::kattis::{cases, problem_yaml, structure, submissions};
use crate::package::{
    GroupSettings, INIT_YML, PROBLEM_XML, PROBLEM_YAML, Package, PackageFormat,
    PackageMetadata, PackageTree, PackageValidation, WantedPackage, contents, dmoj,
    domjudge, is_of_cases, lfs_pointers, oj, polygon,
};

use WantedPackage::{Any, Cases, Format};

impl Package {
    /// Reads the package in a folder.
    ///
    /// # Errors
    /// Returns every mistake in it.
    pub fn read(root: &Path) -> Result<Self, Mistakes> {
        let package = Self::read_as(&WantedPackage::Any, root, DEFAULT_MOST_FILES)?;
        Mistakes::or(package.all_mistakes(), package)
    }

    /// Reads the package in a folder as the wanted one, which may have this many files
    /// and folders. The package may have mistakes, which it then holds.
    ///
    /// # Errors
    /// Returns every mistake in it if it is not understood despite them or has files
    /// that are refused, or that it is of another format.
    pub(crate) fn read_as(
        wanted: &WantedPackage,
        root: &Path,
        most_files: usize,
    ) -> Result<Self, Mistakes> {
        let Some(file) = file_among(&[root.to_owned()], wanted, most_files) else {
            let (message, remedy) = wanted.refusal(root);
            return Mistake::refuse(root, message, remedy);
        };
        let (mut tree, mistakes) = PackageTree::scan(root, most_files);
        tree.package_file = file;
        structure::note_unless_unfollowed(mistakes, &mut tree);
        tree.lacks_files = tree.is_mistaken();
        let file = &tree.package_file;
        let package = match wanted {
            Cases(patterns) => Some(oj::read_oj(&tree, Some(patterns))),
            _ if is_of_cases(file) => Some(oj::read_oj(&tree, None)),
            _ if file.ends_with(PROBLEM_XML) => polygon::read_polygon(&tree),
            _ if file.ends_with(INIT_YML) => dmoj::read_dmoj(&tree),
            Format(format) => Self::read_tree(&mut tree, Some(*format)),
            Any => Self::read_tree(&mut tree, None),
        };
        if let Some(package) = &package {
            tree.mistakes(lfs_pointers(package.case_files()));
        }
        let remarks = tree.remarks.into_inner();
        match package.filter(|_| !tree.lacks_files) {
            Some(package) => Ok(Self { remarks, ..package }),
            None => {
                let kinds = [RemarkKind::Mistake, RemarkKind::Slip];
                Err(Mistakes(kinds.map(|kind| remarks.of_kind(kind)).concat()))
            }
        }
    }

    /// Reads a package of Kattis or DOMjudge. Returns `None` if its `problem.yaml` is
    /// not understood.
    fn read_tree(
        tree: &mut PackageTree,
        wanted: Option<PackageFormat>,
    ) -> Option<Self> {
        let mut metadata = match tree.file(PROBLEM_YAML) {
            Some(path) => problem_yaml::read_problem_yaml(path, tree, wanted)?,
            None if tree.is_mistaken() => return None,
            // Without that file it is DOMjudge's.
            None => PackageMetadata::for_format(PackageFormat::DomJudge),
        };
        if metadata.format.has_legacy_layout() {
            domjudge::add_domjudge(&mut metadata, tree, wanted);
        } else {
            contents::leave_out_odd(tree);
        }
        structure::note_structure(tree, &metadata);
        if [PackageFormat::Legacy, PackageFormat::LegacyIcpc]
            .contains(&metadata.format)
        {
            contents::note_violations(tree);
        }
        Some(Self::of_tree(tree, metadata))
    }

    fn of_tree(tree: &PackageTree, metadata: PackageMetadata) -> Self {
        let mut cases = cases::judged_cases(tree, &metadata);
        let mut settings = GroupSettings::read(tree, &metadata);
        let mut validation = PackageValidation::read(tree, &metadata);
        validation.arguments = mem::take(&mut settings.input_arguments);
        let mut tasks = tasks(tree, &metadata, &settings, &cases, &mut validation);
        let [supplies, validation_supplies] =
            cases::supplies(tree, &settings, &cases, &validation);
        // Added last, since neither flags nor files of a case apply to sources.
        tasks
            .others
            .extend(settings.static_cases.add_to(&mut cases, &metadata, tree));
        let (submissions, left_out) =
            submissions::read_submissions(tree, &metadata, &cases);
        let scoring = package_scoring(&metadata, tree, &settings, &cases);
        structure::note_disagreements(tree, &metadata, &settings, &scoring, &cases);
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
            task: tasks.default,
            case_tasks: tasks.others,
            supplies,
            validation_supplies,
            cases,
            submissions,
            left_out,
            includes: cases::included_by_language(tree),
            validation,
            constants: metadata.constants,
            ..Self::of_files(metadata.format, tree)
        }
    }
}
