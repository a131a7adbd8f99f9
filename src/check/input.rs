//! Reading the grids of an input, and saying what is wrong with one that is not in its problem's format.
//! Inputs are the setter's: a mistake in one is never the submission's.

use std::fmt;
use std::io;
use std::io::Read;

use crate::check::window::WIDEST;
use crate::check::window::Window;
use crate::grid::Count;
use crate::grid::Format;
use crate::grid::Layout;
use crate::grid::Value;
use crate::grid::WhiteSpace;
use crate::grid::text;
use crate::grid::text::Reader;
use crate::grid::write;

/// Something wrong in a file that the setter wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: Option<&'static str>,
}

impl fmt::Display for Mistake {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

/// Why the grids of an input cannot be read on.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The file itself cannot be read.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The text is not in the problem's format.
    #[error("line {}: {}", .0.line, .0.message)]
    Text(Mistake),
}

impl From<Mistake> for Unreadable {
    fn from(mistake: Mistake) -> Self {
        Self::Text(mistake)
    }
}

/// The grids of an input, one after the other.
pub struct Clues<R> {
    pub(super) window: Window<R>,
    reader: Reader,
    format: Format,
    /// The layout of the text: that of inputs, or of outputs.
    layout: fn(&Format) -> &Layout,
    /// Whether the text itself says how many grids it holds.
    is_counted: bool,
    pub(super) total: u64,
    /// Grids read so far.
    pub(super) read: u64,
}

impl<R: Read> Clues<R> {
    /// Opens an input, and reads how many grids it says it holds.
    ///
    /// # Errors
    /// If it cannot be read, is empty, or does not begin with a count that the problem allows.
    pub fn open(format: &Format, source: R) -> Result<Self, Unreadable> {
        let mut window = Window::new(source);
        let start = window.see(WIDEST)?;
        if start.is_empty() {
            return Err(mistake(1, "the file is empty", Some("write the case, or delete the file")).into());
        }
        let is_counted = matches!(format.input.count, Count::First { .. });
        let total = match format.input.count {
            Count::One | Count::AsInput => 1,
            Count::First { most } => {
                let (count, bytes, lines) = count_up_to(most, start)?;
                if format.input.white_space == WhiteSpace::Strict
                    && start[..bytes] != *format!("{count}\n").as_bytes()
                {
                    return Err(mistake(
                        lines,
                        format!("expected `{count}` alone on the first line"),
                        Some(EXACT),
                    )
                    .into());
                }
                window.pass_lines(bytes, lines)?;
                count
            }
        };
        let reader = Reader::of_inputs(format.shape, &format.symbols, &format.input);
        let layout: fn(&Format) -> &Layout = |format| &format.input;
        Ok(Self { window, reader, format: format.clone(), layout, is_counted, total, read: 0 })
    }

    /// Opens an answer: as many grids as its input has, in the layout of outputs.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open_answer(format: &Format, source: R, total: u64) -> Result<Self, Unreadable> {
        let reader = Reader::of_outputs(format.shape, &format.symbols, &format.output);
        let window = Window::new(source);
        let layout: fn(&Format) -> &Layout = |format| &format.output;
        Ok(Self { window, reader, format: format.clone(), layout, is_counted: false, total, read: 0 })
    }

    /// Grids that the input says it holds.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Reads the next grid into `cells` (row-major, 0 for blank); `false` behind the last.
    ///
    /// # Errors
    /// At the first mistake in its text.
    pub fn read_into(&mut self, cells: &mut [Value]) -> Result<bool, Unreadable> {
        if self.read == self.total {
            return Ok(false);
        }
        match self.read_next(cells)?.into_iter().next() {
            Some(mistake) => Err(mistake.into()),
            None => Ok(true),
        }
    }

    /// The same as [`Clues::read_into`], where the next grid is likely to be written just as a text of which the lines
    /// and cells are known: then they need not be read again.
    pub(super) fn read_or_recognise(
        &mut self,
        text: Option<(&[u8], u64)>,
        known: &[Value],
        cells: &mut [Value],
    ) -> Result<bool, Unreadable> {
        if let Some((text, lines)) = text
            && self.window.see(text.len())?.starts_with(text)
        {
            self.read += 1;
            self.window.pass(text.len(), lines);
            cells.copy_from_slice(known);
            return Ok(true);
        }
        self.read_into(cells)
    }

    /// Reads the next grid into `cells`, and lists what is wrong with its text.
    pub(super) fn read_next(&mut self, cells: &mut [Value]) -> io::Result<Vec<Mistake>> {
        self.read += 1;
        let window = self.window.see(self.reader.longest_plain())?;
        match self.reader.plain(self.read, window, cells) {
            Some(extent) => {
                self.window.pass(extent.bytes, extent.lines);
                Ok(Vec::new())
            }
            None => self.read_carefully(cells),
        }
    }

    /// Reads a grid that is not in the canonical writing, and lists what is wrong with it.
    fn read_carefully(&mut self, cells: &mut [Value]) -> io::Result<Vec<Mistake>> {
        self.window.pass_deserts()?;
        let line = self.window.line + 1;
        let (number, total) = (self.read, self.total);
        let window = self.window.see(WIDEST)?;
        if window.trim_ascii().is_empty() {
            let message = match total {
                1 => "the file holds no grid".to_owned(),
                _ if self.is_counted => {
                    format!("the file says it holds {total} grids and ends after {}", number - 1)
                }
                _ => format!("the file ends after {} of {total} grids", number - 1),
            };
            let remedy = match self.is_counted {
                true => "add the missing grids, or correct the number",
                false => "add what is missing",
            };
            // One mistake for all the grids that are missing, and for whatever white space is left.
            self.read = self.total;
            let (bytes, lines) = (window.len(), text::lines(window).count() as u64);
            self.window.pass(bytes, lines);
            return Ok(vec![mistake(line, message, Some(remedy))]);
        }
        let block = self.reader.tolerant(number, window);
        cells.copy_from_slice(&block.cells);
        let place = if total > 1 { format!("grid {number}: ") } else { String::new() };
        let flaws = block.flaws.iter().map(|flaw| mistake(line + flaw.line, format!("{place}{flaw}"), None));
        let mut mistakes: Vec<_> = flaws.collect();
        if mistakes.is_empty() && (self.layout)(&self.format).white_space == WhiteSpace::Strict {
            let (later, message) =
                difference(&self.format, (self.layout)(&self.format), number, cells, &window[..block.bytes]);
            mistakes.push(mistake(line + later, format!("{place}{message}"), Some(EXACT)));
        }
        self.window.pass_lines(block.bytes, block.lines)?;
        Ok(mistakes)
    }

    /// What stands behind the last grid, if anything does.
    pub(super) fn rest(&mut self) -> io::Result<Option<Mistake>> {
        self.window.pass_deserts()?;
        let line = self.window.line;
        let window = self.window.see(WIDEST)?;
        let is_strict = (self.layout)(&self.format).white_space == WhiteSpace::Strict;
        let first = text::lines(window).find(|rest| is_strict || !rest.is_empty());
        Ok(first.map(|rest| {
            let what = if rest.is_empty() {
                "an empty line".to_owned()
            } else {
                format!("`{}`", text::quoted(rest.text))
            };
            let remedy = match self.is_counted && !rest.is_empty() {
                true => "delete it, or correct the number of grids",
                false => "delete it",
            };
            mistake(line + rest.number + 1, format!("{what} stands behind the last grid"), Some(remedy))
        }))
    }
}

/// What to do about white space that is not as it should be.
pub(super) const EXACT: &str = "write it so, or say `white_space = \"lenient\"` in the problem's [input]";

fn count_up_to(most: u64, start: &[u8]) -> Result<(u64, usize, u64), Mistake> {
    let remedy = Some("the first line says how many grids follow");
    let too_many = |count: &str| format!("the number of grids is {count}, the problem allows {most} at most");
    match text::leading_count(start) {
        Ok((0, ..)) => Err(mistake(1, "the number of grids is 0", remedy)),
        Ok((count, ..)) if count > most => Err(mistake(1, too_many(&count.to_string()), remedy)),
        Ok(found) => Ok(found),
        Err(found) if found.is_empty() => Err(mistake(1, "the file holds nothing but white space", remedy)),
        // Digits are refused only where they make a number that is too large for any problem.
        Err(found) if is_number(found.strip_suffix("...").unwrap_or(&found)) => {
            Err(mistake(1, too_many(&found), remedy))
        }
        Err(found) => Err(mistake(1, format!("expected the number of grids, found `{found}`"), remedy)),
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn mistake(line: u64, message: impl Into<String>, remedy: Option<&'static str>) -> Mistake {
    Mistake { line, message: message.into(), remedy }
}

/// Where the text of a grid leaves the canonical writing: the line, from 0, and what it is there.
fn difference(format: &Format, layout: &Layout, number: u64, cells: &[Value], text: &[u8]) -> (u64, String) {
    let canonical = write::grid(format.shape, &format.symbols, layout, number, cells);
    let expected = text::lines(canonical.as_bytes()).map(|line| line.text);
    let found = text::lines(text);
    match found.zip(expected).find(|(found, expected)| found.text != *expected) {
        Some((line, [])) => {
            (line.number, format!("expected an empty line, found `{}`", line.text.escape_ascii()))
        }
        Some((line, expected)) => {
            let (expected, found) = (expected.escape_ascii(), line.text.escape_ascii());
            (line.number, format!("expected `{expected}`, found `{found}`"))
        }
        None => (
            text::lines(text).count().saturating_sub(1) as u64,
            "the line does not end in a newline".to_owned(),
        ),
    }
}
