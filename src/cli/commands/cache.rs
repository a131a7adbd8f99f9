//! `gridjudge cache`: shows what is in the cache, or clears it.

use clap::{Args, Subcommand};
use gridjudge_sandbox::Fault;

use crate::cache;
use crate::cli::{CommandOutcome, CommandResult, GlobalOptions, screen, startup};
use crate::report::mebibytes;
use crate::spec::Config;
use crate::text::{counted, round_time};

#[derive(Args)]
pub(crate) struct CacheArgs {
    #[command(subcommand)]
    action: Option<CacheAction>,
}

#[derive(Subcommand)]
enum CacheAction {
    /// Show where the cache is and what is in it (the default).
    Show,
    /// Remove everything from it: trials, compiled programs, proofs.
    Clear,
}

pub(crate) fn run(command: &CacheArgs, common: &GlobalOptions) -> CommandResult {
    let path = startup::cache_place().ok_or_else(|| {
        Fault::because("looking for the cache", "nothing tells where it is")
            .with_remedy("set GRIDJUDGE_CACHE to a folder of your own")
    })?;
    if let Some(CacheAction::Clear) = command.action {
        let (programs, bytes) = cache::clear_cache(&path)?;
        let programs = counted(programs, "program");
        screen::result(format!(
            "removed the trials of {programs}, {}",
            mebibytes(bytes)
        ))?;
        return Ok(CommandOutcome::AsExpected);
    }
    // Of the nearest `judge.toml`, if there is one.
    let config = common.root().and_then(|root| Config::load(&root));
    let most_bytes =
        config.map_or(Config::DEFAULT_CACHE_BYTES, |config| config.cache_bytes);
    let stats = cache::stats(&path)?.unwrap_or_default();
    screen::result(path.display())?;
    screen::result(format!(
        "{} of {}, {} of at most {}",
        counted(stats.trials, "trial"),
        counted(stats.programs, "program"),
        mebibytes(stats.bytes),
        mebibytes(most_bytes),
    ))?;
    let builds = counted(stats.builds, "compiled or checked program");
    screen::result(format!(
        "{builds}, {} of these",
        mebibytes(stats.build_bytes)
    ))?;
    for limit in cache::kept_limits(&path)? {
        let long = round_time(limit.limit_us);
        screen::result(format!(
            "time limit of {}: {long}, measured on {}",
            limit.package, limit.measured
        ))?;
    }
    if stats.damaged > 0 {
        screen::notice(format!(
            "{}, which are ignored",
            counted(stats.damaged, "damaged line")
        ));
    }
    Ok(CommandOutcome::AsExpected)
}
