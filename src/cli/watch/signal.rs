//! Wakes a thread that waits for files to change: something happened in their folders, the work that it watches is done, or
//! a signal has come.

use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::time::Duration;

/// How long files must be quiet before they are looked at: editors write several files, one after the other, and the real
/// one is missing for a moment.
const QUIET: Duration = Duration::from_millis(60);

/// Looks at files that never come to rest are no further apart than so many times that.
const PATIENCE: u32 = 20;

/// Set by the kernel's events, by signals, and by the work itself.
#[derive(Debug, Default)]
pub(super) struct WatchSignal {
    state: Mutex<WatchState>,
    told: Condvar,
}

#[derive(Debug, Default)]
struct WatchState {
    has_stirred: bool,
    is_working: bool,
    is_interrupted: bool,
}

/// Lasts as long as the work.
pub(super) struct WorkGuard<'a>(&'a WatchSignal);

impl Drop for WorkGuard<'_> {
    /// Wakes the thread that watches, also on the way out of a panic: its scope waits for it.
    fn drop(&mut self) {
        self.0.set_working(false);
    }
}

/// Why a wait is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WakeReason {
    /// Files have stirred, and are quiet again.
    Stirred,
    /// The work is done.
    WorkDone,
    /// A signal has come.
    Interrupted,
}

impl WatchSignal {
    /// Some file has stirred.
    pub(super) fn stir(&self) {
        self.lock().has_stirred = true;
        self.told.notify_all();
    }

    /// Work begins; it is done when the returned value is dropped.
    pub(super) fn begin_work(&self) -> WorkGuard<'_> {
        self.set_working(true);
        WorkGuard(self)
    }

    fn set_working(&self, is_working: bool) {
        self.lock().is_working = is_working;
        self.told.notify_all();
    }

    /// A signal has come.
    pub(super) fn interrupt(&self) {
        self.lock().is_interrupted = true;
        self.told.notify_all();
    }

    /// Waits until files have stirred, a signal comes, or, if `while_working`, the work is done.
    pub(super) fn wait(&self, while_working: bool) -> WakeReason {
        let is_idle = |state: &mut WatchState| {
            let is_over = while_working && !state.is_working;
            !(state.is_interrupted || state.has_stirred || is_over)
        };
        let mut state = self.told.wait_while(self.lock(), is_idle).unwrap_or_else(PoisonError::into_inner);
        for _ in 0..PATIENCE {
            if state.is_interrupted {
                return WakeReason::Interrupted;
            }
            if while_working && !state.is_working {
                // What has stirred is left to the next wait.
                return WakeReason::WorkDone;
            }
            if !std::mem::take(&mut state.has_stirred) {
                break;
            }
            let (waited, _) =
                self.told.wait_timeout_while(state, QUIET, is_idle).unwrap_or_else(PoisonError::into_inner);
            state = waited;
        }
        state.has_stirred = false;
        WakeReason::Stirred
    }

    fn lock(&self) -> MutexGuard<'_, WatchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_counts_more_than_a_file_and_the_end_of_the_work_leaves_the_file_to_the_next() {
        let signal = WatchSignal::default();
        signal.stir();
        assert_eq!(signal.wait(true), WakeReason::WorkDone);
        assert_eq!(signal.wait(false), WakeReason::Stirred);
        let working = signal.begin_work();
        signal.stir();
        assert_eq!(signal.wait(true), WakeReason::Stirred);
        signal.stir();
        signal.interrupt();
        assert_eq!(signal.wait(true), WakeReason::Interrupted);
        drop(working);
        assert_eq!(signal.wait(false), WakeReason::Interrupted);
    }

    /// A file that is written without end must not put off a look at it for ever.
    #[test]
    fn files_that_never_rest_are_looked_at_all_the_same() {
        let signal = WatchSignal::default();
        signal.stir();
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                while !signal.lock().is_interrupted {
                    signal.stir();
                    std::thread::yield_now();
                }
            });
            assert_eq!(signal.wait(false), WakeReason::Stirred);
            signal.interrupt();
            writer.join().unwrap();
        });
    }
}
