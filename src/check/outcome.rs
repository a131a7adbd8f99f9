//! The way into checking: opens the texts of a case, and hands them to the checker that knows how this problem's answers
//! look.

use std::io;
use std::io::Read;

use crate::check::context::ShapeContext;
use crate::check::grid_checker::GridChecker;
use crate::check::grid_loop;
use crate::check::input_grids::InputGrids;
use crate::check::input_mistake::InputError;
use crate::check::list_loop;
use crate::check::location::Location;
use crate::check::stored_answers::StoredAnswers;
use crate::check::window::Window;
use crate::check::window::WindowView;
use crate::model::Accept;
use crate::model::Finding;
use crate::model::FindingKind;
use crate::model::FindingRule;
use crate::model::Findings;
use gridjudge_grid::Format;
use gridjudge_grid::WhiteSpace;
use gridjudge_grid::format;
use gridjudge_grid::format::Padding;
use gridjudge_grid::solve::TooHard;

/// Why an output could not be checked. None of it is the submission's doing.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The input cannot be read.
    #[error("the input: {0}")]
    Input(#[from] InputError),
    /// The output cannot be read.
    #[error("the output: {0}")]
    Output(io::Error),
    /// The answer cannot be read, or is not in the format.
    #[error("the answer: {0}")]
    Answer(InputError),
    /// There is no stored answer, and the solver finds none in time.
    #[error("grid {grid}: {source}")]
    TooHard {
        /// Number of the grid, from 1.
        grid: u64,
        /// How long was tried.
        source: TooHard,
    },
}

/// Checks an output against the input it answers. `answer` is the stored answer. Without it, the solver says what the
/// right answer is, save that any valid completion passes where the problem promises a unique solution.
///
/// # Errors
/// [`CheckError`] if one of the three cannot be read, if input or answer are not in the problem's format, or if the
/// solver would have to say what is right and cannot.
pub fn output(
    format: &Format,
    accept: Accept,
    input: impl Read,
    output: impl Read,
    answer: Option<impl Read>,
) -> Result<Findings, CheckError> {
    check(format, accept, input, output, answer, true)
}

/// Checks what can be said of an output without knowing the right answer: its format, its clues, its rules. A text in
/// place of a grid passes.
///
/// # Errors
/// [`CheckError`] if one of the two cannot be read, or if the input is not in the problem's format.
pub fn soundness(
    format: &Format,
    accept: Accept,
    input: impl Read,
    output: impl Read,
) -> Result<Findings, CheckError> {
    check(format, accept, input, output, None::<io::Empty>, false)
}

fn check(
    format: &Format,
    accept: Accept,
    input: impl Read,
    output: impl Read,
    answer: Option<impl Read>,
    may_solve: bool,
) -> Result<Findings, CheckError> {
    let clues = InputGrids::open(format, input)?;
    let boards = ShapeContext::of(format);
    let output = Window::new(output, Padding::of(format, &format.output));
    if matches!(accept, Accept::All { .. } | Accept::Count { .. }) {
        let answer = answer.map(|answer| Window::new(answer, Padding::of(format, &format.output)));
        return list_loop::ListLoop::new(format, accept, &boards, may_solve, clues, output, answer).check();
    }
    // Where any solution counts, an answer has nothing to add but that there is none.
    let needs_answer = accept != Accept::Any || format.replies.none.is_some();
    let answer = answer.filter(|_| needs_answer).map(|answer| StoredAnswers::new(answer, format));
    grid_loop::GridLoop::new(GridChecker::new(format, accept, &boards, may_solve), clues, output, answer)
        .check()
}

/// What is said of an output that ends too early.
pub(super) fn missing_from(grid: u64, total: u64) -> String {
    match (grid, total) {
        (1, 1) => "the output is empty".to_owned(),
        (1, total) => format!("the output is empty, expected {total} grids"),
        (grid, total) => format!("the output ends after {} of {total} grids", grid - 1),
    }
}

/// Notes trailing output after the last grid.
pub(super) fn check_trailing_output<O: Read>(
    output: &mut Window<O>,
    site: Location<'_>,
    findings: &mut Findings,
) -> Result<(), CheckError> {
    let WindowView { text: window, origin } = output.view().map_err(CheckError::Output)?;
    let site = Location { origin, one_of_many: false, ..site };
    let is_strict = site.format.output.white_space == WhiteSpace::Strict;
    if let Some(rest) = format::lines(window).find(|line| !line.is_empty()) {
        let message = format!("`{}` is trailing output after the last grid", format::quoted(rest.text));
        let finding = site.finding(FindingRule::Trailing, rest.number, rest.start, &message);
        findings.note(Finding { grid: None, ..finding });
    } else if is_strict && !window.is_empty() {
        let message = "white space is trailing output after the last grid, which must be exact here";
        let finding = site.finding(FindingRule::Spacing, 0, 0, message);
        findings.note(Finding { kind: FindingKind::Presentation, grid: None, ..finding });
    }
    Ok(())
}

#[cfg(test)]
mod claim_tests;
#[cfg(test)]
mod opening_tests;
#[cfg(test)]
mod padding_tests;
#[cfg(test)]
mod tests;
