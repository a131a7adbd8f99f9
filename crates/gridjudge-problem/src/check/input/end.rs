//! Reads what comes between the grids of an input and after the last one: separators, the end, and
//! anything that follows it.

use std::io;
use std::io::Read;

use gridjudge_grid::{GridCount, WhiteSpace, format};

use crate::check::{EXACT, InputGrids, InputMistake, WindowView, framing, mistake};

impl<R: Read> InputGrids<R> {
    /// Whether the next line can be seen whole at once and belongs to a grid. A fast check, since a
    /// file of a million grids needs it for each.
    fn begins_a_grid(&mut self) -> io::Result<bool> {
        let reader = &self.readers[0];
        let window = self.window.peek(reader.longest_plain())?;
        let line = format::lines(window).find(|line| !line.is_empty());
        Ok(line.is_some_and(|line| {
            line.text.len() < line.end - line.start && !reader.is_end(line.text)
        }))
    }

    /// For an input whose number of grids is not known in advance: if its end comes next, passes it
    /// and returns what is wrong with it.
    fn end(&mut self) -> io::Result<Option<Vec<InputMistake>>> {
        framing::skip_void(&self.format, &self.readers[0], &mut self.window)?;
        let read = self.read;
        let most = self.format.input.count.most();
        if self.begins_a_grid()? && read < most {
            return Ok(None);
        }
        let WindowView {
            text: window,
            origin,
        } = self.window.view()?;
        let first = format::lines(window).find(|line| !line.is_empty());
        let end = first.filter(|line| self.readers[0].is_end(line.text));
        let mut mistakes = Vec::new();
        match (first, end, &self.format.input.count) {
            (Some(_), None, _) if read < most => return Ok(None),
            (Some(found), None, _) => {
                let message =
                    format!("there are more than {most} grids, which the problem allows at most");
                let line = origin.line(found.number, found.start);
                mistakes.push(mistake(line, message, Some("delete some, or raise `most`")));
            }
            (None, _, GridCount::Until { line: word, .. }) => {
                let message = format!("the file ends without a line `{word}`");
                let line = (origin.line(0, 0) - 1).max(1);
                mistakes.push(mistake(line, message, Some("write it after the last grid")));
            }
            _ if read == 0 && !self.format.input.may_be_empty => mistakes.push(mistake(
                origin.line(0, 0),
                "the file holds no grid",
                Some("add one"),
            )),
            _ => {}
        }
        if let Some(end) = end {
            let is_strict = self.format.input.white_space == WhiteSpace::Strict;
            if is_strict && (end.number > 0 || end.text != end.text.trim_ascii()) {
                let message = format!("expected `{}` alone on its line", format::quoted(end.text));
                mistakes.push(mistake(origin.line(0, 0), message, Some(EXACT)));
            }
            let bytes = end.end;
            let lines = end.number + 1;
            self.window.advance_lines(bytes, lines)?;
        } else if first.is_some() {
            self.window.skip_to_end()?;
        }
        Ok(Some(mistakes))
    }

    /// Passes what separates the last grid read from what follows, and returns whether the end
    /// follows. Adds what is wrong there to `mistakes`.
    pub(super) fn ends(&mut self, mistakes: &mut Vec<InputMistake>) -> io::Result<bool> {
        mistakes.extend(self.separator(true)?);
        if self.ends_here(mistakes)? {
            return Ok(true);
        }
        if self.format.input.separator.is_none() {
            return Ok(false);
        }
        mistakes.extend(self.separator(false)?);
        let line = self.window.line;
        let has_ended = self.read > 0 && self.ends_here(mistakes)?;
        if has_ended {
            let message = "there is a separator after the last grid; it belongs between two";
            mistakes.push(mistake(
                line,
                message,
                Some("delete it, or write `separator_line = \"after\"` in [input]"),
            ));
        }
        Ok(has_ended)
    }

    fn ends_here(&mut self, mistakes: &mut Vec<InputMistake>) -> io::Result<bool> {
        if self.total.is_some() {
            return Ok(self.total == Some(self.read));
        }
        let end = self.end()?;
        let has_ended = end.is_some();
        mistakes.extend(end.into_iter().flatten());
        Ok(has_ended)
    }

    /// Passes the separator after the last grid read, if the separators of the format close each
    /// grid or not, as `closes` says. Returns what is wrong with it.
    fn separator(&mut self, closes: bool) -> io::Result<Vec<InputMistake>> {
        let separator = self
            .format
            .input
            .separator
            .as_ref()
            .filter(|separator| separator.closes == closes);
        let Some(separator) = separator.filter(|_| !std::mem::replace(&mut self.is_parted, true))
        else {
            return Ok(Vec::new());
        };
        framing::skip_void(&self.format, &self.readers[0], &mut self.window)?;
        let seen = framing::pass(&mut self.window, &self.readers[0])?;
        let is_strict = self.format.input.white_space == WhiteSpace::Strict;
        let place = if closes {
            format!("after grid {}", self.read)
        } else {
            format!("between grid {} and grid {}", self.read, self.read + 1)
        };
        let found = framing::mistake_in_input(&separator.line, &place, &seen, is_strict);
        Ok(found.into_iter().collect())
    }

    /// The mistake that something follows the last grid, if anything does.
    pub(in crate::check) fn rest(&mut self) -> io::Result<Option<InputMistake>> {
        framing::skip_void(&self.format, &self.readers[0], &mut self.window)?;
        let WindowView {
            text: window,
            origin,
        } = self.window.view()?;
        let is_strict = self.format.input.white_space == WhiteSpace::Strict;
        let is_counted = matches!(self.format.input.count, GridCount::First { .. });
        let place = match &self.format.input.count {
            GridCount::Until { line, .. } => format!("the line `{line}`"),
            _ => "the last grid".to_owned(),
        };
        let first =
            format::lines(window).find(|rest| is_strict || !self.readers[0].is_void(rest.text));
        Ok(first.map(|rest| {
            let what = if rest.is_empty() {
                "an empty line".to_owned()
            } else {
                format!("`{}`", format::quoted(rest.text))
            };
            let remedy = if is_counted && !rest.is_empty() {
                "delete it, or correct the number of grids"
            } else {
                "delete it"
            };
            let line = origin.line(rest.number, rest.start);
            mistake(line, format!("{what} follows {place}"), Some(remedy))
        }))
    }
}
