//! Lists every mistake of an input at once, in its bytes, its format and its clues,
//! since a setter wants to know them before anything runs; and reads the end of an
//! input. Start at [`all_input_mistakes`].

use std::io::{self, Read};

use gridjudge_grid::format::{self, TextOffset};
use gridjudge_grid::{Format, GridCount, GridRules};

use crate::check::{
    EXACT, GridWording, InputError, InputGrids, InputMistake, WindowView, framing,
    mistake,
};
use crate::text::{
    BYTE_ORDER_MARK, UnexpectedEncoding, counted, has_lone_returns, newlines,
};

/// Most mistakes listed for one file.
const MOST_MISTAKES: usize = 20;

/// Lists the mistakes of an input, at most 20: stray bytes, breaches of the format, and
/// clues that contradict each other if the problem has no reply to such a grid.
///
/// # Errors
/// Returns the error of reading the file.
pub(crate) fn all_input_mistakes(
    format: &Format,
    mut source: impl Read,
) -> io::Result<Vec<InputMistake>> {
    let mut bytes = StrayByteReader {
        source: &mut source,
        line: 1,
        at_start: true,
        strays: vec![],
        is_unreadable: false,
    };
    let mut mistakes = match InputGrids::open(format, &mut bytes) {
        Ok(clues) => mistakes_of_grids(clues)?,
        Err(InputError::Text(mistake)) => vec![mistake],
        Err(InputError::File(error)) => return Err(error),
    };
    if bytes.is_unreadable {
        return Ok(bytes.strays);
    }
    // Stray bytes come first, since they may cause the other mistakes. They also
    // explain white space that is not exact, so mistakes of that kind are dropped.
    mistakes
        .retain(|mistake| bytes.strays.is_empty() || mistake.remedy != Some(EXACT));
    mistakes.splice(0..0, bytes.strays);
    mistakes.truncate(MOST_MISTAKES);
    Ok(mistakes)
}

fn mistakes_of_grids(mut clues: InputGrids<'_>) -> io::Result<Vec<InputMistake>> {
    let format = clues.format;
    let rules: Vec<_> = format.shapes.iter().map(GridRules::new).collect();
    let may_clash = format.replies.may_clash();
    let mut cells = vec![];
    while clues.mistakes.len() < MOST_MISTAKES {
        let line = clues.window.place.lines + 1;
        let before = clues.mistakes.len();
        let Some(shape) = clues.read_next(&mut cells)? else {
            break;
        };
        if clues.mistakes.len() > before || may_clash {
            continue;
        }
        let place = clues.place(clues.read);
        let own = clues
            .own_shape
            .as_ref()
            .map(|shape| (shape, GridRules::new(shape)));
        let (shape, rules) = match &own {
            Some((shape, rules)) => (*shape, rules),
            None => (&format.shapes[shape], &rules[shape]),
        };
        let wording = GridWording { format, shape };
        let clashes = rules.clashing_pairs(&cells);
        let clashes = clashes
            .iter()
            .map(|clash| (wording.clash(clash), "correct one of the two cells"));
        let breaches = rules.breaches(&cells);
        let breaches = breaches.iter().map(|breach| {
            let text = wording.breach(breach, &cells);
            (text, "correct one of these cells")
        });
        clues
            .mistakes
            .extend(clashes.chain(breaches).map(|(text, remedy)| {
                mistake(
                    line,
                    format!("{place}the clues contradict each other: {text}"),
                    remedy,
                )
            }));
    }
    clues.note_rest()?;
    Ok(clues.mistakes)
}

// Finds bytes that do not belong in a case, since some programs read past them and
// others do not. Knows bytes, no grids.

/// A stream that notes what does not belong in a case: another encoding, carriage
/// returns, NULs, Ctrl-Z.
struct StrayByteReader<'a> {
    source: &'a mut dyn Read,
    line: u64,
    at_start: bool,
    /// The mistakes noted so far.
    strays: Vec<InputMistake>,
    /// Whether no line of the text can be read, because of its encoding or its line
    /// ends.
    is_unreadable: bool,
}

/// Bytes that break some programs and not others, each with its message and remedy.
const STRAYS: [(u8, &str, &str); 3] = [
    (
        b'\r',
        "the line ends in a carriage return, or holds one",
        "convert the line ends, as with `sed -i 's/\\r$//' FILE`",
    ),
    (
        0,
        "the line holds a NUL byte",
        "delete it, as with `tr -d '\\0'`",
    ),
    (
        0x1a,
        "the line holds a Ctrl-Z (byte 0x1A)",
        "delete it, as with `tr -d '\\032'`",
    ),
];

impl StrayByteReader<'_> {
    fn look_at(&mut self, piece: &[u8]) {
        if std::mem::take(&mut self.at_start) {
            self.look_at_encoding(piece);
            if has_lone_returns(piece) {
                self.strays.push(mistake(
                    1,
                    "the lines end with a carriage return alone",
                    "convert them, as with `tr '\\r' '\\n'`",
                ));
                self.is_unreadable = true;
            }
        }
        if self.is_unreadable {
            return;
        }
        for (byte, message, remedy) in STRAYS {
            let place = piece.iter().position(|&found| found == byte);
            if let Some(place) = place
                .filter(|_| self.strays.iter().all(|stray| stray.message != message))
            {
                let line = self.line + newlines(&piece[..place]);
                self.strays.push(mistake(line, message, remedy));
            }
        }
        self.line += newlines(piece);
    }

    fn look_at_encoding(&mut self, start: &[u8]) {
        let Some(encoding) = UnexpectedEncoding::detect(start) else {
            return;
        };
        let (message, remedy) = match encoding {
            UnexpectedEncoding::Utf16 => (
                "the file is UTF-16 text",
                "convert it, as with `iconv -f utf-16 -t utf-8`",
            ),
            UnexpectedEncoding::Utf32 => (
                "the file is UTF-32 text",
                "convert it, as with `iconv -f utf-32 -t utf-8`",
            ),
            UnexpectedEncoding::ByteOrderMark => (
                "the file begins with a byte order mark",
                "save the file without it, as with `sed -i '1s/^\\xEF\\xBB\\xBF//' \
                 FILE`",
            ),
        };
        self.is_unreadable = encoding != UnexpectedEncoding::ByteOrderMark;
        self.strays.push(mistake(1, message, remedy));
    }
}

impl Read for StrayByteReader<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let is_first = self.at_start;
        let read = self.source.read(into)?;
        self.look_at(&into[..read]);
        // It has been noted, and would otherwise seem to belong to the first number or
        // cell.
        if !is_first || !into[..read].starts_with(BYTE_ORDER_MARK) {
            return Ok(read);
        }
        into.copy_within(BYTE_ORDER_MARK.len()..read, 0);
        match read - BYTE_ORDER_MARK.len() {
            0 => self.read(into),
            rest => Ok(rest),
        }
    }
}

// Reads what comes between the grids of an input and after the last one: separators,
// the end, and anything that follows it.

impl InputGrids<'_> {
    /// Whether the next line can be seen whole at once and belongs to a grid. A fast
    /// check, since a file of a million grids needs it for each.
    fn begins_a_grid(&mut self) -> io::Result<bool> {
        let reader = &self.readers[0];
        let window = self.window.peek(reader.longest_plain())?;
        let line = format::written_lines(window).next();
        Ok(line.is_some_and(|line| {
            line.text.len() < line.end.bytes - line.start.bytes
                && !reader.is_end(line.text)
        }))
    }

    /// For an input whose number of grids is not known in advance: whether its end comes
    /// next. Passes it, and notes what is wrong with it.
    fn pass_end(&mut self) -> io::Result<bool> {
        self.skip_void()?;
        let read = self.read;
        let most = self.format.input.count.most();
        if self.begins_a_grid()? && read < most {
            return Ok(false);
        }
        let WindowView {
            text: window,
            origin,
        } = self.window.view()?;
        let here = origin.line(TextOffset::START);
        let first = format::written_lines(window).next();
        let end = first.filter(|line| self.readers[0].is_end(line.text));
        match (first, end, &self.format.input.count) {
            (Some(_), None, _) if read < most => return Ok(false),
            (Some(found), None, _) => {
                self.mistakes.push(mistake(
                    origin.line(found.start),
                    format!(
                        "there are more than {}, which the problem allows at most",
                        counted(most, "grid")
                    ),
                    "delete some, or raise `most`",
                ));
            }
            (None, _, GridCount::Until { line: word, .. }) => {
                self.mistakes.push(mistake(
                    (here - 1).max(1),
                    format!("the file ends without a line `{word}`"),
                    "write it after the last grid",
                ));
            }
            _ if read == 0 && !self.format.input.may_be_empty => {
                self.mistakes.push(mistake(
                    here,
                    "the file holds no grid",
                    "add one",
                ));
            }
            _ => {}
        }
        if let Some(end) = end {
            let is_strict = self.format.input.is_strict();
            if is_strict && (end.start.lines > 0 || end.text != end.text.trim_ascii())
            {
                self.mistakes.push(mistake(
                    here,
                    format!(
                        "expected `{}` alone on its line",
                        format::quoted_bytes(end.text)
                    ),
                    EXACT,
                ));
            }
            let end = end.end;
            self.window.advance_lines(end)?;
        } else if first.is_some() {
            self.window.skip_to_end()?;
        }
        Ok(true)
    }

    /// Passes what separates the last grid read from what follows, and returns whether
    /// the end follows. Notes what is wrong there.
    pub(super) fn ends(&mut self) -> io::Result<bool> {
        self.pass_separator(true)?;
        if self.ends_here()? {
            return Ok(true);
        }
        if self.format.input.separator.is_none() {
            return Ok(false);
        }
        self.pass_separator(false)?;
        let line = self.window.place.lines;
        let has_ended = self.read > 0 && self.ends_here()?;
        if has_ended {
            let message =
                "there is a separator after the last grid; it belongs between two";
            self.mistakes.push(mistake(
                line,
                message,
                "delete it, or write `separator_line = \"after\"` in [input]",
            ));
        }
        Ok(has_ended)
    }

    fn ends_here(&mut self) -> io::Result<bool> {
        match self.total {
            Some(total) => Ok(total == self.read),
            None => self.pass_end(),
        }
    }

    /// Passes the separator after the last grid read, if the separators of the format
    /// close each grid or not, as `closes` says. Notes what is wrong with it.
    fn pass_separator(&mut self, closes: bool) -> io::Result<()> {
        let separator = self.format.input.separator.as_ref();
        let belongs = separator.is_some_and(|separator| separator.closes == closes);
        if !belongs || std::mem::replace(&mut self.is_parted, true) {
            return Ok(());
        }
        self.skip_void()?;
        let seen = framing::pass(&mut self.window, &self.readers[0])?;
        let is_strict = self.format.input.is_strict();
        let place = if closes {
            format!("after grid {}", self.read)
        } else {
            format!("between grid {} and grid {}", self.read, self.read + 1)
        };
        let mistake = seen.and_then(|seen| seen.mistake(&place, is_strict));
        self.mistakes.extend(mistake);
        Ok(())
    }

    /// Notes what follows the last grid, if anything does.
    fn note_rest(&mut self) -> io::Result<()> {
        self.skip_void()?;
        let WindowView {
            text: window,
            origin,
        } = self.window.view()?;
        let is_strict = self.format.input.is_strict();
        let is_counted = matches!(self.format.input.count, GridCount::First { .. });
        let place = match &self.format.input.count {
            GridCount::Until { line, .. } => format!("the line `{line}`"),
            _ => "the last grid".to_owned(),
        };
        let first = format::lines(window)
            .find(|rest| is_strict || !self.readers[0].is_void(rest.text));
        self.mistakes.extend(first.map(|rest| {
            let what = if rest.is_empty() {
                "an empty line".to_owned()
            } else {
                format!("`{}`", format::quoted_bytes(rest.text))
            };
            let remedy = if is_counted && !rest.is_empty() {
                "delete it, or correct the number of grids"
            } else {
                "delete it"
            };
            let line = origin.line(rest.start);
            mistake(line, format!("{what} follows {place}"), remedy)
        }));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
