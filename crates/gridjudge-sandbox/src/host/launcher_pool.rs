//! The idle launchers. Knows which slots are free; knows nothing of runs. Start at
//! [`LauncherPool::take`].

use std::cell::Cell;
use std::os::fd::OwnedFd;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::thread;
use std::thread::Builder;

use crate::Fault;
use crate::host::launcher_config::LauncherConfig;
use crate::host::launcher_handle;
use crate::host::launcher_handle::LauncherHandle;

/// Starts a launcher for each slot, all at once: starting a process takes until it has exec'd. Carries out
/// `meanwhile` in that time.
///
/// # Errors
/// The first of all that could not be started.
pub(super) fn start_all<T>(
    slots: usize,
    start: impl Fn() -> Result<LauncherHandle, Fault> + Sync,
    meanwhile: impl FnOnce() -> T,
) -> (Result<Vec<LauncherHandle>, Fault>, T) {
    thread::scope(|scope| {
        let start = &start;
        let under_way: Vec<_> = (0..slots).map(|_| Builder::new().spawn_scoped(scope, start)).collect();
        let other = meanwhile();
        let started = under_way.into_iter().map(|thread| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            // No thread to be had.
            Err(_) => start(),
        });
        (started.collect(), other)
    })
}

/// How many launchers a run may lose, or be disturbed on, before it is given up.
pub(super) const MOST_ATTEMPTS: usize = 3;

/// What a run comes to that finds the pool closed.
pub(super) fn interrupted() -> Fault {
    Fault::because("running a program", "interrupted")
}

thread_local! {
    /// Which seat of a pool this thread had last: what its launcher has ready there is most likely what the next run wants.
    static LAST_SEAT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Lends launchers to runs, one each.
pub(super) struct LauncherPool {
    state: Mutex<PoolState>,
    returned: Condvar,
    /// The number of the first slot.
    first: usize,
}

struct PoolState {
    /// Numbers of slots that are free, with their launchers where these live.
    idle: Vec<(usize, Option<LauncherHandle>)>,
    /// The socket of every slot's launcher, by which it can be interrupted.
    sockets: Vec<Option<Arc<OwnedFd>>>,
    closed: bool,
}

impl LauncherPool {
    /// With these launchers, in the order of their slots.
    pub(super) fn new(slots: Vec<LauncherHandle>) -> Self {
        let sockets = slots.iter().map(|slot| Some(Arc::clone(slot.socket()))).collect();
        let idle = slots.into_iter().map(Some).enumerate().rev().collect();
        let state = Mutex::new(PoolState { idle, sockets, closed: false });
        Self { state, returned: Condvar::new(), first: 0 }
    }

    /// Without any launcher yet, for slots of these numbers.
    pub(super) fn of_none(slots: std::ops::Range<usize>) -> Self {
        let first = slots.start;
        let sockets = (0..slots.end).map(|_| None).collect();
        let idle = slots.map(|number| (number, None)).rev().collect();
        let state = Mutex::new(PoolState { idle, sockets, closed: false });
        Self { state, returned: Condvar::new(), first }
    }

    /// Waits for a free slot, and takes the one that this thread had last if that is free; `None` once the pool is closed.
    pub(super) fn take(&self) -> Option<(usize, Option<LauncherHandle>)> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            let last = LAST_SEAT.get().saturating_add(self.first);
            let place = state.idle.iter().position(|(number, _)| *number == last);
            let place = place.or(state.idle.len().checked_sub(1));
            if let Some(place) = place {
                let (number, slot) = state.idle.remove(place);
                LAST_SEAT.set(number - self.first);
                return Some((number, slot));
            }
            state = self.returned.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes a slot back, with its launcher if that lives.
    pub(super) fn give_back(&self, number: usize, slot: Option<LauncherHandle>) {
        self.lock().idle.push((number, slot));
        self.returned.notify_one();
    }

    /// A launcher for a slot that has none, or whose own has died.
    ///
    /// # Errors
    /// A [`Fault`] if it cannot be started, or the pool has been closed.
    pub(super) fn replace(&self, setup: &LauncherConfig, number: usize) -> Result<LauncherHandle, Fault> {
        let slot = setup.start_again(number)?;
        let mut state = self.lock();
        state.sockets[number] = Some(Arc::clone(slot.socket()));
        // Closing may have passed it by.
        if state.closed { Err(interrupted()) } else { Ok(slot) }
    }

    /// Tells all launchers to leave. Does not wait.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        for socket in state.sockets.iter().flatten() {
            launcher_handle::hang_up(socket);
        }
        self.returned.notify_all();
    }

    /// Tells all launchers to leave, and waits for those that are idle.
    pub(super) fn shut_down(&self) {
        self.close();
        let idle = std::mem::take(&mut self.lock().idle);
        drop(idle);
    }

    /// Whether all are to leave.
    pub(super) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Process ids of the idle launchers.
    pub(super) fn launcher_ids(&self) -> Vec<u32> {
        self.lock()
            .idle
            .iter()
            .filter_map(|(_, slot)| slot.as_ref().map(LauncherHandle::process_id))
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, PoolState> {
        // Nothing panics while it holds the lock and leaves the pool half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
