//! Keeps the idle launchers and lends them to runs. Knows which slots are free; knows
//! nothing of runs. Start at [`LauncherPool::take_slot`].

use std::cell::Cell;
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::Fault;
use crate::confine::inherited;
use crate::host::launcher_config::LauncherConfig;
use crate::host::launcher_handle::{self, LauncherHandle};

/// The fault of a run that finds the pool closed.
pub(super) fn interrupted() -> Fault {
    Fault::because("running a program", "interrupted")
}

thread_local! {
    /// The slot of a pool that this thread used last. What its launcher has cached is
    /// most likely what the next run needs.
    static LAST_SLOT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// A slot taken from a pool, given back on drop.
pub(super) struct PoolSlot<'a> {
    pool: &'a LauncherPool,
    number: usize,
    /// `None` if it has none.
    launcher: Option<LauncherHandle>,
}

impl PoolSlot<'_> {
    /// Its launcher, or a fresh one if it has none, or one that must be replaced.
    ///
    /// # Errors
    /// Returns a [`Fault`] if a fresh one cannot be started, or the pool has been
    /// closed.
    pub(super) fn launcher(
        &mut self,
        setup: &LauncherConfig,
    ) -> Result<&mut LauncherHandle, Fault> {
        self.launcher.take_if(|launcher| !launcher.is_fit);
        match &mut self.launcher {
            Some(launcher) => Ok(launcher),
            none => Ok(none.insert(self.pool.replace(setup, self.number)?)),
        }
    }
}

impl Drop for PoolSlot<'_> {
    fn drop(&mut self) {
        // Not while the pool is locked: a launcher that must be replaced is ended.
        let launcher = self.launcher.take().filter(|launcher| launcher.is_fit);
        self.pool.lock().idle.push((self.number, launcher));
        self.pool.returned.notify_one();
    }
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
    /// Creates a pool of slots with these numbers. They have no launchers yet, except
    /// the first, if one is given for it.
    pub(super) fn new(slots: Range<usize>, launcher: Option<LauncherHandle>) -> Self {
        let first = slots.start;
        let mut sockets = vec![None; slots.end];
        sockets[first] = launcher
            .as_ref()
            .map(|launcher| Arc::clone(&launcher.socket));
        let idle = slots
            .skip(1)
            .map(|number| (number, None))
            .rev()
            .chain([(first, launcher)])
            .collect();
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

    /// Waits for a free slot and takes it, preferably the one that this thread had
    /// last, else one that has a launcher.
    ///
    /// # Errors
    /// Returns a [`Fault`] once the pool is closed.
    pub(super) fn take_slot(&self) -> Result<PoolSlot<'_>, Fault> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return Err(interrupted());
            }
            let last = LAST_SLOT.get().saturating_add(self.first);
            // Of equal ones the last, which has the lowest number at first.
            let place = (0..state.idle.len()).max_by_key(|place| {
                let (number, launcher) = &state.idle[*place];
                (*number == last, launcher.is_some())
            });
            if let Some(place) = place {
                let (number, launcher) = state.idle.remove(place);
                LAST_SLOT.set(number - self.first);
                return Ok(PoolSlot {
                    pool: self,
                    number,
                    launcher,
                });
            }
            state = self
                .returned
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Starts a launcher for a slot that has none, or whose launcher has died.
    ///
    /// # Errors
    /// Returns a [`Fault`] if it cannot be started, or the pool has been closed.
    fn replace(
        &self,
        setup: &LauncherConfig,
        number: usize,
    ) -> Result<LauncherHandle, Fault> {
        let slot = setup.start(number).map_err(inherited::with_low_limit)?;
        let mut state = self.lock();
        state.sockets[number] = Some(Arc::clone(&slot.socket));
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

    /// Waits for the idle launchers, which have been told to exit.
    pub(super) fn await_idle(&self) {
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
