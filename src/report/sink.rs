//! The interface of all reports: something that accepts events.

use std::io;

use crate::model::Event;

/// Something that accepts events in order.
pub trait Sink {
    /// Handles one event.
    ///
    /// # Errors
    /// Fails if the output cannot be written. The sink must not be given further events then.
    fn take(&mut self, event: &Event) -> io::Result<()>;
}
