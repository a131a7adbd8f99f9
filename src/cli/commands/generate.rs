//! `gridjudge generate`: makes cases from the recipes of problems, or proves that the stored ones
//! are what the recipes make.

use clap::Args;

use crate::cli::args::{GlobalOptions, PackageChoice, ProblemNames};
use crate::cli::exit::{CommandError, CommandOutcome};
use crate::cli::session::generate;
use crate::cli::session::generate::GenerateRequest;
use crate::cli::session::judging::startup::ThreadCount;

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    problems: ProblemNames,
    /// Write nothing; show which stored cases differ from what the recipes make
    #[arg(long, conflicts_with = "prune")]
    check: bool,
    /// Delete generated cases that no recipe makes any more
    #[arg(long)]
    prune: bool,
    #[command(flatten)]
    threads: ThreadCount,
}

pub(crate) fn run(
    arguments: &GenerateArgs,
    common: &GlobalOptions,
) -> Result<CommandOutcome, CommandError> {
    let folder = common.folder_with(&arguments.problems.named(), &PackageChoice::default())?;
    let request = GenerateRequest {
        ids: arguments.problems.ids(&folder),
        check: arguments.check,
        prune: arguments.prune,
        threads: arguments.threads.clone(),
    };
    generate::run(&folder, &request, common)
}
