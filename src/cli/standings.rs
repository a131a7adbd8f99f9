//! `gridjudge standings`: rank the teams of a contest, from its log.

use std::path::PathBuf;

use clap::Args;

use crate::cli::Common;
use crate::cli::Ending;
use crate::cli::Stop;
use crate::cli::audience::Audience;
use crate::cli::audience::Consolation;
use crate::cli::contest;
use crate::cli::contest::Files;
use crate::cli::contest::Ranking;
use crate::cli::logs::Logfile;
use crate::cli::reports;
use crate::cli::screen;
use crate::report::standings::Gathering;
use crate::spec::Mistake;
use crate::spec::Mistakes;

#[derive(Debug, Args)]
pub(crate) struct Standings {
    /// A log that `grade --log` wrote of a contest; `-` for standard input
    #[arg(value_name = "LOG")]
    log: PathBuf,
    #[command(flatten)]
    ranking: Ranking,
    /// Write the standings to FILE, as a page; `-` for standard output, as for the other
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the standings to FILE, as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

pub(crate) fn run(standings: &Standings, common: &Common) -> Result<Ending, Stop> {
    let files = Files { html: standings.html.as_deref(), csv: standings.csv.as_deref() };
    let log = Some(&*standings.log).filter(|log| log.as_os_str() != "-");
    reports::check_apart(&[files.paths(), log.into_iter().collect()].concat())?;
    let mut log = Logfile::open(&standings.log)?;
    let mut gathering = Gathering::default();
    // Once to see whether it can be read: no file is begun for a log that cannot.
    let notes = log.read(|event| gathering.take(&event))?;
    if !common.quiet {
        notes.iter().for_each(screen::notice);
    }
    if !gathering.is_contest() {
        let mistake = Mistake::of(&standings.log, "is the log of no contest");
        let remedy = "log one with `gridjudge grade --log FILE DIR`, DIR being `<team>/<problem>.<ext>`";
        return Err(Mistakes::from(mistake.with_remedy(remedy)).into());
    }
    let mut audience = Audience::new(Consolation::OfOthers("the others are written"));
    audience.add_listeners(contest::listeners(files.take_stdout(), standings.ranking, files)?);
    log.read(|event| audience.tell(&event))?;
    Ok(if audience.failed { Ending::Failed } else { Ending::AsExpected })
}
