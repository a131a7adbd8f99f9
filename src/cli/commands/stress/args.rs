//! What `stress` is asked for: its options, and the programs, cases and folder that they stand for. Runs nothing.

use std::hash::BuildHasher;
use std::hash::Hasher;
use std::hash::RandomState;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::authoring;
use crate::cli::args::GlobalOptions;
use crate::cli::bounded;
use crate::cli::commands::stress::place::FailureFolder;
use crate::cli::session::request::SandboxChoice;
use crate::cli::session::selection;
use crate::cli::session::startup::jobs;
use crate::model::Case;
use crate::model::Recipe;
use crate::run::PlanEntry;
use crate::spec::AnswerRequirement;
use crate::spec::Mistakes;
use crate::spec::duration;

#[derive(Clone, Debug, Args)]
pub(crate) struct StressArgs {
    /// The program: a source, or an executable
    #[arg(value_name = "SUBMISSION")]
    pub(super) submission: PathBuf,
    /// The problem [default: the one in whose folder the submission lies, or that it is named after]
    #[arg(short, long, value_name = "PROBLEM")]
    pub(super) problem: Option<String>,
    /// Look for inputs on which the two programs get different verdicts
    #[arg(long, value_name = "SUBMISSION")]
    pub(super) against: Option<PathBuf>,
    /// Runs at once; 0 for one on each core [default: 0]
    #[arg(short, long, value_name = "N", value_parser = jobs())]
    pub(super) jobs: Option<usize>,
    /// How long to look for a failure
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub(super) time: Duration,
    /// How many inputs to run at most
    #[arg(long, value_name = "N")]
    pub(super) runs: Option<u64>,
    /// Seed: the same number gives the same inputs [default: a random one, which is shown]
    #[arg(long, value_name = "N", conflicts_with = "case")]
    pub(super) seed: Option<u64>,
    /// Run this input in place of random ones, and shrink it if it fails
    #[arg(long, value_name = "FILE")]
    pub(super) case: Option<PathBuf>,
    /// Keep the input as it was found; with `--case`, only show how it fails
    #[arg(long)]
    pub(super) no_shrink: bool,
    /// How many runs to spend on shrinking at most
    #[arg(long, value_name = "N", default_value_t = 5000, conflicts_with = "no_shrink")]
    pub(super) shrink_runs: u64,
    /// How long to shrink at most
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration, conflicts_with = "no_shrink")]
    pub(super) shrink_time: Duration,
    /// Folder for the input that fails; `stress/<problem>/<submission>-<seed>` if none is given
    #[arg(short, long, value_name = "DIR")]
    pub(super) output: Option<PathBuf>,
    /// How strictly programs are isolated from the machine
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    pub(super) sandbox: SandboxChoice,
}

/// What is to be run, before anything is.
pub(super) struct StressRequest {
    pub(super) entry: PlanEntry,
    pub(super) against: Option<PlanEntry>,
    pub(super) recipes: Vec<Recipe>,
    /// The problem's cases.
    pub(super) stored: Vec<Case>,
    pub(super) seed: u64,
    pub(super) place: FailureFolder,
    /// The input of `--case`.
    pub(super) brought: Option<Vec<u8>>,
    /// Whether anything may be kept for the next time.
    pub(super) has_cache: bool,
}

impl StressRequest {
    pub(super) fn of(stress: &StressArgs, common: &GlobalOptions) -> Result<Self, Mistakes> {
        let folder = common.folder_with(&stress.problem)?;
        let (entry, recipes) =
            selection::submission_alone(&folder, &stress.submission, stress.problem.as_deref())?;
        // Before a sandbox is started: what cannot be done needs none.
        authoring::grids_of(&entry.problem, "stress")?;
        let id = &entry.problem.id;
        let against =
            stress.against.as_deref().map(|path| selection::submission_alone(&folder, path, Some(id)));
        let against = against.transpose()?.map(|(entry, _)| entry);
        let seed = stress.seed.unwrap_or_else(any_seed);
        let name = match &stress.case {
            Some(case) => format!("{}-{}", stem(&stress.submission), stem(case)),
            None => format!("{}-{seed}", stem(&stress.submission)),
        };
        let place = match &stress.output {
            Some(folder) => FailureFolder::given(folder, name)?,
            None => FailureFolder::usual(&folder.config.root.join("stress").join(id), name),
        };
        let brought = stress.case.as_deref().map(bounded::read);
        // Inputs are made without them as well, only more slowly.
        let stored = folder.cases(id, AnswerRequirement::Optional).unwrap_or_default();
        let has_cache = folder.config.cache_bytes > 0;
        Ok(Self { against, recipes, stored, seed, place, brought: brought.transpose()?, has_cache, entry })
    }
}

/// A seed that people can type.
fn any_seed() -> u64 {
    // The standard library draws the keys of its tables by chance, once for each of these.
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

/// The name of a file without its ending, as part of another file's name.
fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let plain =
        |letter: char| if letter.is_ascii_alphanumeric() || "-_".contains(letter) { letter } else { '_' };
    stem.chars().map(plain).collect()
}
