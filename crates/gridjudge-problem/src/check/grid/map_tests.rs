//! Grids that each have a region map of their own, by which they are judged.

use gridjudge_grid::{
    CellSpacing, Format, GridCount, Layout, RegionMap, Replies, Shape, Symbols,
};

use crate::check;
use crate::model::{Accept, GridTask};

const BOXES: &str = "AABB\nAABB\nCCDD\nCCDD\n";
const CURLS: &str = "1122\n3142\n3142\n3344\n";
const CLUES: &str = "1...\n....\n....\n....\n";

fn task(accept: Accept) -> GridTask {
    let input = Layout {
        region_map: Some(RegionMap::Before),
        ..Layout::bare(GridCount::First { most: 9 }, CellSpacing::Joined)
    };
    let symbols = Symbols::characters("1234", ".");
    let replies = Replies {
        several: Some("several".into()),
        ..Replies::default()
    };
    let output = Layout::bare(GridCount::AsInput, CellSpacing::Joined);
    let format = Format {
        shapes: vec![Shape::latin(4).unwrap()],
        symbols,
        input,
        output,
        replies,
    };
    GridTask { format, accept }
}

fn messages(accept: Accept, input: &str, output: &str) -> Vec<String> {
    let input = input.as_bytes();
    let output = output.as_bytes();
    let format = task(accept).format;
    let findings =
        check::grid_output(&format, accept, input, output, None::<&[u8]>).unwrap();
    findings
        .listed
        .into_iter()
        .map(|finding| finding.message)
        .collect()
}

#[test]
fn each_grid_is_checked_against_its_own_regions() {
    let boxes = "1234\n3412\n2143\n4321\n";
    let curls = "1234\n4312\n3421\n2143\n";
    let input = format!("2\n{BOXES}{CLUES}{CURLS}{CLUES}");
    assert_eq!(
        messages(Accept::Any, &input, &format!("{boxes}{curls}")),
        [""; 0]
    );
    assert_eq!(
        messages(Accept::Any, &input, &format!("{boxes}{boxes}")),
        [
            "grid 2: region 1 has two 1s, at row 1 column 1 and row 3 column 2",
            "grid 2: region 2 has two 3s, at row 1 column 3 and row 3 column 4",
            "grid 2: region 3 has two 3s, at row 2 column 1 and row 4 column 2",
            "grid 2: region 4 has two 1s, at row 2 column 3 and row 4 column 4",
        ]
    );
}

#[test]
fn the_solver_uses_the_map_of_the_current_grid() {
    let full = "1234\n4312\n3421\n2143\n";
    let input = format!("2\n{CURLS}{full}{BOXES}{CLUES}");
    assert_eq!(
        messages(Accept::Unique, &input, &format!("{full}several\n")),
        [""; 0]
    );
    let wrong = messages(Accept::Unique, &input, "several\nseveral\n");
    assert_eq!(wrong.len(), 1);
    assert!(wrong[0].starts_with("grid 1: "), "{wrong:?}");
}
