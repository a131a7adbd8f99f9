//! Reading grids from text. Two ways over the same bytes: [`Reader::plain`], which takes what nearly all programs write
//! and is fast, and [`Reader::tolerant`], which makes the most of anything and says what is wrong. Both look at a window
//! of bytes that the caller fills; nothing here reads a file.

mod lines;
mod plain;

use crate::grid::BLANK;
use crate::grid::Banner;
use crate::grid::BlankLines;
use crate::grid::Cells;
use crate::grid::Layout;
use crate::grid::Shape;
use crate::grid::Symbols;
use crate::grid::Value;
use crate::grid::WhiteSpace;
use crate::grid::flaw::Flaw;
use crate::grid::flaw::FlawKind;
pub use lines::Line;
pub use lines::lines;
pub use lines::quoted;
pub use plain::Extent;

/// In a [`Block`]: a cell that could not be read.
pub const UNREAD: Value = u8::MAX;

/// Reads grids of one shape in one layout.
#[derive(Clone, Debug)]
pub struct Reader {
    order: usize,
    cells: Cells,
    blank_line_before: bool,
    is_strict: bool,
    banner: Option<Banner>,
    may_be_blank: bool,
    /// Value of each byte; [`UNREAD`] for what is no symbol.
    values: [Value; 256],
}

/// One grid as it stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its cells, row-major; [`UNREAD`] where nothing could be read.
    pub cells: Vec<Value>,
    /// Where each cell stands: line and byte, counted from the start of the window.
    pub places: Vec<(u64, usize)>,
    /// What is wrong with its text, in reading order.
    pub flaws: Vec<Flaw>,
    /// Bytes of the window that belong to it.
    pub bytes: usize,
    /// Lines of the window that belong to it.
    pub lines: u64,
}

impl Reader {
    /// A reader of texts in which cells may be blank: inputs.
    pub fn of_inputs(shape: Shape, symbols: &Symbols, layout: &Layout) -> Self {
        let mut reader = Self::of_outputs(shape, symbols, layout);
        reader.may_be_blank = true;
        reader
    }

    /// A reader of texts in which no cell may be blank: outputs and answers.
    pub fn of_outputs(shape: Shape, symbols: &Symbols, layout: &Layout) -> Self {
        let mut values = [UNREAD; 256];
        for (byte, value) in symbols.symbols.bytes().zip(1..) {
            values[usize::from(byte)] = value;
        }
        for byte in symbols.blanks.bytes() {
            values[usize::from(byte)] = BLANK;
        }
        Self {
            order: shape.order(),
            cells: layout.cells,
            blank_line_before: layout.blank_lines == BlankLines::Before,
            is_strict: layout.white_space == WhiteSpace::Strict,
            banner: layout.banner.clone(),
            may_be_blank: false,
            values,
        }
    }

    /// Reads grid `number` from the start of the window as well as it can. The window should begin with the
    /// grid's first line that is not empty, and hold the whole grid or reach to the end of the text.
    pub fn tolerant(&self, number: u64, window: &[u8]) -> Block {
        let mut block = Block {
            cells: vec![UNREAD; self.order * self.order],
            places: vec![(0, 0); self.order * self.order],
            flaws: Vec::new(),
            bytes: 0,
            lines: 0,
        };
        let mut written = lines(window).filter(|line| !line.is_empty()).peekable();
        if let Some(banner) = &self.banner {
            let expected = banner.line(number);
            let line = written.next_if(|line| {
                line.text.trim_ascii() == expected.trim().as_bytes()
                    || self.is_banner(line.text)
                    || !self.is_row(line.text)
            });
            if let Some(line) = line {
                block.consume(&line);
            }
            block.flaws.extend(banner_flaw(banner, number, line.as_ref()));
        }
        let mut rows = 0;
        while let Some(line) = written.next_if(|line| rows < self.order || self.is_surplus(line.text)) {
            if self.is_banner(line.text) {
                break;
            }
            if rows < self.order {
                self.row(rows, &line, &mut block);
            }
            rows += 1;
            block.consume(&line);
        }
        if rows != self.order {
            block.flaws.push(Flaw {
                kind: FlawKind::RowCount { found: rows, expected: self.order },
                row: None,
                column: None,
                line: block.lines.saturating_sub(1),
                byte: block.bytes,
            });
        }
        block
    }

    /// The values of a line that is a row of this layout and nothing else, spaces at its ends apart.
    pub fn row_values(&self, text: &[u8]) -> Option<Vec<Value>> {
        let units = Units::of(text, self.cells, self.order);
        let values: Vec<_> = units.cells.iter().map(|&cell| self.value(cell)).collect();
        (units.spacing_fits && values.len() == self.order && !values.contains(&UNREAD)).then_some(values)
    }

    /// Whether a line is a banner with any number. A number alone may be a row as well, and is one then.
    fn is_banner(&self, text: &[u8]) -> bool {
        self.resembles_banner(text) && self.row_values(text).is_none()
    }

    fn resembles_banner(&self, text: &[u8]) -> bool {
        self.banner.as_ref().is_some_and(|banner| banner.resembles(text))
    }

    /// Whether a line behind the last row still belongs to the grid: only a banner can tell.
    fn is_surplus(&self, text: &[u8]) -> bool {
        self.banner.is_some() && !self.resembles_banner(text)
    }

    /// Whether a line looks like a row rather than a banner.
    fn is_row(&self, text: &[u8]) -> bool {
        let units = Units::of(text, self.cells, self.order);
        units.cells.len() == self.order && units.cells.iter().any(|&cell| self.value(cell) != UNREAD)
    }

    fn value(&self, (_, text): (usize, &[u8])) -> Value {
        match text {
            [byte] => self.values[usize::from(*byte)],
            _ => UNREAD,
        }
    }

    /// Reads row `row` (from 0) from a line, into a block.
    fn row(&self, row: usize, line: &Line<'_>, block: &mut Block) {
        let units = Units::of(line.text, self.cells, self.order);
        let flaw = |kind, column: Option<usize>, byte| Flaw {
            kind,
            row: Some(row + 1),
            column,
            line: line.number,
            byte: line.start + byte,
        };
        block.flaws.extend(self.flaw_of(&units, line).map(|(kind, column, byte)| flaw(kind, column, byte)));
        if units.cells.len() != self.order {
            return;
        }
        for (column, &(start, text)) in units.cells.iter().enumerate() {
            let value = self.value((start, text));
            block.cells[row * self.order + column] = value;
            block.places[row * self.order + column] = (line.number, line.start + start);
            if value == BLANK && !self.may_be_blank {
                block.flaws.push(flaw(FlawKind::Blank(char::from(text[0])), Some(column + 1), start));
            }
        }
    }

    /// The first thing wrong with the text of a row, blanks apart: what, in which column (from 1), and where in the
    /// line.
    fn flaw_of(&self, units: &Units<'_>, line: &Line<'_>) -> Option<(FlawKind, Option<usize>, usize)> {
        let unknown = units.cells.iter().zip(1..).find(|(cell, _)| self.value(**cell) == UNREAD);
        if let Some(((start, text), column)) = unknown {
            return Some((FlawKind::UnknownSymbol(quoted(text)), Some(column), *start));
        }
        if units.cells.len() != self.order {
            let kind = FlawKind::CellCount { found: units.cells.len(), expected: self.order };
            return Some((kind, None, line.text.len()));
        }
        (!units.spacing_fits).then_some((FlawKind::Spacing(self.cells), None, 0))
    }
}

impl Block {
    fn consume(&mut self, line: &Line<'_>) {
        self.bytes = line.end;
        self.lines = line.number + 1;
    }

    /// Whether its text reads as a grid, whatever the grid is worth.
    pub fn is_readable(&self) -> bool {
        self.flaws.is_empty()
    }
}

/// The text of a line cut into cells.
struct Units<'a> {
    /// Start in the line, and text.
    cells: Vec<(usize, &'a [u8])>,
    /// Whether what stands between them is as the layout has it.
    spacing_fits: bool,
}

impl<'a> Units<'a> {
    /// Cuts by the layout; and where that does not give a row but the other layout does, by that one.
    fn of(text: &'a [u8], layout: Cells, order: usize) -> Self {
        let letters = || text.iter().zip(0..).filter(|(byte, _)| !byte.is_ascii_whitespace());
        let words = || {
            let pieces = text.split(u8::is_ascii_whitespace).scan(0, |start, piece| {
                let place = *start;
                *start += piece.len() + 1;
                Some((place, piece))
            });
            pieces.filter(|(_, piece)| !piece.is_empty()).collect::<Vec<_>>()
        };
        let each_letter = || letters().map(|(_, start)| (start, &text[start..=start])).collect::<Vec<_>>();
        match layout {
            Cells::Joined => Self { cells: each_letter(), spacing_fits: words().len() == 1 },
            Cells::Spaced => {
                let words = words();
                let joined = words.len() != order && letters().count() == order;
                Self { cells: if joined { each_letter() } else { words }, spacing_fits: !joined }
            }
        }
    }
}

/// What is wrong with the line that stands where a grid's banner should, if anything is.
fn banner_flaw(banner: &Banner, number: u64, line: Option<&Line<'_>>) -> Option<Flaw> {
    let expected = banner.line(number);
    let (kind, place) = match line {
        Some(line) if line.text.trim_ascii() == expected.trim().as_bytes() => return None,
        Some(line) => {
            (FlawKind::WrongBanner { expected, found: quoted(line.text) }, (line.number, line.start))
        }
        None => (FlawKind::MissingBanner { expected }, (0, 0)),
    };
    Some(Flaw { kind, row: None, column: None, line: place.0, byte: place.1 })
}

/// The number on the first line of a text that has one there, and the bytes and lines up to its end.
///
/// # Errors
/// What stands there in its place.
pub fn leading_count(window: &[u8]) -> Result<(u64, usize, u64), String> {
    let Some(line) = lines(window).find(|line| !line.is_empty()) else {
        return Err(String::new());
    };
    let text = line.text.trim_ascii();
    let number = std::str::from_utf8(text).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    match number.and_then(|text| text.parse().ok()) {
        Some(count) => Ok((count, line.end, line.number + 1)),
        None => Err(quoted(text)),
    }
}

#[cfg(test)]
mod tests;
