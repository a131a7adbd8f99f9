//! Draws a grid as SVG with twenty units per cell. Cells of one kind share a path or a text
//! element, so that a page can contain hundreds of grids. Whatever a colour means is shown by a
//! shape as well.

use std::fmt::Write;

use maud::{Markup, html};

use crate::model::FindingRule;
use crate::report::html::grid_drawing::GridDrawing;
use crate::report::html::{CellClash, CellMark, DrawnCell};
use crate::report::html_text;
use crate::text::{JoinedTexts, counted};

/// Units of a cell, and of the margin that contains the numbers of rows and columns.
const CELL: usize = 20;
const MARGIN: usize = 12;

/// The drawing, with an explanation of its marks below it.
pub(super) fn figure(drawing: &GridDrawing<'_>) -> Markup {
    html! {
        figure { (svg(drawing)) figcaption { (caption(drawing)) } }
    }
}

/// The drawing as a picture of its own, in a file or a data URL, with what is about grids in the
/// style of pages.
pub(super) fn standalone(drawing: &GridDrawing<'_>, page_style: &str) -> String {
    let colours = html_text::STYLE.split("@media").next().unwrap_or_default();
    let of_grids = page_style.lines().filter(|line| line.starts_with(".grid"));
    let style = format!("{colours}{}", of_grids.joined("\n"));
    let svg = svg(drawing).0;
    let (start, rest) = svg.split_once('>').unwrap_or((&svg, ""));
    format!(r#"{start} xmlns="http://www.w3.org/2000/svg"><style>{style}</style>{rest}"#)
}

fn svg(drawing: &GridDrawing<'_>) -> Markup {
    let order = drawing.order;
    let size = MARGIN + order * CELL + 2;
    // Large enough to be easily readable, small enough for a desktop; a phone scales it down.
    let pixels = match order {
        0..=9 => 34,
        10..=16 => 29,
        _ => 24,
    };
    let name = format!("Grid {}, {order} by {order}, drawn", drawing.grid);
    let decisive = drawing.clashes.first().filter(|_| drawing.clash_decides);
    html! {
        svg class={ "grid" @if order > 9 { " wide" } } viewBox={ "-" (MARGIN) " -" (MARGIN) " " (size) " " (size) }
            width=(size * pixels / CELL) height=(size * pixels / CELL) role="img" aria-label=(name)
        {
            (squares("given", drawing, |mark| matches!(mark, CellMark::Given | CellMark::Changed)))
            (squares("wrong", drawing, |mark| mark == CellMark::Wrong))
            (flags(drawing))
            path class="thin" d=(lattice(order)) {}
            @if drawing.diagonals {
                path class="cross" d={
                    "M0 0L" (order * CELL) " " (order * CELL)
                    "M" (order * CELL) " 0L0 " (order * CELL)
                } {}
            }
            path class="thick" d=(borders(order, |left, right| match (left, right) {
                (Some(left), Some(right)) => drawing.cells[left].region != drawing.cells[right].region,
                _ => true,
            })) {}
            @if let Some(clash) = decisive { (house(drawing, clash)) (tie(clash, drawing)) }
            @for (number, clash) in drawing.clashes.iter().enumerate() {
                (rings(drawing, clash, number == 0 && drawing.clash_decides))
            }
            @if let Some(at) = drawing.pointed { (frame(drawing, at)) }
            (numbers(drawing, decisive))
            (texts(drawing))
        }
    }
}

/// Fills the cells with certain marks.
fn squares(class: &str, drawing: &GridDrawing<'_>, is_meant: impl Fn(CellMark) -> bool) -> Markup {
    let path = of_cells(drawing, is_meant, |path, x, y| {
        write!(path, "M{x} {y}h{CELL}v{CELL}h-{CELL}z")
    });
    html! { @if !path.is_empty() { path class=(class) d=(path) {} } }
}

/// A flag in the corner of each cell that is wrong or whose clue was changed.
fn flags(drawing: &GridDrawing<'_>) -> Markup {
    let path = of_cells(
        drawing,
        |mark| matches!(mark, CellMark::Wrong | CellMark::Changed),
        |path, x, y| write!(path, "M{} {y}h6v6z", x + CELL - 6),
    );
    html! { @if !path.is_empty() { path class="flag" d=(path) {} } }
}

/// A path with a piece for each cell with certain marks; `piece` is given the cell's corner.
fn of_cells(
    drawing: &GridDrawing<'_>,
    is_meant: impl Fn(CellMark) -> bool,
    piece: impl Fn(&mut String, usize, usize) -> std::fmt::Result,
) -> String {
    let mut path = String::new();
    for (at, _) in drawing
        .cells
        .iter()
        .enumerate()
        .filter(|(_, cell)| is_meant(cell.mark))
    {
        let (row, column) = drawing.place(at);
        piece(&mut path, column * CELL, row * CELL).expect("a string takes everything");
    }
    path
}

/// The thin lines between cells.
fn lattice(order: usize) -> String {
    let length = order * CELL;
    (1..order)
        .map(|line| format!("M{0} 0v{length}M0 {0}h{length}", line * CELL))
        .collect()
}

/// Lines between neighbouring cells that differ; beyond the edge a cell is `None`. Adjacent pieces
/// of a line are joined.
fn borders(order: usize, differ: impl Fn(Option<usize>, Option<usize>) -> bool) -> String {
    let mut path = String::new();
    for line in 0..=order {
        for (is_row, letter) in [(true, 'h'), (false, 'v')] {
            let cell = |line: usize, along: usize| {
                if is_row {
                    line * order + along
                } else {
                    along * order + line
                }
            };
            let mut along = 0;
            while along < order {
                let border = (along..order).take_while(|&along| {
                    let before = line.checked_sub(1).map(|line| cell(line, along));
                    differ(before, (line < order).then(|| cell(line, along)))
                });
                let length = border.count();
                if length > 0 {
                    let (x, y) = if is_row { (along, line) } else { (line, along) };
                    let x = x * CELL;
                    let y = y * CELL;
                    let length = length * CELL;
                    write!(path, "M{x} {y}{letter}{length}").expect("a string takes everything");
                }
                along += length.max(1);
            }
        }
    }
    path
}

/// An outline of the house of the clash.
fn house(drawing: &GridDrawing<'_>, clash: &CellClash) -> Markup {
    let is_inside = |at: Option<usize>| at.is_some_and(|at| drawing.shares_house(clash, at));
    let path = borders(drawing.order, |left, right| {
        is_inside(left) != is_inside(right)
    });
    html! { @if !path.is_empty() { path class="house" d=(path) {} } }
}

/// A line that connects the two rings of a clash.
fn tie(clash: &CellClash, drawing: &GridDrawing<'_>) -> Markup {
    let [from, to] = clash.cells.map(|at| centre(drawing, at));
    html! { path class="tie" d={ "M" (from.0) " " (from.1) "L" (to.0) " " (to.1) } {} }
}

fn rings(drawing: &GridDrawing<'_>, clash: &CellClash, is_first: bool) -> Markup {
    html! {
        @for (x, y) in clash.cells.map(|at| centre(drawing, at)) {
            circle
                class={ "ring" @if is_first { " first" } }
                cx=(x) cy=(y) r="8.6"
                fill=(if is_first { "var(--paper)" } else { "none" })
            {}
        }
    }
}

/// A frame in the cell of the deciding finding.
fn frame(drawing: &GridDrawing<'_>, at: usize) -> Markup {
    let (x, y) = centre(drawing, at);
    html! { path class="boxed" d={ "M" (x - 8) " " (y - 8) "h16v16h-16z" } {} }
}

/// The numbers of rows and columns; those of the cells that clash are highlighted.
fn numbers(drawing: &GridDrawing<'_>, clash: Option<&CellClash>) -> Markup {
    let cells: Vec<_> = clash.map(|clash| clash.cells.to_vec()).unwrap_or_default();
    let pointed: Vec<_> = cells
        .into_iter()
        .chain(drawing.pointed)
        .map(|at| drawing.place(at))
        .collect();
    html! {
        @for number in 0..drawing.order {
            text
                class={ "n" @if pointed.iter().any(|place| place.1 == number) { " at" } }
                x=(number * CELL + CELL / 2) y="-5"
            { (number + 1) }
            text
                class={ "n" @if pointed.iter().any(|place| place.0 == number) { " at" } }
                x="-6" y=(number * CELL + CELL / 2)
            { (number + 1) }
        }
    }
}

/// The symbols, grouped by kind; and the expected symbols of wrong cells, in small print.
fn texts<'a>(drawing: &GridDrawing<'a>) -> Markup {
    let kinds: [(&str, &[CellMark]); 4] = [
        ("g", &[CellMark::Given]),
        ("k", &[CellMark::Kept]),
        ("w", &[CellMark::Wrong, CellMark::Changed]),
        ("a", &[CellMark::Answer]),
    ];
    let expected = drawing.cells.iter().enumerate().filter_map(|(at, cell)| {
        let (x, y) = centre(drawing, at);
        cell.expected.map(|expected| (x + 6, y + 7, expected))
    });
    html! {
        @for (class, marks) in kinds {
            @let meant = drawing.cells.iter().enumerate().filter(|(_, cell)| marks.contains(&cell.mark));
            (letters(class, meant.map(|(at, cell)| symbol(drawing, at, cell))))
        }
        (letters("e", expected))
    }
}

fn symbol<'a>(
    drawing: &GridDrawing<'a>,
    at: usize,
    cell: &DrawnCell<'a>,
) -> (usize, usize, &'a str) {
    let (x, y) = centre(drawing, at);
    // Moved aside to make room for the expected symbol.
    let aside = usize::from(cell.expected.is_some()) * 2;
    let text = if cell.text == "." {
        "\u{b7}"
    } else {
        cell.text
    };
    (x - aside, y - aside / 2, text)
}

/// Words at places. All words of a single letter share one element, which lists a place for each
/// letter.
fn letters<'a>(class: &str, words: impl Iterator<Item = (usize, usize, &'a str)>) -> Markup {
    let (single, several): (Vec<_>, Vec<_>) =
        words.partition(|(_, _, word)| word.chars().nth(1).is_none());
    let list = |numbers: &mut dyn Iterator<Item = usize>| {
        numbers.map(|number| number.to_string()).joined(" ")
    };
    html! {
        @if !single.is_empty() {
            text
                class=(class)
                x=(list(&mut single.iter().map(|word| word.0)))
                y=(list(&mut single.iter().map(|word| word.1)))
            {
                @for (_, _, word) in &single { (html_text::line(word)) }
            }
        }
        @for (x, y, word) in several {
            text class=(class) x=(x) y=(y) { (html_text::line(word)) }
        }
    }
}

fn centre(drawing: &GridDrawing<'_>, at: usize) -> (usize, usize) {
    let (row, column) = drawing.place(at);
    (column * CELL + CELL / 2, row * CELL + CELL / 2)
}

/// Explains the marks that occur in the drawing.
fn caption(drawing: &GridDrawing<'_>) -> String {
    let cells = |count: usize| counted(count, "cell");
    let given = drawing.count(CellMark::Given) + drawing.count(CellMark::Changed);
    let wrong = drawing.count(CellMark::Wrong);
    let changed = drawing.count(CellMark::Changed);
    let mut parts = vec![match (drawing.is_found, drawing.count(CellMark::Answer)) {
        (true, _) => format!("Grid {} as the output gives it.", drawing.grid),
        (false, 0) => format!(
            "Grid {} as the input gives it; the output gives none.",
            drawing.grid
        ),
        (false, _) => {
            format!(
                "Grid {}: the output gives none, in italics is what was expected.",
                drawing.grid
            )
        }
    }];
    if given > 0 {
        parts.push("Bold on grey: given.".to_owned());
    }
    if wrong > 0 {
        let knows = drawing
            .cells
            .iter()
            .any(|cell| cell.mark == CellMark::Wrong && cell.expected.is_some());
        let belongs = if knows {
            ", with what belongs there below it"
        } else {
            ""
        };
        parts.push(format!(
            "Flag in the corner: {} not right{belongs}.",
            cells(wrong)
        ));
    }
    if changed > 0 {
        parts.push(format!(
            "Flag on grey: {} given otherwise, with the clue below.",
            cells(changed)
        ));
    }
    if let Some(clash) = drawing.clashes.first() {
        let house = if drawing.clash_decides {
            clashing_house(clash.rule)
        } else {
            ""
        };
        parts.push(format!(
            "Ringed: cells with the same symbol in one house{house}."
        ));
    }
    if drawing.pointed.is_some() {
        parts.push("Framed: the cell that the finding is about.".to_owned());
    }
    if drawing.diagonals {
        parts.push("Dashed: the diagonals count, too.".to_owned());
    }
    parts.join(" ")
}

/// Describes the house of the deciding pair of equal cells.
fn clashing_house(rule: FindingRule) -> &'static str {
    match rule {
        FindingRule::Row => ", the first pair in the outlined row",
        FindingRule::Column => ", the first pair in the outlined column",
        FindingRule::Box => ", the first pair in the outlined box",
        FindingRule::Region => ", the first pair in the outlined region",
        _ => ", the first pair joined by a line",
    }
}
