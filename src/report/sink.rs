//! What every report is: something that takes events.

use std::io;

use crate::model::Event;

/// Something that takes events in order.
pub trait Sink {
    /// Takes one event.
    ///
    /// # Errors
    /// If it cannot be written where it belongs. The sink is then given no more.
    fn take(&mut self, event: &Event) -> io::Result<()>;
}
