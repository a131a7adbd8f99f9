//! Checks an output of a task of grids: opens the texts of a case, and chooses the acceptor for its
//! kind of answer.

use std::io::Read;

use crate::check::acceptor::InputPair;
use crate::check::context::ShapeContexts;
use crate::check::error::CheckError;
use crate::check::grid_acceptor::GridAcceptor;
use crate::check::grid_checker::GridChecker;
use crate::check::input_grids::InputGrids;
use crate::check::list_acceptor::ListAcceptor;
use crate::check::run;
use crate::check::run::JudgedPart;
use crate::check::stored_answers::StoredAnswers;
use crate::check::window::Window;
use crate::model::{Accept, Findings};
use gridjudge_grid::Format;
use gridjudge_grid::format::Padding;

/// Checks an output, by the stored answer or by the solver.
///
/// # Errors
/// The same as those of [`output`](super::output).
pub(super) fn output(
    format: &Format,
    accept: Accept,
    mut input: impl Read,
    mut output: impl Read,
    mut answer: Option<impl Read>,
) -> Result<Findings, CheckError> {
    let answer = answer.as_mut().map(|answer| answer as &mut dyn Read);
    check(format, accept, &mut input, &mut output, answer, true)
}

/// Checks an output without knowing the right answer.
///
/// # Errors
/// The same as those of [`soundness`](super::soundness).
pub(super) fn soundness(
    format: &Format,
    accept: Accept,
    mut input: impl Read,
    mut output: impl Read,
) -> Result<Findings, CheckError> {
    check(format, accept, &mut input, &mut output, None, false)
}

// The texts are `dyn`: compiling all of this for each type of reader would take seconds. The
// windows read large pieces, so the calls cost little.
fn check(
    format: &Format,
    accept: Accept,
    input: &mut dyn Read,
    output: &mut dyn Read,
    answer: Option<&mut dyn Read>,
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
    let output = Window::new(output, Padding::of(format, &format.output));
    if accept.is_list() || accept == Accept::Word {
        let answer = answer.map(|answer| Window::new(answer, Padding::of(format, &format.output)));
        return run::run(
            clues,
            contexts,
            output,
            ListAcceptor::new(format, accept, grids, may_solve, answer),
            part,
        );
    }
    // Where any solution counts, a stored answer adds nothing, except that there is no solution.
    let needs_answer = accept != Accept::Any || format.replies.texts().next().is_some();
    let answer = answer
        .filter(|_| needs_answer)
        .map(|answer| StoredAnswers::new(answer, format));
    let checker = GridChecker::new(format, accept, grids, may_solve);
    run::run(
        clues,
        contexts,
        output,
        GridAcceptor::new(checker, answer),
        part,
    )
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
