//! Checks one list as it is read: its opening, its items, and what is wrong with them. Sees one
//! window of text at a time.

use std::io::Read;

use crate::check::acceptor::Consumed;
use crate::check::error::CheckError;
use crate::check::items::{ItemPlace, OutputItem};
use crate::check::list_case::ListCase;
use crate::check::location::Location;
use crate::check::window::Window;
use crate::check::{diff, stray_lines};
use crate::model::Finding;
use gridjudge_grid::format::{CaseOpening, write};
use gridjudge_grid::{BlankLines, Format, LineEnd, Value, WhiteSpace};

/// One list, as far as it has been read.
pub(super) struct ListProgress<'a> {
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

impl<'a> ListProgress<'a> {
    pub(super) fn new(format: &'a Format, case: ListCase<'a>) -> Self {
        Self {
            format,
            case,
            is_opened: false,
            findings: Vec::new(),
            exact: None,
            at_fault: None,
            is_cut: false,
        }
    }

    /// Reads and judges the next item, and before the first one the opening.
    pub(super) fn judge(&mut self, start: Location<'_>, text: &[u8]) -> Consumed {
        let due = self.case.due_but_for_spaces(start.grid, text);
        let is_opened = std::mem::replace(&mut self.is_opened, true);
        let (opening, due) = match due {
            Some((opening, item)) => {
                let error = opening.as_ref().and_then(|opening| opening.error.as_ref());
                self.findings
                    .extend(error.map(|error| start.parse_error(error)));
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
        let Some(item) = due.or_else(|| self.case.next(start.grid, &text[bytes..], place)) else {
            return Consumed {
                bytes,
                lines,
                more: false,
            };
        };
        let mut expected =
            opening.map_or_else(String::new, |opening| self.open(start, &opening, &item));
        expected.push_str(&self.case.canonical(start.grid, &item));
        let here = Location {
            origin: start.origin.behind(lines, bytes),
            ..start
        };
        let mut wrong = self.case.judge(here, &item);
        if !item.strays.is_empty() {
            wrong.insert(0, stray_lines::finding(here, &item.strays));
        }
        if !wrong.is_empty() && self.at_fault.is_none() {
            self.at_fault = item.cells().map(<[_]>::to_vec);
        }
        self.findings.extend(wrong);
        let taken = &text[..bytes + item.bytes];
        let differs = self.differs(&expected, taken, bytes, &item, taken.len() == text.len());
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
                self.findings.push(stray_lines::finding(start, &found));
                opening
            }
            None => {
                self.findings.push(start.parse_error(error));
                opening
            }
        }
    }

    /// The number of bytes of an item before the first that is not as expected; `None` if the item
    /// is as good as expected, which allows one space at the end of each row if the format does.
    /// The rows begin at byte `rows`.
    fn differs(
        &self,
        expected: &str,
        taken: &[u8],
        rows: usize,
        item: &OutputItem,
        is_last: bool,
    ) -> Option<usize> {
        let differs = diff::same(expected, taken, is_last)?;
        let may_have_space =
            self.format.output.line_end == LineEnd::MayHaveSpace && item.cells().is_some();
        let is_as_good = may_have_space
            && diff::same(expected, &diff::without_row_spaces(taken, rows), is_last).is_none();
        (!is_as_good).then_some(differs)
    }

    /// Notes an opening that is misplaced before its first item, and returns how the opening should
    /// be written.
    fn open(&mut self, start: Location<'_>, opening: &CaseOpening, item: &OutputItem) -> String {
        let misplaced = self.case.items.misplaced(opening, start.grid, item);
        self.findings
            .extend(misplaced.map(|error| start.parse_error(&error)));
        write::opening(&self.format.output, start.grid, item.first_line())
    }

    /// Returns everything wrong with the list, and the cells of the first wrong solution.
    pub(super) fn finish<O: Read>(
        mut self,
        location: Location<'_>,
        output: &mut Window<O>,
    ) -> Result<(Vec<Finding>, Option<Vec<Value>>), CheckError> {
        self.findings.extend(self.case.missing(location));
        self.findings.sort_by_key(|finding| finding.line);
        if self.format.output.white_space == WhiteSpace::Strict {
            let end = self.end_of_case(location, output)?;
            let exact = self.exact.or(end);
            if self.findings.is_empty() {
                self.findings.extend(exact);
            }
        }
        Ok((self.findings, self.at_fault))
    }

    /// Passes the empty line after a case. Returns a finding if it is missing.
    fn end_of_case<O: Read>(
        &self,
        location: Location<'_>,
        output: &mut Window<O>,
    ) -> Result<Option<Finding>, CheckError> {
        if self.format.output.blank_lines != BlankLines::After {
            return Ok(None);
        }
        match output.peek(1).map_err(CheckError::Output)? {
            [b'\n', ..] => output.pass(1, 1),
            // Only the last newline of an output may be missing, and here that is the one of the
            // empty line.
            [] if self.is_cut => return Ok(Some(location.presentation(&[], 0))),
            [] => {}
            window => return Ok(Some(location.presentation(window, 0))),
        }
        Ok(None)
    }
}
