//! The options of `stress`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::cli::{PackageChoice, RunCount, SandboxChoice};
use crate::spec::duration;

#[derive(Clone, Args)]
pub(crate) struct StressArgs {
    /// The program: a source, or an executable
    pub(super) submission: PathBuf,
    /// The problem [default: the one in whose folder the submission is, or that it is named after]
    #[arg(short, long)]
    pub(super) problem: Option<String>,
    #[command(flatten)]
    pub(super) format: PackageChoice,
    /// Look for inputs on which the two programs get different verdicts
    #[arg(long, value_name = "SUBMISSION")]
    pub(super) against: Option<PathBuf>,
    /// The program that writes inputs, for a problem that is not of grids: a source, or an
    /// executable
    #[arg(long, value_name = "PROGRAM", conflicts_with = "input")]
    pub(super) generator: Option<PathBuf>,
    /// Arguments of the generator, in one string that is split at blanks; `{seed}` and `{size}`
    /// differ for each input [default: {seed}]
    #[arg(long, value_name = "TEXT", requires = "generator")]
    pub(super) arguments: Option<String>,
    /// The program whose outputs are the answers, for a problem that is not of grids [default: its
    /// model solution]
    #[arg(long, value_name = "PROGRAM")]
    pub(super) solution: Option<PathBuf>,
    #[command(flatten)]
    pub(super) jobs: RunCount,
    /// How long to look for a failure
    #[arg(long, default_value = "60s", value_parser = duration)]
    pub(super) time: Duration,
    /// How many inputs to run at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) runs: Option<u64>,
    /// Seed: the same number gives the same inputs [default: a random one, which is shown]
    #[arg(long, value_name = "N", conflicts_with = "input")]
    pub(super) seed: Option<u64>,
    /// Run this input in place of random ones, and shrink it if it fails
    #[arg(long, alias = "case", value_name = "FILE")]
    pub(super) input: Option<PathBuf>,
    /// Keep the input as it was found; with `--input`, only show how it fails
    #[arg(long)]
    pub(super) no_shrink: bool,
    /// How many runs to spend on shrinking at most
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5000,
        conflicts_with = "no_shrink"
    )]
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
