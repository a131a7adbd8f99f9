//! Reads a text piece by piece, keeps a little of what has been passed, and finds white
//! space and tokens in it. Knows bytes only.

use std::io;

use crate::check::StreamBuffer;

/// Bytes that the view holds, unless the stream ends before.
const PIECE: usize = 64 * 1024;

/// Bytes that are kept after they have been passed, for messages.
pub(super) const HISTORY: usize = 1024;

/// The size of a full buffer, in bytes: a few pieces, so that little is moved within
/// it.
pub(super) const BUFFER: usize = 4 * PIECE;

impl StreamBuffer<'_> {
    /// Reads on until the view holds a piece, or the stream has ended.
    #[inline]
    pub(super) fn fill_piece(&mut self) -> io::Result<()> {
        if self.view().len() < PIECE && !self.has_ended {
            self.fill(PIECE, HISTORY)?;
        }
        Ok(())
    }

    /// The last bytes that have been passed.
    pub(super) fn passed_text(&self) -> &[u8] {
        &self.bytes[self.start.saturating_sub(HISTORY)..self.start]
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

// Finds white space and tokens in memory, and how far two texts are equal. Knows
// neither streams nor messages.

/// Whether a byte separates tokens: a space, a tab, a line feed, a vertical tab, a form
/// feed, a carriage return. Nothing else does, not even a NUL or a space of Unicode.
#[inline]
pub(super) fn is_space(byte: u8) -> bool {
    byte == b' ' || byte.wrapping_sub(b'\t') < 5
}

/// Bytes of the white space that a text begins with.
#[inline]
pub(super) fn gap_length(text: &[u8]) -> usize {
    text.iter()
        .position(|byte| !is_space(*byte))
        .unwrap_or(text.len())
}

/// The parts of a text between separators that are not empty, each with the byte at
/// which it starts.
pub(super) fn filled_parts(
    text: &[u8],
    separates: fn(u8) -> bool,
) -> impl Iterator<Item = (usize, &[u8])> {
    let mut start = 0;
    let parts = text.split(move |byte| separates(*byte)).map(move |part| {
        let at = start;
        start += part.len() + 1;
        (at, part)
    });
    parts.filter(|(_, part)| !part.is_empty())
}

/// The lines of a text that are not empty, each with the byte at which it starts. A
/// carriage return ends a line, too.
pub(super) fn filled_lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    filled_parts(text, |byte| matches!(byte, b'\r' | b'\n'))
}

/// The tokens of a line with a space between two of them.
pub(super) fn in_single_spaces(line: &[u8]) -> Vec<u8> {
    filled_parts(line, is_space)
        .map(|(_, token)| token)
        .collect::<Vec<_>>()
        .join(&b' ')
}

/// Bytes of the token that a text begins with.
#[inline]
pub(super) fn token_length(text: &[u8]) -> usize {
    let (words, rest) = text.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let spaces = spaces_in(u64::from_le_bytes(*word));
        if spaces != 0 {
            return 8 * number + spaces.trailing_zeros() as usize / 8;
        }
    }
    let in_rest = rest
        .iter()
        .position(|byte| is_space(*byte))
        .unwrap_or(rest.len());
    8 * words.len() + in_rest
}

/// Sets the highest bit of each of the eight bytes that is white space.
#[inline]
fn spaces_in(word: u64) -> u64 {
    // Masked once for both: it is done for each word of a text.
    let spaces = bytes_within(word, b'\t', b'\r') | bytes_within(word, b' ', b' ');
    spaces & !word & HIGHEST_BITS
}

/// Sets the highest bit of each of the eight bytes that is from `least` to `most`, both
/// ASCII, if all bytes are; other bits may be set as well. No sum overflows its byte,
/// since the operands have no highest bit set.
#[inline]
fn bytes_within(word: u64, least: u8, most: u8) -> u64 {
    let low = word & !HIGHEST_BITS;
    let at_least = |byte: u8| low + u64::from_le_bytes([0x80 - byte; 8]);
    at_least(least) & !at_least(most + 1)
}

/// The highest bit of each of eight bytes.
const HIGHEST_BITS: u64 = u64::from_le_bytes([0x80; 8]);

/// Bytes of the white space that a text ends with.
#[inline]
pub(super) fn gap_before_the_end(text: &[u8]) -> usize {
    text.iter()
        .rev()
        .position(|byte| !is_space(*byte))
        .unwrap_or(text.len())
}

/// How many bytes two texts have in common at their start.
#[inline]
pub(super) fn same_bytes(one: &[u8], other: &[u8]) -> usize {
    same::<false>(one, other)
}

/// How many bytes two texts have in common at their start, with no regard to the case
/// of ASCII letters.
#[inline]
pub(super) fn same_letters(one: &[u8], other: &[u8]) -> usize {
    same::<true>(one, other)
}

#[inline]
fn same<const ANY_CASE: bool>(one: &[u8], other: &[u8]) -> usize {
    let words = one.as_chunks::<8>().0;
    let others = other.as_chunks::<8>().0;
    // No `zip`: it is composed of functions of the standard library that are not
    // inlined, and are called anew for each token.
    let mut others = others.iter();
    let mut same = 0;
    for word in words {
        let Some(other) = others.next() else { break };
        let word = u64::from_le_bytes(*word);
        let other = u64::from_le_bytes(*other);
        let mut differing = word ^ other;
        if ANY_CASE && differing != 0 {
            differing = lower_case(word) ^ lower_case(other);
        }
        if differing != 0 {
            return same + differing.trailing_zeros() as usize / 8;
        }
        same += 8;
    }
    let mut rest = other[same..].iter();
    same + one[same..]
        .iter()
        .take_while(|byte| {
            rest.next().is_some_and(|other| {
                *byte == other || ANY_CASE && byte.eq_ignore_ascii_case(other)
            })
        })
        .count()
}

/// Turns the upper-case ASCII letters among eight bytes into lower-case ones.
#[inline]
fn lower_case(word: u64) -> u64 {
    word | (bytes_within(word, b'A', b'Z') & !word & HIGHEST_BITS) >> 2
}

/// The number of tokens that begin in a text; `follows_space` if white space comes
/// before it.
pub(super) fn token_starts(text: &[u8], follows_space: bool) -> u64 {
    let (words, rest) = text.as_chunks::<8>();
    // As in a word of which only the first byte is white space.
    let mut space_before = u64::from(follows_space) << 7;
    let mut starts = 0;
    for word in words {
        let spaces = spaces_in(u64::from_le_bytes(*word));
        let begin = (spaces << 8 | space_before) & !spaces;
        // Adds up the bytes, of which each is 0 or 1.
        starts += (begin >> 7).wrapping_mul(u64::from_le_bytes([1; 8])) >> 56;
        space_before = spaces >> 56;
    }
    let mut follows_space = space_before != 0;
    for byte in rest {
        starts += u64::from(follows_space && !is_space(*byte));
        follows_space = is_space(*byte);
    }
    starts
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn a_stream_of_any_size_takes_little_memory_and_keeps_a_little_of_what_was_passed()
     {
        let mut text = io::repeat(b'x').take(10 << 20);
        let mut stream = StreamBuffer::new(&mut text, BUFFER);
        let mut passed = 0;
        loop {
            stream.fill_piece().unwrap();
            let bytes = stream.view().len();
            if bytes == 0 {
                break;
            }
            assert!(bytes >= PIECE || stream.has_ended);
            stream.pass(bytes.min(1000));
            passed += bytes.min(1000);
            assert_eq!(stream.passed_text().len(), passed.min(HISTORY));
        }
        assert_eq!((passed, stream.bytes.len()), (10 << 20, BUFFER));
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

#[cfg(test)]
mod scan_tests {
    use super::*;

    #[test]
    fn six_bytes_are_white_space() {
        let spaces: Vec<u8> = (0..=255).filter(|byte| is_space(*byte)).collect();
        assert_eq!(spaces, b"\t\n\x0b\x0c\r ");
    }

    #[test]
    fn a_token_ends_at_the_first_white_space_wherever_it_stands() {
        for byte in 0..=255 {
            for place in 0..20 {
                let mut text = *b"\x1f!\x08\x0e\xa0\x89\x8d\0token\xff\x7f\x80-of20";
                text[place] = byte;
                let expected = if is_space(byte) { place } else { text.len() };
                assert_eq!(token_length(&text), expected, "{byte} at {place}");
            }
        }
        assert_eq!(token_length(b"one two three four"), 3);
        assert_eq!(token_length(b""), 0);
    }

    #[test]
    fn the_bytes_in_common_are_counted_across_words() {
        let text = b"0123456789abcdefghijklmnopqrstuvwxyz";
        for place in 0..text.len() {
            let mut other = *text;
            other[place] = b'!';
            assert_eq!(same_bytes(text, &other), place);
            assert_eq!(same_bytes(text, &text[..place]), place);
        }
        assert_eq!(same_bytes(text, text), text.len());
    }

    #[test]
    fn letters_in_common_are_counted_in_either_case_and_other_bytes_are_not_taken_for_them()
     {
        for byte in 0..=255u8 {
            for other in 0..=255u8 {
                for place in [3, 17] {
                    let mut one = *b"Some letters, AND more";
                    let mut two = *b"sOME LETTERS, and MORE";
                    (one[place], two[place]) = (byte, other);
                    let expected = if byte.eq_ignore_ascii_case(&other) {
                        one.len()
                    } else {
                        place
                    };
                    assert_eq!(
                        same_letters(&one, &two),
                        expected,
                        "{byte} {other} at {place}"
                    );
                }
            }
        }
    }

    #[test]
    fn tokens_are_counted_where_they_begin() {
        for (text, follows_space, starts) in [
            ("", true, 0),
            ("a", true, 1),
            ("a", false, 0),
            (" a bc\nd ", false, 3),
            ("a bc", true, 2),
        ] {
            assert_eq!(
                token_starts(text.as_bytes(), follows_space),
                starts,
                "{text:?}"
            );
        }
        for length in [254, 255, 256, 509, 510, 511, 1023] {
            let text = "a ".repeat(length);
            assert_eq!(token_starts(text.as_bytes(), true), length as u64);
            assert_eq!(
                token_starts(&text.as_bytes()[1..], false),
                length as u64 - 1
            );
        }
    }
}
