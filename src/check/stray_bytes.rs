//! Finds bytes that do not belong in a case, since some programs read past them and others do not. Knows
//! bytes, no grids.

use std::io;
use std::io::Read;

use crate::check::input_mistake::InputMistake;
use crate::check::input_mistake::mistake;

/// A stream that notes bytes that do not belong in a case: a byte order mark, carriage returns, NULs.
pub(super) struct StrayByteReader<R> {
    source: R,
    line: u64,
    at_start: bool,
    /// The mistakes noted so far.
    pub(super) strays: Vec<InputMistake>,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes that break some programs and not others, each with its message and remedy.
const STRAYS: [(u8, &str, &str); 2] = [
    (
        b'\r',
        "the line ends in a carriage return, or holds one",
        "convert the line ends, as with `sed -i 's/\\r$//' FILE`",
    ),
    (0, "the line holds a NUL byte", "delete it, as with `tr -d '\\0'`"),
];

impl<R> StrayByteReader<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, line: 1, at_start: true, strays: Vec::new() }
    }

    fn look_at(&mut self, piece: &[u8]) {
        if std::mem::take(&mut self.at_start) && piece.starts_with(BYTE_ORDER_MARK) {
            let remedy = "save the file without it, as with `sed -i '1s/^\\xEF\\xBB\\xBF//' FILE`";
            self.strays.push(mistake(1, "the file begins with a byte order mark", Some(remedy)));
        }
        for (byte, message, remedy) in STRAYS {
            let place = piece.iter().position(|&found| found == byte);
            if let Some(place) = place.filter(|_| self.strays.iter().all(|stray| stray.message != message)) {
                let line = self.line + newlines(&piece[..place]);
                self.strays.push(mistake(line, message, Some(remedy)));
            }
        }
        self.line += newlines(piece);
    }
}

fn newlines(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte == b'\n').count() as u64
}

impl<R: Read> Read for &mut StrayByteReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let is_first = self.at_start;
        let read = self.source.read(into)?;
        self.look_at(&into[..read]);
        // It has been noted, and would otherwise seem to belong to the first number or cell.
        if !is_first || !into[..read].starts_with(BYTE_ORDER_MARK) {
            return Ok(read);
        }
        into.copy_within(BYTE_ORDER_MARK.len()..read, 0);
        match read - BYTE_ORDER_MARK.len() {
            0 => self.read(into),
            rest => Ok(rest),
        }
    }
}
