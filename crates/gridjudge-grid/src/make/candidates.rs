//! The candidates of a grid.

use crate::BLANK;
use crate::Value;
use crate::house_map::HouseMap;

/// A cell without candidates, or a symbol without a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CandidateContradiction;

/// Candidates of every cell; bit `v - 1` stands for value `v`.
#[derive(Clone, Debug)]
pub(super) struct CandidateGrid {
    pub(super) candidates: Vec<u32>,
    /// Cells whose value has been taken from their peers.
    pub(super) settled: Vec<bool>,
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
