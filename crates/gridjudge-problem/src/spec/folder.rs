//! Finds the problems, cases and example submissions of a judge's folder. Looks at the names and
//! kinds of files, not into cases or sources.

mod answers;
pub(super) mod cases;
pub(crate) mod examples;
mod packages;
pub(super) mod problem_folder;
pub(super) mod problem_search;
pub(crate) mod walk;

use crate::sorted::SortedMap;
use std::path::Path;
use std::sync::Arc;

use crate::mistake::{Mistake, Mistakes, suggestion};
use crate::spec::folder::problem_folder::CaseMaker;
use crate::spec::folder::problem_search::FoundProblems;
use crate::spec::{Config, ProblemSpec, problem};

use problem_folder::{ProblemFolder, SPEC};
use walk::files_below;

/// A judge's folder, with its problems found but not yet read.
#[derive(Clone, Debug)]
pub struct JudgeFolder {
    /// The settings of its `judge.toml`.
    pub config: Arc<Config>,
    /// The problems, by id.
    problems: SortedMap<String, Arc<ProblemFolder>>,
    /// The ids of the packages that were named by their paths, by path.
    named: SortedMap<String, String>,
    /// What looks like a problem and is none.
    unrecognised: Vec<Mistake>,
}

impl JudgeFolder {
    /// Reads `judge.toml` and finds the problems.
    ///
    /// # Errors
    /// Reports every mistake in `judge.toml`, problems with the same id, and a missing problem
    /// folder.
    pub fn open(root: &Path) -> Result<Self, Mistakes> {
        let config = Arc::new(Config::load(root)?);
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
        let config = Arc::new(Config::load(root)?);
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
        Self::unchecked(Arc::new(Config::usual(root)), FoundProblems::default())
    }

    /// A judge's folder for use where no `judge.toml` exists: without problems, and with the
    /// settings of the judge's user.
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
            named: SortedMap::new(),
            unrecognised: found.unrecognised,
        }
    }

    /// The same folder for `verify`: packages with mistakes are read as far as they are understood.
    #[must_use]
    pub fn reading_past_mistakes(mut self) -> Self {
        for problem in self.problems.values_mut() {
            Arc::make_mut(problem).reads_past_mistakes = true;
        }
        self
    }

    /// The same folder, with somebody who makes the cases that packages have generated; with
    /// `None`, these have no files.
    #[must_use]
    pub fn with_case_maker(mut self, maker: Option<&Arc<dyn CaseMaker>>) -> Self {
        for problem in self.problems.values_mut() {
            Arc::make_mut(problem).maker = maker.cloned();
        }
        self
    }

    /// What looks like a problem in the folder of problems and is none, with the reason.
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

    /// The id of a problem that is named by its id, or by its path if it was added by path.
    pub fn id_of<'a>(&'a self, name: &'a str) -> &'a str {
        self.named.get(name).map_or(name, String::as_str)
    }

    /// Finds a problem by its id, or by its path if it was added by path. Reads nothing.
    ///
    /// # Errors
    /// Reports an unknown id, with the nearest known one.
    pub fn find(&self, name: &str) -> Result<&Arc<ProblemFolder>, Mistakes> {
        let id = self.id_of(name);
        self.problems.get(id).ok_or_else(|| {
            let mistake = Mistake::of(&self.config.problems, format!("there is no problem `{id}`"));
            mistake
                .with_remedy(suggestion(id, self.ids(), "known: "))
                .into()
        })
    }

    /// The problems with these names, as [`JudgeFolder::find`] finds them, without unknown ones.
    pub fn known<'n>(&self, names: impl IntoIterator<Item = &'n String>) -> Vec<&ProblemFolder> {
        let found = names.into_iter().filter_map(|name| self.find(name).ok());
        found.map(|problem| &**problem).collect()
    }

    /// The problem whose folder contains a path, if any.
    pub fn problem_around(&self, path: &Path) -> Option<&Arc<ProblemFolder>> {
        let path = path.canonicalize().ok()?;
        self.problems().find(|problem| {
            let folder = problem.place.canonicalize();
            problem.archive().is_none() && folder.is_ok_and(|folder| path.starts_with(folder))
        })
    }

    /// Parses a spec that has not been saved yet.
    ///
    /// # Errors
    /// Reports every mistake in it, at the path that the spec would have.
    pub fn draft(&self, id: &str, text: &str) -> Result<ProblemSpec, Mistakes> {
        let path = self.config.problems.join(id).join(SPEC);
        problem::parse(&path, text, id, &self.config)
    }
}
