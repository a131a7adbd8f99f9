//! Runs a command again whenever a file that it depends on has changed. The kernel reports events,
//! and snapshots of the files show whether they matter, so nothing that the judge itself reads or
//! writes can start it again. Start at [`run`].
//!
//! ```text
//! round:  watch -> snapshot -> command: read, plan (failed first), judge -> wait for a change -> next round
//!                              ^
//!                              +-- cancelled by a change
//! ```
//!
//! A change cancels the command, since verdicts on outdated files are useless. Mistakes are shown
//! and watching goes on, since files are often wrong in the middle of an edit.

mod failure_history;
mod file_watcher;
mod signal;
mod watch_set;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::args::{GlobalOptions, is_path};
use crate::cli::cancel::CancelToken;
use crate::cli::exit::{CommandError, CommandOutcome};
use crate::cli::{screen, signals};
pub(crate) use failure_history::FailureHistory;
use file_watcher::FileWatcher;
use signal::WatchSignal;
pub(crate) use watch_set::WatchRequest;
use watch_set::changed;

/// Runs a command once, and again after every change, until a signal comes. The command must
/// observe the token and add failures to the history.
pub(crate) fn run(
    common: &GlobalOptions,
    named: &WatchRequest,
    mut command: impl FnMut(&CancelToken, &FailureHistory) -> Result<CommandOutcome, CommandError>,
) -> Result<CommandOutcome, CommandError> {
    let root = match common.root() {
        // A package that is named by its path needs no `judge.toml`.
        Err(_) if named.problems.iter().any(|name| is_path(name)) => PathBuf::new(),
        root => root?,
    };
    let stop = signals::cancel_token();
    let signal = Arc::new(WatchSignal::default());
    let woken = Arc::clone(&signal);
    let _waking = stop.on_cancel(move || {
        woken.interrupt();
        false
    });
    let history = FailureHistory::default();
    loop {
        let watcher = FileWatcher::start(&root, named, &signal)?;
        let cancel = signals::cancel_token();
        if let Err(error) = watcher.cancel_on_change(&cancel, || command(&cancel, &history)) {
            screen::command_error(&error);
        }
        if stop.is_cancelled() {
            return Ok(CommandOutcome::Interrupted);
        }
        // After a change during the command, the next round begins at once.
        if !watcher.has_changed() {
            screen::notice("watching for changes; Ctrl-C ends this");
        }
        let Some(after) = watcher.wait_for_change(false) else {
            return Ok(CommandOutcome::Interrupted);
        };
        screen::clear();
        screen::notice(change_notice(&changed(&watcher.before, &after)));
    }
}

fn change_notice(changed: &[&Path]) -> String {
    let first = changed
        .first()
        .map_or(String::new(), |path| path.display().to_string());
    match changed.len() {
        0 | 1 => format!("{first} changed"),
        count => format!("{first} and {} more changed", count - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notice_of_a_change_names_one_file_and_counts_the_others() {
        let path = |name| Path::new(name);
        assert_eq!(change_notice(&[path("a.c")]), "a.c changed");
        assert_eq!(
            change_notice(&[path("a.c"), path("b.c"), path("d")]),
            "a.c and 2 more changed"
        );
    }
}
