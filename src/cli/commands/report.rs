//! `gridjudge report`: makes any report from a log.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::GlobalOptions;
use crate::cli::exit::{CommandError, CommandOutcome};
use crate::cli::log_file::LogFile;
use crate::cli::report_options::{ReportFormat, ReportOptions, ReportTarget};
use crate::cli::session::outputs::{FailureHint, SinkSet};
use crate::cli::session::packages::check_list::MistakePages;
use crate::cli::{repository, screen};
use crate::model::{Event, LOG_VERSION};
use crate::report::Sink;

/// Without an option, it prints what `grade` or `verify` printed about the submissions, after the
/// mistakes in problems. The exit code is 0 whatever the log says: judging has already reported it.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The log; `-` for standard input
    log: PathBuf,
    #[command(flatten)]
    reports: ReportOptions,
    /// The log in the format of this version, without lines that cannot be used
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    jsonl: Option<PathBuf>,
    /// Use what is left of a log in which lines are missing, doubled or broken; every report says
    /// that it is incomplete
    #[arg(long)]
    salvage: bool,
}

pub(crate) fn run(
    report: &ReportArgs,
    common: &GlobalOptions,
) -> Result<CommandOutcome, CommandError> {
    let jsonl = report
        .jsonl
        .iter()
        .map(|path| ReportTarget::new(ReportFormat::Log, path));
    let targets: Vec<_> = report.reports.targets().chain(jsonl).collect();
    let log = Some(&*report.log).filter(|log| log.as_os_str() != "-");
    report.reports.check(&targets, log.as_slice())?;
    let mut log = LogFile::open(&report.log)?;
    log.is_salvaged = report.salvage;
    // The log is read once to see whether it can be: no report is begun for a log that cannot be
    // read.
    let notes = log.read(|_| {})?;
    if !common.quiet {
        notes.iter().for_each(screen::notice);
    }
    let mut sinks = SinkSet::new(FailureHint::OfOthers("the other reports are written"));
    let repository = repository::of_judge(common);
    sinks.add_all(&targets, &repository);
    sinks.add_annotations(report.reports.github, &repository);
    if targets.is_empty() && !report.reports.github {
        let mistakes: Box<dyn Sink> = Box::new(MistakePages::new(common.quiet));
        sinks.extend(vec![("standard output".to_owned(), mistakes)]);
        sinks.add_screen(common, false);
    }
    log.read(|event| sinks.send(&current(event)))?;
    Ok(if sinks.failed {
        CommandOutcome::Failed
    } else {
        CommandOutcome::AsExpected
    })
}

/// An event of a possibly older log, with the current log version. Fields that were added since are
/// absent.
fn current(mut event: Event) -> Event {
    if let Event::SuiteStarted { log_version, .. } = &mut event {
        *log_version = LOG_VERSION;
    }
    event
}
