//! The style and security policy shared by all HTML pages. Each page adds its own to
//! both.

use maud::{Markup, html};

use crate::model::{Expected, ExpectedScore, Verdict};
use crate::text::{counted, printable};

/// The common style sheet. Pages are light or dark as the reader's system is.
pub(crate) const STYLE: &str = include_str!("page.css");

/// The part of the head before the title. It forbids a browser to load, run or send
/// anything; pictures are part of the page. The closing slashes make it valid in XML as
/// well.
pub(crate) const META: &str = r#"
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta name="referrer" content="no-referrer"/>
"#;

// Prepares foreign text for the page: bounds its length, and makes characters visible
// that could affect the reader's screen. The templates escape the markup itself.

/// The most characters of a line of an excerpt, and of any text shown in one line.
const WIDEST_LINE: usize = 200;

/// The most lines of an excerpt.
const MOST_LINES: usize = 24;

/// The lines of a text, each on a line of its own. Of a long one, the last `last` are
/// among them, and one says how many are left out before these.
pub(crate) fn excerpt(text: &str, last: usize) -> Vec<String> {
    let mut lines: Vec<_> = text.lines().map(html_line).collect();
    let left_out = lines.len().saturating_sub(MOST_LINES);
    if left_out > 0 {
        let mark = format!("... {} left out ...", counted(left_out, "line"));
        let first = MOST_LINES - last;
        lines.splice(first..first + left_out, [mark]);
    }
    lines
}

/// A text in one line of at most [`WIDEST_LINE`] characters.
pub(crate) fn html_line(text: &str) -> String {
    cut_text(text, WIDEST_LINE)
}

/// The same, kept apart from the text around it, so that it cannot change the direction
/// of that.
pub(crate) fn isolated_line(text: &str) -> Markup {
    html! { bdi { (html_line(text)) } }
}

/// The most bytes of a text in one line, if few of its characters are escaped.
pub(crate) fn line_weight(text: &str) -> usize {
    text.len().min(4 * WIDEST_LINE)
}

/// A text in one line of at most `most` characters.
pub(crate) fn cut_text(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => printable(text),
        Some((end, _)) => format!("{}...", printable(&text[..end])),
    }
}

/// A sentence in one line of at most `most` characters, cut between words.
pub(crate) fn cut_sentence(text: &str, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else {
        return printable(text);
    };
    // A word that is longer than half of the room is cut.
    let between = text[..end].rfind(' ').filter(|place| *place > end / 2);
    format!(
        "{} ...",
        printable(text[..between.unwrap_or(end)].trim_end())
    )
}

/// `2026-11-21T20:30:00Z` in a readable form; `None` for any other text.
pub(crate) fn readable_time(time: &str) -> Option<String> {
    const FORM: &[u8] = b"0000-00-00T00:00:00Z";
    let is_time = time.len() == FORM.len()
        && FORM.iter().zip(time.bytes()).all(|(form, byte)| {
            if *form == b'0' {
                byte.is_ascii_digit()
            } else {
                byte == *form
            }
        });
    is_time.then(|| format!("{}, {} UTC", &time[..10], &time[11..16]))
}

// Verdicts as labels: the code in a frame, which is filled if the verdict was not
// expected.

/// A verdict's code.
pub(crate) fn verdict_label(verdict: Verdict, is_surprising: bool) -> Markup {
    word_label(verdict.code(), is_surprising)
}

/// A word in place of a verdict.
pub(crate) fn word_label(word: &str, is_surprising: bool) -> Markup {
    html! { b class=[is_surprising.then_some("no")] { (word) } }
}

/// The expected verdicts with `or` between them, and the points.
pub(crate) fn expected_label(expected: &Expected) -> Markup {
    // A part of the points is shown without verdicts.
    if expected.score() == Some(ExpectedScore::Partial) {
        return html! { (ExpectedScore::Partial) };
    }
    html! {
        @for (number, verdict) in expected.verdicts().iter().enumerate() {
            @if number > 0 { " or " }
            (verdict_label(*verdict, false))
        }
        @if let Some(score) = expected.score() { " and " (score) }
    }
}

#[cfg(test)]
mod text_tests {
    use super::*;

    #[test]
    fn a_very_long_line_is_cut_and_marked() {
        let long = html_line(&"\u{e9}".repeat(1 << 20));
        assert_eq!(
            (long.chars().count(), long.ends_with("...")),
            (WIDEST_LINE + 3, true)
        );
        assert_eq!(html_line("short"), "short");
    }

    #[test]
    fn a_sentence_is_cut_between_words_unless_one_alone_is_too_long() {
        assert_eq!(cut_sentence("see the notes of it", 10), "see the ...");
        assert_eq!(cut_sentence("see the notes", 13), "see the notes");
        assert_eq!(
            cut_sentence(&"\u{e9}".repeat(20), 4),
            format!("{} ...", "\u{e9}".repeat(4))
        );
    }

    #[test]
    fn the_lines_left_out_of_a_long_text_are_counted() {
        let text = (1..=30)
            .map(|number| format!("{number}\n"))
            .collect::<String>();
        let mark = "... 6 lines left out ...";
        for (last, place, after) in [(0, 24, None), (20, 4, Some("11"))] {
            let lines = excerpt(&text, last);
            assert_eq!((lines.len(), lines[0].as_str()), (MOST_LINES + 1, "1"));
            assert_eq!(lines[place], mark);
            assert_eq!(lines.get(place + 1).map(String::as_str), after);
        }
        assert_eq!(excerpt(&text[..4], 20), ["1", "2"]);
    }
}
