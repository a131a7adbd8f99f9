//! Splits a line into cells, with their positions, and checks the spacing between them. Knows no
//! symbols.

use crate::CellSpacing;
use crate::format::lines::characters;

/// The cells of a line.
pub(super) struct LineCells<'a> {
    /// The start in the line and the text of each cell.
    pub(super) cells: Vec<(usize, &'a [u8])>,
    /// Whether the spacing between them is as the layout requires.
    pub(super) spacing_fits: bool,
}

impl<'a> LineCells<'a> {
    /// Splits a line as the layout requires. A line that should be spaced but only has `width`
    /// cells if read as joined is split as joined. Characters in `ignored` separate cells like
    /// white space.
    pub(super) fn of(text: &'a [u8], layout: CellSpacing, width: usize, ignored: &[u8]) -> Self {
        let separates = |byte: &u8| byte.is_ascii_whitespace() || ignored.contains(byte);
        let letters = || characters(text).filter(|(_, letter)| !letter.iter().all(separates));
        let words = || {
            let pieces = text.split(separates).scan(0, |start, piece| {
                let place = *start;
                *start += piece.len() + 1;
                Some((place, piece))
            });
            pieces
                .filter(|(_, piece)| !piece.is_empty())
                .collect::<Vec<_>>()
        };
        let each_letter = || letters().collect::<Vec<_>>();
        match layout {
            // In a layout with decoration, cells may have any spacing.
            CellSpacing::Joined => Self {
                cells: each_letter(),
                spacing_fits: !ignored.is_empty() || words().len() == 1,
            },
            CellSpacing::Spaced => {
                let words = words();
                let joined = words.len() != width && letters().count() == width;
                Self {
                    cells: if joined { each_letter() } else { words },
                    spacing_fits: !joined,
                }
            }
        }
    }
}
