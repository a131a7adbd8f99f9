//! All that is needed to judge grids of one shape: how they are read, what they must keep, and how they are solved.

use std::cell::OnceCell;

use gridjudge_grid::Format;
use gridjudge_grid::GridRules;
use gridjudge_grid::Shape;
use gridjudge_grid::format::GridReader;
use gridjudge_grid::solve::Solver;

/// The tools for grids of one shape.
pub(crate) struct ShapeContext {
    pub(crate) shape: Shape,
    /// Reads outputs and answers.
    pub(crate) reader: GridReader,
    pub(crate) rules: GridRules,
    solver: OnceCell<Solver>,
}

impl ShapeContext {
    /// The tools for each shape of a format.
    pub(crate) fn of(format: &Format) -> Vec<Self> {
        let boards = format.shapes.iter().map(|shape| Self {
            shape: shape.clone(),
            reader: GridReader::of_outputs(shape, format),
            rules: GridRules::new(shape),
            solver: OnceCell::new(),
        });
        boards.collect()
    }

    /// The solver, made when it is first needed: most outputs are judged without.
    pub(crate) fn solver(&self) -> &Solver {
        self.solver.get_or_init(|| Solver::new(&self.shape))
    }
}
