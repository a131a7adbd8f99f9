//! Wording shared by all reports and messages: counts, times, sizes, and foreign text
//! made safe for a terminal or a page. Works on text and numbers only and knows nothing
//! of what they describe.

use std::borrow::Borrow;
use std::ffi::OsStr;
use std::fmt::Display;
use std::time::Duration;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The most characters of a foreign text that are shown on one line.
const LINE: usize = 300;

/// Marks the place where a line was cut.
const CUT: &str = "...";

/// The extra indent of the continuation lines of a wrapped sentence.
const HANGING: usize = 2;

/// Prefixes by which CI services recognise a command anywhere in a line that a step
/// prints, or in a report: GitHub's older form, those of Azure and TeamCity, and that
/// by which Jenkins attaches a file.
const COMMANDS: [&str; 4] = ["##[", "##vso[", "##teamcity[", "[[ATTACHMENT|"];

/// Returns a number with the noun it counts, as `1 case` or `2 cases`.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(
    number: N,
    noun: &str,
) -> String {
    format!("{number} {}", plural(number, noun))
}

/// Returns the noun in the right number: `case` for one, else `cases`.
pub fn plural<N: PartialEq + From<u8>>(number: N, noun: &str) -> String {
    format!("{noun}{}", if number == N::from(1) { "" } else { "s" })
}

/// Returns a text with its first letter in upper case.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// The lines of a text that are not blank, without white space around them.
pub fn lines_with_text(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// Formats a time for people: `412 us`, `13.1 ms`, `1.203 s`.
pub fn time(micros: u64) -> String {
    let micros_float = micros as f64;
    match micros {
        0..1_000 => format!("{micros} us"),
        1_000..1_000_000 => format!("{:.1} ms", micros_float / 1e3),
        _ => format!("{:.3} s", micros_float / 1e6),
    }
}

/// Formats a size for people, in MiB.
pub fn mebibytes(bytes: u64) -> String {
    // Integers, because reports write hundreds of thousands of these. Ties go to the
    // even digit, as when a float is formatted.
    let exact = u128::from(bytes) * 10;
    let tenths = exact / (1 << 20);
    let rest = exact % (1 << 20);
    let tenths = tenths + u128::from(rest + tenths % 2 > (1 << 19));
    format!("{}.{} MiB", tenths / 10, tenths % 10)
}

/// Formats a time limit for people: `1 s`, `1.5 s`, `300 ms`. Expects round numbers.
pub fn round_time(micros: u64) -> String {
    match micros {
        1_000_000.. if micros.is_multiple_of(1_000_000) => {
            format!("{} s", micros / 1_000_000)
        }
        1_000_000.. if micros.is_multiple_of(100_000) => {
            format!("{}.{} s", micros / 1_000_000, micros / 100_000 % 10)
        }
        1_000..1_000_000 if micros.is_multiple_of(1_000) => {
            format!("{} ms", micros / 1_000)
        }
        _ => time(micros),
    }
}

/// Formats a size limit for people, in MiB.
pub fn round_size(bytes: u64) -> String {
    if bytes.is_multiple_of(1 << 20) {
        format!("{} MiB", bytes >> 20)
    } else {
        mebibytes(bytes)
    }
}

/// Formats a time as a clock does: `0:07`, `12:34`, `1:02:03`.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let hours = seconds / 3600;
    let minutes = seconds / 60 % 60;
    let seconds = seconds % 60;
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// Escapes everything in foreign text that could move a terminal's cursor or reverse
/// its text direction, that is invisible or not a character at all, or that a CI
/// service would take for a command.
pub fn printable(text: &str) -> String {
    // A shortcut for most text; a log of a hundred thousand submissions has much of it.
    let is_plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if is_plain && !["##", "::", "[["].iter().any(|part| text.contains(part)) {
        return text.to_owned();
    }
    let mut shown = String::new();
    for (letter, is_safe) in letters(text) {
        match letter {
            '\t' => shown.push_str("    "),
            letter if is_safe => shown.push(letter),
            '#' | ':' | '[' => shown.extend(letter.escape_unicode()),
            letter => shown.extend(letter.escape_default()),
        }
    }
    shown
}

/// The letters of foreign text, each with whether it can be shown as it is: without
/// moving or hiding anything, and without beginning a command of a CI service.
pub(crate) fn letters(text: &str) -> impl Iterator<Item = (char, bool)> {
    text.char_indices().map(|(at, letter)| {
        let rest = &text[at..];
        // GitHub's newer form begins a line, after blanks at most; a text may begin a
        // line, and so may each of its words where it is wrapped. Haskell and Fortran
        // have a space behind `::`.
        let name = rest.strip_prefix("::").filter(|_| {
            !text[..at].ends_with(|before: char| !before.is_whitespace())
        });
        let is_command = COMMANDS.iter().any(|command| rest.starts_with(command))
            || name.is_some_and(|name| name.starts_with(char::is_alphabetic));
        (letter, is_printable(letter) && !is_command)
    })
}

/// Whether a character is visible and moves nothing.
pub fn is_printable(letter: char) -> bool {
    !letter.is_control()
        && !matches!(
            letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'
                | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
                | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}'
                | '\u{ffff}' | '\u{e0000}'..='\u{e01ef}'
        )
}

/// Cuts a text to `most` characters and says how many bytes are left out.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => {
            let rest = counted(text.len() - end, "byte");
            format!("{} ... ({rest} more)", &text[..end])
        }
    }
}

/// Texts that can be joined into one.
pub trait JoinedTexts: Iterator<Item: Borrow<str>> + Sized {
    /// The texts, with a separator between them.
    fn joined(self, separator: &str) -> String {
        self.collect::<Vec<_>>().join(separator)
    }
}

impl<I: Iterator<Item: Borrow<str>>> JoinedTexts for I {}

/// The first `most` of several texts, and how many more there are.
pub fn first_few<T: Borrow<str>>(
    texts: impl ExactSizeIterator<Item = T>,
    most: usize,
) -> String {
    let more = texts.len().saturating_sub(most);
    let first = texts.take(most).joined(", ");
    if more == 0 {
        first
    } else {
        format!("{first} and {more} more")
    }
}

/// Makes foreign text safe and short enough for one line.
pub fn one_line(text: &str) -> String {
    // Cut first: escaping a megabyte takes time.
    printable(&shortened(text, LINE))
}

/// Cuts a line to at most `room` columns, ending with `...` if anything is cut.
pub fn cut(line: &str, room: usize) -> String {
    if line.width() <= room {
        return line.to_owned();
    }
    let kept = room.saturating_sub(CUT.len());
    let mut width = 0;
    line.chars()
        .take_while(|letter| {
            width += letter.width().unwrap_or(0);
            width <= kept
        })
        .chain(CUT.chars().take(room))
        .collect()
}

/// Cuts the middle out of a line so that it takes at most `room` columns, of which its
/// end takes at most `end_room`.
pub fn cut_within(line: &str, room: usize, end_room: usize) -> String {
    if line.width() <= room {
        return line.to_owned();
    }
    let mut end = line.len();
    for (at, _) in line
        .char_indices()
        .rev()
        .take_while(|(at, _)| line[*at..].width() <= end_room)
    {
        end = at;
    }
    // The rest of the room is for the start; the dots that `cut` appends separate the
    // two.
    cut(line, room - line[end..].width()) + &line[end..]
}

/// Wraps a text to lines of at most `room` columns, if that is known and no word is
/// longer. Continuation lines are indented by `indent` columns.
pub fn wrapped(text: &str, room: Option<usize>, indent: usize) -> String {
    wrapped_lines(text, room, |_| indent)
}

/// Like [`wrapped`], but continuation lines are indented relative to the indent of the
/// line they continue.
pub fn hanging(text: &str, room: Option<usize>) -> String {
    wrapped_lines(text, room, |line| indent_of(line) + HANGING)
}

fn wrapped_lines(
    text: &str,
    room: Option<usize>,
    indent: impl Fn(&str) -> usize,
) -> String {
    let Some(room) = room else {
        return text.to_owned();
    };
    text.split_inclusive('\n')
        .map(|line| wrapped_line(line, room, indent(line)))
        .collect()
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn wrapped_line(line: &str, room: usize, indent: usize) -> String {
    if shown_width(line) <= room {
        return line.to_owned();
    }
    let (start, words) = line.split_at(indent_of(line));
    let mut text = start.to_owned();
    let mut column = text.len();
    for (place, word) in unbroken(words).into_iter().enumerate() {
        let width = shown_width(word);
        if place > 0 && column + 1 + width > room {
            text = text + "\n" + &" ".repeat(indent);
            column = indent;
        } else if place > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += width;
    }
    text
}

/// Splits a line into words. Text in backticks counts as one word: it may be a command,
/// and a command that is broken in two cannot be copied.
fn unbroken(line: &str) -> Vec<&str> {
    let mut words = vec![];
    let mut start = 0;
    let mut is_quoted = false;
    for (at, letter) in line.char_indices() {
        match letter {
            '`' => is_quoted = !is_quoted && line[at + 1..].contains('`'),
            ' ' if !is_quoted => {
                words.push(&line[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    words.push(&line[start..]);
    words
}

/// The columns that a line takes up; colour codes take none.
fn shown_width(line: &str) -> usize {
    anstream::adapter::strip_str(line.trim_end_matches('\n'))
        .map(UnicodeWidthStr::width)
        .sum()
}

// Recognises how a text is encoded by its first bytes, if it is not plain UTF-8.

/// An encoding that programs do not expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnexpectedEncoding {
    /// Two bytes for most characters.
    Utf16,
    /// Four bytes for each character.
    Utf32,
    /// UTF-8 with a byte order mark at its start.
    ByteOrderMark,
}

/// The byte order mark of UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The fewest bytes by which text of two bytes a character is recognised without a
/// mark.
const FEWEST: usize = 4;

impl UnexpectedEncoding {
    /// The name of the encoding, if no line of such a text can be read.
    pub fn unreadable_name(self) -> Option<&'static str> {
        match self {
            Self::Utf16 => Some("UTF-16"),
            Self::Utf32 => Some("UTF-32"),
            Self::ByteOrderMark => None,
        }
    }

    /// Recognises the encoding of a text by its start; `None` if programs can read it.
    pub fn detect(start: &[u8]) -> Option<Self> {
        match start {
            [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Some(Self::Utf32),
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some(Self::Utf16),
            start if start.starts_with(BYTE_ORDER_MARK) => Some(Self::ByteOrderMark),
            start => has_every_other_byte_zero(start).then_some(Self::Utf16),
        }
    }
}

/// Whether lines end with a carriage return alone, as far as the start of a text shows.
pub(crate) fn has_lone_returns(start: &[u8]) -> bool {
    // A line feed may follow the last byte.
    let before_last = start.split_last().map_or(start, |(_, before)| before);
    before_last.contains(&b'\r') && !start.contains(&b'\n')
}

/// Whether a text has a NUL before or after each byte, as ASCII in UTF-16 does.
fn has_every_other_byte_zero(start: &[u8]) -> bool {
    let is_ascii_in = |zero: usize| {
        start.len() >= FEWEST
            && start
                .chunks_exact(2)
                .all(|unit| unit[zero] == 0 && (1..0x80).contains(&unit[1 - zero]))
    };
    is_ascii_in(0) || is_ascii_in(1)
}

/// The number of line feeds in a text.
pub(crate) fn newlines(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

/// Whether a text consists of decimal digits.
pub(crate) fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The text of a path or a name, with signs in place of what is no Unicode.
pub fn path_text(path: impl AsRef<OsStr>) -> String {
    path.as_ref().to_string_lossy().into_owned()
}

/// The text of a value, or none.
pub fn text_or_none(value: Option<impl Display>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A word quoted for a shell, in visible characters: whatever is copied into a shell
/// must be what it looks like.
pub fn shell_word(word: &str) -> String {
    if printable(word) != word {
        return format!("$'{}'", word.chars().map(escaped).collect::<String>());
    }
    if !word.is_empty()
        && word.chars().all(|letter| {
            letter.is_ascii_alphanumeric() || "-_./+,=@%".contains(letter)
        })
    {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A letter, escaped for use between `$'` and `'`.
fn escaped(letter: char) -> String {
    let text = letter.to_string();
    match letter {
        '\'' | '\\' => format!("\\{letter}"),
        // One `#` is harmless, but together with others it may begin a command of a CI
        // service, as `##[` does.
        '#' => r"\x23".to_owned(),
        _ if printable(&text) == text => text,
        _ => text.bytes().map(|byte| format!(r"\x{byte:02x}")).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        assert_eq!(
            [0, 1, 2].map(|number| counted(number, "case")),
            ["0 cases", "1 case", "2 cases"]
        );
    }

    #[test]
    fn a_size_is_rounded_like_a_formatted_float() {
        for bytes in (0..64)
            .map(|part| part << 15)
            .chain((0..5000).map(|number| number * 4093))
            .chain([1 << 40])
        {
            assert_eq!(
                mebibytes(bytes),
                format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20)),
                "{bytes}"
            );
        }
    }

    #[test]
    fn a_round_limit_is_shown_without_needless_digits() {
        let times =
            [1_000_000, 1_500_000, 300_000, 1_234_567, 60_000_000].map(round_time);
        assert_eq!(times, ["1 s", "1.5 s", "300 ms", "1.235 s", "60 s"]);
        assert_eq!(
            [64 << 20, (64 << 20) + 1, 1 << 19].map(round_size),
            ["64 MiB", "64.0 MiB", "0.5 MiB"]
        );
    }

    #[test]
    fn control_characters_in_foreign_text_are_escaped() {
        assert_eq!(
            printable("a\x1b[2Jb\u{202e}\t\u{e9}\r"),
            "a\\u{1b}[2Jb\\u{202e}    \u{e9}\\r"
        );
    }

    #[test]
    fn invisible_characters_are_escaped() {
        for letter in [
            '\u{ad}',
            '\u{34f}',
            '\u{200b}',
            '\u{3164}',
            '\u{fe0f}',
            '\u{feff}',
            '\u{e0101}',
        ] {
            assert_eq!(
                printable(&letter.to_string()),
                letter.escape_unicode().to_string()
            );
        }
    }

    #[test]
    fn commands_to_ci_services_are_escaped() {
        for (text, shown) in [
            ("a ##[set-output name=x]y", r"a \u{23}#[set-output name=x]y"),
            ("###[error]", r"#\u{23}#[error]"),
            ("##vso[task.x]", r"\u{23}#vso[task.x]"),
            ("##teamcity[x]", r"\u{23}#teamcity[x]"),
            ("[[ATTACHMENT|/x]]", r"\u{5b}[ATTACHMENT|/x]]"),
            ("::error::x", r"\u{3a}:error::x"),
            ("a\t ::error::x", r"a     \u{3a}:error::x"),
            ("'::x', std::vec, a :: b", "'::x', std::vec, a :: b"),
            (
                "## heading [1], #[derive], a ## b",
                "## heading [1], #[derive], a ## b",
            ),
        ] {
            assert_eq!(printable(text), shown);
        }
    }

    #[test]
    fn a_line_is_cut_to_the_available_columns() {
        assert_eq!(cut("judging", 7), "judging");
        assert_eq!(cut("judging", 6), "jud...");
        assert_eq!(cut("\u{4e2d}\u{6587}\u{4e2d}\u{6587}", 6), "\u{4e2d}...");
        assert_eq!(
            (cut("judging", 2), cut("judging", 0)),
            ("..".to_owned(), String::new())
        );
    }

    #[test]
    fn a_long_line_wraps_between_words_and_continues_indented() {
        let text = "not as expected:\n  p a.c: row 9 has two 6s\n";
        assert_eq!(wrapped(text, None, 4), text);
        assert_eq!(wrapped(text, Some(40), 4), text);
        assert_eq!(
            wrapped(text, Some(16), 4),
            "not as expected:\n  p a.c: row 9\n    has two 6s\n"
        );
        assert_eq!(wrapped("1234567 89\n", Some(5), 0), "1234567\n89\n");
        assert_eq!(
            wrapped("a bc def ghijklmnop q", Some(6), 0),
            "a bc\ndef\nghijklmnop\nq"
        );
        assert_eq!(wrapped("abc def", Some(7), 0), "abc def");
        assert_eq!(wrapped("", Some(7), 0), "");
        assert_eq!(
            hanging("a bc def\n  ghi j\n", Some(5)),
            "a bc\n  def\n  ghi\n    j\n"
        );
    }

    #[test]
    fn a_command_in_backticks_is_not_broken_and_colour_codes_have_no_width() {
        assert_eq!(
            hanging("try `a b c` or d", Some(8)),
            "try\n  `a b c`\n  or d"
        );
        // An unpaired backtick quotes nothing.
        assert_eq!(hanging("`a` b ` c d e", Some(8)), "`a` b `\n  c d e");
        assert_eq!(
            hanging("\u{1b}[1mhint\u{1b}[0m: abc", Some(9)),
            "\u{1b}[1mhint\u{1b}[0m: abc"
        );
    }
}

#[cfg(test)]
mod encoding_tests {
    use super::*;

    #[test]
    fn an_encoding_is_recognised_by_its_mark_or_its_zeros() {
        for (start, encoding) in [
            (
                &b"\xff\xfe4\x002\x00\n\x00"[..],
                Some(UnexpectedEncoding::Utf16),
            ),
            (b"\xfe\xff\x004\x002\x00\n", Some(UnexpectedEncoding::Utf16)),
            (b"4\x00\n\x00", Some(UnexpectedEncoding::Utf16)),
            (b"\x004\x00\n", Some(UnexpectedEncoding::Utf16)),
            (b"\xff\xfe\0\x004\0\0\0", Some(UnexpectedEncoding::Utf32)),
            (b"\xef\xbb\xbf42\n", Some(UnexpectedEncoding::ByteOrderMark)),
            (b"42\n", None),
            (b"4\x00", None),
            (b"", None),
            (b"\x00\x00\x00\x00", None),
            ("caf\u{e9}\n".as_bytes(), None),
        ] {
            assert_eq!(UnexpectedEncoding::detect(start), encoding, "{start:?}");
        }
    }

    #[test]
    fn carriage_returns_are_alone_where_no_line_feed_is_in_sight() {
        for start in [&b"12\r34"[..], b"\r\r", b"12\r34\r"] {
            assert!(has_lone_returns(start), "{start:?}");
        }
        for start in [
            &b""[..],
            b"12\r",
            b"12\r\n34\r\n",
            b"12\n3\r4",
            b"\r12\n",
            b"12",
        ] {
            assert!(!has_lone_returns(start), "{start:?}");
        }
    }
}
