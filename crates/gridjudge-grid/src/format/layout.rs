//! Describes how grids are written: cell layout, framing, banners, separators, and the
//! replies besides grids or in place of them. Data only; reading is in
//! [`reader`](crate::format::reader), writing in [`write`](mod@crate::format::write).
//! Start at [`Format`].

use serde::{Deserialize, Serialize};

use crate::format::case_line;
use crate::{
    BLANK, Banner, FollowingLine, RegionMap, Shape, Symbols, Template, Value,
};

/// The format of a problem's grids in inputs and outputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Format {
    /// The shapes that its grids may have, smallest order first; more than one only if
    /// the input states the order.
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
    /// Grids of one shape with nothing around them and with lenient white space, in
    /// both inputs and outputs. An input holds one grid; an output, as many as its
    /// input.
    pub fn bare(shape: Shape, symbols: Symbols, cells: CellSpacing) -> Self {
        let [input, output] = [GridCount::One, GridCount::AsInput]
            .map(|count| Layout::bare(count, cells));
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
    /// A line of words after the banner and before each grid; it may contain the number
    /// of the case. For outputs.
    #[serde(with = "case_line", default)]
    pub lead: Option<Template>,
    /// Characters that only decorate: a line of nothing else is ignored; elsewhere they
    /// are treated as spaces.
    pub ignored: String,
    /// The sign that begins a line that is a comment.
    pub comment: Option<String>,
    /// Whether the exact white space matters.
    pub white_space: WhiteSpace,
}

impl Layout {
    /// Whether white space must be exactly as the layout says.
    pub fn is_strict(&self) -> bool {
        self.white_space == WhiteSpace::Strict
    }

    /// What the first line of a grid is: the line of words before it, or cells.
    pub fn first_line(&self) -> FollowingLine {
        if self.lead.is_some() {
            FollowingLine::Words
        } else {
            FollowingLine::Cells
        }
    }

    /// The meaning of the number that states the order at this place; `None` if there
    /// is none.
    pub fn order_at(&self, place: OrderPlace) -> Option<OrderNumber> {
        let line = self.order_line.filter(|line| line.place == place)?;
        Some(line.number)
    }

    /// Whether an empty line precedes case `number` (from 1).
    pub(super) fn has_blank_line_before(&self, number: u64) -> bool {
        self.blank_lines == BlankLines::Before
            || self.blank_lines == BlankLines::Between && number > 1
    }

    /// Whether a separator follows the last case.
    pub fn is_closed(&self) -> bool {
        self.separator
            .as_ref()
            .is_some_and(|separator| separator.closes)
    }

    /// The number of lines of a grid, and of cells in each.
    pub(super) fn lines_and_width(&self, shape: &Shape) -> (usize, usize) {
        match self.rows {
            RowLayout::Lines => (shape.order(), shape.order()),
            RowLayout::OneLine => (1, shape.cells()),
        }
    }

    /// The number of case `number` (from 1) in its banner and in the lines that name
    /// it.
    pub fn case_number(&self, number: u64) -> u64 {
        self.banner
            .as_ref()
            .map_or(number, |banner| banner.number(number))
    }

    /// Grids with each row on a line, nothing around them, and lenient white space.
    /// Most layouts differ little from this one.
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
    /// The largest number of grids that a text may hold, if the text itself says or
    /// limits it.
    pub fn most(&self) -> u64 {
        match self {
            Self::One | Self::AsInput => 1,
            Self::First { most }
            | Self::UntilEnd { most }
            | Self::Until { most, .. } => *most,
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
    pub fn in_shape(self, shape: &Shape) -> usize {
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

/// Whether a space follows the last cell of a line, in strict white space and in the
/// text we write.
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

// Defines the lines that an output has besides grids, or in place of one. They may
// contain the number of the case. Data only.

/// The lines that an output has besides grids, or in place of one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replies {
    /// The line for a grid without a solution. If it is missing, the problem promises
    /// that every grid has one.
    #[serde(with = "case_line", default)]
    pub none: Option<Template>,
    /// The line for a grid with more solutions than may be shown or counted. If it is
    /// missing, the problem promises that no grid has that many.
    #[serde(with = "case_line", default)]
    pub several: Option<Template>,
    /// The line that states the number of solutions.
    pub count: Option<CountLine>,
    /// Whether an empty line stands between two solutions of one grid.
    #[serde(rename = "apart")]
    pub blank_line_between_solutions: bool,
    /// The line for a grid with two clues that clash. If it is missing, such a grid
    /// counts as one without a solution.
    #[serde(with = "case_line", skip_serializing_if = "Option::is_none", default)]
    pub invalid: Option<Template>,
    /// The line for a grid in which nothing clashes, if no more specific line applies.
    #[serde(with = "case_line", skip_serializing_if = "Option::is_none", default)]
    pub valid: Option<Template>,
    /// The line for a grid without a blank in which nothing clashes.
    #[serde(with = "case_line", skip_serializing_if = "Option::is_none", default)]
    pub complete: Option<Template>,
    /// The line for a grid that has a solution, if no more specific line applies.
    #[serde(with = "case_line", skip_serializing_if = "Option::is_none", default)]
    pub solvable: Option<Template>,
    /// The line for a grid with one solution, if the solution itself is not shown.
    #[serde(with = "case_line", skip_serializing_if = "Option::is_none", default)]
    pub one: Option<Template>,
}

/// The meaning of a line in place of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyKind {
    /// There is no solution.
    None,
    /// There are several solutions, or too many.
    Several,
    /// Two clues clash.
    Invalid,
    /// Nothing clashes.
    Valid,
    /// Nothing clashes, and no cell is blank.
    Complete,
    /// There is a solution.
    Solvable,
    /// There is exactly one solution.
    One,
}

/// A line that states the number of solutions of a grid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountLine {
    /// The line.
    pub template: Template,
    /// Whether it follows the solutions; otherwise it precedes them.
    #[serde(rename = "is_behind")]
    pub follows_solutions: bool,
    /// Whether an empty line stands between it and the solutions.
    #[serde(
        rename = "is_apart",
        skip_serializing_if = "std::ops::Not::not",
        default
    )]
    pub has_blank_line: bool,
}

impl ReplyKind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::None,
        Self::Several,
        Self::Invalid,
        Self::Valid,
        Self::Complete,
        Self::Solvable,
        Self::One,
    ];

    /// Its key in specs.
    pub fn key(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Several => "several",
            Self::Invalid => "invalid",
            Self::Valid => "valid",
            Self::Complete => "complete",
            Self::Solvable => "solvable",
            Self::One => "one",
        }
    }
}

impl Replies {
    /// The line with this meaning; `None` if there is none.
    pub fn text(&self, kind: ReplyKind) -> Option<&Template> {
        let text = match kind {
            ReplyKind::None => &self.none,
            ReplyKind::Several => &self.several,
            ReplyKind::Invalid => &self.invalid,
            ReplyKind::Valid => &self.valid,
            ReplyKind::Complete => &self.complete,
            ReplyKind::Solvable => &self.solvable,
            ReplyKind::One => &self.one,
        };
        text.as_ref()
    }

    /// All lines that may stand in place of a grid, with their meanings.
    pub fn texts(&self) -> impl Iterator<Item = (ReplyKind, &Template)> {
        ReplyKind::ALL
            .into_iter()
            .filter_map(|kind| Some((kind, self.text(kind)?)))
    }

    /// The meaning of the first of these lines for which `fits` holds.
    pub(super) fn kind_of(
        &self,
        fits: impl Fn(&Template) -> bool,
    ) -> Option<ReplyKind> {
        let (kind, _) = self.texts().find(|(_, text)| fits(text))?;
        Some(kind)
    }

    /// Whether a grid may have no solution: a line for it exists, or the number of
    /// solutions is stated, or a line only says that nothing clashes.
    pub fn may_lack_solutions(&self) -> bool {
        self.none.is_some() || self.count.is_some() || self.valid.is_some()
    }

    /// Whether two clues of a grid may clash.
    pub fn may_clash(&self) -> bool {
        self.invalid.is_some() || self.none.is_some() || self.count.is_some()
    }
}

// Classifies the grids of an input by their solutions, for problems whose answer is a
// word, and picks the problem's word for each kind. Data only.

/// The kind of a grid of an input. Every grid is of exactly one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleKind {
    /// Two of its clues clash.
    Invalid,
    /// Nothing clashes, and no cell is blank.
    Complete,
    /// Nothing clashes, and there is no solution.
    None,
    /// It has blanks and one solution.
    One,
    /// It has several solutions.
    Several,
}

impl PuzzleKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [
        Self::Invalid,
        Self::Complete,
        Self::None,
        Self::One,
        Self::Several,
    ];

    /// The replies that are true of a grid of this kind, the most specific first.
    pub fn replies(self) -> &'static [ReplyKind] {
        use ReplyKind::*;

        match self {
            Self::Invalid => &[Invalid, None],
            Self::Complete => &[Complete, One, Solvable, Valid],
            Self::None => &[None, Valid],
            Self::One => &[One, Solvable, Valid],
            Self::Several => &[Several, Solvable, Valid],
        }
    }
}

impl Replies {
    /// The reply to a grid of this kind if the answer is a word: the most specific one
    /// that the problem has a line for.
    pub fn word_for(&self, kind: PuzzleKind) -> Option<ReplyKind> {
        kind.replies()
            .iter()
            .copied()
            .find(|&reply| self.text(reply).is_some())
    }

    /// The kind of a grid if the answer is a word; `None` if the word depends on the
    /// grid's solutions. If it does not, any grid with blanks and without a clash
    /// counts as [`PuzzleKind::One`].
    pub fn kind_without_solutions(
        &self,
        clues: &[Value],
        has_clash: bool,
    ) -> Option<PuzzleKind> {
        if has_clash {
            Some(PuzzleKind::Invalid)
        } else if !clues.contains(&BLANK) {
            Some(PuzzleKind::Complete)
        } else {
            (!self.ask_for_solutions()).then_some(PuzzleKind::One)
        }
    }

    /// Whether the word for a grid with blanks in which nothing clashes depends on its
    /// solutions.
    pub fn ask_for_solutions(&self) -> bool {
        let lines = [PuzzleKind::None, PuzzleKind::One, PuzzleKind::Several]
            .map(|kind| self.line_for(kind));
        lines.contains(&None) || lines[0] != lines[1] || lines[1] != lines[2]
    }

    /// The line for a grid of this kind if the answer is a word.
    pub fn line_for(&self, kind: PuzzleKind) -> Option<&Template> {
        self.text(self.word_for(kind)?)
    }
}
