//! From events to what people and programs read. Knows events only: nothing of how they came about. A report is a
//! [`Sink`]; the same events make the same report, always.

mod log;
mod matrix;
mod printable;
mod progress;
mod reasons;

use std::io;

use crate::model::Event;

pub use log::Log;
pub use matrix::Matrix;
pub use printable::printable;
pub use progress::Progress;
pub use reasons::Explain;
pub use reasons::Reasons;

/// Something that takes events in order.
pub trait Sink {
    /// Takes one event.
    ///
    /// # Errors
    /// If it cannot be written where it belongs. The sink is then given no more.
    fn take(&mut self, event: &Event) -> io::Result<()>;
}

/// A time for people: `412 us`, `13.1 ms`, `1.203 s`.
fn time(micros: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    let micros_float = micros as f64;
    match micros {
        0..1_000 => format!("{micros} us"),
        1_000..1_000_000 => format!("{:.1} ms", micros_float / 1e3),
        _ => format!("{:.3} s", micros_float / 1e6),
    }
}

/// A size for people, in MiB.
fn mebibytes(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    let bytes = bytes as f64;
    format!("{:.1} MiB", bytes / f64::from(1 << 20))
}
