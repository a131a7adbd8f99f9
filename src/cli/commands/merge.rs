//! `gridjudge merge`: puts the logs of shards together, after it has proven that they are the whole
//! plan.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::GlobalOptions;
use crate::cli::exit::{CommandError, CommandOutcome};
use crate::cli::report_options::{ReportFormat, ReportOptions, ReportTarget};
use crate::cli::session::outputs::baseline_check::BaselineOptions;
use crate::cli::session::outputs::{FailureHint, SinkSet};
use crate::cli::session::planning::contest;
use crate::cli::session::planning::contest::{RankingOptions, StandingsFiles};
use crate::cli::session::shards::shard_logs::ShardLogs;
use crate::cli::{repository, screen};
use crate::model::{Event, Tally};

/// Reports are made of all shards together, as of one `grade`. The exit code is that of `grade`; it
/// is 2 if the logs are of different plans or damaged, and 3 if shards are missing or contradict
/// each other.
#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// Logs of shards, or folders with them
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,
    /// Write the merged log to FILE; `-` for standard output
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    reports: ReportOptions,
    /// Make reports even if shards are missing; each says that it is incomplete
    #[arg(long)]
    partial: bool,
    /// Of runs of a shard with different results, use the one whose file name ends in these digits
    #[arg(long, value_name = "RUN")]
    take: Vec<String>,
    #[command(flatten)]
    baseline: BaselineOptions,
    #[command(flatten)]
    ranking: RankingOptions,
    /// Write the standings of a contest to FILE, as a page
    #[arg(long, value_name = "FILE", help_heading = contest::HEADING)]
    standings_html: Option<PathBuf>,
    /// Write the standings of a contest to FILE, as comma-separated values
    #[arg(long, value_name = "FILE", help_heading = contest::HEADING)]
    standings_csv: Option<PathBuf>,
}

pub(crate) fn run(
    merge: &MergeArgs,
    common: &GlobalOptions,
) -> Result<CommandOutcome, CommandError> {
    let files = StandingsFiles {
        html: merge.standings_html.as_deref(),
        csv: merge.standings_csv.as_deref(),
    };
    let log = merge
        .log
        .iter()
        .map(|path| ReportTarget::new(ReportFormat::Log, path));
    let targets: Vec<_> = log.chain(merge.reports.targets()).collect();
    merge.reports.check(&targets, &files.paths())?;
    let logs = ShardLogs::read(&merge.logs, common)?;
    let selection = logs.select(&merge.take)?;
    selection.notes.iter().for_each(screen::notice);
    let is_whole = logs.show_what_lacks(&selection)?;
    if !is_whole && !merge.partial {
        return Ok(CommandOutcome::Failed);
    }
    let stdout_is_taken = targets.iter().any(ReportTarget::is_stdout) || files.take_stdout();
    let mut sinks = SinkSet::new(FailureHint::OfOthers("the other reports are written"));
    let repository = repository::of_judge(common);
    sinks.add_all(&targets, &repository);
    sinks.add_screen(common, stdout_is_taken);
    sinks.add_annotations(merge.reports.github, &repository);
    let is_contest = logs.are_of_contest();
    sinks.extend(if is_contest {
        contest::sinks(stdout_is_taken, merge.ranking, files)?
    } else {
        files.refuse()?
    });
    let mut baseline = merge.baseline.open()?;
    let mut tally = Tally::default();
    for event in logs.merged(&selection, is_whole)? {
        let event = event?;
        baseline
            .iter_mut()
            .for_each(|baseline| baseline.take(&event));
        if let Event::SuiteFinished(last) | Event::SuiteInterrupted(last) = &event {
            tally = *last;
        }
        sinks.send(&event);
    }
    let mut outcome = if sinks.failed || tally.faults > 0 || !is_whole {
        CommandOutcome::Failed
    } else if tally.surprising > 0 && !is_contest {
        CommandOutcome::Surprising
    } else {
        CommandOutcome::AsExpected
    };
    if let Some(baseline) = baseline {
        let compared = baseline.show(common, stdout_is_taken)?;
        if outcome == CommandOutcome::AsExpected {
            outcome = compared;
        }
    }
    Ok(outcome)
}
