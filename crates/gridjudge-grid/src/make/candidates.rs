//! Holds the candidates of a grid.

use crate::house_map::HouseMap;
use crate::{BLANK, Value};

/// A cell without candidates, or a symbol without a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CandidateContradiction;

/// The candidates of every cell; bit `v - 1` stands for value `v`.
#[derive(Clone, Debug)]
pub(super) struct CandidateGrid {
    pub(super) candidates: Vec<u32>,
    /// The cells whose value has been removed from their peers.
    pub(super) settled: Vec<bool>,
}

impl CandidateGrid {
    /// The initial candidates: those given by the clues alone.
    pub(super) fn new(map: &HouseMap, clues: &[Value]) -> Result<Self, CandidateContradiction> {
        let all = (1u32 << map.values) - 1;
        if (0..clues.len()).any(|cell| {
            clues[cell] != BLANK
                && map.peers[cell]
                    .iter()
                    .any(|&peer| clues[peer] == clues[cell])
        }) {
            return Err(CandidateContradiction);
        }
        let candidates = clues
            .iter()
            .map(|&value| {
                if value == BLANK {
                    all
                } else {
                    1 << (value - 1)
                }
            })
            .collect();
        Ok(Self {
            candidates,
            settled: vec![false; clues.len()],
        })
    }

    pub(super) fn is_solved(&self) -> bool {
        self.candidates
            .iter()
            .all(|candidates| candidates.is_power_of_two())
    }

    /// Removes candidates from a cell. Returns whether it had any of them.
    pub(super) fn remove(
        &mut self,
        cell: usize,
        bits: u32,
    ) -> Result<bool, CandidateContradiction> {
        let before = self.candidates[cell];
        self.candidates[cell] &= !bits;
        if self.candidates[cell] == 0 {
            Err(CandidateContradiction)
        } else {
            Ok(self.candidates[cell] != before)
        }
    }

    /// Like [`Self::remove`], for several cells.
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

    /// The undecided cell with the fewest candidates, the first if there are several, and its
    /// candidates.
    pub(super) fn narrowest(&self) -> Option<(usize, u32)> {
        let cells = self.candidates.iter().copied().enumerate();
        cells
            .filter(|(_, mask)| !mask.is_power_of_two())
            .min_by_key(|(_, mask)| mask.count_ones())
    }

    /// The grid in which a cell is decided.
    pub(super) fn with(&self, cell: usize, bit: u32) -> Self {
        let mut next = self.clone();
        next.candidates[cell] = bit;
        next
    }
}

/// The bits of a mask, the largest first, so that the smallest is on top if they are pushed on a
/// stack.
pub(super) fn bits(mask: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS)
        .rev()
        .map(|place| 1 << place)
        .filter(move |bit| mask & bit != 0)
}
