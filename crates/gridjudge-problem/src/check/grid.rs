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

use gridjudge_grid::Format;
use gridjudge_grid::format::Padding;

use crate::check::input::KnownAnswer;
use crate::check::{
    Acceptor, CheckError, Consumed, InputGrids, InputPair, JudgedAnswer, ListAcceptor,
    Location, ShapeContexts, Window, input, run,
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

/// Checks an output. If the solver may not be used, and there is no stored answer, only
/// whether it is sound.
///
/// # Errors
/// The same as those of [`grid_output`](super::output).
// The texts are `dyn`: compiling all of this for each type of reader would take
// seconds. The windows read large pieces, so the calls cost little. Whether an answer
// is sound is asked by those who want mistakes, and no verdict, so the rest need not be
// judged once the list of these is full.
pub(super) fn check<'a>(
    format: &'a Format,
    accept: Accept,
    input: &'a mut dyn Read,
    output: &'a mut dyn Read,
    answer: Option<&'a mut dyn Read>,
    may_solve: bool,
) -> Result<Findings, CheckError> {
    let clues = InputGrids::open(format, input)?;
    let contexts = ShapeContexts::new(format);
    let grids = InputPair::new(&contexts);
    let padding = Padding::for_layout(format, &format.output);
    let output = Window::new(output, padding.clone());
    let answer = answer.map(|answer| Window::new(answer, padding));
    if accept.is_list() || accept == Accept::Word {
        return run::run_check(
            clues,
            contexts,
            output,
            ListAcceptor {
                format,
                accept,
                may_solve,
                answer,
                grids,
                case: None,
            },
            may_solve,
        );
    }
    // Where any solution counts, a stored answer adds nothing, except that there is no
    // solution.
    let needs_answer = accept != Accept::Any || format.replies.texts().next().is_some();
    run::run_check(
        clues,
        contexts,
        output,
        GridChecker {
            format,
            accept,
            grids,
            answer: answer.filter(|_| needs_answer),
            may_solve,
            found: Vec::new(),
            known: KnownAnswer::Open,
            solution: Vec::new(),
            swapped: None,
            judged: JudgedAnswer::default(),
        },
        may_solve,
    )
}

// Judges answers that are each one grid, or a text in place of it.
//
// A plainly written grid takes the fast path: it is read, compared with its clues, and
// checked against the rules. Anything else takes the careful path, which explains what
// is wrong and finds the start of the next grid again.

impl Acceptor for GridChecker<'_> {
    fn grids(&self) -> &InputPair {
        &self.grids
    }

    fn grids_mut(&mut self) -> &mut InputPair {
        &mut self.grids
    }

    fn begin(
        &mut self,
        grid: u64,
        output: &mut Window<'_>,
    ) -> Result<bool, CheckError> {
        let context = Rc::clone(&self.grids.current.context);
        let reader = &context.reader;
        context.make_room(&mut self.found);
        let window = output
            .peek(reader.longest_plain())
            .map_err(CheckError::Output)?;
        let extent = reader.plain(grid, window, &mut self.found);
        let plain = extent.map(|extent| (&window[..extent.bytes], extent.lines));
        self.known = KnownAnswer::Open;
        if let Some(answer) = &mut self.answer {
            context.make_room(&mut self.solution);
            self.known = input::read_stored_answer(
                answer,
                reader,
                grid,
                plain,
                &self.found,
                &mut self.solution,
            )
            .map_err(CheckError::Answer)?;
        } else {
            self.solve_if_needed()
                .map_err(|source| CheckError::TooHard { grid, source })?;
        }
        let right = extent.filter(|_| self.is_right(&self.found));
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
        self.read(location, text)
            .map_err(|source| CheckError::TooHard {
                grid: location.grid,
                source,
            })
    }

    fn finish(
        &mut self,
        _: Location<'_>,
        _: &mut Window<'_>,
    ) -> Result<JudgedAnswer, CheckError> {
        Ok(std::mem::take(&mut self.judged))
    }

    fn picture(&self, grid: u64) -> GridPicture {
        self.picture_of(grid, None)
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
