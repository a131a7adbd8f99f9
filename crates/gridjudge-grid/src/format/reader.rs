//! Reads grids from text, in one of two ways: [`GridReader::plain`] is fast and accepts
//! what nearly all programs write; [`GridReader::tolerant`] reads as much as it can of
//! any text and reports what is wrong. Both read a window of bytes that the caller
//! fills; nothing here reads a file.

use crate::format::layout::ReplyKind;
use crate::format::lines::{
    TextLine, TextOffset, characters, quoted_bytes, without_spaces, written_lines,
};
use crate::format::padding::Padding;
use crate::format::parse_error::ParseError;
use crate::symbols::UNREAD;
use crate::{
    BlankLines, CellSpacing, Format, GridCount, Layout, OrderPlace, RegionMap,
    Replies, Shape, Symbols, Template, Value, WhiteSpace,
};

/// Reads grids of one shape in one layout.
#[derive(Clone, Debug)]
pub struct GridReader {
    pub(super) layout: Layout,
    pub(super) order: usize,
    /// How many of the symbols a grid may hold.
    symbol_count: usize,
    /// Lines of a grid, without those of its map.
    pub(super) lines: usize,
    /// Lines of a grid, including those of its map.
    pub(super) height: usize,
    /// Cells per line.
    pub(super) width: usize,
    /// The banner as it precedes a grid in the canonical form.
    pub(super) plain_banner: Option<Template>,
    /// The line after the banner that states the order.
    pub(super) order_line: Option<String>,
    /// The lines that may stand in place of a grid.
    pub(super) replies: Replies,
    pub(super) may_be_blank: bool,
    symbols: Symbols,
    /// Whether each symbol is one character. Stored because it is needed for every
    /// grid.
    pub(super) are_characters: bool,
    /// Bytes of the longest line that may be right. A longer line may be cut off in the
    /// window.
    pub(super) longest_line: usize,
    /// The value of each byte; [`UNREAD`] for a byte that is not a symbol.
    pub(super) values: [Value; 256],
}

/// One grid as it stands in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GridBlock {
    /// Its cells, row-major; [`UNREAD`] where nothing could be read. Cells of its map
    /// are included, each as the byte in the text.
    pub cells: Vec<Value>,
    /// The place of each cell in the window.
    pub places: Vec<TextOffset>,
    /// The reply in place of the grid; `None` if there is none.
    pub reply: Option<ReplyKind>,
    /// What is wrong with its text, in reading order.
    pub errors: Vec<ParseError>,
    /// Lines before it or in it that belong to no grid, if these were passed over.
    pub strays: Vec<StrayLine>,
    /// The place of its first line after the banner.
    pub start: TextOffset,
    /// The end of the part of the window that belongs to it.
    pub end: TextOffset,
}

/// A line that belongs to no grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrayLine {
    /// Its place in the window.
    pub place: TextOffset,
    /// Its text, for a message.
    pub text: String,
    /// What follows it.
    pub before: StrayPlace,
}

/// What a stray line is before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrayPlace {
    /// This line of words, or banner.
    Words(String),
    /// This row of the grid, from 0.
    Row(usize),
}

impl StrayLine {
    /// This line, which is before that.
    pub fn new(line: &TextLine<'_>, before: StrayPlace) -> Self {
        Self {
            place: line.start,
            text: quoted_bytes(line.text),
            before,
        }
    }
}

impl GridReader {
    /// A reader of inputs: cells may be blank.
    pub fn of_inputs(shape: &Shape, format: &Format) -> Self {
        Self {
            may_be_blank: true,
            ..Self::new(shape, format, &format.input)
        }
    }

    /// A reader of outputs and answers: no cell may be blank, but a reply may stand in
    /// place of a grid.
    pub fn of_outputs(shape: &Shape, format: &Format) -> Self {
        Self {
            replies: format.replies.clone(),
            ..Self::new(shape, format, &format.output)
        }
    }

    fn new(shape: &Shape, format: &Format, layout: &Layout) -> Self {
        let symbols = &format.symbols;
        let (lines, width) = layout.lines_and_width(shape);
        Self {
            order: shape.order(),
            symbol_count: shape.values(),
            lines,
            height: if layout.region_map.is_some_and(RegionMap::has_lines) {
                2 * lines
            } else {
                lines
            },
            width,
            plain_banner: layout
                .banner
                .as_ref()
                .map(|banner| banner.template_before(layout.first_line())),
            order_line: layout
                .order_at(OrderPlace::Case)
                .map(|number| number.in_shape(shape).to_string()),
            replies: Replies::default(),
            may_be_blank: false,
            symbols: symbols.clone(),
            are_characters: symbols.are_characters(),
            longest_line: Padding::for_layout(format, layout).longest_line,
            values: symbols.values_of_bytes(shape.values()),
            layout: layout.clone(),
        }
    }

    /// The same reader for a grid with nothing around it and with lenient white space,
    /// such as one of several solutions.
    #[must_use]
    pub fn bare(&self) -> Self {
        let layout = Layout {
            banner: None,
            lead: None,
            separator: None,
            blank_lines: BlankLines::None,
            white_space: WhiteSpace::Lenient,
            ..self.layout.clone()
        };
        Self {
            layout,
            plain_banner: None,
            ..self.clone()
        }
    }

    /// The same reader for outputs of words or numbers only, in which no line is a row.
    #[must_use]
    pub fn without_rows(&self) -> Self {
        Self {
            width: 0,
            ..self.clone()
        }
    }

    /// Lines of a grid, including those of its map.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The values of a line; `None` if it is not exactly a line of cells in this
    /// layout. Spaces at its ends are ignored.
    pub fn row_values(&self, text: &[u8]) -> Option<Vec<Value>> {
        let units = self.units(text);
        let values: Vec<_> = units
            .cells
            .iter()
            .map(|&(_, cell)| self.value(cell))
            .collect();
        (units.spacing_fits
            && values.len() == self.width
            && !values.contains(&UNREAD))
        .then_some(values)
    }

    /// Whether a line is exactly a line of cells in this layout, or may be a line of a
    /// map.
    pub fn is_cells(&self, text: &[u8]) -> bool {
        let units = self.units(text);
        self.row_values(text).is_some()
            || units.spacing_fits
                && units.cells.len() == self.width
                && units
                    .cells
                    .iter()
                    .all(|(_, cell)| self.names_a_region(cell))
    }

    /// Whether cells are numbers, which may have several digits.
    pub fn has_numbers(&self) -> bool {
        self.layout.cells == CellSpacing::Spaced && !self.are_characters
    }

    /// Whether a line has the digits of a row of numbers, but not its white space.
    pub fn is_torn_row(&self, text: &[u8]) -> bool {
        if !self.has_numbers() || self.width == 0 || self.row_values(text).is_some() {
            return false;
        }
        let letters = without_spaces(text);
        letters.clone().all(u8::is_ascii_digit)
            && (self.width..=2 * self.width).contains(&letters.count())
    }

    /// Whether a line is a row of cells, or has the digits of one.
    pub fn is_row_but_for_spaces(&self, text: &[u8]) -> bool {
        self.row_values(text).is_some() || self.is_torn_row(text)
    }

    /// Whether a line of a layout with spaces has the cells of a row, however few of
    /// its spaces.
    pub fn has_cells_of_a_row(&self, text: &[u8]) -> bool {
        if self.has_numbers() {
            return self.is_torn_row(text);
        }
        let mut cells = without_spaces(text);
        self.layout.cells == CellSpacing::Spaced
            && cells.clone().count() == self.width
            && cells.all(|&cell| self.values[usize::from(cell)] != UNREAD)
    }

    /// Whether a text is one cell.
    pub fn reads(&self, text: &[u8]) -> bool {
        self.value(text) != UNREAD || self.names_a_region(text)
    }

    fn names_a_region(&self, text: &[u8]) -> bool {
        self.layout.region_map.is_some_and(RegionMap::has_lines)
            && matches!(text, [byte] if byte.is_ascii_graphic())
    }

    /// Whether a line has no content: only white space and ignored characters, or a
    /// comment.
    pub fn is_void(&self, text: &[u8]) -> bool {
        let Layout {
            ignored, comment, ..
        } = &self.layout;
        without_spaces(text).all(|byte| ignored.as_bytes().contains(byte))
            || comment
                .as_ref()
                .is_some_and(|comment| is_comment(comment, text))
    }

    /// Whether a line is the one that ends the text, ignoring spaces at its ends.
    pub fn is_end(&self, text: &[u8]) -> bool {
        matches!(
            &self.layout.count,
            GridCount::Until { line, .. } if line.as_bytes().trim_ascii() == text.trim_ascii()
        )
    }

    pub(super) fn value(&self, text: &[u8]) -> Value {
        match text {
            text if self.layout.region_map == Some(RegionMap::Walls) => {
                RegionMap::walled_value(text, self.order).unwrap_or(UNREAD)
            }
            [byte] => self.values[usize::from(*byte)],
            text => self
                .symbols
                .value(text, self.symbol_count)
                .unwrap_or(UNREAD),
        }
    }
}

/// Whether a line begins with the comment sign, after any spaces.
pub fn is_comment(comment: &str, line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(comment.as_bytes())
}

/// The number on the first non-empty line of a text, and the end of that line.
///
/// # Errors
/// Returns the quoted text of the line if it is not a number that fits; an empty string
/// if there is no line.
pub fn leading_count(window: &[u8]) -> Result<(u64, TextOffset), String> {
    let Some(line) = written_lines(window).next() else {
        return Err(String::new());
    };
    let text = line.text.trim_ascii();
    match str::from_utf8(text)
        .ok()
        .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|text| text.parse().ok())
    {
        Some(count) => Ok((count, line.end)),
        None => Err(quoted_bytes(text)),
    }
}

// Splits a line into cells, with their positions, and checks the spacing between them.
// Knows no symbols.

/// The cells of a line.
pub(super) struct LineCells<'a> {
    /// The start in the line and the text of each cell.
    pub(super) cells: Vec<(usize, &'a [u8])>,
    /// Whether the spacing between them is as the layout requires.
    pub(super) spacing_fits: bool,
}

impl GridReader {
    /// Splits a line as the layout requires. A line that should be spaced but only has
    /// as many cells as it should if read as joined is split as joined. Ignored
    /// characters separate cells like white space.
    pub(super) fn units<'t>(&self, text: &'t [u8]) -> LineCells<'t> {
        let ignored = self.layout.ignored.as_bytes();
        let separates =
            |byte: &u8| byte.is_ascii_whitespace() || ignored.contains(byte);
        let letters =
            || characters(text).filter(|(_, letter)| !letter.iter().all(separates));
        let words = || {
            text.split(separates)
                .scan(0, |start, piece| {
                    let place = *start;
                    *start += piece.len() + 1;
                    Some((place, piece))
                })
                .filter(|(_, piece)| !piece.is_empty())
                .collect::<Vec<_>>()
        };
        let each_letter = || letters().collect::<Vec<_>>();
        match self.layout.cells {
            // In a layout with decoration, cells may have any spacing.
            CellSpacing::Joined => LineCells {
                cells: each_letter(),
                spacing_fits: !ignored.is_empty() || words().len() == 1,
            },
            CellSpacing::Spaced => {
                let words = words();
                let joined =
                    words.len() != self.width && letters().count() == self.width;
                LineCells {
                    cells: if joined { each_letter() } else { words },
                    spacing_fits: !joined,
                }
            }
        }
    }
}
