//! A token that cancels running work. Signals and the file watcher cancel it; the sandbox and the
//! suite observe it. Uses no other file of the command line.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

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
        // Every action must be called, also after one that stopped something; `any` would end
        // there.
        actions.iter().filter(|action| action()).count() > 0
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.flag().load(Ordering::Relaxed)
    }

    /// The flag alone, for code that does not know this type.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0.is_cancelled
    }

    /// Calls `action` when the token is cancelled, or at once if it already is. Dropping the
    /// returned guard unregisters it.
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

    pub(crate) fn downgrade(&self) -> WeakCancelToken {
        WeakCancelToken(Arc::downgrade(&self.0))
    }
}

/// A reference that does not keep the token alive.
pub(crate) struct WeakCancelToken(Weak<CancelState>);

impl WeakCancelToken {
    pub(crate) fn upgrade(&self) -> Option<CancelToken> {
        self.0.upgrade().map(CancelToken)
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
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn an_action_is_called_only_while_its_guard_lives_and_at_once_if_the_token_is_cancelled() {
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
