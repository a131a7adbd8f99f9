//! Reads the items of an answer that is a list of solutions, or their number: each item
//! is a count, a text or a solution. Sees one window at a time, and does not decide
//! which case an item belongs to.

use gridjudge_grid::format::parse_error::{ParseError, ParseErrorKind};
use gridjudge_grid::format::{
    CaseOpening, GridBlock, GridReader, MOST_STRAYS, ReplyKind, StrayLine,
    StrayPlace, TextLine, TextOffset, UNREAD,
};
use gridjudge_grid::{FollowingLine, Template, Value, format};

use crate::check::{ExpectedAnswer, InputGrid, ResyncPoint};
use crate::model::Accept;

/// Reads the items of a case.
pub(crate) struct ItemReader<'a> {
    /// Reads what belongs to the case as a whole, such as its banner.
    pub(crate) reader: &'a GridReader,
    /// Reads one solution.
    pub(crate) solution: &'a GridReader,
    /// Whether the solutions themselves are listed, not only counted.
    pub(crate) has_solutions: bool,
    /// Whether only one of the solutions is shown.
    pub(crate) shows_one: bool,
    /// The template of the line with the number of solutions.
    pub(crate) count: Option<&'a Template>,
    /// Whether the number of solutions follows them.
    pub(crate) counts_after: bool,
    /// The most solutions that may be listed or counted.
    most: u64,
    /// The number of the case.
    pub(crate) number: u64,
}

/// One item, from the start of a window.
pub(crate) struct OutputItem {
    pub(crate) kind: ItemKind,
    pub(crate) start: TextOffset,
    pub(crate) end: TextOffset,
    /// What is wrong with how it is written, unless it is a solution.
    pub(crate) error: Option<ParseError>,
    /// Lines before it or in it that belong to no item.
    pub(crate) strays: Vec<StrayLine>,
}

/// Where an item begins.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum ItemPlace {
    /// At the start of a line, where another case might begin instead.
    OnItsLine,
    /// On the line of the banner of its case.
    AfterBanner,
}

impl ItemPlace {
    /// The place of the first item after an opening.
    pub(crate) fn after(opening: &CaseOpening) -> Self {
        if opening.shares_its_line() {
            Self::AfterBanner
        } else {
            Self::OnItsLine
        }
    }
}

/// The kind of an item.
pub(crate) enum ItemKind {
    /// The number of solutions; `None` if it is too large for any grid.
    Count(Option<u64>),
    /// A text in place of solutions.
    Text(ReplyKind),
    /// A solution, well or badly written.
    Solution(Box<GridBlock>),
    /// Any other line, where only a number or a word may stand.
    Strange(String),
}

impl OutputItem {
    fn on_line(kind: ItemKind, error: Option<ParseError>, line: &TextLine) -> Self {
        Self {
            kind,
            start: line.start,
            end: line.end,
            error,
            strays: vec![],
        }
    }

    pub(super) fn solution(mut block: GridBlock) -> Self {
        Self {
            start: block.start,
            end: block.end,
            strays: std::mem::take(&mut block.strays),
            kind: ItemKind::Solution(Box::new(block)),
            error: None,
        }
    }

    /// The cells, if the item is a solution.
    pub(crate) fn cells(&self) -> Option<&[Value]> {
        match &self.kind {
            ItemKind::Solution(block) => Some(&block.cells),
            _ => None,
        }
    }

    /// The kind of line that the item begins with.
    pub(crate) fn first_line(&self) -> FollowingLine {
        match self.kind {
            ItemKind::Solution(_) => FollowingLine::Cells,
            _ => FollowingLine::Words,
        }
    }
}

impl<'a> ItemReader<'a> {
    pub(crate) fn new(accept: Accept, grid: &'a InputGrid) -> Self {
        let context = &*grid.context;
        let count = context.format.replies.count.as_ref();
        let shows_one = accept.shows_one_of_many();
        let has_solutions = shows_one || matches!(accept, Accept::All { .. });
        Self {
            reader: if has_solutions {
                &context.reader
            } else {
                context.word_reader()
            },
            solution: context.solution_reader(),
            has_solutions,
            shows_one,
            count: count.map(|count| &count.template),
            counts_after: has_solutions
                && count.is_some_and(|count| count.follows_solutions),
            most: accept.most().unwrap_or(1),
            number: grid.number,
        }
    }

    /// Whether all solutions are listed.
    pub(crate) fn lists_all(&self) -> bool {
        self.has_solutions && !self.shows_one
    }

    /// Reads the banner of the case, if it has one.
    pub(crate) fn opening(&self, window: &[u8]) -> CaseOpening {
        self.reader.opening(self.number, window)
    }

    /// Finds the banner of the case after lines that belong to nothing.
    pub(crate) fn opening_among_strays(
        &self,
        window: &[u8],
    ) -> Option<(CaseOpening, Vec<StrayLine>)> {
        self.reader.opening_among_strays(self.number, window)
    }

    /// The next item of the case; `None` if the window holds none, or another case
    /// begins.
    pub(crate) fn next(&self, window: &[u8], place: ItemPlace) -> Option<OutputItem> {
        let line = format::written_lines(window).next()?;
        if self.reader.is_separator(line.text) {
            return None;
        }
        if let Some(reply) = self.reader.reply(line.text) {
            return Some(self.text_on(&line, reply));
        }
        if self.reader.is_plain_count(line.text) {
            return Some(self.count_on(&line));
        }
        if place == ItemPlace::OnItsLine
            && self.reader.is_banner(line.text)
            && !self.is_row_without_spaces(line.text)
        {
            return None;
        }
        if self.reader.is_count(line.text) {
            return Some(self.count_on(&line));
        }
        if let Some(reply) = self.reader.nearly_reply(line.text) {
            return Some(self.text_on(&line, reply));
        }
        if place == ItemPlace::OnItsLine && self.opens_a_case(line.text)
            || self.reader.is_separator_like(line.text)
        {
            return None;
        }
        if !self.has_solutions {
            return Some(OutputItem::on_line(
                ItemKind::Strange(format::quoted_bytes(line.text)),
                None,
                &line,
            ));
        }
        let rows = &window[..self.end_of_rows(window, 1)];
        Some(OutputItem {
            start: line.start,
            ..OutputItem::solution(self.solution.tolerant(1, rows))
        })
    }

    /// The number of solutions or the text of this answer to the case at the start of a
    /// window, whatever its white space.
    pub(crate) fn words_but_for_spaces(
        &self,
        window: &[u8],
        expected: &ExpectedAnswer,
    ) -> Option<OutputItem> {
        let line = format::written_lines(window).next()?;
        match (expected, self.count.zip(expected.number())) {
            (ExpectedAnswer::Reply(expected), _) => self
                .reader
                .reply_but_for_spaces(self.number, line.text)
                .filter(|reply| reply == expected)
                .map(|reply| self.text_on(&line, reply)),
            (_, Some((count, stated))) => {
                format::same_but_for_spaces(count.line(stated).as_bytes(), line.text)
                    .then(|| self.count_on(&line))
            }
            _ => None,
        }
    }

    /// The solution at the start of a window, if lines that belong to no solution are
    /// all that keeps it from being read.
    pub(crate) fn solution_among_strays(&self, window: &[u8]) -> Option<OutputItem> {
        let rows = &window[..self.end_of_rows(window, 3)];
        self.solution
            .among_strays(1, rows)
            .map(OutputItem::solution)
    }

    /// The number of solutions or the text in place of them after lines that are
    /// nothing that belongs into the answer of the case.
    pub(crate) fn words_among_strays(&self, window: &[u8]) -> Option<OutputItem> {
        let mut written = format::written_lines(window).take(MOST_STRAYS + 1);
        let mut strays = vec![];
        let line = loop {
            let line = written.next()?;
            let text = line.text;
            if self.reader.is_plain_count(text) || self.reader.reply(text).is_some() {
                break line;
            }
            let is_ours = self.reader.is_count(text)
                || self.reader.nearly_reply(text).is_some()
                || self.opens_a_case(text)
                || self.reader.is_separator_like(text)
                || self.has_solutions && self.reader.is_row_but_for_spaces(text);
            if is_ours {
                return None;
            }
            strays.push(line);
        };
        let item = self
            .next(&window[line.start.bytes..], ItemPlace::OnItsLine)
            .filter(|_| !strays.is_empty())?;
        let words = String::from_utf8_lossy(line.text.trim_ascii()).into_owned();
        let before = StrayPlace::Words(words);
        Some(OutputItem {
            start: line.start,
            end: line.start + item.end,
            strays: strays
                .iter()
                .map(|stray| StrayLine::new(stray, before.clone()))
                .collect(),
            ..item
        })
    }

    /// Where the rows of the solutions at the start of a window end: at the first line
    /// that is not a row, or after as many rows as `solutions` solutions have.
    pub(crate) fn end_of_rows(&self, window: &[u8], solutions: usize) -> usize {
        let mut written = format::written_lines(window).skip(1);
        let lines = solutions * self.solution.height();
        { written.by_ref().take(lines) }
            .find(|line| self.closes_rows(line, window))
            .map_or(window.len(), |line| line.start.bytes)
    }

    /// Whether a line among rows is not a row. A bare number may be a broken row as
    /// well: it is the number of solutions only if it is within the limit, and the last
    /// line of its case.
    fn closes_rows(&self, line: &TextLine, window: &[u8]) -> bool {
        let text = line.text;
        if self.reader.is_separator_like(text) && !self.reader.is_count(text) {
            return true;
        }
        if self.reader.reply(text).is_some() || self.opens_a_case(text) {
            return true;
        }
        let Some(count) = self.count.filter(|_| self.reader.is_count(text)) else {
            return false;
        };
        if !count.is_bare() {
            return true;
        }
        self.counts_after
            && count
                .number(text)
                .is_some_and(|solutions| solutions <= self.most)
            && format::written_lines(&window[line.end.bytes..])
                .next()
                .is_none_or(|next| {
                    self.opens_a_case(next.text)
                        || self.reader.is_separator_like(next.text)
                        || self.reader.reply(next.text).is_some()
                })
    }

    /// Cuts a solution off where the next one begins.
    pub(crate) fn cut(
        &self,
        item: OutputItem,
        window: &[u8],
        restart: &ResyncPoint,
    ) -> OutputItem {
        let end = restart.place;
        let mut block = self.solution.tolerant(1, &window[..end.bytes]);
        if restart.rows > self.solution.height() {
            let kind = ParseErrorKind::RowCount {
                found: restart.rows,
                expected: self.solution.height(),
            };
            block.errors = vec![kind.at(end.end_of_line())];
            block.cells.fill(UNREAD);
        }
        OutputItem {
            kind: ItemKind::Solution(Box::new(block)),
            end,
            ..item
        }
    }

    /// The text in place of the solutions of the case on a line.
    fn text_on(&self, line: &TextLine, reply: ReplyKind) -> OutputItem {
        OutputItem::on_line(
            ItemKind::Text(reply),
            self.reader.error_of_reply(reply, self.number, line),
            line,
        )
    }

    /// Reads the number of solutions on a line.
    fn count_on(&self, line: &TextLine) -> OutputItem {
        let number = self.count.and_then(|count| count.number(line.text));
        self.stated_on(line, number)
    }

    /// The number of solutions on the first line of a window, if it is misspelt.
    pub(crate) fn misspelt_count(&self, window: &[u8]) -> Option<OutputItem> {
        let line = format::written_lines(window).next()?;
        let number = self.reader.misspelt_count(&line)?;
        Some(self.stated_on(&line, Some(number))).filter(|item| item.error.is_some())
    }

    /// This number of solutions, which a line states.
    fn stated_on(&self, line: &TextLine, number: Option<u64>) -> OutputItem {
        let expected = self.count.zip(number);
        let error = expected.and_then(|(count, number)| {
            format::difference_of_words(&count.line(number), line)
        });
        OutputItem::on_line(ItemKind::Count(number), error, line)
    }

    /// Whether a line opens a case, even with a misspelt banner. The number of
    /// solutions may begin as a banner does: `4 solutions` after a banner `1`.
    fn opens_a_case(&self, line: &[u8]) -> bool {
        self.reader.opens_a_case(line)
            && !self.reader.is_plain_count(line)
            && !self.is_row_without_spaces(line)
    }

    /// Whether a line among the solutions of the case is a row that lacks spaces:
    /// `4321` may be a banner `{n}` as well, but only before case 4321.
    fn is_row_without_spaces(&self, line: &[u8]) -> bool {
        self.has_solutions
            && self.reader.has_cells_of_a_row(line)
            && !self.reader.begins_case(self.number + 1, line)
    }
}
