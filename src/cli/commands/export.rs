//! `gridjudge export`: writes a problem as a package of another judge.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValue;

use crate::cli::args::one_of;
use crate::cli::{
    CommandOutcome, CommandResult, GlobalOptions, PackageChoice, output, screen,
};
use crate::export::{Export, ExportTarget, write_export};
use crate::text::counted;

#[derive(Args)]
pub(crate) struct ExportArgs {
    /// The problem, or the path of a package
    problem: String,
    #[command(flatten)]
    format: PackageChoice,
    /// The format of the package
    #[arg(long, value_name = "FORMAT", value_parser = one_of(&ExportTarget::ALL, possible_target))]
    to: ExportTarget,
    /// A folder that is not there yet, or an archive (`.zip`, `.kpp`)
    #[arg(value_name = "DIR|ZIP")]
    place: PathBuf,
}

fn possible_target(target: ExportTarget) -> PossibleValue {
    let help = match target {
        ExportTarget::KattisLegacy => "Kattis, and problemtools; `legacy` for short",
        ExportTarget::Kattis2025 => {
            "Kattis' problem package format of September 2025, and BAPCtools; `2025-09` for short"
        }
        ExportTarget::DomJudge => {
            "DOMjudge: with `domjudge-problem.ini`, and at the root of an archive"
        }
    };
    PossibleValue::new(target.name())
        .aliases(target.alias())
        .help(help)
}

pub(crate) fn run(arguments: &ExportArgs, common: &GlobalOptions) -> CommandResult {
    output::refuse_as_folder(&arguments.place)?;
    let folder = common.folder_with([&arguments.problem], &arguments.format)?;
    let export = Export::prepare(folder.find(&arguments.problem)?, arguments.to)?;
    write_export(&export, &arguments.place)?;
    export.notes.iter().for_each(screen::notice);
    screen::result_unless_quiet(format_args!(
        "wrote {}: {}, {}",
        arguments.place.display(),
        counted(export.file_count(), "file"),
        arguments.to.name()
    ))?;
    Ok(CommandOutcome::AsExpected)
}
