//! Handles the signals that end the judge, in a thread that listens from the start. A
//! signal cancels the tokens of commands. If that ends no runs, sandboxes are removed,
//! and the process ends. Start at [`listen`].
//!
//! ```text
//! first signal  --> programs run?           --> they are ended; the command reports and exits with 130, or
//!                                               the process ends as below if that takes too long
//!                   in a critical section?  --> after it, what is left is removed, and the process ends
//!                   otherwise               --> what is left is removed, and the process ends
//! second signal --> the process ends at once; launchers end the runs
//! ```
//!
//! What is left: sandboxes, lines on the terminal, and files that have not got their
//! names yet.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Once, Weak, mpsc};
use std::time::Duration;
use std::{fs, mem, process, thread};

use gridjudge_sandbox::{Fault, LinuxSandbox};
use parking_lot::{Mutex, MutexGuard};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use crate::cli::screen::{self, INTERRUPTED};
use crate::files;
use crate::report::WeakLiveLines;

/// What a signal must cancel, remove or wait for.
#[derive(Default)]
struct SignalState {
    was_signalled: bool,
    /// Whether the command has ended, so that a signal comes too late to interrupt it.
    is_too_late: bool,
    /// Whether the process ends as soon as no critical section is open.
    is_ending: bool,
    /// The number of open critical sections.
    critical_sections: usize,
    tokens: Vec<Weak<CancelState>>,
    sandboxes: Vec<Weak<LinuxSandbox>>,
    /// The lines that are drawn at the bottom of the terminal.
    lines: Vec<WeakLiveLines>,
}

static STATE: LazyLock<Mutex<SignalState>> = LazyLock::new(Mutex::default);

fn state() -> MutexGuard<'static, SignalState> {
    // No code panics while it holds the lock.
    STATE.lock()
}

/// Starts listening to signals. Must be called first of all, while there is only one
/// thread.
///
/// # Errors
/// If the kernel gives no descriptors or no thread for it.
pub(super) fn listen() -> Result<(), Fault> {
    let failed = Fault::during("listening to signals");
    // Signals are blocked until the handlers are set up; one that came in between would
    // be lost.
    gridjudge_sandbox::block_signals_at_start();
    let mut signals = Signals::new(wanted(&ignored())).map_err(failed)?;
    // With a handler, exceeding the file size limit is an error of the write, which can
    // be reported.
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))
        .map_err(failed)?;
    gridjudge_sandbox::reset_judge_process();
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            signals.forever().take(1).for_each(|_| handle());
            thread::sleep(TOGETHER);
            signals.pending().for_each(drop);
            signals.forever().for_each(|_| handle());
        })
        .map(drop)
        .map_err(failed)
}

/// The signals that end the judge. SIGHUP and SIGQUIT may be ignored from the start,
/// under nohup(1) or in the background of a script; then they stay ignored.
fn wanted(ignored: &dyn Fn(i32) -> bool) -> Vec<i32> {
    let optional = [SIGHUP, SIGQUIT]
        .into_iter()
        .filter(|signal| !ignored(*signal));
    [SIGINT, SIGTERM].into_iter().chain(optional).collect()
}

/// Returns a test for signals that this process was started to ignore. Source:
/// proc_pid_status(5).
fn ignored() -> impl Fn(i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let set = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|set| u64::from_str_radix(set.trim(), 16).ok())
        .unwrap_or(0);
    move |signal| set & 1 << (signal - 1) != 0
}

/// Handles a signal that has come.
fn handle() {
    let mut state = state();
    if state.was_signalled {
        drop(state);
        remove_unfinished_files();
        process::exit(i32::from(INTERRUPTED));
    }
    state.was_signalled = true;
    if state.is_too_late {
        return;
    }
    let tokens: Vec<_> = state
        .tokens
        .iter()
        .filter_map(Weak::upgrade)
        .map(CancelToken)
        .collect();
    drop(state);
    // A command whose runs are ended reports its results and ends the process itself.
    let runs_end = tokens.iter().filter(|token| token.cancel()).count() > 0;
    // Another thread does this, so that a second signal is handled meanwhile. If no
    // thread can be started, this one does it.
    if thread::Builder::new()
        .spawn(move || {
            if runs_end {
                thread::sleep(LONGEST_REPORT);
            }
            end_after_critical_sections();
        })
        .is_err()
        && !runs_end
    {
        end_after_critical_sections();
    }
}

/// Signals this soon after the first are the same one: timeout(1) sends it to the judge,
/// and then to its process group.
const TOGETHER: Duration = Duration::from_millis(200);

/// How long a command may report after its runs were ended. Whatever it does then, the
/// process ends.
const LONGEST_REPORT: Duration = Duration::from_millis(500);

/// Ends the process, or has the last open critical section end it.
fn end_after_critical_sections() {
    let mut state = state();
    state.is_ending = true;
    end_if_due(state);
}

/// Ends the process, if it is ending and no critical section is open.
fn end_if_due(state: MutexGuard<'_, SignalState>) {
    let is_due = state.is_ending && state.critical_sections == 0;
    drop(state);
    if is_due {
        end();
    }
}

/// Removes what is left, and ends the process.
fn end() {
    let mut state = state();
    let sandboxes = mem::take(&mut state.sandboxes);
    let lines = mem::take(&mut state.lines);
    drop(state);
    lines.iter().for_each(WeakLiveLines::end);
    remove_unfinished_files();
    for sandbox in sandboxes.iter().filter_map(Weak::upgrade) {
        sandbox.remove();
    }
    say_interrupted();
    process::exit(i32::from(INTERRUPTED))
}

/// Removes the files that have not got their names yet: within a moment, or in this
/// thread if no other can be started.
fn remove_unfinished_files() {
    if !for_a_moment(files::remove_unfinished) {
        files::remove_unfinished();
    }
}

/// Whether a signal has come that ends the command.
pub(super) fn has_come() -> bool {
    state().was_signalled
}

/// Whether a signal has come that ends the command, which has ended: another comes too
/// late.
pub(super) fn came_in_time() -> bool {
    let mut state = state();
    state.is_too_late = true;
    state.was_signalled
}

/// Says once that the command was interrupted, if that is possible soon: another thread
/// may hold standard error and wait for a reader who never reads. No thread ends the
/// process meanwhile.
pub(super) fn say_interrupted() {
    static SAYING: Once = Once::new();
    SAYING.call_once(|| _ = for_a_moment(|| screen::notice("interrupted")));
}

/// Does something in another thread, and waits only a moment for it: the process must
/// end all the same. Returns whether a thread could be started.
fn for_a_moment(work: impl FnOnce() + Send + 'static) -> bool {
    let (done, hears) = mpsc::channel();
    let thread = thread::Builder::new().spawn(move || {
        work();
        let _ = done.send(());
    });
    if thread.is_ok() {
        let _ = hears.recv_timeout(MOMENT);
    }
    thread.is_ok()
}

/// How long the end of the process waits for anything.
const MOMENT: Duration = Duration::from_secs(1);

/// A token that the first signal cancels. If cancelling ends no runs, the signal ends
/// the process.
pub(crate) fn cancel_token() -> CancelToken {
    let token = CancelToken::default();
    let mut state = state();
    state.tokens.retain(|known| known.strong_count() > 0);
    state.tokens.push(Arc::downgrade(&token.0));
    token
}

/// Held while something is half created or half removed.
pub(crate) struct CriticalSection(());

/// Keeps a first signal from ending the process until the returned guard is dropped. If
/// the process is already ending, never returns.
pub(crate) fn enter_critical_section() -> CriticalSection {
    let mut state = state();
    while state.is_ending {
        drop(state);
        thread::park();
        state = self::state();
    }
    state.critical_sections += 1;
    CriticalSection(())
}

impl Drop for CriticalSection {
    /// Ends the process now, if a signal has come meanwhile and no other section is
    /// open.
    fn drop(&mut self) {
        let mut state = state();
        state.critical_sections -= 1;
        end_if_due(state);
    }
}

/// Registers a sandbox to be removed if a signal ends the process.
pub(crate) fn remove_at_end(sandbox: &Arc<LinuxSandbox>) {
    let mut state = state();
    state.sandboxes.retain(|known| known.strong_count() > 0);
    state.sandboxes.push(Arc::downgrade(sandbox));
}

/// Registers lines to be removed from the terminal if a signal ends the process.
pub(crate) fn clear_at_end(lines: WeakLiveLines) {
    let mut state = state();
    state.lines.retain(WeakLiveLines::are_there);
    state.lines.push(lines);
}

// A token that cancels running work. Signals and the file watcher cancel it; the
// sandbox and the suite observe it.

/// Stops running work. Returns whether there was any.
type CancelAction = Arc<dyn Fn() -> bool + Send + Sync>;

/// A cancellation token. Clones share one state. Once cancelled, it stays cancelled.
#[derive(Clone, Default)]
pub(crate) struct CancelToken(Arc<CancelState>);

#[derive(Default)]
struct CancelState {
    is_cancelled: AtomicBool,
    actions: Mutex<Vec<CancelAction>>,
}

impl CancelToken {
    /// Cancels the token. Returns whether this stopped any running work.
    pub(crate) fn cancel(&self) -> bool {
        let actions = {
            let actions = self.0.actions.lock();
            self.0.is_cancelled.store(true, Ordering::Relaxed);
            actions.clone()
        };
        // Every action must be called, also after one that stopped something; `any`
        // would end there.
        actions.iter().filter(|action| action()).count() > 0
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.flag().load(Ordering::Relaxed)
    }

    /// The flag alone, for code that does not know this type.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0.is_cancelled
    }

    /// Calls `action` when the token is cancelled, or at once if it already is.
    /// Dropping the returned guard unregisters it.
    pub(crate) fn on_cancel(
        &self,
        action: impl Fn() -> bool + Send + Sync + 'static,
    ) -> CancelGuard {
        let action: CancelAction = Arc::new(action);
        let is_late = {
            let mut actions = self.0.actions.lock();
            actions.push(Arc::clone(&action));
            self.is_cancelled()
        };
        if is_late {
            action();
        }
        CancelGuard {
            token: self.clone(),
            action,
        }
    }
}

/// Keeps an action registered.
pub(crate) struct CancelGuard {
    token: CancelToken,
    action: CancelAction,
}

impl Drop for CancelGuard {
    fn drop(&mut self) {
        self.token
            .0
            .actions
            .lock()
            .retain(|action| !Arc::ptr_eq(action, &self.action));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_that_were_ignored_at_the_start_stay_ignored() {
        assert_eq!(wanted(&|_| false), [SIGINT, SIGTERM, SIGHUP, SIGQUIT]);
        assert_eq!(
            wanted(&|signal| signal == SIGHUP),
            [SIGINT, SIGTERM, SIGQUIT]
        );
    }
}

#[cfg(test)]
mod cancel_tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn an_action_is_called_only_while_its_guard_lives_and_at_once_if_the_token_is_cancelled()
     {
        let token = CancelToken::default();
        let calls = Arc::new(AtomicUsize::new(0));
        let count = || {
            let calls = Arc::clone(&calls);
            token.on_cancel(move || {
                calls.fetch_add(1, Ordering::Relaxed);
                true
            })
        };
        drop(count());
        assert!(!token.cancel());
        assert!(token.is_cancelled());
        let _late = count();
        assert_eq!(calls.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn cancelling_calls_every_action_and_reports_if_any_stopped_work() {
        let token = CancelToken::default();
        let _busy = token.on_cancel(|| true);
        let called = Arc::new(AtomicBool::new(false));
        let is_called = Arc::clone(&called);
        let _idle = token.on_cancel(move || {
            is_called.store(true, Ordering::Relaxed);
            false
        });
        assert!(token.cancel());
        assert!(called.load(Ordering::Relaxed));
    }
}
