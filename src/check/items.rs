//! The pieces of a case that is a list of solutions, or their number: each a count, a text or a solution. Sees one window
//! at a time; whose pieces they are is not its affair.

use std::rc::Rc;

use crate::check::context::ShapeContext;
use crate::check::resync;
use crate::check::resync::ResyncPoint;
use crate::model::Accept;
use gridjudge_grid::CountLine;
use gridjudge_grid::FollowingLine;
use gridjudge_grid::Format;
use gridjudge_grid::Template;
use gridjudge_grid::Value;
use gridjudge_grid::format;
use gridjudge_grid::format::CaseOpening;
use gridjudge_grid::format::GridBlock;
use gridjudge_grid::format::GridReader;
use gridjudge_grid::format::ReplyKind;
use gridjudge_grid::format::SeparatorLikeness;
use gridjudge_grid::format::TextLine;
use gridjudge_grid::format::UNREAD;
use gridjudge_grid::format::parse_error::ParseError;
use gridjudge_grid::format::parse_error::ParseErrorKind;

/// Reads the pieces of cases of one shape.
pub(super) struct ItemReader<'a> {
    /// Reads what is the case's own: its banner.
    board: Rc<ShapeContext>,
    /// Reads one solution.
    solution: GridReader,
    count: Option<&'a CountLine>,
    has_solutions: bool,
    /// Whether only one of the solutions is shown.
    shows_one: bool,
    /// The most solutions that may be listed or counted.
    most: u64,
}

/// One piece, from the start of a window.
pub(super) struct OutputItem {
    pub(super) what: ItemKind,
    /// Line and byte at which it starts.
    pub(super) start: (u64, usize),
    /// Bytes up to its end.
    pub(super) bytes: usize,
    /// Lines up to its end.
    pub(super) lines: u64,
}

/// What a piece is.
pub(super) enum ItemKind {
    /// The number of solutions, and what is wrong with how it is written.
    Count {
        /// `None` if it is too large for any.
        number: Option<u64>,
        flaw: Option<ParseError>,
    },
    /// A text in place of them, and what is wrong with how it is written.
    Text(ReplyKind, Option<ParseError>),
    /// A solution, well or badly written.
    Solution(Box<GridBlock>),
    /// Something else, where a number or a word is all that may stand.
    Strange(String),
}

impl OutputItem {
    /// The cells of the solution that it is, if it is one.
    pub(super) fn cells(&self) -> Option<&[Value]> {
        match &self.what {
            ItemKind::Solution(block) => Some(&block.cells),
            _ => None,
        }
    }

    /// What the line is at which it starts.
    pub(super) fn behind(&self) -> FollowingLine {
        match self.what {
            ItemKind::Solution(_) => FollowingLine::Cells,
            ItemKind::Count { .. } | ItemKind::Text(..) | ItemKind::Strange(_) => FollowingLine::Words,
        }
    }
}

impl<'a> ItemReader<'a> {
    pub(super) fn new(format: &'a Format, accept: Accept, board: &Rc<ShapeContext>) -> Self {
        Self {
            most: accept.most().unwrap_or(1),
            board: Rc::clone(board),
            solution: board.reader.bare(),
            count: format.replies.count.as_ref(),
            has_solutions: matches!(accept, Accept::All { .. }) || accept.shows_one_of_many(),
            shows_one: accept.shows_one_of_many(),
        }
    }

    /// The template of the line that tells the number of solutions.
    pub(super) fn count(&self) -> Option<&Template> {
        self.count.map(|count| &count.template)
    }

    /// Whether the solutions themselves are listed, not only counted.
    pub(super) fn has_solutions(&self) -> bool {
        self.has_solutions
    }

    /// Whether only one of the solutions is shown.
    pub(super) fn shows_one(&self) -> bool {
        self.shows_one
    }

    /// Whether the number of solutions follows them.
    pub(super) fn counts_behind(&self) -> bool {
        self.has_solutions && self.count.is_some_and(|count| count.is_behind)
    }

    /// Reads the banner of case `number`, if it has one.
    pub(super) fn opening(&self, number: u64, window: &[u8]) -> CaseOpening {
        self.board.reader.opening(number, window, |line| self.is_count(line))
    }

    /// What is wrong with the place of the banner of case `number`, if this is its first piece.
    pub(super) fn misplaced(
        &self,
        opening: &CaseOpening,
        number: u64,
        piece: &OutputItem,
    ) -> Option<ParseError> {
        self.board.reader.misplaced(opening, number, piece.behind())
    }

    /// The next piece of case `number`; `None` if the window holds none, or another case begins.
    pub(super) fn next(&self, number: u64, window: &[u8]) -> Option<OutputItem> {
        let line = format::lines(window).find(|line| !line.is_empty())?;
        let start = (line.number, line.start);
        let piece = |what| Some(OutputItem { what, start, bytes: line.end, lines: line.number + 1 });
        if self.board.reader.is_banner(line.text) || self.is_separator(line.text) {
            return None;
        }
        if let Some(said) = self.board.reader.reply(line.text) {
            return piece(ItemKind::Text(said, self.board.reader.flaw_of_reply(said, number, &line)));
        }
        if self.is_count(line.text) {
            return piece(self.count_on(&line));
        }
        if let Some(said) = self.board.reader.nearly_reply(line.text) {
            return piece(ItemKind::Text(said, self.board.reader.flaw_of_reply(said, number, &line)));
        }
        if self.board.reader.opens_a_case(line.text) || self.board.reader.parts_cases(line.text) {
            return None;
        }
        if !self.has_solutions {
            return piece(ItemKind::Strange(format::quoted(line.text)));
        }
        let block = self.solution.tolerant(1, &window[..self.end_of_rows(window, 1)]);
        let (bytes, lines) = (block.bytes, block.lines);
        Some(OutputItem { what: ItemKind::Solution(Box::new(block)), start, bytes, lines })
    }

    /// Where the rows of so many solutions end, with which a window begins: at a line that is no row of any.
    fn end_of_rows(&self, window: &[u8], solutions: usize) -> usize {
        let mut written = format::lines(window).filter(|line| !line.is_empty()).skip(1);
        let lines = solutions * self.solution.height();
        { written.by_ref().take(lines) }
            .find(|line| self.closes_rows(line, window))
            .map_or(window.len(), |line| line.start)
    }

    /// Whether a line among rows is none. A bare number may be a broken row as well: then it is the number of solutions only
    /// if it is a likely one, and the last of its case.
    fn closes_rows(&self, line: &TextLine<'_>, window: &[u8]) -> bool {
        let text = line.text;
        if self.board.reader.parts_cases(text) && !self.is_count(text) {
            return true;
        }
        if self.board.reader.reply(text).is_some() || self.board.reader.opens_a_case(text) {
            return true;
        }
        let Some(count) = self.count().filter(|_| self.is_count(text)) else { return false };
        if !count.is_bare() {
            return true;
        }
        let mut behind = format::lines(&window[line.end..]).filter(|line| !line.is_empty());
        self.counts_behind()
            && count.number(text).is_some_and(|number| number <= self.most)
            && behind.next().is_none_or(|next| {
                self.board.reader.opens_a_case(next.text)
                    || self.board.reader.parts_cases(next.text)
                    || self.board.reader.reply(next.text).is_some()
            })
    }

    /// Where the next solution begins, if the one at the start of a window has too few rows or too many.
    pub(super) fn restart(
        &self,
        window: &[u8],
        is_solution: impl Fn(&[Value]) -> bool,
        is_beginning: impl Fn(&[Value]) -> Option<bool>,
    ) -> Option<ResyncPoint> {
        let rows = &window[..self.end_of_rows(window, 3)];
        resync::next_solution(&self.solution, rows, is_solution, is_beginning)
    }

    /// A solution that ends where the next one begins.
    pub(super) fn cut(&self, piece: OutputItem, window: &[u8], restart: &ResyncPoint) -> OutputItem {
        let mut block = self.solution.tolerant(1, &window[..restart.bytes]);
        let (bytes, lines) = (restart.bytes, restart.lines);
        if restart.rows > self.solution.height() {
            let kind = ParseErrorKind::RowCount { found: restart.rows, expected: self.solution.height() };
            block.errors =
                vec![ParseError { kind, row: None, column: None, line: lines.max(1) - 1, byte: bytes }];
            block.cells.fill(UNREAD);
        }
        OutputItem { what: ItemKind::Solution(Box::new(block)), bytes, lines, ..piece }
    }

    /// The number of solutions on a line.
    fn count_on(&self, line: &TextLine<'_>) -> ItemKind {
        let count = self.count();
        let number = count.and_then(|count| count.number(line.text));
        let expected = count.zip(number).map(|(count, number)| count.line(number));
        let flaw = expected.and_then(|expected| format::difference_of_words(&expected, line));
        ItemKind::Count { number, flaw }
    }

    fn is_separator(&self, line: &[u8]) -> bool {
        self.board.reader.likeness_of_separator(line) == SeparatorLikeness::Same
    }

    fn is_count(&self, line: &[u8]) -> bool {
        // A bare number that is torn apart may be a broken row.
        let is_near = |count: &Template| !count.is_bare() && count.resembles_but_for_spaces(line);
        self.count().is_some_and(|count| count.resembles(line) || is_near(count))
            && (!self.has_solutions || self.board.reader.row_values(line).is_none())
    }
}
