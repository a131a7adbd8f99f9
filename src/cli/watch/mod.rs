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

mod file_watcher;
mod watch_set;

use crate::sorted::SortedSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::cli::{
    CancelToken, CommandOutcome, CommandResult, GlobalOptions, NamedSink, is_path, screen, signals,
};
use crate::model::{Event, Verdict};
use crate::report::Sink;
use crate::run::Plan;

use file_watcher::{FileWatcher, WatchSignal};
use watch_set::{Snapshot, WatchSet, changed};

pub(crate) use watch_set::WatchRequest;

/// Runs a command once, and again after every change, until a signal comes. The command must
/// observe the token and add failures to the history.
pub(crate) fn run(
    common: &GlobalOptions,
    named: &WatchRequest,
    mut command: impl FnMut(&CancelToken, &FailureHistory) -> CommandResult,
) -> CommandResult {
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

// Remembers which trials failed in the last round of watching, as a sink, and puts their cases
// first in the next plan. Knows nothing of files and signals.

/// The trials that were not accepted when they were last judged.
#[derive(Clone, Debug, Default)]
pub(crate) struct FailureHistory(Arc<Mutex<SortedSet<FailedTrial>>>);

/// Problem, submission and case.
type FailedTrial = (String, String, String);

impl FailureHistory {
    /// Moves the cases on which a submission failed last to the front.
    pub(crate) fn put_first(&self, plan: &mut Plan) {
        let failed = self.0.lock();
        plan.put_first(|entry, case| {
            failed.contains(&(
                entry.problem.id.clone(),
                entry.submission.name.clone(),
                case.name.clone(),
            ))
        });
    }

    /// The sink that keeps the history up to date, with its name.
    pub(crate) fn sink(&self) -> NamedSink {
        ("the history of failures".to_owned(), Box::new(self.clone()))
    }

    fn note(&self, problem: &str, submission: &str, case: &str, is_failure: bool) {
        let trial = (problem.to_owned(), submission.to_owned(), case.to_owned());
        if is_failure {
            self.0.lock().insert(trial)
        } else {
            self.0.lock().remove(&trial)
        };
    }
}

impl Sink for FailureHistory {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        match event {
            // A skipped trial leaves the history as it was, and so does a compile error, which says
            // nothing about the case.
            Event::TrialFinished(record)
                if [Verdict::Skipped, Verdict::CompileError].contains(&record.verdict) => {}
            Event::TrialFinished(record) => {
                let is_failure = record.verdict != Verdict::Accepted;
                self.note(
                    &record.problem,
                    &record.submission,
                    &record.case,
                    is_failure,
                );
            }
            Event::TrialFaulted {
                problem,
                submission,
                case,
                ..
            } => {
                self.note(problem, submission, case, true);
            }
            _ => {}
        }
        Ok(())
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
