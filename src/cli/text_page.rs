//! Formats a page of headings and rows. It is readable without colours: good and bad
//! are also said in words. Knows only the layout, nothing of the contents.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};

use crate::cli::screen;
use crate::text::{hanging, printable, wrapped};

const HEADING: Style = Style::new().bold();
const REMEDY: Style = AnsiColor::Cyan.on_default();

/// The column at which text is wrapped, unless the terminal is narrower. Remedies are
/// wrapped only for a terminal.
const WIDTH: usize = 110;

/// Whether something is as it should be.
#[derive(Clone, Copy)]
pub(crate) enum CheckMark {
    Yes,
    No,
}

impl CheckMark {
    fn word_and_style(self) -> (&'static str, Style) {
        match self {
            Self::Yes => ("yes", AnsiColor::Green.on_default()),
            Self::No => ("no", AnsiColor::Red.on_default().bold()),
        }
    }
}

/// A page under construction. Colours are in it as codes, which are stripped, if
/// necessary, when it is printed.
pub(crate) struct TextPage {
    text: String,
    width: usize,
    /// The width of the terminal, if the page goes to one.
    room: Option<usize>,
}

impl Default for TextPage {
    fn default() -> Self {
        Self::with_room(screen::width())
    }
}

impl TextPage {
    fn with_room(room: Option<usize>) -> Self {
        Self {
            text: String::new(),
            width: room.map_or(WIDTH, |room| room.min(WIDTH)),
            room,
        }
    }

    /// Adds a sentence that sums up the page.
    pub(crate) fn verdict(&mut self, mark: CheckMark, text: &str) {
        let (_, style) = mark.word_and_style();
        self.line(format_args!("{style}{}{style:#}", printable(text)));
    }

    pub(crate) fn heading(&mut self, text: &str) {
        self.line(format_args!("\n{HEADING}{}{HEADING:#}", printable(text)));
    }

    /// Adds a row with "yes" or "no", a name in a column of this width, and a text.
    pub(crate) fn marked(
        &mut self,
        mark: CheckMark,
        name: &str,
        width: usize,
        text: &str,
    ) {
        let (word, style) = mark.word_and_style();
        let start =
            format!("  {style}{word:<3}{style:#}  {:<width$}  ", printable(name));
        self.hanging(&start, 9 + width, text);
    }

    /// Adds a row with a name in a column of this width, and a text.
    pub(crate) fn row(&mut self, name: &str, width: usize, text: &str) {
        self.hanging(&format!("  {name:<width$}  "), 4 + width, text);
    }

    /// Adds a text below a row whose text starts in this column.
    pub(crate) fn more(&mut self, indent: usize, text: &str) {
        self.hanging(&" ".repeat(indent), indent, text);
    }

    /// Adds a remedy below a row whose text starts in this column.
    pub(crate) fn remedy(&mut self, indent: usize, text: &str) {
        let line = format!(
            "{:indent$}{REMEDY}remedy{REMEDY:#}: {}",
            "",
            printable(text)
        );
        self.line(hanging(&line, self.room));
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// Adds a text after `start`, which fills `indent` columns. Further lines are
    /// aligned with the text.
    fn hanging(&mut self, start: &str, indent: usize, text: &str) {
        let text =
            wrapped(&printable(text), Some(self.width.saturating_sub(indent)), 0);
        self.line(format_args!(
            "{start}{}",
            text.replace('\n', &format!("\n{:indent$}", ""))
        ));
    }

    fn line(&mut self, text: impl Display) {
        self.text += &format!("{text}\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_rows_are_wrapped_below_their_text_and_remedies_only_for_a_terminal() {
        let mut page = TextPage::with_room(None);
        page.verdict(CheckMark::Yes, "Well.");
        page.heading("Things");
        page.marked(CheckMark::No, "one", 5, &["word"; 30].join(" "));
        page.remedy(14, &["word"; 30].join(" "));
        page.row("two", 5, "short\x1b");
        page.more(9, "more");
        let text = anstream::adapter::strip_str(&page.finish()).to_string();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[..3], ["Well.", "", "Things"]);
        assert!(lines[3].starts_with("  no   one    word word"), "{text}");
        assert!(lines[4].starts_with("              word word"), "{text}");
        assert!(
            lines[..5].iter().all(|line| line.chars().count() <= WIDTH),
            "{text}"
        );
        assert!(
            lines[5].starts_with("              remedy: word")
                && lines[5].len() > WIDTH,
            "{text}"
        );
        assert_eq!(lines[6..], ["  two    short\\u{1b}", "         more"]);
        let mut page = TextPage::with_room(Some(20));
        page.remedy(2, "one `two three four` five");
        let text = anstream::adapter::strip_str(&page.finish()).to_string();
        assert_eq!(text, "  remedy: one\n    `two three four`\n    five\n");
    }
}
