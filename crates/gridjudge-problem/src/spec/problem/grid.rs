//! Reads `[grid]`: the shapes that grids may have. `symbols` reads the symbols for
//! their values.

use gridjudge_grid::{
    Arithmetic, CellSpacing, LARGEST_ORDER, Layout, RegionMap, Shape, Symbols,
};

use crate::keys::{FilePlace, FoundValue, KeyTable};
use crate::mistake::ellipsized;
use crate::spec::problem::symbols::symbols_of;
use crate::spec::problem::{CageKeys, inequalities};

/// The contents of `[grid]`.
pub(super) struct GridSpec {
    /// Smallest order first.
    pub(super) shapes: Vec<Shape>,
    pub(super) symbols: Option<Symbols>,
    /// Whether all shapes have square boxes.
    pub(super) is_square: bool,
    /// The span of the order.
    pub(super) order_place: FilePlace,
    /// Whether each grid of an input has a map of its regions: `regions = "input"`.
    has_regions_in_input: bool,
}

/// The value of the key `regions`.
enum RegionKey {
    /// A map for all grids.
    Map(Vec<String>),
    /// Each grid of an input has its own map.
    InInput,
}

/// Reads `[grid]`; `None` if there is no shape.
pub(super) fn read_grid(table: &KeyTable) -> Option<GridSpec> {
    let orders = orders(table.require("order", "`order = 9`"));
    let regions = regions(table);
    let magic = table.flag("magic");
    let boxes = boxes(table, magic);
    let is_magic = magic.unwrap_or_default();
    let diagonals = table.flag("diagonals");
    let symbols = table
        .require("symbols", "`symbols = \"1-9\"`")
        .text("symbols");
    let blanks = table.require("blanks", "`blanks = \"0\"`").text("blanks");
    let cages = CageKeys::read(table);
    let inequalities = table.placed_list("inequalities");
    table.refuse_the_rest();
    let orders = orders?;
    let shapes = if is_magic {
        magic_squares(table, &orders, diagonals.unwrap_or(true))
    } else {
        // Mistakes in these are noted whether or not the boxes are right.
        let demands = demands(table, &orders, &cages, inequalities.as_deref());
        divided(table, &orders, regions.as_ref(), boxes.as_ref())?
            .into_iter()
            .map(|shape| {
                if diagonals == Some(true) {
                    shape.with_diagonals()
                } else {
                    shape
                }
            })
            .map(|shape| shape.with_arithmetic(demands.clone()))
            .collect()
    };
    for shape in &shapes {
        cages.agree_with_houses(shape);
    }
    let largest = shapes.last()?;
    let is_square = boxes.is_some_and(|boxes| boxes == "square");
    let symbols = symbols
        .zip(blanks)
        .and_then(|(symbols, blanks)| symbols_of(table, &symbols, &blanks, largest));
    if let Some(symbols) = &symbols
        && (cages.are_there() || is_magic)
    {
        require_numbers(table, symbols.texts(), is_magic);
    }
    Some(GridSpec {
        shapes,
        symbols,
        is_square,
        order_place: table.value_place("order"),
        has_regions_in_input: matches!(regions, Some(RegionKey::InInput))
            && !is_magic,
    })
}

/// Reads the key `boxes`, which is required unless something else takes its place.
fn boxes(table: &KeyTable, magic: Option<bool>) -> Option<String> {
    // A value of `magic` that cannot be read is noted, and may have been meant as
    // `true`.
    let may_be_magic = table.has("magic") && magic.unwrap_or(true);
    if !table.has("regions") && !may_be_magic {
        table.require("boxes", "`boxes = \"3x3\"`");
    }
    table.text("boxes")
}

/// Reads the key `regions`.
fn regions(table: &KeyTable) -> Option<RegionKey> {
    if table.is_text("regions") {
        return table
            .choice("regions", &[("input", ())])
            .map(|()| RegionKey::InInput);
    }
    table.list("regions").map(RegionKey::Map)
}

/// The shapes without diagonals and arithmetic, and without regions if those are in the
/// input.
fn divided(
    table: &KeyTable,
    orders: &[u64],
    regions: Option<&RegionKey>,
    boxes: Option<&String>,
) -> Option<Vec<Shape>> {
    match (regions, boxes) {
        (Some(RegionKey::Map(map)), None) => jigsaw(table, orders, map),
        (Some(RegionKey::InInput), None) => orders
            .iter()
            .map(|&order| Shape::latin(order).ok())
            .collect(),
        (Some(_), Some(_)) => {
            let remedy =
                "delete one of the two: a grid is divided into boxes or by a map";
            table.refuse_value(
                "boxes",
                "`boxes` and `regions` contradict each other",
                remedy,
            );
            None
        }
        (None, boxes) => shapes(table, orders, boxes?),
    }
}

/// The shapes of magic squares, without those that do not exist. Keys of other rules
/// contradict them.
fn magic_squares(
    table: &KeyTable,
    orders: &[u64],
    with_diagonals: bool,
) -> Vec<Shape> {
    let with_cages = ["sums", "targets", "cage_repeats"]
        .into_iter()
        .filter(|_| table.has("cages"));
    for key in ["boxes", "regions", "cages", "inequalities"]
        .into_iter()
        .chain(with_cages)
    {
        table.refuse_key(
            key,
            format!("`{key}` has no meaning in a magic square"),
            "delete it: rows, columns and diagonals have sums, and nothing else counts",
        );
    }
    let remedy = "leave out that order, or let a checker program judge squares of other orders";
    orders
        .iter()
        .map(|&order| Shape::magic(order, with_diagonals))
        .filter_map(|shape| {
            shape
                .map_err(|why| table.refuse_value("order", why.to_string(), remedy))
                .ok()
        })
        .collect()
}

/// Reads one order, or several in ascending order.
fn orders(table: &KeyTable) -> Option<Vec<u64>> {
    let found = table.wholes("order", 1, u64::from(LARGEST_ORDER))?;
    let is_sound = !found.is_empty() && found.is_sorted_by(|one, other| one < other);
    if !is_sound {
        table.refuse_value(
            "order",
            "`order` must be a list of different orders, the smallest first",
            "write one number, or several as `order = [4, 9]`",
        );
    }
    is_sound.then_some(found)
}

fn shapes(table: &KeyTable, orders: &[u64], boxes: &str) -> Option<Vec<Shape>> {
    let sides = boxes.split_once('x').and_then(|(rows, columns)| {
        Some((rows.trim().parse().ok()?, columns.trim().parse().ok()?))
    });
    if !["none", "square"].contains(&boxes) && sides.is_none() {
        let remedy = "write rows x columns of one box, for example \"3x3\" or \
                      \"2x3\"; else \"square\" or \"none\"";
        table.refuse_value(
            "boxes",
            format!(
                "`boxes = \"{}\"` is not a number of rows and of columns",
                ellipsized(boxes, 40)
            ),
            remedy,
        );
        return None;
    }
    let shapes: Result<Vec<_>, _> = orders
        .iter()
        .map(|&order| match (boxes, sides) {
            (_, Some((rows, columns))) => Shape::new(order, rows, columns),
            ("none", None) => Shape::latin(order),
            // What is left is "square".
            (_, None) => Shape::square(order),
        })
        .collect();
    let remedy = match (sides, orders.len()) {
        (Some(_), 1) => "rows times columns of a box make the order",
        (Some(_), _) => "where orders vary, write \"square\" or \"none\"",
        (None, _) => "leave out that order, or write rows x columns of one box",
    };
    shapes
        .map_err(|why| table.refuse_value("boxes", why.to_string(), remedy))
        .ok()
}

fn jigsaw(table: &KeyTable, orders: &[u64], map: &[String]) -> Option<Vec<Shape>> {
    let [order] = orders[..] else {
        table.refuse_value(
            "order",
            "`regions` has no meaning for several orders",
            "a map is of one order; give one",
        );
        return None;
    };
    let remedy = "write one string for each row, one character for each cell, the \
                  same for all cells of a region";
    match Shape::jigsaw(order, map) {
        Ok(shape) => Some(vec![shape]),
        Err(reasons) => {
            for why in reasons {
                table.refuse_value("regions", why.to_string(), remedy);
            }
            None
        }
    }
}

// Reads the arithmetic of `[grid]`: cages and inequalities. `cages` and `inequalities`
// parse the keys.

/// The cages and inequalities that are valid, for grids of the given orders. There must
/// be only one order.
fn demands(
    table: &KeyTable,
    orders: &[u64],
    cages: &CageKeys,
    inequalities: Option<&[FoundValue<String>]>,
) -> Arithmetic {
    let [order] = orders[..] else {
        let keys = [
            ("cages", cages.are_there()),
            ("inequalities", inequalities.is_some()),
        ];
        for (key, _) in keys.into_iter().filter(|(_, is_there)| *is_there) {
            table.refuse_value(
                "order",
                format!("`{key}` has no meaning for several orders"),
                "it names cells of one order; give one",
            );
        }
        return Arithmetic::default();
    };
    let order = order as usize;
    let listed = inequalities.unwrap_or_default();
    Arithmetic {
        cages: cages.of_order(table, order),
        inequalities: inequalities::read_inequalities(table, order, listed),
    }
}

/// Notes symbols that are not the numbers from 1 on, which cages and magic squares need.
fn require_numbers(table: &KeyTable, symbols: &[String], is_magic: bool) {
    let are_numbers =
        symbols
            .iter()
            .zip(1..)
            .all(|(symbol, value)| match symbol.len() {
                1 => u32::from_str_radix(symbol, 36) == Ok(value),
                _ => symbol.parse() == Ok(value),
            });
    if !are_numbers {
        let remedy = "write the symbols as \"1-9\" or \"1-9A-G\", where A is 10, \
                      or \"numbers\"";
        let key = if is_magic {
            "`magic` needs"
        } else {
            "`cages` need"
        };
        let message = format!("{key} the numbers from 1 on as symbols");
        table.refuse_value("symbols", message, remedy);
    }
}

// Checks that `map` in `[input]`, where the map of each grid's regions stands, agrees
// with the keys of cells and orders.

/// Notes keys of `[input]` that contradict the regions of the grid.
pub(super) fn note_contradictions(
    grid: &GridSpec,
    layout: &Layout,
    table: &KeyTable,
) {
    let has_map = table.has("map");
    match (grid.has_regions_in_input, has_map) {
        (true, false) => {
            let remedy = "say where the map of each grid is: `map = \"before\"`, \
                          `\"after\"` or `\"walls\"`";
            table.refuse_table(
                "[input] has no `map`, and `regions` are in the input",
                remedy,
            );
        }
        (false, true) => {
            let remedy = "write `regions = \"input\"` in [grid] in place of `boxes`, \
                          or delete it";
            table.refuse_key(
                "map",
                "`map` has no meaning without `regions = \"input\"`",
                remedy,
            );
        }
        _ => {}
    }
    if layout.region_map != Some(RegionMap::Walls) {
        return;
    }
    if layout.cells == CellSpacing::Joined {
        table.refuse_key(
            "cells",
            "cells that are `joined` cannot hold the numbers of `map = \"walls\"`",
            "write `cells = \"spaced\"`",
        );
    }
    let largest = grid.shapes.last().map_or(0, |shape| shape.order() as u64);
    if largest > RegionMap::LARGEST_WALLED {
        let most = RegionMap::LARGEST_WALLED;
        let message = format!(
            "cells with walls have values up to {most}, a grid of order {largest} has \
             {largest}"
        );
        table.refuse_key("map", message, "write `map = \"before\"` or `\"after\"`");
    }
    if layout
        .ignored
        .contains(|letter: char| letter.is_ascii_digit())
    {
        table.refuse_key(
            "ignore",
            "a digit is ignored, and is part of the numbers of `map = \"walls\"`",
            "leave it out of `ignore`",
        );
    }
}
