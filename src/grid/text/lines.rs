//! A window of text cut into lines, and pieces of it made fit for messages. Knows no grids.

/// Longest piece of a submission's text that a message repeats, in characters.
const QUOTED: usize = 40;

/// A line of a window.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Its number from 0.
    pub number: u64,
    /// Its first byte.
    pub start: usize,
    /// Its text, without the newline.
    pub text: &'a [u8],
    /// Where the next line starts.
    pub end: usize,
}

impl Line<'_> {
    /// The same line of a text that begins so many bytes and lines later.
    pub(super) fn behind(self, bytes: usize, lines: u64) -> Self {
        Self { number: self.number + lines, start: self.start + bytes, end: self.end + bytes, ..self }
    }

    /// Whether there is nothing on it but white space.
    pub fn is_empty(&self) -> bool {
        self.text.iter().all(u8::is_ascii_whitespace)
    }
}

/// The lines of a window.
pub fn lines(window: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    window.split_inclusive(|&byte| byte == b'\n').zip(0..).map(move |(whole, number)| {
        let line = Line {
            number,
            start,
            text: whole.strip_suffix(b"\n").unwrap_or(whole),
            end: start + whole.len(),
        };
        start = line.end;
        line
    })
}

/// A piece of foreign text, short and printable enough to repeat in a message.
pub fn quoted(text: &[u8]) -> String {
    let shown: String =
        text.trim_ascii().iter().take(QUOTED).map(|&byte| byte.escape_ascii().to_string()).collect();
    if text.trim_ascii().len() > QUOTED { shown + "..." } else { shown }
}
