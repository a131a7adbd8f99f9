//! `gridjudge report` and `gridjudge standings`: make any report from a log, and rank
//! the teams of a contest from it.

use std::path::PathBuf;

use clap::Args;

use crate::cli::{
    CommandError, CommandOutcome, CommandResult, LogFile, MistakePages, PageOptions,
    RankingOptions, ReportOptions, ReportTarget, SinkSet, StandingsFiles, contest,
    report_options, screen,
};
use crate::model::{Event, LOG_VERSION};
use crate::report::JoinedSuites;
use crate::report::standings::ContestResults;
use crate::spec::Mistake;

/// Without an option, it prints what `grade` or `verify` printed about the submissions,
/// after the mistakes in problems. The exit code is 0 whatever the log says: judging
/// has already reported it.
#[derive(Args)]
pub(crate) struct ReportArgs {
    /// The log; `-` for standard input. Several logs make one report
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,
    /// Use what is left of a log in which lines are missing, doubled or broken; every
    /// report says that it is incomplete
    #[arg(long)]
    salvage: bool,
    #[command(flatten)]
    reports: ReportOptions,
    /// The log in the format of this version, without lines that cannot be used
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
}

pub(crate) fn make_reports(report: &ReportArgs) -> CommandResult {
    let jsonl = ReportTarget::log(&report.jsonl);
    let targets: Vec<_> = report.reports.targets().chain(jsonl).collect();
    let files: Vec<_> = report
        .logs
        .iter()
        .map(PathBuf::as_path)
        .filter(|log| log.as_os_str() != "-")
        .collect();
    report.reports.check(&targets, &files)?;
    let mut logs = vec![];
    let mut joined = JoinedSuites::default();
    for path in &report.logs {
        let mut log = LogFile::open(path)?;
        log.is_salvaged = report.salvage;
        // Each log is read once to see whether it can be: no report is begun for a log
        // that cannot be read.
        let notes = log.read(|event| drop(joined.take_event(event)))?;
        notes.iter().for_each(screen::notice_unless_quiet);
        logs.push(log);
    }
    let mut sinks = SinkSet::of_reports(&targets);
    sinks.add_annotations(report.reports.github);
    let page_folders = report.reports.page_folders();
    let is_shown = targets.is_empty() && !report.reports.github;
    let has_hint = is_shown
        && page_folders.is_empty()
        && !screen::is_quiet()
        && screen::can_draw();
    if is_shown {
        sinks.add("standard output", MistakePages::default());
        sinks.add_screen();
    }
    screen::take_stdout(
        report.reports.github || targets.iter().any(ReportTarget::is_stdout),
    );
    sinks.add_slowest(report.reports.slowest);
    sinks.extend(page_folders);
    send_all(&mut logs, &joined, &mut sinks)?;
    if has_hint {
        screen::notice(
            "`--html FILE` and other options write reports: `gridjudge help report`",
        );
    }
    Ok(CommandOutcome::Failed.when(sinks.failed))
}

/// Sends the events of all logs, as those of one suite.
fn send_all(
    logs: &mut [LogFile<'_>],
    joined: &JoinedSuites,
    sinks: &mut SinkSet,
) -> Result<(), CommandError> {
    if let [log] = logs {
        // Fields that were added since an older version are absent.
        log.read(|mut event| {
            if let Event::SuiteStarted(start) = &mut event {
                start.log_version = LOG_VERSION;
            }
            sinks.send(&event);
        })?;
        return Ok(());
    }
    let opening = joined.opening();
    if let Some(opening) = &opening {
        sinks.send(opening);
    }
    let mut inner = JoinedSuites::default();
    for log in logs {
        log.read(|event| {
            if let Some(event) = &inner.take_event(event) {
                sinks.send(event);
            }
        })?;
    }
    sinks.send(&joined.ending());
    Ok(())
}

#[derive(Args)]
pub(crate) struct StandingsArgs {
    /// A log that `grade --log` wrote of a contest; `-` for standard input
    log: PathBuf,
    /// Write the standings to FILE, as a page; `-` for standard output, also for
    /// `--csv`
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the standings to FILE, as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    ranking: RankingOptions,
    #[command(flatten)]
    page: PageOptions,
}

pub(crate) fn rank_teams(standings: &StandingsArgs) -> CommandResult {
    let files = StandingsFiles {
        html: standings.html.as_deref(),
        default: None,
        csv: standings.csv.as_deref(),
        page: standings.page,
    };
    let log = Some(&*standings.log).filter(|log| log.as_os_str() != "-");
    report_options::check_apart(
        &[files.paths(), log.into_iter().collect()].concat(),
    )?;
    let mut log = LogFile::open(&standings.log)?;
    let mut gathering = ContestResults::default();
    // The log is read once to see whether it can be: no file is begun for a log that
    // cannot be read.
    let notes = log.read(|event| gathering.take_event(&event))?;
    if let Some(shard) = &gathering.opening.shard {
        let message = format!("is the log of shard {} of {}", shard.index, shard.of);
        let remedy = "put the logs of all shards together with `gridjudge merge`";
        return Mistake::refuse(
            &standings.log,
            message + ", and standings need all of them",
            remedy,
        );
    }
    notes.iter().for_each(screen::notice_unless_quiet);
    if !gathering.is_contest() {
        let remedy = "log one with `gridjudge grade --log FILE DIR`, DIR being `<team>/<problem>.<ext>`";
        return Mistake::refuse(&standings.log, "is the log of no contest", remedy);
    }
    let contest = gathering.opening.contest.unwrap_or_default();
    let mut sinks = SinkSet::of_earlier("the others are written");
    screen::take_stdout(files.take_stdout());
    sinks.extend(contest::sinks(
        standings.ranking,
        files,
        Some(&contest),
        false,
    )?);
    log.read(|event| sinks.send(&event))?;
    Ok(CommandOutcome::Failed.when(sinks.failed))
}
