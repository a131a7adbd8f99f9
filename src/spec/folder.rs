//! Finds the problems, cases and example submissions of a judge's folder. Looks at the names and
//! kinds of files, not into cases or sources.

mod answers;
pub(super) mod cases;
pub(crate) mod examples;
mod packages;
pub(super) mod problem_folder;
pub(super) mod problem_search;
pub(crate) mod walk;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::mistake::{Mistake, Mistakes, nearest};
use crate::model::{Case, Problem, Recipe};
use crate::spec::config::Config;
use crate::spec::folder::examples::ExampleSubmission;
use crate::spec::folder::problem_folder::{ProblemFolder, SPEC};
use crate::spec::folder::problem_search::FoundProblems;
use crate::spec::folder::walk::files_below;
use crate::spec::limits::groups_without_cases;
use crate::spec::problem::ProblemSpec;
use crate::spec::{package_problem, problem};

/// A judge's folder, with its problems found but not yet read.
#[derive(Clone, Debug)]
pub struct JudgeFolder {
    /// The settings of its `judge.toml`.
    pub config: Config,
    /// The folder of each problem, by the problem's id.
    problems: BTreeMap<String, ProblemFolder>,
    /// The ids of the packages that were named by their paths, by path.
    named: BTreeMap<String, String>,
    /// What looks like a problem and is none.
    unrecognised: Vec<Mistake>,
    /// The program that computes missing answers in place of the problem's own.
    chosen_solution: Option<PathBuf>,
    /// Whether packages with mistakes are read as far as they are understood.
    reads_past_mistakes: bool,
}

impl JudgeFolder {
    /// Reads `judge.toml` and finds the problems.
    ///
    /// # Errors
    /// Reports every mistake in `judge.toml`, problems with the same id, and a missing problem
    /// folder.
    pub fn open(root: &Path) -> Result<Self, Mistakes> {
        let config = Config::load(root)?;
        let mut found = FoundProblems::below(&config);
        found.require_any(&config);
        Self::with(config, found)
    }

    /// As [`JudgeFolder::open`], for a command that is only about the problems with these ids. If
    /// each of them has a folder directly in the folder of problems, no other problem is found, nor
    /// a mistake in it.
    ///
    /// # Errors
    /// As [`JudgeFolder::open`].
    pub fn open_for(root: &Path, ids: &[&str]) -> Result<Self, Mistakes> {
        let config = Config::load(root)?;
        match FoundProblems::of_ids(&config, ids).filter(|_| !ids.is_empty()) {
            Some(found) => Self::with(config, found),
            None => Self::open(root),
        }
    }

    /// As [`JudgeFolder::open`], for a folder that may have no problems yet, nor a folder for them.
    ///
    /// # Errors
    /// As [`JudgeFolder::open`].
    pub fn open_or_empty(root: &Path) -> Result<Self, Mistakes> {
        let config = Config::load(root)?;
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
        Self::unchecked(Config::usual(root), FoundProblems::default())
    }

    fn with(config: Config, mut found: FoundProblems) -> Result<Self, Mistakes> {
        let ids: Vec<_> = found.problems.keys().map(String::as_str).collect();
        let mut mistakes = std::mem::take(&mut found.mistakes);
        mistakes.extend(config.unknown_problems(&ids));
        Mistakes::or(mistakes, Self::unchecked(config, found))
    }

    fn unchecked(config: Config, found: FoundProblems) -> Self {
        Self {
            config,
            problems: found.problems,
            named: BTreeMap::new(),
            unrecognised: found.unrecognised,
            chosen_solution: None,
            reads_past_mistakes: false,
        }
    }

    /// The ids of all problems, sorted.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.problems.keys().map(String::as_str)
    }

    /// The id of the problem whose folder contains a path, if any.
    pub fn problem_around(&self, path: &Path) -> Option<&str> {
        let path = path.canonicalize().ok()?;
        let mut folders = self
            .problems
            .iter()
            .filter(|(_, problem)| problem.archive().is_none());
        let (id, _) = folders.find(|(_, problem)| {
            let folder = problem.place.canonicalize();
            folder.is_ok_and(|folder| path.starts_with(folder))
        })?;
        Some(id)
    }

    /// Reads one problem.
    ///
    /// # Errors
    /// Reports an unknown id, with the nearest known one, or every mistake in the problem's spec.
    pub fn problem(&self, id: &str) -> Result<Problem, Mistakes> {
        Ok(self.problem_with_recipes(id)?.0)
    }

    /// The path of a problem's spec.
    pub fn spec_of(&self, id: &str) -> Option<PathBuf> {
        self.found(id).map(|(_, folder)| folder.file().to_owned())
    }

    /// The path of a problem's spec as reports show it: in an archive, it begins with the
    /// archive's.
    pub fn shown_spec_path(&self, id: &str) -> PathBuf {
        self.found(id)
            .map(|(_, folder)| folder.shown(folder.file()))
            .unwrap_or_default()
    }

    /// The path of a file of a problem as reports show it, or of any other file.
    pub fn shown_path(&self, id: &str, path: &Path) -> PathBuf {
        self.found(id)
            .map_or_else(|| path.to_owned(), |(_, folder)| folder.shown(path))
    }

    /// Reads one problem and the recipes for its cases.
    ///
    /// # Errors
    /// As [`JudgeFolder::problem`].
    pub fn problem_with_recipes(&self, id: &str) -> Result<(Problem, Vec<Recipe>), Mistakes> {
        let ProblemSpec {
            problem, recipes, ..
        } = self.load(id)?;
        Ok((problem, recipes))
    }

    fn load(&self, id: &str) -> Result<ProblemSpec, Mistakes> {
        if let Some(package) = self.package(id) {
            let problem = package_problem::problem(&*package?, self.id_of(id), &self.config)?;
            return Ok(ProblemSpec {
                problem,
                recipes: Vec::new(),
                solution: None,
            });
        }
        match self.spec_of(id) {
            Some(spec) => problem::load(&spec, id, &self.config.limits, &self.languages()),
            None => Err(self.unknown(id).into()),
        }
    }

    /// Finds a problem by its id, or by its path if it was added by path. Returns its id and its
    /// folder.
    fn found(&self, name: &str) -> Option<(&str, &ProblemFolder)> {
        let id = self.named.get(name).map_or(name, String::as_str);
        self.problems
            .get_key_value(id)
            .map(|(id, folder)| (id.as_str(), folder))
    }

    /// The mistake for an id that no problem has.
    fn unknown(&self, id: &str) -> Mistake {
        let mistake = Mistake::of(&self.config.problems, format!("there is no problem `{id}`"));
        mistake.with_remedy(match nearest(id, self.ids()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("known: {}", self.ids().collect::<Vec<_>>().join(", ")),
        })
    }

    /// The groups of a problem that have points but no cases. The groups of a package are derived
    /// from its cases, so none can be without.
    pub fn groups_without_cases(
        &self,
        id: &str,
        problem: &Problem,
        cases: &[Case],
    ) -> Vec<Mistake> {
        if self.package(id).is_some() {
            return Vec::new();
        }
        groups_without_cases(&self.shown_spec_path(id), &problem.scoring, cases)
    }

    /// Parses a spec that has not been saved yet. Returns its problem and its recipes.
    ///
    /// # Errors
    /// Reports every mistake in it, at the path that the spec would have.
    pub fn draft(&self, id: &str, text: &str) -> Result<(Problem, Vec<Recipe>), Mistakes> {
        let path = self.config.problems.join(id).join(SPEC);
        let spec = problem::parse(&path, text, id, &self.config.limits, &self.languages())?;
        Ok((spec.problem, spec.recipes))
    }

    fn languages(&self) -> Vec<&str> {
        self.config
            .languages()
            .map(|language| language.id.as_str())
            .collect()
    }

    /// The example submissions of a problem, by name, with the verdicts they expect.
    ///
    /// # Errors
    /// Reports missing or contradictory expectations, and every mistake in `submissions.toml`.
    pub fn examples(&self, problem: &str) -> Result<Vec<ExampleSubmission>, Mistakes> {
        if let Some(package) = self.package(problem) {
            return Ok(package_problem::examples(&*package?, &self.config));
        }
        let Some(folder) = self
            .problems
            .get(problem)
            .map(|folder| folder.place.join("submissions"))
        else {
            return Ok(Vec::new());
        };
        if !folder.exists() {
            return Ok(Vec::new());
        }
        let (mut files, mut mistakes) = files_below(&folder, &self.config);
        files.retain(|path| {
            path.extension().is_none_or(|extension| extension != "md")
                && *path != folder.join(examples::FILE_NAME)
        });
        let examples = examples::examples(&folder, &files).unwrap_or_else(|Mistakes(found)| {
            mistakes.extend(found);
            Vec::new()
        });
        Mistakes::or(mistakes, examples)
    }
}
