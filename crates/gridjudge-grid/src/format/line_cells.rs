//! A line cut into cells. Knows where they stand and whether what stands between them is right; knows no symbols.

use crate::CellSpacing;

/// The text of a line cut into cells.
pub(super) struct LineCells<'a> {
    /// Start in the line, and text.
    pub(super) cells: Vec<(usize, &'a [u8])>,
    /// Whether what stands between them is as the layout has it.
    pub(super) spacing_fits: bool,
}

impl<'a> LineCells<'a> {
    /// Cuts by the layout; and where that does not give a line of `width` cells but the other layout does, by that one.
    /// What is `ignored` separates as white space does.
    pub(super) fn of(text: &'a [u8], layout: CellSpacing, width: usize, ignored: &[u8]) -> Self {
        let separates = |byte: &u8| byte.is_ascii_whitespace() || ignored.contains(byte);
        let letters = || text.iter().zip(0..).filter(|(byte, _)| !separates(byte));
        let words = || {
            let pieces = text.split(separates).scan(0, |start, piece| {
                let place = *start;
                *start += piece.len() + 1;
                Some((place, piece))
            });
            pieces.filter(|(_, piece)| !piece.is_empty()).collect::<Vec<_>>()
        };
        let each_letter = || letters().map(|(_, start)| (start, &text[start..=start])).collect::<Vec<_>>();
        match layout {
            // Decorated cells may be spaced as the picture wants it.
            CellSpacing::Joined => {
                Self { cells: each_letter(), spacing_fits: !ignored.is_empty() || words().len() == 1 }
            }
            CellSpacing::Spaced => {
                let words = words();
                let joined = words.len() != width && letters().count() == width;
                Self { cells: if joined { each_letter() } else { words }, spacing_fits: !joined }
            }
        }
    }
}
