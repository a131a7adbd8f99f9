//! A stream seen through a window of bounded size, with the line and byte it stands at. Knows nothing of grids.

use std::io;
use std::io::ErrorKind;
use std::io::Read;

/// The most bytes read at once: enough to make reading cheap, few enough to stay in a core's cache.
const CAPACITY: usize = 256 * 1024;

/// Bytes read at first. Most cases are smaller, and a buffer that is never touched in full is never paid for: new pages
/// cost more than checking the case does.
const AT_FIRST: usize = 8 * 1024;

/// The most a caller may ask to see at once. A grid of order 25 with spaces and a banner needs 1.4 KiB; the
/// rest is for what submissions put between.
pub(crate) const WIDEST: usize = 64 * 1024;

/// A stream, and where in it we are.
pub(crate) struct Window<R> {
    source: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    source_ended: bool,
    /// Lines behind us.
    pub(crate) line: u64,
    /// Bytes behind us.
    pub(crate) byte: u64,
}

impl<R: Read> Window<R> {
    pub(crate) fn new(source: R) -> Self {
        Self { source, buffer: vec![0; AT_FIRST], start: 0, end: 0, source_ended: false, line: 0, byte: 0 }
    }

    /// What comes next: at least `wanted` bytes (at most [`WIDEST`]), fewer only at the end of the stream.
    pub(crate) fn see(&mut self, wanted: usize) -> io::Result<&[u8]> {
        debug_assert!(wanted <= WIDEST);
        if self.end - self.start < wanted && !self.source_ended {
            if self.end == self.buffer.len() {
                self.buffer.resize(CAPACITY, 0);
            }
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            while self.end < wanted && !self.source_ended {
                if self.end == self.buffer.len() {
                    self.buffer.resize(CAPACITY, 0);
                }
                match self.source.read(&mut self.buffer[self.end..]) {
                    Ok(0) => self.source_ended = true,
                    Ok(read) => self.end += read,
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// Leaves bytes and lines behind.
    pub(crate) fn pass(&mut self, bytes: usize, lines: u64) {
        self.start += bytes;
        self.byte += bytes as u64;
        self.line += lines;
    }

    /// Leaves whole lines behind, of which the last may go on behind what was seen.
    pub(crate) fn pass_lines(&mut self, bytes: usize, lines: u64) -> io::Result<()> {
        let seen = &self.buffer[self.start..self.end];
        let goes_on = 0 < bytes && bytes == seen.len() && !seen.ends_with(b"\n");
        self.pass(bytes, lines - u64::from(goes_on));
        if goes_on { self.pass_line() } else { Ok(()) }
    }

    /// Leaves behind windows full of white space, however many: afterwards the window shows something else,
    /// or the end. Says whether there was any such window.
    pub(crate) fn pass_deserts(&mut self) -> io::Result<bool> {
        let mut passed = false;
        loop {
            let window = self.see(WIDEST)?;
            if window.len() < WIDEST || !window.iter().all(u8::is_ascii_whitespace) {
                return Ok(passed);
            }
            // The last line may go on behind the window: it is passed up to where the window ends.
            let lines = window.iter().filter(|&&byte| byte == b'\n').count() as u64;
            let bytes = window.len();
            self.pass(bytes, lines);
            passed = true;
        }
    }

    /// Leaves all the rest behind.
    pub(crate) fn pass_to_the_end(&mut self) -> io::Result<()> {
        loop {
            let window = self.see(1)?;
            let (bytes, lines) = (window.len(), window.iter().filter(|&&byte| byte == b'\n').count() as u64);
            if bytes == 0 {
                return Ok(());
            }
            self.pass(bytes, lines);
        }
    }

    /// Leaves the rest of a line behind.
    pub(crate) fn pass_line(&mut self) -> io::Result<()> {
        loop {
            let window = self.see(1)?;
            let newline = window.iter().position(|&byte| byte == b'\n');
            let bytes = newline.map_or(window.len(), |place| place + 1);
            self.pass(bytes, u64::from(newline.is_some()));
            if newline.is_some() || bytes == 0 {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its bytes one at a time, as a pipe may.
    struct Trickle<'a>(&'a [u8]);

    impl Read for Trickle<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.0.read(&mut into[..1])
        }
    }

    #[test]
    fn a_window_shows_what_was_asked_for_however_the_stream_comes() {
        let mut window = Window::new(Trickle(b"12345"));
        assert_eq!(window.see(3).unwrap(), b"123");
        window.pass(2, 0);
        assert_eq!(window.see(2).unwrap(), b"34");
        assert_eq!(window.see(9).unwrap(), b"345");
        window.pass(3, 0);
        assert_eq!(window.see(1).unwrap(), b"");
        assert_eq!(window.byte, 5);
    }

    #[test]
    fn a_line_longer_than_the_window_is_passed_whole() {
        let text = "x".repeat(3 * CAPACITY) + "\nnext\n";
        let mut window = Window::new(text.as_bytes());
        window.pass_line().unwrap();
        assert_eq!(window.line, 1);
        assert_eq!(window.see(5).unwrap(), b"next\n");
    }

    #[test]
    fn deserts_of_white_space_are_passed_and_counted() {
        let text = "\n".repeat(2 * CAPACITY) + "12\n";
        let mut window = Window::new(text.as_bytes());
        assert!(window.pass_deserts().unwrap());
        assert_eq!(window.line + window.see(WIDEST).unwrap().len() as u64 - 3, 2 * CAPACITY as u64);
        assert!(!window.pass_deserts().unwrap());
    }
}
