//! Finds the problems, packages, cases and example submissions of a judge's folder.
//! Looks at the names and kinds of files, not into cases or sources.

pub(super) mod cases;
pub(crate) mod examples;
pub(super) mod problem_folder;
pub(super) mod problem_search;
pub(crate) mod walk;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use problem_folder::{CaseMaker, ProblemFolder, SPEC};
use problem_search::FoundProblems;
use walk::files_below;

use crate::mistake::{
    Mistake, Mistakes, ReadFailure, RemarkKind, path_remedy, suggestion,
    suggestion_or,
};
use crate::model::{Case, Submission};
use crate::package::{self, Package, PackageFormat, WantedPackage, is_archive};
use crate::spec::{Config, ProblemSpec, UnpackedAnswers, answer_files, problem};
use crate::text::path_text;

/// A judge's folder, with its problems found but not yet read.
#[derive(Debug)]
pub struct JudgeFolder {
    /// The settings of its `judge.toml`.
    pub config: Arc<Config>,
    /// The problems, by id.
    problems: BTreeMap<String, Arc<ProblemFolder>>,
    /// The ids of the packages that were named by their paths, by path.
    named: BTreeMap<String, String>,
    /// What looks like a problem and is none.
    unrecognised: Vec<Mistake>,
}

impl JudgeFolder {
    /// Reads `judge.toml` and finds the problems.
    ///
    /// # Errors
    /// Reports every mistake in `judge.toml`, problems with the same id, and a missing
    /// problem folder.
    pub fn open(root: &Path) -> Result<Self, Mistakes> {
        Self::open_for(root, &[])
    }

    /// As [`JudgeFolder::open`], for a command that is only about the problems with
    /// these ids, or about all if there are none. If each of them has a folder directly
    /// in the folder of problems, no other problem is found, nor a mistake in it.
    ///
    /// # Errors
    /// As [`JudgeFolder::open`].
    pub fn open_for(root: &Path, ids: &[&str]) -> Result<Self, Mistakes> {
        let config = Arc::new(Config::load(root)?);
        let known = FoundProblems::of_ids(&config, ids).filter(|_| !ids.is_empty());
        let found = known.unwrap_or_else(|| {
            let mut all = FoundProblems::below(&config);
            all.require_any(&config);
            all
        });
        Self::with(config, found)
    }

    /// As [`JudgeFolder::open`], for a folder that may have no problems yet, nor a
    /// folder for them.
    ///
    /// # Errors
    /// As [`JudgeFolder::open`].
    pub fn open_or_empty(root: &Path) -> Result<Self, Mistakes> {
        let config = Arc::new(Config::load(root)?);
        let is_there = config.problems.symlink_metadata().is_ok();
        let found = if is_there {
            FoundProblems::below(&config)
        } else {
            FoundProblems::default()
        };
        Self::with(config, found)
    }

    /// A folder that does not exist yet, with the default configuration and no problem.
    pub fn imagined(root: &Path) -> Self {
        Self::unchecked(Arc::new(Config::default_in(root)), FoundProblems::default())
    }

    /// A judge's folder for use where no `judge.toml` exists: without problems, and
    /// with the settings of the judge's user.
    ///
    /// # Errors
    /// As [`Config::without_file`].
    pub fn without_config() -> Result<Self, Mistakes> {
        let config = Arc::new(Config::without_file()?);
        Ok(Self::unchecked(config, FoundProblems::default()))
    }

    fn with(config: Arc<Config>, mut found: FoundProblems) -> Result<Self, Mistakes> {
        let ids: Vec<_> = found.problems.keys().map(String::as_str).collect();
        let mut mistakes = std::mem::take(&mut found.mistakes);
        mistakes.extend(config.unknown_problems(&ids));
        Mistakes::or(mistakes, Self::unchecked(config, found))
    }

    fn unchecked(config: Arc<Config>, found: FoundProblems) -> Self {
        Self {
            config,
            problems: found.problems,
            named: BTreeMap::new(),
            unrecognised: found.unrecognised,
        }
    }

    /// The same folder for `verify`: packages with mistakes are read as far as they are
    /// understood.
    #[must_use]
    pub fn reading_past_mistakes(mut self) -> Self {
        for problem in self.problems.values_mut() {
            Arc::make_mut(problem).reads_past_mistakes = true;
        }
        self
    }

    /// The same folder, with somebody who makes the cases that packages have generated;
    /// with `None`, these have no files.
    #[must_use]
    pub fn with_case_maker(mut self, maker: Option<CaseMaker>) -> Self {
        for problem in self.problems.values_mut() {
            Arc::make_mut(problem).maker = maker;
        }
        self
    }

    /// What looks like a problem in the folder of problems and is none, with the
    /// reason.
    pub fn unrecognised(&self) -> &[Mistake] {
        &self.unrecognised
    }

    /// All problems, sorted by id.
    pub fn problems(&self) -> impl Iterator<Item = &Arc<ProblemFolder>> {
        self.problems.values()
    }

    /// The ids of all problems, sorted.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.problems.keys().map(String::as_str)
    }

    /// The id of a problem that is named by its id, or by its path if it was added by
    /// path.
    pub fn id_of<'a>(&'a self, name: &'a str) -> &'a str {
        self.named.get(name).map_or(name, String::as_str)
    }

    /// Finds a problem by its id, or by its path if it was added by path. Reads
    /// nothing.
    ///
    /// # Errors
    /// Reports an unknown id, with the nearest known one.
    pub fn find(&self, name: &str) -> Result<&Arc<ProblemFolder>, Mistakes> {
        let id = self.id_of(name);
        self.problems.get(id).ok_or_else(|| {
            Mistake::new(
                &self.config.problems,
                format!("there is no problem `{id}` in this folder"),
                suggestion(id, self.ids(), "known: "),
            )
            .into()
        })
    }

    /// Whether submissions to the problem of this id are answers to its cases instead of
    /// programs.
    pub(super) fn takes_answers(&self, id: &str) -> bool {
        self.find(id)
            .is_ok_and(|problem| problem.submissions_are_answers())
    }

    /// The problems with these names, as [`JudgeFolder::find`] finds them, without
    /// unknown ones.
    pub fn known<'n>(
        &self,
        names: impl IntoIterator<Item = &'n String>,
    ) -> Vec<&ProblemFolder> {
        names
            .into_iter()
            .filter_map(|name| self.find(name).ok())
            .map(|problem| &**problem)
            .collect()
    }

    /// The problem whose folder contains a path, if any.
    pub fn problem_around(&self, path: &Path) -> Option<&Arc<ProblemFolder>> {
        let path = path.canonicalize().ok()?;
        self.problems().find(|problem| {
            let folder = problem.place.canonicalize();
            problem.archive().is_none()
                && folder.is_ok_and(|folder| path.starts_with(folder))
        })
    }

    /// Parses a spec that has not been saved yet.
    ///
    /// # Errors
    /// Reports every mistake in it, at the path that the spec would have.
    pub fn draft(&self, id: &str, text: &str) -> Result<ProblemSpec, Mistakes> {
        let path = self.config.problems.join(id).join(SPEC);
        problem::parse_problem(&path, text, id, &self.config)
    }
}

// Problems whose submissions are answers instead of programs.

impl ProblemFolder {
    /// Whether submissions to the problem are answers to its cases instead of programs.
    pub fn submissions_are_answers(&self) -> bool {
        self.readable_package()
            .is_some_and(|package| package.submissions_are_answers)
    }

    /// Reads a submission of answers, and matches its files to the cases.
    ///
    /// # Errors
    /// Reports a program; every file that is refused, answers no case, or answers a
    /// case that another file answers; and files that cannot be read.
    pub fn submitted_answers(
        &self,
        submission: &Path,
        cases: &[Case],
    ) -> Result<UnpackedAnswers, ReadFailure> {
        if answer_files::is_packed(submission) {
            return answer_files::unpack_answers(submission, None, cases);
        }
        if submission.is_file() && self.config.language_of(submission).is_some() {
            return Mistake::refuse(
                submission,
                "is a program, and submissions to this problem are answers",
                "hand in a file with the answer to each case",
            );
        }
        let package = self
            .package()
            .transpose()
            .map_err(ReadFailure::Unreadable)?;
        let own = package.as_ref().and_then(|package| {
            package
                .submissions
                .iter()
                .find(|one| package.place_of_answers(one) == submission)
        });
        let listed = own.map(|own| &own.files[..]);
        Ok(UnpackedAnswers {
            answers: answer_files::answers_in(submission, listed, cases)?,
            folder: None,
        })
    }
}

// The submission that computes the missing answers of a problem.

impl ProblemFolder {
    /// The submission that computes missing answers, if the problem names one.
    ///
    /// # Errors
    /// As [`ProblemFolder::problem`]; a submission that does not exist; a package
    /// without an accepted one.
    pub fn model_solution(&self) -> Result<Option<Submission>, Mistakes> {
        // Such a problem has no program as a solution: its answers were found by other
        // means.
        if self.submissions_are_answers() {
            return Ok(None);
        }
        if let Some(package) = self.package() {
            return self.model_of_package(&*package?).map(Some);
        }
        let Some(name) = self.spec()?.solution else {
            return Ok(None);
        };
        let examples = self.examples()?;
        let names = examples
            .iter()
            .map(|example| example.submission.name.as_str());
        if let Some(found) = examples
            .iter()
            .find(|example| example.submission.name == name)
        {
            return Ok(Some(found.submission.clone()));
        }
        Mistake::refuse(
            self.file(),
            format!(
                "`solution = {name:?}` is none of the submissions of this problem"
            ),
            suggestion_or(&name, names, || {
                format!("put it into the folder, as submissions/{name}")
            }),
        )
    }

    /// The submission that computes the answers of a package.
    fn model_of_package(&self, package: &Package) -> Result<Submission, Mistakes> {
        let model = package.model_solution().map(|model| model.name.clone());
        let known = self
            .examples()?
            .into_iter()
            .map(|example| example.submission);
        let found = model
            .and_then(|model| { known }.find(|submission| submission.name == model));
        found.ok_or_else(|| {
            let [message, remedy] = match package.format {
                PackageFormat::Dmoj => [
                    "a problem of DMOJ holds no submissions that could write the \
                     missing answers",
                    "name a program that is right with `--solution`, or write them by \
                     hand, into the files that `out` names",
                ],
                PackageFormat::Oj => [
                    "a folder of cases holds no submissions that could write the \
                     missing answers",
                    "name a program that is right with `--solution`, or write them by \
                     hand",
                ],
                _ => [
                    "no submission of one file is known to be right, so none can \
                     write the missing answers",
                    "write them by hand, or add a program that is right",
                ],
            };
            Mistake::new(&package.file, message, remedy).into()
        })
    }
}

// The packages among a judge's problems: in its folder, or named by their paths.

impl ProblemFolder {
    /// Reports that generated tests of a package are missing, with the command that
    /// creates them. `None` if all are there.
    pub fn missing_tests(&self) -> Option<Mistake> {
        let package = self.understood_package()?.ok()?;
        let mistake = package
            .remarks
            .of_kind(RemarkKind::MissingTests)
            .first()?
            .clone();
        let make = "have its generators make them, and missing answers as well";
        Some(mistake.with_remedy(match self.archive() {
            Some(_) => format!("unpack it, and {make}: `gridjudge answers FOLDER`"),
            None => format!("{make}: `gridjudge answers {}`", self.place.display()),
        }))
    }

    /// The most bytes of a source, if the problem is a package. Other problems set no
    /// limit.
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
    /// Adds the package at any path. From then on the path names it. It is read as the
    /// wanted one.
    ///
    /// # Errors
    /// Reports a path without a package (or without the wanted one), and a problem of
    /// the same id elsewhere.
    pub fn add_package(
        &mut self,
        path: &str,
        wanted: &WantedPackage,
    ) -> Result<(), Mistakes> {
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
            None => {
                let id = id_at(place).unwrap_or_else(|| path.to_owned());
                let problem = self.package_at(&id, place, wanted)?;
                if let Some(other) = self.problems.get(&id) {
                    return Mistake::refuse(
                        place,
                        format!(
                            "problem `{id}` is also in {}",
                            other.place.display()
                        ),
                        "rename one of the two",
                    );
                }
                self.problems.insert(id.clone(), problem);
                id
            }
        };
        self.named.insert(path.to_owned(), id);
        Ok(())
    }

    /// Reads a problem as the wanted package, if one is wanted. An unknown id is
    /// ignored here; looking it up later reports it.
    ///
    /// # Errors
    /// Reports a problem that is no such package.
    pub fn read_as(
        &mut self,
        id: &str,
        wanted: &WantedPackage,
    ) -> Result<(), Mistakes> {
        if !matches!(wanted, WantedPackage::Any)
            && let Some(problem) = self.problems.get(id)
        {
            let problem = self.package_at(id, &problem.place, wanted)?;
            self.problems.insert(id.to_owned(), problem);
        }
        Ok(())
    }

    /// The package at a path, of the wanted format or of any, as the problem of an id.
    fn package_at(
        &self,
        id: &str,
        place: &Path,
        wanted: &WantedPackage,
    ) -> Result<Arc<ProblemFolder>, Mistakes> {
        let config = &self.config;
        let mut found = if is_archive(place) && place.is_file() {
            ProblemFolder::of_archive(place, wanted.clone(), config).checked()?
        } else {
            ProblemFolder::of_package(place, wanted.clone(), config)
                .ok_or_else(|| no_package(place, wanted))?
        };
        found.id = id.to_owned();
        Ok(Arc::new(found))
    }
}

/// The mistake for a path without a package, or without one of the wanted format.
fn no_package(place: &Path, wanted: &WantedPackage) -> Mistake {
    if place.symlink_metadata().is_err() {
        let remedy = path_remedy(place, Path::exists).unwrap_or_else(|| {
            "correct the path, or name a problem by its id".to_owned()
        });
        return Mistake::new(place, "there is no such file or folder", remedy);
    }
    let (message, remedy) = wanted.refusal(place);
    Mistake::new(place, message, remedy)
}

/// The id of a package at a path: the name of the folder, or of the archive without its
/// ending.
fn id_at(place: &Path) -> Option<String> {
    let real = place.canonicalize().ok()?;
    let name = if real.is_file() {
        real.file_stem()
    } else {
        real.file_name()
    };
    Some(path_text(name?))
}
