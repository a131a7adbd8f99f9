//! `gridjudge baseline` and `gridjudge compare`: save the verdicts, times and memory of
//! programs, in a file that belongs beside their sources, and show what has changed
//! since.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;
use gridjudge_sandbox::Fault;

use crate::cli::{
    CommandError, CommandOutcome, CommandResult, ComparePolicy, StatusLine, log_file,
    output, report_options, screen,
};
use crate::compare::{self, Baseline, Comparison};
use crate::files::without_links;
use crate::report::Verbosity;
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

pub(crate) fn save(save: &BaselineArgs) -> CommandResult {
    // Counted twice, the times of a log would look steadier than they are.
    let logs = &save.logs;
    let mut known = HashSet::new();
    let mistakes = logs
        .iter()
        .filter(|log| !known.insert(without_links(log)))
        .map(|log| Mistake::about_file(log, "appears twice"));
    Mistakes::refuse(mistakes)?;
    let mut now = Baseline::default();
    for log in logs {
        let next = log_file::read_baseline(log)?;
        refuse_another_machine(log, &next, &now, "the logs before it are")?;
        now.join(next);
    }
    if now.is_empty() {
        let mistake = Mistake::about_file(&logs[0], "holds no case that was judged");
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
    write(path, &compare::to_text(&new))?;
    screen::result_unless_quiet(format_args!(
        "{}: {}",
        path.display(),
        counted(new.len(), "case")
    ))?;
    Ok(CommandOutcome::AsExpected)
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
    // Logs that have no cases in common with the file are added to it.
    let comparison = Comparison::between(&was, &now, true).unwrap_or_default();
    drop(status);
    if !screen::is_quiet() && !comparison.changes.is_empty() {
        let room = screen::width();
        let shown = Verbosity::Normal;
        let table = compare::comparison_table(&comparison, shown, room, |_| false);
        screen::result(table.trim_end())?;
    }
    Ok(was.updated(now, &comparison))
}

#[derive(Args)]
pub(crate) struct CompareArgs {
    /// Baseline or log to compare with; `-` for standard input
    #[arg(value_name = "BASELINE")]
    was: PathBuf,
    /// Log or baseline that is compared with it
    #[arg(value_name = "LOG")]
    now: PathBuf,
    #[command(flatten)]
    terms: ComparePolicy,
    /// Write the comparison to FILE as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the comparison to FILE as Markdown, for a pull request
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

pub(crate) fn show_changes(request: &CompareArgs) -> CommandResult {
    let json = request.json.as_deref();
    let markdown = request.markdown.as_deref();
    let outputs = [(json, r#"{"submissions":"#), (markdown, "**gridjudge**:")];
    let named = outputs
        .iter()
        .filter_map(|(path, start)| Some(((*path)?, start)));
    let paths: Vec<_> = named.clone().map(|(path, _)| path).collect();
    report_options::check_apart(&paths)?;
    for (path, start) in named {
        let message =
            "is not a comparison, and the new comparison would overwrite it";
        output::refuse_unlike(path, start, message)?;
    }
    let read = [&request.was, &request.now].map(|path| log_file::read_baseline(path));
    let was_and_now = Mistakes::of_all(read)?;
    screen::take_stdout(paths.into_iter().any(output::is_stdout));
    let terms = &request.terms;
    let found = terms.compare(&was_and_now[0], &was_and_now[1], &request.was)?;
    let ending = terms.show(&found)?;
    if let Some(path) = json {
        let text =
            serde_json::to_string(&found).map_err(Fault::during("writing JSON"))?;
        write(path, &(text + "\n"))?;
    }
    if let Some(path) = markdown {
        write(
            path,
            &compare::markdown(&found, |change| terms.is_failure(change)),
        )?;
    }
    Ok(ending)
}

fn write(path: &Path, text: &str) -> Result<(), Fault> {
    output::write_file(path, text).map_err(Fault::at("writing", path))
}
