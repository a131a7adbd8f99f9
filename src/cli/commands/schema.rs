//! `gridjudge schema`: prints the published JSON Schemas, for editors and other programs.

use clap::{Args, ValueEnum};

use crate::cli::{CommandOutcome, CommandResult, screen};

#[derive(Args)]
pub(crate) struct SchemaArgs {
    /// The file to describe
    #[arg(value_enum, value_name = "FILE")]
    of: SchemaKind,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SchemaKind {
    /// `problem.toml`
    Problem,
    /// `judge.toml`
    Judge,
    /// `contest.toml`
    Contest,
    /// `course.toml`
    Course,
    /// A line of the log
    Log,
}

pub(crate) fn run(arguments: &SchemaArgs) -> CommandResult {
    let schema = match arguments.of {
        SchemaKind::Problem => include_str!("../../../docs/problem.schema.json"),
        SchemaKind::Judge => include_str!("../../../docs/judge.schema.json"),
        SchemaKind::Contest => include_str!("../../../docs/contest.schema.json"),
        SchemaKind::Course => include_str!("../../../docs/course.schema.json"),
        SchemaKind::Log => include_str!("../../../docs/log.schema.json"),
    };
    screen::document(schema.as_bytes())?;
    Ok(CommandOutcome::AsExpected)
}
