//! `gridjudge standings`: ranks the teams of a contest, from its log.

use std::path::PathBuf;

use clap::Args;

use crate::cli::{
    CommandOutcome, CommandResult, FailureHint, LogFile, PageOptions, RankingOptions,
    SinkSet, StandingsFiles, contest, report_options, screen,
};
use crate::model::Event;
use crate::report::standings::ContestResults;
use crate::spec::Mistake;

#[derive(Args)]
pub(crate) struct StandingsArgs {
    /// A log that `grade --log` wrote of a contest; `-` for standard input
    log: PathBuf,
    #[command(flatten)]
    ranking: RankingOptions,
    /// Write the standings to FILE, as a page; `-` for standard output, also for
    /// `--csv`
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the standings to FILE, as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    page: PageOptions,
}

pub(crate) fn run(standings: &StandingsArgs) -> CommandResult {
    let files = StandingsFiles {
        html: standings.html.as_deref(),
        default: None,
        csv: standings.csv.as_deref(),
        page: standings.page,
    };
    let log = Some(&*standings.log).filter(|log| log.as_os_str() != "-");
    report_options::check_apart(&[files.paths(), log.into_iter().collect()].concat())?;
    let mut log = LogFile::open(&standings.log)?;
    let mut gathering = ContestResults::default();
    // The log is read once to see whether it can be: no file is begun for a log that
    // cannot be read.
    let mut shard = None;
    let notes = log.read(|event| {
        gathering.take_event(&event);
        if let Event::SuiteStarted(start) = event {
            shard = start.shard;
        }
    })?;
    if let Some(shard) = shard {
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
    let mut sinks = SinkSet::new(FailureHint::OfOthers("the others are written"));
    screen::take_stdout(files.take_stdout());
    sinks.extend(contest::sinks(standings.ranking, files)?);
    log.read(|event| sinks.send(&event))?;
    Ok(CommandOutcome::Failed.when(sinks.failed))
}
