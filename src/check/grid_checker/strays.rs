//! Finds a grid among lines that belong to no grid.

use crate::check::grid_checker::GridChecker;
use crate::check::resync;
use crate::check::stored_answers::KnownAnswer;
use gridjudge_grid::format::{GridAmongStrays, GridBlock, StrayPlace, UNREAD};

impl GridChecker<'_> {
    /// The answer to the current grid, if lines that belong to no grid are all that keeps it from
    /// being read.
    pub(super) fn among_strays(
        &self,
        number: u64,
        window: &[u8],
        block: &GridBlock,
    ) -> Option<GridAmongStrays> {
        if block.reply.is_some() || !block.cells.contains(&UNREAD) {
            return None;
        }
        let found = self.context().reader.among_strays(number, window)?;
        let is_alone = !self.grids.next.is_there
            && found
                .strays
                .iter()
                .all(|stray| matches!(stray.before, StrayPlace::Words(_) | StrayPlace::Row(0)));
        let is_ours = match found.block.reply {
            // Without banners, the text may belong to the next grid.
            Some(_) => is_alone || self.format.output.banner.is_some(),
            None if matches!(self.known, KnownAnswer::Text(_)) => false,
            None => is_alone || self.is_recognised(&found.block),
        };
        is_ours.then_some(found)
    }

    /// Whether a block can only be an answer to the current grid.
    fn is_recognised(&self, block: &GridBlock) -> bool {
        let current = &self.grids.current;
        // Where there are texts, the stray line may be meant as one, and the grid as the answer to
        // the next.
        let has_texts = self.format.replies.texts().next().is_some();
        current
            .context
            .rules
            .is_solution(&block.cells, &current.clues)
            || !has_texts
                && resync::are_distinctive(&current.clues)
                && resync::carries(&block.cells, &current.clues)
    }
}
