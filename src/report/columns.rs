//! Rows of text in columns, each as wide as what stands in it. A row is kept as one text: a table may have a hundred
//! thousand of them.

use std::fmt::Write;

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use crate::report::printable;

/// What parts the cells of a row; no cell holds one once it is printable.
const END: char = '\n';

/// Spaces between columns.
const GAP: usize = 2;

/// Rows, and how wide the columns have become.
pub(crate) struct Columns<const N: usize> {
    header: [&'static str; N],
    /// Columns of figures, which stand at the right.
    figures: &'static [usize],
    widths: [usize; N],
}

/// A row's cells, made harmless.
pub(crate) struct Cells(Box<str>);

impl<const N: usize> Columns<N> {
    pub(crate) fn new(header: [&'static str; N], figures: &'static [usize]) -> Self {
        Self { header, figures, widths: header.map(UnicodeWidthStr::width) }
    }

    /// Makes room for a row, which is to be kept until all are known.
    pub(crate) fn measure(&mut self, cells: [&str; N]) -> Cells {
        let mut text = String::new();
        for (cell, width) in cells.iter().zip(&mut self.widths) {
            let cell = printable(cell);
            *width = (*width).max(cell.width());
            text.push_str(&cell);
            text.push(END);
        }
        Cells(text.into())
    }

    /// The header, as a line.
    pub(crate) fn header(&self) -> String {
        let mut line = String::new();
        self.lay(&mut line, self.header.into_iter(), None);
        line
    }

    /// Adds a row to `page` as a line, with one of its cells in a style of its own.
    pub(crate) fn write(&self, page: &mut String, cells: &Cells, styled: (usize, Style)) {
        self.lay(page, cells.0.split_terminator(END), Some(styled));
        page.push('\n');
    }

    /// Colour stands around a cell and not in it, so that it cannot disturb the columns.
    fn lay<'a>(
        &self,
        page: &mut String,
        cells: impl Iterator<Item = &'a str>,
        styled: Option<(usize, Style)>,
    ) {
        // Spaces wait for something to stand behind them: no line ends in some.
        let mut waiting = 0;
        for (place, (cell, width)) in cells.zip(self.widths).enumerate() {
            let room = width.saturating_sub(cell.width());
            let is_figure = self.figures.contains(&place);
            waiting += if is_figure { room } else { 0 };
            if !cell.is_empty() {
                page.extend(std::iter::repeat_n(' ', std::mem::take(&mut waiting)));
                match styled.filter(|(styled, _)| *styled == place) {
                    Some((_, style)) => write!(page, "{style}{cell}{style:#}").expect("a string takes all"),
                    None => page.push_str(cell),
                }
            }
            waiting += GAP + if is_figure { 0 } else { room };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_is_as_wide_as_its_widest_cell_and_no_line_ends_in_spaces() {
        let mut columns = Columns::new(["name", "n", "why"], &[1]);
        let rows = [["a", "7", ""], ["\u{4e2d}\u{6587}x", "1234", "wide\nletters"], ["", "", ""]];
        let rows = rows.map(|row| columns.measure(row));
        let mut page = columns.header() + "\n";
        rows.iter().for_each(|row| columns.write(&mut page, row, (1, Style::new())));
        assert_eq!(
            page,
            "name      n  why\n\
             a         7\n\
             \u{4e2d}\u{6587}x  1234  wide\\nletters\n\
             \n"
        );
    }

    #[test]
    fn colour_takes_no_room() {
        let mut columns = Columns::new(["verdict", "case"], &[]);
        let row = columns.measure(["WA", "c"]);
        let mut page = String::new();
        columns.write(&mut page, &row, (0, Style::new().bold()));
        assert_eq!(page, "\u{1b}[1mWA\u{1b}[0m       c\n");
    }
}
