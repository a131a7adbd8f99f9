//! Where an input ends: whether a grid comes next or the end does, and what follows the last grid.

use std::io;
use std::io::Read;

use crate::check::framing;
use crate::check::input_grids::InputGrids;
use crate::check::input_mistake::EXACT;
use crate::check::input_mistake::InputMistake;
use crate::check::input_mistake::mistake;
use crate::check::window::WindowView;
use gridjudge_grid::GridCount;
use gridjudge_grid::WhiteSpace;
use gridjudge_grid::format;

impl<R: Read> InputGrids<R> {
    /// Whether the line that comes next is seen at once, and is of a grid: a file of a million grids is asked for each.
    fn begins_a_grid(&mut self) -> io::Result<bool> {
        let reader = &self.readers[0];
        let window = self.window.peek(reader.longest_plain())?;
        let line = format::lines(window).find(|line| !line.is_empty());
        Ok(line.is_some_and(|line| line.text.len() < line.end - line.start && !reader.is_end(line.text)))
    }

    /// Where only the text tells how many grids there are: what is wrong with its end, if the end comes next.
    pub(super) fn end(&mut self) -> io::Result<Option<Vec<InputMistake>>> {
        framing::skip_comments(&self.format, &mut self.window)?;
        let (read, most) = (self.read, framing::most(&self.format.input.count));
        if self.begins_a_grid()? && read < most {
            return Ok(None);
        }
        let WindowView { text: window, origin } = self.window.view()?;
        let first = format::lines(window).find(|line| !line.is_empty());
        let end = first.filter(|line| self.readers[0].is_end(line.text));
        let mut mistakes = Vec::new();
        match (first, end, &self.format.input.count) {
            (Some(_), None, _) if read < most => return Ok(None),
            (Some(found), None, _) => {
                let message = format!("there are more than {most} grids, which the problem allows at most");
                let line = origin.line(found.number, found.start);
                mistakes.push(mistake(line, message, Some("delete some, or raise `most`")));
            }
            (None, _, GridCount::Until { line: word, .. }) => {
                let message = format!("the file ends without a line `{word}`");
                let line = (origin.line(0, 0) - 1).max(1);
                mistakes.push(mistake(line, message, Some("write it after the last grid")));
            }
            _ if read == 0 && !self.format.input.may_be_empty => {
                mistakes.push(mistake(origin.line(0, 0), "the file holds no grid", Some("add one")))
            }
            _ => {}
        }
        if let Some(end) = end {
            let is_strict = self.format.input.white_space == WhiteSpace::Strict;
            if is_strict
                && (end.number > 0 || self.readers[0].is_end(end.text) && end.text != end.text.trim_ascii())
            {
                let message =
                    format!("expected `{}` alone on its line", end.text.trim_ascii().escape_ascii());
                mistakes.push(mistake(origin.line(0, 0), message, Some(EXACT)));
            }
            let (bytes, lines) = (end.end, end.number + 1);
            self.window.advance_lines(bytes, lines)?;
        } else if first.is_some() {
            self.window.skip_to_end()?;
        }
        Ok(Some(mistakes))
    }

    /// What follows the last grid, if anything does.
    pub(in crate::check) fn rest(&mut self) -> io::Result<Option<InputMistake>> {
        framing::skip_comments(&self.format, &mut self.window)?;
        let WindowView { text: window, origin } = self.window.view()?;
        let is_strict = self.format.input.white_space == WhiteSpace::Strict;
        let is_counted = matches!(self.format.input.count, GridCount::First { .. });
        let place = match &self.format.input.count {
            GridCount::Until { line, .. } => format!("the line `{line}`"),
            _ => "the last grid".to_owned(),
        };
        let first = format::lines(window).find(|rest| is_strict || !self.readers[0].is_void(rest.text));
        Ok(first.map(|rest| {
            let what = match rest.is_empty() {
                true => "an empty line".to_owned(),
                false => format!("`{}`", format::quoted(rest.text)),
            };
            let remedy = match is_counted && !rest.is_empty() {
                true => "delete it, or correct the number of grids",
                false => "delete it",
            };
            let line = origin.line(rest.number, rest.start);
            mistake(line, format!("{what} follows {place}"), Some(remedy))
        }))
    }
}
