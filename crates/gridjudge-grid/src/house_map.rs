//! Maps the cells of a shape to their houses and peers, and tracks the values placed in
//! each house, laid out for fast searches.

use crate::{ArithmeticNarrowing, BLANK, Shape, Value};

/// The most houses that one cell is in: row, column, box or region, two diagonals.
pub(crate) const MOST_HOUSES: usize = 5;

/// Room for the houses of a grid: a power of two, so that a masked index needs no
/// bounds check.
const HOUSES_OF_GRID: usize = 128;

/// The houses that a cell is in.
pub(crate) type CellHouses<const HOUSES: usize = MOST_HOUSES> = [u8; HOUSES];

/// The geometry of one shape.
#[derive(Clone, Debug)]
pub(crate) struct HouseMap {
    pub(crate) order: usize,
    /// The number of symbols.
    pub(crate) values: usize,
    pub(crate) houses: Vec<Vec<usize>>,
    /// The houses of each cell; the last is repeated to fill the array.
    pub(crate) houses_of: Vec<CellHouses>,
    /// The most houses that a cell is in.
    pub(crate) depth: usize,
    /// For each cell, the cells it shares a house with, or a cage without repetitions,
    /// sorted.
    pub(crate) peers: Vec<Vec<usize>>,
    /// Cages and inequalities.
    pub(crate) arithmetic: Option<ArithmeticNarrowing>,
}

impl HouseMap {
    pub(crate) fn new(shape: &Shape) -> Self {
        let houses: Vec<Vec<usize>> = shape
            .houses()
            .into_iter()
            .map(|house| house.cells)
            .collect();
        let of_cells = houses_of_cells(shape.cells(), &houses);
        let depth = of_cells.iter().map(Vec::len).max().unwrap_or_default();
        let arithmetic = ArithmeticNarrowing::for_shape(shape);
        let peers = peers_of_cells(shape.cells(), &houses, arithmetic.as_ref());
        let houses_of = of_cells
            .iter()
            .map(|of_cell| {
                // A grid of order 25 has at most 77 houses, so their numbers fit a
                // byte.
                std::array::from_fn(|place| {
                    of_cell[place.min(of_cell.len() - 1)] as u8
                })
            })
            .collect();
        Self {
            order: shape.order(),
            values: shape.values(),
            houses_of,
            houses,
            depth,
            peers,
            arithmetic,
        }
    }
}

/// For each cell, the numbers of the houses that contain it.
pub fn houses_of_cells<'h>(
    cells: usize,
    houses: impl IntoIterator<Item = &'h Vec<usize>>,
) -> Vec<Vec<usize>> {
    let mut of_cells = vec![vec![]; cells];
    for (house, number) in houses.into_iter().zip(0..) {
        for &cell in house {
            of_cells[cell].push(number);
        }
    }
    of_cells
}

/// For each cell, the cells that must not have its value, sorted: they share a house
/// with it, or a cage without repetitions.
pub fn peers_of_cells(
    cells: usize,
    houses: &[Vec<usize>],
    arithmetic: Option<&ArithmeticNarrowing>,
) -> Vec<Vec<usize>> {
    let cages = arithmetic.iter().flat_map(|known| &known.demands().cages);
    let cages = cages
        .filter(|cage| !cage.may_repeat)
        .map(|cage| &cage.cells);
    let mut of_cells = vec![vec![]; cells];
    for different in houses.iter().chain(cages) {
        for &cell in different {
            of_cells[cell].extend(different);
        }
    }
    for (cell, peers) in of_cells.iter_mut().enumerate() {
        peers.retain(|&peer| peer != cell);
        peers.sort_unstable();
        peers.dedup();
    }
    of_cells
}

/// The values placed in each house; bit `v - 1` stands for value `v`.
pub(crate) struct PlacedValues<const HOUSES: usize = MOST_HOUSES>(
    [u32; HOUSES_OF_GRID],
);

impl<const HOUSES: usize> PlacedValues<HOUSES> {
    pub(crate) fn new() -> Self {
        Self([0; HOUSES_OF_GRID])
    }

    /// The values placed in the houses of a cell.
    #[inline(always)]
    pub(crate) fn around(&self, houses: &CellHouses<HOUSES>) -> u32 {
        houses.iter().fold(0, |mask, &house| {
            mask | self.0[usize::from(house) % HOUSES_OF_GRID]
        })
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, houses: &CellHouses<HOUSES>, bit: u32) {
        for &house in houses {
            self.0[usize::from(house) % HOUSES_OF_GRID] |= bit;
        }
    }

    // A house may be listed twice for a cell, so bits are cleared, not flipped.
    #[inline(always)]
    pub(crate) fn remove(&mut self, houses: &CellHouses<HOUSES>, bit: u32) {
        for &house in houses {
            self.0[usize::from(house) % HOUSES_OF_GRID] &= !bit;
        }
    }
}

/// The bits of these values, with `blank` in place of blank cells.
pub(crate) fn bits_of(cells: &[Value], blank: u32) -> Vec<u32> {
    cells
        .iter()
        .map(|&value| {
            if value == BLANK {
                blank
            } else {
                1 << (value - 1)
            }
        })
        .collect()
}

/// The value of a bit.
pub(crate) fn value_of(bit: u32) -> Value {
    // A mask has at most 25 bits, so this fits a byte.
    bit.trailing_zeros() as Value + 1
}
