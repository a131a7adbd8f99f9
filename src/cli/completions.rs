//! `gridjudge completions`: scripts that let a shell complete commands, options and their values.

use clap::Args;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::cli::Ending;
use crate::cli::Stop;
use crate::cli::screen;

/// For whom.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell that is to read it
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(completions: &Completions) -> Result<Ending, Stop> {
    let mut script = Vec::new();
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    clap_complete::generate(completions.shell, &mut command, name, &mut script);
    screen::document(&script)?;
    Ok(Ending::AsExpected)
}
