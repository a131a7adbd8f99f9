//! Keeps the idle launchers and lends them to runs. Knows which slots are free; knows nothing of
//! runs. Start at [`LauncherPool::take`].

use std::cell::Cell;
use std::os::fd::OwnedFd;
use std::panic::resume_unwind;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::thread::Builder;

use crate::Fault;
use crate::host::launcher_config::LauncherConfig;
use crate::host::launcher_handle;
use crate::host::launcher_handle::LauncherHandle;

/// Starts a launcher for each slot, all in parallel, because starting a process returns only when
/// it has exec'd. Calls `meanwhile` in that time.
///
/// # Errors
/// Returns the fault of the first launcher that could not be started.
pub(super) fn start_all<T>(
    slots: usize,
    start: impl Fn() -> Result<LauncherHandle, Fault> + Sync,
    meanwhile: impl FnOnce() -> T,
) -> (Result<Vec<LauncherHandle>, Fault>, T) {
    thread::scope(|scope| {
        let start = &start;
        let under_way: Vec<_> = (0..slots)
            .map(|_| Builder::new().spawn_scoped(scope, start))
            .collect();
        let other = meanwhile();
        let started = under_way.into_iter().map(|thread| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            // The system gave us no thread.
            Err(_) => start(),
        });
        (started.collect(), other)
    })
}

/// The fault of a run that finds the pool closed.
pub(super) fn interrupted() -> Fault {
    Fault::because("running a program", "interrupted")
}

thread_local! {
    /// The slot of a pool that this thread used last. What its launcher has cached is most likely
    /// what the next run needs.
    static LAST_SLOT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Lends launchers to runs, one each.
pub(super) struct LauncherPool {
    state: Mutex<PoolState>,
    returned: Condvar,
    /// The number of the first slot.
    first: usize,
}

struct PoolState {
    /// The numbers of free slots, with their launchers if these live.
    idle: Vec<(usize, Option<LauncherHandle>)>,
    /// The socket of every slot's launcher, by which it can be interrupted.
    sockets: Vec<Option<Arc<OwnedFd>>>,
    closed: bool,
}

impl LauncherPool {
    /// Creates a pool of these launchers, in the order of their slots.
    pub(super) fn new(slots: Vec<LauncherHandle>) -> Self {
        let sockets = slots
            .iter()
            .map(|slot| Some(Arc::clone(slot.socket())))
            .collect();
        let idle = slots.into_iter().map(Some).enumerate().rev().collect();
        Self::of_state(0, idle, sockets)
    }

    /// Creates a pool of slots with these numbers that have no launchers yet.
    pub(super) fn without_launchers(slots: std::ops::Range<usize>) -> Self {
        let first = slots.start;
        let sockets = (0..slots.end).map(|_| None).collect();
        let idle = slots.map(|number| (number, None)).rev().collect();
        Self::of_state(first, idle, sockets)
    }

    fn of_state(
        first: usize,
        idle: Vec<(usize, Option<LauncherHandle>)>,
        sockets: Vec<Option<Arc<OwnedFd>>>,
    ) -> Self {
        let state = Mutex::new(PoolState {
            idle,
            sockets,
            closed: false,
        });
        Self {
            state,
            returned: Condvar::new(),
            first,
        }
    }

    /// Waits for a free slot and takes it, preferably the one that this thread had last. Returns
    /// `None` once the pool is closed.
    pub(super) fn take(&self) -> Option<(usize, Option<LauncherHandle>)> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            let last = LAST_SLOT.get().saturating_add(self.first);
            let place = state.idle.iter().position(|(number, _)| *number == last);
            let place = place.or(state.idle.len().checked_sub(1));
            if let Some(place) = place {
                let (number, slot) = state.idle.remove(place);
                LAST_SLOT.set(number - self.first);
                return Some((number, slot));
            }
            state = self
                .returned
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes a slot back, with its launcher if that can take another run.
    pub(super) fn give_back(&self, number: usize, slot: Option<LauncherHandle>) {
        self.lock().idle.push((number, slot));
        self.returned.notify_one();
    }

    /// Starts a launcher for a slot that has none, or whose launcher has died.
    ///
    /// # Errors
    /// Returns a [`Fault`] if it cannot be started, or the pool has been closed.
    pub(super) fn replace(
        &self,
        setup: &LauncherConfig,
        number: usize,
    ) -> Result<LauncherHandle, Fault> {
        let slot = setup.start_again(number)?;
        let mut state = self.lock();
        state.sockets[number] = Some(Arc::clone(slot.socket()));
        // If the pool was closed in the meantime, this launcher was not told to exit.
        if state.closed {
            Err(interrupted())
        } else {
            Ok(slot)
        }
    }

    /// Tells all launchers to exit. Does not wait.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        for socket in state.sockets.iter().flatten() {
            launcher_handle::hang_up(socket);
        }
        self.returned.notify_all();
    }

    /// Tells all launchers to exit, and waits for the idle ones.
    pub(super) fn shut_down(&self) {
        self.close();
        let idle = std::mem::take(&mut self.lock().idle);
        drop(idle);
    }

    /// Whether all launchers have been told to exit.
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
        // No code that holds the lock panics and leaves the pool half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
