//! Lets a program be compiled once where several workers need it at the same time: the first
//! compiles it, and the others wait and then find what is kept. Knows keys; knows nothing of what
//! is kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::cache::CacheKey;

/// The programs that have been compiled, or are being compiled for the first time.
#[derive(Default)]
pub(super) struct FirstBuilds {
    /// For each program, whether its first compilation has ended. It is locked meanwhile.
    ended: Mutex<HashMap<CacheKey, Arc<Mutex<bool>>>>,
}

impl FirstBuilds {
    /// Compiles a program, but not while another worker does so for the first time. After that
    /// nobody waits: if nothing was kept, all others compile at the same time.
    pub(super) fn after_first<T>(&self, program: CacheKey, compile: impl FnOnce() -> T) -> T {
        let ended = Arc::clone(
            self.ended
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .entry(program)
                .or_default(),
        );
        let mut has_ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
        if *has_ended {
            drop(has_ended);
            return compile();
        }
        let made = compile();
        *has_ended = true;
        made
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::cache::KeyHasher;

    #[test]
    fn a_second_worker_waits_for_the_first_and_later_ones_for_nobody() {
        let builds = FirstBuilds::default();
        let done = AtomicUsize::new(0);
        let begun = Barrier::new(2);
        let both = Barrier::new(2);
        let key = KeyHasher::of("a").finish();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                builds.after_first(key, || {
                    begun.wait();
                    std::thread::yield_now();
                    done.store(1, Ordering::SeqCst);
                });
            });
            begun.wait();
            builds.after_first(KeyHasher::of("b").finish(), || ());
            for _ in 0..2 {
                scope.spawn(|| {
                    builds.after_first(key, || {
                        assert_eq!(done.load(Ordering::SeqCst), 1);
                        both.wait();
                    });
                });
            }
        });
    }
}
