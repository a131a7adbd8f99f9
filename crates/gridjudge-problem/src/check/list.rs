//! Judges answers that are lists of solutions, or their number. They are judged item by
//! item: of a list, only the expected solutions are held in memory.

pub(super) mod items;
pub(super) mod list_case;
pub(super) mod solution_set;

use std::io;

use gridjudge_grid::format::{CaseOpening, TextOffset, write};
use gridjudge_grid::{BlankLines, Format, Value};

use crate::check::grid::grid_checker;
use crate::check::{
    CheckError, ExpectedAnswer, GridChecker, InputError, InputGrid, JudgedAnswer,
    Location, Window, WindowView, diff, end_of, input, mistake,
};
use crate::model::{Accept, Finding};

use items::{ItemKind, ItemPlace, ItemReader, OutputItem};

impl GridChecker<'_> {
    /// Reads the stored list for the current grid, or has the solver find it.
    pub(super) fn begin_list(&mut self) -> Result<(), CheckError> {
        let current = &self.current;
        self.truth = if let Some(answer) = &mut self.answer {
            let items = ItemReader::new(self.accept, current);
            Some(read(answer, &items, current).map_err(CheckError::Answer)?)
        } else if self.may_solve {
            Some(current.expected_answer(self.accept)?)
        } else {
            None
        };
        Ok(())
    }

    /// Judges the list at the start of an output, whose text is not blank.
    pub(super) fn judge_list(
        &self,
        start: Location,
        output: &mut Window,
    ) -> Result<JudgedAnswer, CheckError> {
        let truth = self.truth.as_ref();
        let listed = truth.and_then(ExpectedAnswer::listed);
        let mut case = ListCase {
            accept: self.accept,
            grid: &self.current,
            next: self.next.as_ref(),
            items: ItemReader::new(self.accept, &self.current),
            positions: vec![None; listed.map_or(0, <[_]>::len)],
            truth,
            solutions: 0,
            is_counted: false,
            is_settled: false,
            latest: None,
            is_disorder_reported: false,
            last: vec![],
            first: None,
            findings: vec![],
            exact: None,
            at_fault: None,
            is_cut: false,
        };
        while case.judge(start, output)? {}
        let end = start.at(output.origin());
        let missing = case.missing(end);
        case.findings.extend(missing);
        case.findings.sort_by_key(|finding| finding.line);
        if case.format().output.is_strict() {
            let end = case.end_of_case(end, output)?;
            let exact = case.exact.or(end);
            if case.findings.is_empty() {
                case.findings.extend(exact);
            }
        }
        let is_wrong = !case.findings.is_empty();
        let picture = is_wrong.then(|| self.picture_of(case.at_fault.as_ref()));
        Ok(JudgedAnswer {
            findings: case.findings,
            diff: None,
            is_grid: false,
            picture,
        })
    }
}

// Checks one list as it is read: its opening, its items, and what is wrong with them.
// Sees one window of text at a time.

/// One list, as far as it has been read.
pub(super) struct ListCase<'a> {
    accept: Accept,
    /// The grid, whose clues the solutions keep.
    grid: &'a InputGrid,
    /// The next case, if there is one: it shows where the answer to this one ends.
    next: Option<&'a InputGrid>,
    items: ItemReader<'a>,
    /// The right answer, if it is known.
    truth: Option<&'a ExpectedAnswer>,
    /// For each expected solution, its position from 1 among the solutions given;
    /// `None` if it has not been given.
    positions: Vec<Option<u64>>,
    /// The number of solutions given so far, right or wrong.
    solutions: u64,
    /// Whether the number of solutions has been given.
    is_counted: bool,
    /// Whether a text or a strange line was given instead of a number or solutions.
    is_settled: bool,
    /// The index of the last expected solution, in their order, that has been given.
    latest: Option<usize>,
    is_disorder_reported: bool,
    /// The last solution given, if the expected ones are not known.
    last: Vec<Value>,
    /// The place in the output at which the first item begins.
    first: Option<TextOffset>,
    findings: Vec<Finding>,
    /// The finding for the first white space that is not exact.
    exact: Option<Finding>,
    /// The cells of the first wrong solution.
    at_fault: Option<Vec<Value>>,
    /// Whether the last item lacked its newline.
    is_cut: bool,
}

impl ListCase<'_> {
    fn format(&self) -> &Format {
        &self.grid.context.format
    }

    /// Reads and judges the next item, and before the first one the opening. Returns
    /// whether more of the same answer may follow.
    fn judge(&mut self, start: Location, output: &mut Window) -> io::Result<bool> {
        let WindowView { text, origin } = output.view()?;
        let start = start.at(origin);
        let is_first = self.is_untouched();
        let due = self.due_but_for_spaces(text);
        let (opening, due) = match due {
            Some((opening, item)) => {
                let errors = opening.error.iter();
                self.findings
                    .extend(errors.map(|error| start.parse_error(error)));
                (opening, Some(item))
            }
            None if is_first => (self.opening(start, text), None),
            None => (CaseOpening::default(), None),
        };
        let begin = opening.end;
        let place = ItemPlace::after(&opening);
        let Some(item) = due.or_else(|| self.next(&text[begin.bytes..], place))
        else {
            output.advance_lines(begin)?;
            return Ok(false);
        };
        let end = begin + item.end;
        let mut expected = String::new();
        if is_first {
            let first = item.first_line();
            let error = self.items.reader.misplaced(&opening, start.grid, first);
            self.findings
                .extend(error.map(|error| start.parse_error(&error)));
            // How the opening should be written.
            expected = write::opening(&self.format().output, start.grid, first);
        }
        expected.push_str(&self.canonical(&item));
        let here = start.at(start.origin.rest(begin));
        let mut wrong = self.record(here, &item);
        if !item.strays.is_empty() {
            wrong.insert(0, grid_checker::finding_at(here, &item.strays));
        }
        if !wrong.is_empty() && self.at_fault.is_none() {
            self.at_fault = item.cells().map(<[_]>::to_vec);
        }
        self.findings.extend(wrong);
        let taken = &text[..end.bytes];
        self.is_cut = !taken.ends_with(b"\n");
        if self.exact.is_none() {
            let rows = item.cells().map(|_| begin.bytes);
            let is_last = taken.len() == text.len();
            self.exact =
                diff::differs(&self.format().output, &expected, taken, rows, is_last)
                    .map(|same| start.presentation(taken, same));
        }
        output.advance_lines(end)?;
        // Nothing belongs to the case after a text, or after a number that ends it.
        let is_complete = self.is_settled
            || self.is_counted
                && (self.items.counts_after || !self.items.has_solutions);
        Ok(!is_complete)
    }

    /// Reads the opening of the case, and notes what is wrong with it.
    fn opening(&mut self, start: Location, text: &[u8]) -> CaseOpening {
        let items = &self.items;
        let opening = items.opening(text);
        if let Some(error) = &opening.error {
            if let Some((opening, found)) = items.opening_among_strays(text) {
                self.findings.push(grid_checker::finding_at(start, &found));
                return opening;
            }
            self.findings.push(start.parse_error(error));
        }
        opening
    }

    /// Passes the empty line after a case. Returns a finding if it is missing.
    fn end_of_case(
        &self,
        location: Location,
        output: &mut Window,
    ) -> Result<Option<Finding>, CheckError> {
        if self.format().output.blank_lines != BlankLines::After {
            return Ok(None);
        }
        match output.peek(1)? {
            [b'\n', ..] => output.pass(end_of(b"\n")),
            // Only the last newline of an output may be missing, and here that is the
            // one of the empty line.
            [] if !self.is_cut => {}
            window => return Ok(Some(location.presentation(window, 0))),
        }
        Ok(None)
    }
}

// Reads the stored answers of a case that are lists of solutions, or their number.
// Mistakes in them are the setter's, as in inputs.

/// Reads the stored answer to one grid.
fn read(
    answer: &mut Window,
    items: &ItemReader,
    clues: &InputGrid,
) -> Result<ExpectedAnswer, InputError> {
    let grid = items.number;
    let mut solutions: Vec<Vec<Value>> = vec![];
    input::pass_separator(answer, &clues.context.reader, grid)?;
    let opening = items.opening(answer.view()?.text);
    answer.advance_lines(opening.end)?;
    let line = answer.place.lines;
    let broken = |what: &str| {
        InputError::from(mistake(line + 1, format!("grid {grid}: {what}"), None))
    };
    let mut stated = None;
    let mut place = ItemPlace::after(&opening);
    while let Some(item) = items.next(answer.view()?.text, place) {
        place = ItemPlace::OnItsLine;
        match item.kind {
            ItemKind::Solution(block) => {
                let is_ours = clues.is_solved_by(&block)
                    && solutions.last().is_none_or(|last| *last < block.cells);
                if !is_ours {
                    break;
                }
                solutions.push(block.cells);
            }
            ItemKind::Count(Some(number)) if stated.is_none() => {
                if !solutions.is_empty() && !items.counts_after {
                    break;
                }
                stated = Some(number);
            }
            ItemKind::Text(reply) if solutions.is_empty() && stated.is_none() => {
                if let Some(error) = item.error {
                    return Err(broken(&error.to_string()));
                }
                answer.advance_lines(item.end)?;
                return Ok(ExpectedAnswer::Reply(reply));
            }
            _ => break,
        }
        answer.advance_lines(item.end)?;
        let is_shown = items.shows_one && !solutions.is_empty();
        if stated.is_some()
            && (items.counts_after || !items.has_solutions || is_shown)
        {
            break;
        }
    }
    answer_of(stated, solutions, items).map_err(broken)
}

/// The answer that consists of this number and these solutions, or what is wrong with
/// it.
fn answer_of(
    stated: Option<u64>,
    solutions: Vec<Vec<Value>>,
    items: &ItemReader,
) -> Result<ExpectedAnswer, &'static str> {
    let listed = solutions.len() as u64;
    match stated {
        None if solutions.is_empty() || items.count.is_some() => {
            Err("there is no answer that can be read")
        }
        Some(count) if items.shows_one && listed != count.min(1) => {
            Err("the solution to be shown is missing, or not the only one")
        }
        Some(count) if items.lists_all() && listed != count => {
            Err("the number of solutions is wrong")
        }
        _ => Ok(ExpectedAnswer::Counted {
            count: stated.unwrap_or(listed),
            shown: solutions,
        }),
    }
}
