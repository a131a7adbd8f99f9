//! Counts the steps of a program, and says why one stops. Knows no input.

use std::sync::atomic::{AtomicBool, Ordering};

/// Steps between two looks at whether the check is cancelled: about a millisecond.
const STEPS_OF_A_LOOK: u64 = 1 << 16;

/// The result of a part of a program.
pub(super) type Checked<T> = Result<T, Stop>;

/// Why a program stops before its last command.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The input is not as the program says.
    Refused(String),
    /// The program cannot go on.
    Broken(String),
    /// The check was cancelled.
    Cancelled,
}

/// Refuses the input.
pub(super) fn refuse_input<T>(message: impl Into<String>) -> Checked<T> {
    Err(Stop::Refused(message.into()))
}

/// Stops a program that cannot go on.
pub(super) fn break_off<T>(message: impl Into<String>) -> Checked<T> {
    Err(Stop::Broken(message.into()))
}

/// The steps that may still be taken.
pub(super) struct StepCounter<'a> {
    left: u64,
    /// The steps that were left at the last look at whether the check is cancelled.
    looked_at: u64,
    is_cancelled: &'a AtomicBool,
}

impl<'a> StepCounter<'a> {
    pub(super) fn new(steps: u64, is_cancelled: &'a AtomicBool) -> Self {
        Self {
            left: steps,
            looked_at: steps,
            is_cancelled,
        }
    }

    /// Counts steps. Stops the program if there are none left, or if the check is
    /// cancelled.
    pub(super) fn count(&mut self, steps: u64) -> Checked<()> {
        match self.left.checked_sub(steps) {
            Some(left) => self.left = left,
            None => {
                return break_off("the check takes more steps than this judge allows");
            }
        }
        if self.looked_at - self.left < STEPS_OF_A_LOOK {
            return Ok(());
        }
        self.looked_at = self.left;
        if self.is_cancelled.load(Ordering::Relaxed) {
            Err(Stop::Cancelled)
        } else {
            Ok(())
        }
    }
}
