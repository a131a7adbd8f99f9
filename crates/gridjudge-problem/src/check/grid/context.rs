//! Everything needed to judge grids of one shape: how they are read, which rules they
//! must keep, and their solver.

use std::cell::OnceCell;
use std::rc::Rc;

use gridjudge_grid::format::{GridBlock, GridReader, ReplyKind, UNREAD};
use gridjudge_grid::solve::Solver;
use gridjudge_grid::{BLANK, Format, GridRules, Shape, Template, Value};

use crate::check::{GridWording, Location, StreamOrigin};
use crate::model::GridPicture;
use crate::text::JoinedTexts;

/// The reader, the rules and the solver for grids of one shape.
pub(crate) struct ShapeContext {
    pub(crate) format: Rc<Format>,
    pub(crate) shape: Shape,
    /// Reads outputs and answers.
    pub(crate) reader: GridReader,
    solution_reader: OnceCell<GridReader>,
    word_reader: OnceCell<GridReader>,
    pub(crate) rules: GridRules,
    solver: OnceCell<Solver>,
}

impl ShapeContext {
    /// The contexts for the shapes of a format.
    pub(crate) fn of_shapes(format: &Format) -> Vec<Rc<Self>> {
        let format = Rc::new(format.clone());
        let shapes = format.shapes.iter();
        shapes
            .map(|shape| Rc::new(Self::new(&format, shape)))
            .collect()
    }

    /// The context for a shape of a format, or for that of a grid with a region map of
    /// its own.
    pub(crate) fn new(format: &Rc<Format>, shape: &Shape) -> Self {
        Self {
            format: Rc::clone(format),
            shape: shape.clone(),
            reader: GridReader::of_outputs(shape, format),
            solution_reader: OnceCell::new(),
            word_reader: OnceCell::new(),
            rules: GridRules::new(shape),
            solver: OnceCell::new(),
        }
    }

    /// How messages name what is in such grids.
    pub(crate) fn wording(&self) -> GridWording<'_> {
        GridWording {
            format: &self.format,
            shape: &self.shape,
        }
    }

    /// Makes room for the cells of a grid. The size is nearly always right already, so
    /// that check is inlined.
    #[inline]
    pub(crate) fn make_room(&self, cells: &mut Vec<Value>) {
        if cells.len() != self.shape.cells() {
            cells.resize(self.shape.cells(), 0);
        }
    }

    /// Reads one of several solutions.
    pub(crate) fn solution_reader(&self) -> &GridReader {
        self.solution_reader.get_or_init(|| self.reader.bare())
    }

    /// Reads answers that are words or numbers only.
    pub(crate) fn word_reader(&self) -> &GridReader {
        self.word_reader.get_or_init(|| self.reader.without_rows())
    }

    /// The solver, created when it is first needed: most outputs are judged without it.
    pub(crate) fn solver(&self) -> &Solver {
        self.solver.get_or_init(|| Solver::new(&self.shape))
    }
}

// The grids of the input: what is being judged, and its picture for the reports.

/// A grid of the input.
#[derive(Clone)]
pub(crate) struct InputGrid {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// The context for its shape.
    pub(crate) context: Rc<ShapeContext>,
    /// Its clues, row-major, 0 for blank.
    pub(crate) clues: Vec<Value>,
}

impl InputGrid {
    /// Where its answer is in an output: in the piece that begins at `origin`.
    pub(crate) fn location<'a>(
        &'a self,
        one_of_many: bool,
        origin: StreamOrigin<'a>,
    ) -> Location<'a> {
        Location {
            wording: self.context.wording(),
            grid: self.number,
            one_of_many,
            solution: None,
            origin,
        }
    }

    /// Whether these cells are a solution of it.
    pub(crate) fn is_solution(&self, cells: &[Value]) -> bool {
        cells.len() == self.clues.len()
            && self.context.rules.is_solution(cells, &self.clues)
    }

    /// Whether a block can be read and is a solution of it.
    pub(crate) fn is_solved_by(&self, block: &GridBlock) -> bool {
        block.is_readable() && self.is_solution(&block.cells)
    }

    /// Whether these cells agree with its clues.
    pub(crate) fn agrees_with(&self, cells: &[Value]) -> bool {
        cells.len() == self.clues.len()
            && cells
                .iter()
                .zip(&self.clues)
                .all(|(cell, clue)| *clue == BLANK || cell == clue)
    }

    /// Whether it has enough clues to be located by them. With fewer, almost any place
    /// would match by chance.
    pub(crate) fn is_distinctive(&self) -> bool {
        let clues = self.clues.iter().filter(|&&clue| clue != BLANK);
        clues.count() >= self.clues.len().isqrt()
    }

    /// The line of its answer that consists of these words.
    pub(crate) fn line_of(&self, words: &Template) -> String {
        words.line(self.context.format.output.case_number(self.number))
    }

    /// The line for a reply to it; empty if the problem has no words for it.
    pub(crate) fn reply_line(&self, reply: ReplyKind) -> String {
        let text = self.context.format.replies.text(reply);
        text.map(|words| self.line_of(words)).unwrap_or_default()
    }

    /// Its picture, with the cells that were `found` and those `expected`, if given.
    pub(crate) fn picture(
        &self,
        found: Option<&[Value]>,
        expected: Option<&[Value]>,
    ) -> GridPicture {
        let ShapeContext { format, shape, .. } = &*self.context;
        let cells = |values: &[Value]| {
            values
                .iter()
                .map(|&value| match value {
                    BLANK => ".",
                    UNREAD => "?",
                    value => format.symbols.symbol(value),
                })
                .joined(" ")
        };
        GridPicture {
            grid: self.number,
            order: shape.order(),
            regions: (0..shape.cells())
                .map_while(|cell| shape.region_of(cell))
                .map(|region| (region + 1).to_string())
                .joined(" "),
            diagonals: shape.has_diagonals(),
            clues: cells(&self.clues),
            found: found.map(cells).unwrap_or_default(),
            expected: expected.map(cells).unwrap_or_default(),
        }
    }
}

/// Cells with a blank in place of each that could not be read.
pub(crate) fn with_blanks(cells: &[Value]) -> Vec<Value> {
    cells
        .iter()
        .map(|&value| if value == UNREAD { BLANK } else { value })
        .collect()
}
