//! `gridjudge baseline`: keep what programs earn and take, in a file that belongs beside their sources.

use std::fs::Permissions;
use std::io;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;

use clap::Args;

use crate::baseline;
use crate::baseline::Baseline;
use crate::baseline::Comparison;
use crate::cli::Common;
use crate::cli::Ending;
use crate::cli::Stop;
use crate::cli::known;
use crate::cli::screen;
use crate::model::Fault;
use crate::spec::Mistake;
use crate::spec::Mistakes;

#[derive(Debug, Args)]
pub(crate) struct Save {
    /// Logs of `grade --repeat 10`; several, made at different times, show how much runs differ
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,
    /// Write to FILE [default: standard output]. Cases on which nothing has changed beyond noise keep their lines in it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write every line anew, and leave out what is not in the logs
    #[arg(long)]
    fresh: bool,
}

/// How every baseline starts, of whatever version.
const START: &str = "gridjudge baseline ";

pub(crate) fn run(save: &Save, common: &Common) -> Result<Ending, Stop> {
    let mut now = Baseline::default();
    for log in &save.logs {
        now.join(known::read(log)?);
    }
    if now.is_empty() {
        let mistake = Mistake::of(&save.logs[0], "holds no case that was judged");
        return Err(Mistakes::from(mistake).into());
    }
    let Some(path) = &save.output else {
        screen::result(baseline::to_text(&now).trim_end())?;
        return Ok(Ending::AsExpected);
    };
    known::replaces_its_like(path, START, "baseline")?;
    let is_update = !save.fresh && path.metadata().is_ok_and(|found| found.len() > 0);
    let new = if is_update { updated(path, now)? } else { now };
    write(path, &baseline::to_text(&new))
        .map_err(|error| Fault::new(format!("writing {}", path.display()), error))?;
    if !common.quiet {
        screen::result(format_args!("{}: {} cases", path.display(), new.len()))?;
    }
    Ok(Ending::AsExpected)
}

/// What is in a file, with the lines replaced that are not true any more.
fn updated(path: &Path, now: Baseline) -> Result<Baseline, Stop> {
    let was = known::read(path)?;
    Ok(match Comparison::between(&was, &now, true) {
        Ok(comparison) => was.updated(now, &comparison),
        // Other problems, in the same file.
        Err(_) => was.updated(now, &Comparison::default()),
    })
}

/// Writes a file whole or not at all.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let permissions = path.metadata().map_or(Permissions::from_mode(0o666), |found| found.permissions());
    let mut file = tempfile::Builder::new().permissions(permissions).tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}
