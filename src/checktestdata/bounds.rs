//! The bounds within which a program is run, since it may be hostile.

use std::sync::atomic::AtomicBool;

/// The bounds within which a program is run.
#[derive(Clone, Copy, Debug)]
pub(super) struct CtdBounds<'a> {
    /// Most steps, of 10 to 25 ns each, in addition to those allowed for the size of the input.
    pub(super) steps: u64,
    /// Most bytes of the values of variables at once.
    pub(super) bytes: usize,
    /// Set from outside to stop.
    pub(super) is_cancelled: &'a AtomicBool,
}

impl<'a> CtdBounds<'a> {
    /// The usual bounds.
    pub(super) fn usual(is_cancelled: &'a AtomicBool) -> Self {
        Self {
            steps: 10_000_000,
            bytes: 400 << 20,
            is_cancelled,
        }
    }
}
