//! Parses `judge.toml` into [`Config`]. An empty file is valid.

pub(super) mod language;
pub(super) mod permissions;
pub(super) mod user_config;

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use gridjudge_sandbox::Limits;

use crate::files;
use crate::keys::{FilePlace, KeyTable};
use crate::mistake::{Mistake, Mistakes, path_remedy, quoted, read_text, suggestion};
use crate::model::Language;
use crate::package::last_part;
use crate::spec::{limits, read_limits};

use permissions::{UserConfig, real_path};

/// The most runs at once. Each needs a launcher and a user of its own, and a machine
/// has a few hundred users to spare.
pub const MOST_JOBS: u64 = 256;

/// The most bytes of a cache.
const MOST_CACHE: u64 = 16 << 30;

/// The name of the file that makes a folder a judge's folder.
pub const FILE_NAME: &str = "judge.toml";

/// The language of scripts for whichever shell their first line asks for.
const SHELL: &str = "sh";
const BASH: &str = "bash";

/// The settings of `judge.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The folder of `judge.toml`.
    pub root: PathBuf,
    /// The folder of the problems.
    pub problems: PathBuf,
    /// The folder of the cases.
    pub cases: PathBuf,
    /// Case folders of problems whose cases are not in a folder of the problem's name,
    /// by id.
    pub case_folders: BTreeMap<String, PathBuf>,
    /// Runs at once: 0 for one on each core, `None` for one on each physical core.
    pub jobs: Option<usize>,
    /// The most bytes of the cache; 0 for no cache.
    pub cache_bytes: u64,
    /// How many files and folders are read in one place at most. Only the judge's user
    /// decides this.
    pub most_files: usize,
    /// The limits for problems that set none.
    pub limits: Limits,
    /// By id. Shared by all submissions, so that a plan of many stays small.
    languages: BTreeMap<String, Arc<Language>>,
}

impl Config {
    /// The default size of the cache in bytes: enough for half a million trials.
    pub const DEFAULT_CACHE_BYTES: u64 = 1 << 30;

    /// Reads the configuration of a folder, which must contain a `judge.toml`.
    ///
    /// # Errors
    /// Reports a missing folder or file, and every mistake in the file.
    pub fn load(root: &Path) -> Result<Self, Mistakes> {
        let path = root.join(FILE_NAME);
        if !root.as_os_str().is_empty() && !root.exists() {
            let remedy = path_remedy(root, Path::is_dir)
                .unwrap_or_else(|| format!("name one that holds a `{FILE_NAME}`"));
            return Mistake::refuse(root, "there is no such folder", remedy);
        }
        let user = UserConfig::load()?;
        if path.exists() && !files::is_beneath(root, &path) {
            return Mistake::refuse(
                path,
                "is a link that leads out of its folder",
                "put the file itself in its place",
            );
        }
        let text = read_text(&path)?;
        Self::parse(root, &text, &user)
    }

    /// The configuration where there is no `judge.toml`: what the judge's user has
    /// configured.
    ///
    /// # Errors
    /// Reports every mistake in the user's own configuration.
    pub fn without_file() -> Result<Self, Mistakes> {
        Self::parse(Path::new(""), "", &UserConfig::load()?)
    }

    /// The default configuration: that of an empty `judge.toml` in this folder, and of
    /// a user who has configured nothing.
    pub fn default_in(root: &Path) -> Self {
        let user = UserConfig::built_in(None, None);
        Self::parse(root, "", &user).expect("an empty file has no mistakes")
    }

    /// The nearest folder, from `start` upwards, that contains a `judge.toml`. Nobody
    /// has named it, so it must be of the judge's user or of root.
    ///
    /// # Errors
    /// Returns a mistake that names the folder where the search began, or the file of
    /// somebody else.
    pub fn find(start: &Path) -> Result<PathBuf, Mistakes> {
        let (folder, depth) = Self::nearest(start)?;
        match UserConfig::load()?.distrust(&folder, FILE_NAME, depth > 0) {
            Some(distrusted) => Err(distrusted.into()),
            None => Ok(folder),
        }
    }

    /// Whether there is a `judge.toml`, from `start` upwards, whoever owns it.
    pub fn is_found(start: &Path) -> bool {
        Self::nearest(start).is_ok()
    }

    /// The nearest folder, from `start` upwards, that contains a `judge.toml`, and how
    /// many folders above it is.
    fn nearest(start: &Path) -> Result<(PathBuf, usize), Mistakes> {
        // Relative paths stay relative, so that messages name files as the user would.
        let absolute = std::path::absolute(files::here(start))
            .unwrap_or_else(|_| start.to_owned());
        // Any entry except a folder counts: if it is no readable file, reading it
        // reports that.
        let depth = absolute.ancestors().position(|folder| {
            let found = folder.join(FILE_NAME);
            !found.is_dir() && found.symlink_metadata().is_ok()
        });
        match depth {
            Some(0) => Ok((start.to_owned(), 0)),
            Some(depth) => {
                Ok((start.join("../".repeat(depth).trim_end_matches('/')), depth))
            }
            None => {
                let remedy = "name the folder with `-C`, create an empty `judge.toml` beside \
                              `problems` and `cases`, or name a package with a `/` (`./sum`)";
                Mistake::refuse(
                    absolute,
                    format!("there is no `{FILE_NAME}` here or in any folder above"),
                    remedy,
                )
            }
        }
    }

    /// The languages, sorted by id.
    pub fn languages(&self) -> impl Iterator<Item = &Language> {
        self.languages.values().map(AsRef::as_ref)
    }

    /// The language of a file, by its ending. An ending that is not known as it is
    /// written, such as `.CPP`, is that in lower case. A shell script may ask for
    /// another shell in its first line.
    pub fn language_of(&self, path: &Path) -> Option<&Arc<Language>> {
        let extension = path.extension()?.to_str()?;
        let language_by = |ending: &str| {
            self.languages.values().find(|language| {
                language.extensions.iter().any(|known| known == ending)
            })
        };
        let found = language_by(extension)
            .or_else(|| language_by(&extension.to_lowercase()))?;
        if found.id != SHELL {
            return Some(found);
        }
        match interpreter(path).as_deref() {
            None | Some("sh" | "dash") => Some(found),
            Some(BASH) => self.languages.get(BASH),
            Some(_) => None,
        }
    }

    /// The language of a file of a problem that is no package. There, an executable
    /// shell script is run as it is.
    pub fn language_of_own(&self, path: &Path) -> Option<&Arc<Language>> {
        self.language_of(path).filter(|language| {
            ![SHELL, BASH].contains(&language.id.as_str()) || !starts_alone(path)
        })
    }

    /// The language of this name, as a key of this judge or a code of the package
    /// formats.
    pub fn language_called(&self, name: &str) -> Option<&Arc<Language>> {
        self.languages.values().find(|language| {
            [language.id.as_str(), language.package_code()].contains(&name)
        })
    }

    /// The folder of a problem's cases.
    pub fn case_folder(&self, problem: &str) -> PathBuf {
        match self.case_folders.get(problem) {
            Some(folder) => folder.clone(),
            None => self.cases.join(problem),
        }
    }

    /// The canonical paths of the folders that links may lead into: the judge's folder,
    /// and those outside of it that `judge.toml` names. A link in the judge's folder
    /// that has the name of such a folder leads nowhere else.
    pub(crate) fn real_folders(&self) -> Vec<PathBuf> {
        let Ok(real_root) = files::here(&self.root).canonicalize() else {
            return vec![];
        };
        let outside: Vec<_> = self
            .folders_of_cases()
            .chain([&self.problems])
            .filter(|folder| {
                !folder.strip_prefix(&self.root).is_ok_and(|below| {
                    below
                        .components()
                        .all(|part| matches!(part, Component::Normal(_)))
                })
            })
            .filter_map(|folder| folder.canonicalize().ok())
            .collect();
        [vec![real_root], outside].concat()
    }

    /// The folders of cases, of which one may be in another.
    pub(crate) fn folders_of_cases(&self) -> impl Iterator<Item = &PathBuf> {
        self.case_folders.values().chain([&self.cases])
    }

    fn parse(root: &Path, text: &str, user: &UserConfig) -> Result<Self, Mistakes> {
        let table = &KeyTable::of_text(&root.join(FILE_NAME), text);
        let folder = |key, default: &str| {
            let Some(named) = table.text(key) else {
                return root.join(default);
            };
            let at = (key, table.value_place(key));
            user.checked_folder(table, at, root, root, &named)
        };
        let problems = folder("problems", "problems");
        let cases = folder("cases", "cases");
        let jobs = table
            .whole("jobs", 0, MOST_JOBS)
            .and_then(|found| usize::try_from(found).ok());
        let cache_bytes = cache_size(table).unwrap_or(Self::DEFAULT_CACHE_BYTES);
        let limits = table.table("limits");
        let limits = limits.map(|table| read_limits(&table, &limits::DEFAULT));
        let mut languages = user.languages.clone();
        if let Some(table) = table.table("languages") {
            language::merge(&mut languages, &table, Some(user));
        }
        let case_folders = table
            .table("case_folders")
            .iter()
            .flat_map(|named| {
                named.texts_by_key().into_iter().map(|(problem, folder)| {
                    let place = named.value_place(problem);
                    let at = ("case_folders", place);
                    let folder =
                        user.checked_folder(table, at, root, &cases, &folder);
                    (problem.to_owned(), folder)
                })
            })
            .collect();
        let config = Self {
            root: root.to_owned(),
            problems,
            cases,
            case_folders,
            jobs,
            cache_bytes,
            most_files: user.most_files,
            limits: limits.unwrap_or(limits::DEFAULT),
            languages: languages
                .into_iter()
                .map(|(id, language)| (id, Arc::new(language)))
                .collect(),
        };
        table.finish(config)
    }

    /// A mistake for each problem of `case_folders` that does not exist.
    pub(crate) fn unknown_problems(&self, ids: &[&str]) -> Vec<Mistake> {
        let unknown = self
            .case_folders
            .keys()
            .filter(|id| !ids.contains(&id.as_str()));
        let mistakes = unknown.map(|id| {
            Mistake::new(
                self.root.join(FILE_NAME),
                format!("[case_folders] names an unknown problem {}", quoted(id)),
                suggestion(id, ids.iter().copied(), "known: "),
            )
        });
        mistakes.collect()
    }
}

impl UserConfig {
    /// The folder that a `judge.toml` names. Notes one that it may not name: it is
    /// neither in the folder of that file, nor allowed by the judge's user. Cases are
    /// shown in reports, and commands write there.
    fn checked_folder(
        &self,
        table: &KeyTable,
        (key, at): (&str, FilePlace),
        root: &Path,
        base: &Path,
        named: &str,
    ) -> PathBuf {
        let folder = base.join(named);
        let Ok(root) = files::here(root).canonicalize() else {
            return folder;
        };
        let real = real_path(&folder);
        if !real
            .as_ref()
            .is_some_and(|real| real.starts_with(&root) || self.allows_folder(real))
        {
            let message = format!(
                "`{key}` names {}, which is outside of the judge's folder",
                quoted(named)
            );
            let shown = real.as_ref().unwrap_or(&folder);
            let remedy = format!(
                "move it into the folder of `judge.toml`, or allow it as your own \
                 user in {self}: `folders = [{shown:?}]`"
            );
            table.note_mistake(at, message, remedy);
        }
        folder
    }
}

/// Reads the size of the cache, which is the user's and not of this folder alone.
fn cache_size(table: &KeyTable) -> Option<u64> {
    let bytes = table.bytes_or_none("cache")?;
    if bytes > MOST_CACHE {
        table.refuse_key(
            "cache",
            "`cache` is more than the 16 GiB that a judge.toml may ask for",
            "choose a smaller size, for example \"1GiB\"",
        );
    }
    Some(bytes)
}

// Reads the beginnings of sources, and recognises languages that endings do not tell.
// Knows no package.

/// The most bytes of a source that are read, and of its first line.
const LONGEST_SOURCE: u64 = 1 << 20;
const LONGEST_FIRST_LINE: u64 = 200;

/// A source as text, up to 1 MiB of it. Empty if it cannot be read; compiling it will
/// report that.
pub(crate) fn read_source(source: &Path) -> String {
    files::start_of(source, LONGEST_SOURCE)
}

/// What in a source shows that it is in another language than its ending says: in
/// Python 2, which the package formats distinguish from Python 3 by the first line, or
/// in Prolog, which shares its ending with Perl.
pub(crate) fn sign_of_another_language(source: &Path) -> Option<&'static str> {
    let start = files::start_of(source, LONGEST_FIRST_LINE);
    let first = start.split('\n').next().unwrap_or_default();
    if first.starts_with("#!") && first.contains("python2") {
        return Some("its first line asks for Python 2");
    }
    // A line of Perl does not begin like a directive.
    let is_prolog = source.extension().is_some_and(|ending| ending == "pl")
        && read_source(source)
            .lines()
            .any(|line| line.starts_with(":-"));
    is_prolog.then_some("its directives (`:-`) are Prolog")
}

/// The name of the program that the first line of a script asks for, as `bash`. `None`
/// if there is no such line.
pub(crate) fn interpreter(script: &Path) -> Option<String> {
    let start = files::start_of(script, LONGEST_FIRST_LINE);
    let line = start.lines().next()?.strip_prefix("#!")?;
    let mut words = line
        .split_whitespace()
        .filter(|word| !word.starts_with('-'));
    let mut name = || words.next().map(|word| last_part(word).to_owned());
    let first = name()?;
    if first == "env" { name() } else { Some(first) }
}

/// Whether a script is executable and names its interpreter.
fn starts_alone(script: &Path) -> bool {
    files::is_executable(script) && interpreter(script).is_some()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn parse(text: &str) -> Result<Config, Vec<String>> {
        let user = UserConfig::built_in(None, None);
        Config::parse(Path::new("."), text, &user).map_err(|Mistakes(found)| {
            let shown = found.iter().map(|mistake| mistake.to_string());
            shown.map(|text| text.replacen("./", "", 1)).collect()
        })
    }

    #[test]
    fn an_empty_file_is_valid() {
        let config = parse("").unwrap();
        assert_eq!(config, Config::default_in(Path::new(".")));
        assert_eq!(
            (config.problems.to_str(), config.jobs),
            (Some("./problems"), None)
        );
        assert_eq!(config.limits.cpu, Duration::from_secs(1));
        assert_eq!(config.cache_bytes, 1 << 30);
        assert_eq!(
            config.language_of(Path::new("a/b.cpp")).unwrap().name,
            "C++"
        );
        assert_eq!(config.case_folder("x"), Path::new("./cases/x"));
    }

    #[test]
    fn every_mistake_is_listed_with_its_line() {
        let text = "job = 2\njobs = \"all\"\n\n[limits]\ntime = \"0s\"\nmemory = \"64 \
                    potatoes\"\n\n[languages.cpp]\nruns = []\n";
        assert_eq!(
            parse(text).unwrap_err(),
            [
                "judge.toml:1: unknown key `job`",
                "judge.toml:2: `jobs` must be a whole number from 0 to 256, found a text",
                "judge.toml:5: `time = \"0s\"` must be greater than zero",
                "judge.toml:6: `memory = \"64 potatoes\"` is not a size such as `64MiB` or `512KiB`",
                "judge.toml:9: unknown key `runs` in [languages.cpp]",
            ]
        );
    }

    #[test]
    fn the_cache_has_a_size_that_may_be_zero() {
        assert_eq!(parse("cache = \"1GiB\"\n").unwrap().cache_bytes, 1 << 30);
        assert_eq!(parse("cache = \"0B\"\n").unwrap().cache_bytes, 0);
        let mistake = "judge.toml:1: `cache` must be a size in quotes, for example \"256MiB\", found `false`";
        assert_eq!(parse("cache = false\n").unwrap_err(), [mistake]);
    }

    #[test]
    fn an_unset_wall_limit_is_derived_from_the_time_limit() {
        assert_eq!(
            parse("[limits]\ntime = \"4s\"\n").unwrap().limits.wall,
            Duration::from_secs(8)
        );
        assert_eq!(
            parse("[limits]\nwall = \"9s\"\n").unwrap().limits.wall,
            Duration::from_secs(9)
        );
    }

    #[test]
    fn cases_of_a_problem_may_be_in_a_folder_of_another_name() {
        let config = parse("[case_folders]\n\"poj-2676\" = \"pku/2676\"\n").unwrap();
        assert_eq!(
            config.case_folder("poj-2676"),
            Path::new("./cases/pku/2676")
        );
        let mistakes = config.unknown_problems(&["poj-2677"]);
        assert_eq!(
            mistakes[0].remedy.as_deref(),
            Some("did you mean `poj-2677`?")
        );
    }
}

#[cfg(test)]
mod source_contents_tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_script_names_its_interpreter_in_its_first_line() {
        let place = tempfile::tempdir().unwrap();
        let script = place.path().join("a.sh");
        for (text, expected) in [
            ("#!/bin/bash\necho\n", Some("bash")),
            ("#! /usr/bin/env bash\n", Some("bash")),
            ("#!/usr/bin/env -S bash -e\r\n", Some("bash")),
            ("#!/bin/sh -e", Some("sh")),
            ("#!/usr/bin/python3\n", Some("python3")),
            ("#!\n", None),
            ("\n#!/bin/bash\n", None),
            ("", None),
        ] {
            fs::write(&script, text).unwrap();
            assert_eq!(interpreter(&script).as_deref(), expected, "{text}");
        }
        assert_eq!(interpreter(Path::new("no/such/file")), None);
    }

    #[test]
    fn a_script_starts_alone_if_it_is_executable_and_names_its_interpreter() {
        let place = tempfile::tempdir().unwrap();
        let script = place.path().join("a.sh");
        for (text, mode, expected) in [
            ("#!/bin/sh\n", 0o755, true),
            ("#!/bin/sh\n", 0o644, false),
            ("echo\n", 0o755, false),
        ] {
            fs::write(&script, text).unwrap();
            fs::set_permissions(&script, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(starts_alone(&script), expected, "{text} {mode:o}");
        }
    }
}
