//! From events to what people and programs read. Knows events only: nothing of how they came about. A report is a
//! [`Sink`]; the same events make the same report, always.

mod columns;
mod compiler_diagnostic;
mod csv;
mod expectation;
mod explain;
mod explanations;
mod failure_list;
mod github;
mod html;
mod junit;
mod limit_margin;
mod listing;
mod log;
mod log_error;
mod log_line;
mod log_reader;
mod markdown;
mod matrix;
mod page;
mod progress;
mod repository;
mod sarif;
pub mod standings;
mod submission_state;
mod tap;
mod wrap;

use std::io;

use crate::model::Event;

pub use crate::text::printable;
pub use csv::Csv;
pub use explanations::ExplainMode;
pub use explanations::Explanations;
pub use github::Github;
pub use html::Html;
pub use html::START as HTML_START;
pub use junit::Junit;
pub use limit_margin::LimitMargin;
pub use limit_margin::LimitMargins;
pub use limit_margin::SlowestCase;
pub use listing::ProblemListing;
pub use listing::ProblemListingRow;
pub use log::LOG_START;
pub use log::Log;
pub use log_error::LogDefect;
pub use log_error::LogError;
pub(crate) use log_reader::LARGEST as LARGEST_LOG;
pub use log_reader::LogReader;
pub use log_reader::without_mark;
pub use markdown::Markdown;
pub use matrix::Matrix;
pub use progress::LiveLines;
pub use progress::ProgressEntry;
pub use progress::ProgressLines;
pub use progress::TerminalProgress;
pub(crate) use progress::clock;
pub use repository::Repository;
pub use sarif::Sarif;
pub use tap::Tap;

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

/// A limit on time for people: `1 s`, `1.5 s`, `300 ms`. Limits are round numbers.
pub(crate) fn round_time(micros: u64) -> String {
    match micros {
        1_000_000.. if micros.is_multiple_of(1_000_000) => format!("{} s", micros / 1_000_000),
        1_000_000.. if micros.is_multiple_of(100_000) => {
            format!("{}.{} s", micros / 1_000_000, micros / 100_000 % 10)
        }
        1_000..1_000_000 if micros.is_multiple_of(1_000) => format!("{} ms", micros / 1_000),
        _ => time(micros),
    }
}

/// A limit on a size for people, in MiB.
pub(crate) fn round_size(bytes: u64) -> String {
    if bytes.is_multiple_of(1 << 20) { format!("{} MiB", bytes >> 20) } else { mebibytes(bytes) }
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

    #[test]
    fn a_limit_is_as_short_as_it_is_round() {
        let times = [1_000_000, 1_500_000, 300_000, 1_234_567, 60_000_000].map(round_time);
        assert_eq!(times, ["1 s", "1.5 s", "300 ms", "1.235 s", "60 s"]);
        assert_eq!([64 << 20, (64 << 20) + 1, 1 << 19].map(round_size), ["64 MiB", "64.0 MiB", "0.5 MiB"]);
    }
}
