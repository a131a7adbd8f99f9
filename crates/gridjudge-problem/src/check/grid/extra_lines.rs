//! Finds the answer to a grid beside lines that belong to no answer: rows before it,
//! lines among its rows, and a text before it.

use gridjudge_grid::format::{self, GridBlock, StrayPlace, TextOffset, UNREAD};

use crate::check::grid::resync::WindowRows;
use crate::check::{GridChecker, InputGrid, ResyncPoint};
use crate::model::Accept;

impl GridChecker<'_> {
    /// The rows at the start of a window that belong to no answer, if the answer to the
    /// current grid plainly begins after them.
    pub(crate) fn surplus_rows(&self, window: &[u8]) -> Option<ResyncPoint> {
        let reader = &self.context().reader;
        let layout = &self.format.output;
        let has_rows = !matches!(self.accept, Accept::Word | Accept::Count { .. });
        let has_opening = layout.banner.is_some() || layout.lead.is_some();
        if !has_rows
            || layout.separator.is_some()
            || !has_opening && self.expects_list()
        {
            return None;
        }
        format::written_lines(window)
            .next()
            .filter(|line| reader.row_values(line.text).is_some())?;
        let height = reader.height();
        let rows = WindowRows::split(reader, window, 3);
        let count = rows.values.iter().take_while(|row| row.is_some()).count();
        let start = if has_opening {
            let line = rows.lines.get(count)?.text;
            let number = self.current.number;
            // A whole grid may be the answer itself, before its banner.
            let may_be_answer = rows.agree_with(0, &self.current);
            let is_ours = !may_be_answer && reader.begins_case(number, line)
                || count < height
                    && reader.opens_an_answer(line)
                    && !reader.begins_case(number + 1, line);
            is_ours.then_some(count)
        } else {
            let begins = |grid: &InputGrid, start| {
                grid.is_distinctive() && rows.agree_with(start, grid)
            };
            // If the next answer begins there, this one has too few rows, or the two are
            // swapped.
            (0..height.min(count))
                .find(|&start| begins(&self.current, start))
                .filter(|&start| {
                    self.next
                        .as_ref()
                        .is_none_or(|next| !begins(next, 0) && !begins(next, start))
                })
        };
        start
            .filter(|start| *start > 0)
            .map(|start| rows.restart(start))
    }

    /// The end of a grid that follows a text in place of it.
    pub(crate) fn grid_after_text(
        &self,
        window: &[u8],
        block: &GridBlock,
    ) -> Option<TextOffset> {
        block.reply?;
        let rest = &window[block.end.bytes..];
        let reader = &self.context().reader;
        let rows = WindowRows::split(reader, rest, 1);
        let next = self.next.as_ref();
        let is_ours = rows.agree_with(0, &self.current)
            && !next.is_some_and(|next| rows.agree_with(0, next))
            && !self.is_closed(rest);
        is_ours.then(|| block.end + rows.lines[rows.height - 1].end)
    }

    /// The answer to the current grid, if lines that belong to no grid are all that
    /// keeps it from being read.
    pub(crate) fn among_strays(
        &self,
        window: &[u8],
        block: &GridBlock,
    ) -> Option<GridBlock> {
        if block.reply.is_some() || !block.cells.contains(&UNREAD) {
            return None;
        }
        let reader = &self.context().reader;
        let found = reader.among_strays(self.current.number, window)?;
        let is_alone = self.next.is_none()
            && found.strays.iter().all(|stray| {
                matches!(stray.before, StrayPlace::Words(_) | StrayPlace::Row(0))
            });
        let is_ours = match found.reply {
            // Without banners, the text may belong to the next grid.
            Some(_) => is_alone || self.format.output.banner.is_some(),
            None => {
                self.expected_reply().is_none()
                    && (is_alone || self.is_recognised(&found))
            }
        };
        is_ours.then_some(found)
    }

    /// Whether a block can only be an answer to the current grid.
    fn is_recognised(&self, block: &GridBlock) -> bool {
        let current = &self.current;
        // Where there are texts, the stray line may be meant as one, and the grid as
        // the answer to the next.
        let has_texts = self.format.replies.texts().next().is_some();
        current.is_solution(&block.cells)
            || !has_texts
                && current.is_distinctive()
                && current.agrees_with(&block.cells)
    }
}
