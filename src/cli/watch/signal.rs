//! What the waiting thread is told: that files stirred, that the judging he watches over is done, that he is to stop.

use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::time::Duration;

/// How long files must be quiet before anybody looks at them: editors write several files, one after the other, and the
/// real one is missing for a moment.
const QUIET: Duration = Duration::from_millis(60);

/// Looks at files that never come to rest are no further apart than so many times that.
const PATIENCE: u32 = 20;

/// Told by the watcher, the signals and the judging.
#[derive(Debug, Default)]
pub(crate) struct WatchSignal {
    state: Mutex<WatchState>,
    told: Condvar,
}

#[derive(Debug, Default)]
struct WatchState {
    has_stirred: bool,
    is_judging: bool,
    is_interrupted: bool,
}

/// Why a wait is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WakeReason {
    /// Files have stirred, and are quiet again.
    Stirred,
    /// The judging that was watched over is done.
    Judged,
    /// A signal has come.
    Interrupted,
}

impl WatchSignal {
    /// Some file has stirred.
    pub(crate) fn stir(&self) {
        self.lock().has_stirred = true;
        self.told.notify_all();
    }

    /// Judging begins, or is done.
    pub(crate) fn set_judging(&self, is_judging: bool) {
        self.lock().is_judging = is_judging;
        self.told.notify_all();
    }

    /// A signal has come; `false` if no judging is on that will end for it.
    pub(crate) fn interrupt(&self) -> bool {
        let mut state = self.lock();
        state.is_interrupted = true;
        self.told.notify_all();
        state.is_judging
    }

    /// Whether a signal has come.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.lock().is_interrupted
    }

    /// Waits for news: of files, of the end of the judging if `while_judging`, of signals in any case.
    pub(crate) fn wait(&self, while_judging: bool) -> WakeReason {
        let is_idle = |state: &mut WatchState| {
            let is_over = while_judging && !state.is_judging;
            !(state.is_interrupted || state.has_stirred || is_over)
        };
        let mut state = self.told.wait_while(self.lock(), is_idle).unwrap_or_else(PoisonError::into_inner);
        for _ in 0..PATIENCE {
            if state.is_interrupted {
                return WakeReason::Interrupted;
            }
            if while_judging && !state.is_judging {
                // Whoever waits next is to hear of what has stirred.
                return WakeReason::Judged;
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
    fn a_signal_counts_more_than_a_file_and_the_end_of_judging_leaves_the_file_to_the_next() {
        let signal = WatchSignal::default();
        signal.stir();
        assert_eq!(signal.wait(true), WakeReason::Judged);
        assert_eq!(signal.wait(false), WakeReason::Stirred);
        signal.set_judging(true);
        signal.stir();
        assert_eq!(signal.wait(true), WakeReason::Stirred);
        signal.stir();
        assert!(signal.interrupt());
        assert_eq!(signal.wait(true), WakeReason::Interrupted);
        signal.set_judging(false);
        assert!(!signal.interrupt());
    }

    /// A file that is written without end must not put off a look at it for ever.
    #[test]
    fn files_that_never_rest_are_looked_at_all_the_same() {
        let signal = WatchSignal::default();
        signal.stir();
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                while !signal.is_interrupted() {
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
