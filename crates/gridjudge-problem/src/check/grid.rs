//! Checks an output of a task of grids: opens the texts of a case, and chooses the
//! acceptor for its kind of answer.

mod claim;
pub(crate) mod context;
pub(crate) mod expected_answer;
pub(crate) mod grid_checker;
pub(crate) mod location;
pub(super) mod resync;

use std::io::Read;
use std::rc::Rc;

use gridjudge_grid::format::Padding;
use gridjudge_grid::{Format, Value};

use crate::check::input::{KnownAnswer, StoredAnswers};
use crate::check::{
    Acceptor, CheckError, Consumed, InputGrids, InputPair, JudgedAnswer, JudgedPart,
    ListAcceptor, Location, ShapeContexts, Window, run,
};
use crate::model::{Accept, Findings, GridPicture};

use grid_checker::GridChecker;

/// Checks an output, by the stored answer or by the solver.
///
/// # Errors
/// The same as those of [`grid_output`](super::output).
pub fn grid_output(
    format: &Format,
    accept: Accept,
    mut input: impl Read,
    mut output: impl Read,
    mut answer: Option<impl Read>,
) -> Result<Findings, CheckError> {
    check(
        format,
        accept,
        &mut input,
        &mut output,
        answer.as_mut().map(|answer| answer as &mut dyn Read),
        true,
    )
}

/// Checks an output without knowing the right answer.
///
/// # Errors
/// The same as those of [`grid_soundness`](super::soundness).
pub(super) fn grid_soundness(
    format: &Format,
    accept: Accept,
    mut input: impl Read,
    mut output: impl Read,
) -> Result<Findings, CheckError> {
    check(format, accept, &mut input, &mut output, None, false)
}

// The texts are `dyn`: compiling all of this for each type of reader would take
// seconds. The windows read large pieces, so the calls cost little.
fn check<'a>(
    format: &'a Format,
    accept: Accept,
    input: &'a mut dyn Read,
    output: &'a mut dyn Read,
    answer: Option<&'a mut dyn Read>,
    may_solve: bool,
) -> Result<Findings, CheckError> {
    // Whether an answer is sound is asked by those who want mistakes, and no verdict.
    let part = if may_solve {
        JudgedPart::Whole
    } else {
        JudgedPart::UntilListIsFull
    };
    let clues = InputGrids::open(format, input)?;
    let contexts = ShapeContexts::new(format);
    let grids = InputPair::new(&contexts);
    let output = Window::new(output, Padding::for_layout(format, &format.output));
    if accept.is_list() || accept == Accept::Word {
        let answer = answer.map(|answer| {
            Window::new(answer, Padding::for_layout(format, &format.output))
        });
        return run::run_check(
            clues,
            contexts,
            output,
            ListAcceptor::new(format, accept, grids, may_solve, answer),
            part,
        );
    }
    // Where any solution counts, a stored answer adds nothing, except that there is no
    // solution.
    let needs_answer = accept != Accept::Any || format.replies.texts().next().is_some();
    let answer = answer
        .filter(|_| needs_answer)
        .map(|answer| StoredAnswers::new(answer, format));
    run::run_check(
        clues,
        contexts,
        output,
        GridAcceptor {
            checker: GridChecker::new(format, accept, grids, may_solve),
            answer,
            found: Vec::new(),
            judged: JudgedAnswer::default(),
        },
        part,
    )
}

// Judges answers that are each one grid, or a text in place of it.
//
// A plainly written grid takes the fast path: it is read, compared with its clues, and
// checked against the rules. Anything else takes the careful path, which explains what
// is wrong and finds the start of the next grid again.

/// Judges grids, by the stored answers if there are any.
struct GridAcceptor<'a> {
    checker: GridChecker<'a>,
    answer: Option<StoredAnswers<'a>>,
    /// The cells that the fast path reads into.
    found: Vec<Value>,
    /// The result of the careful path.
    judged: JudgedAnswer,
}

impl<'a> Acceptor<'a> for GridAcceptor<'a> {
    fn format(&self) -> &'a Format {
        self.checker.format
    }

    fn grids(&self) -> &InputPair {
        &self.checker.grids
    }

    fn grids_mut(&mut self) -> &mut InputPair {
        &mut self.checker.grids
    }

    fn begin(
        &mut self,
        grid: u64,
        output: &mut Window<'_>,
    ) -> Result<bool, CheckError> {
        let context = Rc::clone(self.context());
        let reader = &context.reader;
        context.make_room(&mut self.found);
        let window = output
            .peek(reader.longest_plain())
            .map_err(CheckError::Output)?;
        let extent = reader.plain(grid, window, &mut self.found);
        let plain = extent.map(|extent| (&window[..extent.bytes], extent.lines));
        self.checker.known = KnownAnswer::Open;
        if let Some(answer) = &mut self.answer {
            context.make_room(&mut self.checker.solution);
            self.checker.known = answer
                .read_into(reader, plain, &self.found, &mut self.checker.solution)
                .map_err(CheckError::Answer)?;
        } else {
            self.checker
                .solve_if_needed()
                .map_err(|source| CheckError::TooHard { grid, source })?;
        }
        let right = extent.filter(|_| self.checker.is_right(&self.found));
        if let Some(extent) = right {
            output.pass(extent.bytes, extent.lines);
        }
        Ok(right.is_some())
    }

    fn judge(
        &mut self,
        location: Location<'_>,
        text: &[u8],
    ) -> Result<Consumed, CheckError> {
        let (judged, consumed) =
            self.checker.read(location, text).map_err(|source| {
                CheckError::TooHard {
                    grid: location.grid,
                    source,
                }
            })?;
        self.judged = judged;
        Ok(consumed)
    }

    fn finish(
        &mut self,
        _: Location<'_>,
        _: &mut Window<'_>,
    ) -> Result<JudgedAnswer, CheckError> {
        Ok(std::mem::take(&mut self.judged))
    }

    fn picture(&self, grid: u64) -> GridPicture {
        self.checker.picture(grid, None)
    }
}

#[cfg(test)]
mod claim_tests;
#[cfg(test)]
mod first_counted_tests;
#[cfg(test)]
mod list_tests;
#[cfg(test)]
mod map_tests;
#[cfg(test)]
mod matrix_tests;
#[cfg(test)]
mod opening_tests;
#[cfg(test)]
mod padding_tests;
#[cfg(test)]
mod separator_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod word_tests;
