//! The loop over an output: reads input and output side by side, each through a bounded
//! window, so that memory does not grow with either. The [`Acceptor`] judges each
//! answer.

use std::rc::Rc;

use gridjudge_grid::format;

use crate::check::{
    Acceptor, CheckError, InputGrids, JudgedAnswer, Location, SeparatorSeen,
    ShapeContext, ShapeContexts, StreamOrigin, Window, WindowView, framing,
};
use crate::model::{Finding, FindingKind, FindingRule, Findings};
use crate::text::{UnexpectedEncoding, has_lone_returns};

/// The bytes of an output that show how it is encoded, and whether it is meant to be an
/// answer at all.
const SHOWN_BY: usize = 64;

/// How an output of Python begins that tells of an error of the program.
const TRACEBACK: &[u8] = b"Traceback (most recent call last):";

/// Judges an output; if not `to_the_end`, only what comes before the list of findings
/// is full: of a million wrong answers each would take as long as many right ones.
///
/// # Errors
/// Returns [`CheckError`] if a text cannot be read, or if the solver is needed and
/// gives up.
pub(super) fn run_check<'a>(
    inputs: InputGrids<'a>,
    contexts: ShapeContexts<'a>,
    output: Window<'a>,
    acceptor: impl Acceptor,
    to_the_end: bool,
) -> Result<Findings, CheckError> {
    CheckRun {
        inputs,
        contexts,
        output,
        acceptor,
        to_the_end,
        findings: Findings::default(),
    }
    .run()
}

/// One check under way.
struct CheckRun<'a, X> {
    inputs: InputGrids<'a>,
    contexts: ShapeContexts<'a>,
    output: Window<'a>,
    acceptor: X,
    to_the_end: bool,
    findings: Findings,
}

impl<'a, X: Acceptor> CheckRun<'a, X> {
    fn run(mut self) -> Result<Findings, CheckError> {
        self.read_next()?;
        if let Some(message) = self.unreadable_encoding()? {
            let context = Rc::clone(self.contexts.first());
            let location = self.location(1, &context);
            self.findings.note_finding(location.outside_grids(
                FindingRule::Symbol,
                (0, 0),
                message,
            ));
            self.findings.grids = self.inputs.count_to_the_end()?;
            return Ok(self.findings);
        }
        let cause = cause_of_all_findings(self.start()?);
        let mut findings = self.judge_all()?;
        if let Some(cause) = cause {
            name_cause(&mut findings, cause);
        }
        Ok(findings)
    }

    /// Judges the answers to all grids, and what follows the last one.
    fn judge_all(mut self) -> Result<Findings, CheckError> {
        for grid in 1.. {
            let grids = self.acceptor.grids_mut();
            std::mem::swap(&mut grids.current, &mut grids.next);
            if !grids.current.is_there {
                break;
            }
            self.read_next()?;
            self.pass_separator(grid)?;
            if self.acceptor.begin(grid, &mut self.output)? {
                self.findings.parts_right += 1;
            } else if !self.judge(grid)? {
                self.findings.grids = self.inputs.count_to_the_end()?;
                return Ok(self.findings);
            }
            self.findings.grids = grid;
            if !self.to_the_end && self.findings.is_full() {
                return Ok(self.findings);
            }
        }
        if self.contexts.format.output.is_closed() && self.findings.grids > 0 {
            self.note_separator(self.findings.grids, "after the last grid", false)?;
        }
        self.note_trailing_output()?;
        Ok(self.findings)
    }

    /// What the encoding of the output is, if no line of it can be read in it.
    fn unreadable_encoding(&mut self) -> Result<Option<&'static str>, CheckError> {
        Ok(match UnexpectedEncoding::detect(self.start()?) {
            Some(UnexpectedEncoding::Utf16) => Some("UTF-16 text, expected ASCII"),
            Some(UnexpectedEncoding::Utf32) => Some("UTF-32 text, expected ASCII"),
            Some(UnexpectedEncoding::ByteOrderMark) | None => None,
        })
    }

    /// The first bytes of the output, before anything of it is passed.
    fn start(&mut self) -> Result<&[u8], CheckError> {
        let start = self.output.peek(SHOWN_BY).map_err(CheckError::Output)?;
        Ok(&start[..start.len().min(SHOWN_BY)])
    }

    fn read_next(&mut self) -> Result<(), CheckError> {
        let next = &mut self.acceptor.grids_mut().next;
        let place = self.inputs.read_into(&mut next.clues)?;
        next.is_there = place.is_some();
        next.context = match place {
            Some(place) => self.contexts.of_grid(place, self.inputs.own_shape()),
            None => Rc::clone(self.contexts.first()),
        };
        Ok(())
    }

    /// Passes the separator before the answer to a grid, and notes what is wrong with
    /// it. There must be none before the first.
    fn pass_separator(&mut self, grid: u64) -> Result<(), CheckError> {
        if self.contexts.format.output.separator.is_none() {
            return Ok(());
        }
        if grid > 1 {
            return self.note_separator(
                grid,
                &format!("between grid {} and grid {grid}", grid - 1),
                true,
            );
        }
        let context = Rc::clone(self.acceptor.context());
        let reader = &context.reader;
        let view = self.output.view().map_err(CheckError::Output)?;
        if let Some((line, byte)) = framing::stands_first(reader, &view) {
            let location = Location {
                origin: StreamOrigin::at(line, byte),
                ..self.location(grid, &context)
            };
            let message =
                "there is a separator before the first grid; it belongs between two";
            self.findings.note_finding(location.outside_grids(
                FindingRule::Separator,
                (0, 0),
                message,
            ));
            framing::pass(&mut self.output, reader).map_err(CheckError::Output)?;
        }
        Ok(())
    }

    /// Passes the separator that belongs here, and notes what is wrong with it. If the
    /// output `may_end` before it, that is not noted here, but as the missing answer
    /// that should follow.
    fn note_separator(
        &mut self,
        grid: u64,
        place: &str,
        may_end: bool,
    ) -> Result<(), CheckError> {
        let context = Rc::clone(self.acceptor.context());
        let reader = &context.reader;
        let seen =
            framing::pass(&mut self.output, reader).map_err(CheckError::Output)?;
        let expected = reader.separator().map_or("", |separator| &separator.line);
        let location = self.location(grid, &context);
        if !(may_end && matches!(seen, SeparatorSeen::Ended(_)))
            && let Some(finding) =
                framing::framing_finding(location, expected, place, &seen)
        {
            self.findings.note_finding(finding);
        }
        Ok(())
    }

    /// Judges the answer to one grid, block by block. Returns `false` when the output
    /// has ended and no answer can follow.
    fn judge(&mut self, grid: u64) -> Result<bool, CheckError> {
        let mut is_begun = false;
        let context = Rc::clone(self.acceptor.context());
        let reader = &context.reader;
        loop {
            let location = self.location(grid, &context);
            let view = self.output.view().map_err(CheckError::Output)?;
            let text = view.text;
            let location = Location {
                origin: view.origin,
                ..location
            };
            if !is_begun && text.trim_ascii().is_empty() {
                let line = format::lines(text).count().saturating_sub(1) as u64;
                let finding =
                    location.finding(FindingRule::Grids, (line, text.len()), "");
                self.note_missing(grid, finding)?;
                return Ok(false);
            }
            if !is_begun
                && let Some((line, byte)) = framing::stands_first(reader, &view)
            {
                let location = Location {
                    origin: StreamOrigin::at(line, byte),
                    ..location
                };
                let message = "its answer is missing: a separator is in its place";
                let findings =
                    vec![location.finding(FindingRule::Grids, (0, 0), message)];
                let picture = Some(self.acceptor.picture(grid));
                self.note_answer(JudgedAnswer {
                    findings,
                    diff: None,
                    picture,
                });
                return Ok(true);
            }
            is_begun = true;
            let consumed = self.acceptor.judge(location, text)?;
            self.output
                .advance_lines(consumed.bytes, consumed.lines)
                .map_err(CheckError::Output)?;
            if !consumed.more {
                break;
            }
        }
        let location = self.location(grid, &context);
        let judged = self.acceptor.finish(location, &mut self.output)?;
        self.note_answer(judged);
        Ok(true)
    }

    /// Notes the findings about an answer. Keeps the diff and the picture of the first
    /// wrong answer.
    fn note_answer(&mut self, judged: JudgedAnswer) {
        self.findings.parts_right += u64::from(judged.findings.is_empty());
        if self.findings.listed.is_empty() {
            self.findings.diff = judged.diff;
            self.findings.picture = judged.picture;
        }
        for finding in judged.findings {
            self.findings.note_finding(finding);
        }
    }

    /// Notes that the output ends before the answer to a grid, at the place of
    /// `finding`.
    fn note_missing(&mut self, grid: u64, finding: Finding) -> Result<(), CheckError> {
        let message = missing_from(grid, self.inputs.count_to_the_end()?);
        if self.findings.listed.is_empty() {
            self.findings.picture = Some(self.acceptor.picture(grid));
        }
        self.findings.note_finding(Finding { message, ..finding });
        Ok(())
    }

    /// Notes trailing output after the last grid.
    fn note_trailing_output(&mut self) -> Result<(), CheckError> {
        let context = Rc::clone(self.acceptor.context());
        let location = self.location(self.findings.grids, &context);
        let WindowView {
            text: window,
            origin,
        } = self.output.view().map_err(CheckError::Output)?;
        let location = Location { origin, ..location };
        let is_strict = location.format.output.is_strict();
        if let Some(rest) = format::written_lines(window).next() {
            let separator = location.format.output.separator.as_ref();
            let is_separator = separator.is_some_and(|separator| {
                !separator.closes && separator.line.as_bytes() == rest.text.trim_ascii()
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
            let named = named.map_or(String::new(), |named| format!(" ({named})"));
            self.findings.note_finding(location.outside_grids(
                rule,
                (rest.number, rest.start),
                format!(
                    "`{found}`{named} is trailing output after the last grid{place}"
                ),
            ));
        } else if is_strict && !window.is_empty() {
            let message = "white space is trailing output after the last grid, which must be exact here";
            self.findings.note_finding(Finding {
                kind: FindingKind::Presentation,
                ..location.outside_grids(FindingRule::Spacing, (0, 0), message)
            });
        }
        Ok(())
    }

    fn location<'s>(&self, grid: u64, context: &'s ShapeContext) -> Location<'s>
    where
        'a: 's,
    {
        Location {
            format: self.contexts.format,
            shape: &context.shape,
            grid,
            solution: None,
            one_of_many: grid > 1 || self.acceptor.grids().next.is_there,
            origin: StreamOrigin::at(self.output.line, self.output.byte),
        }
    }
}

/// What explains all findings about an output with this start, if nothing of it is
/// right.
fn cause_of_all_findings(start: &[u8]) -> Option<&'static str> {
    if start.starts_with(TRACEBACK) {
        return Some("a Python traceback, expected grids");
    }
    has_lone_returns(start)
        .then_some("lines that end with a carriage return alone, expected line feeds")
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
        (finding.grid, finding.row, finding.column, finding.other) = Default::default();
        finding.line = Some(1);
        finding.byte = Some(0);
        cause.clone_into(&mut finding.message);
    }
}

/// The message about an output that ends before the answer to `grid`.
fn missing_from(grid: u64, total: u64) -> String {
    match (grid, total) {
        (1, 1) => "the output is empty".to_owned(),
        (1, total) => format!("the output is empty, expected {total} grids"),
        (grid, total) => format!("the output ends after {} of {total} grids", grid - 1),
    }
}
