//! Does one kind of work on many things at once, and tells what came of each in the order of the things. Knows no kind of work.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::thread;

use crate::cli::cancel::CancelToken;
use gridjudge_sandbox::Fault;

/// Does work on many things at once, and returns what came of each in their order. Once it is cancelled, nothing is begun any more:
/// what is returned then is less than was asked for.
///
/// # Errors
/// The [`Fault`] of the first thing, in their order, that has one; behind it nothing is begun. Things are begun in their order, so it
/// is the same at any number of jobs.
pub(crate) fn in_parallel<T: Sync, R: Send>(
    things: &[T],
    jobs: usize,
    cancel: &CancelToken,
    work: &(impl Fn(&T) -> Result<R, Fault> + Sync),
) -> Result<Vec<R>, Fault> {
    let (next, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let done = Mutex::new(Vec::new());
    let worker = || {
        // What is claimed is done: else the first that fails were another each time.
        while !cancel.is_cancelled() && !has_failed.load(Ordering::Relaxed) {
            let Some((number, thing)) = claim(&next, things) else { return };
            let result = work(thing);
            has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
        }
    };
    thread::scope(|scope| (0..jobs.min(things.len())).for_each(|_| _ = scope.spawn(worker)));
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

fn claim<'t, T>(next: &AtomicUsize, things: &'t [T]) -> Option<(usize, &'t T)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    things.get(number).map(|thing| (number, thing))
}
