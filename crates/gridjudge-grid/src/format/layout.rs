//! How grids are written down: cell layout, framing, banners, texts that stand for a grid. Data only; reading is in
//! [`reader`](crate::format::reader), writing in [`write`](crate::format::write).

use serde::Deserialize;
use serde::Serialize;

use crate::Banner;
use crate::RegionMap;
use crate::Replies;
use crate::Separator;
use crate::Shape;
use crate::Symbols;
use crate::Template;
use crate::format::case_line;

/// Everything that a problem says about the texts of its grids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Format {
    /// The shapes that its grids may have, smallest order first; more than one only where the input says which.
    pub shapes: Vec<Shape>,
    /// What is written for each value.
    pub symbols: Symbols,
    /// How its inputs look.
    pub input: Layout,
    /// How its outputs must look.
    pub output: Layout,
    /// What an output says beside grids, or in place of one.
    pub replies: Replies,
}

impl Format {
    /// Grids of one shape with nothing around them, in inputs and outputs alike, in lenient white space. An input holds one
    /// grid; an output, as many as its input.
    pub fn bare(shape: Shape, symbols: Symbols, cells: CellSpacing) -> Self {
        let [input, output] = [GridCount::One, GridCount::AsInput].map(|count| Layout::bare(count, cells));
        Self { shapes: vec![shape], symbols, input, output, replies: Replies::default() }
    }

    /// The shape of all grids; the largest one where the input chooses.
    ///
    /// # Panics
    /// If it has no shape.
    pub fn shape(&self) -> &Shape {
        self.shapes.last().expect("a format has a shape")
    }

    /// The shape of grids of this order.
    pub fn shape_of_order(&self, order: usize) -> Option<&Shape> {
        self.shapes.iter().find(|shape| shape.order() == order)
    }
}

/// How a text of grids looks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// How many grids there are, and how the text tells.
    pub count: GridCount,
    /// Whether there may be no grid at all, where the text tells how many there are.
    pub may_be_empty: bool,
    /// The line that tells the order of what follows it, where there is one.
    pub order_line: Option<OrderLine>,
    /// Where each grid says which of its cells belong together, if it does. For inputs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub region_map: Option<RegionMap>,
    /// What stands between the cells of a line.
    pub cells: CellSpacing,
    /// How a grid is cut into lines.
    pub rows: RowLayout,
    /// Whether a space follows the last cell of a line.
    pub line_end: LineEnd,
    /// Where empty lines stand.
    pub blank_lines: BlankLines,
    /// The line between two grids, or what stands in place of them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub separator: Option<Separator>,
    /// What opens each grid, or what stands in place of it.
    pub banner: Option<Banner>,
    /// A line of words before each grid, behind its banner; the number of the case may stand in it. For outputs.
    #[serde(with = "case_line", default)]
    pub lead: Option<Template>,
    /// Characters that only decorate: a line of nothing else does not count, elsewhere they are as good as spaces.
    pub ignored: String,
    /// What a line begins with that is nothing but a comment.
    pub comment: Option<String>,
    /// Whether the exact white space matters.
    pub white_space: WhiteSpace,
}

impl Layout {
    /// The number that case `number` (from 1) has in its banner and in the lines that name it.
    pub fn case_number(&self, number: u64) -> u64 {
        self.banner.as_ref().map_or(number, |banner| banner.number(number))
    }

    /// Grids in rows of lines with nothing around them, in lenient white space: what most layouts differ little from.
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
        /// The largest number allowed.
        most: u64,
    },
    /// Grids until the end of the text.
    UntilEnd {
        /// The largest number allowed.
        most: u64,
    },
    /// Grids until a line that says so.
    Until {
        /// That line.
        line: String,
        /// The largest number allowed.
        most: u64,
    },
    /// As many as the input has: nothing in the text says so. For outputs.
    AsInput,
}

/// A line with a number that tells the order of what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderLine {
    /// Where it stands.
    pub place: OrderPlace,
    /// What its number is.
    pub number: OrderNumber,
}

/// Where the line stands that tells the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrderPlace {
    /// Once, before all grids, behind their number.
    File,
    /// Before the first row of each grid, behind its banner.
    Case,
}

/// What the number tells.
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

/// What stands between the cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CellSpacing {
    /// Nothing: `530070000`.
    Joined,
    /// One space: `5 3 0 0 7 0 0 0 0`.
    Spaced,
}

/// How a grid is cut into lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowLayout {
    /// Each row on a line.
    Lines,
    /// All rows on one line.
    OneLine,
}

/// Whether a space follows the last cell of a line, where white space is strict; and whether we write one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineEnd {
    /// It must not.
    Bare,
    /// It may. We write none.
    MayHaveSpace,
    /// It must.
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
    /// Every byte counts, save a missing newline at the very end.
    Strict,
}
