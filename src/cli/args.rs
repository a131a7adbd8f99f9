//! The options that every command accepts, and the problem and format arguments that
//! many share. Uses no other file of the command line, so that all of them can use this
//! one.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, ColorChoice};

use crate::cli::{make_generated_cases, screen};
use crate::package::{self, CasePatterns, PackageFormat, WantedPackage};
use crate::spec::{Config, JudgeFolder, Mistake, Mistakes};

#[derive(Args, Default)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalOptions {
    /// Folder of `judge.toml` [default: the nearest parent folder with a `judge.toml`]
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(crate) directory: Option<PathBuf>,
    /// Show only what is not as expected
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Explain every submission that is not accepted, even if that is
    /// expected
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub(crate) color: ColorChoice,
}

/// How the packages that a command is about are read.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct PackageChoice {
    /// Read the named problem as a package of this format
    /// [default: detected from its files]
    #[arg(
        long = "format",
        value_name = "FORMAT",
        value_parser = one_of(&PackageFormat::ALL, possible_format)
    )]
    wanted: Option<PackageFormat>,
    /// Find the cases of the named folder by two patterns, for example
    /// `'in/*.txt,out/*.txt'`: what `*` stands for is the name of the case
    #[arg(long, value_name = "INPUTS,ANSWERS", conflicts_with = "wanted")]
    cases: Option<CasePatterns>,
}

impl PackageChoice {
    /// How to read the named problems.
    pub(crate) fn wanted(&self) -> WantedPackage {
        match (self.wanted, &self.cases) {
            (Some(format), _) => WantedPackage::Format(format),
            (None, Some(patterns)) => {
                WantedPackage::Cases(Box::new(patterns.clone()))
            }
            (None, None) => WantedPackage::Any,
        }
    }

    /// How to read the named problems, for a command that names `count` of them.
    ///
    /// # Errors
    /// If a format or cases are requested and no problem is named, and if cases are
    /// those of several.
    pub(crate) fn of_named(&self, count: usize) -> Result<WantedPackage, Mistake> {
        match (self.wanted.is_some(), self.cases.is_some(), count) {
            (true, _, 0) => Mistake::refuse(
                "--format",
                "no problem is named that could be read as a package of it",
                "name one, by its id or its path",
            ),
            (_, true, 0) => Mistake::refuse(
                "--cases",
                "no folder is named whose cases these are",
                "name it as the problem, with a `/` in its path",
            ),
            (_, true, 2..) => Mistake::refuse(
                "--cases",
                "several problems are named, and these are the cases of one",
                "name one",
            ),
            _ => Ok(self.wanted()),
        }
    }
}

/// Reads one of `all` by its name, and has the help list them as `possible` describes
/// them.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    possible: fn(T) -> PossibleValue,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().copied().map(possible)).map(move |name| {
        all.iter()
            .copied()
            .find(|&value| possible(value).matches(&name, false))
            .expect("only their names pass")
    })
}

fn possible_format(format: PackageFormat) -> PossibleValue {
    use PackageFormat::*;
    PossibleValue::new(format.name()).help(match format {
        Legacy => "Kattis, without what DOMjudge adds",
        LegacyIcpc => "the same, without points",
        Kattis2025 => "Kattis' problem package format of September 2025",
        DomJudge => "DOMjudge, with or without `problem.yaml`",
        Polygon => "Polygon (`problem.xml`)",
        Dmoj => "DMOJ (`init.yml`)",
        Oj => "cases in `test/`, as for online-judge-tools, or in the folder itself",
    })
}

/// The problems that a command is about.
#[derive(Args)]
pub(crate) struct ProblemNames {
    /// Problems [default: all]
    #[arg(value_name = "PROBLEM")]
    problems: Vec<String>,
    /// Same as the positional argument
    #[arg(short, long = "problem", conflicts_with = "problems")]
    problem: Option<String>,
}

impl ProblemNames {
    /// The problems that were named, as arguments or with `-p`.
    pub(crate) fn named(&self) -> Vec<String> {
        self.problem.iter().chain(&self.problems).cloned().collect()
    }

    /// The ids of the named problems, or of all problems if none is named.
    pub(crate) fn ids(&self, folder: &JudgeFolder) -> Vec<String> {
        let named = self.named();
        if named.is_empty() {
            folder.ids().map(str::to_owned).collect()
        } else {
            named
                .iter()
                .map(|name| folder.id_of(name).to_owned())
                .collect()
        }
    }
}

impl GlobalOptions {
    /// Opens the judge's folder.
    pub(crate) fn folder(&self) -> Result<JudgeFolder, Mistakes> {
        Ok(making_cases(JudgeFolder::open(&self.root()?)?))
    }

    /// Opens the judge's folder and adds the packages that are named by their paths.
    /// All named problems are read as the user chose. No `judge.toml` is needed if all
    /// of `named` are paths.
    ///
    /// # Errors
    /// Mistakes in the judge's folder; a named problem that is no package, or not the
    /// requested one; a choice without a named problem.
    pub(crate) fn folder_with<'a>(
        &self,
        named: impl IntoIterator<Item = &'a String>,
        choice: &PackageChoice,
    ) -> Result<JudgeFolder, Mistakes> {
        self.folder_opened_by(JudgeFolder::open_for, named, choice)
    }

    /// As [`Self::folder_with`]; `open` opens the judge's folder if all problems are
    /// named by their ids.
    ///
    /// # Errors
    /// As [`Self::folder_with`].
    pub(crate) fn folder_opened_by<'a>(
        &self,
        open: fn(&Path, &[&str]) -> Result<JudgeFolder, Mistakes>,
        named: impl IntoIterator<Item = &'a String>,
        choice: &PackageChoice,
    ) -> Result<JudgeFolder, Mistakes> {
        let (paths, ids): (Vec<_>, Vec<_>) = named
            .into_iter()
            .map(String::as_str)
            .partition(|name| is_path(name));
        let wanted = choice.of_named(paths.len() + ids.len())?;
        let root = self.root();
        let mut folder = match &root {
            Ok(root) if paths.is_empty() => open(root, &ids)?,
            Ok(root) => JudgeFolder::open_or_empty(root)?,
            Err(mistakes) if !paths.is_empty() => {
                // A `judge.toml` that was found is somebody else's and not used.
                if Config::is_found(Path::new("")) {
                    mistakes.0.iter().for_each(screen::notice);
                }
                JudgeFolder::without_config()?
            }
            Err(mistakes) => return Err(mistakes.clone()),
        };
        let mut read = vec![];
        for path in paths {
            read.push(folder.add_package(path, &wanted));
        }
        for id in ids {
            read.push(folder.read_as(id, &wanted));
        }
        Mistakes::of_all(read)?;
        Ok(making_cases(folder))
    }

    /// The folder of `judge.toml`.
    pub(crate) fn root(&self) -> Result<PathBuf, Mistakes> {
        self.directory
            .clone()
            .map_or_else(|| Config::find(&PathBuf::new()), Ok)
    }
}

/// The same folder, whose packages run their generators when they are read.
fn making_cases(folder: JudgeFolder) -> JudgeFolder {
    folder.with_case_maker(Some(make_generated_cases))
}

/// Whether a problem is named by a path, and not by its id.
pub(crate) fn is_path(name: &str) -> bool {
    name.contains('/')
        || [".", ".."].contains(&name)
        || package::is_archive(Path::new(name))
}

/// Whether an argument is the option of this name, for example `--html` or `-p`.
pub(crate) fn is_option(argument: &Arg, name: &str) -> bool {
    match name.strip_prefix("--") {
        Some(long) => argument.get_long() == Some(long),
        None => argument
            .get_short()
            .is_some_and(|short| *name == format!("-{short}")),
    }
}
