//! Reads the stored answers of a case, one grid after the other. Mistakes in them are
//! the setter's, as in inputs.

use std::io::Read;

use gridjudge_grid::format::{GridReader, Padding, ReplyKind};
use gridjudge_grid::{Format, Value, format};

use crate::check::{InputError, SeparatorSeen, Window, WindowView, framing, mistake};

/// The remedy for an answer that ends too early.
const MISSING: Option<&str> = Some("add what is missing");

/// Passes the separator before the answer to grid `number`.
pub(crate) fn pass_separator<R: Read>(
    answer: &mut Window<R>,
    reader: &GridReader,
    number: u64,
) -> Result<(), InputError> {
    let Some(separator) = reader.separator() else {
        return Ok(());
    };
    match framing::pass(answer, reader)? {
        SeparatorSeen::Exact | SeparatorSeen::Loose(_) | SeparatorSeen::Ended(_) => {
            Ok(())
        }
        SeparatorSeen::Wrong { place, .. }
        | SeparatorSeen::Missing(place)
        | SeparatorSeen::Behind(place, _) => {
            let message = format!(
                "grid {number}: expected the separator `{}` before it",
                separator.line
            );
            Err(mistake(place.0 + 1, message, MISSING).into())
        }
    }
}

/// What is known of the answer to one grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KnownAnswer {
    /// Nothing: any solution is accepted.
    Open,
    /// It is one particular solution.
    Solution,
    /// It is a text, such as that there is no solution, or several.
    Text(ReplyKind),
}

/// The stored answers of a case that are each one grid, or a text.
pub(crate) struct StoredAnswers<R> {
    window: Window<R>,
    read: u64,
}

impl<R: Read> StoredAnswers<R> {
    pub(crate) fn new(source: R, format: &Format) -> Self {
        Self {
            window: Window::new(source, Padding::for_layout(format, &format.output)),
            read: 0,
        }
    }

    /// Reads the next answer, into `cells` if it is a solution. It often equals the
    /// output's `plain` text, given with its number of lines and its `known` cells:
    /// then it is not parsed again.
    pub(crate) fn read_into(
        &mut self,
        reader: &GridReader,
        plain: Option<(&[u8], u64)>,
        known: &[Value],
        cells: &mut [Value],
    ) -> Result<KnownAnswer, InputError> {
        if self.read > 0 {
            pass_separator(&mut self.window, reader, self.read + 1)?;
        }
        self.read += 1;
        if let Some((text, lines)) = plain
            && self.window.peek(text.len())?.starts_with(text)
        {
            self.window.pass(text.len(), lines);
            cells.copy_from_slice(known);
            return Ok(KnownAnswer::Solution);
        }
        let window = self.window.peek(reader.longest_plain())?;
        if let Some(extent) = reader.plain(self.read, window, cells) {
            self.window.pass(extent.bytes, extent.lines);
            return Ok(KnownAnswer::Solution);
        }
        self.read_carefully(reader, cells)
    }

    fn read_carefully(
        &mut self,
        reader: &GridReader,
        cells: &mut [Value],
    ) -> Result<KnownAnswer, InputError> {
        let WindowView {
            text: window,
            origin,
        } = self.window.view()?;
        if window.trim_ascii().is_empty() {
            let line = origin.line(
                format::lines(window).count().saturating_sub(1) as u64,
                window.len(),
            );
            return Err(mistake(
                line,
                format!("the file ends before grid {}", self.read),
                MISSING,
            )
            .into());
        }
        let block = reader.tolerant(self.read, window);
        if let Some(error) = block.errors.first() {
            return Err(mistake(
                origin.line(error.line, error.byte),
                format!("grid {}: {error}", self.read),
                None,
            )
            .into());
        }
        cells.copy_from_slice(&block.cells);
        let known = block.reply.map_or(KnownAnswer::Solution, KnownAnswer::Text);
        self.window.advance_lines(block.bytes, block.lines)?;
        Ok(known)
    }
}
