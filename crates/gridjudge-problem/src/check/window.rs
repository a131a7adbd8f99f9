//! Reads a stream through a window of bounded size, and counts the lines and bytes
//! passed. The text is shown unchanged or without its padding, so that right text of
//! any length fits into the window. Knows nothing of grids.

use std::io::{self, ErrorKind, Read};

use gridjudge_grid::format::{Padding, PaddingGap, SqueezeProgress, TextOffset};

use crate::text::newlines;

/// The size of the buffer, in multiples of the padding's reach: enough to make reading
/// cheap, few enough to stay in a core's cache.
const REACHES: usize = 4;

/// A stream, and the current position in it.
pub(crate) struct Window<'a> {
    stream: StreamBuffer<'a>,
    /// What [`Window::view`] leaves out of the stream.
    padding: Padding,
    /// The end of the part of the buffer from which padding has been removed.
    looked: usize,
    progress: SqueezeProgress,
    /// Where padding was left out, from the current position on.
    gaps: Vec<PaddingGap>,
    /// Bytes passed, without the padding that was left out.
    kept: usize,
    /// The current position.
    pub(crate) place: TextOffset,
}

/// The next text of a stream, and where it begins.
pub(crate) struct WindowView<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) origin: StreamOrigin<'a>,
}

/// Where a piece of a stream begins, and what was left out of it.
#[derive(Clone, Copy, Default)]
pub(crate) struct StreamOrigin<'a> {
    start: TextOffset,
    gaps: &'a [PaddingGap],
    /// What to subtract from the place of a gap, so that it counts from the start of
    /// the piece.
    kept: usize,
}

impl<'a> StreamOrigin<'a> {
    /// The origin of a piece from which nothing was left out.
    pub(crate) fn at(start: TextOffset) -> Self {
        Self {
            start,
            ..Self::default()
        }
    }

    /// Converts a place in the piece to a place in the stream.
    pub(crate) fn place(&self, place: TextOffset) -> TextOffset {
        self.rest(place).start
    }

    /// The line number in the stream, from 1, of a place in the piece.
    pub(crate) fn line(&self, place: TextOffset) -> u64 {
        self.place(place).lines + 1
    }

    /// The origin of the rest of the piece from a place on.
    pub(crate) fn rest(self, place: TextOffset) -> StreamOrigin<'a> {
        let kept = self.kept + place.bytes;
        let passed = self.gaps.partition_point(|gap| gap.at <= kept);
        let (before, gaps) = self.gaps.split_at(passed);
        StreamOrigin {
            start: before
                .iter()
                .fold(self.start + place, |start, gap| start + gap.size),
            gaps,
            kept,
        }
    }
}

impl<'a> Window<'a> {
    pub(crate) fn new(source: &'a mut dyn Read, padding: Padding) -> Self {
        Self {
            stream: StreamBuffer::new(source, REACHES * padding.reach()),
            padding,
            looked: 0,
            progress: SqueezeProgress::default(),
            gaps: vec![],
            kept: 0,
            place: TextOffset::START,
        }
    }

    /// The current position.
    pub(crate) fn origin<'o>(&self) -> StreamOrigin<'o> {
        StreamOrigin::at(self.place)
    }

    /// The next text, without removing padding from it: at least `wanted` bytes, fewer
    /// only at the end of the stream. `wanted` must not exceed the size of a full
    /// buffer.
    #[inline]
    pub(crate) fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        if self.stream.view().len() < wanted && !self.stream.has_ended {
            self.fill(wanted)?;
        }
        Ok(self.stream.view())
    }

    /// The next text without its padding: enough for any right grid, less only at the
    /// end of the stream.
    pub(crate) fn view(&mut self) -> io::Result<WindowView<'_>> {
        let reach = self.padding.reach();
        self.peek(reach)?;
        self.leave_out_padding();
        while self.looked < self.stream.start + reach
            && !(self.stream.has_ended && self.looked == self.stream.end)
        {
            self.fill(self.stream.view().len() + 1)?;
            self.leave_out_padding();
        }
        let origin = StreamOrigin {
            start: self.place,
            gaps: &self.gaps,
            kept: self.kept,
        };
        Ok(WindowView {
            text: &self.stream.bytes[self.stream.start..self.looked],
            origin,
        })
    }

    /// Reads on until the buffer holds `wanted` bytes, or the stream has ended.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        debug_assert!(wanted <= REACHES * self.padding.reach());
        self.forget_what_was_passed();
        self.looked -= self.stream.fill(wanted, 0)?;
        Ok(())
    }

    /// Starts the search for padding anew after text that was passed without it: that
    /// says nothing about what follows.
    fn forget_what_was_passed(&mut self) {
        if self.looked < self.stream.start {
            self.looked = self.stream.start;
            self.progress = SqueezeProgress::default();
        }
    }

    /// Removes the padding from everything in the buffer.
    fn leave_out_padding(&mut self) {
        self.forget_what_was_passed();
        let stream = &mut self.stream;
        let before = self.kept + self.looked - stream.start;
        let gaps = &mut self.gaps;
        let (read, kept) = self.padding.squeeze(
            &mut self.progress,
            &mut stream.bytes[self.looked..stream.end],
            stream.has_ended,
            |kept, byte| {
                let at = before + kept;
                if gaps.last().is_none_or(|gap| gap.at != at) {
                    gaps.push(PaddingGap {
                        at,
                        size: TextOffset::START,
                    });
                }
                if let Some(gap) = gaps.last_mut() {
                    gap.size.bytes += 1;
                    gap.size.lines += u64::from(byte == b'\n');
                }
            },
        );
        stream
            .bytes
            .copy_within(self.looked + read..stream.end, self.looked + kept);
        stream.end -= read - kept;
        self.looked += kept;
    }

    /// Passes the text before a place, and the padding that was left out up to there.
    #[inline]
    pub(crate) fn pass(&mut self, end: TextOffset) {
        self.stream.pass(end.bytes);
        self.kept += end.bytes;
        self.place = self.place + end;
        if !self.gaps.is_empty() {
            self.pass_gaps();
        }
    }

    fn pass_gaps(&mut self) {
        let passed = self.gaps.partition_point(|gap| gap.at <= self.kept);
        for gap in self.gaps.drain(..passed) {
            self.place = self.place + gap.size;
        }
    }

    /// Passes whole lines. If the last one goes on after the view, passes the rest of
    /// it too.
    pub(crate) fn advance_lines(&mut self, end: TextOffset) -> io::Result<()> {
        let start = self.stream.start;
        let seen = &self.stream.bytes[start..self.looked.max(start)];
        if end.bytes == 0 || end.bytes != seen.len() || seen.ends_with(b"\n") {
            self.pass(end);
            return Ok(());
        }
        self.pass(end.end_of_line());
        self.skip_line()
    }

    /// Passes all the rest.
    pub(crate) fn skip_to_end(&mut self) -> io::Result<()> {
        while !self.peek(1)?.is_empty() {
            self.pass(end_of(self.stream.view()));
        }
        Ok(())
    }

    /// Passes the rest of a line.
    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let window = self.peek(1)?;
            let line = window.split_inclusive(|&byte| byte == b'\n').next();
            let end = end_of(line.unwrap_or_default());
            self.pass(end);
            if end.lines > 0 || end.bytes == 0 {
                return Ok(());
            }
        }
    }
}

/// The place at which a text ends.
pub(crate) fn end_of(text: &[u8]) -> TextOffset {
    TextOffset {
        lines: newlines(text),
        bytes: text.len(),
    }
}

// Reads a stream through a buffer of bounded size. Knows bytes only.

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
    end: usize,
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
    pub(crate) fn fill(
        &mut self,
        wanted: usize,
        history: usize,
    ) -> io::Result<usize> {
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

#[cfg(test)]
mod tests;
