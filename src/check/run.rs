//! The loop over an output: reads input and output side by side, each through a bounded window, so that memory does not
//! grow with any of them. What an answer is worth is for the [`Acceptor`] to say.

use std::io::Read;

use crate::check::acceptor::Acceptor;
use crate::check::acceptor::JudgedAnswer;
use crate::check::error::CheckError;
use crate::check::input_grids::InputGrids;
use crate::check::location::Location;
use crate::check::trailing;
use crate::check::window::StreamOrigin;
use crate::check::window::Window;
use crate::check::window::WindowView;
use crate::model::Finding;
use crate::model::FindingRule;
use crate::model::Findings;
use gridjudge_grid::format;

/// Judges a whole output.
///
/// # Errors
/// [`CheckError`] if a text cannot be read, or the solver cannot say what is right.
pub(super) fn run<'a>(
    inputs: InputGrids<impl Read>,
    output: Window<impl Read>,
    acceptor: impl Acceptor<'a>,
) -> Result<Findings, CheckError> {
    CheckRun { inputs, output, acceptor, findings: Findings::default() }.run()
}

/// One check under way.
struct CheckRun<I, O, X> {
    inputs: InputGrids<I>,
    output: Window<O>,
    acceptor: X,
    findings: Findings,
}

impl<'a, I: Read, O: Read, X: Acceptor<'a>> CheckRun<I, O, X> {
    fn run(mut self) -> Result<Findings, CheckError> {
        self.read_next()?;
        for grid in 1.. {
            let grids = self.acceptor.grids_mut();
            std::mem::swap(&mut grids.current, &mut grids.next);
            if grids.current.shape.is_none() {
                break;
            }
            self.read_next()?;
            if self.acceptor.begin(grid, &mut self.output)? {
                self.findings.parts_right += 1;
            } else if !self.judge(grid)? {
                self.findings.grids = self.inputs.count_to_the_end()?;
                return Ok(self.findings);
            }
            self.findings.grids = grid;
        }
        let site = self.site(self.findings.grids);
        trailing::check_trailing_output(&mut self.output, site, &mut self.findings)?;
        Ok(self.findings)
    }

    fn read_next(&mut self) -> Result<(), CheckError> {
        let next = &mut self.acceptor.grids_mut().next;
        next.shape = self.inputs.read_into(&mut next.clues)?;
        Ok(())
    }

    /// Judges the answer to one grid, block by block. Returns `false` when the output has ended and no answer can follow.
    fn judge(&mut self, grid: u64) -> Result<bool, CheckError> {
        let mut is_begun = false;
        loop {
            let site = self.site(grid);
            let WindowView { text, origin } = self.output.view().map_err(CheckError::Output)?;
            let site = Location { origin, ..site };
            if !is_begun && text.trim_ascii().is_empty() {
                let line = format::lines(text).count().saturating_sub(1) as u64;
                let finding = site.finding(FindingRule::Grids, line, text.len(), "");
                self.note_missing(grid, finding)?;
                return Ok(false);
            }
            is_begun = true;
            let consumed = self.acceptor.judge(site, text)?;
            self.output.advance_lines(consumed.bytes, consumed.lines).map_err(CheckError::Output)?;
            if !consumed.more {
                break;
            }
        }
        let site = self.site(grid);
        let judged = self.acceptor.finish(site, &mut self.output)?;
        self.note(judged);
        Ok(true)
    }

    /// Notes what an answer is worth. Diff and picture are kept of the first that is wrong.
    fn note(&mut self, judged: JudgedAnswer) {
        self.findings.parts_right += u64::from(judged.findings.is_empty());
        if self.findings.listed.is_empty() {
            self.findings.diff = judged.diff;
            self.findings.picture = judged.picture;
        }
        judged.findings.into_iter().for_each(|finding| self.findings.note(finding));
    }

    /// Notes that the output ends before the answer to a grid, at the place of `finding`.
    fn note_missing(&mut self, grid: u64, finding: Finding) -> Result<(), CheckError> {
        let message = trailing::missing_from(grid, self.inputs.count_to_the_end()?);
        if self.findings.listed.is_empty() {
            self.findings.picture = Some(self.acceptor.picture(grid));
        }
        self.findings.note(Finding { message, ..finding });
        Ok(())
    }

    fn site(&self, grid: u64) -> Location<'a> {
        Location {
            format: self.acceptor.format(),
            shape: &self.acceptor.board().shape,
            grid,
            solution: None,
            one_of_many: grid > 1 || self.acceptor.grids().next.shape.is_some(),
            origin: StreamOrigin::at(self.output.line, self.output.byte),
        }
    }
}
