//! What a terminal shows of a suite: its progress, the matrix, and explanations of what
//! failed; and the tables of all of these.
//!
//! A table lays out rows of text in columns. A column is as wide as its widest cell, or
//! narrower if a terminal lacks room: then columns are cut or left out, in an order
//! that the table states. A row is stored as a single string, because a table may have
//! a hundred thousand of them.

pub(super) mod explanations;
pub(super) mod listing;
pub(crate) mod matrix;
pub(super) mod progress;
pub(super) mod transcripts;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use crate::text::{cut, cut_within, printable};

/// The styles of expected acceptances, of surprises, and of all else.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const PLAIN: Style = AnsiColor::Yellow.on_default();

/// The style of sentences about a table.
pub(crate) const LEGEND: Style = AnsiColor::BrightBlack.on_default();

const HEADING: Style = Style::new().bold();

/// How much is shown.
#[derive(Clone, Copy, PartialEq)]
pub enum Verbosity {
    /// Only what is not as expected.
    Quiet,
    /// What says most.
    Normal,
    /// All that is known.
    Verbose,
}

/// A foreign text as a heading, which takes a line.
pub(crate) fn heading(text: &str) -> String {
    format!("{HEADING}{}{HEADING:#}\n", printable(text))
}

/// Separates the cells of a stored row. No cell contains it once it is printable.
const END: &str = "\n";

/// Spaces between columns.
const GAP: usize = 2;

/// Marks the place where a text was cut.
const ELLIPSIS: &str = "...";

/// The columns of a table, with widths that fit its rows.
pub(crate) struct Columns {
    columns: Vec<TableColumn>,
}

struct TableColumn {
    header: String,
    /// Whether it contains figures, which are aligned to the right.
    is_figure: bool,
    width: usize,
    /// Whether it is left out.
    is_hidden: bool,
    /// Whether its cells are cut in the middle.
    is_squeezed: bool,
    /// The cell shared by all rows, if they have the same one.
    alike: Option<Box<str>>,
}

/// A row, of which one cell has a style of its own.
pub(crate) struct TableRow {
    /// The cells, made printable, each with [`END`] after it.
    cells: Box<str>,
    style: Style,
}

impl TableRow {
    pub(crate) fn new(cells: &[impl AsRef<str>], style: Style) -> Self {
        let cells: String = cells
            .iter()
            .map(|cell| printable(cell.as_ref()) + END)
            .collect();
        Self {
            cells: cells.into(),
            style,
        }
    }

    fn cells(&self) -> impl Iterator<Item = &str> {
        self.cells.split_terminator(END)
    }
}

/// One way to make a table narrower.
#[derive(Clone, Copy)]
pub(crate) enum Narrowing {
    /// Cuts the ends of a column's cells, down to this many columns of the terminal at
    /// least.
    Cut(usize, usize),
    /// The same, but cuts the middle, because names differ at either end.
    Squeeze(usize, usize),
    /// Leaves a column out.
    Drop(usize),
    /// Leaves a column out if it is the same in all rows, so that the table can show it
    /// once above.
    Lift(usize),
}

/// Formats a whole table under a bold header. In each row the first cell has a style of
/// its own. If the room is limited, the table is made narrower by these steps.
pub(crate) fn text_table<R: AsRef<[String]>>(
    header: &[impl AsRef<str>],
    figures: &[usize],
    rows: impl IntoIterator<Item = (R, Style)>,
    (room, steps): (Option<usize>, &[Narrowing]),
) -> String {
    let rows: Vec<_> = rows
        .into_iter()
        .map(|(cells, style)| TableRow::new(cells.as_ref(), style))
        .collect();
    let mut columns = Columns::new(header, figures, &rows);
    columns.fit(room, steps);
    columns.table(&rows, 0)
}

impl Columns {
    /// The columns under this header, as wide as these rows need.
    pub(crate) fn new<'r>(
        header: &[impl AsRef<str>],
        figures: &[usize],
        rows: impl IntoIterator<Item = &'r TableRow>,
    ) -> Self {
        let mut columns: Vec<_> = header
            .iter()
            .map(AsRef::as_ref)
            .enumerate()
            .map(|(place, header)| TableColumn {
                header: header.to_owned(),
                is_figure: figures.contains(&place),
                width: header.width(),
                is_hidden: false,
                is_squeezed: false,
                alike: None,
            })
            .collect();
        for (number, row) in rows.into_iter().enumerate() {
            for (cell, column) in row.cells().zip(&mut columns) {
                column.width = column.width.max(cell.width());
                if number == 0 {
                    column.alike = Some(cell.into());
                } else if column.alike.as_deref() != Some(cell) {
                    column.alike = None;
                }
            }
        }
        Self { columns }
    }

    /// Makes the table as narrow as `room`, if it is limited, with as many of these
    /// steps, in order, as needed.
    pub(crate) fn fit(&mut self, room: Option<usize>, steps: &[Narrowing]) {
        use Narrowing::*;

        let room = room.unwrap_or(usize::MAX);
        for step in steps {
            let excess = self.width().saturating_sub(room);
            match *step {
                _ if excess == 0 => return,
                Drop(column) => self.columns[column].is_hidden = true,
                Lift(column) => {
                    self.columns[column].is_hidden =
                        self.columns[column].alike.is_some();
                }
                Cut(column, least) | Squeeze(column, least) => {
                    let column = &mut self.columns[column];
                    column.is_squeezed = matches!(step, Squeeze(..));
                    let least = least.max(column.header.width());
                    column.width = column
                        .width
                        .min(least.max(column.width.saturating_sub(excess)));
                }
            }
        }
    }

    /// Whether the table is at most this wide.
    pub(crate) fn fits(&self, room: usize) -> bool {
        self.width() <= room
    }

    /// Number of columns that are left out.
    pub(crate) fn hidden(&self) -> usize {
        self.columns
            .iter()
            .filter(|column| column.is_hidden)
            .count()
    }

    fn width(&self) -> usize {
        self.columns
            .iter()
            .filter(|column| !column.is_hidden)
            .map(|column| column.width + GAP)
            .sum::<usize>()
            .saturating_sub(GAP)
    }

    /// The common cell of a column that was left out because all its cells are the
    /// same.
    fn lifted(&self, column: usize) -> Option<&str> {
        let column = &self.columns[column];
        column.alike.as_deref().filter(|_| column.is_hidden)
    }

    /// The header and the rows, a line each. In each row the cell in the column
    /// `styled` has the style of the row.
    pub(crate) fn table<'r>(
        &self,
        rows: impl IntoIterator<Item = &'r TableRow>,
        styled: usize,
    ) -> String {
        let mut page = HEADING.to_string();
        let header = self.columns.iter().map(|column| &*column.header);
        self.lay(&mut page, header, None);
        page += &format!("{HEADING:#}\n");
        for row in rows {
            self.lay(&mut page, row.cells(), Some((styled, row.style)));
            page.push('\n');
        }
        page
    }

    /// Style codes surround the cell and are not counted in its width, so they cannot
    /// disturb the columns.
    fn lay<'a>(
        &self,
        page: &mut String,
        cells: impl Iterator<Item = &'a str>,
        styled: Option<(usize, Style)>,
    ) {
        // Spaces are written only before the next non-empty cell, so no line ends in
        // spaces.
        let mut waiting = 0;
        for (place, (cell, column)) in cells.zip(&self.columns).enumerate() {
            if column.is_hidden {
                continue;
            }
            let cell = if column.is_squeezed {
                squeezed(cell, column.width)
            } else {
                cut(cell, column.width)
            };
            let room = column.width.saturating_sub(cell.width());
            waiting += if column.is_figure { room } else { 0 };
            if !cell.is_empty() {
                page.extend(std::iter::repeat_n(' ', std::mem::take(&mut waiting)));
                match styled.filter(|(styled, _)| *styled == place) {
                    Some((_, style)) => *page += &format!("{style}{cell}{style:#}"),
                    None => page.push_str(&cell),
                }
            }
            waiting += GAP + if column.is_figure { 0 } else { room };
        }
    }
}

/// Shortens a text to the given width by cutting its middle, keeping equally much of
/// both ends.
fn squeezed(text: &str, room: usize) -> String {
    cut_within(text, room, room.saturating_sub(ELLIPSIS.len()) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows<const COLUMNS: usize>(rows: &[[&str; COLUMNS]]) -> Vec<TableRow> {
        let rows = rows.iter();
        rows.map(|row| TableRow::new(row, Style::new())).collect()
    }

    fn page(columns: &Columns, rows: &[TableRow]) -> String {
        anstream::adapter::strip_str(&columns.table(rows, 1)).to_string()
    }

    #[test]
    fn every_column_is_as_wide_as_its_widest_cell_and_no_line_ends_in_spaces() {
        let rows = rows(&[
            ["a", "7", ""],
            ["\u{4e2d}\u{6587}x", "1234", "wide\nletters"],
            ["", "", ""],
        ]);
        let columns = Columns::new(&["name", "n", "why"], &[1], &rows);
        assert_eq!(
            page(&columns, &rows),
            "name      n  why\n\
             a         7\n\
             \u{4e2d}\u{6587}x  1234  wide\\nletters\n\
             \n"
        );
    }

    #[test]
    fn colour_does_not_count_as_width() {
        let rows = [TableRow::new(&["WA", "c"], Style::new().bold())];
        let table = Columns::new(&["verdict", "case"], &[], &rows).table(&rows, 0);
        let (_, row) = table.split_once('\n').unwrap();
        assert_eq!(row, "\u{1b}[1mWA\u{1b}[0m       c\n");
    }

    #[test]
    fn a_table_is_made_narrower_step_by_step_and_no_more_than_needed() {
        let steps = [
            Narrowing::Cut(2, 8),
            Narrowing::Drop(1),
            Narrowing::Cut(0, 4),
            Narrowing::Drop(2),
        ];
        let fitted = |room| {
            let rows = rows(&[["accepted/a.c", "7", "the grid has 3 rows"]]);
            let mut columns = Columns::new(&["name", "n", "why"], &[1], &rows);
            columns.fit(Some(room), &steps);
            page(&columns, &rows)
        };
        assert_eq!(
            fitted(36),
            "name          n  why\naccepted/a.c  7  the grid has 3 rows\n"
        );
        assert_eq!(
            fitted(35),
            "name          n  why\naccepted/a.c  7  the grid has 3...\n"
                .replace("3...", "3 ...")
        );
        assert_eq!(
            fitted(25),
            "name          n  why\naccepted/a.c  7  the g...\n"
        );
        assert_eq!(fitted(24), "name          why\naccepted/a.c  the g...\n");
        assert_eq!(fitted(20), "name        why\naccepte...  the g...\n");
        assert_eq!(fitted(13), "name\na...\n");
        assert_eq!(fitted(1), "name\na...\n");
    }

    #[test]
    fn a_squeezed_name_keeps_both_ends() {
        assert_eq!(
            squeezed("wrong/tables_not_reset.c", 24),
            "wrong/tables_not_reset.c"
        );
        assert_eq!(squeezed("wrong/tables_not_reset.c", 15), "wrong/...eset.c");
        assert_eq!(squeezed("wrong/tables_not_reset.c", 10), "wron...t.c");
        assert_eq!(
            squeezed("\u{4e2d}\u{6587}\u{4e2d}\u{6587}", 7),
            "\u{4e2d}...\u{6587}"
        );
        for room in 0..30 {
            assert!(
                squeezed("\u{4e2d}a\u{6587}bc\u{4e2d}d\u{6587}", room).width()
                    <= room,
                "{room}"
            );
        }
    }

    #[test]
    fn a_column_that_is_the_same_in_all_rows_is_lifted_out_of_the_table() {
        let rows = rows(&[["p", "1"], ["p", "2"]]);
        let mut columns = Columns::new(&["problem", "n"], &[1], &rows);
        columns.fit(Some(5), &[Narrowing::Lift(1), Narrowing::Lift(0)]);
        assert_eq!((columns.lifted(0), columns.lifted(1)), (Some("p"), None));
        assert_eq!(page(&columns, &rows), "n\n1\n2\n");
    }
}
