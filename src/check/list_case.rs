//! One case that is a list of solutions, or their number: which pieces are of it, how each should be written, and what is
//! wrong with it.

use std::rc::Rc;

use crate::check::context::ShapeContext;
use crate::check::expected_answer::ExpectedAnswer;
use crate::check::items::ItemKind;
use crate::check::items::ItemReader;
use crate::check::items::OutputItem;
use crate::check::location::Location;
use crate::check::solution_set::SolutionSet;
use crate::model::Accept;
use crate::model::Finding;
use gridjudge_grid::BLANK;
use gridjudge_grid::Format;
use gridjudge_grid::Value;
use gridjudge_grid::format::GridBlock;
use gridjudge_grid::format::UNREAD;
use gridjudge_grid::format::write;

/// One case of an output.
pub(super) struct ListCase<'a> {
    format: &'a Format,
    board: Rc<ShapeContext>,
    /// The clues of the case behind it, if that has the same shape.
    next: Option<Vec<Value>>,
    pub(super) pieces: ItemReader<'a>,
    solutions: SolutionSet<'a>,
}

impl<'a> ListCase<'a> {
    pub(super) fn new(
        format: &'a Format,
        accept: Accept,
        board: &Rc<ShapeContext>,
        clues: Vec<Value>,
        next: Option<Vec<Value>>,
        truth: Option<ExpectedAnswer>,
    ) -> Self {
        let pieces = ItemReader::new(format, accept, board);
        let solutions = SolutionSet::new(format, accept, Rc::clone(board), clues, truth);
        Self { format, board: Rc::clone(board), next, pieces, solutions }
    }

    /// The next piece of this case, which is case `number`, at the start of a window, if there is one.
    pub(super) fn next(&self, number: u64, window: &[u8]) -> Option<OutputItem> {
        let mut piece = self.pieces.next(number, window)?;
        if let ItemKind::Solution(block) = &piece.what
            && !self.is_solution(&block.cells)
            && let Some(restart) = self.pieces.restart(
                window,
                |cells| self.is_solution(cells),
                |cells| self.solutions.is_a_beginning(cells),
            )
        {
            piece = self.pieces.cut(piece, window, &restart);
        }
        Some(piece).filter(|piece| self.has(piece))
    }

    /// Whether these cells are a solution of this case, or of the next one.
    fn is_solution(&self, cells: &[Value]) -> bool {
        let is_ours = match self.solutions.is_expected(cells) {
            Some(is_expected) => is_expected,
            None => self.board.rules.is_solution(cells, &self.solutions.clues),
        };
        is_ours || self.next.as_ref().is_some_and(|clues| self.board.rules.is_solution(cells, clues))
    }

    /// Takes a piece, and says what is wrong with it.
    pub(super) fn take(&mut self, site: Location<'_>, piece: &OutputItem) -> Vec<Finding> {
        self.solutions.take(site, piece, self.pieces.count())
    }

    /// What is missing when the case is over.
    pub(super) fn missing(&self, site: Location<'_>) -> Vec<Finding> {
        self.solutions.missing(site, &self.pieces)
    }

    /// Whether nothing of it can follow.
    pub(super) fn is_complete(&self) -> bool {
        self.solutions.is_complete(&self.pieces)
    }

    /// Whether a piece is of this case rather than of the next one.
    fn has(&self, piece: &OutputItem) -> bool {
        let is_first = self.solutions.is_untouched();
        match &piece.what {
            ItemKind::Count { .. } => is_first || self.pieces.counts_behind(),
            ItemKind::Text(..) | ItemKind::Strange(_) => is_first,
            // Every other case begins with a banner, or with a text: this solution is of no other.
            ItemKind::Solution(_) if self.format.output.banner.is_some() => true,
            ItemKind::Solution(block) => {
                // The next case would begin with its number.
                let is_open = self.solutions.is_counted() && !self.pieces.counts_behind();
                let is_next = self.next.as_ref().is_some_and(|clues| fits(&self.board, clues, block));
                match fits(&self.board, &self.solutions.clues, block) {
                    true => !is_next || is_open || self.solutions.wants(&block.cells),
                    false => !is_next && (is_open || self.solutions.wants_more()),
                }
            }
        }
    }

    /// What stands between the number of solutions and the solutions.
    fn gap_of_count(&self) -> &'static str {
        let is_apart = self.format.replies.count.as_ref().is_some_and(|count| count.is_apart);
        if is_apart { "\n" } else { "" }
    }

    /// How a piece of case `number` should be written.
    pub(super) fn canonical(&self, number: u64, piece: &OutputItem) -> String {
        let (layout, replies) = (&self.format.output, &self.format.replies);
        let line = match &piece.what {
            ItemKind::Count { number: told, .. } => {
                let line = self.pieces.count().zip(*told).map(|(count, told)| count.line(told));
                let gap = if self.solutions.has_solutions() { self.gap_of_count() } else { "" };
                line.map(|line| gap.to_owned() + &line)
            }
            ItemKind::Text(said, _) => replies.text(*said).map(|text| text.line(layout.case_number(number))),
            ItemKind::Strange(_) => None,
            ItemKind::Solution(block) => {
                let known = |&value: &Value| if value == UNREAD { BLANK } else { value };
                let cells: Vec<_> = block.cells.iter().map(known).collect();
                let apart = match self.solutions.has_solutions() {
                    true if replies.apart => "\n",
                    false if self.solutions.is_counted() => self.gap_of_count(),
                    _ => "",
                };
                let rows = write::rows(&self.board.shape, &self.format.symbols, layout, &cells);
                return apart.to_owned() + &rows;
            }
        };
        line.unwrap_or_default() + "\n"
    }
}

/// Whether a block is a solution of these clues.
pub(super) fn fits(board: &ShapeContext, clues: &[Value], block: &GridBlock) -> bool {
    block.is_readable() && board.rules.is_solution(&block.cells, clues)
}
