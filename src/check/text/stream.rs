//! A stream seen through a buffer of bounded size, with a little of what has been passed. Knows bytes only.

use std::io;
use std::io::ErrorKind;
use std::io::Read;

/// Bytes that are looked at once, unless the stream ends before.
pub(super) const PIECE: usize = 64 * 1024;

/// Bytes that are kept behind us, to be shown.
const HISTORY: usize = 1024;

/// Bytes read at first: most outputs are smaller, and a buffer that is never touched in full is never paid for.
const AT_FIRST: usize = 8 * 1024;

/// Bytes of a buffer: a few pieces, so that little is moved within it.
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
        Self { source, buffer: vec![0; AT_FIRST], start: 0, end: 0, has_ended: false }
    }

    /// Reads on, so that the view holds a piece, or all that comes.
    #[inline]
    pub(super) fn fill(&mut self) -> io::Result<()> {
        if self.end - self.start >= PIECE || self.has_ended {
            return Ok(());
        }
        let kept = self.start.saturating_sub(HISTORY);
        self.buffer.copy_within(kept..self.end, 0);
        (self.start, self.end) = (self.start - kept, self.end - kept);
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

    /// What comes next, as far as it has been read.
    #[inline]
    pub(super) fn view(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Whether nothing comes behind the view.
    pub(super) fn is_whole(&self) -> bool {
        self.has_ended
    }

    /// The last of what has been passed.
    pub(super) fn behind(&self) -> &[u8] {
        &self.buffer[self.start.saturating_sub(HISTORY)..self.start]
    }

    /// Whether all of what has been passed is behind us still.
    pub(super) fn shows_its_start(&self) -> bool {
        self.behind().len() < HISTORY
    }

    /// Goes on by so many bytes of the view.
    #[inline]
    pub(super) fn pass(&mut self, bytes: usize) {
        debug_assert!(bytes <= self.end - self.start);
        self.start += bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_of_any_size_takes_little_memory_and_keeps_a_little_behind() {
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
            assert_eq!(stream.behind().len(), passed.min(HISTORY));
        }
        assert_eq!((passed, stream.buffer.len()), (10 << 20, BUFFER));
    }
}
