//! Everything needed to judge grids of one shape: how they are read, which rules they
//! must keep, and their solver.

use std::cell::OnceCell;
use std::rc::Rc;

use gridjudge_grid::format::{GridReader, UNREAD};
use gridjudge_grid::solve::Solver;
use gridjudge_grid::{BLANK, Format, GridRules, Shape, Value};

use crate::model::GridPicture;
use crate::text::JoinedTexts;

/// The reader, the rules and the solver for grids of one shape.
pub(crate) struct ShapeContext {
    pub(crate) shape: Shape,
    /// Reads outputs and answers.
    pub(crate) reader: GridReader,
    pub(crate) rules: GridRules,
    solver: OnceCell<Solver>,
}

/// The contexts for the shapes of a format. A grid with a region map of its own gets a
/// context of its own.
pub(crate) struct ShapeContexts<'a> {
    format: &'a Format,
    by_shape: Vec<Rc<ShapeContext>>,
}

impl<'a> ShapeContexts<'a> {
    pub(crate) fn new(format: &'a Format) -> Self {
        let by_shape = format
            .shapes
            .iter()
            .map(|shape| Rc::new(ShapeContext::new(shape, format)));
        Self {
            format,
            by_shape: by_shape.collect(),
        }
    }

    /// The context for output that belongs to no grid.
    pub(crate) fn first(&self) -> &Rc<ShapeContext> {
        &self.by_shape[0]
    }

    /// The context for a grid, by the index of its shape in the format, and by its own
    /// shape if it has one.
    pub(crate) fn of_grid(
        &self,
        place: usize,
        own: Option<&Shape>,
    ) -> Rc<ShapeContext> {
        match own {
            Some(own) => Rc::new(ShapeContext::new(own, self.format)),
            None => Rc::clone(&self.by_shape[place]),
        }
    }
}

impl ShapeContext {
    fn new(shape: &Shape, format: &Format) -> Self {
        Self {
            shape: shape.clone(),
            reader: GridReader::of_outputs(shape, format),
            rules: GridRules::new(shape),
            solver: OnceCell::new(),
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

    /// The solver, created when it is first needed: most outputs are judged without it.
    pub(crate) fn solver(&self) -> &Solver {
        self.solver.get_or_init(|| Solver::new(&self.shape))
    }
}

// Builds the picture of a grid for the reports: its clues, the cells found and the
// cells expected. Knows formats and shapes.

/// The picture of grid number `grid`, with the cells that were `found` and those
/// `expected`, if given.
pub(crate) fn grid_picture(
    format: &Format,
    shape: &Shape,
    grid: u64,
    clues: &[Value],
    found: Option<&[Value]>,
    expected: Option<&[Value]>,
) -> GridPicture {
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
    let regions = (0..shape.cells())
        .map_while(|cell| shape.region_of(cell).map(|region| (region + 1).to_string()))
        .collect::<Vec<_>>();
    GridPicture {
        grid,
        order: shape.order(),
        regions: regions.join(" "),
        diagonals: shape.has_diagonals(),
        clues: cells(clues),
        found: found.map(cells).unwrap_or_default(),
        expected: expected.map(cells).unwrap_or_default(),
    }
}
