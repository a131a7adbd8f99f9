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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_of_things_is_told_in_their_order() {
        let things: Vec<u64> = (0..100).collect();
        let squares: Vec<_> = things.iter().map(|thing| thing * thing).collect();
        for jobs in [1, 4, 1000] {
            let done = in_parallel(&things, jobs, &CancelToken::default(), &|thing| Ok(thing * thing));
            assert_eq!(done.unwrap(), squares, "{jobs}");
        }
    }

    #[test]
    fn the_first_thing_that_fails_is_told_and_behind_it_little_is_begun() {
        let things: Vec<u64> = (0..10_000).collect();
        for jobs in [1, 4] {
            let begun = AtomicUsize::new(0);
            let work = |thing: &u64| {
                begun.fetch_add(1, Ordering::Relaxed);
                if *thing < 40 { Ok(()) } else { Err(Fault::because("failing", thing.to_string())) }
            };
            let fault = in_parallel(&things, jobs, &CancelToken::default(), &work).unwrap_err();
            assert_eq!(fault.cause, "40", "{jobs}");
            assert!(begun.load(Ordering::Relaxed) <= 40 + jobs, "{begun:?}");
        }
    }

    #[test]
    fn once_it_is_cancelled_nothing_is_begun() {
        let cancel = CancelToken::default();
        cancel.cancel();
        assert_eq!(in_parallel(&[1, 2], 4, &cancel, &|thing| Ok(*thing)).unwrap(), [] as [i32; 0]);
    }
}
