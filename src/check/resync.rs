//! Finding the next grid of an output after a broken one. Where no banner says which grid is which, only the
//! clues of the next grid can.

use crate::grid::BLANK;
use crate::grid::Value;
use crate::grid::text;
use crate::grid::text::Reader;

/// How a broken grid ended, if not where its rows had run out.
pub(crate) struct Restart {
    /// Rows of text that belong to the broken grid.
    pub(crate) rows: usize,
    /// Bytes of the window up to the next grid.
    pub(crate) bytes: usize,
    /// Lines of the window up to the next grid.
    pub(crate) lines: u64,
}

/// Where the next grid starts, judged by its clues: the place nearest to where it should (`height` lines on) at which
/// there are lines of cells that carry the clues; `None` if there is no such place, or if it is the expected.
pub(crate) fn find(next: &Reader, window: &[u8], height: usize, clues: &[Value]) -> Option<Restart> {
    // With fewer clues than that, chance would find a place almost anywhere.
    if clues.iter().filter(|&&value| value != BLANK).count() < clues.len().isqrt() {
        return None;
    }
    let lines = next.height();
    let written: Vec<_> =
        text::lines(window).filter(|line| !line.is_empty()).take(2 * height + lines).collect();
    let rows: Vec<_> = written.iter().map(|line| next.row_values(line.text)).collect();
    let carries_clues = |start: usize| {
        rows.get(start..start + lines).is_some_and(|rows| {
            rows.iter().zip(clues.chunks(clues.len() / lines)).all(|(row, clues)| {
                row.as_ref().is_some_and(|row| {
                    row.iter().zip(clues).all(|(cell, clue)| *clue == BLANK || cell == clue)
                })
            })
        })
    };
    let nearest = (0..=height).flat_map(|distance| [height + distance, height - distance]);
    let start = nearest.into_iter().find(|&start| carries_clues(start)).filter(|&start| start != height)?;
    let next = &written[start];
    Some(Restart { rows: start, bytes: next.start, lines: next.number })
}
