//! The packages among a judge's problems: in its folder, or named by their paths.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::mistake::{Mistake, Mistakes, RemarkKind, path_remedy};
use crate::model::{AdditionalSources, Language, UnusableLanguage};
use crate::package;
use crate::package::{PackageProgram, SkippedSubmission, WantedPackage, is_archive};
use crate::spec::folder::ProblemFolder;
use crate::spec::package_problem::package_sources;
use crate::spec::{JudgeFolder, PackageTool, package_problem};

impl ProblemFolder {
    /// The submissions of a package that are not judged, each with the reason. Empty for a problem
    /// that is no package.
    pub fn left_out(&self) -> Vec<SkippedSubmission> {
        self.readable_package()
            .map(|package| package_problem::left_out(&package, &self.config))
            .unwrap_or_default()
    }

    /// Reports that generated tests of a package are missing, with the command that creates them.
    /// `None` if all are there.
    pub fn missing_tests(&self) -> Option<Mistake> {
        let package = self.understood_package()?.ok()?;
        let mistake = package
            .remarks
            .of(RemarkKind::MissingTests)
            .first()?
            .clone();
        let make = "have its generators make them, and missing answers as well";
        Some(mistake.with_remedy(match self.archive() {
            Some(_) => format!("unpack it, and {make}: `gridjudge answers FOLDER`"),
            None => format!("{make}: `gridjudge answers {}`", self.place.display()),
        }))
    }

    /// The language of a submission: the one that its package names, or else by the file's ending.
    /// A package sets its own limits for compiling.
    pub fn language_of(&self, path: &Path) -> Option<Arc<Language>> {
        let Some(package) = self.readable_package() else {
            return self.config.language_of_own(path).cloned();
        };
        let named = package_sources::language_by_package(&package, path, &self.config);
        let language = named.or_else(|| self.config.language_of(path))?;
        Some(Arc::new(package_problem::language_in(
            &package, language, path,
        )))
    }

    /// The further sources that a submission is compiled from, beside its own file.
    pub fn further_sources(&self, path: &Path, language: Option<&Language>) -> AdditionalSources {
        self.readable_package()
            .map(|package| package_problem::further_sources(&package, path, language, &self.config))
            .unwrap_or_default()
    }

    /// Why the problem accepts no submissions in a language. `None` if it accepts them.
    pub fn language_refusal(&self, language: &Language) -> Option<UnusableLanguage> {
        package_sources::refusal(&*self.readable_package()?, language)
    }

    /// The files of a program of a package and its language, or the reason why it cannot be built
    /// here. `None` for a problem that is no package.
    pub fn program_of(&self, program: &PackageProgram) -> Option<Result<PackageTool, String>> {
        let package = self.readable_package()?;
        let found = package_sources::of_tool(&package, program, &self.config);
        Some(found.map(|tool| {
            let language = Arc::new(package_problem::language_in(
                &package,
                &tool.language,
                &tool.path,
            ));
            PackageTool { language, ..tool }
        }))
    }

    /// The most bytes of a source, if the problem is a package. Other problems set no limit.
    pub fn most_source_bytes(&self) -> Option<u64> {
        Some(self.readable_package()?.limits.code_bytes)
    }

    /// The folder of the cases.
    pub fn case_folder(&self) -> PathBuf {
        if self.is_package() {
            self.folder().join(package::case_folder(self.file()))
        } else {
            self.config.case_folder(&self.id)
        }
    }
}

impl JudgeFolder {
    /// Adds the package at any path. From then on the path names it. It is read as the wanted one.
    ///
    /// # Errors
    /// Reports a path without a package (or without the wanted one), and a problem of the same id
    /// elsewhere.
    pub fn add_package(&mut self, path: &str, wanted: &WantedPackage) -> Result<(), Mistakes> {
        let real = |path: &Path| path.canonicalize().ok();
        let place = Path::new(path);
        let known = self
            .problems()
            .find(|problem| real(&problem.place) == real(place));
        let id = match known.map(|problem| problem.id.clone()) {
            Some(id) => {
                self.read_as(&id, wanted)?;
                id
            }
            None => self.add_unknown(path, wanted)?,
        };
        self.named.insert(path.to_owned(), id);
        Ok(())
    }

    /// Adds the package at a path that belongs to no known problem, and returns its id.
    fn add_unknown(&mut self, path: &str, wanted: &WantedPackage) -> Result<String, Mistakes> {
        let place = Path::new(path);
        let id = id_at(place).unwrap_or_else(|| path.to_owned());
        let problem = self.package_at(&id, place, wanted)?;
        if let Some(other) = self.problems.get(&id) {
            let message = format!("problem `{id}` is also in {}", other.place.display());
            return Err(Mistake::of(place, message)
                .with_remedy("rename one of the two")
                .into());
        }
        self.problems.insert(id.clone(), problem);
        Ok(id)
    }

    /// Reads a problem as the wanted package, if one is wanted. An unknown id is ignored here;
    /// looking it up later reports it.
    ///
    /// # Errors
    /// Reports a problem that is no such package.
    pub fn read_as(&mut self, id: &str, wanted: &WantedPackage) -> Result<(), Mistakes> {
        if wanted.is_any() {
            return Ok(());
        }
        let Some(problem) = self.problems.get(id) else {
            return Ok(());
        };
        let problem = self.package_at(id, &problem.place, wanted)?;
        self.problems.insert(id.to_owned(), problem);
        Ok(())
    }

    /// The package at a path, of the wanted format or of any, as the problem of an id.
    fn package_at(
        &self,
        id: &str,
        place: &Path,
        wanted: &WantedPackage,
    ) -> Result<Arc<ProblemFolder>, Mistakes> {
        let wanted = WantedPackage {
            most_files: self.config.most_files,
            ..wanted.clone()
        };
        let mut found = if is_archive(place) && place.is_file() {
            ProblemFolder::of_archive(place, wanted, &self.config).checked()?
        } else {
            ProblemFolder::of_package(place, wanted.clone(), &self.config)
                .ok_or_else(|| no_package(place, &wanted))?
        };
        found.id = id.to_owned();
        Ok(Arc::new(found))
    }
}

/// The mistake for a path without a package, or without one of the wanted format.
fn no_package(place: &Path, wanted: &WantedPackage) -> Mistake {
    if place.symlink_metadata().is_err() {
        let remedy = path_remedy(place, Path::exists)
            .unwrap_or_else(|| "correct the path, or name a problem by its id".to_owned());
        return Mistake::of(place, "there is no such file or folder").with_remedy(remedy);
    }
    Mistake::of(place, wanted.refusal(place)).with_remedy(wanted.remedy(place))
}

/// The id of a package at a path: the name of the folder, or of the archive without its ending.
fn id_at(place: &Path) -> Option<String> {
    let real = place.canonicalize().ok()?;
    let name = if real.is_file() {
        real.file_stem()
    } else {
        real.file_name()
    };
    Some(name?.to_string_lossy().into_owned())
}
