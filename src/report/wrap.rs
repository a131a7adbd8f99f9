//! Text broken between words where a terminal would break it inside of one.

use unicode_width::UnicodeWidthStr;

/// A text whose lines take no more than `room` columns, if that is known and no word is longer; what goes on stands
/// `indent` columns in.
pub(crate) fn wrapped(text: &str, room: Option<usize>, indent: usize) -> String {
    let Some(room) = room else { return text.to_owned() };
    text.split_inclusive('\n').map(|line| wrapped_line(line, room, indent)).collect()
}

fn wrapped_line(line: &str, room: usize, indent: usize) -> String {
    if line.trim_end_matches('\n').width() <= room {
        return line.to_owned();
    }
    let words = line.trim_start_matches(' ');
    let mut text = " ".repeat(line.len() - words.len());
    let mut column = text.len();
    for (place, word) in words.split(' ').enumerate() {
        let width = word.trim_end_matches('\n').width();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_broken_between_words_and_goes_on_indented() {
        let text = "not as expected:\n  p a.c: row 9 has two 6s\n";
        assert_eq!(wrapped(text, None, 4), text);
        assert_eq!(wrapped(text, Some(40), 4), text);
        assert_eq!(wrapped(text, Some(16), 4), "not as expected:\n  p a.c: row 9\n    has two 6s\n");
        assert_eq!(wrapped("1234567 89\n", Some(5), 0), "1234567\n89\n");
    }
}
