//! Reduces the number and the order of the grids of a failing input.

use gridjudge_grid::{OrderPlace, Value};

use crate::authoring::stress::seed_grids;
use crate::authoring::stress::shrink::ShrinkEnd;
use crate::authoring::stress::{DraftGrid, Shrinker};

/// How many random grids of each smaller order are tried in place of larger ones.
const SMALLER_GRIDS: u64 = 24;

impl Shrinker<'_> {
    /// Tries the grid that the finding names alone. If it does not fail, looks for few of all grids
    /// that do.
    pub(super) fn fewer_grids(&mut self) -> Result<(), ShrinkEnd> {
        let grids = self.best.draft.grids.clone();
        let findings = self
            .best
            .outcome
            .trial
            .findings
            .iter()
            .flat_map(|findings| &findings.listed);
        let blamed = findings.filter_map(|finding| finding.grid).next();
        let blamed =
            blamed.and_then(|number| grids.get(usize::try_from(number).ok()?.checked_sub(1)?));
        if let Some(blamed) = blamed.filter(|_| grids.len() > 1)
            && let Some(failure) = self.fails(vec![blamed.clone()])?
        {
            self.keep_if_simpler(failure);
            return Ok(());
        }
        self.keep_few(grids, |grids| grids.to_vec())
    }

    /// Replaces grids by grids of a smaller order. A grid cannot be converted to another order, so
    /// random ones are tried.
    pub(super) fn smaller_grids(&mut self) -> Result<(), ShrinkEnd> {
        let largest = self
            .best
            .draft
            .grids
            .iter()
            .map(|grid| grid.shape)
            .max()
            .unwrap_or(0);
        let format = &self.source.task().format;
        // If the whole input has one order, all grids change at once; otherwise they change one at
        // a time.
        let is_mixed = format
            .input
            .order_line
            .is_some_and(|order| order.place == OrderPlace::Case);
        for shape in 0..largest {
            let places = if is_mixed {
                self.best.draft.grids.len()
            } else {
                1
            };
            for place in 0..places {
                for number in 0..SMALLER_GRIDS {
                    let mut grids = self.best.draft.grids.clone();
                    if is_mixed && grids[place].shape <= shape {
                        break;
                    }
                    let last = grids.len() as u64;
                    for (grid, offset) in grids.iter_mut().zip(0..) {
                        if !is_mixed || offset == place as u64 {
                            let new = self.source.grid_of_shape(shape, number * last + offset);
                            *grid = new.unwrap_or_else(|| grid.clone());
                        }
                    }
                    // A recipe of the problem makes grids of its own order, which may fail and are
                    // no simpler.
                    if let Some(failure) = self.fails(grids)?
                        && self.keep_if_simpler(failure)
                    {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

// Brings a grid closer to a canonical form, as long as it still fails in the same way.

impl Shrinker<'_> {
    /// Renames the symbols in order of appearance, and applies symmetries as long as one leads to a
    /// simpler grid.
    pub(super) fn canonical_form(&mut self, place: usize) -> Result<(), ShrinkEnd> {
        let values = self.shape_of(&self.best.draft.grids[place]).values();
        self.try_cells(place, |cells| {
            seed_grids::in_order_of_appearance(cells, values)
        })?;
        for value in 2..=values as Value {
            for smaller in 1..value {
                self.try_cells(place, |cells| seed_grids::swapped(cells, smaller, value))?;
            }
        }
        let source = self.source;
        loop {
            let before = self.best.draft.grids[place].clone();
            for permuted in source.symmetries_of(before.shape).neighbours(&before.cells) {
                let renamed = seed_grids::in_order_of_appearance(&permuted, values);
                if !self.try_cells(place, |_| renamed)? && self.try_cells(place, |_| permuted)? {
                    // The names are tried again on their own.
                    self.try_cells(place, |cells| {
                        seed_grids::in_order_of_appearance(cells, values)
                    })?;
                }
                if self.best.draft.grids[place] != before {
                    break;
                }
            }
            if self.best.draft.grids[place] == before {
                return Ok(());
            }
        }
    }

    /// Changes the cells of one grid if that makes it simpler and it still fails. Returns whether
    /// it did.
    fn try_cells(
        &mut self,
        place: usize,
        change: impl FnOnce(&[Value]) -> Vec<Value>,
    ) -> Result<bool, ShrinkEnd> {
        let grids = self.with_cells(place, change(&self.best.draft.grids[place].cells));
        if self.weight(&grids) >= self.weight(&self.best.draft.grids) {
            return Ok(false);
        }
        let failure = self.fails(grids)?;
        Ok(failure.is_some_and(|failure| self.keep_if_simpler(failure)))
    }

    fn with_cells(&self, place: usize, cells: Vec<Value>) -> Vec<DraftGrid> {
        let mut grids = self.best.draft.grids.clone();
        grids[place].cells = cells;
        grids
    }
}
