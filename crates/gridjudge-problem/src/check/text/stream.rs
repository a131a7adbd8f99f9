//! Reads a stream through a buffer of bounded size, which keeps a little of what has been passed.
//! Knows bytes only.

use std::io;
use std::io::{ErrorKind, Read};

use crate::check::text::{gap_length, is_space, token_starts};

/// Bytes that the view holds, unless the stream ends before.
const PIECE: usize = 64 * 1024;

/// Bytes that are kept after they have been passed, for messages.
const HISTORY: usize = 1024;

/// The size of the buffer at first, in bytes. Most outputs are smaller, and the new pages of a
/// larger buffer would cost time.
const AT_FIRST: usize = 8 * 1024;

/// The size of a full buffer, in bytes: a few pieces, so that little is moved within it.
const BUFFER: usize = 4 * PIECE;

/// A stream of text.
pub(super) struct TextStream<R> {
    source: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    has_ended: bool,
}

impl<R: Read> TextStream<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            source,
            buffer: vec![0; AT_FIRST],
            start: 0,
            end: 0,
            has_ended: false,
        }
    }

    /// Reads on until the view holds a piece, or the stream has ended.
    #[inline]
    pub(super) fn fill(&mut self) -> io::Result<()> {
        if self.end - self.start >= PIECE || self.has_ended {
            return Ok(());
        }
        let kept = self.start.saturating_sub(HISTORY);
        self.buffer.copy_within(kept..self.end, 0);
        self.start -= kept;
        self.end -= kept;
        while self.end - self.start < PIECE && !self.has_ended {
            if self.end == self.buffer.len() {
                self.buffer.resize(BUFFER, 0);
            }
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.has_ended = true,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The next text, as far as it has been read.
    #[inline]
    pub(super) fn view(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Whether nothing follows the view.
    pub(super) fn is_whole(&self) -> bool {
        self.has_ended
    }

    /// The last bytes that have been passed.
    pub(super) fn passed_text(&self) -> &[u8] {
        &self.buffer[self.start.saturating_sub(HISTORY)..self.start]
    }

    /// Whether everything that has been passed is still kept.
    pub(super) fn shows_its_start(&self) -> bool {
        self.passed_text().len() < HISTORY
    }

    /// Passes this many bytes of the view.
    #[inline]
    pub(super) fn pass(&mut self, bytes: usize) {
        debug_assert!(bytes <= self.end - self.start);
        self.start += bytes;
    }
}

// Tracks the position in a text while it is read. Knows bytes only.

/// A place in a text.
#[derive(Clone, Copy)]
pub(super) struct TextPlace {
    /// Lines that have ended before it.
    pub(super) lines: u64,
    /// Tokens that have begun before it in its line.
    pub(super) tokens: u64,
    /// Bytes before it.
    pub(super) bytes: u64,
    follows_space: bool,
    /// Whether only white space stands before it.
    pub(super) is_blank: bool,
}

impl TextPlace {
    pub(super) const START: Self = Self {
        lines: 0,
        tokens: 0,
        bytes: 0,
        follows_space: true,
        is_blank: true,
    };

    /// Moves the place past a text.
    pub(super) fn advance(&mut self, text: &[u8]) {
        let Some(last) = text.last() else { return };
        self.is_blank = self.is_blank && gap_length(text) == text.len();
        let mut line = text;
        if let Some(end) = memchr::memrchr(b'\n', text) {
            self.lines += memchr::memchr_iter(b'\n', text).count() as u64;
            self.tokens = 0;
            self.follows_space = true;
            line = &text[end + 1..];
        }
        self.tokens += token_starts(line, self.follows_space);
        self.follows_space = is_space(*last);
        self.bytes += text.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_of_any_size_takes_little_memory_and_keeps_a_little_of_what_was_passed() {
        let mut stream = TextStream::new(io::repeat(b'x').take(10 << 20));
        let mut passed = 0;
        loop {
            stream.fill().unwrap();
            let bytes = stream.view().len();
            if bytes == 0 {
                break;
            }
            assert!(bytes >= PIECE || stream.is_whole());
            stream.pass(bytes.min(1000));
            passed += bytes.min(1000);
            assert_eq!(stream.passed_text().len(), passed.min(HISTORY));
        }
        assert_eq!((passed, stream.buffer.len()), (10 << 20, BUFFER));
    }
}

#[cfg(test)]
mod place_tests {
    use super::*;

    #[test]
    fn a_place_is_the_same_however_the_text_is_cut() {
        let text = b" one two\n\nthree\tfour f";
        for cut in 0..=text.len() {
            let mut place = TextPlace::START;
            place.advance(&text[..cut]);
            place.advance(&text[cut..]);
            assert_eq!(
                (place.lines, place.tokens, place.bytes),
                (2, 3, 22),
                "{cut}"
            );
        }
    }
}
