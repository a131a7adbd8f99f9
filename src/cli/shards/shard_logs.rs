//! The logs of shards that a command line names, for `merge`: finds and reads them, and
//! words what is wrong with them. Start at [`ShardLogs::read`].

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Arg, Args, Command};
use walkdir::WalkDir;

use crate::cli::shards::PART;
use crate::cli::{
    CommandError, FileIdentity, LogFile, ReportOptions, input_file, screen,
};
use crate::model::{Contest, Event};
use crate::shard::{RunConflict, RunSummary, ShardSelection, merge_events};
use crate::spec::{Mistake, Mistakes};
use crate::text::{shell_word, time};

/// The most submissions on which two runs differ that are shown; the rest is counted.
const MOST_SHOWN: usize = 20;

/// The logs of shards, at least one.
pub(crate) struct ShardLogs {
    runs: Vec<RunSummary>,
}

impl ShardLogs {
    /// Reads logs, and all logs in folders.
    ///
    /// # Errors
    /// Every mistake in a log that should be complete, and if there are none.
    pub(crate) fn read(named: &[PathBuf]) -> Result<Self, CommandError> {
        let mut runs: Vec<RunSummary> = vec![];
        let mut mistakes = vec![];
        for path in named {
            let found = match logs_at(path) {
                Ok(found) => found,
                Err(Mistakes(found)) => {
                    mistakes.extend(found);
                    continue;
                }
            };
            for log in found {
                let is_part = log.to_string_lossy().ends_with(PART);
                let run = LogFile::open(&log)
                    .and_then(LogFile::into_events)
                    .and_then(|events| RunSummary::read(&log, events));
                match run {
                    Ok(Some(mut run)) => {
                        if let Some(first) = runs.first()
                            && run.shard.plan == first.shard.plan
                        {
                            // A thousand shards would hold it a thousand times.
                            run.shard.plan.clone_from(&first.shard.plan);
                        }
                        runs.push(run);
                    }
                    Ok(None) if path.is_dir() => {
                        screen::notice_unless_quiet(format_args!(
                            "{}: left out: it is the log of no shard",
                            log.display()
                        ));
                    }
                    Ok(None) => mistakes.push(Mistake::new(
                        &log,
                        "is the log of no shard",
                        "write logs of shards with `gridjudge grade --shard K/N --log-dir DIR`",
                    )),
                    // What a shard was writing when it was killed.
                    Err(CommandError::Mistakes(_)) if is_part => screen::notice(format_args!(
                        "{}: left out: it breaks off before anything was judged",
                        log.display()
                    )),
                    Err(CommandError::Mistakes(Mistakes(found))) => mistakes.extend(found),
                    Err(fault) => return Err(fault),
                }
            }
        }
        if runs.is_empty() && mistakes.is_empty() {
            let message = "there is no log of a shard";
            let remedy =
                "write some with `gridjudge grade --shard K/N --log-dir DIR`";
            mistakes.push(Mistake::new(&named[0], message, remedy));
        }
        Ok(Mistakes::or(mistakes, Self { runs })?)
    }

    /// Chooses the runs that count.
    ///
    /// # Errors
    /// If the logs are not of one plan.
    pub(crate) fn select(
        &self,
        take: &[String],
    ) -> Result<ShardSelection<'_>, CommandError> {
        ShardSelection::from_runs(&self.runs, take, &|place| {
            self.submission_at(place)
        })
    }

    /// The submission at this place of the plan, in words: by its name if a log has it.
    fn submission_at(&self, place: usize) -> Result<String, CommandError> {
        for run in &self.runs {
            if let Ok(within) = run.shard.ordinals.binary_search(&place)
                && let Some(name) = names_in(&run.log, &[within])?.pop()
            {
                return Ok(name);
            }
        }
        Ok(format!("submission {place} of the plan"))
    }

    /// Shows which shards are missing, with the commands that judge them, and which
    /// contradict each other.
    pub(crate) fn show_what_lacks(
        &self,
        selection: &ShardSelection<'_>,
    ) -> Result<(), CommandError> {
        let first = &self.runs[0].shard;
        for missing in &selection.missing {
            let of = first.of;
            screen::error(
                format_args!(
                    "shard {} of {of} is missing: {}",
                    missing.index, missing.reason
                ),
                Some(&format!(
                    "judge it: {}",
                    command_for(&first.command, missing.index, of)
                )),
            );
        }
        selection.conflicts.iter().try_for_each(show_conflict)
    }

    /// Where they are, once for each file.
    pub(crate) fn paths(&self) -> Vec<&Path> {
        let mut files = BTreeSet::new();
        let logs = self.runs.iter().map(|run| &*run.log);
        logs.filter(|log| files.insert(FileIdentity::read_at(log)))
            .collect()
    }

    /// The contest that was judged, if it was one.
    pub(crate) fn contest(&self) -> Option<&Contest> {
        self.runs
            .iter()
            .find_map(|run| run.started.contest.as_ref())
    }
}

fn show_conflict(conflict: &RunConflict<'_>) -> Result<(), CommandError> {
    let [one, other] = conflict
        .runs
        .map(|run| format!("run {} on {}", run.shard.short_run(), run.shard.host));
    let shown = &conflict.entries[..conflict.entries.len().min(MOST_SHOWN)];
    let names = names_in(&conflict.runs[0].log, shown)?;
    let lines = names.iter().zip(shown).map(|(name, place)| {
        let [one, other] = conflict.runs.map(|run| {
            let entry = &run.entries[*place];
            let verdict = entry.verdict.map_or("nothing", |verdict| verdict.code());
            let near = if entry.is_near_limit {
                ", near a limit"
            } else {
                ""
            };
            format!("{verdict} in {}{near}", time(entry.slowest_us))
        });
        format!("{name}: {one}; {other}")
    });
    screen::notice_of_each(
        format!("shard {}: {one} and {other} differ", conflict.index),
        lines,
        conflict.entries.len(),
    );
    let [one, other] = conflict.runs.map(|run| run.shard.short_run());
    screen::error(
        format_args!(
            "shard {} was judged twice, with different results",
            conflict.index
        ),
        Some(&format!("decide by `--take {one}` or `--take {other}`")),
    );
    Ok(())
}

/// Emits the events of the runs that count, as those of one plan, with these notes;
/// each with the place of its submission in the plan.
///
/// # Errors
/// If a log cannot be read again.
pub(crate) fn merge_shards(
    selection: &ShardSelection<'_>,
    mut notes: Vec<String>,
    emit: &mut dyn FnMut(Event, usize),
) -> Result<(), CommandError> {
    notes.extend(selection.missing.iter().map(|missing| {
        format!("shard {} is missing: {}", missing.index, missing.reason)
    }));
    notes.extend(selection.conflicts.iter().map(|conflict| {
        format!(
            "shard {} is left out: it was judged twice, with different results",
            conflict.index
        )
    }));
    let mut runs = vec![];
    for run in selection.runs() {
        runs.push((run, LogFile::open(&run.log)?.into_events()?));
    }
    merge_events(runs, selection.is_whole(), notes, emit)
}

/// The log of this name, or the logs in the folder.
fn logs_at(path: &Path) -> Result<Vec<PathBuf>, Mistakes> {
    match path.metadata() {
        Ok(found) if found.is_dir() => logs_in(path),
        Ok(found) if found.is_file() => Ok(vec![path.to_owned()]),
        // It may also be a folder that was meant.
        Err(error) if path != Path::new("-") => {
            Err(input_file::unreadable(path, &error, Path::exists).into())
        }
        _ => {
            let remedy =
                "write it to a file: the log of a shard is read again and again";
            Mistake::refuse(path, "is not a file", remedy)
        }
    }
}

/// The logs in a folder and the folders in it, in the order of their names.
fn logs_in(folder: &Path) -> Result<Vec<PathBuf>, Mistakes> {
    let mut logs = vec![];
    for found in WalkDir::new(folder).sort_by_file_name() {
        let found = found.map_err(input_file::unread(folder))?;
        let name = found.file_name().to_string_lossy();
        let name = name.strip_suffix(PART).unwrap_or(&name);
        if found.file_type().is_file() && name.ends_with(".jsonl") {
            logs.push(found.into_path());
        }
    }
    Ok(logs)
}

/// The problems and names of the submissions at these places of a log.
fn names_in(path: &Path, places: &[usize]) -> Result<Vec<String>, CommandError> {
    let mut names = vec![];
    let mut place = 0;
    LogFile::open(path)?.read(|event| {
        if let Some((problem, submission)) = event.opened() {
            if places.contains(&place) {
                names.push(format!("{problem} {submission}"));
            }
            place += 1;
        }
    })?;
    Ok(names)
}

/// The command that judges another shard, from the one that judged a shard: without
/// reports, which would overwrite those of that one; `merge` makes them of all.
fn command_for(command: &[String], index: usize, of: usize) -> String {
    let options = ReportOptions::augment_args(Command::default())
        .args(["shard", "log"].map(|name| Arg::new(name).long(name)));
    let mut words = vec!["gridjudge".to_owned()];
    let mut rest = command.iter().skip(1);
    while let Some(word) = rest.next() {
        let option = word.split('=').next();
        let name = option.and_then(|option| option.strip_prefix("--"));
        let mut known = options.get_arguments();
        let Some(option) = known.find(|option| option.get_long() == name) else {
            words.push(shell_word(word));
            continue;
        };
        match name {
            Some("shard") => words.push(format!("--shard {index}/{of}")),
            Some("log") => words.push(format!("--log shard-{index}.jsonl")),
            _ => {}
        }
        if option.get_action().takes_values() && !word.contains('=') {
            rest.next();
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_for_another_shard_overwrites_nothing_of_the_first() {
        for (command, expected) in [
            (
                "gridjudge grade c --shard 1/3 --log-dir out --marks s1.csv --feedback=f --reveal -q",
                "gridjudge grade c --shard 2/3 --log-dir out -q",
            ),
            (
                "gridjudge grade c --html=a.html --log s1.jsonl --shard=1/3 --all",
                "gridjudge grade c --log shard-2.jsonl --shard 2/3 --all",
            ),
        ] {
            let words: Vec<_> = command.split(' ').map(str::to_owned).collect();
            assert_eq!(command_for(&words, 2, 3), expected);
        }
    }
}
