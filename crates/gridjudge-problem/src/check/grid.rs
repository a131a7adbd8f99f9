//! Checks an output of a task of grids: opens the texts of a case, and passes over the
//! answers that are plainly right.

pub(crate) mod context;
pub(crate) mod expected_answer;
mod extra_lines;
pub(crate) mod grid_checker;
pub(crate) mod location;
pub(super) mod resync;

use std::io::Read;
use std::rc::Rc;

use gridjudge_grid::Format;
use gridjudge_grid::format::{self, Padding, TextOffset};

use crate::check::run::{CheckRun, LatestAnswer};
use crate::check::{
    CheckError, ExpectedAnswer, GridChecker, InputError, InputGrid, InputGrids,
    ShapeContext, Window, WindowView, input, mistake,
};
use crate::model::{Accept, Findings};

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
// seconds. The windows read large pieces, so the calls cost little.
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
    let before_all = InputGrid {
        number: 0,
        context: Rc::clone(&contexts[0]),
        clues: vec![],
    };
    let padding = Padding::for_layout(format, &format.output);
    let output = Window::new(output, padding.clone());
    let answer = answer.map(|answer| Window::new(answer, padding));
    // Where any solution counts, a stored answer adds nothing, except that there is no
    // solution.
    let needs_answer =
        accept != Accept::Any || format.replies.texts().next().is_some();
    let checker = GridChecker {
        format,
        accept,
        current: before_all,
        next: None,
        answer: answer.filter(|_| needs_answer),
        may_solve,
        found: vec![],
        earlier: vec![],
        repeated: None,
        truth: None,
        swapped: None,
    };
    CheckRun {
        inputs: clues,
        contexts,
        output,
        checker,
        findings: Findings::default(),
        latest: LatestAnswer::Wrong,
    }
    .run()
}

// Answers that are each one grid, or a text in place of it, are judged here; `list`
// judges lists of solutions, their numbers and words.
//
// A plainly written grid takes the fast path: it is read, compared with its clues, and
// checked against the rules. Anything else takes the careful path, which explains what
// is wrong and finds the start of the next grid again.

impl GridChecker<'_> {
    pub(super) fn expects_list(&self) -> bool {
        self.accept.is_list() || self.accept == Accept::Word
    }

    /// Begins with the current grid. Returns `true` if the output goes on with its
    /// right answer, plainly written: then the answer has been passed, and nothing is
    /// left to judge.
    pub(super) fn begin(&mut self, output: &mut Window) -> Result<bool, CheckError> {
        if self.expects_list() {
            self.begin_list()?;
            return Ok(false);
        }
        std::mem::swap(&mut self.found, &mut self.earlier);
        let grid = self.current.number;
        let context = &self.current.context;
        let reader = &context.reader;
        context.make_room(&mut self.found);
        let window = output.peek(reader.longest_plain())?;
        let end = reader.plain(grid, window, &mut self.found);
        let plain = end.map(|end| (&window[..end.bytes], end));
        // In some problems, the answer matters whatever the output says.
        let needs_solver = self.may_solve
            && (self.accept == Accept::First
                || self.accept == Accept::Unique
                    && self.format.replies.texts().next().is_some());
        self.truth = match self.read_stored(plain).map_err(CheckError::Answer)? {
            None if needs_solver => Some(self.current.expected_answer(self.accept)?),
            stored => stored,
        };

        let right = end.filter(|_| self.is_right(&self.found));
        if let Some(end) = right {
            output.pass(end);
        }
        Ok(right.is_some())
    }

    /// Reads the stored answer to the current grid, which is one grid or a text, if
    /// there is one. It often equals the output's `plain` text, given with its end,
    /// whose cells have been `found`: then it is not parsed again.
    fn read_stored(
        &mut self,
        plain: Option<(&[u8], TextOffset)>,
    ) -> Result<Option<ExpectedAnswer>, InputError> {
        let Some(answer) = &mut self.answer else {
            return Ok(None);
        };
        let context = &self.current.context;
        let reader = &context.reader;
        let number = self.current.number;
        let mut cells = match self.truth.take() {
            Some(ExpectedAnswer::One(cells)) => cells,
            _ => vec![],
        };
        context.make_room(&mut cells);
        input::pass_separator(answer, reader, number)?;
        if let Some((text, end)) = plain
            && answer.peek(text.len())?.starts_with(text)
        {
            answer.pass(end);
            cells.copy_from_slice(&self.found);
            return Ok(Some(ExpectedAnswer::One(cells)));
        }
        let window = answer.peek(reader.longest_plain())?;
        if let Some(end) = reader.plain(number, window, &mut cells) {
            answer.pass(end);
            return Ok(Some(ExpectedAnswer::One(cells)));
        }
        let WindowView { text, origin } = answer.view()?;
        if text.trim_ascii().is_empty() {
            let message = format!("the file ends before grid {number}");
            let line = origin.line(format::end_of_lines(text).end_of_line());
            return Err(mistake(line, message, input::MISSING).into());
        }
        let block = reader.tolerant(number, text);
        if let Some(error) = block.errors.first() {
            let line = origin.line(error.place);
            let message = format!("grid {number}: {error}");
            return Err(mistake(line, message, None).into());
        }
        answer.advance_lines(block.end)?;
        Ok(Some(match block.reply {
            Some(reply) => ExpectedAnswer::Reply(reply),
            None => ExpectedAnswer::One(block.cells),
        }))
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
