//! Finds the next grid of an output after a broken one. Without a banner, only the cells show which
//! grid is which: they agree with the clues of the next grid, or they are a solution.

use gridjudge_grid::format::{GridReader, TextLine};
use gridjudge_grid::{BLANK, Value, format};

/// Where a broken grid ends, if it has too few or too many rows.
pub(crate) struct ResyncPoint {
    /// Rows of text that belong to the broken grid.
    pub(crate) rows: usize,
    /// Bytes of the window up to the next grid.
    pub(crate) bytes: usize,
    /// Lines of the window up to the next grid.
    pub(crate) lines: u64,
}

/// The non-empty lines of a window, and the cells of each line that consists of cells.
struct WindowRows<'a> {
    lines: Vec<TextLine<'a>>,
    values: Vec<Option<Vec<Value>>>,
    /// Lines per grid.
    height: usize,
}

impl<'a> WindowRows<'a> {
    /// Takes as many lines as `grids` grids have.
    fn of(reader: &GridReader, window: &'a [u8], grids: usize) -> Self {
        let height = reader.height();
        let written = format::lines(window)
            .filter(|line| !line.is_empty() && !reader.is_separator_like(line.text));
        let lines: Vec<_> = written.take(grids * height).collect();
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
    fn cells(&self, start: usize, lines: usize) -> Option<Vec<Value>> {
        let rows = self.values.get(start..start + lines)?;
        rows.iter()
            .cloned()
            .collect::<Option<Vec<_>>>()
            .map(|rows| rows.concat())
    }

    /// The end of a broken grid before line `start`.
    fn restart(&self, start: usize) -> ResyncPoint {
        let line = &self.lines[start];
        ResyncPoint {
            rows: start,
            bytes: line.start,
            lines: line.number,
        }
    }
}

/// The lines at which the next grid may begin, the nearest to the expected one (`height`) first.
fn nearest(height: usize) -> impl Iterator<Item = usize> {
    (0..=height).flat_map(move |distance| [height + distance, height - distance])
}

/// Whether there are enough clues to locate a grid by them. With fewer, almost any place would
/// match by chance.
pub(crate) fn are_distinctive(clues: &[Value]) -> bool {
    clues.iter().filter(|&&value| value != BLANK).count() >= clues.len().isqrt()
}

pub(crate) fn carries(cells: &[Value], clues: &[Value]) -> bool {
    cells.len() == clues.len()
        && cells
            .iter()
            .zip(clues)
            .all(|(cell, clue)| *clue == BLANK || cell == clue)
}

/// Finds where the next grid starts by its clues: the place nearest to the expected one (`height`
/// lines on) at which lines of cells agree with the clues. `None` if there is no such place, or if
/// it is the expected one.
pub(crate) fn find(
    next: &GridReader,
    window: &[u8],
    height: usize,
    clues: &[Value],
) -> Option<ResyncPoint> {
    if !are_distinctive(clues) {
        return None;
    }
    let rows = WindowRows::of(next, window, 2 * height.div_ceil(next.height()) + 1);
    let start = nearest(height)
        .find(|&start| {
            rows.cells(start, rows.height)
                .is_some_and(|cells| carries(&cells, clues))
        })
        .filter(|&start| start != height)?;
    Some(rows.restart(start))
}

/// Whether the second grid of a window agrees with these clues.
pub(crate) fn is_second(reader: &GridReader, window: &[u8], clues: &[Value]) -> bool {
    let height = reader.height();
    are_distinctive(clues)
        && WindowRows::of(reader, window, 2)
            .cells(height, height)
            .is_some_and(|cells| carries(&cells, clues))
}

/// Finds where the next solution of a list starts, if not where the first one of a window should
/// end. If no solution starts within about half a grid of that place, the next one is broken as
/// well: then it is enough that a solution begins there, or, if the solutions are not known, that
/// the line is the same as the first line of the window.
pub(crate) fn next_solution(
    reader: &GridReader,
    window: &[u8],
    is_solution: impl Fn(&[Value]) -> bool,
    is_beginning: impl Fn(&[Value]) -> Option<bool>,
) -> Option<ResyncPoint> {
    let rows = WindowRows::of(reader, window, 3);
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
                is_beginning(&cells)
                    .unwrap_or_else(|| first.is_some() && rows.cells(start, 1) == first)
                    && !cells.is_empty()
            })
    })?;
    (start != height).then(|| rows.restart(start))
}
