//! Judging again whenever a file that matters has changed. The kernel tells that something stirred; whether it matters is
//! seen by looking at the files, so nothing that the judge reads or writes itself can start it again. Start at [`run`].
//!
//! ```text
//! round:  watch -> look -> read, plan (failed first), judge -> wait until a look shows another picture -> next round
//!                                              ^                          |
//!                                              +-- stopped by a change ---+
//! ```
//!
//! A change while judging stops it: nobody waits for verdicts on a file that is no more. Mistakes are shown, and watching
//! goes on: in the middle of an edit, files are often wrong.

mod failure_history;
mod signal;
mod watch_set;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread::Scope;

use notify::ErrorKind;
use notify::EventKind;
use notify::RecommendedWatcher;
use notify::RecursiveMode;
use notify::Watcher;
use notify::event::AccessKind;
use notify::event::AccessMode;

use crate::cli::CommandError;
use crate::cli::CommandOutcome;
use crate::cli::GlobalOptions;
use crate::cli::screen;
use crate::cli::signals;
use crate::run::Plan;
use failure_history::FailureHistory;
use gridjudge_sandbox::Fault;
use signal::WakeReason;
use signal::WatchSignal;
use watch_set::Snapshot;
pub(crate) use watch_set::WatchRequest;
use watch_set::WatchSet;
use watch_set::changed;

/// One time of judging, and the files that it was for.
pub(crate) struct WatchIteration {
    /// What failed, now and before.
    pub(crate) failures: FailureHistory,
    signal: Arc<WatchSignal>,
    watch_set: WatchSet,
    before: Snapshot,
    /// ReportOptions of files as long as it is there.
    _watcher: RecommendedWatcher,
}

/// Judges, and again after every change, until a signal comes.
pub(crate) fn run(
    common: &GlobalOptions,
    named: &WatchRequest,
    mut judge: impl FnMut(&WatchIteration) -> Result<CommandOutcome, CommandError>,
) -> Result<CommandOutcome, CommandError> {
    let root = common.root()?;
    let signal = Arc::new(WatchSignal::default());
    let failures = FailureHistory::default();
    let told = Arc::clone(&signal);
    // While nothing is judged nobody has to bring anything to its end.
    let _listening = signals::when_one_comes(move || told.interrupt());
    loop {
        let round = WatchIteration::begin(&root, named, &signal, &failures)?;
        match judge(&round) {
            Ok(_) => {}
            Err(CommandError::Mistakes(mistakes)) => screen::mistakes(&mistakes),
            Err(CommandError::Fault(fault)) => screen::fault(&fault),
        }
        if signal.is_interrupted() {
            return Ok(CommandOutcome::Interrupted);
        }
        // What was changed while it was judged is judged at once.
        if round.watch_set.print() == round.before {
            screen::notice("watching for changes; Ctrl-C ends this");
        }
        let Some(after) = round.wait_for_change(false) else { return Ok(CommandOutcome::Interrupted) };
        screen::clear();
        screen::notice(news(&changed(&round.before, &after)));
    }
}

fn news(changed: &[&Path]) -> String {
    let first = changed.first().map_or(String::new(), |path| path.display().to_string());
    match changed.len() {
        0 | 1 => format!("{first} changed"),
        count => format!("{first} and {} more changed", count - 1),
    }
}

impl WatchIteration {
    fn begin(
        root: &Path,
        named: &WatchRequest,
        signal: &Arc<WatchSignal>,
        failures: &FailureHistory,
    ) -> Result<Self, Fault> {
        let watch_set = WatchSet::of(root, named);
        let watcher = watch(&watch_set, signal)?;
        // Only now: what is changed before this look is judged, and what is changed after it is told.
        let before = watch_set.print();
        let (signal, failures) = (Arc::clone(signal), failures.clone());
        Ok(Self { failures, signal, watch_set, before, _watcher: watcher })
    }

    /// Puts the cases first that failed last.
    pub(crate) fn order(&self, plan: &mut Plan) {
        self.failures.put_first(plan);
    }

    /// Calls `stop` if a file changes or a signal comes before the vigil is over.
    pub(crate) fn cancel_on_change<'scope, 'env>(
        &'env self,
        scope: &'scope Scope<'scope, 'env>,
        stop: impl FnOnce() + Send + 'scope,
    ) -> CancelGuard<'env> {
        self.signal.set_judging(true);
        scope.spawn(move || {
            if self.wait_for_change(true).is_some() || self.signal.is_interrupted() {
                stop();
            }
        });
        CancelGuard(&self.signal)
    }

    /// The files when one of them has changed; none if the judging is over before that, or a signal has come.
    fn wait_for_change(&self, while_judging: bool) -> Option<Snapshot> {
        loop {
            let after = self.watch_set.print();
            if after != self.before {
                return Some(after);
            }
            if self.signal.wait(while_judging) != WakeReason::Stirred {
                return None;
            }
        }
    }
}

/// Lasts as long as judging does.
pub(crate) struct CancelGuard<'a>(&'a WatchSignal);

impl Drop for CancelGuard<'_> {
    /// Ends the thread, also on the way out of a panic: the scope waits for it.
    fn drop(&mut self) {
        self.0.set_judging(false);
    }
}

/// Asks the kernel to tell of everything that happens in the folders of a scene.
fn watch(watch_set: &WatchSet, signal: &Arc<WatchSignal>) -> Result<RecommendedWatcher, Fault> {
    let told = Arc::clone(signal);
    let hear = move |event: notify::Result<notify::Event>| {
        // What could not be told is looked at, too. Reading stirs nothing, or the judge would hear itself.
        let kind = event.map_or(EventKind::Any, |event| event.kind);
        if !matches!(kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write)) {
            told.stir();
        }
    };
    let mut watcher = notify::recommended_watcher(hear).map_err(|error| cannot_watch(&error))?;
    let mut tries = 0;
    loop {
        match watch_folders(&mut watcher, watch_set) {
            // A folder went between the look at it and the wish to hear of it: then one above it will do.
            Err(error) if is_gone(&error) && tries < MOST_TRIES => tries += 1,
            result => return result.map(|()| watcher).map_err(|error| cannot_watch(&error)),
        }
    }
}

/// Folders may go as often as this while they are to be watched.
const MOST_TRIES: u32 = 20;

fn watch_folders(watcher: &mut RecommendedWatcher, watch_set: &WatchSet) -> notify::Result<()> {
    for (folder, with_all_below) in watch_set.folders() {
        let mode = if with_all_below { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        watcher.watch(&folder, mode)?;
    }
    Ok(())
}

fn is_gone(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => error.kind() == io::ErrorKind::NotFound,
        _ => false,
    }
}

/// Why nothing can be watched, with the setting that is too small where it is one.
fn cannot_watch(error: &notify::Error) -> Fault {
    let doing = match error.paths.first() {
        Some(path) => format!("watching {}", path.display()),
        None => "beginning to watch files".to_owned(),
    };
    let too_many_instances = Some(rustix::io::Errno::MFILE.raw_os_error());
    match &error.kind {
        ErrorKind::MaxFilesWatch => {
            Fault::because(doing, "this user watches as many folders as the kernel allows").with_remedy(
                "sudo sysctl fs.inotify.max_user_watches=524288, or end another program that watches files",
            )
        }
        ErrorKind::Io(error) if error.raw_os_error() == too_many_instances => {
            Fault::because(doing, "this user has as many programs that watch files as the kernel allows")
                .with_remedy("sudo sysctl fs.inotify.max_user_instances=1024, or end one of them")
        }
        ErrorKind::Io(error) => Fault::because(doing, error.to_string()),
        _ => Fault::because(doing, error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_of_the_kernel_is_told_with_its_setting() {
        let of_watches = notify::Error::new(ErrorKind::MaxFilesWatch).add_path("cases".into());
        let of_instances = notify::Error::io(rustix::io::Errno::MFILE.into());
        for (error, doing, setting) in [
            (of_watches, "watching cases", "fs.inotify.max_user_watches="),
            (of_instances, "beginning to watch files", "fs.inotify.max_user_instances="),
        ] {
            let fault = cannot_watch(&error);
            assert!(fault.to_string().starts_with(doing), "{fault}");
            assert!(fault.remedy.as_deref().unwrap_or_default().contains(setting), "{fault:?}");
        }
    }

    #[test]
    fn the_news_name_one_file_and_count_the_others() {
        let path = |name| Path::new(name);
        assert_eq!(news(&[path("a.c")]), "a.c changed");
        assert_eq!(news(&[path("a.c"), path("b.c"), path("d")]), "a.c and 2 more changed");
    }
}
