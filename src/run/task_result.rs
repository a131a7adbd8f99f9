//! What goes from a worker to the consumer.

use std::time::Duration;

use crate::run::reporter::TaskOutcome;
use crate::run::schedule::RunTask;

/// What a worker has done.
pub(crate) struct TaskResult {
    /// Its place in the order.
    pub(crate) number: usize,
    pub(crate) task: RunTask,
    /// What came of it; none where there is nothing to tell.
    pub(crate) outcome: Option<TaskOutcome>,
    /// How fast the machine was, where times are to be compared.
    pub(crate) calibration: Option<Duration>,
}
