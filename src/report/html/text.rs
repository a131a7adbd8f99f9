//! Prepares foreign text for the page: bounds its length, and makes characters visible that could
//! affect the reader's screen. The templates escape the markup itself.

use crate::text::printable;

/// The most characters of a line of an excerpt, and of any text shown in one line.
const WIDEST_LINE: usize = 200;

/// The most lines of an excerpt.
const MOST_LINES: usize = 24;

/// Some lines of a foreign text, and the number of lines left out.
pub(super) struct TextExcerpt {
    pub(super) lines: Vec<String>,
    pub(super) left_out: usize,
}

/// The first lines of a text.
pub(super) fn head(text: &str) -> TextExcerpt {
    let lines = text.lines().take(MOST_LINES).map(line).collect();
    TextExcerpt {
        lines,
        left_out: text.lines().count().saturating_sub(MOST_LINES),
    }
}

/// The last lines of a text, because a program's last words before it fails are at the end.
pub(super) fn tail(text: &str) -> TextExcerpt {
    let left_out = text.lines().count().saturating_sub(MOST_LINES);
    TextExcerpt {
        lines: text.lines().skip(left_out).map(line).collect(),
        left_out,
    }
}

/// A text in one line of at most [`WIDEST_LINE`] characters.
pub(super) fn line(text: &str) -> String {
    cut(text, WIDEST_LINE)
}

/// The most bytes of a text in one line, if few of its characters are escaped.
pub(super) fn weight(text: &str) -> usize {
    text.len().min(4 * WIDEST_LINE)
}

/// A text in one line of at most `most` characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => printable(text),
        Some((end, _)) => format!("{}...", printable(&text[..end])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_very_long_line_is_cut_and_marked() {
        let long = line(&"\u{e9}".repeat(1 << 20));
        assert_eq!(
            (long.chars().count(), long.ends_with("...")),
            (WIDEST_LINE + 3, true)
        );
        assert_eq!(line("short"), "short");
    }

    #[test]
    fn the_lines_left_out_of_a_long_text_are_counted() {
        let text = (1..=30)
            .map(|number| format!("{number}\n"))
            .collect::<String>();
        let head = head(&text);
        let tail = tail(&text);
        assert_eq!(
            (head.lines[0].as_str(), head.lines.len(), head.left_out),
            ("1", MOST_LINES, 6)
        );
        assert_eq!(
            (tail.lines[0].as_str(), tail.lines.len(), tail.left_out),
            ("7", MOST_LINES, 6)
        );
    }
}
