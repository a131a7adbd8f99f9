//! `gridjudge completions`: scripts that let a shell complete commands, options and their values.

use clap::Args;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::cli::CommandError;
use crate::cli::CommandOutcome;
use crate::cli::screen;

/// The recipient.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell that is to read it
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(completions: &CompletionsArgs) -> Result<CommandOutcome, CommandError> {
    let mut script = Vec::new();
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    clap_complete::generate(completions.shell, &mut command, name, &mut script);
    screen::document(&script)?;
    Ok(CommandOutcome::AsExpected)
}
