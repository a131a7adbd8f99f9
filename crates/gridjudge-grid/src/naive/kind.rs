//! Defines the naive searches: their names, and the order in which each considers cells and values.

use serde::{Deserialize, Serialize};

use crate::{BLANK, Value};

/// A naive search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NaiveSearch {
    /// Cells in reading order, values ascending.
    Rows,
    /// Cells in reading order, values descending.
    RowsDescending,
    /// The last row first, each row from the left, values ascending.
    BottomUp,
    /// From the last cell to the first, values ascending.
    Backwards,
    /// From the last cell to the first, values descending.
    BackwardsDescending,
    /// Column by column from the left, values ascending.
    Columns,
    /// Column by column from the left, values descending.
    ColumnsDescending,
    /// The row with the fewest blanks first, otherwise like `Rows`.
    FullestRow,
    /// The cell with the fewest candidates; among several the first in reading order. Values
    /// ascending.
    FewestCandidates,
    /// Like `FewestCandidates`, values descending.
    FewestCandidatesDescending,
    /// The cell with the fewest candidates; among several the last in reading order. Values
    /// ascending.
    FewestCandidatesBackwards,
    /// The cell with the fewest candidates; among several the first by columns. Values ascending.
    FewestCandidatesByColumns,
}

impl NaiveSearch {
    /// All searches.
    pub const ALL: [Self; 12] = [
        Self::Rows,
        Self::RowsDescending,
        Self::BottomUp,
        Self::Backwards,
        Self::BackwardsDescending,
        Self::Columns,
        Self::ColumnsDescending,
        Self::FullestRow,
        Self::FewestCandidates,
        Self::FewestCandidatesDescending,
        Self::FewestCandidatesBackwards,
        Self::FewestCandidatesByColumns,
    ];

    /// Its name in specs and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::RowsDescending => "rows-descending",
            Self::BottomUp => "bottom-up",
            Self::Backwards => "backwards",
            Self::BackwardsDescending => "backwards-descending",
            Self::Columns => "columns",
            Self::ColumnsDescending => "columns-descending",
            Self::FullestRow => "fullest-row",
            Self::FewestCandidates => "fewest-candidates",
            Self::FewestCandidatesDescending => "fewest-candidates-descending",
            Self::FewestCandidatesBackwards => "fewest-candidates-backwards",
            Self::FewestCandidatesByColumns => "fewest-candidates-by-columns",
        }
    }

    /// Whether values are tried in descending order.
    pub fn is_descending(self) -> bool {
        matches!(
            self,
            Self::RowsDescending
                | Self::BackwardsDescending
                | Self::ColumnsDescending
                | Self::FewestCandidatesDescending
        )
    }

    /// Whether it always picks the cell with the fewest candidates.
    pub fn is_narrowing(self) -> bool {
        matches!(
            self,
            Self::FewestCandidates
                | Self::FewestCandidatesDescending
                | Self::FewestCandidatesBackwards
                | Self::FewestCandidatesByColumns
        )
    }

    /// All cells in the order in which the search considers them.
    pub(super) fn cells(self, order: usize, clues: &[Value]) -> Vec<usize> {
        let place = |cell: usize| (cell / order, cell % order);
        let mut cells: Vec<usize> = (0..order * order).collect();
        match self {
            Self::Rows | Self::RowsDescending => {}
            Self::FewestCandidates | Self::FewestCandidatesDescending => {}
            Self::BottomUp => cells.sort_by_key(|&cell| (order - place(cell).0, cell)),
            Self::Backwards | Self::BackwardsDescending | Self::FewestCandidatesBackwards => {
                cells.reverse()
            }
            Self::Columns | Self::ColumnsDescending | Self::FewestCandidatesByColumns => {
                cells.sort_by_key(|&cell| (place(cell).1, cell));
            }
            Self::FullestRow => {
                cells.sort_by_key(|&cell| {
                    let row = &clues[place(cell).0 * order..][..order];
                    let blanks = row.iter().filter(|value| **value == BLANK).count();
                    (blanks, cell)
                });
            }
        }
        cells
    }
}
