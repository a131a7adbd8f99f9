//! Reads a line of a grid or of its region map: the value of each cell, and the first error.

use crate::format::parse_error::{ParseError, ParseErrorKind};
use crate::format::reader::LineCells;
use crate::format::{GridBlock, GridReader, TextLine, UNREAD, quoted};
use crate::{BLANK, RegionMap, Value};

/// The most cells of a row that are counted: more than any grid has.
const MOST_COUNTED: usize = 1000;

impl GridReader {
    /// Reads line `number` (from 0) of a grid into a block.
    pub(super) fn row(&self, number: usize, line: &TextLine<'_>, block: &mut GridBlock) {
        let units = self.units(line.text);
        let is_map = match self.map {
            Some(RegionMap::Before) => number < self.lines,
            Some(RegionMap::After) => number >= self.lines,
            Some(RegionMap::Walls) | None => false,
        };
        let error = |kind, column: Option<usize>, byte| {
            let (row, column) = self.place_in_grid(number, column);
            let byte = line.start + byte;
            let line = line.number;
            let kind = if is_map {
                ParseErrorKind::InMap(Box::new(ParseError {
                    kind,
                    row,
                    column,
                    line,
                    byte,
                }))
            } else {
                kind
            };
            ParseError {
                kind,
                row,
                column,
                line,
                byte,
            }
        };
        let first = self.error_of(&units, line, is_map);
        block
            .errors
            .extend(first.map(|(kind, column, byte)| error(kind, column, byte)));
        if units.cells.len() != self.width {
            return;
        }
        for (column, &(start, text)) in units.cells.iter().enumerate() {
            let value = self.value_in(is_map, text);
            block.cells[number * self.width + column] = value;
            block.places[number * self.width + column] = (line.number, line.start + start);
            if value == BLANK && !self.may_be_blank {
                block.errors.push(error(
                    ParseErrorKind::Blank(char::from(text[0])),
                    Some(column),
                    start,
                ));
            }
        }
    }

    /// The row and column of a place in line `number`, both from 1. If a line holds a whole grid,
    /// it has a row only with its column.
    fn place_in_grid(
        &self,
        number: usize,
        column: Option<usize>,
    ) -> (Option<usize>, Option<usize>) {
        if self.lines == self.width {
            (
                Some(number % self.lines + 1),
                column.map(|column| column + 1),
            )
        } else {
            (
                column.map(|cell| cell / self.order + 1),
                column.map(|cell| cell % self.order + 1),
            )
        }
    }

    /// The error in the white space of row `number` (from 0), if it is not as the layout requires.
    pub fn error_of_spacing(&self, number: usize, line: &TextLine<'_>) -> Option<ParseError> {
        let kind = ParseErrorKind::Spacing(self.cells);
        let row = (self.lines == self.width).then_some(number + 1);
        let error = ParseError {
            kind,
            row,
            column: None,
            line: line.number,
            byte: line.start,
        };
        self.row_values(line.text).is_none().then_some(error)
    }

    /// The value of a cell of a grid; for a cell of its map, the byte in the text.
    fn value_in(&self, is_map: bool, text: &[u8]) -> Value {
        match text {
            [byte] if is_map && byte.is_ascii_graphic() => *byte,
            _ if is_map => UNREAD,
            text => self.value(text),
        }
    }

    /// The first error in a line, other than a blank cell: its kind, its cell (from 0) if it has
    /// one, and its byte in the line.
    fn error_of(
        &self,
        units: &LineCells<'_>,
        line: &TextLine<'_>,
        is_map: bool,
    ) -> Option<(ParseErrorKind, Option<usize>, usize)> {
        if units.cells.len() != self.width && self.is_torn_row(line.text) {
            return Some((
                self.wrong_count(units.cells.len(), line),
                None,
                line.text.len(),
            ));
        }
        // A character that looks like a space or like nothing may be all that is too much.
        let unknown = units.cells.iter().zip(0..).find(|&(&(_, cell), column)| {
            (column < self.width || !cell.is_ascii()) && self.value_in(is_map, cell) == UNREAD
        });
        if let Some(((start, text), column)) = unknown {
            let unknown = match self.map {
                _ if is_map => ParseErrorKind::UnknownRegion,
                Some(RegionMap::Walls) => ParseErrorKind::UnknownWalls,
                _ => ParseErrorKind::UnknownSymbol,
            };
            let column = Some(column).filter(|column| *column < self.width);
            return Some((unknown(quoted(text)), column, *start));
        }
        if units.cells.len() != self.width {
            return Some((
                self.wrong_count(units.cells.len(), line),
                None,
                line.text.len(),
            ));
        }
        (!units.spacing_fits).then_some((ParseErrorKind::Spacing(self.cells), None, 0))
    }

    /// The error for a row with this wrong number of cells. Only the start of a line that is far
    /// too long is in the window.
    fn wrong_count(&self, found: usize, line: &TextLine<'_>) -> ParseErrorKind {
        let expected = self.width;
        let is_cut = line.text.len() > self.longest_line;
        match found {
            MOST_COUNTED.. => ParseErrorKind::TooManyCells {
                counted: MOST_COUNTED,
                expected,
            },
            found if is_cut && found > expected => ParseErrorKind::TooManyCells {
                counted: found - 1,
                expected,
            },
            found => ParseErrorKind::CellCount { found, expected },
        }
    }
}
