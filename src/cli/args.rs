//! The options that every command takes. Uses no other file of the command line, so that all of them can use this one.

use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use clap::ColorChoice;

use crate::package;
use crate::spec::Config;
use crate::spec::JudgeFolder;
use crate::spec::Mistakes;

/// The heading in help above the options that every command takes.
const HEADING: &str = "Global options";

#[derive(Debug, Args)]
pub(crate) struct GlobalOptions {
    /// Folder of `judge.toml` [default: the nearest one upwards]
    #[arg(short = 'C', value_name = "DIR", global = true, help_heading = HEADING)]
    pub(crate) directory: Option<PathBuf>,
    /// Only what is not as expected
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = HEADING)]
    pub(crate) quiet: bool,
    /// Every finding of every submission that is not accepted
    #[arg(short, long, global = true, help_heading = HEADING)]
    pub(crate) verbose: bool,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, help_heading = HEADING)]
    pub(crate) color: ColorChoice,
}

/// The problems that a command is about.
#[derive(Debug, Args)]
pub(crate) struct ProblemNames {
    /// Problems [default: all]
    #[arg(value_name = "PROBLEM")]
    problems: Vec<String>,
    /// Same as the positional argument
    #[arg(short, long = "problem", value_name = "PROBLEM", conflicts_with = "problems")]
    problem: Option<String>,
}

impl ProblemNames {
    /// Those that were named, in one way or the other.
    pub(crate) fn named(&self) -> Vec<String> {
        self.problem.iter().chain(&self.problems).cloned().collect()
    }

    /// Those, or all.
    pub(crate) fn ids(&self, folder: &JudgeFolder) -> Vec<String> {
        let named = self.named();
        match named.is_empty() {
            true => folder.ids().map(str::to_owned).collect(),
            false => named.iter().map(|name| folder.id_of(name).to_owned()).collect(),
        }
    }
}

impl GlobalOptions {
    /// Opens the judge's folder.
    pub(crate) fn folder(&self) -> Result<JudgeFolder, Mistakes> {
        JudgeFolder::open(&self.root()?)
    }

    /// The same with the packages that were named by their paths. For these alone no `judge.toml` is needed.
    pub(crate) fn folder_with<'a>(
        &self,
        named: impl IntoIterator<Item = &'a String>,
    ) -> Result<JudgeFolder, Mistakes> {
        let paths: Vec<_> = named.into_iter().filter(|name| is_path(name)).collect();
        let mut folder = match self.root() {
            Ok(root) if paths.is_empty() => return JudgeFolder::open(&root),
            Ok(root) => JudgeFolder::open_to_begin(&root)?,
            Err(_) if !paths.is_empty() => JudgeFolder::without_config(),
            Err(mistakes) => return Err(mistakes),
        };
        let added = paths.into_iter().filter_map(|path| folder.add_package(path).err());
        let mistakes: Vec<_> = added.flat_map(|Mistakes(found)| found).collect();
        if mistakes.is_empty() { Ok(folder) } else { Err(Mistakes(mistakes)) }
    }

    /// The folder of `judge.toml`.
    pub(crate) fn root(&self) -> Result<PathBuf, Mistakes> {
        self.directory.clone().map_or_else(|| Config::find(&PathBuf::new()), Ok)
    }
}

/// Whether a problem is named by a path, and not by its id.
pub(crate) fn is_path(name: &str) -> bool {
    name.contains('/') || [".", ".."].contains(&name) || package::is_archive(Path::new(name))
}
