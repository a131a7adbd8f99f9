//! Reads `map` in `[input]`: where the map of each grid's regions stands. Checks that it agrees
//! with the keys of cells and orders.

use crate::keys::KeyTable;
use crate::spec::problem::grid::GridSpec;
use gridjudge_grid::{CellSpacing, Layout, RegionMap};

/// Reads where the map stands.
pub(super) fn read(table: &KeyTable<'_>) -> Option<RegionMap> {
    let places =
        [RegionMap::Before, RegionMap::After, RegionMap::Walls].map(|map| (map.name(), map));
    table.choice("map", &places).map(|found| found.value)
}

/// Notes keys of `[input]` that contradict the regions of the grid.
pub(super) fn agree_with(grid: &GridSpec, layout: &Layout, table: &KeyTable<'_>) {
    let place = table.place("map");
    match (&grid.regions_in_input, place) {
        (Some(_), None) => {
            let remedy =
                "say where the map of each grid is: `map = \"before\"`, `\"after\"` or `\"walls\"`";
            table.note(
                table.header(),
                "[input] has no `map`, and `regions` are in the input",
                remedy,
            );
        }
        (None, Some(at)) => {
            let remedy = "write `regions = \"input\"` in [grid] in place of `boxes`, or delete it";
            table.note(
                at,
                "`map` has no meaning without `regions = \"input\"`",
                remedy,
            );
        }
        _ => {}
    }
    let Some(at) = place.filter(|_| layout.region_map == Some(RegionMap::Walls)) else {
        return;
    };
    if layout.cells == CellSpacing::Joined {
        let at = table.place("cells").unwrap_or_default();
        let remedy = "write `cells = \"spaced\"`";
        table.note(
            at,
            "cells that are `joined` cannot hold the numbers of `map = \"walls\"`",
            remedy,
        );
    }
    let largest = grid.shapes.last().map_or(0, |shape| shape.order() as u64);
    if largest > RegionMap::LARGEST_WALLED {
        let most = RegionMap::LARGEST_WALLED;
        let message = format!(
            "cells with walls have values up to {most}, a grid of order {largest} has {largest}"
        );
        table.note(at, message, "write `map = \"before\"` or `\"after\"`");
    }
    if layout
        .ignored
        .contains(|letter: char| letter.is_ascii_digit())
    {
        let at = table.place("ignore").unwrap_or_default();
        table.note(
            at,
            "a digit is ignored, and is part of the numbers of `map = \"walls\"`",
            "leave it out of `ignore`",
        );
    }
}
