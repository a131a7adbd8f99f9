//! From events to what people and programs read. Knows events only: nothing of how they came about. A report is a
//! [`Sink`]; the same events make the same report, always.

mod columns;
mod csv;
mod diagnosis;
mod github;
mod hope;
mod html;
mod junit;
mod line;
mod log;
mod markdown;
mod matrix;
mod page;
mod printable;
mod progress;
mod reader;
mod reasons;
mod room;
mod sarif;
pub mod standings;
mod tap;
mod turn;
mod unreadable;
mod words;

use std::io;

use crate::model::Event;

pub use csv::Csv;
pub use github::Github;
pub use html::Html;
pub use html::START as HTML_START;
pub use junit::Junit;
pub use log::LOG_START;
pub use log::Log;
pub use markdown::Markdown;
pub use matrix::Matrix;
pub use printable::printable;
pub use progress::Leg;
pub use progress::Progress;
pub(crate) use reader::LARGEST as LARGEST_LOG;
pub use reader::Reader;
pub use reader::without_mark;
pub use reasons::Explain;
pub use reasons::Reasons;
pub use room::Room;
pub use room::Rooms;
pub use room::Timing;
pub use sarif::Sarif;
pub use tap::Tap;
pub use unreadable::Complaint;
pub use unreadable::Unreadable;

/// Something that takes events in order.
pub trait Sink {
    /// Takes one event.
    ///
    /// # Errors
    /// If it cannot be written where it belongs. The sink is then given no more.
    fn take(&mut self, event: &Event) -> io::Result<()>;
}

/// A time for people: `412 us`, `13.1 ms`, `1.203 s`.
pub(crate) fn time(micros: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    let micros_float = micros as f64;
    match micros {
        0..1_000 => format!("{micros} us"),
        1_000..1_000_000 => format!("{:.1} ms", micros_float / 1e3),
        _ => format!("{:.3} s", micros_float / 1e6),
    }
}

/// A size for people, in MiB.
pub fn mebibytes(bytes: u64) -> String {
    // Whole numbers, for reports write hundreds of thousands of these. Ties go to the even digit, as those of floats do.
    let exact = u128::from(bytes) * 10;
    let (tenths, rest) = (exact / (1 << 20), exact % (1 << 20));
    let tenths = tenths + u128::from(rest + tenths % 2 > (1 << 19));
    format!("{}.{} MiB", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn a_size_is_rounded_as_its_float_is() {
        for bytes in
            (0..64).map(|part| part << 15).chain((0..5000).map(|number| number * 4093)).chain([1 << 40])
        {
            assert_eq!(mebibytes(bytes), format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20)), "{bytes}");
        }
    }
}
