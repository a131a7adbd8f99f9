//! The candidates of a grid, and the geometry they stand in.

use crate::BLANK;
use crate::Shape;
use crate::Value;

/// Room for the houses of a grid, a power of two, so that no index has to be checked.
const MOST_HOUSES: usize = 128;

/// The values that stand in each house; bit `v - 1` stands for value `v`.
#[derive(Clone, Debug)]
pub(super) struct PlacedValues([u32; MOST_HOUSES]);

/// A cell without candidates, or a symbol without a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CandidateContradiction;

/// What the steps know of a shape.
#[derive(Clone, Debug)]
pub(super) struct HouseMap {
    pub(super) order: usize,
    pub(super) houses: Vec<Vec<usize>>,
    /// The houses of each cell; the last is repeated to fill the place.
    pub(super) houses_of: Vec<[u8; 5]>,
    /// The most houses that a cell is in.
    pub(super) depth: usize,
    /// For each cell, the cells it shares a house with, sorted.
    pub(super) peers: Vec<Vec<usize>>,
    pub(super) crossings: Vec<HouseIntersection>,
}

/// Two houses that share cells: a symbol that has no place in the rest of one has none in the rest of the other.
#[derive(Clone, Debug)]
pub(super) struct HouseIntersection {
    pub(super) rest_of_one: Vec<usize>,
    pub(super) rest_of_other: Vec<usize>,
}

/// Candidates of every cell; bit `v - 1` stands for value `v`.
#[derive(Clone, Debug)]
pub(super) struct CandidateGrid {
    pub(super) candidates: Vec<u32>,
    /// Cells whose value has been taken from their peers.
    pub(super) settled: Vec<bool>,
}

impl HouseMap {
    pub(super) fn new(shape: &Shape) -> Self {
        let houses: Vec<Vec<usize>> = shape.houses().into_iter().map(|house| house.cells).collect();
        let peers = (0..shape.cells())
            .map(|cell| {
                let of_cell = houses.iter().filter(|house| house.contains(&cell));
                let mut peers: Vec<_> = of_cell.flatten().copied().filter(|&peer| peer != cell).collect();
                peers.sort_unstable();
                peers.dedup();
                peers
            })
            .collect();
        let houses_of = (0..shape.cells()).map(|cell| houses_of(cell, &houses)).collect();
        let depth =
            (0..shape.cells()).map(|cell| houses.iter().filter(|house| house.contains(&cell)).count());
        let depth = depth.max().unwrap_or_default();
        Self { order: shape.order(), crossings: crossings(&houses), houses, houses_of, depth, peers }
    }
}

fn houses_of(cell: usize, houses: &[Vec<usize>]) -> [u8; 5] {
    // Order 25 has 77 houses at most.
    let of_cell = houses.iter().zip(0..).filter(|(house, _)| house.contains(&cell)).map(|(_, number)| number);
    let of_cell: Vec<u8> = of_cell.collect();
    std::array::from_fn(|place| of_cell[place.min(of_cell.len() - 1)])
}

/// The pairs of houses that share two cells or more, in both directions.
fn crossings(houses: &[Vec<usize>]) -> Vec<HouseIntersection> {
    let mut found = Vec::new();
    for one in houses {
        for other in houses.iter().filter(|other| *other != one) {
            let apart = |from: &[usize], house: &[usize]| -> Vec<usize> {
                from.iter().copied().filter(|cell| !house.contains(cell)).collect()
            };
            let rest_of_one = apart(one, other);
            if rest_of_one.len() + 2 <= one.len() && !rest_of_one.is_empty() {
                found.push(HouseIntersection { rest_of_one, rest_of_other: apart(other, one) });
            }
        }
    }
    found
}

impl PlacedValues {
    pub(super) fn new() -> Self {
        Self([0; MOST_HOUSES])
    }

    /// The values that stand in the houses of a cell.
    pub(super) fn around(&self, houses: &[u8; 5]) -> u32 {
        houses.iter().fold(0, |mask, &house| mask | self.0[usize::from(house) % MOST_HOUSES])
    }

    pub(super) fn add(&mut self, houses: &[u8; 5], bit: u32) {
        houses.iter().for_each(|&house| self.0[usize::from(house) % MOST_HOUSES] |= bit);
    }

    // A house may be listed twice, so bits are cleared, not flipped.
    pub(super) fn remove(&mut self, houses: &[u8; 5], bit: u32) {
        houses.iter().for_each(|&house| self.0[usize::from(house) % MOST_HOUSES] &= !bit);
    }
}

/// The value of a bit.
pub(super) fn value_of(bit: u32) -> Value {
    // A mask has 25 bits at most.
    bit.trailing_zeros() as Value + 1
}

impl CandidateGrid {
    /// The candidates at the outset.
    pub(super) fn new(map: &HouseMap, clues: &[Value]) -> Result<Self, CandidateContradiction> {
        let all = (1u32 << map.order) - 1;
        let clashes = |cell: usize| {
            clues[cell] != BLANK && map.peers[cell].iter().any(|&peer| clues[peer] == clues[cell])
        };
        if (0..clues.len()).any(clashes) {
            return Err(CandidateContradiction);
        }
        let candidates =
            clues.iter().map(|&value| if value == BLANK { all } else { 1 << (value - 1) }).collect();
        Ok(Self { candidates, settled: vec![false; clues.len()] })
    }

    pub(super) fn is_solved(&self) -> bool {
        self.candidates.iter().all(|candidates| candidates.is_power_of_two())
    }

    /// Takes candidates from a cell. Says whether any was there.
    pub(super) fn remove(&mut self, cell: usize, bits: u32) -> Result<bool, CandidateContradiction> {
        let before = self.candidates[cell];
        self.candidates[cell] &= !bits;
        if self.candidates[cell] == 0 {
            Err(CandidateContradiction)
        } else {
            Ok(self.candidates[cell] != before)
        }
    }

    /// The same for several cells.
    pub(super) fn remove_all(
        &mut self,
        cells: impl IntoIterator<Item = usize>,
        bits: u32,
    ) -> Result<bool, CandidateContradiction> {
        let mut moved = false;
        for cell in cells {
            moved |= self.remove(cell, bits)?;
        }
        Ok(moved)
    }

    /// The first undecided cell of those with the fewest candidates.
    pub(super) fn narrowest(&self) -> Option<(usize, u32)> {
        let cells = self.candidates.iter().copied().enumerate();
        cells.filter(|(_, mask)| !mask.is_power_of_two()).min_by_key(|(_, mask)| mask.count_ones())
    }

    /// The board in which a cell is decided.
    pub(super) fn with(&self, cell: usize, bit: u32) -> Self {
        let mut next = self.clone();
        next.candidates[cell] = bit;
        next
    }
}

/// The bits of a mask, the largest first: the last that is put on a stack is the first to be taken.
pub(super) fn bits(mask: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS).rev().map(|place| 1 << place).filter(move |bit| mask & bit != 0)
}
