//! Counts the bytes that are allocated, in all threads.

#![allow(
    dead_code,
    reason = "each target that includes this file uses a part of it"
)]
#![expect(
    unsafe_code,
    reason = "an allocator is unsafe to implement; this one only counts what the system's does"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

struct CountingAllocator;

/// All bytes that were allocated so far.
static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

/// The bytes that are allocated now.
static HELD: AtomicUsize = AtomicUsize::new(0);

/// The most bytes that were allocated at once since the last call of [`peak_of`] began.
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

// SAFETY: every method returns what the method of `System` of the same name returns for
// the same arguments, so the contract of `GlobalAlloc` holds as it does there. Counting
// does not allocate and cannot panic.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller keeps the contract of this method, which is that of
        // `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above; `place` came from `System`.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both may exist for a moment.
        add(size);
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above; `place` came from `System`.
        unsafe { System.realloc(place, layout, size) }
    }
}

fn add(bytes: usize) {
    ALLOCATED.fetch_add(bytes, Relaxed);
    let held = HELD.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(held, Relaxed);
}

/// Calls a function, and returns the most bytes that were allocated at once meanwhile,
/// beyond those before.
pub(super) fn peak_of<T>(act: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = act();
    (result, PEAK.load(Relaxed).saturating_sub(before))
}

/// Calls a function, and returns how many bytes were allocated meanwhile, one after the
/// other.
pub(super) fn allocated_by(act: impl FnOnce()) -> usize {
    let before = ALLOCATED.load(Relaxed);
    act();
    ALLOCATED.load(Relaxed) - before
}
