//! Runs a function on many items in parallel, and returns the results in the order of the items.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use gridjudge_sandbox::Fault;
use parking_lot::Mutex;

use crate::cli::CancelToken;

/// Runs `work` on all items, on up to `jobs` threads, and returns the results in the order of the
/// items. Once cancelled, it begins no further items, and the results are incomplete.
///
/// # Errors
/// The [`Fault`] of the first item, in their order, that fails; no further items are begun. Items
/// are begun in their order, so the fault is the same at any number of jobs.
pub(crate) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    cancel: &CancelToken,
    work: &(impl Fn(&T) -> Result<R, Fault> + Sync),
) -> Result<Vec<R>, Fault> {
    let next = AtomicUsize::new(0);
    let has_failed = AtomicBool::new(false);
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..jobs.min(items.len()) {
            scope.spawn(|| {
                // A claimed item is always completed; otherwise, which failure is the first would
                // depend on timing.
                while !cancel.is_cancelled() && !has_failed.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(number) else {
                        return;
                    };
                    let result = work(item);
                    has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
                    done.lock().push((number, result));
                }
            });
        }
    });
    let mut done = done.into_inner();
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let squares: Vec<_> = items.iter().map(|item| item * item).collect();
        for jobs in [1, 4, 1000] {
            let done = in_parallel(&items, jobs, &CancelToken::default(), &|item| {
                Ok(item * item)
            });
            assert_eq!(done.unwrap(), squares, "{jobs}");
        }
    }

    #[test]
    fn the_fault_is_that_of_the_first_failing_item_and_few_items_are_begun_after_it() {
        let items: Vec<u64> = (0..10_000).collect();
        for jobs in [1, 4] {
            let begun = AtomicUsize::new(0);
            let fault = in_parallel(&items, jobs, &CancelToken::default(), &|item| {
                begun.fetch_add(1, Ordering::Relaxed);
                if *item < 40 {
                    Ok(())
                } else {
                    Err(Fault::because("failing", item.to_string()))
                }
            })
            .unwrap_err();
            assert_eq!(fault.cause, "40", "{jobs}");
            assert!(begun.load(Ordering::Relaxed) <= 40 + jobs, "{begun:?}");
        }
    }

    #[test]
    fn after_a_cancellation_no_item_is_begun() {
        let cancel = CancelToken::default();
        cancel.cancel();
        assert_eq!(
            in_parallel(&[1, 2], 4, &cancel, &|item| Ok(*item)).unwrap(),
            [] as [i32; 0]
        );
    }
}
