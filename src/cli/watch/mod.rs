//! Runs a command again whenever a file that it depends on has changed. The kernel
//! reports events, and snapshots of the files show whether they matter, so nothing that
//! the judge itself reads or writes can start it again. Start at [`run_watch`].
//!
//! ```text
//! round:  watch -> snapshot -> command: read, plan (failed first), judge -> wait for a change -> next round
//!                              ^
//!                              +-- cancelled by a change
//! ```
//!
//! A change cancels the command, since verdicts on outdated files are useless. Mistakes
//! are shown and watching goes on, since files are often wrong in the middle of an
//! edit.

pub(super) mod watch_set;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use std::{io, thread};

use gridjudge_sandbox::Fault;
use notify::event::{AccessKind, AccessMode};
use notify::{ErrorKind, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use parking_lot::{Condvar, Mutex};

use crate::cli::{
    CancelToken, CommandOutcome, CommandResult, GlobalOptions, NamedSink, is_path,
    screen, signals,
};
use crate::model::{Event, Verdict};
use crate::report::Sink;
use crate::run::Plan;
use crate::text::{first_few, path_text};

use watch_set::{Snapshot, WatchRequest, WatchSet, changed};

/// Runs a command once and, with a request to watch, again after every change, until a
/// signal comes. The command must observe the token and add failures to the history.
pub(crate) fn run_watch(
    common: &GlobalOptions,
    named: Option<&WatchRequest>,
    mut command: impl FnMut(&CancelToken, &FailureHistory) -> CommandResult,
) -> CommandResult {
    let history = FailureHistory::default();
    let Some(named) = named else {
        return command(&signals::cancel_token(), &history);
    };
    let is_any_path = named.problems.iter().any(|name| is_path(name));
    let root = match common.root() {
        // A package that is named by its path needs no `judge.toml`, and one of somebody
        // else is not read.
        Err(_) if is_any_path => None,
        root => Some(root?),
    };
    let stop = signals::cancel_token();
    let signal = Arc::new(WatchSignal::default());
    let woken = Arc::clone(&signal);
    let _waking = stop.on_cancel(move || {
        woken.note_change(|state| state.is_interrupted = true);
        false
    });
    loop {
        let watcher = FileWatcher::start(root.as_deref(), named, &signal)?;
        let cancel = signals::cancel_token();
        let outcome = thread::scope(|scope| {
            let _working = signal.begin_work();
            scope
                .spawn(|| watcher.wait_for_change(true).is_some() && cancel.cancel());
            command(&cancel, &history)
        });
        if let Err(error) = outcome {
            screen::command_error(&error);
        }
        if stop.is_cancelled() {
            return Ok(CommandOutcome::Interrupted);
        }
        // After a change during the command, the next round begins at once.
        if watcher.watch_set.snapshot() == watcher.before {
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
    let paths = changed.iter().map(path_text);
    format!("{} changed", first_few(paths, 1))
}

// Remembers which trials failed in the last round of watching, as a sink, and puts
// their cases first in the next plan. Knows nothing of files and signals.

/// The trials that were not accepted when they were last judged.
#[derive(Clone, Default)]
pub(crate) struct FailureHistory(Arc<Mutex<BTreeSet<FailedTrial>>>);

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
}

impl Sink for FailureHistory {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        let (problem, submission, case, verdict) = match event {
            Event::TrialFinished(trial) => (
                &trial.problem,
                &trial.submission,
                &trial.case,
                Some(trial.verdict),
            ),
            Event::TrialFaulted(trial) => {
                (&trial.problem, &trial.submission, &trial.case, None)
            }
            _ => return Ok(()),
        };
        let trial = (problem.to_string(), submission.to_string(), case.clone());
        match verdict {
            // A skipped trial leaves the history as it was, and so does a compile
            // error, which says nothing about the case.
            Some(Verdict::Skipped | Verdict::CompileError) => {}
            Some(Verdict::Accepted) => _ = self.0.lock().remove(&trial),
            _ => _ = self.0.lock().insert(trial),
        }
        Ok(())
    }
}

// Watches the files that a command depends on. The kernel reports events in their
// folders, and snapshots of the files show whether one changed. Knows nothing of the
// command.

/// The watched files, and their state when watching began.
struct FileWatcher {
    signal: Arc<WatchSignal>,
    watch_set: WatchSet,
    before: Snapshot,
    /// Events are reported as long as this lives.
    _watcher: RecommendedWatcher,
}

impl FileWatcher {
    fn start(
        root: Option<&Path>,
        named: &WatchRequest,
        signal: &Arc<WatchSignal>,
    ) -> Result<Self, Fault> {
        let watch_set = WatchSet::for_request(root, named);
        let notified = Arc::clone(signal);
        let mut watcher = notify::recommended_watcher(
            move |event: notify::Result<notify::Event>| {
                // An error may hide a change, so it counts as one. Reads do not count;
                // otherwise the judge's own reads would restart it.
                let kind = event.map_or(EventKind::Any, |event| event.kind);
                let written = AccessKind::Close(AccessMode::Write);
                if !matches!(kind, EventKind::Access(access) if access != written) {
                    notified.note_change(has_file_event);
                }
            },
        )
        .map_err(|error| cannot_watch(&error))?;
        let mut tries = 0;
        loop {
            let mut folders = watch_set.folders().into_iter();
            let Err(error) = folders.try_for_each(|(folder, with_all_below)| {
                let mode = if with_all_below {
                    RecursiveMode::Recursive
                } else {
                    RecursiveMode::NonRecursive
                };
                watcher.watch(&folder, mode)
            }) else {
                break;
            };
            // A folder was deleted after it was listed. The next try watches the nearest
            // folder above it.
            if tries == MOST_TRIES || !is_gone(&error) {
                return Err(cannot_watch(&error));
            }
            tries += 1;
        }
        // The snapshot is taken only now: the command reads what changed before it, and
        // the kernel reports what changes after it.
        let before = watch_set.snapshot();
        Ok(Self {
            signal: Arc::clone(signal),
            watch_set,
            before,
            _watcher: watcher,
        })
    }

    /// Waits until a file has changed, and returns a snapshot of all. Returns `None` if
    /// a signal comes first or, if `while_working`, the work is done first.
    fn wait_for_change(&self, while_working: bool) -> Option<Snapshot> {
        loop {
            let after = self.watch_set.snapshot();
            if after != self.before {
                return Some(after);
            }
            if self.signal.wait(while_working) != WakeReason::FileEvents {
                return None;
            }
        }
    }
}

/// How often folders may disappear while watching is set up.
const MOST_TRIES: u32 = 20;

fn is_gone(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => error.kind() == io::ErrorKind::NotFound,
        _ => false,
    }
}

/// The fault that watching failed, with a remedy if a kernel setting is too small.
fn cannot_watch(error: &notify::Error) -> Fault {
    let doing = match error.paths.first() {
        Some(path) => format!("watching {}", path.display()),
        None => "beginning to watch files".to_owned(),
    };
    let too_many_instances = Some(rustix::io::Errno::MFILE.raw_os_error());
    match &error.kind {
        ErrorKind::MaxFilesWatch => Fault::because(
            doing,
            "this user watches as many folders as the kernel allows",
        )
        .with_remedy(
            "sudo sysctl fs.inotify.max_user_watches=524288, or end another program that watches \
             files",
        ),
        ErrorKind::Io(error) if error.raw_os_error() == too_many_instances => Fault::because(
            doing,
            "this user has as many programs that watch files as the kernel allows",
        )
        .with_remedy("sudo sysctl fs.inotify.max_user_instances=1024, or end one of them"),
        ErrorKind::Io(error) => Fault::because(doing, error.to_string()),
        _ => Fault::because(doing, error.to_string()),
    }
}

// Wakes the thread that waits for files to change: after an event in their folders,
// when the work that it watches is done, or when a signal comes.

/// How long there must be no event before a wait ends: editors write several files, one
/// after another, and the real file may be missing for a moment.
const QUIET: Duration = Duration::from_millis(60);

/// If events never stop, a wait ends after at most this many times [`QUIET`].
const PATIENCE: u32 = 20;

/// The signal of the watching thread, set by file events, by signals of the process,
/// and by the work.
#[derive(Default)]
struct WatchSignal {
    state: Mutex<WatchState>,
    changed: Condvar,
}

#[derive(Default)]
struct WatchState {
    has_file_events: bool,
    is_working: bool,
    is_interrupted: bool,
}

fn has_file_event(state: &mut WatchState) {
    state.has_file_events = true;
}

/// Held while the work runs.
struct WorkGuard<'a>(&'a WatchSignal);

impl Drop for WorkGuard<'_> {
    /// Wakes the watching thread, even during a panic: the scope of that thread waits
    /// for it.
    fn drop(&mut self) {
        self.0.note_change(|state| state.is_working = false);
    }
}

/// The reason why a wait ended.
#[derive(Debug, PartialEq)]
enum WakeReason {
    /// There were file events, and then none for a while.
    FileEvents,
    /// The work is done.
    WorkDone,
    /// A signal has come.
    Interrupted,
}

impl WatchSignal {
    /// Records what has happened.
    fn note_change(&self, change: impl FnOnce(&mut WatchState)) {
        change(&mut self.state.lock());
        self.changed.notify_all();
    }

    /// Records that work begins. It is done when the returned guard is dropped.
    fn begin_work(&self) -> WorkGuard<'_> {
        self.note_change(|state| state.is_working = true);
        WorkGuard(self)
    }

    /// Waits until there were file events, a signal comes or, if `while_working`, the
    /// work is done.
    fn wait(&self, while_working: bool) -> WakeReason {
        let is_idle = |state: &mut WatchState| {
            let is_over = while_working && !state.is_working;
            !(state.is_interrupted || state.has_file_events || is_over)
        };
        let mut state = self.state.lock();
        self.changed.wait_while(&mut state, is_idle);
        for _ in 0..PATIENCE {
            if state.is_interrupted {
                return WakeReason::Interrupted;
            }
            if while_working && !state.is_working {
                // File events are left for the next wait.
                return WakeReason::WorkDone;
            }
            if !std::mem::take(&mut state.has_file_events) {
                break;
            }
            self.changed.wait_while_for(&mut state, is_idle, QUIET);
        }
        state.has_file_events = false;
        WakeReason::FileEvents
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

#[cfg(test)]
mod file_watcher_tests {
    use super::*;

    #[test]
    fn the_fault_of_a_kernel_limit_names_its_setting() {
        let of_watches =
            notify::Error::new(ErrorKind::MaxFilesWatch).add_path("cases".into());
        let of_instances = notify::Error::io(rustix::io::Errno::MFILE.into());
        for (error, doing, setting) in [
            (of_watches, "watching cases", "fs.inotify.max_user_watches="),
            (
                of_instances,
                "beginning to watch files",
                "fs.inotify.max_user_instances=",
            ),
        ] {
            let fault = cannot_watch(&error);
            assert!(fault.to_string().starts_with(doing), "{fault}");
            assert!(
                fault
                    .remedy
                    .as_deref()
                    .unwrap_or_default()
                    .contains(setting),
                "{fault:?}"
            );
        }
    }
}

#[cfg(test)]
mod signal_tests {
    use super::*;

    #[test]
    fn signals_come_before_file_events_and_the_end_of_the_work_keeps_the_events_for_the_next_wait()
     {
        let signal = WatchSignal::default();
        signal.note_change(has_file_event);
        assert_eq!(signal.wait(true), WakeReason::WorkDone);
        assert_eq!(signal.wait(false), WakeReason::FileEvents);
        let working = signal.begin_work();
        signal.note_change(has_file_event);
        assert_eq!(signal.wait(true), WakeReason::FileEvents);
        signal.note_change(has_file_event);
        signal.note_change(|state| state.is_interrupted = true);
        assert_eq!(signal.wait(true), WakeReason::Interrupted);
        drop(working);
        assert_eq!(signal.wait(false), WakeReason::Interrupted);
    }

    /// A file that is written all the time must not delay the end of a wait for ever.
    #[test]
    fn a_wait_ends_even_if_file_events_never_stop() {
        let signal = WatchSignal::default();
        signal.note_change(has_file_event);
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                while !signal.state.lock().is_interrupted {
                    signal.note_change(has_file_event);
                    std::thread::yield_now();
                }
            });
            assert_eq!(signal.wait(false), WakeReason::FileEvents);
            signal.note_change(|state| state.is_interrupted = true);
            writer.join().unwrap();
        });
    }
}
