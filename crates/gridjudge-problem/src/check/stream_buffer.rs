//! Reads a stream through a buffer of bounded size. Knows bytes only.

use std::io;
use std::io::{ErrorKind, Read};

/// The size of the buffer at first, in bytes. Most texts are smaller, and the new pages
/// of a larger buffer would cost more than checking the text does.
const AT_FIRST: usize = 8 * 1024;

/// A stream, and the part of it that is in memory.
pub(crate) struct StreamBuffer<'a> {
    source: &'a mut dyn Read,
    pub(crate) bytes: Vec<u8>,
    /// The size of the buffer once it has grown.
    most: usize,
    /// The place in the buffer up to which everything has been passed.
    pub(crate) start: usize,
    /// The end of what has been read.
    pub(crate) end: usize,
    /// Whether nothing follows in the stream.
    pub(crate) has_ended: bool,
}

impl<'a> StreamBuffer<'a> {
    /// A buffer of at most `most` bytes.
    pub(crate) fn new(source: &'a mut dyn Read, most: usize) -> Self {
        Self {
            source,
            bytes: vec![0; AT_FIRST],
            most,
            start: 0,
            end: 0,
            has_ended: false,
        }
    }

    /// The next text, as far as it has been read.
    #[inline]
    pub(crate) fn view(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Passes this many bytes of the view.
    #[inline]
    pub(crate) fn pass(&mut self, bytes: usize) {
        debug_assert!(bytes <= self.end - self.start);
        self.start += bytes;
    }

    /// Reads on until the view holds `wanted` bytes, or the stream has ended. Forgets
    /// what has been passed, except for the last `history` bytes, and returns by how
    /// much the places in the buffer have become smaller.
    pub(crate) fn fill(&mut self, wanted: usize, history: usize) -> io::Result<usize> {
        self.grow_if_full();
        let forgotten = self.start.saturating_sub(history);
        self.bytes.copy_within(forgotten..self.end, 0);
        self.start -= forgotten;
        self.end -= forgotten;
        while self.end - self.start < wanted && !self.has_ended {
            self.grow_if_full();
            match self.source.read(&mut self.bytes[self.end..]) {
                Ok(0) => self.has_ended = true,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(forgotten)
    }

    fn grow_if_full(&mut self) {
        if self.end == self.bytes.len() {
            self.bytes.resize(self.most, 0);
        }
    }
}
