//! Random complete grids. Every complete grid can come out, though not all are equally likely.

use std::sync::Arc;

use crate::Value;
use crate::make::CannotMake;
use crate::make::board::Board;
use crate::make::board::Map;
use crate::make::board::Taken;
use crate::make::board::value_of;
use crate::make::dice::Dice;
use crate::make::steps;

/// Values placed, for each cell, before an attempt is given up and another begun. A 9x9 grid takes 1.6.
const PATIENCE: usize = 6;

/// Attempts of each way. Of plain 9x9 grids, the first succeeds nearly always.
const ATTEMPTS: usize = 20;

/// Fills empty grids of one shape.
#[derive(Clone, Debug)]
pub(super) struct Filler {
    map: Arc<Map>,
}

impl Filler {
    pub(super) fn new(map: &Arc<Map>) -> Self {
        Self { map: Arc::clone(map) }
    }

    /// A complete grid.
    ///
    /// # Errors
    /// [`CannotMake::Full`] if none was found: there may be none of this shape.
    pub(super) fn full(&self, dice: &mut Dice) -> Result<Vec<Value>, CannotMake> {
        let quick = (0..ATTEMPTS).find_map(|_| self.attempt(dice));
        let mut careful = || (0..ATTEMPTS).find_map(|_| self.careful_attempt(dice));
        quick.or_else(&mut careful).ok_or(CannotMake::Full)
    }

    /// Fills cell after cell in reading order, each with a random value that fits.
    fn attempt(&self, dice: &mut Dice) -> Option<Vec<Value>> {
        let Map { order, houses_of, .. } = &*self.map;
        let all = (1u32 << order) - 1;
        let mut taken = Taken::new();
        // For each cell that is filled: what stands there, and what was not tried.
        let mut filled: Vec<(u32, u32)> = Vec::with_capacity(houses_of.len());
        for _ in 0..PATIENCE * houses_of.len() {
            let Some(houses) = houses_of.get(filled.len()) else {
                return Some(filled.into_iter().map(|(placed, _)| value_of(placed)).collect());
            };
            let mut left = all & !taken.around(houses);
            while left == 0 {
                let (placed, others) = filled.pop()?;
                taken.remove(&houses_of[filled.len()], placed);
                left = others;
            }
            let placed = dice.bit(left);
            taken.add(&houses_of[filled.len()], placed);
            filled.push((placed, left ^ placed));
        }
        None
    }

    /// Decides a cell with few candidates at random and follows up all singles, again and again: large grids and odd
    /// regions need it.
    fn careful_attempt(&self, dice: &mut Dice) -> Option<Vec<Value>> {
        let empty = vec![0; self.map.houses_of.len()];
        let mut open: Vec<_> = Board::new(&self.map, &empty).into_iter().collect();
        for _ in 0..PATIENCE * empty.len() {
            let mut board = open.pop()?;
            if steps::singles(&self.map, &mut board).is_err() {
                continue;
            }
            let Some((cell, mut left)) = board.narrowest() else {
                return Some(board.candidates.into_iter().map(value_of).collect());
            };
            while left != 0 {
                let bit = dice.bit(left);
                left ^= bit;
                open.push(board.with(cell, bit));
            }
        }
        None
    }
}
