//! Describes how grids are written: cell layout, framing, banners, replies in place of a grid. Data
//! only; reading is in [`reader`](crate::format::reader), writing in
//! [`write`](crate::format::write).

use serde::{Deserialize, Serialize};

use crate::format::case_line;
use crate::{Banner, RegionMap, Replies, Shape, Symbols, Template};

/// The format of a problem's grids in inputs and outputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Format {
    /// The shapes that its grids may have, smallest order first; more than one only if the input
    /// states the order.
    pub shapes: Vec<Shape>,
    /// The symbol for each value.
    pub symbols: Symbols,
    /// The layout of inputs.
    pub input: Layout,
    /// The required layout of outputs.
    pub output: Layout,
    /// The lines that an output has besides grids, or in place of one.
    pub replies: Replies,
}

impl Format {
    /// Grids of one shape with nothing around them and with lenient white space, in both inputs and
    /// outputs. An input holds one grid; an output, as many as its input.
    pub fn bare(shape: Shape, symbols: Symbols, cells: CellSpacing) -> Self {
        let [input, output] =
            [GridCount::One, GridCount::AsInput].map(|count| Layout::bare(count, cells));
        Self {
            shapes: vec![shape],
            symbols,
            input,
            output,
            replies: Replies::default(),
        }
    }

    /// The shape of all grids; the largest one if the input states the order.
    ///
    /// # Panics
    /// If it has no shape.
    pub fn shape(&self) -> &Shape {
        self.shapes.last().expect("a format has a shape")
    }

    /// The shape of grids of this order; `None` if there is none.
    pub fn shape_of_order(&self, order: usize) -> Option<&Shape> {
        self.shapes.iter().find(|shape| shape.order() == order)
    }
}

/// The layout of a text of grids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// How many grids there are, and how the text states their number.
    pub count: GridCount,
    /// Whether there may be no grid at all, if the text states their number.
    pub may_be_empty: bool,
    /// The line that states the order of the grids after it; `None` if there is none.
    pub order_line: Option<OrderLine>,
    /// Where each grid has its region map; `None` if grids have none. For inputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region_map: Option<RegionMap>,
    /// The spacing between the cells of a line.
    pub cells: CellSpacing,
    /// How a grid is divided into lines.
    pub rows: RowLayout,
    /// Whether a space follows the last cell of a line.
    pub line_end: LineEnd,
    /// Where empty lines stand.
    pub blank_lines: BlankLines,
    /// The line between two grids, or between the replies in place of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub separator: Option<Separator>,
    /// The banner before each grid, or before the reply in place of it.
    pub banner: Option<Banner>,
    /// A line of words after the banner and before each grid; it may contain the number of the
    /// case. For outputs.
    #[serde(with = "case_line", default)]
    pub lead: Option<Template>,
    /// Characters that only decorate: a line of nothing else is ignored; elsewhere they are treated
    /// as spaces.
    pub ignored: String,
    /// The sign that begins a line that is a comment.
    pub comment: Option<String>,
    /// Whether the exact white space matters.
    pub white_space: WhiteSpace,
}

impl Layout {
    /// The number of case `number` (from 1) in its banner and in the lines that name it.
    pub fn case_number(&self, number: u64) -> u64 {
        self.banner
            .as_ref()
            .map_or(number, |banner| banner.number(number))
    }

    /// Grids with each row on a line, nothing around them, and lenient white space. Most layouts
    /// differ little from this one.
    pub fn bare(count: GridCount, cells: CellSpacing) -> Self {
        Self {
            count,
            may_be_empty: false,
            order_line: None,
            region_map: None,
            cells,
            rows: RowLayout::Lines,
            line_end: LineEnd::Bare,
            blank_lines: BlankLines::None,
            separator: None,
            banner: None,
            lead: None,
            ignored: String::new(),
            comment: None,
            white_space: WhiteSpace::Lenient,
        }
    }
}

/// How many grids a text holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GridCount {
    /// One grid.
    One,
    /// A number on the first line, then that many grids.
    First {
        /// The largest number of grids allowed.
        most: u64,
    },
    /// Grids until the end of the text.
    UntilEnd {
        /// The largest number of grids allowed.
        most: u64,
    },
    /// Grids until a line that ends the text.
    Until {
        /// The line that ends the text.
        line: String,
        /// The largest number of grids allowed.
        most: u64,
    },
    /// As many as the input has; the text itself does not state it. For outputs.
    AsInput,
}

impl GridCount {
    /// The largest number of grids that a text may hold, if the text itself says or limits it.
    pub fn most(&self) -> u64 {
        match self {
            Self::One | Self::AsInput => 1,
            Self::First { most } | Self::UntilEnd { most } | Self::Until { most, .. } => *most,
        }
    }
}

/// A line with a number that states the order of the grids after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderLine {
    /// Where it stands.
    pub place: OrderPlace,
    /// The meaning of its number.
    pub number: OrderNumber,
}

/// The place of the line that states the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrderPlace {
    /// Once, before all grids, after their number.
    File,
    /// Before the first row of each grid, after its banner.
    Case,
}

/// The meaning of the number that states the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrderNumber {
    /// The order itself.
    Order,
    /// The rows of a square box: 3 for order 9.
    BoxSide,
}

impl OrderNumber {
    /// The number that is written for a shape.
    pub fn of(self, shape: &Shape) -> usize {
        match self {
            Self::Order => shape.order(),
            Self::BoxSide => shape.order().isqrt(),
        }
    }
}

/// The spacing between the cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CellSpacing {
    /// Nothing: `530070000`.
    Joined,
    /// One space: `5 3 0 0 7 0 0 0 0`.
    Spaced,
}

/// How a grid is divided into lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowLayout {
    /// Each row on a line.
    Lines,
    /// All rows on one line.
    OneLine,
}

/// Whether a space follows the last cell of a line, in strict white space and in the text we write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineEnd {
    /// A space is not allowed.
    Bare,
    /// A space is allowed. We write none.
    MayHaveSpace,
    /// A space is required.
    Space,
}

/// Where empty lines stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BlankLines {
    /// Nowhere.
    None,
    /// One before each grid, the first included.
    Before,
    /// One between two grids.
    Between,
    /// One after each grid, the last included.
    After,
}

/// Whether the exact white space matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WhiteSpace {
    /// Spaces at the ends of lines and empty lines do not count.
    Lenient,
    /// Every byte counts, except that the newline at the very end may be missing.
    Strict,
}

// Defines the separator line between two cases of a text. Data only.

/// A line between two cases of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Separator {
    /// The line.
    pub line: String,
    /// Whether it also follows the last case.
    pub closes: bool,
}
