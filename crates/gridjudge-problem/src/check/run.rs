//! The loop over an output: reads input and output side by side, each through a bounded
//! window, so that memory does not grow with either. The [`GridChecker`] judges each
//! answer.

use std::mem;
use std::rc::Rc;

use gridjudge_grid::format::{self, TextOffset};

use crate::check::{
    CheckError, GridChecker, InputGrid, InputGrids, Location, SeparatorKind,
    ShapeContext, Window, WindowView, finding_outside_grids, framing, wrong_height,
};
use crate::model::{Finding, FindingKind, FindingRule, Findings};
use crate::text::{UnexpectedEncoding, counted, has_lone_returns};

/// The bytes of an output that show how it is encoded, and whether it is meant to be an
/// answer at all.
const SHOWN_BY: usize = 64;

/// How an output of Python begins that tells of an error of the program.
const TRACEBACK: &[u8] = b"Traceback (most recent call last):";

/// One check under way.
pub(super) struct CheckRun<'a> {
    pub(super) inputs: InputGrids<'a>,
    /// The contexts for the shapes of the format. A grid with a region map of its own
    /// gets a context of its own.
    pub(super) contexts: Vec<Rc<ShapeContext>>,
    pub(super) output: Window<'a>,
    pub(super) checker: GridChecker<'a>,
    pub(super) findings: Findings,
    pub(super) latest: LatestAnswer,
}

/// What the latest answer is.
pub(super) enum LatestAnswer {
    /// It is wrong, or there is none yet.
    Wrong,
    /// It is right but for white space.
    Spaced,
    /// It is right, and a text or a list.
    RightWords,
    /// It is right, and a grid of this number of lines.
    RightGrid(usize),
}

impl CheckRun<'_> {
    /// Judges an output.
    ///
    /// # Errors
    /// Returns [`CheckError`] if a text cannot be read, or if the solver is needed and
    /// gives up.
    pub(super) fn run(mut self) -> Result<Findings, CheckError> {
        self.checker.next = self.read_next(self.checker.current.clone())?;
        let start = self.output.peek(SHOWN_BY)?;
        let start = &start[..start.len().min(SHOWN_BY)];
        let encoding = UnexpectedEncoding::detect(start)
            .and_then(UnexpectedEncoding::unreadable_name);
        // What explains all findings, if nothing of the output is right.
        let cause = if start.starts_with(TRACEBACK) {
            Some("a Python traceback, expected grids")
        } else {
            has_lone_returns(start).then_some(
                "lines that end with a carriage return alone, expected line feeds",
            )
        };
        if let Some(encoding) = encoding {
            let message = format!("{encoding} text, expected ASCII");
            let rule = FindingRule::Symbol;
            let finding = finding_outside_grids(rule, TextOffset::START, message);
            self.findings.note_finding(finding);
            self.findings.grids = self.inputs.count_to_the_end()?;
            return Ok(self.findings);
        }

        let mut findings = self.judge_all()?;
        if let Some(cause) = cause {
            name_cause(&mut findings, cause);
        }
        Ok(findings)
    }

    /// Judges the answers to all grids, and what follows the last one.
    fn judge_all(mut self) -> Result<Findings, CheckError> {
        for grid in 1.. {
            let Some(next) = self.checker.next.take() else {
                break;
            };
            let judged = mem::replace(&mut self.checker.current, next);
            self.checker.next = self.read_next(judged)?;
            self.pass_separator(grid)?;
            if self.checker.begin(&mut self.output)? {
                self.findings.parts_right += 1;
                let height = self.checker.context().reader.height();
                self.latest = LatestAnswer::RightGrid(height);
            } else if !self.judge(grid)? {
                self.findings.grids = self.inputs.count_to_the_end()?;
                return Ok(self.findings);
            }
            self.findings.grids = grid;
            // Whether answers are sound is asked by those who want mistakes, and no
            // verdict, so the rest need not be judged once the list of these is full:
            // of a million wrong answers each takes as long as many right ones.
            if !self.checker.may_solve && self.findings.is_full() {
                return Ok(self.findings);
            }
        }
        let is_closed = self.checker.format.output.is_closed();
        if is_closed && self.findings.grids > 0 {
            self.note_separator("after the last grid", false)?;
        }
        self.note_trailing_output()?;
        Ok(self.findings)
    }

    /// The grid of the input that follows the current one, if there is one, in the
    /// memory of a grid that is no longer needed.
    fn read_next(
        &mut self,
        mut grid: InputGrid,
    ) -> Result<Option<InputGrid>, CheckError> {
        let Some(shape) = self.inputs.read_into(&mut grid.clues)? else {
            return Ok(None);
        };
        let context = &self.contexts[shape];
        grid.number = self.checker.current.number + 1;
        grid.context = match self.inputs.own_shape() {
            Some(own) => Rc::new(ShapeContext::new(&context.format, own)),
            None => Rc::clone(context),
        };
        Ok(Some(grid))
    }

    /// Passes the separator before the answer to a grid, and notes what is wrong with
    /// it. There must be none before the first.
    fn pass_separator(&mut self, grid: u64) -> Result<(), CheckError> {
        if self.checker.format.output.separator.is_none() {
            return Ok(());
        }
        if grid > 1 {
            let place = format!("between grid {} and grid {grid}", grid - 1);
            return self.note_separator(&place, true);
        }
        let reader = &self.checker.context().reader;
        let WindowView { text, origin } = self.output.view()?;
        if let Some(place) = framing::stands_first(reader, text) {
            self.findings.note_finding(finding_outside_grids(
                FindingRule::Separator,
                origin.place(place),
                "there is a separator before the first grid; it belongs between two"
                    .to_owned(),
            ));
            framing::pass(&mut self.output, reader)?;
        }
        Ok(())
    }

    /// Passes the separator that belongs here, and notes what is wrong with it. If the
    /// output `may_end` before it, that is not noted here, but as the missing answer
    /// that should follow.
    fn note_separator(
        &mut self,
        place: &str,
        may_end: bool,
    ) -> Result<(), CheckError> {
        let reader = &self.checker.context().reader;
        let seen = framing::pass(&mut self.output, reader)?;
        let is_strict = self.checker.format.output.is_strict();
        if let Some(seen) = seen
            && !(may_end && matches!(seen.kind, SeparatorKind::Ended))
            && let Some(finding) = seen.finding(place, is_strict)
        {
            self.findings.note_finding(finding);
        }
        Ok(())
    }

    /// Judges the answer to one grid. Returns `false` when the output has ended and no
    /// answer can follow.
    fn judge(&mut self, grid: u64) -> Result<bool, CheckError> {
        let WindowView { text, origin } = self.output.view()?;
        if text.trim_ascii().is_empty() {
            let end = format::end_of_lines(text).end_of_line();
            let place = origin.place(end);
            self.note_missing(grid, place)?;
            return Ok(false);
        }
        self.note_surplus(grid)?;
        let judged = self.checker.judge(&mut self.output)?;
        let is_right = judged.findings.is_empty();
        self.findings.parts_right += u64::from(is_right);
        let is_wrong = !judged.findings.iter().all(Finding::is_presentation);
        self.latest = if is_wrong {
            LatestAnswer::Wrong
        } else if !is_right {
            LatestAnswer::Spaced
        } else if judged.is_grid {
            LatestAnswer::RightGrid(self.checker.context().reader.height())
        } else {
            LatestAnswer::RightWords
        };
        // The diff and the picture are those of the first wrong answer.
        if self.findings.listed.is_empty() {
            self.findings.diff = judged.diff;
            self.findings.picture = judged.picture;
        }
        for finding in judged.findings {
            self.findings.note_finding(finding);
        }
        Ok(true)
    }

    /// Passes rows that precede the answer to a grid, and notes that the answer before
    /// it has too many, unless that is wrong anyway.
    fn note_surplus(&mut self, grid: u64) -> Result<(), CheckError> {
        let WindowView { text, origin } = self.output.view()?;
        let Some(surplus) = self.checker.surplus_rows(text) else {
            return Ok(());
        };
        let place = surplus.place.end_of_line();
        let rows = counted(surplus.rows, "row");
        let message = match self.latest {
            _ if grid == 1 => Some(format!("{rows} before the first grid")),
            LatestAnswer::Wrong => None,
            LatestAnswer::Spaced | LatestAnswer::RightWords => {
                Some(format!("{rows} after its answer"))
            }
            LatestAnswer::RightGrid(height) => {
                let layout = &self.checker.format.output;
                Some(wrong_height(layout, height + surplus.rows, height))
            }
        };
        if let Some(message) = message {
            let rule = FindingRule::Rows;
            let current = &self.checker.current;
            let finding = if grid == 1 {
                finding_outside_grids(rule, origin.place(place), message)
            } else {
                let was_right = !matches!(self.latest, LatestAnswer::Spaced);
                self.findings.parts_right -= u64::from(was_right);
                let location = Location {
                    grid: grid - 1,
                    ..current.location(true, origin)
                };
                location.finding(rule, place, message)
            };
            self.findings.note_finding(finding);
        }
        self.output.advance_lines(surplus.place)?;
        Ok(())
    }

    /// Notes that the output ends before the answer to a grid, at this place.
    fn note_missing(
        &mut self,
        grid: u64,
        place: TextOffset,
    ) -> Result<(), CheckError> {
        let message = match (grid, self.inputs.count_to_the_end()?) {
            (1, 1) => "the output is empty".to_owned(),
            (1, total) => format!("the output is empty, expected {total} grids"),
            (grid, total) => {
                format!("the output ends after {} of {total} grids", grid - 1)
            }
        };

        if self.findings.listed.is_empty() {
            self.findings.picture = Some(self.checker.picture_of(None));
        }
        self.findings.note_finding(Finding {
            grid: Some(grid),
            ..finding_outside_grids(FindingRule::Grids, place, message)
        });
        Ok(())
    }

    /// Notes trailing output after the last grid.
    fn note_trailing_output(&mut self) -> Result<(), CheckError> {
        let WindowView {
            text: window,
            origin,
        } = self.output.view()?;
        let output = &self.checker.format.output;
        if let Some(rest) = format::written_lines(window).next() {
            let separator = output.separator.as_ref();
            let is_separator = separator.is_some_and(|separator| {
                !separator.closes
                    && separator.line.as_bytes() == rest.text.trim_ascii()
            });
            let (rule, place) = if is_separator {
                (
                    FindingRule::Separator,
                    ", and belongs between two grids only",
                )
            } else {
                (FindingRule::Trailing, "")
            };
            let found = format::quoted_bytes(rest.text);
            let named = format::beyond_ascii(rest.text.trim_ascii());
            let named = named.map(|named| format!(" ({named})")).unwrap_or_default();
            self.findings.note_finding(finding_outside_grids(
                rule,
                origin.place(rest.start),
                format!(
                    "`{found}`{named} is trailing output after the last grid{place}"
                ),
            ));
        } else if output.is_strict() && !window.is_empty() {
            let message = "white space is trailing output after the last grid, which \
                           must be exact here";
            self.findings.note_finding(Finding {
                kind: FindingKind::Presentation,
                ..finding_outside_grids(
                    FindingRule::Spacing,
                    origin.place(TextOffset::START),
                    message.to_owned(),
                )
            });
        }
        Ok(())
    }
}

/// Names the cause in place of all findings, unless something is right. The verdict
/// stays.
fn name_cause(findings: &mut Findings, cause: &str) {
    if findings.parts_right > 0 || findings.listed.is_empty() {
        return;
    }
    findings.listed.truncate(1);
    findings.unlisted = 0;
    findings.picture = None;
    for finding in &mut findings.listed {
        (finding.grid, finding.row, finding.column, finding.other) =
            Default::default();
        finding.line = Some(1);
        finding.byte = Some(0);
        cause.clone_into(&mut finding.message);
    }
}
