//! Turns a picture and the findings about it into a drawing: a mark for each cell, and
//! the pairs that clash; and draws it as SVG with twenty units per cell. Trusts
//! nothing: a log may come from anywhere, so an inconsistent picture is not drawn.
//! Cells of one kind share a path or a text element, so that a page can contain
//! hundreds of grids. Whatever a colour means is shown by a shape as well.

use maud::{Markup, html};

use crate::model::{Finding, FindingRule, GridPicture};
use crate::report::{html_line, html_text};
use crate::text::{JoinedTexts, counted};

/// Units of a cell, and of the margin that contains the numbers of rows and columns.
const CELL: usize = 20;
const MARGIN: usize = 12;

/// The order of the largest grid that is readable when drawn.
const LARGEST_ORDER: usize = 25;

/// The meaning of a cell to the reader.
#[derive(Clone, Copy, Debug, PartialEq)]
enum CellMark {
    /// Given by the input.
    Given,
    /// From the output, and not known to be wrong.
    Kept,
    /// Not the expected symbol; also blank and unreadable cells.
    Wrong,
    /// Different from what the input gives.
    Changed,
    /// The expected symbol, if the output contains no grid at all.
    Answer,
    /// Nothing is known about it.
    Open,
}

/// One cell.
struct DrawnCell<'a> {
    text: &'a str,
    mark: CellMark,
    /// The right symbol, if the cell shows another one.
    expected: Option<&'a str>,
    region: u32,
}

/// Two cells with the same symbol in a house.
#[derive(Debug, PartialEq)]
struct CellClash {
    cells: [usize; 2],
    rule: FindingRule,
}

/// Everything to be drawn of a grid.
pub(super) struct GridDrawing<'a> {
    grid: u64,
    order: usize,
    diagonals: bool,
    /// Row by row.
    cells: Vec<DrawnCell<'a>>,
    /// Whether the output contains a grid. If not, the expected one is drawn instead.
    is_found: bool,
    /// In the order of the findings.
    clashes: Vec<CellClash>,
    /// The cell of the deciding finding, if that is not a clash.
    pointed: Option<usize>,
    /// Whether the first clash is the deciding finding.
    clash_decides: bool,
}

impl<'a> GridDrawing<'a> {
    /// The drawing of a picture; `None` if the picture is inconsistent. The first
    /// finding is the deciding one.
    pub(super) fn from_picture(
        picture: &'a GridPicture,
        findings: &[&Finding],
    ) -> Option<Self> {
        let order = picture.order;
        if !(1..=LARGEST_ORDER).contains(&order) {
            return None;
        }
        let words = |text: &'a str| -> Option<Vec<&'a str>> {
            let words: Vec<_> = text.split(' ').take(order * order + 1).collect();
            let is_fit = words.len() == order * order
                && words.iter().all(|word| word.len() <= 4);
            is_fit.then_some(words)
        };
        let clues = words(&picture.clues)?;
        let found = words(&picture.found);
        let expected = words(&picture.expected);
        let regions = words(&picture.regions);
        let mut drawing = Self {
            grid: picture.grid,
            order,
            diagonals: picture.diagonals,
            cells: (0..order * order)
                .map(|at| {
                    judge(
                        clues[at],
                        found.as_ref().map(|found| found[at]),
                        expected.as_ref().map(|known| known[at]),
                        regions
                            .as_ref()
                            .map_or(0, |regions| regions[at].parse().unwrap_or(0)),
                    )
                })
                .collect(),
            is_found: found.is_some(),
            clashes: vec![],
            pointed: None,
            clash_decides: false,
        };
        drawing.point(findings);
        Some(drawing)
    }

    /// The cells with any of these marks, and their places.
    fn marked(
        &self,
        marks: &[CellMark],
    ) -> impl Iterator<Item = (usize, &DrawnCell<'a>)> {
        self.cells
            .iter()
            .enumerate()
            .filter(move |(_, cell)| marks.contains(&cell.mark))
    }

    /// Row and column of a cell, from 0.
    pub(super) fn place(&self, at: usize) -> (usize, usize) {
        (at / self.order, at % self.order)
    }

    /// Records the cells that the findings are about.
    fn point(&mut self, findings: &[&Finding]) {
        if !self.is_found {
            return;
        }
        for (number, finding) in findings.iter().enumerate() {
            if finding.grid != Some(self.grid) {
                continue;
            }
            let at = |row: Option<u64>, column: Option<u64>| {
                let order = self.order as u64;
                let is_inside = |number: &u64| (1..=order).contains(number);
                let row = row.filter(is_inside)?;
                let column = column.filter(is_inside)?;
                usize::try_from((row - 1) * order + column - 1).ok()
            };
            let first = at(finding.row, finding.column);
            let second = finding
                .other
                .and_then(|other| at(Some(other.row), Some(other.column)));
            match (first, second, finding.rule) {
                // If several solutions are given for a grid, a clash may be in one that
                // is not drawn.
                (Some(first), Some(second), Some(rule))
                    if self.cells[first].text == self.cells[second].text =>
                {
                    self.clash_decides |= number == 0;
                    self.clashes.push(CellClash {
                        cells: [second, first],
                        rule,
                    });
                }
                (Some(cell), None, _) if number == 0 => self.pointed = Some(cell),
                _ => {}
            }
        }
    }

    /// The drawing, with an explanation of its marks below it.
    pub(super) fn figure(&self) -> Markup {
        html! {
            figure {
                (self.svg())
                figcaption { (self.caption()) }
            }
        }
    }

    /// The drawing as a picture of its own, in a file or a data URL, with what is about
    /// grids in the style of pages.
    pub(super) fn standalone(&self, page_style: &str) -> String {
        let colours = html_text::STYLE.split("@media").next().unwrap_or_default();
        let of_grids = page_style.lines().filter(|line| line.starts_with(".grid"));
        let style = format!("{colours}{}", of_grids.joined("\n"));
        let svg = self.svg().0;
        let (start, rest) = svg.split_once('>').unwrap_or((&svg, ""));
        format!(
            r#"{start} xmlns="http://www.w3.org/2000/svg"><style>{style}</style>{rest}"#
        )
    }

    fn svg(&self) -> Markup {
        use CellMark::*;

        let order = self.order;
        // Large enough to be easily readable, small enough for a desktop; a phone
        // scales it down.
        let pixels = match order {
            0..=9 => 34,
            10..=16 => 29,
            _ => 24,
        };
        let length = order * CELL;
        let size = MARGIN + length + 2;
        let between_cells: String = (1..order)
            .map(|line| format!("M{0} 0v{length}M0 {0}h{length}", line * CELL))
            .collect();
        let decisive = self.clashes.first().filter(|_| self.clash_decides);
        html! {
            svg.grid.wide[order > 9]
                viewBox={ "-" (MARGIN) " -" (MARGIN) " " (size) " " (size) }
                width=(size * pixels / CELL)
                height=(size * pixels / CELL)
                role="img"
                aria-label={ "Grid " (self.grid) ", " (order) " by " (order) ", drawn" }
            {
                (self.pieces("given", &[Given, Changed], square))
                (self.pieces("wrong", &[Wrong], square))
                (self.pieces("flag", &[Wrong, Changed], flag))
                path.thin d=(between_cells) {}
                @if self.diagonals {
                    path.cross d={
                        "M0 0L" (length) " " (length) "M" (length) " 0L0 " (length)
                    } {}
                }
                path.thick d=(borders(order, |left, right| match (left, right) {
                    (Some(left), Some(right)) => self.cells[left].region != self.cells[right].region,
                    _ => true,
                })) {}
                @if let Some(clash) = decisive {
                    @let [from, to] = clash.cells.map(|at| self.centre(at));
                    (self.house(clash))
                    path.tie d={ "M" (from.0) " " (from.1) "L" (to.0) " " (to.1) } {}
                }
                @for (number, clash) in self.clashes.iter().enumerate() {
                    @let is_first = number == 0 && self.clash_decides;
                    @for (x, y) in clash.cells.map(|at| self.centre(at)) {
                        circle.ring.first[is_first]
                            cx=(x) cy=(y) r="8.6"
                            fill=(if is_first { "var(--paper)" } else { "none" })
                        {}
                    }
                }
                @if let Some((x, y)) = self.pointed.map(|at| self.centre(at)) {
                    path.boxed d={ "M" (x - 8) " " (y - 8) "h16v16h-16z" } {}
                }
                (self.numbers(decisive))
                (self.texts())
            }
        }
    }

    /// A path with a piece for each cell with certain marks; `piece` is given the
    /// cell's corner.
    fn pieces(
        &self,
        class: &str,
        marks: &[CellMark],
        piece: fn(usize, usize) -> String,
    ) -> Markup {
        let pieces = self.marked(marks).map(|(at, _)| {
            let (row, column) = self.place(at);
            piece(column * CELL, row * CELL)
        });
        path(class, &pieces.collect::<String>())
    }

    /// An outline of the house in which two cells clash.
    fn house(&self, clash: &CellClash) -> Markup {
        let [first, _] = clash.cells;
        let is_inside = |at: usize| match clash.rule {
            FindingRule::Row => self.place(at).0 == self.place(first).0,
            FindingRule::Column => self.place(at).1 == self.place(first).1,
            FindingRule::Box | FindingRule::Region => {
                self.cells[at].region == self.cells[first].region
            }
            _ => false,
        };
        let outline = borders(self.order, |left, right| {
            left.is_some_and(is_inside) != right.is_some_and(is_inside)
        });
        path("house", &outline)
    }

    /// The numbers of rows and columns; those of the cells that clash are highlighted.
    fn numbers(&self, clash: Option<&CellClash>) -> Markup {
        let pointed: Vec<_> = clash
            .iter()
            .flat_map(|clash| clash.cells)
            .chain(self.pointed)
            .map(|at| self.place(at))
            .collect();
        html! {
            @for number in 0..self.order {
                text.n.at[pointed.iter().any(|place| place.1 == number)]
                    x=(number * CELL + CELL / 2) y="-5"
                { (number + 1) }
                text.n.at[pointed.iter().any(|place| place.0 == number)]
                    x="-6" y=(number * CELL + CELL / 2)
                { (number + 1) }
            }
        }
    }

    /// The symbols, grouped by kind; and the expected symbols of wrong cells, in small
    /// print.
    fn texts(&self) -> Markup {
        use CellMark::*;

        let kinds: [(&str, &[CellMark]); 4] = [
            ("g", &[Given]),
            ("k", &[Kept]),
            ("w", &[Wrong, Changed]),
            ("a", &[Answer]),
        ];
        let expected = self.cells.iter().enumerate().filter_map(|(at, cell)| {
            let (x, y) = self.centre(at);
            cell.expected.map(|expected| (x + 6, y + 7, expected))
        });
        html! {
            @for (class, marks) in kinds {
                @let symbols = self.marked(marks).map(|(at, cell)| {
                    let (x, y) = self.centre(at);
                    // Moved aside to make room for the expected symbol.
                    let aside = usize::from(cell.expected.is_some()) * 2;
                    let text = if cell.text == "." { "\u{b7}" } else { cell.text };
                    (x - aside, y - aside / 2, text)
                });
                (letters(class, symbols))
            }
            (letters("e", expected))
        }
    }

    fn centre(&self, at: usize) -> (usize, usize) {
        let (row, column) = self.place(at);
        (column * CELL + CELL / 2, row * CELL + CELL / 2)
    }

    /// Explains the marks that occur in the drawing.
    fn caption(&self) -> String {
        use CellMark::*;

        let grid = self.grid;
        let count = |mark: CellMark| self.marked(&[mark]).count();
        let wrong = count(Wrong);
        let changed = count(Changed);
        let mut text = match (self.is_found, count(Answer)) {
            (true, _) => format!("Grid {grid} as the output gives it."),
            (false, 0) => {
                format!("Grid {grid} as the input gives it; the output gives none.")
            }
            (false, _) => format!(
                "Grid {grid}: the output gives none; the expected symbols are in italics."
            ),
        };
        if count(Given) + changed > 0 {
            text += " Bold on grey: given.";
        }
        if wrong > 0 {
            let mut marked = self.marked(&[Wrong]);
            let belongs = if marked.any(|(_, cell)| cell.expected.is_some()) {
                ", with the expected symbol below it"
            } else {
                ""
            };
            let cells = counted(wrong, "cell");
            text += &format!(" Flag in the corner: {cells} not right{belongs}.");
        }
        if changed > 0 {
            let cells = counted(changed, "cell");
            text += &format!(
                " Flag on grey: {cells} with a changed clue, which is shown below."
            );
        }
        if let Some(CellClash { rule, .. }) = self.clashes.first() {
            let pair = match rule {
                _ if !self.clash_decides => String::new(),
                FindingRule::Row
                | FindingRule::Column
                | FindingRule::Box
                | FindingRule::Region => {
                    format!(", the first pair in the outlined {rule}")
                }
                _ => ", the first pair joined by a line".to_owned(),
            };
            text +=
                &format!(" Ringed: cells with the same symbol in one house{pair}.");
        }
        if self.pointed.is_some() {
            text += " Framed: the cell that the finding is about.";
        }
        if self.diagonals {
            text += " Dashed: the diagonals count too.";
        }
        text
    }
}

/// The mark of a cell, from the symbols in the input, in the output and in the expected
/// grid.
fn judge<'a>(
    clue: &'a str,
    found: Option<&'a str>,
    expected: Option<&'a str>,
    region: u32,
) -> DrawnCell<'a> {
    use CellMark::*;

    let is_given = clue != ".";
    let (text, mark, expected) = match (found, expected) {
        (Some(found), _) if is_given && found == clue => (found, Given, None),
        (Some(found), _) if is_given => (found, Changed, Some(clue)),
        (Some(found), Some(known)) if found != known => (found, Wrong, Some(known)),
        (Some(found), None) if matches!(found, "." | "?") => (found, Wrong, None),
        (Some(found), _) => (found, Kept, None),
        (None, _) if is_given => (clue, Given, None),
        (None, Some(known)) => (known, Answer, None),
        (None, None) => (clue, Open, None),
    };
    DrawnCell {
        text,
        mark,
        expected,
        region,
    }
}

/// A path with these pieces, if there are any.
fn path(class: &str, pieces: &str) -> Markup {
    html! { @if !pieces.is_empty() { path class=(class) d=(pieces) {} } }
}

/// The area of a cell with this corner.
fn square(x: usize, y: usize) -> String {
    format!("M{x} {y}h{CELL}v{CELL}h-{CELL}z")
}

/// A flag in the other corner of a cell.
fn flag(x: usize, y: usize) -> String {
    format!("M{} {y}h6v6z", x + CELL - 6)
}

/// Lines between neighbouring cells that differ; beyond the edge a cell is `None`.
/// Adjacent pieces of a line are joined.
fn borders(
    order: usize,
    differ: impl Fn(Option<usize>, Option<usize>) -> bool,
) -> String {
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
                let length = (along..order)
                    .take_while(|&along| {
                        let before =
                            line.checked_sub(1).map(|line| cell(line, along));
                        differ(before, (line < order).then(|| cell(line, along)))
                    })
                    .count();
                if length > 0 {
                    let (x, y) = if is_row { (along, line) } else { (line, along) };
                    let x = x * CELL;
                    let y = y * CELL;
                    let length = length * CELL;
                    path += &format!("M{x} {y}{letter}{length}");
                }
                along += length.max(1);
            }
        }
    }
    path
}

/// Words at places. All words of a single letter share one element, which lists a place
/// for each letter.
fn letters<'a>(
    class: &str,
    words: impl Iterator<Item = (usize, usize, &'a str)>,
) -> Markup {
    let (single, several): (Vec<_>, Vec<_>) =
        words.partition(|(_, _, word)| word.chars().nth(1).is_none());
    let x = single.iter().map(|word| word.0.to_string()).joined(" ");
    let y = single.iter().map(|word| word.1.to_string()).joined(" ");
    html! {
        @if !single.is_empty() {
            text class=(class) x=(x) y=(y) {
                @for (_, _, word) in &single { (html_line(word)) }
            }
        }
        @for (x, y, word) in several {
            text class=(class) x=(x) y=(y) { (html_line(word)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CellPosition, FindingKind};

    fn picture() -> GridPicture {
        GridPicture {
            grid: 2,
            order: 2,
            regions: String::new(),
            diagonals: false,
            clues: "1 . . .".into(),
            found: "1 1 ? 2".into(),
            expected: "1 2 2 1".into(),
        }
    }

    fn finding(grid: u64, cell: (u64, u64), other: Option<(u64, u64)>) -> Finding {
        Finding {
            kind: FindingKind::Wrong,
            grid: Some(grid),
            row: Some(cell.0),
            column: Some(cell.1),
            other: other.map(|(row, column)| CellPosition { row, column }),
            rule: Some(FindingRule::Row),
            line: None,
            byte: None,
            message: String::new(),
        }
    }

    #[test]
    fn a_cell_is_marked_by_its_clue_its_output_and_the_expected_symbol() {
        for (clue, found, expected, mark, belongs) in [
            ("5", Some("5"), Some("5"), CellMark::Given, None),
            ("5", Some("6"), Some("5"), CellMark::Changed, Some("5")),
            ("5", Some("."), None, CellMark::Changed, Some("5")),
            (".", Some("6"), Some("6"), CellMark::Kept, None),
            (".", Some("6"), Some("7"), CellMark::Wrong, Some("7")),
            (".", Some("."), Some("7"), CellMark::Wrong, Some("7")),
            (".", Some("?"), None, CellMark::Wrong, None),
            (".", Some("6"), None, CellMark::Kept, None),
            (".", None, Some("7"), CellMark::Answer, None),
            (".", None, None, CellMark::Open, None),
            ("5", None, None, CellMark::Given, None),
        ] {
            let cell = judge(clue, found, expected, 0);
            assert_eq!(
                (cell.mark, cell.expected),
                (mark, belongs),
                "{clue} {found:?} {expected:?}"
            );
        }
    }

    #[test]
    fn both_cells_of_a_clash_are_marked_if_they_are_of_this_grid_and_equal() {
        let picture = picture();
        let clash = finding(2, (1, 2), Some((1, 1)));
        let elsewhere = finding(1, (1, 2), Some((1, 1)));
        let unequal = finding(2, (1, 2), Some((2, 2)));
        let outside = finding(2, (1, 3), Some((u64::MAX, 0)));
        let drawing = GridDrawing::from_picture(
            &picture,
            &[&clash, &elsewhere, &unequal, &outside],
        )
        .unwrap();
        assert_eq!(
            drawing.clashes,
            [CellClash {
                cells: [0, 1],
                rule: FindingRule::Row
            }]
        );
        assert!(drawing.clash_decides);
        let drawing =
            GridDrawing::from_picture(&picture, &[&finding(2, (2, 1), None), &clash])
                .unwrap();
        assert_eq!(
            (
                drawing.pointed,
                drawing.clash_decides,
                drawing.clashes.len()
            ),
            (Some(2), false, 1)
        );
    }

    #[test]
    fn an_inconsistent_picture_is_not_drawn() {
        for (order, clues) in [
            (0, ""),
            (3, "1 . . ."),
            (26, "."),
            (usize::MAX, "."),
            (2, "1 . . 12345"),
        ] {
            let picture = GridPicture {
                order,
                clues: clues.into(),
                ..picture()
            };
            assert!(
                GridDrawing::from_picture(&picture, &[]).is_none(),
                "{order} {clues}"
            );
        }
    }
}
