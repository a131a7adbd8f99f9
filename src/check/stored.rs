//! Reading the stored answers of a case, one grid after the other. They are the setter's, as inputs are.

use std::io::Read;

use crate::check::mistake::Unreadable;
use crate::check::mistake::mistake;
use crate::check::window::View;
use crate::check::window::Window;
use gridjudge_grid::Format;
use gridjudge_grid::Value;
use gridjudge_grid::text;
use gridjudge_grid::text::Padding;
use gridjudge_grid::text::Reader;
use gridjudge_grid::text::Said;

/// What to do about an answer that ends too early.
const MISSING: Option<&str> = Some("add what is missing");

/// What is known of the answer to one grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Nothing: any solution will do.
    Open,
    /// It is a certain solution.
    Solution,
    /// There is none, or there are several.
    Text(Said),
}

/// The stored answers of a case of which each is one grid, or a text.
pub(crate) struct Stored<R> {
    window: Window<R>,
    read: u64,
}

impl<R: Read> Stored<R> {
    pub(crate) fn new(source: R, format: &Format) -> Self {
        Self { window: Window::new(source, Padding::of(format, &format.output)), read: 0 }
    }

    /// Reads the next answer, a solution into `cells`. It is likely to be written just as a `plain` text of which the
    /// lines and the cells are `known`: then they need not be read again.
    pub(crate) fn read_into(
        &mut self,
        reader: &Reader,
        plain: Option<(&[u8], u64)>,
        known: &[Value],
        cells: &mut [Value],
    ) -> Result<Known, Unreadable> {
        self.read += 1;
        if let Some((text, lines)) = plain
            && self.window.see(text.len())?.starts_with(text)
        {
            self.window.pass(text.len(), lines);
            cells.copy_from_slice(known);
            return Ok(Known::Solution);
        }
        let window = self.window.see(reader.longest_plain())?;
        if let Some(extent) = reader.plain(self.read, window, cells) {
            self.window.pass(extent.bytes, extent.lines);
            return Ok(Known::Solution);
        }
        self.read_carefully(reader, cells)
    }

    fn read_carefully(&mut self, reader: &Reader, cells: &mut [Value]) -> Result<Known, Unreadable> {
        let View { text: window, origin } = self.window.look()?;
        if window.trim_ascii().is_empty() {
            let line = origin.line(text::lines(window).count().saturating_sub(1) as u64, window.len());
            return Err(mistake(line, format!("the file ends before grid {}", self.read), MISSING).into());
        }
        let block = reader.tolerant(self.read, window);
        if let Some(flaw) = block.flaws.first() {
            return Err(mistake(
                origin.line(flaw.line, flaw.byte),
                format!("grid {}: {flaw}", self.read),
                None,
            )
            .into());
        }
        cells.copy_from_slice(&block.cells);
        let known = block.said.map_or(Known::Solution, Known::Text);
        self.window.pass_lines(block.bytes, block.lines)?;
        Ok(known)
    }
}
