//! Reads the lines of a file one by one, with a bound on their length. Knows nothing of events.

use std::io;
use std::io::{BufRead, Read, Take};

use crate::report::log_error::LogDefect;

/// The most bytes of a log, far more than ten million trials need. A device file might never end.
pub(crate) const LARGEST: u64 = 16 << 30;

/// The most bytes of a line. Our longest contains 64 KiB of compiler output, each byte of it
/// escaped to six.
pub(crate) const LONGEST_LINE: u64 = 16 << 20;

/// The byte order mark that some editors put at the start of UTF-8 text.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// A text without the mark.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(MARK).unwrap_or(text)
}

pub(crate) struct LogLines<R> {
    source: Take<R>,
    /// The line that was read last, with its end.
    pub(crate) text: Vec<u8>,
    /// Its number, from 1.
    pub(crate) number: u64,
}

impl<R: BufRead> LogLines<R> {
    pub(crate) fn new(source: R) -> Self {
        Self {
            source: source.take(LARGEST),
            text: Vec::new(),
            number: 0,
        }
    }

    /// Reads the next line; false at the end of the file.
    pub(crate) fn advance(&mut self) -> io::Result<bool> {
        self.text.clear();
        self.number += 1;
        let read = self
            .source
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut self.text)?;
        if self.number == 1 {
            let mark = self.text.len() - without_mark(&self.text).len();
            self.text.drain(..mark);
        }
        match self.source.limit() {
            0 => Err(io::Error::other(format!(
                "it is larger than {} GiB, which no log is",
                LARGEST >> 30
            ))),
            _ => Ok(read > 0),
        }
    }

    /// Whether the line that was read last is the last of the file.
    pub(crate) fn is_last(&mut self) -> io::Result<bool> {
        Ok(self.source.fill_buf()?.is_empty())
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim_ascii().is_empty()
    }

    /// A defect of this line.
    pub(crate) fn complaint(&self, message: String, remedy: &'static str) -> LogDefect {
        LogDefect {
            line: Some(self.number),
            message,
            remedy,
        }
    }
}
