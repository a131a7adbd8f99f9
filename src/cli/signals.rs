//! The signals that end the judge, heard by one thread from the first moment on. A signal cancels the tokens of commands.
//! Where that ends no runs, what a sandbox has made is removed, and the process ends. Start at [`listen`].
//!
//! ```text
//! first signal --> programs run?                --> they are ended; the command tells what is known, and ends with 130
//!                  a sandbox is being set up?   --> as soon as it is, it is removed, and the process ends
//!                  else                         --> sandboxes are removed, and the process ends
//! second one   --> the process ends at once; launchers remove what runs
//! ```

use std::fs;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::Weak;
use std::sync::atomic::AtomicBool;
use std::thread;

use signal_hook::consts::SIGHUP;
use signal_hook::consts::SIGINT;
use signal_hook::consts::SIGQUIT;
use signal_hook::consts::SIGTERM;
use signal_hook::consts::SIGXFSZ;
use signal_hook::iterator::Signals;

use crate::cli::cancel::CancelToken;
use crate::cli::cancel::WeakCancelToken;
use crate::cli::exit::INTERRUPTED;
use crate::report::WeakLiveLines;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::LinuxSandbox;

/// What must be ended or awaited when a signal comes.
struct SignalState {
    has_come: bool,
    /// Whether the process ends as soon as nothing is half made.
    is_ending: bool,
    /// How many things are being made or removed that must be whole before the process ends.
    busy: usize,
    tokens: Vec<WeakCancelToken>,
    sandboxes: Vec<Weak<LinuxSandbox>>,
    /// What is drawn at the foot of the terminal.
    lines: Vec<WeakLiveLines>,
}

static STATE: Mutex<SignalState> = Mutex::new(SignalState {
    has_come: false,
    is_ending: false,
    busy: 0,
    tokens: Vec::new(),
    sandboxes: Vec::new(),
    lines: Vec::new(),
});

fn state() -> MutexGuard<'static, SignalState> {
    // Nothing panics while it holds the lock.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Listens to signals from now on. To be called first of all, while there is one thread.
///
/// # Errors
/// If the kernel gives no descriptors for it.
pub(super) fn listen() -> Result<(), Fault> {
    let failed = |error| Fault::new("listening to signals", error);
    // A signal that came while this is half done would be lost.
    gridjudge_sandbox::block_all_signals();
    let mut signals = Signals::new(wanted(&ignored())).map_err(failed)?;
    // Writing more than a file may hold is then an error that can be reported.
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map_err(failed)?;
    gridjudge_sandbox::reset_judge_process();
    let hear = move || signals.forever().for_each(|_| come());
    thread::Builder::new().name("signals".to_owned()).spawn(hear).map(drop).map_err(failed)
}

/// The signals that end the judge. Under nohup(1), and in the background of a script, two of them are ignored: they stay so.
fn wanted(ignored: &dyn Fn(i32) -> bool) -> Vec<i32> {
    let polite = [SIGHUP, SIGQUIT].into_iter().filter(|signal| !ignored(*signal));
    [SIGINT, SIGTERM].into_iter().chain(polite).collect()
}

/// Which signals this process was started with as ignored. Source: proc_pid_status(5).
fn ignored() -> impl Fn(i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let set = set.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).unwrap_or(0);
    move |signal| set & 1 << (signal - 1) != 0
}

/// A signal has come.
fn come() {
    let mut state = state();
    if state.has_come {
        std::process::exit(i32::from(INTERRUPTED));
    }
    state.has_come = true;
    let tokens: Vec<_> = state.tokens.iter().filter_map(WeakCancelToken::upgrade).collect();
    drop(state);
    // Whose runs are ended tells what is known, and ends the process.
    let runs_end = tokens.iter().filter(|token| token.cancel()).count() > 0;
    let mut state = self::state();
    state.is_ending = !runs_end;
    if state.is_ending && state.busy == 0 {
        drop(state);
        // By another thread, so that a second signal is heard meanwhile; by this one where no more threads are available.
        if thread::Builder::new().spawn(end).is_err() {
            end();
        }
    }
}

/// Removes what is drawn and what sandboxes have made, and ends the process.
fn end() {
    let mut state = state();
    let (sandboxes, lines) = (std::mem::take(&mut state.sandboxes), std::mem::take(&mut state.lines));
    drop(state);
    lines.iter().for_each(WeakLiveLines::end);
    sandboxes.iter().filter_map(Weak::upgrade).for_each(|sandbox| sandbox.remove());
    std::process::exit(i32::from(INTERRUPTED))
}

/// A token that the first signal cancels. While nothing runs that ends because of it, a signal ends the process.
pub(crate) fn cancel_token() -> CancelToken {
    let token = CancelToken::default();
    let mut state = state();
    state.tokens.retain(|known| known.upgrade().is_some());
    state.tokens.push(token.downgrade());
    token
}

/// Lasts as long as something is half made, or half removed.
pub(crate) struct CriticalSection(());

/// Keeps a signal from ending the process until the returned value is dropped. In a process that is ending already nothing is
/// begun any more.
pub(crate) fn be_busy() -> CriticalSection {
    let mut state = state();
    while state.is_ending {
        drop(state);
        thread::park();
        state = self::state();
    }
    state.busy += 1;
    CriticalSection(())
}

impl Drop for CriticalSection {
    /// A signal that has come meanwhile ends the process now.
    fn drop(&mut self) {
        let mut state = state();
        state.busy -= 1;
        let is_to_end = state.busy == 0 && state.is_ending;
        drop(state);
        if is_to_end {
            end();
        }
    }
}

/// Has a sandbox removed if a signal ends the process.
pub(crate) fn remove_at_end(sandbox: &Arc<LinuxSandbox>) {
    let mut state = state();
    state.sandboxes.retain(|known| known.strong_count() > 0);
    state.sandboxes.push(Arc::downgrade(sandbox));
}

/// Has lines removed from the terminal if a signal ends the process.
pub(crate) fn clear_at_end(lines: WeakLiveLines) {
    let mut state = state();
    state.lines.retain(WeakLiveLines::are_there);
    state.lines.push(lines);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_that_were_ignored_at_the_start_stay_ignored() {
        assert_eq!(wanted(&|_| false), [SIGINT, SIGTERM, SIGHUP, SIGQUIT]);
        assert_eq!(wanted(&|signal| signal == SIGHUP), [SIGINT, SIGTERM, SIGQUIT]);
    }
}
