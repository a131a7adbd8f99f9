//! How things are worded, for every report and message: counts, times, sizes, and foreign text made fit for a terminal
//! or a page. Knows letters and numbers; nothing of what they are about.

use std::fmt::Display;
use std::time::Duration;

use unicode_width::UnicodeWidthChar;
use unicode_width::UnicodeWidthStr;

/// Letters of a text that is to fit in a line.
const LINE: usize = 300;

/// What stands where a line was cut.
const CUT: &str = "...";

/// How much further in a sentence goes on that is broken.
const HANGING: usize = 2;

/// How services that run builds begin a command in what a step prints, at any place of a line: GitHub's older form, and
/// those of Azure and TeamCity.
const COMMANDS: [&str; 3] = ["##[", "##vso[", "##teamcity["];

/// A number and what it counts, as `1 case` and `2 cases`.
pub(crate) fn counted<N: Copy + Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    format!("{number} {}", plural(number, noun))
}

/// What is counted, without the number: `case` of one, else `cases`.
pub(crate) fn plural<N: PartialEq + From<u8>>(number: N, noun: &str) -> String {
    format!("{noun}{}", if number == N::from(1) { "" } else { "s" })
}

/// A time for people: `412 us`, `13.1 ms`, `1.203 s`.
pub(crate) fn time(micros: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    let micros_float = micros as f64;
    match micros {
        0..1_000 => format!("{micros} us"),
        1_000..1_000_000 => format!("{:.1} ms", micros_float / 1e3),
        _ => format!("{:.3} s", micros_float / 1e6),
    }
}

/// A size for people, in MiB.
pub fn mebibytes(bytes: u64) -> String {
    // Whole numbers, for reports write hundreds of thousands of these. Ties go to the even digit, as those of floats do.
    let exact = u128::from(bytes) * 10;
    let (tenths, rest) = (exact / (1 << 20), exact % (1 << 20));
    let tenths = tenths + u128::from(rest + tenths % 2 > (1 << 19));
    format!("{}.{} MiB", tenths / 10, tenths % 10)
}

/// A limit on time for people: `1 s`, `1.5 s`, `300 ms`. Limits are round numbers.
pub(crate) fn round_time(micros: u64) -> String {
    match micros {
        1_000_000.. if micros.is_multiple_of(1_000_000) => format!("{} s", micros / 1_000_000),
        1_000_000.. if micros.is_multiple_of(100_000) => {
            format!("{}.{} s", micros / 1_000_000, micros / 100_000 % 10)
        }
        1_000..1_000_000 if micros.is_multiple_of(1_000) => format!("{} ms", micros / 1_000),
        _ => time(micros),
    }
}

/// A limit on a size for people, in MiB.
pub(crate) fn round_size(bytes: u64) -> String {
    if bytes.is_multiple_of(1 << 20) { format!("{} MiB", bytes >> 20) } else { mebibytes(bytes) }
}

/// A time as clocks show it: `0:07`, `12:34`, `1:02:03`.
pub(crate) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// Foreign text with everything escaped that could move a terminal's cursor or turn its text around, with what cannot be
/// seen, or stands for no letter at all, and with what a service that runs builds would take for a command.
pub fn printable(text: &str) -> String {
    // Most text is of this kind, and a log of a hundred thousand submissions has much of it.
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && !text.contains("##") {
        return text.to_owned();
    }
    let mut shown = String::new();
    for (at, letter) in text.char_indices() {
        match letter {
            '\t' => shown.push_str("    "),
            '#' if COMMANDS.iter().any(|command| text[at..].starts_with(command)) => {
                shown.extend(letter.escape_unicode());
            }
            letter if is_plain(letter) => shown.push(letter),
            letter => shown.extend(letter.escape_default()),
        }
    }
    shown
}

fn is_plain(letter: char) -> bool {
    !letter.is_control()
        && !matches!(
            letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
                | '\u{e0000}'..='\u{e01ef}'
        )
}

/// Text cut to so many letters, with a word on what is left out.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{} ... ({} bytes more)", &text[..end], text.len() - end),
    }
}

/// Foreign text made fit for a line.
pub(crate) fn one_line(text: &str) -> String {
    // Cut first: to escape a megabyte takes time.
    printable(&shortened(text, LINE))
}

/// The start of a line that takes no more than so many columns.
pub(crate) fn cut(line: &str, room: usize) -> String {
    if line.width() <= room {
        return line.to_owned();
    }
    let kept = room.saturating_sub(CUT.len());
    let mut width = 0;
    let start = line.chars().take_while(|letter| {
        width += letter.width().unwrap_or(0);
        width <= kept
    });
    start.chain(CUT.chars().take(room)).collect()
}

/// Both ends of a line, so that it takes no more than so many columns, and its end no more than `end_room` of them.
pub(crate) fn cut_within(line: &str, room: usize, end_room: usize) -> String {
    if line.width() <= room {
        return line.to_owned();
    }
    let mut end = line.len();
    for (at, _) in line.char_indices().rev().take_while(|(at, _)| line[*at..].width() <= end_room) {
        end = at;
    }
    // The rest of the room is for the start; what `cut` puts behind it are the dots between the two.
    cut(line, room - line[end..].width()) + &line[end..]
}

/// A text whose lines take no more than `room` columns, if that is known and no word is longer; what goes on stands
/// `indent` columns in.
pub(crate) fn wrapped(text: &str, room: Option<usize>, indent: usize) -> String {
    let Some(room) = room else { return text.to_owned() };
    text.split_inclusive('\n').map(|line| wrapped_line(line, room, indent)).collect()
}

/// The same, where what goes on stands further in than its line begins.
pub(crate) fn hanging(text: &str, room: Option<usize>) -> String {
    let Some(room) = room else { return text.to_owned() };
    text.split_inclusive('\n').map(|line| wrapped_line(line, room, indent_of(line) + HANGING)).collect()
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

/// The words of a line. What stands in backticks is one of them: it may be a command, and one that is broken in two cannot
/// be copied.
fn unbroken(line: &str) -> Vec<&str> {
    let (mut words, mut start, mut is_quoted) = (Vec::new(), 0, false);
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

/// Columns that a line takes, in which colours take none.
fn shown_width(line: &str) -> usize {
    anstream::adapter::strip_str(line.trim_end_matches('\n')).map(UnicodeWidthStr::width).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        assert_eq!([0, 1, 2].map(|number| counted(number, "case")), ["0 cases", "1 case", "2 cases"]);
    }

    #[test]
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn a_size_is_rounded_as_its_float_is() {
        for bytes in
            (0..64).map(|part| part << 15).chain((0..5000).map(|number| number * 4093)).chain([1 << 40])
        {
            assert_eq!(mebibytes(bytes), format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20)), "{bytes}");
        }
    }

    #[test]
    fn a_limit_is_as_short_as_it_is_round() {
        let times = [1_000_000, 1_500_000, 300_000, 1_234_567, 60_000_000].map(round_time);
        assert_eq!(times, ["1 s", "1.5 s", "300 ms", "1.235 s", "60 s"]);
        assert_eq!([64 << 20, (64 << 20) + 1, 1 << 19].map(round_size), ["64 MiB", "64.0 MiB", "0.5 MiB"]);
    }

    #[test]
    fn foreign_text_cannot_reach_the_terminal() {
        assert_eq!(printable("a\x1b[2Jb\u{202e}\t\u{e9}\r"), "a\\u{1b}[2Jb\\u{202e}    \u{e9}\\r");
    }

    #[test]
    fn what_cannot_be_seen_is_shown() {
        for letter in ['\u{ad}', '\u{34f}', '\u{200b}', '\u{3164}', '\u{fe0f}', '\u{feff}', '\u{e0101}'] {
            assert_eq!(printable(&letter.to_string()), letter.escape_unicode().to_string());
        }
    }

    #[test]
    fn nobody_gives_commands_to_who_runs_the_build() {
        for (text, shown) in [
            ("a ##[set-output name=x]y", r"a \u{23}#[set-output name=x]y"),
            ("###[error]", r"#\u{23}#[error]"),
            ("##vso[task.x]", r"\u{23}#vso[task.x]"),
            ("##teamcity[x]", r"\u{23}#teamcity[x]"),
            ("## heading [1], #[derive], a ## b", "## heading [1], #[derive], a ## b"),
        ] {
            assert_eq!(printable(text), shown);
        }
    }

    #[test]
    fn a_line_is_cut_to_the_columns_that_there_are() {
        assert_eq!(cut("judging", 7), "judging");
        assert_eq!(cut("judging", 6), "jud...");
        assert_eq!(cut("\u{4e2d}\u{6587}\u{4e2d}\u{6587}", 6), "\u{4e2d}...");
        assert_eq!((cut("judging", 2), cut("judging", 0)), ("..".to_owned(), String::new()));
    }

    #[test]
    fn a_line_is_broken_between_words_and_goes_on_indented() {
        let text = "not as expected:\n  p a.c: row 9 has two 6s\n";
        assert_eq!(wrapped(text, None, 4), text);
        assert_eq!(wrapped(text, Some(40), 4), text);
        assert_eq!(wrapped(text, Some(16), 4), "not as expected:\n  p a.c: row 9\n    has two 6s\n");
        assert_eq!(wrapped("1234567 89\n", Some(5), 0), "1234567\n89\n");
        assert_eq!(wrapped("a bc def ghijklmnop q", Some(6), 0), "a bc\ndef\nghijklmnop\nq");
        assert_eq!(wrapped("abc def", Some(7), 0), "abc def");
        assert_eq!(wrapped("", Some(7), 0), "");
        assert_eq!(hanging("a bc def\n  ghi j\n", Some(5)), "a bc\n  def\n  ghi\n    j\n");
    }

    #[test]
    fn a_command_in_backticks_is_not_broken_and_colour_takes_no_room() {
        assert_eq!(hanging("try `a b c` or d", Some(8)), "try\n  `a b c`\n  or d");
        // One without another begins nothing.
        assert_eq!(hanging("`a` b ` c d e", Some(8)), "`a` b `\n  c d e");
        assert_eq!(hanging("\u{1b}[1mhint\u{1b}[0m: abc", Some(9)), "\u{1b}[1mhint\u{1b}[0m: abc");
    }
}
