//! Checks an output of a task of grids: opens the texts of a case, and chooses the
//! acceptor for its kind of answer.

pub(crate) mod context;
pub(crate) mod expected_answer;
pub(crate) mod grid_checker;
pub(crate) mod location;
pub(super) mod resync;

use std::io::Read;
use std::rc::Rc;

use gridjudge_grid::Format;
use gridjudge_grid::format::Padding;

use crate::check::run::CheckRun;
use crate::check::{
    Acceptor, CheckError, ExpectedAnswer, InputGrids, InputPair, JudgedAnswer,
    ListAcceptor, Location, ShapeContext, Window, WindowView, input,
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
    let contexts = ShapeContext::of_shapes(format);
    let grids = InputPair::new(&contexts[0]);
    let padding = Padding::for_layout(format, &format.output);
    let output = Window::new(output, padding.clone());
    let answer = answer.map(|answer| Window::new(answer, padding));
    // Where any solution counts, a stored answer adds nothing, except that there is no
    // solution.
    let needs_answer = accept != Accept::Any || format.replies.texts().next().is_some();
    let acceptor: Box<dyn Acceptor + 'a> = if accept.is_list() || accept == Accept::Word
    {
        Box::new(ListAcceptor {
            accept,
            may_solve,
            answer,
            grids,
            truth: None,
        })
    } else {
        Box::new(GridChecker {
            format,
            accept,
            grids,
            answer: answer.filter(|_| needs_answer),
            may_solve,
            found: Vec::new(),
            truth: None,
            swapped: None,
        })
    };
    CheckRun {
        inputs: clues,
        contexts,
        output,
        acceptor,
        to_the_end: may_solve,
        findings: Findings::default(),
    }
    .run()
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

    fn begin(&mut self, output: &mut Window<'_>) -> Result<bool, CheckError> {
        let grid = self.grids.current.number;
        let context = Rc::clone(&self.grids.current.context);
        let reader = &context.reader;
        context.make_room(&mut self.found);
        let window = output.peek(reader.longest_plain())?;
        let extent = reader.plain(grid, window, &mut self.found);
        let plain = extent.map(|extent| (&window[..extent.bytes], extent.lines));
        let known = self.truth.take();
        if let Some(answer) = &mut self.answer {
            let mut cells = match known {
                Some(ExpectedAnswer::One(cells)) => cells,
                _ => Vec::new(),
            };
            context.make_room(&mut cells);
            let found = &self.found;
            let stored =
                input::read_stored_answer(answer, reader, grid, plain, found, cells);
            self.truth = Some(stored.map_err(CheckError::Answer)?);
        } else if self.may_solve {
            // Whether the answer matters whatever the output says.
            let needs_all = self.accept == Accept::Unique
                && self.format.replies.texts().next().is_some();
            if needs_all || self.accept == Accept::First {
                self.truth = Some(self.grids.current.expected_answer(self.accept)?);
            }
        }

        let right = extent.filter(|_| self.is_right(&self.found));
        if let Some(extent) = right {
            output.pass(extent.bytes, extent.lines);
        }
        Ok(right.is_some())
    }

    fn judge(
        &mut self,
        start: Location<'_>,
        output: &mut Window<'_>,
    ) -> Result<JudgedAnswer, CheckError> {
        let WindowView { text, origin } = output.view()?;
        let (judged, bytes, lines) = self.read(start.at(origin), text)?;
        output.advance_lines(bytes, lines)?;
        Ok(judged)
    }

    fn picture(&self) -> GridPicture {
        self.picture_of(None)
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
