//! Judges answers that are lists of solutions, or their number. They are judged item by
//! item: of a list, only the expected solutions are held in memory.

pub(super) mod items;
pub(super) mod list_case;
pub(super) mod solution_set;

use gridjudge_grid::format::{CaseOpening, write};
use gridjudge_grid::{BlankLines, Format, LineEnd, Value};

use crate::check::grid::{expected_answer, grid_checker};
use crate::check::list::list_case::ListCase;
use crate::check::{
    Acceptor, CheckError, Consumed, ExpectedAnswer, InputError, InputGrid, InputPair,
    JudgedAnswer, Location, Window, diff, input, mistake,
};
use crate::model::{Accept, Finding, GridPicture};

use items::{ItemKind, ItemPlace, ItemReader, OutputItem};
use solution_set::SolutionSet;

/// Judges lists, by the stored answers if there are any.
pub(super) struct ListAcceptor<'a> {
    format: &'a Format,
    accept: Accept,
    may_solve: bool,
    answer: Option<Window<'a>>,
    grids: InputPair,
    /// The list being read.
    progress: Option<ListProgress<'a>>,
}

impl<'a> ListAcceptor<'a> {
    pub(super) fn new(
        format: &'a Format,
        accept: Accept,
        grids: InputPair,
        may_solve: bool,
        answer: Option<Window<'a>>,
    ) -> Self {
        Self {
            format,
            accept,
            may_solve,
            answer,
            grids,
            progress: None,
        }
    }

    /// The right answer, stored or from the solver; `None` if it is not stored and the
    /// solver may not be used.
    fn expected_answer(
        &mut self,
        grid: u64,
    ) -> Result<Option<ExpectedAnswer>, CheckError> {
        let InputGrid { context, clues, .. } = &self.grids.current;
        if let Some(answer) = &mut self.answer {
            return read(
                answer,
                grid,
                &ItemReader::new(self.format, self.accept, context),
                &self.grids.current,
            )
            .map(Some)
            .map_err(CheckError::Answer);
        }
        if !self.may_solve {
            return Ok(None);
        }
        expected_answer::expected_answer(
            context.solver(),
            self.accept,
            self.format,
            clues,
        )
        .map(Some)
        .map_err(|source| CheckError::TooHard { grid, source })
    }

    fn picture_of(&self, grid: u64, found: Option<&[Value]>) -> GridPicture {
        self.grids.current.picture(self.format, grid, found, None)
    }
}

impl<'a> Acceptor<'a> for ListAcceptor<'a> {
    fn format(&self) -> &'a Format {
        self.format
    }

    fn grids(&self) -> &InputPair {
        &self.grids
    }

    fn grids_mut(&mut self) -> &mut InputPair {
        &mut self.grids
    }

    fn begin(
        &mut self,
        grid: u64,
        _: &mut Window<'_>,
    ) -> Result<bool, CheckError> {
        let truth = self.expected_answer(grid)?;
        let InputPair { current, next } = &self.grids;
        let case = ListCase::new(
            self.format,
            self.accept,
            current.clone(),
            next.is_there.then(|| next.clone()),
            truth,
        );
        self.progress = Some(ListProgress {
            format: self.format,
            case,
            is_opened: false,
            findings: Vec::new(),
            exact: None,
            at_fault: None,
            is_cut: false,
        });
        Ok(false)
    }

    fn judge(
        &mut self,
        location: Location<'_>,
        text: &[u8],
    ) -> Result<Consumed, CheckError> {
        Ok(self.progress.as_mut().map_or(
            Consumed {
                bytes: 0,
                lines: 0,
                more: false,
            },
            |progress| progress.judge(location, text),
        ))
    }

    fn finish(
        &mut self,
        location: Location<'_>,
        output: &mut Window<'_>,
    ) -> Result<JudgedAnswer, CheckError> {
        let Some(progress) = self.progress.take() else {
            return Ok(JudgedAnswer::default());
        };
        let (findings, at_fault) = progress.finish(location, output)?;
        let picture = (!findings.is_empty())
            .then(|| self.picture_of(location.grid, at_fault.as_deref()));
        Ok(JudgedAnswer {
            findings,
            diff: None,
            picture,
        })
    }

    fn picture(&self, grid: u64) -> GridPicture {
        self.picture_of(grid, None)
    }
}

// Checks one list as it is read: its opening, its items, and what is wrong with them.
// Sees one window of text at a time.

/// One list, as far as it has been read.
struct ListProgress<'a> {
    format: &'a Format,
    case: ListCase<'a>,
    is_opened: bool,
    findings: Vec<Finding>,
    /// The finding for the first white space that is not exact.
    exact: Option<Finding>,
    /// The cells of the first wrong solution.
    at_fault: Option<Vec<Value>>,
    /// Whether the last item lacked its newline.
    is_cut: bool,
}

impl ListProgress<'_> {
    /// Reads and judges the next item, and before the first one the opening.
    fn judge(&mut self, start: Location<'_>, text: &[u8]) -> Consumed {
        let due = self.case.due_but_for_spaces(start.grid, text);
        let is_opened = std::mem::replace(&mut self.is_opened, true);
        let (opening, due) = match due {
            Some((opening, item)) => {
                if let Some(error) =
                    opening.as_ref().and_then(|opening| opening.error.as_ref())
                {
                    self.findings.push(start.parse_error(error));
                }
                (opening, Some(item))
            }
            None => ((!is_opened).then(|| self.opening(start, text)), None),
        };
        let (bytes, lines) = opening
            .as_ref()
            .map_or((0, 0), |opening| (opening.bytes, opening.lines));
        let place = opening
            .as_ref()
            .map_or(ItemPlace::OnItsLine, ItemPlace::after);
        let Some(item) =
            due.or_else(|| self.case.next(start.grid, &text[bytes..], place))
        else {
            return Consumed {
                bytes,
                lines,
                more: false,
            };
        };
        let mut expected = opening
            .map_or_else(String::new, |opening| self.open(start, &opening, &item));
        expected.push_str(&self.case.canonical(start.grid, &item));
        let here = Location {
            origin: start.origin.behind(lines, bytes),
            ..start
        };
        let mut wrong = self.case.judge(here, &item);
        if !item.strays.is_empty() {
            wrong.insert(0, grid_checker::finding_at(here, &item.strays));
        }
        if !wrong.is_empty() && self.at_fault.is_none() {
            self.at_fault = item.cells().map(<[_]>::to_vec);
        }
        self.findings.extend(wrong);
        let taken = &text[..bytes + item.bytes];
        let differs =
            self.differs(&expected, taken, bytes, &item, taken.len() == text.len());
        self.is_cut = !taken.ends_with(b"\n");
        if self.exact.is_none() {
            self.exact = differs.map(|same| start.presentation(taken, same));
        }
        Consumed {
            bytes: taken.len(),
            lines: lines + item.lines,
            more: !self.case.is_complete(),
        }
    }

    /// Reads the opening of the case, and notes what is wrong with it.
    fn opening(&mut self, start: Location<'_>, text: &[u8]) -> CaseOpening {
        let items = &self.case.items;
        let opening = items.opening(start.grid, text);
        let Some(error) = &opening.error else {
            return opening;
        };
        match items.opening_among_strays(start.grid, text) {
            Some((opening, found)) => {
                self.findings.push(grid_checker::finding_at(start, &found));
                opening
            }
            None => {
                self.findings.push(start.parse_error(error));
                opening
            }
        }
    }

    /// The number of bytes of an item before the first that is not as expected; `None`
    /// if the item is as good as expected, which allows one space at the end of each
    /// row if the format does. The rows begin at byte `rows`.
    fn differs(
        &self,
        expected: &str,
        taken: &[u8],
        rows: usize,
        item: &OutputItem,
        is_last: bool,
    ) -> Option<usize> {
        let differs = diff::same(expected, taken, is_last)?;
        let may_have_space = self.format.output.line_end == LineEnd::MayHaveSpace
            && item.cells().is_some();
        let is_as_good = may_have_space
            && diff::same(expected, &diff::without_row_spaces(taken, rows), is_last)
                .is_none();
        (!is_as_good).then_some(differs)
    }

    /// Notes an opening that is misplaced before its first item, and returns how the
    /// opening should be written.
    fn open(
        &mut self,
        start: Location<'_>,
        opening: &CaseOpening,
        item: &OutputItem,
    ) -> String {
        if let Some(error) = self.case.items.misplaced(opening, start.grid, item) {
            self.findings.push(start.parse_error(&error));
        }
        write::opening(&self.format.output, start.grid, item.first_line())
    }

    /// Returns everything wrong with the list, and the cells of the first wrong
    /// solution.
    fn finish(
        mut self,
        location: Location<'_>,
        output: &mut Window<'_>,
    ) -> Result<(Vec<Finding>, Option<Vec<Value>>), CheckError> {
        self.findings.extend(self.case.missing(location));
        self.findings.sort_by_key(|finding| finding.line);
        if self.format.output.is_strict() {
            let end = self.end_of_case(location, output)?;
            let exact = self.exact.or(end);
            if self.findings.is_empty() {
                self.findings.extend(exact);
            }
        }
        Ok((self.findings, self.at_fault))
    }

    /// Passes the empty line after a case. Returns a finding if it is missing.
    fn end_of_case(
        &self,
        location: Location<'_>,
        output: &mut Window<'_>,
    ) -> Result<Option<Finding>, CheckError> {
        if self.format.output.blank_lines != BlankLines::After {
            return Ok(None);
        }
        match output.peek(1).map_err(CheckError::Output)? {
            [b'\n', ..] => output.pass(1, 1),
            // Only the last newline of an output may be missing, and here that is the
            // one of the empty line.
            [] if self.is_cut => return Ok(Some(location.presentation(&[], 0))),
            [] => {}
            window => return Ok(Some(location.presentation(window, 0))),
        }
        Ok(None)
    }
}

// Reads the stored answers of a case that are lists of solutions, or their number.
// Mistakes in them are the setter's, as in inputs.

/// Reads the stored answer to one grid.
fn read(
    answer: &mut Window<'_>,
    grid: u64,
    items: &ItemReader<'_>,
    clues: &InputGrid,
) -> Result<ExpectedAnswer, InputError> {
    let mut solutions: Vec<Vec<Value>> = Vec::new();
    if grid > 1 {
        input::pass_separator(answer, &clues.context.reader, grid)?;
    }
    let opening = items.opening(grid, answer.view()?.text);
    answer.advance_lines(opening.bytes, opening.lines)?;
    let line = answer.line;
    let broken = |what: &str| {
        InputError::from(mistake(line + 1, format!("grid {grid}: {what}"), None))
    };
    let mut stated = None;
    let mut place = ItemPlace::after(&opening);
    while let Some(item) = items.next(grid, answer.view()?.text, place) {
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
                if !solutions.is_empty() && !items.counts_after() {
                    break;
                }
                stated = Some(number);
            }
            ItemKind::Text(reply) if solutions.is_empty() && stated.is_none() => {
                if let Some(error) = item.error {
                    return Err(broken(&error.to_string()));
                }
                answer.advance_lines(item.bytes, item.lines)?;
                return Ok(ExpectedAnswer::Reply(reply));
            }
            _ => break,
        }
        answer.advance_lines(item.bytes, item.lines)?;
        let is_shown = items.shows_one && !solutions.is_empty();
        if stated.is_some()
            && (items.counts_after() || !items.has_solutions || is_shown)
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
    items: &ItemReader<'_>,
) -> Result<ExpectedAnswer, &'static str> {
    match stated {
        Some(number) if !items.has_solutions => Ok(ExpectedAnswer::Count(number)),
        None if solutions.is_empty() || items.count().is_some() => {
            Err("there is no answer that can be read")
        }
        Some(count) if items.shows_one && solutions.len() as u64 == count.min(1) => {
            Ok(ExpectedAnswer::Counted {
                count,
                shown: solutions,
            })
        }
        Some(_) if items.shows_one => {
            Err("the solution to be shown is missing, or not the only one")
        }
        Some(number) if number != solutions.len() as u64 => {
            Err("the number of solutions is wrong")
        }
        _ => Ok(ExpectedAnswer::All(solutions)),
    }
}
