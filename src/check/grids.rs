//! The checker for grids: validity first. Reads input, output and answer side by side, each through a bounded
//! window, so that memory does not grow with any of them.
//!
//! A grid that is written plainly takes the short way: read, compare with its clues, hold against the rules.
//! Anything else takes the careful way, which explains, and finds its feet again for the next grid.

use std::io::Read;

use crate::check::CannotCheck;
use crate::check::explain::Site;
use crate::check::input::Clues;
use crate::check::sheet::Passage;
use crate::check::sheet::Sheet;
use crate::check::stored::Known;
use crate::check::stored::Stored;
use crate::check::window::Origin;
use crate::check::window::View;
use crate::check::window::Window;
use crate::model::Finding;
use crate::model::Findings;
use crate::model::Rule;
use gridjudge_grid::Value;
use gridjudge_grid::text;

/// One check under way.
pub(super) struct Checker<'a, I, O, A> {
    sheet: Sheet<'a>,
    clues: Clues<I>,
    output: Window<O>,
    answer: Option<Stored<A>>,
    /// The cells that the short way reads into.
    found: Vec<Value>,
    findings: Findings,
}

impl<'a, I: Read, O: Read, A: Read> Checker<'a, I, O, A> {
    pub(super) fn new(
        sheet: Sheet<'a>,
        clues: Clues<I>,
        output: Window<O>,
        answer: Option<Stored<A>>,
    ) -> Self {
        Self { sheet, clues, output, answer, found: Vec::new(), findings: Findings::default() }
    }

    pub(super) fn check(mut self) -> Result<Findings, CannotCheck> {
        self.read_next()?;
        for grid in 1.. {
            std::mem::swap(&mut self.sheet.current, &mut self.sheet.next);
            if self.sheet.current.shape.is_none() {
                break;
            }
            self.read_next()?;
            if self.is_right_at_once(grid)? {
                self.findings.grids_right += 1;
            } else if !self.look_closely(grid)? {
                self.findings.grids = self.clues.count_to_the_end()?;
                return Ok(self.findings);
            }
            self.findings.grids = grid;
        }
        let site = self.site(self.findings.grids);
        super::look_behind_the_last(&mut self.output, site, &mut self.findings)?;
        Ok(self.findings)
    }

    fn read_next(&mut self) -> Result<(), CannotCheck> {
        self.sheet.next.shape = self.clues.read_into(&mut self.sheet.next.clues)?;
        Ok(())
    }

    /// The short way: the grid stands there written plainly, and is right.
    fn is_right_at_once(&mut self, grid: u64) -> Result<bool, CannotCheck> {
        let board = self.sheet.board();
        let reader = &board.reader;
        self.found.resize(board.shape.cells(), 0);
        let window = self.output.see(reader.longest_plain()).map_err(CannotCheck::Output)?;
        let extent = reader.plain(grid, window, &mut self.found);
        let plain = extent.map(|extent| (&window[..extent.bytes], extent.lines));
        self.sheet.known = Known::Open;
        if let Some(answer) = &mut self.answer {
            self.sheet.promised.resize(board.shape.cells(), 0);
            let known = answer.read_into(reader, plain, &self.found, &mut self.sheet.promised);
            self.sheet.known = known.map_err(CannotCheck::Answer)?;
        } else {
            self.sheet.solve_if_needed().map_err(|source| CannotCheck::TooHard { grid, source })?;
        }
        let right = extent.filter(|_| self.sheet.is_right(&self.found));
        if let Some(extent) = right {
            self.output.pass(extent.bytes, extent.lines);
        }
        Ok(right.is_some())
    }

    /// The careful way. Returns `false` when the output has ended and no grid can follow.
    fn look_closely(&mut self, grid: u64) -> Result<bool, CannotCheck> {
        let site = self.site(grid);
        let View { text: window, origin } = self.output.look().map_err(CannotCheck::Output)?;
        let site = Site { origin, ..site };
        if window.trim_ascii().is_empty() {
            let line = text::lines(window).count().saturating_sub(1) as u64;
            let finding = site.finding(Rule::Grids, line, window.len(), "");
            let message = super::missing_from(grid, self.clues.count_to_the_end()?);
            if self.findings.listed.is_empty() {
                self.findings.picture = Some(self.sheet.picture(grid, None));
            }
            self.findings.note(Finding { message, ..finding });
            return Ok(false);
        }
        let passage = self.sheet.read(site, window);
        let Passage { findings, bytes, lines, diff, picture } =
            passage.map_err(|source| CannotCheck::TooHard { grid, source })?;
        self.output.pass_lines(bytes, lines).map_err(CannotCheck::Output)?;
        self.findings.grids_right += u64::from(findings.is_empty());
        if self.findings.listed.is_empty() {
            self.findings.diff = diff;
            self.findings.picture = picture;
        }
        findings.into_iter().for_each(|finding| self.findings.note(finding));
        Ok(true)
    }

    fn site(&self, grid: u64) -> Site<'a> {
        Site {
            format: self.sheet.format,
            shape: &self.sheet.board().shape,
            grid,
            solution: None,
            one_of_many: grid > 1 || self.sheet.next.shape.is_some(),
            origin: Origin::at(self.output.line, self.output.byte),
        }
    }
}
