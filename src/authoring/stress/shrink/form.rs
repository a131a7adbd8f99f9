//! Brings a grid closer to a canonical form, as long as it still fails in the same way.

use crate::authoring::stress::draft::DraftGrid;
use crate::authoring::stress::shrink::{ShrinkEnd, Shrinker};
use crate::authoring::stress::symmetries;
use gridjudge_grid::Value;

impl Shrinker<'_> {
    /// Renames the symbols in order of appearance, and applies symmetries as long as one leads to a
    /// simpler grid.
    pub(super) fn canonical_form(&mut self, place: usize) -> Result<(), ShrinkEnd> {
        let values = self.shape_of(&self.best.draft.grids[place]).values();
        self.try_cells(place, |cells| {
            symmetries::in_order_of_appearance(cells, values)
        })?;
        for value in 2..=values as Value {
            for smaller in 1..value {
                self.try_cells(place, |cells| symmetries::swapped(cells, smaller, value))?;
            }
        }
        let source = self.source;
        loop {
            let before = self.best.draft.grids[place].clone();
            for permuted in source.symmetries_of(before.shape).neighbours(&before.cells) {
                let renamed = symmetries::in_order_of_appearance(&permuted, values);
                if !self.try_cells(place, |_| renamed)? && self.try_cells(place, |_| permuted)? {
                    // The names are tried again on their own.
                    self.try_cells(place, |cells| {
                        symmetries::in_order_of_appearance(cells, values)
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
