//! The packages among a judge's problems: in its folder, or named by their paths.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::mistake::{Mistake, Mistakes, RemarkKind};
use crate::model::{AdditionalSources, Language, LanguageRefusal};
use crate::package;
use crate::package::{Package, PackageProgram, SkippedSubmission, WantedPackage, is_archive};
use crate::spec::config::Config;
use crate::spec::folder::JudgeFolder;
use crate::spec::folder::problem_folder::ProblemFolder;
use crate::spec::package_problem;
use crate::spec::package_problem::package_sources;
use crate::spec::package_problem::package_sources::PackageTool;

impl JudgeFolder {
    /// A judge's folder for use where no `judge.toml` exists: without problems, and with the
    /// settings of the judge's user.
    ///
    /// # Errors
    /// As [`Config::without_file`].
    pub fn without_config() -> Result<Self, Mistakes> {
        let problems = BTreeMap::new();
        let named = BTreeMap::new();
        Ok(Self {
            config: Config::without_file()?,
            problems,
            named,
            unrecognised: Vec::new(),
            chosen_solution: None,
            reads_past_mistakes: false,
        })
    }

    /// What looks like a problem in the folder of problems and is none, with the reason.
    pub fn unrecognised(&self) -> &[Mistake] {
        &self.unrecognised
    }

    /// The same folder for `verify`: packages with mistakes are read as far as they are understood.
    #[must_use]
    pub fn reading_past_mistakes(self) -> Self {
        Self {
            reads_past_mistakes: true,
            ..self
        }
    }

    /// Whether packages with mistakes are read as far as they are understood.
    pub fn reads_past_mistakes(&self) -> bool {
        self.reads_past_mistakes
    }

    /// The id of a problem that is named by its id, or by its path if it was added by path.
    pub fn id_of<'a>(&'a self, name: &'a str) -> &'a str {
        self.found(name).map_or(name, |(id, _)| id)
    }

    /// The package that a problem is, if it is one.
    ///
    /// # Errors
    /// Every mistake in it, if verdicts may depend on one of them; if packages are read past
    /// mistakes, only if it is not understood at all.
    pub fn package(&self, id: &str) -> Option<Result<Arc<Package>, Mistakes>> {
        let read = self.found(id)?.1.package()?;
        Some(read.and_then(|package| {
            if self.reads_past_mistakes || package.mistakes().is_empty() {
                Ok(package)
            } else {
                Err(Mistakes(package.all_mistakes()))
            }
        }))
    }

    /// The submissions of a package that are not judged, each with the reason. Empty for a problem
    /// that is no package.
    pub fn left_out(&self, id: &str) -> Vec<SkippedSubmission> {
        let package = self.package(id).and_then(Result::ok);
        package
            .map(|package| package_problem::left_out(&package, &self.config))
            .unwrap_or_default()
    }

    /// The archive that a problem was read from, if any. Nothing can be written into it.
    pub fn archive_of(&self, id: &str) -> Option<&Path> {
        self.found(id).and_then(|(_, folder)| folder.archive())
    }

    /// Reports that generated tests of a package are missing, with the command that creates them.
    /// `None` if all are there.
    pub fn missing_tests(&self, id: &str) -> Option<Mistake> {
        let (_, folder) = self.found(id)?;
        let package = folder.package()?.ok()?;
        let mistake = package
            .remarks
            .of(RemarkKind::MissingTests)
            .first()?
            .clone();
        let make = "have its generators make them, and missing answers as well";
        Some(mistake.with_remedy(match folder.archive() {
            Some(_) => format!("unpack it, and {make}: `gridjudge answers FOLDER`"),
            None => format!("{make}: `gridjudge answers {}`", folder.place.display()),
        }))
    }

    /// The language of a submission to a problem: the one that its package names, or else by the
    /// file's ending. A package sets its own limits for compiling.
    pub fn language_of(&self, id: &str, path: &Path) -> Option<Arc<Language>> {
        let Some(Ok(package)) = self.package(id) else {
            return self.config.language_of_own(path).cloned();
        };
        let named = package_sources::language_by_package(&package, path, &self.config);
        let language = named.or_else(|| self.config.language_of(path))?;
        Some(Arc::new(package_problem::language_in(
            &package, language, path,
        )))
    }

    /// The further sources that a submission to a problem is compiled from, beside its own file.
    pub fn further_sources(
        &self,
        id: &str,
        path: &Path,
        language: Option<&Language>,
    ) -> AdditionalSources {
        let package = self.package(id).and_then(Result::ok);
        package
            .map(|package| package_problem::further_sources(&package, path, language, &self.config))
            .unwrap_or_default()
    }

    /// Why a problem accepts no submissions in a language. `None` if it accepts them.
    pub fn language_refusal(&self, id: &str, language: &Language) -> Option<LanguageRefusal> {
        package_sources::refusal(&*self.package(id)?.ok()?, language)
    }

    /// The files of a program of a package and its language, or the reason why it cannot be built
    /// here. `None` for a problem that is no package.
    pub fn program_of(
        &self,
        id: &str,
        program: &PackageProgram,
    ) -> Option<Result<PackageTool, String>> {
        let package = self.package(id)?.ok()?;
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
    pub fn most_source_bytes(&self, id: &str) -> Option<u64> {
        let package = self.package(id).and_then(Result::ok);
        package.map(|package| package.limits.code_bytes)
    }

    /// Adds the package at any path. From then on the path names it. It is read as the wanted one.
    ///
    /// # Errors
    /// Reports a path without a package (or without the wanted one), and a problem of the same id
    /// elsewhere.
    pub fn add_package(&mut self, path: &str, wanted: &WantedPackage) -> Result<(), Mistakes> {
        let real = |path: &Path| path.canonicalize().ok();
        let place = Path::new(path);
        let known = self
            .problems
            .iter()
            .find(|(_, folder)| real(&folder.place) == real(place));
        let id = match known.map(|(id, _)| id.clone()) {
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
        let folder = self.package_at(place, wanted)?;
        let id = id_at(place).unwrap_or_else(|| path.to_owned());
        if let Some(other) = self.problems.get(&id) {
            let message = format!("problem `{id}` is also in {}", other.place.display());
            return Err(Mistake::of(place, message)
                .with_remedy("rename one of the two")
                .into());
        }
        self.problems.insert(id.clone(), folder);
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
        let Some(folder) = self.problems.get(id) else {
            return Ok(());
        };
        let folder = self.package_at(&folder.place, wanted)?;
        self.problems.insert(id.to_owned(), folder);
        Ok(())
    }

    /// The package at a path, of the wanted format or of any.
    fn package_at(&self, place: &Path, wanted: &WantedPackage) -> Result<ProblemFolder, Mistakes> {
        let wanted = WantedPackage {
            most_files: self.config.most_files,
            ..wanted.clone()
        };
        if is_archive(place) && place.is_file() {
            return ProblemFolder::of_archive(place, &wanted).checked();
        }
        ProblemFolder::of_package(place, &wanted).ok_or_else(|| no_package(place, &wanted).into())
    }

    /// The folder of a problem's cases.
    pub fn case_folder(&self, id: &str) -> PathBuf {
        match self.found(id) {
            Some((_, folder)) if folder.is_package() => {
                folder.folder().join(package::case_folder(folder.file()))
            }
            _ => self.config.case_folder(id),
        }
    }
}

/// The mistake for a path without a package, or without one of the wanted format.
fn no_package(place: &Path, wanted: &WantedPackage) -> Mistake {
    if place.symlink_metadata().is_err() {
        let remedy = "correct the path, or name a problem by its id";
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
