//! Reads the lines of a text in any encoding and with the line breaks of any system.
//! Knows nothing of puzzles.

use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};

/// The bytes that are read at once.
const BUFFER: usize = 1 << 16;

/// The most bytes of a line.
const LONGEST_LINE: u64 = 1 << 17;

/// What the bytes of a text stand for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Bytes,
    LittleEndian,
    BigEndian,
}

/// The encoding of a text that begins with these bytes.
pub(super) fn encoding_of(head: &[u8]) -> Encoding {
    let zeros = |from: usize| {
        head.iter()
            .skip(from)
            .step_by(2)
            .take(64)
            .filter(|byte| **byte == 0)
            .count()
    };
    let half = head.len().min(128) / 4;
    match head {
        [0xff, 0xfe, ..] => Encoding::LittleEndian,
        [0xfe, 0xff, ..] => Encoding::BigEndian,
        _ if half > 2 && zeros(1) > half => Encoding::LittleEndian,
        _ if half > 2 && zeros(0) > half => Encoding::BigEndian,
        _ => Encoding::Bytes,
    }
}

/// Reads UTF-16 as UTF-8.
struct Utf16Reader<R> {
    text: BufReader<R>,
    is_big_endian: bool,
    rest: Cursor<Vec<u8>>,
}

impl<R: Read> Read for Utf16Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.fill_buf()?.is_empty() {
            let mut units = vec![];
            (&mut self.text).take(8192).read_to_end(&mut units)?;
            let text: String = char::decode_utf16(units.chunks(2).map(|pair| {
                let pair = [pair[0], *pair.get(1).unwrap_or(&0)];
                if self.is_big_endian {
                    u16::from_be_bytes(pair)
                } else {
                    u16::from_le_bytes(pair)
                }
            }))
            .map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
            self.rest =
                Cursor::new(text.trim_start_matches('\u{feff}').as_bytes().to_vec());
        }
        self.rest.read(buffer)
    }
}

/// The lines of a text, whose breaks are those of any system.
pub(super) struct TextLines {
    pub(super) bytes: BufReader<Box<dyn Read + Send>>,
    /// Whether the last line ended with a carriage return, which may be half a line
    /// break.
    break_before: bool,
    /// The bytes of the current line so far.
    length: usize,
}

/// The most bytes of a line of a text. What has more is none, and nobody waits for its
/// end.
const MOST_OF_A_LINE: usize = 16 << 20;

/// Refuses a line that has too many bytes for a text.
///
/// # Errors
/// An error of the kind [`ErrorKind::InvalidData`] that says so.
pub(super) fn within_a_line(bytes: usize) -> io::Result<()> {
    if bytes <= MOST_OF_A_LINE {
        return Ok(());
    }
    let most = MOST_OF_A_LINE >> 20;
    Err(io::Error::new(
        ErrorKind::InvalidData,
        format!("is no list of puzzles: a line has more than {most} MiB"),
    ))
}

impl TextLines {
    pub(super) fn new(encoding: Encoding, text: impl Read + Send + 'static) -> Self {
        let bytes: Box<dyn Read + Send> = match encoding {
            Encoding::Bytes => Box::new(text),
            _ => Box::new(Utf16Reader {
                text: BufReader::new(text),
                is_big_endian: encoding == Encoding::BigEndian,
                rest: Cursor::default(),
            }),
        };
        Self {
            bytes: BufReader::with_capacity(BUFFER, bytes),
            break_before: false,
            length: 0,
        }
    }

    /// The next line without its break; the rest of a very long one is left out.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = vec![];
        loop {
            let bytes = self.bytes.fill_buf()?;
            if bytes.is_empty() {
                return Ok((!line.is_empty()).then_some(line));
            }
            if std::mem::take(&mut self.break_before) && bytes[0] == b'\n' {
                self.bytes.consume(1);
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            self.length += end.unwrap_or(bytes.len());
            within_a_line(self.length)?;
            let part = &bytes[..end.unwrap_or(bytes.len())];
            let room = (LONGEST_LINE as usize)
                .saturating_sub(line.len())
                .min(part.len());
            line.extend_from_slice(&part[..room]);
            let Some(end) = end else {
                let length = bytes.len();
                self.bytes.consume(length);
                continue;
            };
            self.break_before = bytes[end] == b'\r';
            self.length = 0;
            self.bytes.consume(end + 1);
            return Ok(Some(line));
        }
    }
}
