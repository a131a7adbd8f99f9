//! The checker for lists of solutions and for their number. Reads input, output and answer side by side, piece by piece,
//! each through a bounded window: of a list only the solutions that are expected are held.

use std::io::Read;

use crate::check::context::ShapeContext;
use crate::check::diff;
use crate::check::error::CheckError;
use crate::check::expected_answer;
use crate::check::expected_answer::ExpectedAnswer;
use crate::check::grid_checker::InputGrid;
use crate::check::input_grids::InputGrids;
use crate::check::input_mistake::InputError;
use crate::check::input_mistake::mistake;
use crate::check::items::ItemKind;
use crate::check::items::ItemReader;
use crate::check::list_case::ListCase;
use crate::check::list_case::fits;
use crate::check::location::Location;
use crate::check::picture;
use crate::check::trailing;
use crate::check::window::StreamOrigin;
use crate::check::window::Window;
use crate::check::window::WindowView;
use crate::model::Accept;
use crate::model::Finding;
use crate::model::FindingRule;
use crate::model::Findings;
use gridjudge_grid::BlankLines;
use gridjudge_grid::Format;
use gridjudge_grid::Value;
use gridjudge_grid::WhiteSpace;
use gridjudge_grid::format;
use gridjudge_grid::format::ReplyKind;
use gridjudge_grid::format::write;

/// One check under way.
pub(super) struct ListLoop<'a, I, O, A> {
    format: &'a Format,
    accept: Accept,
    boards: &'a [ShapeContext],
    may_solve: bool,
    clues: InputGrids<I>,
    output: Window<O>,
    answer: Option<Window<A>>,
    current: InputGrid,
    next: InputGrid,
    findings: Findings,
}

impl<'a, I: Read, O: Read, A: Read> ListLoop<'a, I, O, A> {
    pub(super) fn new(
        format: &'a Format,
        accept: Accept,
        boards: &'a [ShapeContext],
        may_solve: bool,
        clues: InputGrids<I>,
        output: Window<O>,
        answer: Option<Window<A>>,
    ) -> Self {
        let (current, next) = (InputGrid::default(), InputGrid::default());
        let findings = Findings::default();
        Self { format, accept, boards, may_solve, clues, output, answer, current, next, findings }
    }

    pub(super) fn check(mut self) -> Result<Findings, CheckError> {
        self.next.shape = self.clues.read_into(&mut self.next.clues)?;
        for grid in 1.. {
            std::mem::swap(&mut self.current, &mut self.next);
            if self.current.shape.is_none() {
                break;
            }
            self.next.shape = self.clues.read_into(&mut self.next.clues)?;
            let truth = self.expected_answer(grid)?;
            let Some(found) = self.case(grid, truth)? else {
                self.findings.grids = self.clues.count_to_the_end()?;
                return Ok(self.findings);
            };
            self.findings.grids = grid;
            self.findings.parts_right += u64::from(found.is_empty());
            found.into_iter().for_each(|finding| self.findings.note(finding));
        }
        let site = self.site(self.findings.grids);
        trailing::check_trailing_output(&mut self.output, site, &mut self.findings)?;
        Ok(self.findings)
    }

    fn board(&self) -> &'a ShapeContext {
        &self.boards[self.current.shape.unwrap_or(0)]
    }

    fn site(&self, grid: u64) -> Location<'a> {
        Location {
            format: self.format,
            shape: &self.board().shape,
            grid,
            one_of_many: grid > 1 || self.next.shape.is_some(),
            solution: None,
            origin: StreamOrigin::at(self.output.line, self.output.byte),
        }
    }

    /// The right answer, if there is one stored, or the solver may be asked.
    fn expected_answer(&mut self, grid: u64) -> Result<Option<ExpectedAnswer>, CheckError> {
        let board = self.board();
        if let Some(answer) = &mut self.answer {
            let pieces = ItemReader::new(self.format, self.accept, board);
            let stored = stored(answer, grid, &pieces, board, &self.current.clues);
            return stored.map(Some).map_err(CheckError::Answer);
        }
        if !self.may_solve {
            return Ok(None);
        }
        let truth =
            expected_answer::expected_answer(board.solver(), self.accept, self.format, &self.current.clues);
        truth.map(Some).map_err(|source| CheckError::TooHard { grid, source })
    }

    /// Reads one case of the output, and says what is wrong with it; `None` if the output has ended.
    fn case(&mut self, grid: u64, truth: Option<ExpectedAnswer>) -> Result<Option<Vec<Finding>>, CheckError> {
        let site = self.site(grid);
        let board = self.board();
        let next = self.next.shape.filter(|_| self.next.shape == self.current.shape);
        let next = next.map(|_| &self.next.clues[..]);
        let mut case = ListCase::new(self.format, self.accept, board, &self.current.clues, next, truth);
        let WindowView { text: window, origin } = self.output.view().map_err(CheckError::Output)?;
        if window.trim_ascii().is_empty() {
            let line = format::lines(window).count().saturating_sub(1) as u64;
            let finding = Location { origin, ..site }.finding(FindingRule::Grids, line, window.len(), "");
            let message = trailing::missing_from(grid, self.clues.count_to_the_end()?);
            self.draw(grid, None);
            self.findings.note(Finding { message, ..finding });
            return Ok(None);
        }
        let opening = case.pieces.opening(grid, window);
        let flaw = opening.flaw.as_ref().map(|flaw| Location { origin, ..site }.flaw(flaw));
        let mut findings: Vec<_> = flaw.into_iter().collect();
        let mut before = (opening.bytes, opening.lines);
        let mut opening = Some(opening);
        let mut exact = None;
        // The cells of the first solution with which something is wrong.
        let mut at_fault: Option<Vec<Value>> = None;
        while !case.is_complete() {
            let WindowView { text: window, origin } = self.output.view().map_err(CheckError::Output)?;
            let Some(piece) = case.next(&window[before.0..]) else { break };
            let start = Location { origin, ..site };
            let mut expected = String::new();
            if let Some(opening) = opening.take() {
                let misplaced = case.pieces.misplaced(&opening, grid, &piece);
                findings.extend(misplaced.map(|flaw| start.flaw(&flaw)));
                expected = write::opening(&self.format.output, grid, piece.behind());
            }
            expected.push_str(&case.canonical(&piece));
            let here = Location { origin: origin.behind(before.1, before.0), ..site };
            let wrong = case.take(here, &piece);
            if !wrong.is_empty() && at_fault.is_none() {
                at_fault = piece.cells().map(<[_]>::to_vec);
            }
            findings.extend(wrong);
            let text = &window[..before.0 + piece.bytes];
            let differs = diff::same(&expected, text, text.len() == window.len());
            exact = exact.or_else(|| differs.map(|same| start.presentation(text, same)));
            let (bytes, lines) = (text.len(), before.1 + piece.lines);
            self.output.advance_lines(bytes, lines).map_err(CheckError::Output)?;
            before = (0, 0);
        }
        self.output.advance_lines(before.0, before.1).map_err(CheckError::Output)?;
        let site = Location { origin: StreamOrigin::at(self.output.line, self.output.byte), ..site };
        findings.extend(case.missing(site));
        findings.sort_by_key(|finding| finding.line);
        if self.format.output.white_space == WhiteSpace::Strict {
            let exact = exact.or(self.end_of_case(site)?);
            findings.extend(exact.filter(|_| findings.is_empty()));
        }
        if !findings.is_empty() {
            self.draw(grid, at_fault.as_deref());
        }
        Ok(Some(findings))
    }

    /// Keeps a picture of the first grid with which something is wrong.
    fn draw(&mut self, grid: u64, found: Option<&[Value]>) {
        if self.findings.picture.is_none() && self.findings.listed.is_empty() {
            let shape = &self.board().shape;
            self.findings.picture =
                Some(picture::of(self.format, shape, grid, &self.current.clues, found, None));
        }
    }

    /// Leaves the empty line behind a case; what is wrong if it is not there.
    fn end_of_case(&mut self, site: Location<'_>) -> Result<Option<Finding>, CheckError> {
        if self.format.output.blank_lines != BlankLines::After {
            return Ok(None);
        }
        match self.output.peek(1).map_err(CheckError::Output)? {
            [b'\n', ..] => self.output.pass(1, 1),
            [] => {}
            window => return Ok(Some(site.presentation(window, 0))),
        }
        Ok(None)
    }
}

/// The stored answer to one grid.
fn stored<A: Read>(
    answer: &mut Window<A>,
    grid: u64,
    pieces: &ItemReader<'_>,
    board: &ShapeContext,
    clues: &[Value],
) -> Result<ExpectedAnswer, InputError> {
    let mut solutions: Vec<Vec<Value>> = Vec::new();
    let opening = pieces.opening(grid, answer.view()?.text);
    answer.advance_lines(opening.bytes, opening.lines)?;
    let line = answer.line;
    let broken = |what: &str| InputError::from(mistake(line + 1, format!("grid {grid}: {what}"), None));
    let mut told = None;
    while let Some(piece) = pieces.next(answer.view()?.text) {
        match piece.what {
            ItemKind::Solution(block) => {
                let is_ours =
                    fits(board, clues, &block) && solutions.last().is_none_or(|last| *last < block.cells);
                if !is_ours {
                    break;
                }
                solutions.push(block.cells);
            }
            ItemKind::Count { number: Some(number), .. } if told.is_none() => {
                if !solutions.is_empty() && !pieces.counts_behind() {
                    break;
                }
                told = Some(number);
            }
            ItemKind::Text(said, _) if solutions.is_empty() && told.is_none() => {
                answer.advance_lines(piece.bytes, piece.lines)?;
                return Ok(if said == ReplyKind::None {
                    ExpectedAnswer::None
                } else {
                    ExpectedAnswer::Several
                });
            }
            _ => break,
        }
        answer.advance_lines(piece.bytes, piece.lines)?;
        if told.is_some() && (pieces.counts_behind() || !pieces.has_solutions()) {
            break;
        }
    }
    match told {
        Some(number) if !pieces.has_solutions() => Ok(ExpectedAnswer::Count(number)),
        None if solutions.is_empty() || pieces.count().is_some() => {
            Err(broken("there is no answer that can be read"))
        }
        Some(number) if number != solutions.len() as u64 => Err(broken("the number of solutions is wrong")),
        _ => Ok(ExpectedAnswer::All(solutions)),
    }
}
