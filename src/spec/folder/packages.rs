//! The packages among a judge's problems: those in its folder, and those that were named by their paths.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use crate::mistake::Mistake;
use crate::mistake::Mistakes;
use crate::model::FurtherSources;
use crate::model::Language;
use crate::model::LanguageRefusal;
use crate::model::Submission;
use crate::package;
use crate::package::LeftOutSubmission;
use crate::package::NO_PACKAGE;
use crate::package::Package;
use crate::package::PackageFormat;
use crate::package::PackageProgram;
use crate::package::is_archive;
use crate::spec::config::Config;
use crate::spec::folder::JudgeFolder;
use crate::spec::foreign;
use crate::spec::package_sources;
use crate::spec::package_sources::PackageTool;
use crate::spec::problem_folder::OTHER_FORMAT;
use crate::spec::problem_folder::ProblemFolder;

impl JudgeFolder {
    /// A judge's folder where there is none: without problems, and with what an empty `judge.toml` says.
    pub fn without_config() -> Self {
        Self { config: Config::usual(Path::new("")), problems: BTreeMap::new(), named: BTreeMap::new() }
    }

    /// The id of a problem that is named by it, or by its path if it was added so.
    pub fn id_of<'a>(&'a self, name: &'a str) -> &'a str {
        self.found(name).map_or(name, |(id, _)| id)
    }

    /// The package that a problem is, if it is one.
    pub fn package(&self, id: &str) -> Option<Result<Arc<Package>, Mistakes>> {
        self.found(id)?.1.package()
    }

    /// The submissions of a package that are not judged, each with the reason; none of a problem that is no package.
    pub fn left_out(&self, id: &str) -> Vec<LeftOutSubmission> {
        let package = self.package(id).and_then(Result::ok);
        package.map(|package| foreign::left_out(&package, &self.config)).unwrap_or_default()
    }

    /// The archive that a problem came in, into which nothing is written.
    pub fn archive_of(&self, id: &str) -> Option<&Path> {
        self.found(id).and_then(|(_, folder)| folder.archive())
    }

    /// That tests of a package are missing which a generator makes, with the command that has them made; none if none is.
    pub fn missing_tests(&self, id: &str) -> Option<Mistake> {
        let (_, folder) = self.found(id)?;
        let mistake = folder.package()?.ok()?.missing_tests.mistake.clone()?;
        let make = "have its generators make them, and missing answers as well";
        Some(mistake.with_remedy(match folder.archive() {
            Some(_) => format!("unpack it, and {make}: `gridjudge answers FOLDER`"),
            None => format!("{make}: `gridjudge answers {}`", folder.path.display()),
        }))
    }

    /// The submission that knows the answers of a package.
    pub(super) fn model_of_package(&self, id: &str) -> Result<Submission, Mistakes> {
        let Some(package) = self.package(id) else { return Err(self.unknown(id).into()) };
        let package = package?;
        let model = package.model_solution().map(|model| model.name.clone());
        let known = self.examples(id)?.into_iter().map(|example| example.submission);
        let found = model.and_then(|model| { known }.find(|submission| submission.name == model));
        found.ok_or_else(|| {
            if package.format == PackageFormat::Dmoj {
                let message = "a problem of DMOJ holds no submissions, so nobody knows the missing answers";
                let remedy = "write them by hand, into the files that `out` names";
                return Mistake::of(&package.file, message).with_remedy(remedy).into();
            }
            let message =
                "no submission of one file is known to be right, so nobody knows the missing answers";
            let remedy = "write them by hand, or add a program that is right";
            Mistake::of(&package.file, message).with_remedy(remedy).into()
        })
    }

    /// The language of a submission to a problem, by its ending; of a package, compiling is bound by its limits.
    pub fn language_of(&self, id: &str, path: &Path) -> Option<Arc<Language>> {
        let language = self.config.language_of(path)?;
        let Some(Ok(package)) = self.package(id) else { return Some(Arc::clone(language)) };
        let compile_limits = foreign::compile_limits(&package, &language.compile_limits);
        Some(Arc::new(Language { compile_limits, ..(**language).clone() }))
    }

    /// What a submission to a problem is made of beside its own file.
    pub fn further_sources(&self, id: &str, path: &Path, language: Option<&Language>) -> FurtherSources {
        let package = self.package(id).and_then(Result::ok);
        let of_package =
            |package: Arc<Package>| foreign::further_sources(&package, path, language, &self.config);
        package.map(of_package).unwrap_or_default()
    }

    /// That a problem takes no submissions in a language, if so.
    pub fn language_refusal(&self, id: &str, language: &Language) -> Option<LanguageRefusal> {
        package_sources::refusal(&*self.package(id)?.ok()?, language)
    }

    /// The files of a program of a package, and its language; none of a problem that is no package, and the reason why it cannot
    /// be made here.
    pub fn program_of(&self, id: &str, program: &PackageProgram) -> Option<Result<PackageTool, String>> {
        let package = self.package(id)?.ok()?;
        let found = package_sources::of_tool(&package, program, &self.config);
        Some(found.map(|tool| {
            let compile_limits = foreign::compile_limits(&package, &tool.language.compile_limits);
            let language = Arc::new(Language { compile_limits, ..(*tool.language).clone() });
            PackageTool { language, ..tool }
        }))
    }

    /// Bytes that a source may have for a problem, where it sets a limit.
    pub fn most_source_bytes(&self, id: &str) -> Option<u64> {
        let package = self.package(id).and_then(Result::ok);
        package.map(|package| package.limits.code_bytes)
    }

    /// Adds the package in a folder anywhere, to be named by its path from now on, and to be read as of this format, if one is
    /// wanted.
    ///
    /// # Errors
    /// No package there, or none of this format; a problem of the same id elsewhere.
    pub fn add_package(&mut self, path: &str, wanted: Option<PackageFormat>) -> Result<(), Mistakes> {
        let real = |path: &Path| path.canonicalize().ok();
        let place = Path::new(path);
        let known = self.problems.iter().find(|(_, folder)| real(&folder.path) == real(place));
        let id = match known.map(|(id, _)| id.clone()) {
            Some(id) => {
                wanted.map_or(Ok(()), |wanted| self.read_as(&id, wanted))?;
                id
            }
            None => self.add_unknown(path, wanted)?,
        };
        self.named.insert(path.to_owned(), id);
        Ok(())
    }

    /// Adds the package of a path that is no problem yet, and returns its id.
    fn add_unknown(&mut self, path: &str, wanted: Option<PackageFormat>) -> Result<String, Mistakes> {
        let place = Path::new(path);
        let found = match is_archive(place) && place.is_file() {
            true => Some(ProblemFolder::of_archive(place, wanted)?),
            false => ProblemFolder::of_package(place, wanted),
        };
        let Some(folder) = found else { return Err(no_package(place, wanted).into()) };
        let id = id_at(place).unwrap_or_else(|| path.to_owned());
        if let Some(other) = self.problems.get(&id) {
            let message = format!("problem `{id}` is also in {}", other.path.display());
            return Err(Mistake::of(place, message).with_remedy("rename one of the two folders").into());
        }
        self.problems.insert(id.clone(), folder);
        Ok(id)
    }

    /// Has a problem read as a package of this format. One that is not there is left to whoever asks for it.
    ///
    /// # Errors
    /// It is no package of this format.
    pub fn read_as(&mut self, id: &str, wanted: PackageFormat) -> Result<(), Mistakes> {
        let Some(folder) = self.problems.get_mut(id) else { return Ok(()) };
        let Some(read) = folder.read_as(wanted) else {
            return Err(no_package(&folder.path, Some(wanted)).into());
        };
        *folder = read;
        Ok(())
    }

    /// The folder of a problem's cases.
    pub fn case_folder(&self, id: &str) -> PathBuf {
        match self.found(id) {
            Some((_, folder)) if folder.is_package() => folder.path.join(package::case_folder(&folder.file)),
            _ => self.config.case_folder(id),
        }
    }
}

/// That a path leads to no package, or to none of this format.
fn no_package(place: &Path, wanted: Option<PackageFormat>) -> Mistake {
    if place.symlink_metadata().is_err() {
        let remedy = "correct the path, or name a problem by its id";
        return Mistake::of(place, "there is no such file or folder").with_remedy(remedy);
    }
    match wanted {
        Some(wanted) => {
            let message = format!("is no {wanted}: {}", wanted.lacking());
            Mistake::of(place, message).with_remedy(OTHER_FORMAT)
        }
        None => {
            let message = format!("is the folder of no problem: {NO_PACKAGE}");
            Mistake::of(place, message).with_remedy("name a problem by its id, or the folder of a package")
        }
    }
}

/// The id of a package by its place: the name of the folder, or of the archive without its ending.
fn id_at(place: &Path) -> Option<String> {
    let real = place.canonicalize().ok()?;
    let name = if real.is_file() { real.file_stem() } else { real.file_name() };
    Some(name?.to_string_lossy().into_owned())
}
