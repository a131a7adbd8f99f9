//! `gridjudge man` and `gridjudge schema`: print what gridjudge says of itself, the
//! manual, a page for each command from the texts of `--help`, and the JSON Schemas of
//! its files.

use std::fs;
use std::path::PathBuf;

use clap::{Args, Command, ValueEnum};
use clap_mangen::Man;
use gridjudge_sandbox::Fault;

use crate::cli::{CommandOutcome, CommandResult, output, screen};
use crate::mistake::suggestion;
use crate::spec::Mistake;

#[derive(Args)]
pub(crate) struct ManArgs {
    /// Print the page of this command [default: the page of gridjudge itself]
    #[arg(conflicts_with = "output")]
    command: Option<String>,
    /// Write every page into this folder, for example `DIR/gridjudge-grade.1`
    #[arg(short, long, alias = "out", value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Prints a page of the manual of a command line, or writes all of them.
pub(crate) fn print_manual(manual: &ManArgs, whole: Command) -> CommandResult {
    let mut whole = whole.disable_help_subcommand(true);
    whole.build();
    match (&manual.output, &manual.command) {
        (Some(folder), _) => {
            output::refuse_leading_out(folder)?;
            fs::create_dir_all(folder).map_err(Fault::at("writing", folder))?;
            for command in [&whole].into_iter().chain(whole.get_subcommands()) {
                let path = folder.join(Man::new(command.clone()).get_filename());
                output::write_file(&path, page(command)?)
                    .map_err(Fault::at("writing", &path))?;
                screen::result(format_args!("wrote {}", path.display()))?;
            }
        }
        (None, None) => screen::document(&page(&whole)?)?,
        (None, Some(name)) => {
            let command = whole.find_subcommand(name).ok_or_else(|| {
                let names = whole.get_subcommands().map(Command::get_name);
                let remedy = suggestion(name, names, "known: ");
                Mistake::new(name, "is not a command of gridjudge", remedy)
            })?;
            screen::document(&page(command)?)?;
        }
    }
    Ok(CommandOutcome::AsExpected)
}

/// A page as roff.
fn page(command: &Command) -> Result<Vec<u8>, Fault> {
    let man = Man::new(command.clone()).manual("gridjudge");
    let mut text = vec![];
    man.render(&mut text)
        .map_err(Fault::during("making a page of the manual"))?;
    Ok(text)
}

#[derive(Args)]
pub(crate) struct SchemaArgs {
    /// The file to describe
    #[arg(value_enum, value_name = "FILE")]
    of: SchemaKind,
}

#[derive(Clone, ValueEnum)]
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

pub(crate) fn print_schema(arguments: &SchemaArgs) -> CommandResult {
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
