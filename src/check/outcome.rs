//! The way into checking: opens the texts of a case, and hands them to the checker that knows how this problem's answers
//! look.

use std::io;
use std::io::Read;

use crate::check::board::Board;
use crate::check::explain::Site;
use crate::check::grids;
use crate::check::input::Clues;
use crate::check::listing;
use crate::check::mistake::Unreadable;
use crate::check::sheet::Sheet;
use crate::check::stored::Stored;
use crate::check::window::View;
use crate::check::window::Window;
use crate::model::Accept;
use crate::model::Finding;
use crate::model::Findings;
use crate::model::Kind;
use crate::model::Rule;
use gridjudge_grid::Format;
use gridjudge_grid::WhiteSpace;
use gridjudge_grid::solve::TooHard;
use gridjudge_grid::text;
use gridjudge_grid::text::Padding;

/// Why an output could not be checked. None of it is the submission's doing.
#[derive(Debug, thiserror::Error)]
pub enum CannotCheck {
    /// The input cannot be read.
    #[error("the input: {0}")]
    Input(#[from] Unreadable),
    /// The output cannot be read.
    #[error("the output: {0}")]
    Output(io::Error),
    /// The answer cannot be read, or is not in the format.
    #[error("the answer: {0}")]
    Answer(Unreadable),
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
/// [`CannotCheck`] if one of the three cannot be read, if input or answer are not in the problem's format, or if the
/// solver would have to say what is right and cannot.
pub fn output(
    format: &Format,
    accept: Accept,
    input: impl Read,
    output: impl Read,
    answer: Option<impl Read>,
) -> Result<Findings, CannotCheck> {
    check(format, accept, input, output, answer, true)
}

/// Checks what can be said of an output without knowing the right answer: its format, its clues, its rules. A text in
/// place of a grid passes.
///
/// # Errors
/// [`CannotCheck`] if one of the two cannot be read, or if the input is not in the problem's format.
pub fn soundness(
    format: &Format,
    accept: Accept,
    input: impl Read,
    output: impl Read,
) -> Result<Findings, CannotCheck> {
    check(format, accept, input, output, None::<io::Empty>, false)
}

fn check(
    format: &Format,
    accept: Accept,
    input: impl Read,
    output: impl Read,
    answer: Option<impl Read>,
    may_solve: bool,
) -> Result<Findings, CannotCheck> {
    let clues = Clues::open(format, input)?;
    let boards = Board::of(format);
    let output = Window::new(output, Padding::of(format, &format.output));
    if matches!(accept, Accept::All { .. } | Accept::Count { .. }) {
        let answer = answer.map(|answer| Window::new(answer, Padding::of(format, &format.output)));
        return listing::Checker::new(format, accept, &boards, may_solve, clues, output, answer).check();
    }
    // Where any solution counts, an answer has nothing to add but that there is none.
    let needs_answer = accept != Accept::Any || format.replies.none.is_some();
    let answer = answer.filter(|_| needs_answer).map(|answer| Stored::new(answer, format));
    grids::Checker::new(Sheet::new(format, accept, &boards, may_solve), clues, output, answer).check()
}

/// What is said of an output that ends too early.
pub(super) fn missing_from(grid: u64, total: u64) -> String {
    match (grid, total) {
        (1, 1) => "the output is empty".to_owned(),
        (1, total) => format!("the output is empty, expected {total} grids"),
        (grid, total) => format!("the output ends after {} of {total} grids", grid - 1),
    }
}

/// Notes what stands behind the last grid.
pub(super) fn look_behind_the_last<O: Read>(
    output: &mut Window<O>,
    site: Site<'_>,
    findings: &mut Findings,
) -> Result<(), CannotCheck> {
    let View { text: window, origin } = output.look().map_err(CannotCheck::Output)?;
    let site = Site { origin, one_of_many: false, ..site };
    let is_strict = site.format.output.white_space == WhiteSpace::Strict;
    if let Some(rest) = text::lines(window).find(|line| !line.is_empty()) {
        let message = format!("`{}` stands behind the last grid", text::quoted(rest.text));
        let finding = site.finding(Rule::Trailing, rest.number, rest.start, &message);
        findings.note(Finding { grid: None, ..finding });
    } else if is_strict && !window.is_empty() {
        let message = "white space stands behind the last grid, which must be exact here";
        let finding = site.finding(Rule::Spacing, 0, 0, message);
        findings.note(Finding { kind: Kind::Presentation, grid: None, ..finding });
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
