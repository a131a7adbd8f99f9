//! Splits a window of text into lines, and quotes pieces of it for messages. Knows no
//! grids.

use std::ops::Add;

/// The longest piece of a submission's text that a message quotes, in characters.
const QUOTED: usize = 40;

/// A place in a text, by what precedes it: the size of the text up to there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextOffset {
    /// Lines before it, and so the number of its line from 0.
    pub lines: u64,
    /// Bytes before it.
    pub bytes: usize,
}

impl TextOffset {
    /// The start of a text.
    pub const START: Self = Self { lines: 0, bytes: 0 };

    /// The same place, as the end of the line before it.
    pub fn end_of_line(self) -> Self {
        Self {
            lines: self.lines.saturating_sub(1),
            ..self
        }
    }
}

impl Add for TextOffset {
    type Output = Self;

    /// The place that is `other` after this one.
    fn add(self, other: Self) -> Self {
        Self {
            lines: self.lines + other.lines,
            bytes: self.bytes + other.bytes,
        }
    }
}

/// A line of a window.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextLine<'a> {
    /// The place of its first byte.
    pub start: TextOffset,
    /// Its text, without the newline.
    pub text: &'a [u8],
    /// The place at which the next line starts.
    pub end: TextOffset,
}

impl TextLine<'_> {
    /// The place of a byte of its text.
    pub fn byte(&self, byte: usize) -> TextOffset {
        TextOffset {
            bytes: self.start.bytes + byte,
            ..self.start
        }
    }

    /// The same line, if the text is preceded by another that ends there.
    pub(super) fn shifted_by(self, before: TextOffset) -> Self {
        Self {
            start: before + self.start,
            end: before + self.end,
            ..self
        }
    }

    /// Whether it has nothing but white space.
    pub fn is_empty(&self) -> bool {
        self.text.iter().all(u8::is_ascii_whitespace)
    }
}

/// The lines of a window.
pub fn lines(window: &[u8]) -> impl Iterator<Item = TextLine<'_>> + Clone {
    let mut start = TextOffset::START;
    window
        .split_inclusive(|&byte| byte == b'\n')
        .map(move |whole| {
            let size = TextOffset {
                lines: 1,
                bytes: whole.len(),
            };
            let line = TextLine {
                start,
                text: whole.strip_suffix(b"\n").unwrap_or(whole),
                end: start + size,
            };
            start = line.end;
            line
        })
}

/// The place after the last line of a window, which may lack its newline.
pub fn end_of_lines(window: &[u8]) -> TextOffset {
    lines(window).last().unwrap_or_default().end
}

/// The lines of a window that are not empty.
pub fn written_lines(window: &[u8]) -> impl Iterator<Item = TextLine<'_>> + Clone {
    lines(window).filter(|line| !line.is_empty())
}

/// Whether two texts are the same once all white space is taken out.
pub fn same_but_for_spaces(one: &[u8], other: &[u8]) -> bool {
    without_spaces(one).eq(without_spaces(other))
}

/// The bytes of a text that are no white space.
pub(super) fn without_spaces(text: &[u8]) -> impl Iterator<Item = &u8> + Clone {
    text.iter().filter(|byte| !byte.is_ascii_whitespace())
}

/// The bytes of a text for which `is_kept` holds, in lower case.
pub(super) fn lower_case(text: &[u8], is_kept: impl Fn(&u8) -> bool) -> Vec<u8> {
    text.iter()
        .filter(|&byte| is_kept(byte))
        .map(u8::to_ascii_lowercase)
        .collect()
}

/// A piece of a submission's text, shortened and escaped for a message.
pub fn quoted_bytes(text: &[u8]) -> String {
    shown_bytes(text.trim_ascii(), QUOTED)
}

/// The first `most` characters of a text, escaped for a message, with `...` if there
/// are more. Nothing invisible and nothing that a terminal obeys remains.
pub fn shown_bytes(text: &[u8], most: usize) -> String {
    let mut letters = characters(text);
    let shown: String = letters
        .by_ref()
        .take(most)
        .map(|(_, letter)| shown_character(letter))
        .collect();
    if letters.next().is_some() {
        shown + "..."
    } else {
        shown
    }
}

/// The characters of a text, each with its place. A byte that belongs to none stands
/// for itself.
pub(super) fn characters(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = text.len() - rest.len();
        // No character is longer; looking further would take quadratic time.
        let valid = rest[..rest.len().min(4)].utf8_chunks().next()?.valid();
        let (letter, behind) =
            rest.split_at(valid.chars().next().map_or(1, char::len_utf8));
        rest = behind;
        Some((start, letter))
    })
}

fn shown_character(letter: &[u8]) -> String {
    let Some(known) = str::from_utf8(letter)
        .ok()
        .and_then(|text| text.chars().next())
    else {
        return letter.escape_ascii().to_string();
    };
    // The standard library escapes what is no visible character, except for these
    // letters and a symbol.
    let is_blank = matches!(
        known,
        '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}'
    );
    match known {
        '\'' | '"' => known.to_string(),
        known if known.is_ascii() => letter.escape_ascii().to_string(),
        known if is_blank => known.escape_unicode().to_string(),
        known => known.escape_debug().to_string(),
    }
}
