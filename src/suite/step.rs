//! What goes from a worker to the consumer.

use std::time::Duration;

use crate::suite::narrator::Outcome;
use crate::suite::queue::Task;

/// What a worker has done.
pub(crate) struct Step {
    /// Its place in the order.
    pub(crate) number: usize,
    pub(crate) task: Task,
    /// What came of it; none where there is nothing to tell.
    pub(crate) outcome: Option<Outcome>,
    /// How fast the machine was, where times are to be compared.
    pub(crate) beat: Option<Duration>,
}
