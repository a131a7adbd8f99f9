//! `gridjudge schema`: the published JSON Schemas, as editors and other programs want them.

use clap::Args;
use clap::ValueEnum;

use crate::cli::Ending;
use crate::cli::Stop;
use crate::cli::screen;

/// What to describe.
#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// Of what
    #[arg(value_enum)]
    of: Of,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Of {
    /// `problem.toml`
    Problem,
    /// `judge.toml`
    Judge,
    /// A line of the log
    Log,
}

pub(crate) fn run(arguments: &Schema) -> Result<Ending, Stop> {
    let schema = match arguments.of {
        Of::Problem => include_str!("../../docs/problem.schema.json"),
        Of::Judge => include_str!("../../docs/judge.schema.json"),
        Of::Log => include_str!("../../docs/log.schema.json"),
    };
    screen::document(schema.as_bytes())?;
    Ok(Ending::AsExpected)
}
