//! The bounds within which a program is run, since it may be hostile.

use std::sync::atomic::AtomicBool;

/// The bounds within which a program is run.
#[derive(Clone, Copy, Debug)]
pub(super) struct CtdBounds<'a> {
    /// Most commands, tests and values evaluated, in addition to those allowed for the size of the input.
    pub(super) steps: u64,
    /// Most values of variables at once.
    pub(super) values: usize,
    /// Set from outside to stop.
    pub(super) is_cancelled: &'a AtomicBool,
}

impl<'a> CtdBounds<'a> {
    /// The usual bounds.
    pub(super) fn usual(is_cancelled: &'a AtomicBool) -> Self {
        Self { steps: 20_000_000, values: 2_000_000, is_cancelled }
    }
}
