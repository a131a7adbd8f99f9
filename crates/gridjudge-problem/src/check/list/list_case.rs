//! Checks one case whose answer is a list of solutions, or their number: which items
//! belong to the case, how each should be written, and what is wrong with it.

use gridjudge_grid::format::{CaseOpening, write};
use gridjudge_grid::{FollowingLine, Format, Value};

use crate::check::list::{ItemKind, ItemPlace, ListCase, OutputItem};
use crate::check::{InputGrid, context, resync};

use ItemKind::{Count, Solution, Strange, Text};

impl InputGrid {
    /// Whether a window begins with a solution of it. Its grid may have another order
    /// than the one before it.
    fn begins(&self, window: &[u8]) -> bool {
        self.is_solved_by(&self.context.solution_reader().tolerant(1, window))
    }
}

impl ListCase<'_> {
    /// The item at the start of a window, if there is one and it belongs to this case.
    /// A solution with too few or too many rows ends where the
    /// next one begins.
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
        }
        if let Solution(block) = &item.kind
            && !self.is_solution(&block.cells)
            && let Some(found) = self.items.solution_among_strays(window)
            && found.cells().is_some_and(|cells| self.is_solution(cells))
        {
            item = found;
        } else if let Solution(block) = &item.kind
            && !self.is_solution(&block.cells)
            && let Some(restart) = resync::next_solution(
                self.items.solution,
                &window[..self.items.end_of_rows(window, 3)],
                |cells| self.is_solution(cells),
                |cells| self.is_a_beginning(cells),
            )
        {
            item = self.items.cut(item, window, &restart);
        }
        Some(item).filter(|item| self.owns(item, window))
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
        { may_be_words }
            .then(|| self.words_but_for_spaces(window))
            .flatten()
            .or_else(|| {
                may_be_solution.then(|| self.solution_but_for_spaces(window))?
            })
            .filter(|(opening, item)| self.owns(item, &window[opening.end.bytes..]))
    }

    fn words_but_for_spaces(
        &self,
        window: &[u8],
    ) -> Option<(CaseOpening, OutputItem)> {
        let opening = self.opening_but_for_spaces(window, FollowingLine::Words)?;
        let rest = &window[opening.end.bytes..];
        let item = self
            .items
            .words_but_for_spaces(rest, self.truth.as_ref()?)?;
        Some((opening, item))
    }

    fn solution_but_for_spaces(
        &self,
        window: &[u8],
    ) -> Option<(CaseOpening, OutputItem)> {
        let opening = self.opening_but_for_spaces(window, FollowingLine::Cells)?;
        let rest = &window[opening.end.bytes..];
        let reader = self.items.solution;
        let known = self.due();
        let block = resync::answer_but_for_spaces(self.grid, reader, 1, rest, known)?;
        let item = OutputItem::solution(block);
        let cells = item.cells()?;
        let is_right = match self.is_expected(cells) {
            Some(is_expected) => is_expected && self.wants(cells),
            None => self.grid.is_solution(cells),
        };
        is_right.then_some((opening, item))
    }

    /// The opening that is due: none before later items.
    fn opening_but_for_spaces(
        &self,
        window: &[u8],
        follows: FollowingLine,
    ) -> Option<CaseOpening> {
        if self.is_untouched() {
            self.items.reader.opening_but_for_spaces(
                self.items.number,
                window,
                follows,
            )
        } else {
            Some(CaseOpening::default())
        }
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
                    next.is_solved_by(block) || next.begins(window)
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

    /// The text between the number of solutions and the solutions: an empty line, or
    /// nothing.
    fn gap_of_count(&self) -> &'static str {
        let count = self.format().replies.count.as_ref();
        if count.is_some_and(|count| count.has_blank_line) {
            "\n"
        } else {
            ""
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
        let line = match &item.kind {
            Count(stated) => {
                let line = self
                    .items
                    .count
                    .zip(*stated)
                    .map(|(count, stated)| count.line(stated));
                let gap = if self.solutions > 0 {
                    self.gap_of_count()
                } else {
                    ""
                };
                line.map(|line| gap.to_owned() + &line)
            }
            Text(reply) => replies
                .text(*reply)
                .map(|text| text.line(layout.case_number(self.items.number))),
            Strange(_) => None,
            Solution(block) => {
                let cells = context::with_blanks(&block.cells);
                let is_first = self.solutions == 0;
                let apart = if !is_first && replies.blank_line_between_solutions {
                    "\n"
                } else if is_first && self.is_counted {
                    self.gap_of_count()
                } else {
                    ""
                };
                return apart.to_owned()
                    + &write::rows(&self.grid.context.shape, symbols, layout, &cells);
            }
        };
        line.unwrap_or_default() + "\n"
    }
}
