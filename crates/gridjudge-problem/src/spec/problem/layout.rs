//! Reads `[input]` and `[output]`: the layout of the texts of grids. Checks that their
//! keys agree with each other and with the grid.

use gridjudge_grid::{
    BlankLines, CellSpacing, FollowingLine, GridCount, Layout, LineEnd, OrderLine,
    OrderNumber, OrderPlace, RegionMap, RowLayout, WhiteSpace,
};

use crate::keys::{KeyTable, word_of};
use crate::spec::problem::separator::{banner, checked_line};
use crate::spec::problem::{GridSpec, separator};

use CountMode::{First, One, Until, UntilEnd};

const CELLS: [(&str, CellSpacing); 2] = [
    ("joined", CellSpacing::Joined),
    ("spaced", CellSpacing::Spaced),
];
const ROWS: [(&str, RowLayout); 2] = [
    ("lines", RowLayout::Lines),
    ("one-line", RowLayout::OneLine),
];
pub(crate) const LINE_END: [(&str, LineEnd); 3] = [
    ("bare", LineEnd::Bare),
    ("any", LineEnd::MayHaveSpace),
    ("space", LineEnd::Space),
];
pub(crate) const BLANK_LINES: [(&str, BlankLines); 4] = [
    ("none", BlankLines::None),
    ("before", BlankLines::Before),
    ("between", BlankLines::Between),
    ("after", BlankLines::After),
];
const WHITE_SPACE: [(&str, WhiteSpace); 2] = [
    ("lenient", WhiteSpace::Lenient),
    ("strict", WhiteSpace::Strict),
];
pub(crate) const ORDER_PLACE: [(&str, OrderPlace); 2] =
    [("file", OrderPlace::File), ("case", OrderPlace::Case)];
const ORDER_NUMBER: [(&str, OrderNumber); 2] =
    [("order", OrderNumber::Order), ("box", OrderNumber::BoxSide)];

/// Where the map of each grid's regions stands.
const MAPS: [(&str, RegionMap); 3] = [
    ("before", RegionMap::Before),
    ("after", RegionMap::After),
    ("walls", RegionMap::Walls),
];

/// How an input gives its number of grids.
#[derive(Clone, Copy, PartialEq)]
enum CountMode {
    One,
    First,
    UntilEnd,
    Until,
}

const COUNTED: [(&str, CountMode); 4] = [
    ("one", One),
    ("count", First),
    ("eof", UntilEnd),
    ("until", Until),
];

/// The contents of `[input]` or `[output]`.
pub(super) struct LayoutSpec {
    pub(super) table: KeyTable,
    /// `None` after a mistake, which has been noted.
    pub(super) layout: Option<Layout>,
    counted: Option<CountMode>,
    order_number: Option<OrderNumber>,
}

impl LayoutSpec {
    /// Whether an input holds one grid.
    pub(super) fn is_one(&self) -> bool {
        self.counted == Some(One)
    }

    /// Notes keys for texts between grids: they have no meaning if a file has one grid.
    pub(super) fn refuse_between(&self) {
        let table = &self.table;
        let Some(layout) = &self.layout else { return };
        if layout.blank_lines == BlankLines::Between {
            table.refuse_key(
                "blank_lines",
                "`blank_lines = \"between\"` has no meaning with `cases = \"one\"`",
                DELETE,
            );
        }
        if layout.separator.as_ref().is_some_and(|line| !line.closes) {
            table.refuse_key(
                "separator",
                "`separator` has no meaning with `cases = \"one\"`",
                "delete it, or write `separator_line = \"after\"`",
            );
        }
    }

    /// Notes keys that contradict `[grid]`.
    pub(super) fn agree_with(&self, grid: &GridSpec) {
        let table = &self.table;
        let Some(layout) = &self.layout else { return };
        if let Some(symbols) = &grid.symbols {
            if !symbols.are_characters() && layout.cells == CellSpacing::Joined {
                let remedy =
                    "write `cells = \"spaced\"`, or name a character for each symbol";
                table.refuse_key(
                    "cells",
                    "cells that are `joined` cannot hold numbers",
                    remedy,
                );
            }
            if let Some(letter) = layout.ignored.chars().find(|letter| {
                symbols.blanks().contains(*letter)
                    || symbols.texts().iter().any(|text| text.contains(*letter))
            }) {
                table.refuse_key(
                    "ignore",
                    format!("`{letter}` is ignored, and is a symbol or a blank"),
                    "leave it out of `ignore`, or out of the grid",
                );
            }
        }
        if self.counted.is_none() {
            return;
        }
        if layout.order_at(OrderPlace::Case).is_some()
            && layout
                .banner
                .as_ref()
                .is_some_and(|banner| !banner.is_alone_before(FollowingLine::Cells))
        {
            table.refuse_key(
                "banner_line",
                "a banner cannot be on the line of the order",
                "write `banner_line = \"own\"`",
            );
        }
        if layout.order_line.is_none() && grid.shapes.len() > 1 {
            let remedy = "say where the order is: `order_line = \"case\"` or \
                          `\"file\"` in [input]";
            table.note_mistake(
                grid.order_place,
                "several orders, and nothing in the input says which",
                remedy,
            );
        }
        if self.order_number == Some(OrderNumber::BoxSide) && !grid.is_square {
            let remedy =
                "write `boxes = \"square\"` in [grid], or `order_as = \"order\"`";
            table.refuse_value(
                "order_as",
                "`order_as = \"box\"` needs square boxes",
                remedy,
            );
        }
    }
}

const DELETE: &str = "delete it";

/// Reads `[input]`.
pub(super) fn read_input_layout(table: KeyTable) -> LayoutSpec {
    let counted = table
        .require("cases", "`cases = \"one\"` or `\"count\"`")
        .choice("cases", &COUNTED);
    let count = count(&table, counted);
    let least = table.whole("least", 0, 1);
    if least.is_some() && counted == Some(One) {
        table.refuse_value(
            "least",
            "`least` has no meaning with `cases = \"one\"`",
            "delete `least`",
        );
    }
    let place = table.choice("order_line", &ORDER_PLACE);
    let number = table.choice("order_as", &ORDER_NUMBER);
    if place.is_none() && number.is_some() {
        table.refuse_value(
            "order_as",
            "`order_as` has no meaning without `order_line`",
            "add `order_line`, or delete it",
        );
    }
    let region_map = table.choice("map", &MAPS);
    let ignored = table.text("ignore");
    let comment = table.text("comment");
    // Stray spaces break programs that read whole lines, so white space of inputs is
    // strict by default.
    let layout = layout(&table, WhiteSpace::Strict, true, true);
    table.refuse_the_rest_or_name(&SYNONYMS);
    if let (Some(ignored), Some(layout)) = (&ignored, &layout) {
        check_ignored(&table, ignored, layout.white_space);
    }
    let comment = comment.and_then(|found| {
        refuse_strict(&table, "comment", layout.as_ref()?.white_space);
        checked_line(&table, "comment", &found)
    });
    let order_line = place.map(|place| OrderLine {
        place,
        number: number.unwrap_or(OrderNumber::Order),
    });
    let layout = layout.zip(count).map(|(layout, count)| Layout {
        count,
        may_be_empty: least == Some(0),
        order_line,
        region_map,
        ignored: ignored.unwrap_or_default(),
        comment,
        ..layout
    });
    let side = LayoutSpec {
        table,
        layout,
        counted,
        order_number: number,
    };
    if side.is_one() {
        side.refuse_between();
    }
    side
}

/// Reads `[output]`. `without_grids` is the name of an accept mode whose outputs have
/// no cells, only numbers of solutions or words.
pub(super) fn read_output_layout(
    table: KeyTable,
    without_grids: Option<&str>,
) -> LayoutSpec {
    let layout = layout(&table, WhiteSpace::Lenient, without_grids.is_none(), false);
    table.refuse_the_rest_or_name(&SYNONYMS);
    for key in ["cells", "rows"] {
        if let Some(accept) = without_grids {
            table.refuse_key(
                key,
                format!("`{key}` has no meaning with `accept = \"{accept}\"`"),
                DELETE,
            );
        }
    }
    LayoutSpec {
        table,
        layout,
        counted: None,
        order_number: None,
    }
}

/// Reads the keys that `[input]` and `[output]` share.
fn layout(
    table: &KeyTable,
    default: WhiteSpace,
    has_cells: bool,
    is_input: bool,
) -> Option<Layout> {
    let cells = if has_cells {
        table
            .require("cells", "`cells = \"joined\"` or `\"spaced\"`")
            .choice("cells", &CELLS)
    } else {
        Some(table.choice("cells", &CELLS).unwrap_or(CellSpacing::Spaced))
    };
    let rows = table.choice("rows", &ROWS);
    let line_end = table.choice("line_end", &LINE_END);
    let blank_lines = table.choice("blank_lines", &BLANK_LINES);
    let separator = separator::read_separator(table);
    let banner = banner(table, is_input);
    let white_space = table.choice("white_space", &WHITE_SPACE).unwrap_or(default);
    if line_end == Some(LineEnd::MayHaveSpace) && white_space == WhiteSpace::Lenient {
        table.refuse_value(
            "line_end",
            "`line_end = \"any\"` has no meaning where white space is lenient",
            "delete it, or write `white_space = \"strict\"`",
        );
    }
    Some(Layout {
        rows: rows.unwrap_or(RowLayout::Lines),
        line_end: line_end.unwrap_or(LineEnd::Bare),
        blank_lines: blank_lines.unwrap_or(BlankLines::None),
        separator,
        banner,
        white_space,
        ..Layout::bare(GridCount::AsInput, cells?)
    })
}

/// How an input gives its number of grids, with the keys `most` and `until`.
fn count(table: &KeyTable, counted: Option<CountMode>) -> Option<GridCount> {
    let most = table.whole("most", 1, u64::MAX);
    let until = table.text("until");
    let counted = counted?;
    let word = word_of(&COUNTED, counted);
    let refuse = |key| {
        table.refuse_value(
            key,
            format!("`{key}` has no meaning with `cases = \"{word}\"`"),
            format!("delete `{key}`"),
        );
    };
    if most.is_some() && counted == One {
        refuse("most");
    }
    if until.is_some() && counted != Until {
        refuse("until");
    }
    let unbounded = most.unwrap_or(u64::MAX);
    match counted {
        One => Some(GridCount::One),
        UntilEnd => Some(GridCount::UntilEnd { most: unbounded }),
        First => {
            if !table.has("most") {
                let remedy =
                    "say how many grids an input may hold, for example `most = 100`";
                table.refuse_table("[input] has no `most`", remedy);
            }
            Some(GridCount::First { most: most? })
        }
        Until => {
            if !table.has("until") {
                let remedy = "name the line after the last grid, for example `until = \"end\"`";
                table.refuse_table("[input] has no `until`", remedy);
            }
            let line = checked_line(table, "until", &until?)?;
            Some(GridCount::Until {
                line,
                most: unbounded,
            })
        }
    }
}

fn check_ignored(table: &KeyTable, ignored: &str, white_space: WhiteSpace) {
    if let Some(letter) = ignored
        .chars()
        .find(|letter| !letter.is_ascii_graphic() && *letter != ' ')
    {
        table.refuse_value(
            "ignore",
            format!("`ignore` holds {letter:?}"),
            "use printable ASCII characters",
        );
    }
    refuse_strict(table, "ignore", white_space);
}

/// Notes a key that needs lenient white space if white space is strict.
fn refuse_strict(table: &KeyTable, key: &str, white_space: WhiteSpace) {
    if white_space == WhiteSpace::Strict {
        table.refuse_value(
            key,
            format!("`{key}` has no meaning where white space is strict"),
            "write `white_space = \"lenient\"` in [input]",
        );
    }
}

// Words that other judges use for the keys of `[input]` and `[output]`.

/// Each word, with the keys that may be meant.
const SYNONYMS: [(&str, &str); 18] = [
    ("header", "banner order_line"),
    ("heading", "banner order_line"),
    ("title", "banner"),
    ("label", "banner"),
    ("prefix", "banner"),
    ("size", "order_line"),
    ("sentinel", "until"),
    ("terminator", "until"),
    ("end", "until"),
    ("eof", "cases"),
    ("count", "cases"),
    ("tests", "cases"),
    ("divider", "separator"),
    ("delimiter", "separator cells blank_lines"),
    ("spacing", "cells white_space"),
    ("strict", "white_space"),
    ("skip", "ignore comment"),
    ("trailing_space", "line_end"),
];
