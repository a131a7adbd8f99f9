//! `gridjudge cache`: what is in the cache, and an end of it.

use clap::Args;
use clap::Subcommand;

use crate::cache;
use crate::cli::Common;
use crate::cli::Ending;
use crate::cli::Stop;
use crate::cli::caching;
use crate::cli::screen;
use crate::report::mebibytes;
use crate::spec::Config;
use gridjudge_grid::flaw::plural;
use gridjudge_sandbox::Fault;

#[derive(Debug, Args)]
pub(crate) struct CacheCommand {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Clone, Copy, Debug, Subcommand)]
enum Action {
    /// Tell where the cache is and what is in it (the default).
    Show,
    /// Remove every trial from it.
    Clear,
}

pub(crate) fn run(command: &CacheCommand, common: &Common) -> Result<Ending, Stop> {
    let path = caching::place().ok_or_else(|| {
        Fault::because("looking for the cache", "nothing tells where it is")
            .with_remedy("set GRIDJUDGE_CACHE to a folder of your own")
    })?;
    if let Some(Action::Clear) = command.action {
        let (programs, bytes) = cache::clear(&path)?;
        let noun = plural(programs as u64, "program");
        screen::result(format!("removed the trials of {programs} {noun}, {}", mebibytes(bytes)))?;
        return Ok(Ending::AsExpected);
    }
    let census = cache::census(&path)?.unwrap_or_default();
    let (programs, trials) = (census.programs as u64, census.trials as u64);
    screen::result(format!("{}", path.display()))?;
    screen::result(format!(
        "{trials} {} of {programs} {}, {} of at most {}",
        plural(trials, "trial"),
        plural(programs, "program"),
        mebibytes(census.bytes),
        mebibytes(most_bytes(common)),
    ))?;
    if census.damaged > 0 {
        let lines = plural(census.damaged as u64, "line");
        screen::notice(format!("{} damaged {lines}, which count for nothing", census.damaged));
    }
    Ok(Ending::AsExpected)
}

/// What the nearest `judge.toml` says, if there is one.
fn most_bytes(common: &Common) -> u64 {
    let config = common.root().and_then(|root| Config::load(&root));
    config.map_or(Config::USUAL_CACHE_BYTES, |config| config.cache_bytes)
}
