//! A judge's folder: which problems, cases and example submissions are in it. Looks at names and kinds of files,
//! not into cases or sources.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;
use std::path::PathBuf;

use walkdir::WalkDir;

use crate::model::Case;
use crate::model::Problem;
use crate::model::Recipe;
use crate::spec::config::Config;
use crate::spec::mistake::Mistake;
use crate::spec::mistake::Mistakes;
use crate::spec::mistake::nearest;
use crate::spec::problem;
use crate::spec::promise;
use crate::spec::promise::Example;

/// The file that makes a folder a problem.
pub const SPEC: &str = "problem.toml";

/// A judge's folder, with its problems found but not yet read.
#[derive(Clone, Debug)]
pub struct Folder {
    /// What its `judge.toml` says.
    pub config: Config,
    /// The folder of each problem, by the problem's id.
    problems: BTreeMap<String, PathBuf>,
}

impl Folder {
    /// Reads `judge.toml` and finds the problems.
    ///
    /// # Errors
    /// Every mistake in `judge.toml`; problems of the same name; a missing problem folder.
    pub fn open(root: &Path) -> Result<Self, Mistakes> {
        let config = Config::load(root)?;
        let (problems, mut mistakes) = find_problems(&config.problems);
        if problems.is_empty() && mistakes.is_empty() {
            let message = format!("there is no problem here (no `{SPEC}` in any folder)");
            let mistake = Mistake::of(&config.problems, message);
            mistakes.push(mistake.with_remedy("begin one with `gridjudge new ID`"));
        }
        Self::with(config, problems, mistakes)
    }

    /// The same for a folder in which there may be no problem yet, nor the folder for them.
    ///
    /// # Errors
    /// As [`Folder::open`].
    pub fn open_to_begin(root: &Path) -> Result<Self, Mistakes> {
        let config = Config::load(root)?;
        let is_there = config.problems.symlink_metadata().is_ok();
        let (problems, mistakes) =
            if is_there { find_problems(&config.problems) } else { Default::default() };
        Self::with(config, problems, mistakes)
    }

    fn with(
        config: Config,
        problems: BTreeMap<String, PathBuf>,
        mut mistakes: Vec<Mistake>,
    ) -> Result<Self, Mistakes> {
        let ids: Vec<_> = problems.keys().map(String::as_str).collect();
        mistakes.extend(config.unknown_problems(&ids));
        Mistakes::or(mistakes, Self { config, problems })
    }

    /// The ids of all problems, sorted.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.problems.keys().map(String::as_str)
    }

    /// The problem that a path lies in, if it lies in one.
    pub fn problem_around(&self, path: &Path) -> Option<&str> {
        let path = path.canonicalize().ok()?;
        let inside = |folder: &Path| folder.canonicalize().is_ok_and(|folder| path.starts_with(folder));
        self.problems.iter().find(|(_, folder)| inside(folder)).map(|(id, _)| id.as_str())
    }

    /// Reads one problem.
    ///
    /// # Errors
    /// An unknown id, with the nearest one; every mistake in the problem's spec.
    pub fn problem(&self, id: &str) -> Result<Problem, Mistakes> {
        Ok(self.problem_with_recipes(id)?.0)
    }

    /// The spec of a problem.
    pub fn spec_of(&self, id: &str) -> Option<PathBuf> {
        self.problems.get(id).map(|folder| folder.join(SPEC))
    }

    /// Reads one problem and the recipes for its cases.
    ///
    /// # Errors
    /// As [`Folder::problem`].
    pub fn problem_with_recipes(&self, id: &str) -> Result<(Problem, Vec<Recipe>), Mistakes> {
        match self.spec_of(id) {
            Some(spec) => problem::load(&spec, id, &self.config.limits, &self.languages()),
            None => {
                let mistake = Mistake::of(&self.config.problems, format!("there is no problem `{id}`"));
                Err(match nearest(id, self.ids()) {
                    Some(meant) => mistake.with_remedy(format!("did you mean `{meant}`?")),
                    None => {
                        mistake.with_remedy(format!("known: {}", self.ids().collect::<Vec<_>>().join(", ")))
                    }
                }
                .into())
            }
        }
    }

    /// What a spec would say that nobody has saved yet.
    ///
    /// # Errors
    /// Every mistake in it, with the path that it would have.
    pub fn draft(&self, id: &str, text: &str) -> Result<Problem, Mistakes> {
        let path = self.config.problems.join(id).join(SPEC);
        Ok(problem::parse(&path, text, id, &self.config.limits, &self.languages())?.0)
    }

    fn languages(&self) -> Vec<&str> {
        self.config.languages().map(|language| language.id.as_str()).collect()
    }

    /// The cases of a problem: samples first, then by name.
    ///
    /// # Errors
    /// Inputs without answer, unless `answers` says that they may be missing; answers without input; other files;
    /// no case at all.
    pub fn cases(&self, problem: &str, answers: Answers) -> Result<Vec<Case>, Mistakes> {
        let folder = self.config.case_folder(problem);
        // A folder that is not there yet holds no cases, like an empty one.
        let (files, mut mistakes) =
            if folder.symlink_metadata().is_ok() { files_below(&folder) } else { Default::default() };
        let has = |path: &Path| files.binary_search_by(|file| file.as_path().cmp(path)).is_ok();
        let mut cases = Vec::new();
        for file in &files {
            match file.extension().and_then(|extension| extension.to_str()) {
                Some("in") => {
                    let answer = file.with_extension("ans");
                    if !has(&answer) && answers == Answers::Required {
                        let remedy = format!("write it with `gridjudge answers {problem}`");
                        mistakes
                            .push(Mistake::of(file, "the case has no answer beside it").with_remedy(remedy));
                    }
                    cases.push(Case { name: case_name(&folder, file), input: file.clone(), answer });
                }
                Some("ans") if has(&file.with_extension("in")) => {}
                Some("ans") => mistakes.push(Mistake::of(file, "the answer has no case (`.in`) beside it")),
                Some("md") => {}
                _ => {
                    let remedy = "cases are `.in` and `.ans`, notes are `.md`";
                    mistakes.push(Mistake::of(file, "is not a file of a case").with_remedy(remedy));
                }
            }
        }
        if cases.is_empty() && mistakes.is_empty() {
            let remedy = "put the first one into `sample/001-first.in`";
            mistakes
                .push(Mistake::of(&folder, format!("problem `{problem}` has no cases")).with_remedy(remedy));
        }
        cases.sort_by(|one, other| case_order(&one.name).cmp(&case_order(&other.name)));
        Mistakes::or(mistakes, cases)
    }

    /// The example submissions of a problem, by name, with what they promise.
    ///
    /// # Errors
    /// Submissions that promise no verdict, or contradict themselves; every mistake in `submissions.toml`.
    pub fn examples(&self, problem: &str) -> Result<Vec<Example>, Mistakes> {
        let Some(folder) = self.problems.get(problem).map(|folder| folder.join("submissions")) else {
            return Ok(Vec::new());
        };
        if !folder.exists() {
            return Ok(Vec::new());
        }
        let (mut files, mut mistakes) = files_below(&folder);
        let is_note = |path: &Path| path.extension().is_some_and(|extension| extension == "md");
        files.retain(|path| !is_note(path) && *path != folder.join(promise::FILE_NAME));
        let examples = promise::examples(&folder, &files).unwrap_or_else(|Mistakes(found)| {
            mistakes.extend(found);
            Vec::new()
        });
        Mistakes::or(mistakes, examples)
    }
}

/// Whether cases may lack their answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// They may not.
    Required,
    /// They may.
    Optional,
}

fn find_problems(root: &Path) -> (BTreeMap<String, PathBuf>, Vec<Mistake>) {
    let (files, mut mistakes) = files_below(root);
    let mut problems = BTreeMap::new();
    for spec in files.iter().filter(|file| file.file_name().is_some_and(|name| name == SPEC)) {
        let folder = spec.parent().unwrap_or(root);
        let id = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(other) = problems.insert(id.clone(), folder.to_owned()) {
            let message = format!("problem `{id}` is also in {}", other.display());
            mistakes.push(Mistake::of(folder, message).with_remedy("rename one of the two folders"));
        }
    }
    (problems, mistakes)
}

/// All files below a folder, sorted, hidden ones left out.
fn files_below(root: &Path) -> (Vec<PathBuf>, Vec<Mistake>) {
    let is_hidden =
        |entry: &walkdir::DirEntry| entry.depth() > 0 && entry.file_name().as_encoded_bytes()[0] == b'.';
    let mut files = Vec::new();
    let mut mistakes = Vec::new();
    for entry in WalkDir::new(root).follow_links(true).into_iter().filter_entry(|entry| !is_hidden(entry)) {
        match entry {
            Ok(entry) if entry.file_type().is_file() => files.push(entry.into_path()),
            Ok(entry) if entry.file_type().is_dir() => {}
            Ok(entry) => mistakes.push(Mistake::of(entry.path(), "is neither a file nor a folder")),
            Err(error) => mistakes.push(not_found(root, &error)),
        }
    }
    files.sort();
    (files, mistakes)
}

fn not_found(root: &Path, error: &walkdir::Error) -> Mistake {
    let path = error.path().unwrap_or(root);
    if let Some(above) = error.loop_ancestor() {
        let message = format!("the link leads in a circle, back to {}", above.display());
        return Mistake::of(path, message).with_remedy("delete the link");
    }
    if path == root && error.io_error().is_some_and(|error| error.kind() == ErrorKind::NotFound) {
        let remedy =
            "make it, name another one in judge.toml, or name the folder of another judge.toml with `-C`";
        return Mistake::of(path, "there is no such folder").with_remedy(remedy);
    }
    let why = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    Mistake::of(path, format!("cannot be read: {why}"))
}

fn case_name(folder: &Path, file: &Path) -> String {
    file.strip_prefix(folder).unwrap_or(file).with_extension("").to_string_lossy().into_owned()
}

/// Samples first, the rest by name.
fn case_order(name: &str) -> (bool, &str) {
    (!name.starts_with("sample/"), name)
}
