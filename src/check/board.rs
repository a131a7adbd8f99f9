//! All that is needed to judge grids of one shape: how they are read, what they must keep, and how they are solved.

use std::cell::OnceCell;

use gridjudge_grid::Format;
use gridjudge_grid::Rules;
use gridjudge_grid::Shape;
use gridjudge_grid::solve::Solver;
use gridjudge_grid::text::Reader;

/// The tools for grids of one shape.
pub(crate) struct Board {
    pub(crate) shape: Shape,
    /// Reads outputs and answers.
    pub(crate) reader: Reader,
    pub(crate) rules: Rules,
    solver: OnceCell<Solver>,
}

impl Board {
    /// The tools for each shape of a format.
    pub(crate) fn of(format: &Format) -> Vec<Self> {
        let boards = format.shapes.iter().map(|shape| Self {
            shape: shape.clone(),
            reader: Reader::of_outputs(shape, format),
            rules: Rules::new(shape),
            solver: OnceCell::new(),
        });
        boards.collect()
    }

    /// The solver, made when it is first needed: most outputs are judged without.
    pub(crate) fn solver(&self) -> &Solver {
        self.solver.get_or_init(|| Solver::new(&self.shape))
    }
}
