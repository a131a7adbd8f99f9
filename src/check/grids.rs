//! The checker for grids: validity first. Reads input, output and answer side by side, each through a bounded
//! window, so that memory does not grow with any of them.
//!
//! A grid that is written plainly takes the short way: read, compare with its clues, hold against the rules.
//! Anything else takes the careful way, which explains, and finds its feet again for the next grid.

use std::io;
use std::io::Read;

use crate::check::explain::Site;
use crate::check::input::Clues;
use crate::check::input::Unreadable;
use crate::check::sheet::Passage;
use crate::check::sheet::Sheet;
use crate::check::window::WIDEST;
use crate::check::window::Window;
use crate::grid::BLANK;
use crate::grid::Format;
use crate::grid::Value;
use crate::grid::WhiteSpace;
use crate::grid::text;
use crate::model::Accept;
use crate::model::Finding;
use crate::model::Findings;
use crate::model::Kind;
use crate::model::Rule;

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
}

/// Checks an output against the input it answers. `answer` is the expected one; it is looked at only where the
/// problem promises a unique solution and may be left out.
///
/// # Errors
/// [`CannotCheck`] if one of the three cannot be read, or if input or answer are not in the problem's format.
pub fn output(
    format: &Format,
    accept: Accept,
    input: impl Read,
    output: impl Read,
    answer: Option<impl Read>,
) -> Result<Findings, CannotCheck> {
    let clues = Clues::open(format, input)?;
    let answer = match answer.filter(|_| accept == Accept::Unique) {
        Some(source) => Some(Clues::open_answer(format, source, clues.total()).map_err(CannotCheck::Answer)?),
        None => None,
    };
    Checker::new(format, clues, Window::new(output), answer).check()
}

/// One check under way.
struct Checker<'a, I, O, A> {
    sheet: Sheet<'a>,
    clues: Clues<I>,
    output: Window<O>,
    answer: Option<Clues<A>>,
    /// The cells that the short way reads into.
    found: Vec<Value>,
    findings: Findings,
}

impl<'a, I: Read, O: Read, A: Read> Checker<'a, I, O, A> {
    fn new(format: &'a Format, clues: Clues<I>, output: Window<O>, answer: Option<Clues<A>>) -> Self {
        Self {
            sheet: Sheet::new(format, clues.total(), answer.is_some()),
            found: vec![0; format.shape.cells()],
            findings: Findings { grids: clues.total(), ..Findings::default() },
            clues,
            output,
            answer,
        }
    }

    fn check(mut self) -> Result<Findings, CannotCheck> {
        self.clues.read_into(&mut self.sheet.next)?;
        for grid in 1..=self.clues.total() {
            std::mem::swap(&mut self.sheet.current, &mut self.sheet.next);
            if !self.clues.read_into(&mut self.sheet.next)? {
                self.sheet.next.fill(BLANK);
            }
            if self.is_right_at_once(grid)? {
                self.findings.grids_right += 1;
            } else if !self.look_closely(grid).map_err(CannotCheck::Output)? {
                return Ok(self.findings);
            }
        }
        self.look_behind_the_last().map_err(CannotCheck::Output)?;
        Ok(self.findings)
    }

    /// The short way: the grid stands there written plainly, and is right.
    fn is_right_at_once(&mut self, grid: u64) -> Result<bool, CannotCheck> {
        let reader = &self.sheet.reader;
        let window = self.output.see(reader.longest_plain()).map_err(CannotCheck::Output)?;
        let extent = reader.plain(grid, window, &mut self.found);
        let text = extent.map(|extent| (&window[..extent.bytes], extent.lines));
        if let Some(answer) = &mut self.answer {
            answer
                .read_or_recognise(text, &self.found, &mut self.sheet.promised)
                .map_err(CannotCheck::Answer)?;
        }
        let right = extent.filter(|_| self.sheet.is_right(&self.found));
        if let Some(extent) = right {
            self.output.pass(extent.bytes, extent.lines);
        }
        Ok(right.is_some())
    }

    /// The careful way. Returns `false` when the output has ended and no grid can follow.
    fn look_closely(&mut self, grid: u64) -> io::Result<bool> {
        let desert = self.output.pass_deserts()?;
        let site = self.site(grid);
        let window = self.output.see(WIDEST)?;
        if window.trim_ascii().is_empty() {
            let line = text::lines(window).count().saturating_sub(1) as u64;
            let finding = site.finding(Rule::Grids, line, window.len(), "");
            let message = self.missing_from(grid);
            self.findings.note(Finding { message, ..finding });
            return Ok(false);
        }
        let Passage { findings, bytes, lines, diff } = self.sheet.read(site, window, desert);
        self.output.pass_lines(bytes, lines)?;
        self.findings.grids_right += u64::from(findings.is_empty());
        if self.findings.listed.is_empty() {
            self.findings.diff = diff;
        }
        findings.into_iter().for_each(|finding| self.findings.note(finding));
        Ok(true)
    }

    fn site(&self, grid: u64) -> Site<'a> {
        Site {
            format: self.sheet.format,
            grid,
            one_of_many: self.clues.total() > 1,
            line: self.output.line,
            byte: self.output.byte,
        }
    }

    fn missing_from(&self, grid: u64) -> String {
        match (grid, self.clues.total()) {
            (1, 1) => "the output is empty".to_owned(),
            (1, total) => format!("the output is empty, expected {total} grids"),
            (grid, total) => format!("the output ends after {} of {total} grids", grid - 1),
        }
    }

    /// Text behind the last grid.
    fn look_behind_the_last(&mut self) -> io::Result<()> {
        let desert = self.output.pass_deserts()?;
        let site = self.site(self.clues.total());
        let window = self.output.see(WIDEST)?;
        let is_strict = self.sheet.format.output.white_space == WhiteSpace::Strict;
        if let Some(rest) = text::lines(window).find(|line| !line.is_empty()) {
            let message = format!("`{}` stands behind the last grid", text::quoted(rest.text));
            let finding = Site { one_of_many: false, ..site }.finding(
                Rule::Trailing,
                rest.number,
                rest.start,
                &message,
            );
            self.findings.note(Finding { grid: None, ..finding });
        } else if is_strict && (desert || !window.is_empty()) {
            let message = "white space stands behind the last grid, which must be exact here";
            let finding = Site { one_of_many: false, ..site }.finding(Rule::Spacing, 0, 0, message);
            self.findings.note(Finding { kind: Kind::Presentation, grid: None, ..finding });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
