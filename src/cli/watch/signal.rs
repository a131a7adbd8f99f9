//! Wakes the thread that waits for files to change: after an event in their folders, when the work
//! that it watches is done, or when a signal comes.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long there must be no event before a wait ends: editors write several files, one after
/// another, and the real file may be missing for a moment.
const QUIET: Duration = Duration::from_millis(60);

/// If events never stop, a wait ends after at most this many times [`QUIET`].
const PATIENCE: u32 = 20;

/// The signal of the watching thread, set by file events, by signals of the process, and by the
/// work.
#[derive(Debug, Default)]
pub(super) struct WatchSignal {
    state: Mutex<WatchState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct WatchState {
    has_file_events: bool,
    is_working: bool,
    is_interrupted: bool,
}

/// Held while the work runs.
pub(super) struct WorkGuard<'a>(&'a WatchSignal);

impl Drop for WorkGuard<'_> {
    /// Wakes the watching thread, even during a panic: the scope of that thread waits for it.
    fn drop(&mut self) {
        self.0.set_working(false);
    }
}

/// The reason why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WakeReason {
    /// There were file events, and then none for a while.
    FileEvents,
    /// The work is done.
    WorkDone,
    /// A signal has come.
    Interrupted,
}

impl WatchSignal {
    /// Records an event of a file.
    pub(super) fn note_file_event(&self) {
        self.lock().has_file_events = true;
        self.changed.notify_all();
    }

    /// Records that work begins. It is done when the returned guard is dropped.
    pub(super) fn begin_work(&self) -> WorkGuard<'_> {
        self.set_working(true);
        WorkGuard(self)
    }

    fn set_working(&self, is_working: bool) {
        self.lock().is_working = is_working;
        self.changed.notify_all();
    }

    /// Records that a signal has come.
    pub(super) fn interrupt(&self) {
        self.lock().is_interrupted = true;
        self.changed.notify_all();
    }

    /// Waits until there were file events, a signal comes or, if `while_working`, the work is done.
    pub(super) fn wait(&self, while_working: bool) -> WakeReason {
        let is_idle = |state: &mut WatchState| {
            let is_over = while_working && !state.is_working;
            !(state.is_interrupted || state.has_file_events || is_over)
        };
        let mut state = self
            .changed
            .wait_while(self.lock(), is_idle)
            .unwrap_or_else(PoisonError::into_inner);
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
            let (waited, _) = self
                .changed
                .wait_timeout_while(state, QUIET, is_idle)
                .unwrap_or_else(PoisonError::into_inner);
            state = waited;
        }
        state.has_file_events = false;
        WakeReason::FileEvents
    }

    fn lock(&self) -> MutexGuard<'_, WatchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_come_before_file_events_and_the_end_of_the_work_keeps_the_events_for_the_next_wait()
    {
        let signal = WatchSignal::default();
        signal.note_file_event();
        assert_eq!(signal.wait(true), WakeReason::WorkDone);
        assert_eq!(signal.wait(false), WakeReason::FileEvents);
        let working = signal.begin_work();
        signal.note_file_event();
        assert_eq!(signal.wait(true), WakeReason::FileEvents);
        signal.note_file_event();
        signal.interrupt();
        assert_eq!(signal.wait(true), WakeReason::Interrupted);
        drop(working);
        assert_eq!(signal.wait(false), WakeReason::Interrupted);
    }

    /// A file that is written all the time must not delay the end of a wait for ever.
    #[test]
    fn a_wait_ends_even_if_file_events_never_stop() {
        let signal = WatchSignal::default();
        signal.note_file_event();
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                while !signal.lock().is_interrupted {
                    signal.note_file_event();
                    std::thread::yield_now();
                }
            });
            assert_eq!(signal.wait(false), WakeReason::FileEvents);
            signal.interrupt();
            writer.join().unwrap();
        });
    }
}
