//! Finds bytes that do not belong in a case, since some programs read past them and others do not.
//! Knows bytes, no grids.

use std::io;
use std::io::Read;

use crate::check::input_mistake::{InputMistake, mistake};
use crate::text::encoding::{BYTE_ORDER_MARK, UnexpectedEncoding, has_lone_returns};

/// A stream that notes what does not belong in a case: another encoding, carriage returns, NULs,
/// Ctrl-Z.
pub(super) struct StrayByteReader<R> {
    source: R,
    line: u64,
    at_start: bool,
    /// The mistakes noted so far.
    pub(super) strays: Vec<InputMistake>,
    /// Whether no line of the text can be read, because of its encoding or its line ends.
    pub(super) is_unreadable: bool,
}

/// Bytes that break some programs and not others, each with its message and remedy.
const STRAYS: [(u8, &str, &str); 3] = [
    (
        b'\r',
        "the line ends in a carriage return, or holds one",
        "convert the line ends, as with `sed -i 's/\\r$//' FILE`",
    ),
    (
        0,
        "the line holds a NUL byte",
        "delete it, as with `tr -d '\\0'`",
    ),
    (
        0x1a,
        "the line holds a Ctrl-Z (byte 0x1A)",
        "delete it, as with `tr -d '\\032'`",
    ),
];

impl<R> StrayByteReader<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            source,
            line: 1,
            at_start: true,
            strays: Vec::new(),
            is_unreadable: false,
        }
    }

    fn look_at(&mut self, piece: &[u8]) {
        if std::mem::take(&mut self.at_start) {
            self.look_at_encoding(piece);
            self.look_at_line_ends(piece);
        }
        if self.is_unreadable {
            return;
        }
        for (byte, message, remedy) in STRAYS {
            let place = piece.iter().position(|&found| found == byte);
            if let Some(place) =
                place.filter(|_| self.strays.iter().all(|stray| stray.message != message))
            {
                let line = self.line + newlines(&piece[..place]);
                self.strays.push(mistake(line, message, Some(remedy)));
            }
        }
        self.line += newlines(piece);
    }
}

impl<R> StrayByteReader<R> {
    fn look_at_encoding(&mut self, start: &[u8]) {
        let Some(encoding) = UnexpectedEncoding::of(start) else {
            return;
        };
        let (message, remedy) = match encoding {
            UnexpectedEncoding::Utf16 => (
                "the file is UTF-16 text",
                "convert it, as with `iconv -f utf-16 -t utf-8`",
            ),
            UnexpectedEncoding::Utf32 => (
                "the file is UTF-32 text",
                "convert it, as with `iconv -f utf-32 -t utf-8`",
            ),
            UnexpectedEncoding::ByteOrderMark => (
                "the file begins with a byte order mark",
                "save the file without it, as with `sed -i '1s/^\\xEF\\xBB\\xBF//' FILE`",
            ),
        };
        self.is_unreadable = encoding != UnexpectedEncoding::ByteOrderMark;
        self.strays.push(mistake(1, message, Some(remedy)));
    }

    fn look_at_line_ends(&mut self, start: &[u8]) {
        if has_lone_returns(start) {
            let message = "the lines end with a carriage return alone";
            self.strays.push(mistake(
                1,
                message,
                Some("convert them, as with `tr '\\r' '\\n'`"),
            ));
            self.is_unreadable = true;
        }
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
