//! `gridjudge baseline`: saves the verdicts, times and memory of programs, in a file
//! that belongs beside their sources.

use std::path::{Path, PathBuf};

use clap::Args;
use gridjudge_sandbox::Fault;

use crate::cli::{
    CommandError, CommandOutcome, CommandResult, StatusLine, log_file, output, screen,
};
use crate::compare::{self, Baseline, Comparison, ListedChanges};
use crate::files::without_links;
use crate::spec::{Mistake, Mistakes};
use crate::text::counted;

#[derive(Args)]
pub(crate) struct BaselineArgs {
    /// Logs of `grade --repeat 10`; several, made at different times, show how much
    /// runs differ
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,
    /// Write to FILE [default: standard output, `-`]. Cases that have not changed
    /// beyond noise keep their lines in it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Rewrite every line, and drop cases that are not in the logs
    #[arg(long)]
    fresh: bool,
}

/// The first bytes of every baseline, of any version.
const START: &str = "gridjudge baseline ";

pub(crate) fn run(save: &BaselineArgs) -> CommandResult {
    refuse_twice(&save.logs)?;
    let mut now = Baseline::default();
    for log in &save.logs {
        let next = log_file::read_baseline(log)?;
        refuse_another_machine(log, &next, &now, "the logs before it are")?;
        now.join(next);
    }
    if now.is_empty() {
        let mistake =
            Mistake::about_file(&save.logs[0], "holds no case that was judged");
        return Err(mistake.into());
    }
    let Some(path) = save
        .output
        .as_deref()
        .filter(|path| !output::is_stdout(path))
    else {
        screen::result(compare::to_text(&now).trim_end())?;
        return Ok(CommandOutcome::AsExpected);
    };
    let message = "is not a baseline, and the new baseline would overwrite it";
    output::refuse_unlike(path, START, message)?;
    let is_update = !save.fresh
        && path
            .metadata()
            .is_ok_and(|found| found.is_file() && found.len() > 0);
    let new = if is_update { updated(path, now)? } else { now };
    output::write_file(path, compare::to_text(&new))
        .map_err(Fault::at("writing", path))?;
    screen::result_unless_quiet(format_args!(
        "{}: {}",
        path.display(),
        counted(new.len(), "case")
    ))?;
    Ok(CommandOutcome::AsExpected)
}

/// Refuses a log that is named twice: counted twice, its times would look steadier than
/// they are.
fn refuse_twice(logs: &[PathBuf]) -> Result<(), Mistakes> {
    let mistakes = (1..logs.len())
        .filter(|place| {
            logs[..*place]
                .iter()
                .any(|before| without_links(before) == without_links(&logs[*place]))
        })
        .map(|place| Mistake::about_file(&logs[place], "appears twice"));
    Mistakes::or(mistakes, ())
}

/// Refuses to combine times of two machines: together they mean nothing.
fn refuse_another_machine(
    path: &Path,
    one: &Baseline,
    other: &Baseline,
    whose: &str,
) -> Result<(), Mistakes> {
    if one.is_of_the_machine_of(other) {
        return Ok(());
    }
    let message = format!(
        "is of {}, and {whose} of {}",
        one.machines(),
        other.machines()
    );
    let remedy = "keep a baseline for each machine; `--fresh` starts a new one";
    Mistake::refuse(path, message, remedy)
}

/// The baseline in a file with its outdated lines replaced. Prints a table of the
/// changes.
fn updated(path: &Path, now: Baseline) -> Result<Baseline, CommandError> {
    let was = log_file::read_baseline(path)?;
    refuse_another_machine(path, &was, &now, "the log is")?;
    let status = StatusLine::start("comparing");
    let compared = Comparison::between(&was, &now, true);
    drop(status);
    Ok(match compared {
        Ok(comparison) => {
            if !screen::is_quiet() && !comparison.changes.is_empty() {
                let room = screen::width();
                let table = compare::comparison_table(
                    &comparison,
                    ListedChanges::First,
                    room,
                    |_| false,
                );
                screen::result(table.trim_end())?;
            }
            was.updated(now, &comparison)
        }
        // The logs have no cases in common with the file: they are added to it.
        Err(_) => was.updated(now, &Comparison::default()),
    })
}
