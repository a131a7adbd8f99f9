//! What one kind of answer must say so that the loop over an output can judge it: whether a grid is answered plainly, what
//! the next block of output is worth, and what is missing when the answer is over.

use std::io::Read;
use std::rc::Rc;

use crate::check::context::ShapeContext;
use crate::check::context::ShapeContexts;
use crate::check::error::CheckError;
use crate::check::location::Location;
use crate::check::window::Window;
use crate::model::Finding;
use crate::model::GridPicture;
use gridjudge_grid::Format;
use gridjudge_grid::Value;

/// A grid of the input.
pub(crate) struct InputGrid {
    /// Whether there is one: none is after the last.
    pub(crate) is_there: bool,
    /// The tools for its shape.
    pub(crate) board: Rc<ShapeContext>,
    /// Its clues, row-major, 0 for blank.
    pub(crate) clues: Vec<Value>,
}

/// The grid that is judged, and the one after it, by which its end is told.
pub(crate) struct InputPair {
    pub(crate) current: InputGrid,
    pub(crate) next: InputGrid,
}

impl InputPair {
    /// No grids yet.
    pub(crate) fn new(boards: &ShapeContexts<'_>) -> Self {
        let [current, next] = [(); 2].map(|()| InputGrid {
            is_there: false,
            board: Rc::clone(boards.first()),
            clues: Vec::new(),
        });
        Self { current, next }
    }
}

/// How much of the output a block takes.
pub(crate) struct Consumed {
    pub(crate) bytes: usize,
    pub(crate) lines: u64,
    /// Whether more of the same answer may follow.
    pub(crate) more: bool,
}

/// What the answer to one grid is worth.
#[derive(Default)]
pub(crate) struct JudgedAnswer {
    /// What is wrong with it; nothing if it is right.
    pub(crate) findings: Vec<Finding>,
    /// Expected and found text, where the exact text is what is wrong first.
    pub(crate) diff: Option<String>,
    /// The grid, where something is wrong with it.
    pub(crate) picture: Option<GridPicture>,
}

/// Judges answers of one kind, for one grid of the input after the other.
pub(crate) trait Acceptor<'a> {
    fn format(&self) -> &'a Format;

    /// The tools for the current grid.
    fn board(&self) -> &Rc<ShapeContext> {
        &self.grids().current.board
    }

    fn grids(&self) -> &InputPair;

    fn grids_mut(&mut self) -> &mut InputPair;

    /// Begins with the current grid. Returns `true` if its answer stands there written plainly and right: then it has
    /// been passed, and there is nothing more to judge.
    fn begin<O: Read>(&mut self, grid: u64, output: &mut Window<O>) -> Result<bool, CheckError>;

    /// Judges the block at the start of a text, which is not empty when the answer begins.
    fn judge(&mut self, site: Location<'_>, text: &[u8]) -> Result<Consumed, CheckError>;

    /// What all blocks of the answer come to; `site` is after the last of them.
    fn finish<O: Read>(
        &mut self,
        site: Location<'_>,
        output: &mut Window<O>,
    ) -> Result<JudgedAnswer, CheckError>;

    /// The current grid, without an answer.
    fn picture(&self, grid: u64) -> GridPicture;
}
