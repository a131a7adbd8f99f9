//! How far a program is gone with, which may come from somebody hostile.

use std::sync::atomic::AtomicBool;

/// How far a program is gone with.
#[derive(Clone, Copy, Debug)]
pub(super) struct CtdBounds<'a> {
    /// Commands, tests, and values looked at, at most, beside those that the size of the input explains.
    pub(super) steps: u64,
    /// Values that are kept at once.
    pub(super) values: usize,
    /// Set from outside to stop.
    pub(super) is_cancelled: &'a AtomicBool,
}

impl<'a> CtdBounds<'a> {
    /// Those of a judge that has nothing else to do.
    pub(super) fn usual(is_cancelled: &'a AtomicBool) -> Self {
        Self { steps: 20_000_000, values: 2_000_000, is_cancelled }
    }
}
