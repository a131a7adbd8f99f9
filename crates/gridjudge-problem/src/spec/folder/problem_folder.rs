//! The folder of a problem: one of ours, or a package of another judge, which is read
//! at its first use.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::mistake::{Mistake, Mistakes, RemarkKind, read_text};
use crate::model::{Case, Problem};
use crate::package::{self, Package, WantedPackage};
use crate::spec::folder::examples;
use crate::spec::limits::groups_without_cases;
use crate::spec::{ArchiveFolder, Config, ExampleSubmission, ProblemSpec, problem};
use crate::text::path_text;

use WantedPackage::{Any, Cases, Format};

/// The file that makes a folder a problem.
pub const SPEC: &str = "problem.toml";

/// The folder or the archive of a problem.
#[derive(Clone, Debug)]
pub struct ProblemFolder {
    /// The id of the problem.
    pub id: String,
    /// The settings of the judge's folder.
    pub config: Arc<Config>,
    /// Its path; for an archive, that of the archive.
    pub place: PathBuf,
    kind: ProblemKind,
    /// Its files, found at their first use; an archive is unpacked for that.
    files: OnceLock<Result<ProblemFiles, Mistakes>>,
    /// The package, filled at its first use; never if the problem is one of ours.
    package: OnceLock<Result<Arc<Package>, Mistakes>>,
    /// How to read the package.
    wanted: WantedPackage,
    /// Whether a package with mistakes is read as far as it is understood.
    pub reads_past_mistakes: bool,
    /// Makes the files of cases that a package has generated; `None` if nobody looks
    /// into them.
    pub(super) maker: Option<CaseMaker>,
}

/// Runs the generators of a package that has no files for some cases: makes the files
/// of [`Package::generated`], in their places. Returns a mistake for the first case
/// whose generator cannot be run or fails.
pub type CaseMaker = fn(&Package, &Config) -> Result<(), Mistakes>;

#[derive(Clone, Copy, Debug, PartialEq)]
enum ProblemKind {
    Ours,
    Package,
    Archive,
}

/// The folder of a problem's files, and the one among them that describes the problem.
#[derive(Clone, Debug)]
struct ProblemFiles {
    folder: PathBuf,
    file: PathBuf,
    /// The folder that an archive is unpacked in, which exists as long as this value.
    unpacked: Option<Arc<ArchiveFolder>>,
}

impl ProblemFolder {
    /// The problem that a spec or a package file describes.
    pub(crate) fn of_file(
        file: &Path,
        wanted: WantedPackage,
        config: &Arc<Config>,
    ) -> Self {
        let is_ours = file.ends_with(SPEC);
        let kind = if is_ours {
            ProblemKind::Ours
        } else {
            ProblemKind::Package
        };
        let files = ProblemFiles::find(file, None);
        Self {
            files: OnceLock::from(Ok(files.clone())),
            ..Self::at(&files.folder, kind, wanted, config)
        }
    }

    /// The package in a folder or in its only subfolder, of the wanted format or of
    /// any. `None` if there is no such package.
    pub(crate) fn of_package(
        path: &Path,
        wanted: WantedPackage,
        config: &Arc<Config>,
    ) -> Option<Self> {
        let file = package::found_package_file(path, &wanted, config.most_files)?;
        Some(Self {
            kind: ProblemKind::Package,
            ..Self::of_file(&file, wanted, config)
        })
    }

    /// The package in an archive, of the wanted format or of any. The archive is
    /// unpacked when its files are needed.
    pub(crate) fn of_archive(
        path: &Path,
        wanted: WantedPackage,
        config: &Arc<Config>,
    ) -> Self {
        Self::at(path, ProblemKind::Archive, wanted, config)
    }

    /// Its id is the name of its folder, or of its archive without the ending.
    fn at(
        place: &Path,
        kind: ProblemKind,
        wanted: WantedPackage,
        config: &Arc<Config>,
    ) -> Self {
        let name = if kind == ProblemKind::Archive {
            place.file_stem()
        } else {
            place.file_name()
        };
        Self {
            id: path_text(name.unwrap_or_default()),
            config: Arc::clone(config),
            place: place.to_owned(),
            kind,
            files: OnceLock::new(),
            package: OnceLock::new(),
            wanted,
            reads_past_mistakes: false,
            maker: None,
        }
    }

    /// Whether it is a package of another judge.
    pub fn is_package(&self) -> bool {
        self.kind != ProblemKind::Ours
    }

    /// The archive that it is read from, if any. Nothing can be written into it.
    pub fn archive(&self) -> Option<&Path> {
        (self.kind == ProblemKind::Archive).then_some(self.place.as_path())
    }

    /// The folder of its files; the path of the archive if it cannot be unpacked.
    pub fn folder(&self) -> &Path {
        self.files()
            .as_ref()
            .map_or(&*self.place, |files| &*files.folder)
    }

    /// The file that describes the problem; the path of the archive if it cannot be
    /// unpacked.
    pub fn file(&self) -> &Path {
        self.files()
            .as_ref()
            .map_or(&*self.place, |files| &*files.file)
    }

    /// The path of a file of the problem as reports show it, or of any other file: in
    /// an archive, it begins with the archive's path.
    pub fn shown_path(&self, path: &Path) -> PathBuf {
        let files = self.files().as_ref().ok();
        let unpacked = files.and_then(|files| files.unpacked.as_ref());
        let name =
            unpacked.and_then(|folder| path.strip_prefix(folder.content()).ok());
        name.map_or_else(|| path.to_owned(), |name| self.place.join(name))
    }

    /// A mistake in a file of the problem or in any other, as reports show it.
    pub fn shown(&self, mistake: Mistake) -> Mistake {
        Mistake {
            path: self.shown_path(&mistake.path),
            ..mistake
        }
    }

    /// The same problem, if its files can be found.
    ///
    /// # Errors
    /// Reports every entry of an archive that is refused, and an archive without a
    /// package of the wanted format.
    pub(crate) fn checked(self) -> Result<Self, Mistakes> {
        match self.files() {
            Ok(_) => Ok(self),
            Err(mistakes) => Err(mistakes.clone()),
        }
    }

    /// The package, if the problem is one, read at the first call.
    ///
    /// # Errors
    /// Every mistake in it, if verdicts may depend on one of them; if packages are read
    /// past mistakes, only if it is not understood at all.
    pub fn package(&self) -> Option<Result<Arc<Package>, Mistakes>> {
        Some(self.understood_package()?.and_then(|package| {
            if self.reads_past_mistakes || package.mistakes().is_empty() {
                Ok(package)
            } else {
                Err(Mistakes(package.all_mistakes()))
            }
        }))
    }

    /// The package, if the problem is one and it can be read.
    pub fn readable_package(&self) -> Option<Arc<Package>> {
        self.package()?.ok()
    }

    /// The package, whatever is wrong in it, as far as it is understood.
    pub(super) fn understood_package(
        &self,
    ) -> Option<Result<Arc<Package>, Mistakes>> {
        self.is_package()
            .then(|| self.package.get_or_init(|| self.read_package()).clone())
    }

    fn read_package(&self) -> Result<Arc<Package>, Mistakes> {
        let files = self.files().as_ref().map_err(Mistakes::clone)?;
        let read =
            Package::read_as(&self.wanted, &files.folder, self.config.most_files)
                .and_then(|package| {
                    if let Some(make) = self.maker
                        && !package.generated.is_empty()
                        && package.mistakes().is_empty()
                        && !package.remarks.has(RemarkKind::Unsupported)
                    {
                        make(&package, &self.config)?;
                    }
                    Ok(package)
                });
        let mut package = read.map_err(|Mistakes(found)| {
            Mistakes(found.into_iter().map(|one| self.shown(one)).collect())
        })?;
        let unpacked = files.unpacked.as_ref();
        if package.is_for_domjudge
            && unpacked.is_some_and(|unpacked| unpacked.content() != files.folder)
        {
            // Source: DOMjudge, `ImportProblemService::importZippedProblem`.
            let said = "the archive has all files in one folder: DOMjudge refuses it, since it wants \
                        them at the root";
            let said = Mistake::about_file(&self.place, said);
            package.remarks.add(RemarkKind::Disagreement, [said]);
        }
        package.remarks = package.remarks.map(|mistake| self.shown(mistake));
        Ok(Arc::new(package))
    }

    /// Reads the problem.
    ///
    /// # Errors
    /// Reports every mistake in its spec.
    pub fn problem(&self) -> Result<Problem, Mistakes> {
        Ok(self.spec()?.problem)
    }

    /// Reads the problem and the recipes for its cases.
    ///
    /// # Errors
    /// As [`ProblemFolder::problem`].
    pub fn spec(&self) -> Result<ProblemSpec, Mistakes> {
        let Some(package) = self.package() else {
            let file = self.file();
            let text = read_text(file)?;
            return problem::parse_problem(file, &text, &self.id, &self.config);
        };
        Ok(ProblemSpec {
            problem: self.problem_of(&*package?)?,
            recipes: vec![],
            solution: None,
        })
    }

    /// The groups that have points but no cases. The groups of a package are derived
    /// from its cases, so none can be without.
    pub fn groups_without_cases(&self, cases: &[Case]) -> Vec<Mistake> {
        if self.is_package() {
            vec![]
        } else {
            groups_without_cases(self.file(), cases)
        }
    }

    /// The example submissions, by name, with the verdicts they expect.
    ///
    /// # Errors
    /// Reports missing or contradictory expectations, and every mistake in
    /// `submissions.toml`.
    pub fn examples(&self) -> Result<Vec<ExampleSubmission>, Mistakes> {
        if let Some(package) = self.package() {
            return Ok(self.examples_of(&*package?));
        }
        let folder = self.place.join("submissions");
        if !folder.exists() {
            return Ok(vec![]);
        }
        let (files, mut mistakes) = examples::submission_files(&folder, &self.config);
        let examples =
            examples::examples(&folder, &files).unwrap_or_else(|Mistakes(found)| {
                mistakes.extend(found);
                vec![]
            });
        Mistakes::or(mistakes, examples)
    }

    fn files(&self) -> &Result<ProblemFiles, Mistakes> {
        self.files.get_or_init(|| {
            ProblemFiles::in_archive(
                &self.place,
                &self.wanted,
                self.config.most_files,
            )
        })
    }
}

impl ProblemFiles {
    fn find(file: &Path, unpacked: Option<ArchiveFolder>) -> Self {
        Self {
            folder: file.parent().unwrap_or(file).to_owned(),
            file: file.to_owned(),
            unpacked: unpacked.map(Arc::new),
        }
    }

    /// Unpacks an archive and finds the package in it, of the wanted format or of any.
    fn in_archive(
        path: &Path,
        wanted: &WantedPackage,
        most_files: usize,
    ) -> Result<Self, Mistakes> {
        let folder = ArchiveFolder::make(path)?;
        let content = folder.content();
        package::unpack(path, &content, most_files)?;
        let found =
            |wanted| package::found_package_file(&content, wanted, most_files);
        if let Some(file) = found(wanted) {
            return Ok(Self::find(&file, Some(folder)));
        }
        let (refusal, remedy) = wanted.refusal(path);
        let pack = "pack the folder of a package";
        let (what, remedy) = match wanted {
            Cases(_) => (refusal, remedy),
            Format(format) => {
                let what = format!("holds no {format}: {}", format.lacking());
                let is_other = found(&Any).is_some();
                (what, if is_other { remedy } else { pack })
            }
            Any => (format!("holds no package: {}", package::NO_PACKAGE), pack),
        };
        let message = format!("{what}, at its root or in its only folder");
        Mistake::refuse(path, message, remedy)
    }
}
