//! Rows of text in columns, each as wide as what stands in it, or less where a terminal has no room: then columns are cut
//! or left out, in an order that the table states. A row is kept as one text: a table may have a hundred thousand of
//! them.

use std::fmt::Write;

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use crate::text::cut;
use crate::text::printable;

/// What parts the cells of a row; no cell holds one once it is printable.
const END: char = '\n';

/// Spaces between columns.
const GAP: usize = 2;

/// What stands where a text was cut.
const ELLIPSIS: &str = "...";

/// Rows, and how wide the columns have become.
pub(crate) struct Columns<const N: usize> {
    header: [&'static str; N],
    /// Columns of figures, which stand at the right.
    figures: &'static [usize],
    widths: [usize; N],
    /// Columns that are left out.
    hidden: [bool; N],
    /// Columns whose cells are cut in the middle.
    squeezed: [bool; N],
    /// The cell that all rows so far have in a column, if they have the same.
    alike: [Option<Box<str>>; N],
    rows: usize,
}

/// A row's cells, made harmless.
pub(crate) struct RowCells(Box<str>);

/// One thing that can be done to make a table narrower.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Narrowing {
    /// The ends of a column's cells are cut, to so many columns of the terminal at least.
    Cut(usize, usize),
    /// The same in the middle: names differ at either end.
    Squeeze(usize, usize),
    /// A column is left out.
    Drop(usize),
    /// A column is left out, and told above the table, if it says the same in all rows.
    Lift(usize),
}

impl<const N: usize> Columns<N> {
    pub(crate) fn new(header: [&'static str; N], figures: &'static [usize]) -> Self {
        let widths = header.map(UnicodeWidthStr::width);
        let alike = std::array::from_fn(|_| None);
        Self { header, figures, widths, hidden: [false; N], squeezed: [false; N], alike, rows: 0 }
    }

    /// Makes room for a row, which is to be kept until all are known.
    pub(crate) fn measure(&mut self, cells: [&str; N]) -> RowCells {
        let mut text = String::new();
        for ((cell, width), alike) in cells.iter().zip(&mut self.widths).zip(&mut self.alike) {
            let cell = printable(cell);
            *width = (*width).max(cell.width());
            text.push_str(&cell);
            text.push(END);
            if self.rows == 0 {
                *alike = Some(cell.into());
            } else if alike.as_ref().is_some_and(|alike| **alike != *cell) {
                *alike = None;
            }
        }
        self.rows += 1;
        RowCells(text.into())
    }

    /// Makes the table as narrow as `room`, by as many of these steps, in their order, as it takes. All rows are measured
    /// by then.
    pub(crate) fn fit(&mut self, room: usize, steps: &[Narrowing]) {
        for step in steps {
            let excess = self.width().saturating_sub(room);
            match *step {
                _ if excess == 0 => return,
                Narrowing::Drop(column) => self.hidden[column] = true,
                Narrowing::Lift(column) => self.hidden[column] = self.alike[column].is_some(),
                Narrowing::Cut(column, least) | Narrowing::Squeeze(column, least) => {
                    self.squeezed[column] = matches!(step, Narrowing::Squeeze(..));
                    let width = self.widths[column];
                    let least = least.max(self.header[column].width());
                    self.widths[column] = width.min(least.max(width.saturating_sub(excess)));
                }
            }
        }
    }

    fn width(&self) -> usize {
        let shown = self.widths.iter().zip(self.hidden).filter(|(_, is_hidden)| !is_hidden);
        shown.map(|(width, _)| width + GAP).sum::<usize>().saturating_sub(GAP)
    }

    /// What a column says in all rows, where it was left out for that.
    pub(crate) fn lifted(&self, column: usize) -> Option<&str> {
        self.alike[column].as_deref().filter(|_| self.hidden[column])
    }

    /// The header, as a line.
    pub(crate) fn header(&self) -> String {
        let mut line = String::new();
        self.lay(&mut line, self.header.into_iter(), None);
        line
    }

    /// Adds a row to `page` as a line, with one of its cells in a style of its own.
    pub(crate) fn write(&self, page: &mut String, cells: &RowCells, styled: (usize, Style)) {
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
            if self.hidden[place] {
                continue;
            }
            let cell = if self.squeezed[place] { squeezed(cell, width) } else { cut(cell, width) };
            let room = width.saturating_sub(cell.width());
            let is_figure = self.figures.contains(&place);
            waiting += if is_figure { room } else { 0 };
            if !cell.is_empty() {
                page.extend(std::iter::repeat_n(' ', std::mem::take(&mut waiting)));
                match styled.filter(|(styled, _)| *styled == place) {
                    Some((_, style)) => write!(page, "{style}{cell}{style:#}").expect("a string takes all"),
                    None => page.push_str(&cell),
                }
            }
            waiting += GAP + if is_figure { 0 } else { room };
        }
    }
}

/// Both ends of a text, so that it takes no more than so many columns.
fn squeezed(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let end_room = room.saturating_sub(ELLIPSIS.len()) / 2;
    let mut end = text.len();
    for (at, _) in text.char_indices().rev().take_while(|(at, _)| text[*at..].width() <= end_room) {
        end = at;
    }
    // The rest of the room is for the start; what `cut` puts behind it are the dots between the two.
    cut(text, room - text[end..].width()) + &text[end..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page<const N: usize>(columns: &Columns<N>, rows: &[RowCells]) -> String {
        let mut page = columns.header() + "\n";
        rows.iter().for_each(|row| columns.write(&mut page, row, (1, Style::new())));
        page
    }

    #[test]
    fn every_column_is_as_wide_as_its_widest_cell_and_no_line_ends_in_spaces() {
        let mut columns = Columns::new(["name", "n", "why"], &[1]);
        let rows = [["a", "7", ""], ["\u{4e2d}\u{6587}x", "1234", "wide\nletters"], ["", "", ""]];
        let rows = rows.map(|row| columns.measure(row));
        assert_eq!(
            page(&columns, &rows),
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

    #[test]
    fn a_table_is_made_narrower_step_by_step_and_no_more_than_it_takes() {
        let steps = [Narrowing::Cut(2, 8), Narrowing::Drop(1), Narrowing::Cut(0, 4), Narrowing::Drop(2)];
        let fitted = |room| {
            let mut columns = Columns::new(["name", "n", "why"], &[1]);
            let rows = [columns.measure(["accepted/a.c", "7", "the grid has 3 rows"])];
            columns.fit(room, &steps);
            page(&columns, &rows)
        };
        assert_eq!(fitted(36), "name          n  why\naccepted/a.c  7  the grid has 3 rows\n");
        assert_eq!(
            fitted(35),
            "name          n  why\naccepted/a.c  7  the grid has 3...\n".replace("3...", "3 ...")
        );
        assert_eq!(fitted(25), "name          n  why\naccepted/a.c  7  the g...\n");
        assert_eq!(fitted(24), "name          why\naccepted/a.c  the g...\n");
        assert_eq!(fitted(20), "name        why\naccepte...  the g...\n");
        assert_eq!(fitted(13), "name\na...\n");
        assert_eq!(fitted(1), "name\na...\n");
    }

    #[test]
    fn a_name_that_is_squeezed_keeps_both_ends() {
        assert_eq!(squeezed("wrong/tables_not_reset.c", 24), "wrong/tables_not_reset.c");
        assert_eq!(squeezed("wrong/tables_not_reset.c", 15), "wrong/...eset.c");
        assert_eq!(squeezed("wrong/tables_not_reset.c", 10), "wron...t.c");
        assert_eq!(squeezed("\u{4e2d}\u{6587}\u{4e2d}\u{6587}", 7), "\u{4e2d}...\u{6587}");
        for room in 0..30 {
            assert!(squeezed("\u{4e2d}a\u{6587}bc\u{4e2d}d\u{6587}", room).width() <= room, "{room}");
        }
    }

    #[test]
    fn a_column_that_says_the_same_everywhere_is_lifted_out_of_the_table() {
        let mut columns = Columns::new(["problem", "n"], &[1]);
        let rows = [["p", "1"], ["p", "2"]].map(|row| columns.measure(row));
        columns.fit(5, &[Narrowing::Lift(1), Narrowing::Lift(0)]);
        assert_eq!((columns.lifted(0), columns.lifted(1)), (Some("p"), None));
        assert_eq!(page(&columns, &rows), "n\n1\n2\n");
    }
}
