//! The pieces of a case that is a list of solutions, or their number: each a count, a text or a solution. Sees one window
//! at a time; whose pieces they are is not its affair.

use crate::check::board::Board;
use crate::grid::Behind;
use crate::grid::CountLine;
use crate::grid::Format;
use crate::grid::Template;
use crate::grid::Value;
use crate::grid::flaw::Flaw;
use crate::grid::text;
use crate::grid::text::Block;
use crate::grid::text::Opening;
use crate::grid::text::Reader;
use crate::grid::text::Said;
use crate::model::Accept;

/// Reads the pieces of cases of one shape.
pub(super) struct Pieces<'a> {
    /// Reads what is the case's own: its banner.
    reader: &'a Reader,
    /// Reads one solution.
    solution: Reader,
    count: Option<&'a CountLine>,
    has_solutions: bool,
}

/// One piece, from the start of a window.
pub(super) struct Piece {
    pub(super) what: What,
    /// Line and byte at which it starts.
    pub(super) start: (u64, usize),
    /// Bytes up to its end.
    pub(super) bytes: usize,
    /// Lines up to its end.
    pub(super) lines: u64,
}

/// What a piece is.
pub(super) enum What {
    /// The number of solutions; `None` if it is too large for any.
    Count(Option<u64>),
    /// A text in place of them.
    Text(Said),
    /// A solution, well or badly written.
    Solution(Box<Block>),
    /// Something else, where a number is all that may stand.
    Strange(String),
}

impl Piece {
    /// The cells of the solution that it is, if it is one.
    pub(super) fn cells(&self) -> Option<&[Value]> {
        match &self.what {
            What::Solution(block) => Some(&block.cells),
            _ => None,
        }
    }

    /// What the line is at which it starts.
    pub(super) fn behind(&self) -> Behind {
        match self.what {
            What::Solution(_) => Behind::Cells,
            What::Count(_) | What::Text(_) | What::Strange(_) => Behind::Words,
        }
    }
}

impl<'a> Pieces<'a> {
    pub(super) fn new(format: &'a Format, accept: Accept, board: &'a Board) -> Self {
        Self {
            reader: &board.reader,
            solution: board.reader.bare(),
            count: format.replies.count.as_ref(),
            has_solutions: matches!(accept, Accept::All { .. }),
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

    /// Whether the number of solutions stands behind them.
    pub(super) fn counts_behind(&self) -> bool {
        self.has_solutions && self.count.is_some_and(|count| count.is_behind)
    }

    /// Reads the banner of case `number`, if it has one.
    pub(super) fn opening(&self, number: u64, window: &[u8]) -> Opening {
        self.reader.opening(number, window, |line| self.is_count(line))
    }

    /// What is wrong with the place of the banner of case `number`, if this is its first piece.
    pub(super) fn misplaced(&self, opening: &Opening, number: u64, piece: &Piece) -> Option<Flaw> {
        self.reader.misplaced(opening, number, piece.behind())
    }

    /// The next piece of a case; `None` if the window holds none, or another case begins.
    pub(super) fn next(&self, window: &[u8]) -> Option<Piece> {
        let line = text::lines(window).find(|line| !line.is_empty())?;
        let start = (line.number, line.start);
        let piece = |what| Some(Piece { what, start, bytes: line.end, lines: line.number + 1 });
        if self.reader.is_banner(line.text) {
            return None;
        }
        if let Some(said) = self.reader.said(line.text) {
            return piece(What::Text(said));
        }
        if self.is_count(line.text) {
            return piece(What::Count(self.count().and_then(|count| count.number(line.text))));
        }
        if self.reader.opens_a_case(line.text) {
            return None;
        }
        if !self.has_solutions {
            return piece(What::Strange(text::quoted(line.text)));
        }
        let block = self.solution.tolerant(1, window);
        let (bytes, lines) = (block.bytes, block.lines);
        Some(Piece { what: What::Solution(Box::new(block)), start, bytes, lines })
    }

    fn is_count(&self, line: &[u8]) -> bool {
        self.count().is_some_and(|count| count.resembles(line))
            && (!self.has_solutions || self.reader.row_values(line).is_none())
    }
}
