//! Splits a window of text into lines, and quotes pieces of it for messages. Knows no
//! grids.

/// The longest piece of a submission's text that a message quotes, in characters.
const QUOTED: usize = 40;

/// A line of a window.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextLine<'a> {
    /// Its number from 0.
    pub number: u64,
    /// The position of its first byte.
    pub start: usize,
    /// Its text, without the newline.
    pub text: &'a [u8],
    /// The position at which the next line starts.
    pub end: usize,
}

impl TextLine<'_> {
    /// Its number and the position of its first byte.
    pub fn place(&self) -> (u64, usize) {
        (self.number, self.start)
    }

    /// The same line, if this many bytes and lines precede the text.
    pub(super) fn shifted_by(self, bytes: usize, lines: u64) -> Self {
        Self {
            number: self.number + lines,
            start: self.start + bytes,
            end: self.end + bytes,
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
    let mut start = 0;
    window.split_inclusive(|&byte| byte == b'\n').zip(0..).map(
        move |(whole, number)| {
            let line = TextLine {
                number,
                start,
                text: whole.strip_suffix(b"\n").unwrap_or(whole),
                end: start + whole.len(),
            };
            start = line.end;
            line
        },
    )
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
