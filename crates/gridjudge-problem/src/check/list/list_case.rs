//! Checks one case whose answer is a list of solutions, or their number: which items
//! belong to the case, how each should be written, and what is wrong with it.

use gridjudge_grid::format::{CaseOpening, write};
use gridjudge_grid::{FollowingLine, Format, Value};

use crate::check::list::{ItemKind, ItemPlace, ListCase, OutputItem};
use crate::check::{context, resync};

use ItemKind::{Count, Solution, Strange, Text};

impl ListCase<'_> {
    /// The item at the start of a window, if there is one and it belongs to this case.
    /// A solution with too few or too many rows ends where the next one begins.
    pub(super) fn next(&self, window: &[u8], place: ItemPlace) -> Option<OutputItem> {
        if self.is_followed_by_next(window) {
            return None;
        }
        let is_at_start = self.is_untouched() && place == ItemPlace::OnItsLine;
        let is_alone = self.next.is_none() || self.format().output.banner.is_some();
        if is_at_start
            && is_alone
            && let Some(item) = self.items.words_among_strays(window)
        {
            return Some(item);
        }
        let is_count_due =
            !self.is_counted && (self.items.counts_after || self.is_untouched());
        if is_count_due && let Some(item) = self.items.misspelt_count(window) {
            return Some(item);
        }
        let mut item = self.items.next(window, place)?;
        if let Solution(block) = &mut item.kind {
            resync::respace(self.grid, window, block);
            if !self.is_solution(&block.cells) {
                item = self.repaired(item, window);
            }
        }
        Some(item).filter(|item| self.owns(item, window))
    }

    /// A solution that is none, without the lines that belong to no solution, or cut
    /// off where the next one begins, if that explains what is wrong with it.
    fn repaired(&self, item: OutputItem, window: &[u8]) -> OutputItem {
        if let Some(found) = self.items.solution_among_strays(window)
            && found.cells().is_some_and(|cells| self.is_solution(cells))
        {
            return found;
        }
        let restart = resync::next_solution(
            self.items.solution,
            &window[..self.items.end_of_rows(window, 3)],
            |cells| self.is_solution(cells),
            |cells| self.is_a_beginning(cells),
        );
        match restart {
            Some(restart) => self.items.cut(item, window, &restart),
            None => item,
        }
    }

    /// The item that is due at the start of a window, and the opening before the first
    /// one, if only their white space can be wrong and that matters.
    pub(super) fn due_but_for_spaces(
        &self,
        window: &[u8],
    ) -> Option<(CaseOpening, OutputItem)> {
        if !self.format().output.is_strict() {
            return None;
        }
        let items = &self.items;
        let is_first = self.is_untouched();
        let may_be_words = is_first || !self.is_counted && items.counts_after;
        let may_be_solution = items.has_solutions
            && (!is_first || items.count.is_none() || items.counts_after);
        let kinds = [
            (FollowingLine::Words, may_be_words),
            (FollowingLine::Cells, may_be_solution),
        ];
        kinds
            .into_iter()
            .filter(|(_, may_be)| *may_be)
            .find_map(|(kind, _)| self.item_but_for_spaces(window, kind))
            .filter(|(opening, item)| self.owns(item, &window[opening.end.bytes..]))
    }

    /// The item of this kind that is due, after the opening if nothing has been given.
    fn item_but_for_spaces(
        &self,
        window: &[u8],
        kind: FollowingLine,
    ) -> Option<(CaseOpening, OutputItem)> {
        let items = &self.items;
        let opening = if self.is_untouched() {
            let reader = items.reader;
            reader.opening_but_for_spaces(items.number, window, kind)?
        } else {
            CaseOpening::default()
        };
        let rest = &window[opening.end.bytes..];
        let item = match kind {
            FollowingLine::Words => items.words_but_for_spaces(rest, self.truth?)?,
            FollowingLine::Cells => self.solution_but_for_spaces(rest)?,
        };
        Some((opening, item))
    }

    fn solution_but_for_spaces(&self, window: &[u8]) -> Option<OutputItem> {
        let reader = self.items.solution;
        let known = self.due();
        let block =
            resync::answer_but_for_spaces(self.grid, reader, 1, window, known)?;
        let item = OutputItem::solution(block);
        let cells = item.cells()?;
        let is_right = match self.is_expected(cells) {
            Some(is_expected) => is_expected && self.wants(cells),
            None => self.grid.is_solution(cells),
        };
        is_right.then_some(item)
    }

    /// Whether nothing is due, and the banner of the next case follows, whatever its
    /// white space.
    fn is_followed_by_next(&self, window: &[u8]) -> bool {
        let begins = |follows| {
            self.items
                .reader
                .opening_but_for_spaces(self.items.number + 1, window, follows)
                .is_some()
        };
        self.format().output.is_strict()
            && self.format().output.banner.is_some()
            && self.next.is_some()
            && self.is_all_given()
            && (begins(FollowingLine::Words) || begins(FollowingLine::Cells))
    }

    /// Whether these cells are a solution of this case, or of the next one.
    fn is_solution(&self, cells: &[Value]) -> bool {
        self.is_expected(cells)
            .unwrap_or_else(|| self.grid.is_solution(cells))
            || self.next.is_some_and(|next| next.is_solution(cells))
    }

    /// Whether an item belongs to this case rather than to the next one.
    fn owns(&self, item: &OutputItem, window: &[u8]) -> bool {
        let is_first = self.is_untouched();
        match &item.kind {
            Count(_) => is_first || self.items.counts_after,
            Text(_) | Strange(_) => is_first,
            // Every other case begins with a banner or a text, so this solution can
            // only belong to this case.
            Solution(_) if self.format().output.banner.is_some() => true,
            Solution(block) => {
                // The next case would begin with its number of solutions.
                let is_open = self.is_counted && !self.items.counts_after;
                let is_next = self.next.is_some_and(|next| {
                    // Its grid may have another order.
                    let reader = next.context.solution_reader();
                    next.is_solved_by(block)
                        || next.is_solved_by(&reader.tolerant(1, window))
                });
                if self.grid.is_solved_by(block) {
                    // A case that has nothing yet comes before the next one, whatever
                    // fits that as well.
                    !is_next || is_first || is_open || self.wants(&block.cells)
                } else {
                    !is_next && (is_open || self.wants_more())
                }
            }
        }
    }

    /// The text that an item should have.
    pub(super) fn canonical(&self, item: &OutputItem) -> String {
        let Format {
            output: layout,
            replies,
            symbols,
            ..
        } = self.format();
        let count = replies.count.as_ref();
        let is_count_apart = count.is_some_and(|count| count.has_blank_line);
        let is_first = self.solutions == 0;
        let (follows_blank_line, text) = match &item.kind {
            Count(stated) => {
                let count = self.items.count.zip(*stated);
                let line = count.map(|(count, stated)| count.line(stated));
                (!is_first && is_count_apart, line.unwrap_or_default() + "\n")
            }
            Text(reply) => (false, self.grid.reply_line(*reply) + "\n"),
            Strange(_) => (false, "\n".to_owned()),
            Solution(block) => {
                let cells = context::with_blanks(&block.cells);
                let shape = &self.grid.context.shape;
                let follows_blank_line = if is_first {
                    self.is_counted && is_count_apart
                } else {
                    replies.blank_line_between_solutions
                };
                (
                    follows_blank_line,
                    write::rows(shape, symbols, layout, &cells),
                )
            }
        };
        if follows_blank_line {
            "\n".to_owned() + &text
        } else {
            text
        }
    }
}
