//! `gridjudge generate`: makes cases from the recipes of problems, or proves that the stored ones
//! are what the recipes make.

use clap::Args;

use crate::cli::{
    CommandResult, GenerateRequest, GlobalOptions, PackageChoice, ProblemNames, ThreadCount,
    generate,
};

#[derive(Args)]
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

pub(crate) fn run(arguments: &GenerateArgs, common: &GlobalOptions) -> CommandResult {
    let folder = common.folder_with(&arguments.problems.named(), &PackageChoice::default())?;
    let request = GenerateRequest {
        ids: arguments.problems.ids(&folder),
        check: arguments.check,
        prune: arguments.prune,
        threads: arguments.threads.clone(),
    };
    generate::run(&folder, &request)
}
