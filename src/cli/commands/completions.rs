//! `gridjudge completions`: prints scripts with which a shell completes commands, options and their
//! values.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::cli::exit::{CommandError, CommandOutcome};
use crate::cli::screen;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the completion script of a command line.
pub(crate) fn run(
    completions: &CompletionsArgs,
    mut command: Command,
) -> Result<CommandOutcome, CommandError> {
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(completions.shell, &mut command, name, &mut script);
    screen::document(&script)?;
    Ok(CommandOutcome::AsExpected)
}
