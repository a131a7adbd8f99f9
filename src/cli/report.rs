//! `gridjudge report`: any report, from a log.

use std::path::PathBuf;

use clap::Args;

use crate::cli::Common;
use crate::cli::Ending;
use crate::cli::Stop;
use crate::cli::audience::Audience;
use crate::cli::audience::Consolation;
use crate::cli::logs::Logfile;
use crate::cli::reports::Format;
use crate::cli::reports::Reports;
use crate::cli::reports::Target;
use crate::cli::repository;
use crate::cli::screen;
use crate::model::Event;
use crate::model::LOG_VERSION;

/// Without an option, it prints what `grade` or `verify` printed of the submissions. The exit code is 0 whatever the log
/// says: that was told when it was judged.
#[derive(Debug, Args)]
pub(crate) struct Report {
    /// The log; `-` for standard input
    #[arg(value_name = "LOG")]
    log: PathBuf,
    #[command(flatten)]
    reports: Reports,
    /// The log as this version writes it, without what cannot be used
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    jsonl: Option<PathBuf>,
    /// Use what is left of a log in which lines are missing, doubled or broken; every report says that it is incomplete
    #[arg(long)]
    salvage: bool,
}

pub(crate) fn run(report: &Report, common: &Common) -> Result<Ending, Stop> {
    let jsonl = report.jsonl.iter().map(|path| Target::new(Format::Log, path));
    let targets: Vec<_> = report.reports.targets().chain(jsonl).collect();
    let log = Some(&*report.log).filter(|log| log.as_os_str() != "-");
    report.reports.check(&targets, log.as_slice())?;
    let mut log = Logfile::open(&report.log)?;
    log.is_salvaged = report.salvage;
    // Once to see whether it can be read: no report is begun of one that cannot.
    let notes = log.read(|_| {})?;
    if !common.quiet {
        notes.iter().for_each(screen::notice);
    }
    let mut audience = Audience::new(Consolation::OfOthers("the other reports are written"));
    let repository = repository::of_judge(common);
    audience.add_all(&targets, &repository);
    audience.add_annotations(report.reports.github, &repository);
    if targets.is_empty() && !report.reports.github {
        audience.add_screen(common, false);
    }
    log.read(|event| audience.tell(&current(event)))?;
    Ok(if audience.failed { Ending::Failed } else { Ending::AsExpected })
}

/// An event of an older log as the version of today has it: what was added since is left out.
fn current(mut event: Event) -> Event {
    if let Event::SuiteStarted { log_version, .. } = &mut event {
        *log_version = LOG_VERSION;
    }
    event
}
