//! Defines the kinds of grids that can be made. Data only.

use serde::{Deserialize, Serialize};

use crate::make::rate::Rating;
use crate::naive::NaiveSearch;

/// The kind of grid to make. All except the last three have exactly one solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GridKind {
    /// A grid without blanks.
    Complete,
    /// A grid with this many clues.
    Clues(usize),
    /// A grid of which no clue can be removed.
    Minimal,
    /// A grid with a symmetric pattern of clues, of which no group of symmetric clues can be
    /// removed.
    Symmetric(Symmetry),
    /// A grid with 17 clues. Plain 9x9 only.
    Seventeen,
    /// A grid with this rating, of which no clue can be removed.
    Rated(Rating),
    /// A grid that takes a naive search at least this many nodes. Plain 9x9 only.
    Slow {
        /// The search.
        search: NaiveSearch,
        /// The nodes.
        nodes: u64,
    },
    /// A grid with a number of solutions in this range. No more clues are removed than necessary.
    Several {
        /// The least number of solutions.
        least: usize,
        /// The largest number of solutions.
        most: usize,
    },
    /// A grid without a solution that singles alone do not refute.
    Unsolvable,
    /// A grid with two clues that clash and no other mistake. Order 2 or more.
    Invalid,
}

// Defines the symmetries that the pattern of clues may have.

/// A transformation under which the pattern of clues stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Symmetry {
    /// Half a turn.
    HalfTurn,
    /// A quarter of a turn.
    QuarterTurn,
    /// Left and right exchanged.
    LeftRight,
    /// Top and bottom exchanged.
    TopBottom,
    /// Rows and columns exchanged.
    Diagonal,
    /// Rows and columns exchanged along the other diagonal.
    OtherDiagonal,
}

impl Symmetry {
    /// All symmetries, with their names.
    pub const ALL: [(&'static str, Self); 6] = [
        ("half-turn", Self::HalfTurn),
        ("quarter-turn", Self::QuarterTurn),
        ("left-right", Self::LeftRight),
        ("top-bottom", Self::TopBottom),
        ("diagonal", Self::Diagonal),
        ("other-diagonal", Self::OtherDiagonal),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(_, known)| *known == self)
            .map_or("", |(name, _)| name)
    }

    /// The groups of cells that map to each other, each group sorted, ordered by their first cells.
    pub(super) fn groups(self, order: usize) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut is_grouped = vec![false; order * order];
        for cell in 0..order * order {
            if is_grouped[cell] {
                continue;
            }
            let mut group = vec![cell];
            let mut next = self.image(cell, order);
            while next != cell {
                group.push(next);
                next = self.image(next, order);
            }
            group.iter().for_each(|&cell| is_grouped[cell] = true);
            group.sort_unstable();
            groups.push(group);
        }
        groups
    }

    fn image(self, cell: usize, order: usize) -> usize {
        let last = order - 1;
        let row = cell / order;
        let column = cell % order;
        let (row, column) = match self {
            Self::HalfTurn => (last - row, last - column),
            Self::QuarterTurn => (column, last - row),
            Self::LeftRight => (row, last - column),
            Self::TopBottom => (last - row, column),
            Self::Diagonal => (column, row),
            Self::OtherDiagonal => (last - column, last - row),
        };
        order * row + column
    }
}

#[cfg(test)]
mod symmetry_tests {
    use super::*;

    #[test]
    fn groups_hold_every_cell_once_and_are_as_large_as_the_symmetry() {
        for (name, symmetry) in Symmetry::ALL {
            for order in [4, 9] {
                let groups = symmetry.groups(order);
                let mut cells: Vec<_> = groups.concat();
                cells.sort_unstable();
                assert_eq!(cells, (0..order * order).collect::<Vec<_>>(), "{name}");
                let largest = groups.iter().map(Vec::len).max();
                assert_eq!(
                    largest,
                    Some(if symmetry == Symmetry::QuarterTurn {
                        4
                    } else {
                        2
                    }),
                    "{name}"
                );
            }
        }
    }
}
