//! Reads the grids of an input, and the stored answers of a case, and reports what is
//! wrong with those that are not in the problem's format. They are the setter's: a
//! mistake in one is never the submission's.

pub(crate) mod framing;
pub(crate) mod input_mistakes;

use std::io::{self, Read};

use gridjudge_grid::format::{
    GridBlock, GridReader, MapError, Padding, TextLine, TextOffset, write,
};
use gridjudge_grid::{
    Format, GridCount, LineEnd, OrderPlace, RegionMap, Shape, UnevenRegion, Value,
    format,
};

use crate::check::{
    EXACT, InputError, InputMistake, SeparatorKind, Window, WindowView, diff, mistake,
};
use crate::text::counted;

/// The grids of an input, one after the other.
pub struct InputGrids<'a> {
    window: Window<'a>,
    format: &'a Format,
    /// A reader for each shape of the format.
    readers: Vec<GridReader>,
    /// The index of the shape in the format, if it is the same for all grids.
    shape: Option<usize>,
    /// The number of grids, if it is known in advance.
    total: Option<u64>,
    /// Grids read so far.
    read: u64,
    /// Whether there can be no further grid.
    has_ended: bool,
    /// Whether the separator after the last grid read has been passed, or there is none
    /// yet.
    is_parted: bool,
    /// The shape of the last grid read, if it has a region map of its own.
    own_shape: Option<Shape>,
    /// The mistakes found so far.
    mistakes: Vec<InputMistake>,
}

impl<'a> InputGrids<'a> {
    /// Opens an input, and reads the lines before its first grid.
    ///
    /// # Errors
    /// Returns [`InputError`] if the input cannot be read, is empty, or does not begin
    /// with a number of grids or an order that the problem allows.
    pub fn open(
        format: &'a Format,
        source: &'a mut dyn Read,
    ) -> Result<Self, InputError> {
        let mut window =
            Window::new(source, Padding::for_layout(format, &format.input));
        let start = window.view()?.text;
        let may_be_empty = format.input.may_be_empty
            && matches!(format.input.count, GridCount::UntilEnd { .. });
        if start.is_empty() && !may_be_empty {
            return Err(mistake(
                1,
                "the file is empty",
                "write the case, or delete the file",
            )
            .into());
        }
        let readers: Vec<_> = format
            .shapes
            .iter()
            .map(|shape| GridReader::of_inputs(shape, format))
            .collect();
        let mut grids = Self {
            window,
            format,
            readers,
            shape: (format.shapes.len() == 1).then_some(0),
            total: Some(1),
            read: 0,
            has_ended: false,
            is_parted: true,
            own_shape: None,
            mistakes: vec![],
        };
        grids.skip_void()?;
        grids.read_header()?;
        Ok(grids)
    }

    /// Reads the lines before the first grid.
    fn read_header(&mut self) -> Result<(), InputError> {
        let format = self.format;
        let WindowView { text, origin } = self.window.view()?;
        // The number of the line that ends there.
        let number = |end: TextOffset| {
            origin.line(TextOffset {
                bytes: end.bytes.saturating_sub(1),
                ..end.end_of_line()
            })
        };
        let mut end = TextOffset::START;
        match format.input.count {
            GridCount::One | GridCount::AsInput => {}
            GridCount::UntilEnd { .. } | GridCount::Until { .. } => self.total = None,
            GridCount::First { most } => {
                let count;
                (count, end) =
                    framing::count_up_to(&format.input, most, text, number(end))?;
                self.total = Some(count);
                framing::exact(
                    format,
                    &text[..end.bytes],
                    number(end),
                    count,
                    "on the first line",
                )?;
            }
        }
        if let Some(order) = format.input.order_at(OrderPlace::File) {
            let rest = &text[end.bytes..];
            let void = &self.readers[0];
            let stated = format::lines(rest)
                .find(|line| !void.is_void(line.text))
                .unwrap_or_default();
            end = end + stated.end;
            let line = number(end);
            let shape = framing::shape_on_line(format, order, stated.text, line)?;
            framing::exact(
                format,
                &rest[..stated.end.bytes],
                line,
                order.in_shape(&format.shapes[shape]),
                "on its line",
            )?;
            self.shape = Some(shape);
        }
        self.window.advance_lines(end)?;
        Ok(())
    }

    /// Reads the next grid into `cells` (row-major, 0 for blank), and returns the index
    /// of its shape in the format; `None` after the last.
    ///
    /// # Errors
    /// Returns [`InputError`] for the first mistake in its text.
    pub fn read_into(
        &mut self,
        cells: &mut Vec<Value>,
    ) -> Result<Option<usize>, InputError> {
        let shape = self.read_next(cells)?;
        match self.mistakes.drain(..).next() {
            Some(mistake) => Err(mistake.into()),
            None => Ok(shape),
        }
    }

    /// The shape of the last grid read, if it has a region map of its own. The format's
    /// shape has no regions then.
    pub fn own_shape(&self) -> Option<&Shape> {
        self.own_shape.as_ref()
    }

    /// Reads on to the end, and returns the number of grids in the input.
    pub(super) fn count_to_the_end(&mut self) -> Result<u64, InputError> {
        match self.total {
            Some(total) => Ok(total),
            None => {
                let mut cells = vec![];
                while self.read_into(&mut cells)?.is_some() {}
                Ok(self.read)
            }
        }
    }

    /// Reads the next grid into `cells`, and notes what is wrong with its text. Returns
    /// the index of its shape in the format; `None` after the last.
    fn read_next(&mut self, cells: &mut Vec<Value>) -> io::Result<Option<usize>> {
        let ahead = if self.has_ended || self.ends()? {
            None
        } else if self.shape.is_some() {
            self.shape
        } else {
            self.shape_ahead()?
        };
        let Some(shape) = ahead else {
            self.has_ended = true;
            return Ok(None);
        };
        self.is_parted = false;
        if !self.read_plainly(shape, cells)? {
            self.read += 1;
            self.read_carefully(shape, cells)?;
        }
        Ok(Some(shape))
    }

    /// Reads the next grid if it is plainly written; returns whether it is.
    #[inline]
    fn read_plainly(
        &mut self,
        shape: usize,
        cells: &mut Vec<Value>,
    ) -> io::Result<bool> {
        let reader = &self.readers[shape];
        cells.resize(self.format.shapes[shape].cells(), 0);
        let window = self.window.peek(reader.longest_plain())?;
        let Some(end) = reader.plain(self.read + 1, window, cells) else {
            return Ok(false);
        };
        self.read += 1;
        self.window.pass(end);
        Ok(true)
    }

    /// Passes lines that hold nothing that counts, of any length, and the empty lines
    /// before them: comments and lines of ignored characters.
    fn skip_void(&mut self) -> io::Result<()> {
        let layout = &self.format.input;
        if layout.ignored.is_empty() && layout.comment.is_none() {
            return Ok(());
        }
        loop {
            let ahead = self.window.view()?.text;
            let first = format::written_lines(ahead).next();
            let Some(line) = first.filter(|line| self.readers[0].is_void(line.text))
            else {
                return Ok(());
            };
            let end = line.end;
            self.window.advance_lines(end)?;
        }
    }

    /// The index of the next grid's shape, by the order on the grid's own line if the
    /// format has one; `None` if that line is wrong, which is noted.
    fn shape_ahead(&mut self) -> io::Result<Option<usize>> {
        self.skip_void()?;
        let has_banner = self.format.input.banner.is_some();
        let WindowView {
            text: window,
            origin,
        } = self.window.view()?;
        let Some(order) = self.format.input.order_at(OrderPlace::Case) else {
            return Ok(Some(self.format.shapes.len() - 1));
        };
        let void = &self.readers[0];
        let is_blank = format::lines(window).all(|line| void.is_void(line.text));
        let line = format::lines(window)
            .filter(|line| !void.is_void(line.text))
            .nth(usize::from(has_banner));
        let TextLine { text, start, .. } = line.unwrap_or_default();
        let line = origin.line(start);
        let found = if is_blank {
            Err(self.missing(line, self.read))
        } else {
            framing::shape_on_line(self.format, order, text, line)
        };
        match found {
            Ok(shape) => Ok(Some(shape)),
            Err(mistake) => {
                self.mistakes.push(mistake);
                self.window.skip_to_end()?;
                Ok(None)
            }
        }
    }

    /// Reads a grid that is not plainly written, and notes what is wrong with it.
    fn read_carefully(
        &mut self,
        shape: usize,
        cells: &mut [Value],
    ) -> io::Result<()> {
        self.skip_void()?;
        let number = self.read;
        let place = self.place(self.read);
        let view = self.window.view()?;
        let window = view.text;
        let origin = view.origin;
        if window.trim_ascii().is_empty() {
            let line = origin.line(TextOffset::START);
            // One mistake for all missing grids, whatever white space is left.
            self.has_ended = true;
            self.mistakes.push(self.missing(line, number - 1));
            return self.window.skip_to_end();
        }
        let block = self.readers[shape].tolerant(number, window);
        self.mistakes.extend(block.errors.iter().map(|error| {
            let line = origin.line(error.place);
            mistake(line, format!("{place}{error}"), None)
        }));
        let mut is_right = block.is_readable();
        let base = &self.format.shapes[shape];
        match self.format.input.region_map {
            None => cells.copy_from_slice(&block.cells),
            Some(map) => {
                let (clues, divided) = map.divided(base, &block.cells);
                cells.copy_from_slice(&clues);
                if let Err(errors) = &divided
                    && is_right
                {
                    is_right = false;
                    self.mistakes.extend(errors.iter().map(|error| {
                        let cell = map.place_of(base, error.cell());
                        let line = origin.line(block.places[cell]);
                        map_mistake(line, &place, base, error)
                    }));
                }
                self.own_shape = divided.ok();
            }
        }
        if is_right && self.format.input.is_strict() {
            let Format { symbols, input, .. } = self.format;
            let canonical =
                write::grid_as_read(base, symbols, input, number, &block.cells);
            let written =
                without_choices(self.format, &block, &window[..block.end.bytes]);
            if diff::same(&canonical, &written, false).is_some() {
                let (start, message) = diff::first_line(&canonical, &written);
                self.mistakes.push(mistake(
                    origin.line(start),
                    format!("{place}{message}"),
                    EXACT,
                ));
            }
        }
        self.window.advance_lines(block.end)
    }

    /// The mistake of a text that ends after `read` grids, before its last.
    fn missing(&self, line: u64, read: u64) -> InputMistake {
        match self.total.unwrap_or(1) {
            1 => mistake(line, "the file holds no grid", "add what is missing"),
            total => {
                let message = format!(
                    "the file says it holds {total} grids and ends after {read}"
                );
                mistake(
                    line,
                    message,
                    "add the missing grids, or correct the number",
                )
            }
        }
    }

    /// The prefix of a message about a grid: its number, if there may be several.
    pub(crate) fn place(&self, number: u64) -> String {
        if self.total == Some(1) {
            String::new()
        } else {
            format!("grid {number}: ")
        }
    }
}

/// The text of a grid as gridjudge would have written it where the format leaves a
/// choice: with the first of the blanks in place of the others, and without the space
/// that a line may end with.
fn without_choices(format: &Format, block: &GridBlock, text: &[u8]) -> Vec<u8> {
    let mut written = text.to_vec();
    // Walls make a blank a number.
    if format.input.region_map != Some(RegionMap::Walls) {
        let blank = format.symbols.symbol(0).as_bytes()[0];
        let cells = block.cells.iter().zip(&block.places);
        for (_, place) in cells.filter(|(value, _)| **value == 0) {
            written[place.bytes] = blank;
        }
    }
    match format.input.line_end {
        LineEnd::MayHaveSpace => {
            diff::without_row_spaces(&written, block.places[0].bytes)
        }
        LineEnd::Bare | LineEnd::Space => written,
    }
}

/// What is wrong with the region map beside a grid. `grid` is the prefix of the
/// message.
fn map_mistake(
    line: u64,
    grid: &str,
    shape: &Shape,
    error: &MapError,
) -> InputMistake {
    let named = |cell| {
        let (row, column) = shape.place(cell);
        format!("row {}, column {}", row + 1, column + 1)
    };
    let (message, remedy) = match *error {
        MapError::Region(UnevenRegion { cell, cells }) => {
            let cells = counted(cells as u64, "cell");
            let order = shape.order();
            let message = format!(
                "the region of {} has {cells}, a grid of order {order} needs {order}",
                named(cell)
            );
            (
                message,
                "correct the map: each region has as many cells as the grid has rows",
            )
        }
        MapError::OpenEdge { cell, side } => (
            format!("{} has no wall {side}, where the grid ends", named(cell)),
            "add the wall to its number",
        ),
        MapError::HalfWall { cell, other } => (
            format!(
                "{} has a wall towards {}, which has none",
                named(cell),
                named(other)
            ),
            "write the wall into both numbers, or into neither",
        ),
    };
    mistake(line, format!("{grid}{message}"), remedy)
}

// Reads the stored answers of a case, one grid after the other.

/// The remedy for an answer that ends too early.
pub(crate) const MISSING: &str = "add what is missing";

/// Passes the separator before the answer to grid `number`, unless it is the first.
pub(crate) fn pass_separator(
    answer: &mut Window,
    reader: &GridReader,
    number: u64,
) -> Result<(), InputError> {
    if number > 1
        && let Some(seen) = framing::pass(answer, reader)?
        && !matches!(seen.kind, SeparatorKind::Loose | SeparatorKind::Ended)
    {
        let expected = seen.expected;
        return Err(mistake(
            seen.place.lines + 1,
            format!("grid {number}: expected the separator `{expected}` before it"),
            MISSING,
        )
        .into());
    }
    Ok(())
}
