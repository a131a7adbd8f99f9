//! The checker for grids: validity first. Reads input, output and answer side by side, each through a bounded
//! window, so that memory does not grow with any of them.
//!
//! A grid that is written plainly takes the short way: read, compare with its clues, hold against the rules.
//! Anything else takes the careful way, which explains, and finds its feet again for the next grid.

use std::io::Read;

use crate::check::error::CheckError;
use crate::check::grid_checker::CheckedBlock;
use crate::check::grid_checker::GridChecker;
use crate::check::input_grids::InputGrids;
use crate::check::location::Location;
use crate::check::stored_answers::KnownAnswer;
use crate::check::stored_answers::StoredAnswers;
use crate::check::trailing;
use crate::check::window::StreamOrigin;
use crate::check::window::Window;
use crate::check::window::WindowView;
use crate::model::Finding;
use crate::model::FindingRule;
use crate::model::Findings;
use gridjudge_grid::Value;
use gridjudge_grid::format;

/// One check under way.
pub(super) struct GridLoop<'a, I, O, A> {
    sheet: GridChecker<'a>,
    clues: InputGrids<I>,
    output: Window<O>,
    answer: Option<StoredAnswers<A>>,
    /// The cells that the short way reads into.
    found: Vec<Value>,
    findings: Findings,
}

impl<'a, I: Read, O: Read, A: Read> GridLoop<'a, I, O, A> {
    pub(super) fn new(
        sheet: GridChecker<'a>,
        clues: InputGrids<I>,
        output: Window<O>,
        answer: Option<StoredAnswers<A>>,
    ) -> Self {
        Self { sheet, clues, output, answer, found: Vec::new(), findings: Findings::default() }
    }

    pub(super) fn check(mut self) -> Result<Findings, CheckError> {
        self.read_next()?;
        for grid in 1.. {
            std::mem::swap(&mut self.sheet.current, &mut self.sheet.next);
            if self.sheet.current.shape.is_none() {
                break;
            }
            self.read_next()?;
            if self.matches_plainly(grid)? {
                self.findings.parts_right += 1;
            } else if !self.read_tolerantly(grid)? {
                self.findings.grids = self.clues.count_to_the_end()?;
                return Ok(self.findings);
            }
            self.findings.grids = grid;
        }
        let site = self.site(self.findings.grids);
        trailing::check_trailing_output(&mut self.output, site, &mut self.findings)?;
        Ok(self.findings)
    }

    fn read_next(&mut self) -> Result<(), CheckError> {
        self.sheet.next.shape = self.clues.read_into(&mut self.sheet.next.clues)?;
        Ok(())
    }

    /// The short way: the grid stands there written plainly, and is right.
    fn matches_plainly(&mut self, grid: u64) -> Result<bool, CheckError> {
        let board = self.sheet.board();
        let reader = &board.reader;
        self.found.resize(board.shape.cells(), 0);
        let window = self.output.peek(reader.longest_plain()).map_err(CheckError::Output)?;
        let extent = reader.plain(grid, window, &mut self.found);
        let plain = extent.map(|extent| (&window[..extent.bytes], extent.lines));
        self.sheet.known = KnownAnswer::Open;
        if let Some(answer) = &mut self.answer {
            self.sheet.promised.resize(board.shape.cells(), 0);
            let known = answer.read_into(reader, plain, &self.found, &mut self.sheet.promised);
            self.sheet.known = known.map_err(CheckError::Answer)?;
        } else {
            self.sheet.solve_if_needed().map_err(|source| CheckError::TooHard { grid, source })?;
        }
        let right = extent.filter(|_| self.sheet.is_right(&self.found));
        if let Some(extent) = right {
            self.output.pass(extent.bytes, extent.lines);
        }
        Ok(right.is_some())
    }

    /// The careful way. Returns `false` when the output has ended and no grid can follow.
    fn read_tolerantly(&mut self, grid: u64) -> Result<bool, CheckError> {
        let site = self.site(grid);
        let WindowView { text: window, origin } = self.output.view().map_err(CheckError::Output)?;
        let site = Location { origin, ..site };
        if window.trim_ascii().is_empty() {
            let line = format::lines(window).count().saturating_sub(1) as u64;
            let finding = site.finding(FindingRule::Grids, line, window.len(), "");
            let message = trailing::missing_from(grid, self.clues.count_to_the_end()?);
            if self.findings.listed.is_empty() {
                self.findings.picture = Some(self.sheet.picture(grid, None));
            }
            self.findings.note(Finding { message, ..finding });
            return Ok(false);
        }
        let passage = self.sheet.read(site, window);
        let CheckedBlock { findings, bytes, lines, diff, picture } =
            passage.map_err(|source| CheckError::TooHard { grid, source })?;
        self.output.advance_lines(bytes, lines).map_err(CheckError::Output)?;
        self.findings.parts_right += u64::from(findings.is_empty());
        if self.findings.listed.is_empty() {
            self.findings.diff = diff;
            self.findings.picture = picture;
        }
        findings.into_iter().for_each(|finding| self.findings.note(finding));
        Ok(true)
    }

    fn site(&self, grid: u64) -> Location<'a> {
        Location {
            format: self.sheet.format,
            shape: &self.sheet.board().shape,
            grid,
            solution: None,
            one_of_many: grid > 1 || self.sheet.next.shape.is_some(),
            origin: StreamOrigin::at(self.output.line, self.output.byte),
        }
    }
}
