//! A picture and the findings about it, turned into what is to be drawn: a mark for each cell, and the pairs that clash.
//! Believes nothing: a log may come from anywhere, so what does not fit together is not drawn.

use crate::model::Finding;
use crate::model::FindingRule;
use crate::model::GridPicture;

/// Rows of the largest grid that can still be read when it is drawn.
const LARGEST_ORDER: usize = 25;

/// What a cell is to the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellMark {
    /// The input gives it.
    Given,
    /// The program's, and not known to be wrong.
    Kept,
    /// Not what is expected; blank and unreadable cells are this as well.
    Wrong,
    /// The input gave something else.
    Changed,
    /// Expected, where the program gives no grid at all.
    Answer,
    /// Nothing is known of it.
    Open,
}

/// One cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DrawnCell<'a> {
    pub(super) text: &'a str,
    pub(super) mark: CellMark,
    /// What belongs there, where that is something else.
    pub(super) expected: Option<&'a str>,
    pub(super) region: u32,
}

/// Two cells with the same symbol in a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellClash {
    pub(super) cells: [usize; 2],
    pub(super) rule: FindingRule,
}

/// All that is to be drawn of a grid.
pub(super) struct GridDrawing<'a> {
    pub(super) grid: u64,
    pub(super) order: usize,
    pub(super) diagonals: bool,
    /// Row by row.
    pub(super) cells: Vec<DrawnCell<'a>>,
    /// Whether the output gives a grid, and not the expected one stands in for it.
    pub(super) is_found: bool,
    /// In the order of the findings.
    pub(super) clashes: Vec<CellClash>,
    /// The one cell that the deciding finding is about, if it is not a clash.
    pub(super) pointed: Option<usize>,
    /// Whether the deciding finding is about the first clash.
    pub(super) clash_decides: bool,
}

impl<'a> GridDrawing<'a> {
    /// The drawing of a picture; none where the picture contradicts itself. The first finding is the one that decided.
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
        let cell = |at: usize| DrawnCell {
            region: regions.as_ref().map_or(0, |regions| regions[at].parse().unwrap_or(0)),
            ..judge(
                clues[at],
                found.as_ref().map(|found| found[at]),
                expected.as_ref().map(|known| known[at]),
            )
        };
        let mut drawing = Self {
            grid: picture.grid,
            order,
            diagonals: picture.diagonals,
            cells: (0..order * order).map(cell).collect(),
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

    /// Whether a cell lies in the house that two cells clash in.
    pub(super) fn shares_house(&self, clash: &CellClash, at: usize) -> bool {
        let (first, (row, column)) = (self.place(clash.cells[0]), self.place(at));
        match clash.rule {
            FindingRule::Row => row == first.0,
            FindingRule::Column => column == first.1,
            FindingRule::Box | FindingRule::Region => {
                self.cells[at].region == self.cells[clash.cells[0]].region
            }
            _ => false,
        }
    }

    /// Notes the cells that the findings are about.
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
                let (row, column) = (row.filter(is_inside)?, column.filter(is_inside)?);
                usize::try_from((row - 1) * order + column - 1).ok()
            };
            let first = at(finding.row, finding.column);
            let second = finding.other.and_then(|other| at(Some(other.row), Some(other.column)));
            match (first, second, finding.rule) {
                // Where several solutions are given for a grid, a clash may be of one that is not drawn.
                (Some(first), Some(second), Some(rule))
                    if self.cells[first].text == self.cells[second].text =>
                {
                    self.clash_decides |= number == 0;
                    self.clashes.push(CellClash { cells: [second, first], rule });
                }
                (Some(cell), None, _) if number == 0 => self.pointed = Some(cell),
                _ => {}
            }
        }
    }
}

/// What a cell is, from what was asked for, given, and expected there.
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
    DrawnCell { text, mark, expected, region: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CellPosition;
    use crate::model::FindingKind;

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
    fn a_cell_is_marked_by_what_was_asked_given_and_expected() {
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
            assert_eq!((cell.mark, cell.expected), (mark, belongs), "{clue} {found:?} {expected:?}");
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
        assert_eq!(drawing.clashes, [CellClash { cells: [0, 1], rule: FindingRule::Row }]);
        assert!(drawing.clash_decides);
        let drawing = GridDrawing::of(&picture, &[&finding(2, (2, 1), None), &clash]).unwrap();
        assert_eq!((drawing.pointed, drawing.clash_decides, drawing.clashes.len()), (Some(2), false, 1));
    }

    #[test]
    fn a_picture_that_contradicts_itself_is_not_drawn() {
        for (order, clues) in [(0, ""), (3, "1 . . ."), (26, "."), (usize::MAX, "."), (2, "1 . . 12345")] {
            let picture = GridPicture { order, clues: clues.into(), ..picture() };
            assert!(GridDrawing::of(&picture, &[]).is_none(), "{order} {clues}");
        }
    }
}
