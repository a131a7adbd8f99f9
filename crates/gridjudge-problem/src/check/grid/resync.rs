//! Reads what a broken output was meant to be: finds the next grid after a broken one,
//! and rows with the wrong white space. Without a banner, only the cells show which
//! grid is which: they agree with the clues of the next grid, or they are a solution.

use gridjudge_grid::format::parse_error::ParseErrorKind;
use gridjudge_grid::format::{
    GridBlock, GridReader, LooseAnswer, TextLine, TextOffset, UNREAD,
};
use gridjudge_grid::{BLANK, Value, format, houses_of_cells};

use crate::check::{InputGrid, ShapeContext};

/// Where a broken grid ends, if it has too few or too many rows.
pub(crate) struct ResyncPoint {
    /// Rows of text that belong to the broken grid.
    pub(crate) rows: usize,
    /// The place in the window at which the next grid starts.
    pub(crate) place: TextOffset,
}

/// The non-empty lines of a window, and the cells of each line that consists of cells.
pub(super) struct WindowRows<'a> {
    pub(super) lines: Vec<TextLine<'a>>,
    pub(super) values: Vec<Option<Vec<Value>>>,
    /// Lines per grid.
    pub(super) height: usize,
}

impl<'a> WindowRows<'a> {
    /// Takes as many lines as `grids` grids have.
    pub(super) fn split(reader: &GridReader, window: &'a [u8], grids: usize) -> Self {
        let height = reader.height();
        let lines: Vec<_> = format::lines(window)
            .filter(|line| !line.is_empty() && !reader.is_separator_like(line.text))
            .take(grids * height)
            .collect();
        let values = lines
            .iter()
            .map(|line| reader.row_values(line.text))
            .collect();
        Self {
            lines,
            values,
            height,
        }
    }

    /// The cells of `lines` lines from `start` on, if all of them consist of cells.
    pub(super) fn cells(&self, start: usize, lines: usize) -> Option<Vec<Value>> {
        let rows = self.values.get(start..start + lines)?;
        rows.iter()
            .cloned()
            .collect::<Option<Vec<_>>>()
            .map(|rows| rows.concat())
    }

    /// Whether the lines from `start` on agree with the clues of a grid.
    pub(super) fn agree_with(&self, start: usize, grid: &InputGrid) -> bool {
        self.cells(start, self.height)
            .is_some_and(|cells| grid.agrees_with(&cells))
    }

    /// The end of a broken grid before line `start`.
    pub(super) fn restart(&self, start: usize) -> ResyncPoint {
        ResyncPoint {
            rows: start,
            place: self.lines[start].start,
        }
    }
}

/// The lines at which the next grid may begin, the nearest to the expected one
/// (`height`) first.
fn nearest(height: usize) -> impl Iterator<Item = usize> {
    (0..=height).flat_map(move |distance| [height + distance, height - distance])
}

/// Finds where the next grid starts by its clues: the place nearest to the expected one
/// (`height` lines on) at which lines of cells agree with the clues. `None` if there is
/// no such place, or if it is the expected one.
pub(crate) fn find(
    next: &InputGrid,
    window: &[u8],
    height: usize,
) -> Option<ResyncPoint> {
    if !next.is_distinctive() {
        return None;
    }
    let reader = &next.context.reader;
    let rows =
        WindowRows::split(reader, window, 2 * height.div_ceil(reader.height()) + 1);
    let start = nearest(height)
        .find(|&start| rows.agree_with(start, next))
        .filter(|&start| start != height)?;
    Some(rows.restart(start))
}

/// Whether the second grid of a window agrees with the clues of a grid.
pub(crate) fn is_second(grid: &InputGrid, window: &[u8]) -> bool {
    let rows = WindowRows::split(&grid.context.reader, window, 2);
    grid.is_distinctive() && rows.agree_with(rows.height, grid)
}

/// Finds where the next solution of a list starts, if not where the first one of a
/// window should end. If no solution starts within about half a grid of that place, the
/// next one is broken as well: then it is enough that a solution begins there, or, if
/// the solutions are not known, that the line is the same as the first line of the
/// window.
pub(crate) fn next_solution(
    reader: &GridReader,
    window: &[u8],
    is_solution: impl Fn(&[Value]) -> bool,
    is_beginning: impl Fn(&[Value]) -> Option<bool>,
) -> Option<ResyncPoint> {
    let rows = WindowRows::split(reader, window, 3);
    let height = rows.height;
    let near = height / 2 + 1..height + height / 2 + 1;
    let solution = nearest(height).find(|&start| {
        rows.cells(start, height)
            .is_some_and(|cells| is_solution(&cells))
    });
    let first = rows.cells(0, 1);
    let start = solution.filter(|start| near.contains(start)).or_else(|| {
        nearest(height)
            .filter(|start| near.contains(start))
            .find(|&start| {
                let cells = rows.cells(start, height / 2).unwrap_or_default();
                is_beginning(&cells).unwrap_or_else(|| {
                    first.is_some() && rows.cells(start, 1) == first
                }) && !cells.is_empty()
            })
    })?;
    (start != height).then(|| rows.restart(start))
}

// Reads rows with the wrong white space between their cells: `12 3` for `1 23`. Numbers
// may then be read in several ways, so the known solution decides, or the clues and the
// rules.

/// The most numbers that are tried for all cells together.
const MOST_STEPS: usize = 200_000;

/// Reads the rows of a block that could not be read, if they are a solution of a grid
/// but for white space. The block then says which rows have wrong white space.
pub(crate) fn respace(grid: &InputGrid, window: &[u8], block: &mut GridBlock) {
    let reader = &grid.context.reader;
    // White space does not change how many rows there are.
    let has_other_count = block.errors.iter().any(|error| {
        matches!(
            error.kind,
            ParseErrorKind::RowCount { .. } | ParseErrorKind::LineCount { .. }
        )
    });
    if block.reply.is_some()
        || !block.cells.contains(&UNREAD)
        || !reader.has_numbers()
        || has_other_count
    {
        return;
    }
    let written: Vec<_> = format::written_lines(&window[..block.end.bytes]).collect();
    let Some(rows) = written
        .len()
        .checked_sub(reader.height())
        .map(|first| &written[first..])
    else {
        return;
    };
    if !read_numbers(grid, None, rows, block) {
        return;
    }
    block
        .errors
        .retain(|error| error.place.lines < rows[0].start.lines);
    note_spacing(reader, rows, block);
}

/// Notes which rows of a block have wrong white space.
fn note_spacing(reader: &GridReader, rows: &[TextLine], block: &mut GridBlock) {
    let errors = rows.iter().zip(0..);
    let errors = errors
        .filter_map(|(line, row)| reader.error_of_spacing(row, line, block))
        .collect::<Vec<_>>();
    block.errors.extend(errors);
}

/// The answer to a grid with this number at the start of a window, if it has the
/// characters of a solution, or of a text in place of one, line by line. The solution
/// may be `known`.
pub(crate) fn answer_but_for_spaces(
    grid: &InputGrid,
    reader: &GridReader,
    number: u64,
    window: &[u8],
    known: Option<&[Value]>,
) -> Option<GridBlock> {
    let LooseAnswer { mut block, rows } = reader.but_for_spaces(number, window)?;
    let is_read = block.reply.is_some()
        || !block.cells.contains(&UNREAD)
        || read_numbers(grid, known, &rows, &mut block);
    if !is_read {
        return None;
    }
    note_spacing(reader, &rows, &mut block);
    Some(block)
}

/// Reads the numbers of some rows into a block. Returns `false` if they are no solution
/// of the grid.
fn read_numbers(
    grid: &InputGrid,
    known: Option<&[Value]>,
    rows: &[TextLine],
    block: &mut GridBlock,
) -> bool {
    let Some(digits) = rows.iter().map(digits_of).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let InputGrid { context, clues, .. } = grid;
    // Rows that read well are probably meant so.
    let as_written = |(line, clues): (&TextLine, &[Value])| {
        context
            .reader
            .row_values(line.text)
            .unwrap_or_else(|| clues.to_vec())
    };
    let width = context.shape.cells() / context.reader.height();
    let as_written: Vec<_> = rows
        .iter()
        .zip(clues.chunks(width))
        .flat_map(as_written)
        .collect();
    let cells = context.shape.cells();
    let houses = context.rules.houses();
    for clues in known.into_iter().chain([&as_written[..], clues]) {
        let mut search = RespacedRows {
            context,
            clues,
            lines: &digits,
            width,
            houses: houses_of_cells(cells, houses.iter().map(|house| &house.cells)),
            held: vec![0; houses.len()],
            cells: vec![BLANK; cells],
            places: vec![TextOffset::START; cells],
            steps: 0,
        };
        if search.goes_on(0, 0) {
            block.cells = search.cells;
            block.places = search.places;
            return true;
        }
    }
    false
}

/// The digits of a line with their places in the text; `None` if there is anything
/// else.
fn digits_of(line: &TextLine) -> Option<Vec<Digit>> {
    line.text
        .iter()
        .enumerate()
        .filter(|(_, byte)| !byte.is_ascii_whitespace())
        .map(|(place, byte)| {
            byte.is_ascii_digit().then(|| Digit {
                value: byte - b'0',
                place: line.byte(place),
            })
        })
        .collect()
}

#[derive(Clone, Copy)]
struct Digit {
    value: Value,
    place: TextOffset,
}

/// The search for numbers whose digits are those of some lines.
struct RespacedRows<'a> {
    context: &'a ShapeContext,
    clues: &'a [Value],
    lines: &'a [Vec<Digit>],
    /// Cells per line.
    width: usize,
    /// For each cell, the houses that it is in.
    houses: Vec<Vec<usize>>,
    /// For each house, the values that it holds, as bits.
    held: Vec<u32>,
    cells: Vec<Value>,
    places: Vec<TextOffset>,
    steps: usize,
}

impl RespacedRows<'_> {
    /// Whether the cells from `cell` on can be read from the digits of its line from
    /// `digit` on.
    fn goes_on(&mut self, cell: usize, digit: usize) -> bool {
        if cell == self.cells.len() {
            return digit == self.lines[self.lines.len() - 1].len()
                && self.context.rules.is_solution(&self.cells, self.clues);
        }
        let starts_line = cell.is_multiple_of(self.width);
        if starts_line && cell > 0 && digit != self.lines[cell / self.width - 1].len()
        {
            return false;
        }
        let digit = if starts_line { 0 } else { digit };
        let line = &self.lines[cell / self.width];
        let left = line.len().saturating_sub(digit);
        let cells_left = self.width - cell % self.width;
        if !(cells_left..=2 * cells_left).contains(&left) {
            return false;
        }
        let Some(&[first, ..]) = line.get(digit..) else {
            return false;
        };
        let second = line
            .get(digit + 1)
            .map(|second| first.value * 10 + second.value);
        (first.value > 0)
            && (self.fits(cell, first.value, first.place, digit + 1)
                || second.is_some_and(|value| {
                    self.fits(cell, value, first.place, digit + 2)
                }))
    }

    /// Whether a cell can hold a value, and the cells after it can be read.
    fn fits(
        &mut self,
        cell: usize,
        value: Value,
        place: TextOffset,
        next: usize,
    ) -> bool {
        self.steps += 1;
        let bit = 1u32.checked_shl(u32::from(value)).unwrap_or(0);
        let is_known = usize::from(value) <= self.context.shape.values();
        let is_free = self.houses[cell]
            .iter()
            .all(|&house| self.held[house] & bit == 0);
        let keeps_clue = self.clues[cell] == BLANK || self.clues[cell] == value;
        if !is_known || !is_free || !keeps_clue || self.steps > MOST_STEPS {
            return false;
        }
        self.toggle(cell, bit);
        (self.cells[cell], self.places[cell]) = (value, place);
        if self.goes_on(cell + 1, next) {
            return true;
        }
        self.toggle(cell, bit);
        false
    }

    /// Adds a value to the houses of a cell, or removes it from them.
    fn toggle(&mut self, cell: usize, bit: u32) {
        for &house in &self.houses[cell] {
            self.held[house] ^= bit;
        }
    }
}
