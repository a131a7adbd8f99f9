//! Turns a picture and the findings about it into a drawing: a mark for each cell, and the pairs
//! that clash. Trusts nothing: a log may come from anywhere, so an inconsistent picture is not
//! drawn.

use crate::model::{Finding, FindingRule, GridPicture};

/// The order of the largest grid that is readable when drawn.
const LARGEST_ORDER: usize = 25;

/// The meaning of a cell to the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellMark {
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
pub(super) struct DrawnCell<'a> {
    pub(super) text: &'a str,
    pub(super) mark: CellMark,
    /// The right symbol, if the cell shows another one.
    pub(super) expected: Option<&'a str>,
    pub(super) region: u32,
}

/// Two cells with the same symbol in a house.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CellClash {
    pub(super) cells: [usize; 2],
    pub(super) rule: FindingRule,
}

/// Everything to be drawn of a grid.
pub(super) struct GridDrawing<'a> {
    pub(super) grid: u64,
    pub(super) order: usize,
    pub(super) diagonals: bool,
    /// Row by row.
    pub(super) cells: Vec<DrawnCell<'a>>,
    /// Whether the output contains a grid. If not, the expected one is drawn instead.
    pub(super) is_found: bool,
    /// In the order of the findings.
    pub(super) clashes: Vec<CellClash>,
    /// The cell of the deciding finding, if that is not a clash.
    pub(super) pointed: Option<usize>,
    /// Whether the first clash is the deciding finding.
    pub(super) clash_decides: bool,
}

impl<'a> GridDrawing<'a> {
    /// The drawing of a picture; `None` if the picture is inconsistent. The first finding is the
    /// deciding one.
    pub(super) fn of(picture: &'a GridPicture, findings: &[&Finding]) -> Option<Self> {
        let order = picture.order;
        if !(1..=LARGEST_ORDER).contains(&order) {
            return None;
        }
        let words = |text: &'a str| -> Option<Vec<&'a str>> {
            let words: Vec<_> = text.split(' ').take(order * order + 1).collect();
            let is_fit = words.len() == order * order && words.iter().all(|word| word.len() <= 4);
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
                .map(|at| DrawnCell {
                    region: regions
                        .as_ref()
                        .map_or(0, |regions| regions[at].parse().unwrap_or(0)),
                    ..judge(
                        clues[at],
                        found.as_ref().map(|found| found[at]),
                        expected.as_ref().map(|known| known[at]),
                    )
                })
                .collect(),
            is_found: found.is_some(),
            clashes: Vec::new(),
            pointed: None,
            clash_decides: false,
        };
        drawing.point(findings);
        Some(drawing)
    }

    /// How many cells have this mark.
    pub(super) fn count(&self, mark: CellMark) -> usize {
        self.cells.iter().filter(|cell| cell.mark == mark).count()
    }

    /// Row and column of a cell, from 0.
    pub(super) fn place(&self, at: usize) -> (usize, usize) {
        (at / self.order, at % self.order)
    }

    /// Whether a cell is in the house in which two cells clash.
    pub(super) fn shares_house(&self, clash: &CellClash, at: usize) -> bool {
        let first = self.place(clash.cells[0]);
        let (row, column) = self.place(at);
        match clash.rule {
            FindingRule::Row => row == first.0,
            FindingRule::Column => column == first.1,
            FindingRule::Box | FindingRule::Region => {
                self.cells[at].region == self.cells[clash.cells[0]].region
            }
            _ => false,
        }
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
                // If several solutions are given for a grid, a clash may be in one that is not
                // drawn.
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
}

/// The mark of a cell, from the symbols in the input, in the output and in the expected grid.
fn judge<'a>(clue: &'a str, found: Option<&'a str>, expected: Option<&'a str>) -> DrawnCell<'a> {
    let is_given = clue != ".";
    let (text, mark, expected) = match (found, expected) {
        (Some(found), _) if is_given && found == clue => (found, CellMark::Given, None),
        (Some(found), _) if is_given => (found, CellMark::Changed, Some(clue)),
        (Some(found), Some(known)) if found != known => (found, CellMark::Wrong, Some(known)),
        (Some(found), None) if matches!(found, "." | "?") => (found, CellMark::Wrong, None),
        (Some(found), _) => (found, CellMark::Kept, None),
        (None, _) if is_given => (clue, CellMark::Given, None),
        (None, Some(known)) => (known, CellMark::Answer, None),
        (None, None) => (clue, CellMark::Open, None),
    };
    DrawnCell {
        text,
        mark,
        expected,
        region: 0,
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
            let cell = judge(clue, found, expected);
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
        let drawing = GridDrawing::of(&picture, &[&clash, &elsewhere, &unequal, &outside]).unwrap();
        assert_eq!(
            drawing.clashes,
            [CellClash {
                cells: [0, 1],
                rule: FindingRule::Row
            }]
        );
        assert!(drawing.clash_decides);
        let drawing = GridDrawing::of(&picture, &[&finding(2, (2, 1), None), &clash]).unwrap();
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
            assert!(GridDrawing::of(&picture, &[]).is_none(), "{order} {clues}");
        }
    }
}
