//! The arguments of `gridjudge check`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::PackageChoice;
use crate::cli::session::request::SandboxChoice;

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The problem
    #[arg(short, long, value_name = "PROBLEM")]
    pub(super) problem: String,
    #[command(flatten)]
    pub(super) format: PackageChoice,
    /// The input
    #[arg(value_name = "INPUT")]
    pub(super) input: PathBuf,
    /// The output to be judged; `-` for standard input
    #[arg(value_name = "OUTPUT")]
    pub(super) output: PathBuf,
    /// The expected answer; without it, any valid completion of grids passes
    #[arg(value_name = "ANSWER")]
    pub(super) answer: Option<PathBuf>,
    /// How strictly the checker program of a problem is isolated from the machine
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    pub(super) sandbox: SandboxChoice,
}
