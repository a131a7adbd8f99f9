//! The signals that end the judge: heard from its first moment on, by one thread, and answered by whoever has something to
//! bring to its end. Where nobody has, what a sandbox has made is removed, and the process ends. Start at [`listen`].
//!
//! ```text
//! signal --> somebody judges?            --> he ends the runs, tells what is known, and leaves with 130
//!            a sandbox is being set up?  --> as soon as it is, it is removed, and the process ends
//!            else                        --> sandboxes are removed, and the process ends
//! again  --> the process ends at once; launchers clear away what runs
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

use gridjudge_sandbox::Fault;
use gridjudge_sandbox::LinuxSandbox;

/// As shells report who was interrupted.
const INTERRUPTED: i32 = 130;

/// Takes part in the end: ends what it has under way. Says whether it will see to the end of the process, too.
type SignalListener = Arc<dyn Fn() -> bool + Send + Sync>;

/// What is to be done when a signal comes.
struct SignalState {
    has_come: bool,
    /// Whether nobody else sees to the end of the process.
    is_ending: bool,
    /// How many are at something that must be whole before it can be removed.
    busy: usize,
    listeners: Vec<(u64, SignalListener)>,
    next: u64,
    sandboxes: Vec<Weak<LinuxSandbox>>,
}

static STATE: Mutex<SignalState> = Mutex::new(SignalState {
    has_come: false,
    is_ending: false,
    busy: 0,
    listeners: Vec::new(),
    next: 0,
    sandboxes: Vec::new(),
});

fn state() -> MutexGuard<'static, SignalState> {
    // Nothing panics while it holds the lock.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hears signals from now on. To be called first of all, while there is one thread.
///
/// # Errors
/// If the kernel gives no descriptors for it.
pub(super) fn listen() -> Result<(), Fault> {
    let failed = |error| Fault::new("listening to signals", error);
    // One that comes while this is half done would be lost.
    gridjudge_sandbox::block_all_signals();
    let mut signals = Signals::new(wanted(&ignored())).map_err(failed)?;
    // Writing more than a file may hold is then an error that can be told.
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map_err(failed)?;
    gridjudge_sandbox::reset_judge_process();
    let hear = move || signals.forever().for_each(|_| come());
    thread::Builder::new().name("signals".to_owned()).spawn(hear).map(drop).map_err(failed)
}

/// What ends the judge. Who starts it behind nohup(1), or lets a script go on without it, has had two of them ignored.
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
        std::process::exit(INTERRUPTED);
    }
    state.has_come = true;
    let listeners: Vec<SignalListener> =
        state.listeners.iter().map(|(_, listener)| Arc::clone(listener)).collect();
    drop(state);
    let mut is_seen_to = false;
    for listener in listeners {
        is_seen_to |= listener();
    }
    let mut state = self::state();
    state.is_ending = !is_seen_to;
    if state.is_ending && state.busy == 0 {
        drop(state);
        // By another thread, so that a second signal is heard meanwhile; by this one where no more threads are available.
        if thread::Builder::new().spawn(end).is_err() {
            end();
        }
    }
}

/// Removes what sandboxes have made, and ends the process.
fn end() {
    let sandboxes = std::mem::take(&mut state().sandboxes);
    sandboxes.iter().filter_map(Weak::upgrade).for_each(|sandbox| sandbox.remove());
    std::process::exit(INTERRUPTED)
}

/// Lasts as long as somebody wants to hear of signals.
pub(crate) struct ListenerGuard(u64);

/// Calls `listener` when a signal comes, from another thread, for as long as the returned value lives.
pub(crate) fn when_one_comes(listener: impl Fn() -> bool + Send + Sync + 'static) -> ListenerGuard {
    let mut state = state();
    let number = state.next;
    state.next += 1;
    state.listeners.push((number, Arc::new(listener)));
    ListenerGuard(number)
}

impl Drop for ListenerGuard {
    fn drop(&mut self) {
        state().listeners.retain(|(number, _)| *number != self.0);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_asked_for_a_judge_that_goes_on_has_one() {
        assert_eq!(wanted(&|_| false), [SIGINT, SIGTERM, SIGHUP, SIGQUIT]);
        assert_eq!(wanted(&|signal| signal == SIGHUP), [SIGINT, SIGTERM, SIGQUIT]);
    }
}
