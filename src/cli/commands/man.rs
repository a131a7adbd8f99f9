//! `gridjudge man`: prints the manual, a page for each command, made from the texts of `--help`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;
use gridjudge_sandbox::Fault;

use crate::cli::{CommandOutcome, CommandResult, output, screen};
use crate::mistake::suggestion;
use crate::spec::{Mistake, Mistakes};

#[derive(Args)]
pub(crate) struct ManArgs {
    /// Print the page of this command [default: the page of gridjudge itself]
    #[arg(conflicts_with = "output")]
    command: Option<String>,
    /// Write every page into this folder, as `DIR/gridjudge-grade.1`
    #[arg(short, long, alias = "out", value_name = "DIR")]
    output: Option<PathBuf>,
}

/// A page as roff, and the name of its file.
struct ManPage {
    file: String,
    text: Vec<u8>,
}

/// Prints a page of the manual of a command line, or writes all of them.
pub(crate) fn run(manual: &ManArgs, whole: Command) -> CommandResult {
    let mut whole = whole.disable_help_subcommand(true);
    whole.build();
    match (&manual.output, &manual.command) {
        (Some(folder), _) => {
            output::refuse_leading_out(folder)?;
            write_all(&whole, folder)?;
        }
        (None, None) => screen::document(&page(&whole)?.text)?,
        (None, Some(name)) => screen::document(&page(named(&whole, name)?)?.text)?,
    }
    Ok(CommandOutcome::AsExpected)
}

fn named<'c>(whole: &'c Command, name: &str) -> Result<&'c Command, Mistakes> {
    whole.find_subcommand(name).ok_or_else(|| {
        let mistake = Mistake::of(name, "is not a command of gridjudge");
        let names = whole.get_subcommands().map(Command::get_name);
        mistake
            .with_remedy(suggestion(name, names, "known: "))
            .into()
    })
}

fn write_all(whole: &Command, folder: &Path) -> Result<(), Fault> {
    fs::create_dir_all(folder).map_err(Fault::at("writing", folder))?;
    for command in [whole].into_iter().chain(whole.get_subcommands()) {
        let ManPage { file, text } = page(command)?;
        let path = folder.join(file);
        output::write(&path, text).map_err(Fault::at("writing", &path))?;
        screen::result(format_args!("wrote {}", path.display()))?;
    }
    Ok(())
}

fn page(command: &Command) -> Result<ManPage, Fault> {
    let man = Man::new(command.clone()).manual("gridjudge");
    let mut text = Vec::new();
    man.render(&mut text)
        .map_err(Fault::during("making a page of the manual"))?;
    Ok(ManPage {
        file: man.get_filename(),
        text,
    })
}
