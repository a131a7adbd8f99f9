//! The check of a task of grids: opens the texts of a case, and chooses the acceptor that knows what its answers look like.

use std::io::Read;

use crate::check::acceptor::InputPair;
use crate::check::context::ShapeContexts;
use crate::check::error::CheckError;
use crate::check::grid_acceptor::GridAcceptor;
use crate::check::grid_checker::GridChecker;
use crate::check::input_grids::InputGrids;
use crate::check::list_acceptor::ListAcceptor;
use crate::check::run;
use crate::check::stored_answers::StoredAnswers;
use crate::check::window::Window;
use crate::model::Accept;
use crate::model::Findings;
use gridjudge_grid::Format;
use gridjudge_grid::format::Padding;

/// Checks an output, by the stored answer or by the solver.
///
/// # Errors
/// As [`output`](super::output).
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

/// Checks what can be said of an output without knowing the right answer.
///
/// # Errors
/// As [`soundness`](super::soundness).
pub(super) fn soundness(
    format: &Format,
    accept: Accept,
    mut input: impl Read,
    mut output: impl Read,
) -> Result<Findings, CheckError> {
    check(format, accept, &mut input, &mut output, None, false)
}

// Of one kind of texts, which are read by the window: with each kind of its own, it would take the compiler seconds.
fn check(
    format: &Format,
    accept: Accept,
    input: &mut dyn Read,
    output: &mut dyn Read,
    answer: Option<&mut dyn Read>,
    may_solve: bool,
) -> Result<Findings, CheckError> {
    let clues = InputGrids::open(format, input)?;
    let boards = ShapeContexts::new(format);
    let grids = InputPair::new(&boards);
    let output = Window::new(output, Padding::of(format, &format.output));
    if accept.is_list() || accept == Accept::Word {
        let answer = answer.map(|answer| Window::new(answer, Padding::of(format, &format.output)));
        return run::run(clues, boards, output, ListAcceptor::new(format, accept, grids, may_solve, answer));
    }
    // Where any solution counts, an answer has nothing to add but that there is none.
    let needs_answer = accept != Accept::Any || format.replies.texts().next().is_some();
    let answer = answer.filter(|_| needs_answer).map(|answer| StoredAnswers::new(answer, format));
    let checker = GridChecker::new(format, accept, grids, may_solve);
    run::run(clues, boards, output, GridAcceptor::new(checker, answer))
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
mod opening_tests;
#[cfg(test)]
mod padding_tests;
#[cfg(test)]
mod separator_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod word_tests;
