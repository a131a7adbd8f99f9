//! The interface of one kind of answer to the loop over an output: whether a grid is answered
//! plainly, what is wrong with the next block of output, and what is missing at the end of an
//! answer.

use std::io::Read;
use std::rc::Rc;

use gridjudge_grid::{Format, Value};

use crate::check::{CheckError, Location, ShapeContext, ShapeContexts, Window};
use crate::model::{Finding, GridPicture};

/// A grid of the input.
pub(crate) struct InputGrid {
    /// Whether the input has this grid: it has none after the last.
    pub(crate) is_there: bool,
    /// The context for its shape.
    pub(crate) context: Rc<ShapeContext>,
    /// Its clues, row-major, 0 for blank.
    pub(crate) clues: Vec<Value>,
}

/// The grid being judged, and the next one, which shows where the answer to the current one ends.
pub(crate) struct InputPair {
    pub(crate) current: InputGrid,
    pub(crate) next: InputGrid,
}

impl InputPair {
    /// A pair before any grid has been read.
    pub(crate) fn new(contexts: &ShapeContexts<'_>) -> Self {
        let [current, next] = [(); 2].map(|()| InputGrid {
            is_there: false,
            context: Rc::clone(contexts.first()),
            clues: Vec::new(),
        });
        Self { current, next }
    }
}

/// How much of the output a block used up.
pub(crate) struct Consumed {
    pub(crate) bytes: usize,
    pub(crate) lines: u64,
    /// Whether more of the same answer may follow.
    pub(crate) more: bool,
}

/// The result of judging the answer to one grid.
#[derive(Default)]
pub(crate) struct JudgedAnswer {
    /// Everything wrong with it; empty if it is right.
    pub(crate) findings: Vec<Finding>,
    /// A diff of expected and found text, if the first finding is about the exact text.
    pub(crate) diff: Option<String>,
    /// A picture of the grid, if something is wrong with its answer.
    pub(crate) picture: Option<GridPicture>,
}

/// Judges answers of one kind, one grid of the input after the other.
pub(crate) trait Acceptor<'a> {
    fn format(&self) -> &'a Format;

    /// The context for the current grid.
    fn context(&self) -> &Rc<ShapeContext> {
        &self.grids().current.context
    }

    fn grids(&self) -> &InputPair;

    fn grids_mut(&mut self) -> &mut InputPair;

    /// Begins with the current grid. Returns `true` if the output goes on with its right answer,
    /// plainly written: then the answer has been passed, and nothing is left to judge.
    fn begin<O: Read>(&mut self, grid: u64, output: &mut Window<O>) -> Result<bool, CheckError>;

    /// Judges the block at the start of a text. At the beginning of an answer, the text is not
    /// blank.
    fn judge(&mut self, location: Location<'_>, text: &[u8]) -> Result<Consumed, CheckError>;

    /// Returns the result for all blocks of the answer; `location` is the place after the last of
    /// them.
    fn finish<O: Read>(
        &mut self,
        location: Location<'_>,
        output: &mut Window<O>,
    ) -> Result<JudgedAnswer, CheckError>;

    /// A picture of the current grid, without an answer.
    fn picture(&self, grid: u64) -> GridPicture;
}
