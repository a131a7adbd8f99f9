//! The options that every command takes. Uses no other file of the command line, so that all of them can use this one.

use std::path::PathBuf;

use clap::Args;
use clap::ColorChoice;

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
        if named.is_empty() { folder.ids().map(str::to_owned).collect() } else { named }
    }
}

impl GlobalOptions {
    /// Opens the judge's folder.
    pub(crate) fn folder(&self) -> Result<JudgeFolder, Mistakes> {
        JudgeFolder::open(&self.root()?)
    }

    /// The folder of `judge.toml`.
    pub(crate) fn root(&self) -> Result<PathBuf, Mistakes> {
        self.directory.clone().map_or_else(|| Config::find(&PathBuf::new()), Ok)
    }
}
