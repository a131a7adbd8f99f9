//! Finding the next grid of an output after a broken one. Where no banner says which grid is which, only its cells can: the
//! clues of the next grid, or that they are a solution.

use gridjudge_grid::BLANK;
use gridjudge_grid::Value;
use gridjudge_grid::format;
use gridjudge_grid::format::GridReader;
use gridjudge_grid::format::TextLine;

/// How a broken grid ended, if not where its rows had run out.
pub(crate) struct ResyncPoint {
    /// Rows of text that belong to the broken grid.
    pub(crate) rows: usize,
    /// Bytes of the window up to the next grid.
    pub(crate) bytes: usize,
    /// Lines of the window up to the next grid.
    pub(crate) lines: u64,
}

/// The lines of a window that are not empty, and the cells of those that are lines of cells.
struct WindowRows<'a> {
    lines: Vec<TextLine<'a>>,
    values: Vec<Option<Vec<Value>>>,
    /// Lines of a grid.
    height: usize,
}

impl<'a> WindowRows<'a> {
    /// As many lines as `grids` have.
    fn of(reader: &GridReader, window: &'a [u8], grids: usize) -> Self {
        let height = reader.height();
        let written = format::lines(window).filter(|line| !line.is_empty() && !reader.parts_cases(line.text));
        let lines: Vec<_> = written.take(grids * height).collect();
        let values = lines.iter().map(|line| reader.row_values(line.text)).collect();
        Self { lines, values, height }
    }

    /// The cells of so many lines from this one on, if they are lines of cells.
    fn cells(&self, start: usize, lines: usize) -> Option<Vec<Value>> {
        let rows = self.values.get(start..start + lines)?;
        rows.iter().cloned().collect::<Option<Vec<_>>>().map(|rows| rows.concat())
    }

    /// The broken grid ends before this line.
    fn restart(&self, start: usize) -> ResyncPoint {
        let line = &self.lines[start];
        ResyncPoint { rows: start, bytes: line.start, lines: line.number }
    }
}

/// The lines at which a grid may begin, the nearest to where it should first.
fn nearest(height: usize) -> impl Iterator<Item = usize> {
    (0..=height).flat_map(move |distance| [height + distance, height - distance])
}

/// With fewer clues than that, chance would find a place almost anywhere.
fn are_distinctive(clues: &[Value]) -> bool {
    clues.iter().filter(|&&value| value != BLANK).count() >= clues.len().isqrt()
}

fn carries(cells: &[Value], clues: &[Value]) -> bool {
    cells.len() == clues.len() && cells.iter().zip(clues).all(|(cell, clue)| *clue == BLANK || cell == clue)
}

/// Where the next grid starts, judged by its clues: the place nearest to where it should (`height` lines on) at which
/// there are lines of cells that carry the clues; `None` if there is no such place, or if it is the expected.
pub(crate) fn find(next: &GridReader, window: &[u8], height: usize, clues: &[Value]) -> Option<ResyncPoint> {
    if !are_distinctive(clues) {
        return None;
    }
    let rows = WindowRows::of(next, window, 2 * height.div_ceil(next.height()) + 1);
    let start = nearest(height)
        .find(|&start| rows.cells(start, rows.height).is_some_and(|cells| carries(&cells, clues)))
        .filter(|&start| start != height)?;
    Some(rows.restart(start))
}

/// Whether the second grid of a window carries these clues.
pub(crate) fn is_second(reader: &GridReader, window: &[u8], clues: &[Value]) -> bool {
    let second = || WindowRows::of(reader, window, 2).cells(reader.height(), reader.height());
    are_distinctive(clues) && second().is_some_and(|cells| carries(&cells, clues))
}

/// Where the next solution of a list starts, if not where the first of a window should end. Where that is far, the one
/// between is broken as well: then a place is enough at which a solution begins, or where that is not known, the same row as
/// at first.
pub(crate) fn next_solution(
    reader: &GridReader,
    window: &[u8],
    is_solution: impl Fn(&[Value]) -> bool,
    is_beginning: impl Fn(&[Value]) -> Option<bool>,
) -> Option<ResyncPoint> {
    let rows = WindowRows::of(reader, window, 3);
    let height = rows.height;
    let near = height / 2 + 1..height + height / 2 + 1;
    let solution =
        nearest(height).find(|&start| rows.cells(start, height).is_some_and(|cells| is_solution(&cells)));
    let first = rows.cells(0, 1);
    let may_begin = |&start: &usize| {
        let cells = rows.cells(start, height / 2).unwrap_or_default();
        is_beginning(&cells).unwrap_or_else(|| first.is_some() && rows.cells(start, 1) == first)
            && !cells.is_empty()
    };
    let start = solution
        .filter(|start| near.contains(start))
        .or_else(|| nearest(height).filter(|start| near.contains(start)).find(may_begin))?;
    (start != height).then(|| rows.restart(start))
}
