//! Defines the rules of a grid: its order, its houses, and the arithmetic between its
//! cells. Knows no symbols and no text.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::LARGEST_ORDER;
use crate::arithmetic::{Arithmetic, Cage, CageOperation};

/// Order, houses and arithmetic of a grid. A cell is a number `order * row + column`,
/// both from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    order: u8,
    regions: Regions,
    diagonals: bool,
    /// Whether the grid as a whole holds every symbol once, and not its rows and
    /// columns.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    is_magic: bool,
    /// Cages and inequalities; `None` if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) arithmetic: Option<Arc<Arithmetic>>,
}

/// How a grid is divided in addition to its rows and columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Regions {
    /// Not at all: a Latin square.
    None,
    /// Boxes of one size.
    Boxes { rows: u8, columns: u8 },
    /// By a map: the region of each cell. Regions are numbered from 0 in the order of
    /// their first cells.
    Map(Arc<[u8]>),
}

impl Shape {
    /// A grid of `order` rows and columns whose boxes have `box_rows` rows and
    /// `box_columns` columns.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if the order is out of bounds or the boxes do not have
    /// `order` cells.
    pub fn new(
        order: u64,
        box_rows: u64,
        box_columns: u64,
    ) -> Result<Self, ShapeError> {
        let latin = Self::latin(order)?;
        // A box of `order` cells has at most `order` rows and columns, so both fit a
        // byte.
        match (u8::try_from(box_rows), u8::try_from(box_columns)) {
            (Ok(rows), Ok(columns))
                if u64::from(rows) * u64::from(columns) == order =>
            {
                Ok(Self {
                    regions: Regions::Boxes { rows, columns },
                    ..latin
                })
            }
            _ => Err(ShapeError::Boxes {
                order,
                rows: box_rows,
                columns: box_columns,
            }),
        }
    }

    /// A grid of `order` rows and columns with square boxes.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if the order is out of bounds or not a square number.
    pub fn square(order: u64) -> Result<Self, ShapeError> {
        Self::latin(order)?;
        let side = order.isqrt();
        if side * side == order {
            Self::new(order, side, side)
        } else {
            Err(ShapeError::NotSquare(order))
        }
    }

    /// A grid of `order` rows and columns without boxes: a Latin square.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if the order is out of bounds.
    pub fn latin(order: u64) -> Result<Self, ShapeError> {
        let order = u8::try_from(order)
            .ok()
            .filter(|order| (1..=LARGEST_ORDER).contains(order))
            .ok_or(ShapeError::Order(order))?;
        Ok(Self {
            order,
            regions: Regions::None,
            diagonals: false,
            is_magic: false,
            arithmetic: None,
        })
    }

    /// A magic square: it holds each of the values 1 to `order * order` once, and all
    /// its rows and columns have the same sum, and so have both long diagonals if
    /// `with_diagonals`.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if there is none of that order, or if it needs more than
    /// [`LARGEST_ORDER`] symbols.
    pub fn magic(order: u64, with_diagonals: bool) -> Result<Self, ShapeError> {
        let latin = Self::latin(order)?;
        if order == 2 || order * order > u64::from(LARGEST_ORDER) {
            return Err(ShapeError::Magic(order));
        }
        let shape = Self {
            diagonals: with_diagonals,
            is_magic: true,
            ..latin
        };
        let target = order * (order * order + 1) / 2;
        let cages = shape
            .lines()
            .into_iter()
            .map(|line| Cage {
                cells: line.cells,
                operation: CageOperation::Sum,
                target,
                may_repeat: false,
            })
            .collect();
        Ok(shape.with_arithmetic(Arithmetic {
            cages,
            inequalities: vec![],
        }))
    }

    /// A grid of `order` rows and columns whose regions are given by a map: one string
    /// per row, one character per cell, the same character for all cells of a region.
    ///
    /// # Errors
    /// Returns a [`ShapeError`] if the order is out of bounds, else for everything that
    /// gives the map another size, else for every region that does not have `order`
    /// cells.
    pub fn jigsaw(
        order: u64,
        map: &[impl AsRef<str>],
    ) -> Result<Self, Vec<ShapeError>> {
        let latin = Self::latin(order).map_err(|why| vec![why])?;
        let found = map.len();
        let rows =
            (found as u64 != order).then_some(ShapeError::MapRows { order, found });
        let lengths = map.iter().map(|row| row.as_ref().chars().count()).zip(1..);
        let columns = lengths
            .filter(|(found, _)| *found as u64 != order)
            .map(|(found, row)| ShapeError::MapColumns { order, row, found });
        let sizes: Vec<_> = rows.into_iter().chain(columns).collect();
        if !sizes.is_empty() {
            return Err(sizes);
        }
        let names: Vec<char> =
            map.iter().flat_map(|row| row.as_ref().chars()).collect();
        latin.with_regions(&names).map_err(|uneven| {
            let regions = uneven.into_iter().map(|region| ShapeError::Region {
                order,
                name: names[region.cell],
                found: region.cells,
            });
            regions.collect()
        })
    }

    /// The same grid, divided by a map that gives the name of each cell's region.
    ///
    /// # Errors
    /// Returns every region whose number of cells is not the order of the grid.
    pub fn with_regions<T: Copy + PartialEq>(
        self,
        names: &[T],
    ) -> Result<Self, Vec<UnevenRegion>> {
        let mut known: Vec<(T, UnevenRegion)> = vec![];
        let mut regions = Vec::with_capacity(names.len());
        for (cell, &name) in names.iter().enumerate() {
            let region = known
                .iter()
                .position(|(known, _)| *known == name)
                .unwrap_or_else(|| {
                    known.push((name, UnevenRegion { cell, cells: 0 }));
                    known.len() - 1
                });
            known[region].1.cells += 1;
            // If there are more regions than fit a byte, some have too few cells and
            // the map is refused below.
            regions.push(region as u8);
        }
        let uneven: Vec<_> = known
            .into_iter()
            .map(|(_, region)| region)
            .filter(|region| region.cells != self.order())
            .collect();
        if uneven.is_empty() {
            Ok(Self {
                regions: Regions::Map(regions.into()),
                ..self
            })
        } else {
            Err(uneven)
        }
    }

    /// The same grid, in which both long diagonals must also hold every symbol once.
    #[must_use]
    pub fn with_diagonals(self) -> Self {
        Self {
            diagonals: true,
            ..self
        }
    }

    /// The same grid, in which these cages and inequalities must also hold.
    #[must_use]
    pub fn with_arithmetic(self, arithmetic: Arithmetic) -> Self {
        Self {
            arithmetic: (!arithmetic.is_empty()).then(|| Arc::new(arithmetic)),
            ..self
        }
    }

    /// The number of rows, and of columns.
    pub fn order(&self) -> usize {
        usize::from(self.order)
    }

    /// The number of symbols: the order, or in a magic square the number of cells.
    pub fn values(&self) -> usize {
        if self.is_magic {
            self.cells()
        } else {
            self.order()
        }
    }

    /// Whether this is a magic square. Its arithmetic is a sum for each of its
    /// [lines](Self::lines).
    pub fn is_magic(&self) -> bool {
        self.is_magic
    }

    /// Rows and columns of one box; `None` if the grid is not divided into boxes.
    pub fn boxes(&self) -> Option<(usize, usize)> {
        match self.regions {
            Regions::Boxes { rows, columns } => {
                Some((usize::from(rows), usize::from(columns)))
            }
            Regions::None | Regions::Map(_) => None,
        }
    }

    /// Whether both long diagonals must hold every symbol once.
    pub fn has_diagonals(&self) -> bool {
        self.diagonals
    }

    /// Its cages and inequalities; `None` if it has none.
    pub fn arithmetic(&self) -> Option<&Arithmetic> {
        self.arithmetic.as_deref()
    }

    /// Whether a map divides the grid.
    pub fn is_jigsaw(&self) -> bool {
        matches!(self.regions, Regions::Map(_))
    }

    /// Whether rows, columns and boxes of this size are its only rules.
    pub fn has_only_boxes(&self, rows: usize, columns: usize) -> bool {
        self.boxes() == Some((rows, columns))
            && !self.diagonals
            && self.arithmetic.is_none()
    }

    /// Whether this is the usual grid: order 9, boxes of 3x3, no houses but rows,
    /// columns and boxes, and no arithmetic.
    pub fn is_plain_nine(&self) -> bool {
        self.order == 9 && self.has_only_boxes(3, 3)
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.order() * self.order()
    }

    /// Row and column of a cell, both from 0.
    pub fn place(&self, cell: usize) -> (usize, usize) {
        (cell / self.order(), cell % self.order())
    }

    /// The box or region of a cell, from 0 in the reading order of their first cells;
    /// `None` in a Latin square.
    pub fn region_of(&self, cell: usize) -> Option<usize> {
        match &self.regions {
            Regions::None => None,
            Regions::Boxes { rows, columns } => {
                let (row, column) = self.place(cell);
                let rows = usize::from(*rows);
                let columns = usize::from(*columns);
                Some(row / rows * (self.order() / columns) + column / columns)
            }
            Regions::Map(regions) => Some(usize::from(regions[cell])),
        }
    }

    /// All houses: rows, then columns, then boxes or regions, then diagonals. Boxes
    /// that are rows or columns are left out, since every mistake in one would be
    /// reported twice: such a grid is a Latin square. A magic square is one house.
    pub fn houses(&self) -> Vec<House> {
        if self.is_magic {
            return vec![House {
                kind: HouseKind::Square,
                number: 1,
                cells: (0..self.cells()).collect(),
            }];
        }
        let mut houses = self.lines();
        let diagonals = houses.split_off(2 * self.order());
        let kind = if self.is_jigsaw() {
            HouseKind::Region
        } else {
            HouseKind::Box
        };
        if self
            .boxes()
            .is_none_or(|(rows, columns)| rows > 1 && columns > 1)
        {
            houses.extend(self.divided(kind, |cell| self.region_of(cell)));
        }
        houses.extend(diagonals);
        houses
    }

    /// All rows, then all columns, then both long diagonals if they count.
    pub fn lines(&self) -> Vec<House> {
        let mut lines = self.divided(HouseKind::Row, |cell| Some(self.place(cell).0));
        lines
            .extend(self.divided(HouseKind::Column, |cell| Some(self.place(cell).1)));
        if self.diagonals {
            let last = self.order() - 1;
            lines.push(self.diagonal(1, |row| row));
            lines.push(self.diagonal(2, |row| last - row));
        }
        lines
    }

    /// The houses of one kind. `number_of` returns the number (from 0) of the house
    /// that a cell belongs to.
    fn divided(
        &self,
        kind: HouseKind,
        number_of: impl Fn(usize) -> Option<usize>,
    ) -> Vec<House> {
        let mut houses: Vec<_> = (1..=self.order())
            .map(|number| House {
                kind,
                number,
                cells: Vec::with_capacity(self.order()),
            })
            .collect();
        for cell in 0..self.cells() {
            if let Some(number) = number_of(cell) {
                houses[number].cells.push(cell);
            }
        }
        houses.retain(|house| !house.cells.is_empty());
        houses
    }

    fn diagonal(&self, number: usize, column_of: impl Fn(usize) -> usize) -> House {
        let cells = (0..self.order())
            .map(|row| row * self.order() + column_of(row))
            .collect();
        House {
            kind: HouseKind::Diagonal,
            number,
            cells,
        }
    }
}

// Says why no grid of a wanted shape exists. Data only.

/// A region whose number of cells is not the order of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnevenRegion {
    /// Its first cell.
    pub cell: usize,
    /// How many cells it has.
    pub cells: usize,
}

/// Why no grid of a given order with given houses exists.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// The order is zero or larger than [`LARGEST_ORDER`].
    #[error("order {0} is not between 1 and {LARGEST_ORDER}")]
    Order(u64),
    /// Boxes of this size do not have one cell for each symbol.
    #[error("boxes of {rows}x{columns} have {} cells, a grid of order {order} needs {order}", rows.saturating_mul(*columns))]
    Boxes {
        /// Order of the grid.
        order: u64,
        /// Rows of one box.
        rows: u64,
        /// Columns of one box.
        columns: u64,
    },
    /// A grid of this order has no square boxes.
    #[error("a grid of order {0} has no square boxes")]
    NotSquare(u64),
    /// There is no magic square of this order, or it has more symbols than a grid may
    /// have.
    #[error("a magic square has an order of 1, 3, 4 or 5, not {0}")]
    Magic(u64),
    /// A map of regions has too few or too many rows.
    #[error("the map has {found} rows, a grid of order {order} needs {order}")]
    MapRows {
        /// Order of the grid.
        order: u64,
        /// Rows of the map.
        found: usize,
    },
    /// A row of a map has too few or too many characters.
    #[error(
        "row {row} of the map has {found} characters, a grid of order {order} needs {order}"
    )]
    MapColumns {
        /// Order of the grid.
        order: u64,
        /// The row, from 1.
        row: usize,
        /// How many characters it has.
        found: usize,
    },
    /// A region has too few or too many cells.
    #[error(
        "region `{name}` of the map has {found} cells, a grid of order {order} needs {order}"
    )]
    Region {
        /// Order of the grid.
        order: u64,
        /// The character that marks the region in the map.
        name: char,
        /// How many cells it has.
        found: usize,
    },
}

// Defines houses, the sets of cells that must hold every symbol once, and their names.
// Data only.

/// A set of cells that must hold every symbol once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct House {
    /// Its kind.
    pub kind: HouseKind,
    /// Its number from 1: rows from the top, columns from the left, boxes and regions
    /// in the reading order of their first cells; diagonal 1 starts at the top left, 2
    /// at the top right.
    pub number: usize,
    /// Its cells in reading order.
    pub cells: Vec<usize>,
}

/// The kinds of houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HouseKind {
    /// A row.
    Row,
    /// A column.
    Column,
    /// A box.
    Box,
    /// A region of a jigsaw map.
    Region,
    /// One of the two long diagonals.
    Diagonal,
    /// All cells of a magic square.
    Square,
}

impl HouseKind {
    /// The name of one house of this kind: `row 3`, `diagonal 2 (from the top right)`,
    /// `the square`.
    pub fn name(self, number: usize) -> String {
        match (self, number) {
            (Self::Diagonal, 1) => "diagonal 1 (from the top left)".to_owned(),
            (Self::Diagonal, _) => "diagonal 2 (from the top right)".to_owned(),
            (Self::Square, _) => "the square".to_owned(),
            _ => format!("{self} {number}"),
        }
    }
}

impl fmt::Display for HouseKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Row => "row",
            Self::Column => "column",
            Self::Box => "box",
            Self::Region => "region",
            Self::Diagonal => "diagonal",
            Self::Square => "square",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_stands_in_one_row_one_column_and_one_box() {
        for (order, rows, columns) in
            [(4, 2, 2), (6, 2, 3), (9, 3, 3), (12, 3, 4), (25, 5, 5)]
        {
            let shape = Shape::new(order, rows, columns).unwrap();
            let houses = shape.houses();
            assert_eq!(houses.len(), 3 * shape.order());
            for cell in 0..shape.cells() {
                let kinds: Vec<_> = houses
                    .iter()
                    .filter(|house| house.cells.contains(&cell))
                    .map(|house| house.kind)
                    .collect();
                assert_eq!(
                    kinds,
                    [HouseKind::Row, HouseKind::Column, HouseKind::Box]
                );
            }
            assert!(
                houses
                    .iter()
                    .all(|house| house.cells.len() == shape.order())
            );
        }
    }

    #[test]
    fn boxes_of_one_row_or_column_are_not_listed_as_houses() {
        for (rows, columns) in [(1, 5), (5, 1)] {
            assert_eq!(Shape::new(5, rows, columns).unwrap().houses().len(), 10);
        }
    }

    #[test]
    fn boxes_are_numbered_in_reading_order() {
        let shape = Shape::new(6, 2, 3).unwrap();
        assert_eq!(shape.houses()[12 + 3].cells, [15, 16, 17, 21, 22, 23]);
    }

    #[test]
    fn a_map_divides_a_grid_into_regions_and_diagonals_follow_them() {
        let shape = Shape::jigsaw(4, &["AABB", "ABBC", "ADCC", "DDDC"]).unwrap();
        let houses = shape.clone().with_diagonals().houses();
        let found: Vec<_> = houses[8..]
            .iter()
            .map(|house| (house.kind, house.cells.clone()))
            .collect();
        assert_eq!(
            found,
            [
                (HouseKind::Region, vec![0, 1, 4, 8]),
                (HouseKind::Region, vec![2, 3, 5, 6]),
                (HouseKind::Region, vec![7, 10, 11, 15]),
                (HouseKind::Region, vec![9, 12, 13, 14]),
                (HouseKind::Diagonal, vec![0, 5, 10, 15]),
                (HouseKind::Diagonal, vec![3, 6, 9, 12]),
            ]
        );
        assert_eq!(shape.houses().len(), 12);
        assert_eq!(Shape::latin(4).unwrap().houses().len(), 8);
        assert_eq!(Shape::square(9), Shape::new(9, 3, 3));
    }

    #[test]
    fn a_magic_square_is_one_house_and_each_of_its_lines_has_the_same_sum() {
        let shape = Shape::magic(3, true).unwrap();
        assert_eq!(
            (shape.order(), shape.values(), shape.houses().len()),
            (3, 9, 1)
        );
        assert_eq!(shape.houses()[0].cells, (0..9).collect::<Vec<_>>());
        let cages = &shape.arithmetic().unwrap().cages;
        let lines = shape.lines();
        assert!(
            lines
                .iter()
                .zip(cages)
                .all(|(line, cage)| line.cells == cage.cells && cage.target == 15)
        );
        assert_eq!((lines.len(), cages.len()), (8, 8));
        assert_eq!(
            Shape::magic(4, false)
                .unwrap()
                .arithmetic()
                .unwrap()
                .cages
                .len(),
            8
        );
        for order in [2, 6] {
            assert_eq!(Shape::magic(order, true), Err(ShapeError::Magic(order)));
        }
    }

    #[test]
    fn an_impossible_map_is_refused_with_all_reasons() {
        let messages = |map: &[&str]| {
            let found = Shape::jigsaw(4, map).unwrap_err();
            let lines: Vec<_> = found.iter().map(ToString::to_string).collect();
            lines.join("\n")
        };
        assert_eq!(
            messages(&["AABB", "AAB"]),
            "the map has 2 rows, a grid of order 4 needs 4\n\
             row 2 of the map has 3 characters, a grid of order 4 needs 4"
        );
        assert_eq!(
            messages(&["AABB", "AAAB", "CCDD", "CCDD"]),
            "region `A` of the map has 5 cells, a grid of order 4 needs 4\n\
             region `B` of the map has 3 cells, a grid of order 4 needs 4"
        );
        assert_eq!(
            Shape::square(6).unwrap_err().to_string(),
            "a grid of order 6 has no square boxes"
        );
    }

    #[test]
    fn an_impossible_shape_is_refused_with_the_reason() {
        let message = |order, rows, columns| {
            Shape::new(order, rows, columns).unwrap_err().to_string()
        };
        assert_eq!(
            message(9, 2, 3),
            "boxes of 2x3 have 6 cells, a grid of order 9 needs 9"
        );
        assert_eq!(message(0, 0, 0), "order 0 is not between 1 and 25");
        assert_eq!(message(26, 2, 13), "order 26 is not between 1 and 25");
        assert_eq!(
            message(4, 300, 300),
            "boxes of 300x300 have 90000 cells, a grid of order 4 needs 4"
        );
    }
}
