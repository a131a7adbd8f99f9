//! Lists every mistake of an input at once: in its bytes, its format and its clues. A setter wants
//! to know them before anything runs.

use std::io;
use std::io::Read;

use gridjudge_grid::{Format, GridRules};

use crate::check::{EXACT, InputError, InputGrids, InputMistake, breach_text, clash_text, mistake};
use crate::text::{BYTE_ORDER_MARK, UnexpectedEncoding, has_lone_returns};

/// Most mistakes listed for one file.
const MOST_MISTAKES: usize = 20;

/// Lists the mistakes of an input, at most 20: stray bytes, breaches of the format, and clues that
/// contradict each other if the problem has no reply to such a grid.
///
/// # Errors
/// Returns the error of reading the file.
pub(crate) fn mistakes_of_input(
    format: &Format,
    source: impl Read,
) -> io::Result<Vec<InputMistake>> {
    let mut bytes = StrayByteReader::new(source);
    let mut reader = &mut bytes;
    let mut mistakes = match InputGrids::open(format, &mut reader as &mut dyn Read) {
        Ok(clues) => mistakes_of_grids(clues, format)?,
        Err(InputError::Text(mistake)) => vec![mistake],
        Err(InputError::File(error)) => return Err(error),
    };
    if bytes.is_unreadable {
        return Ok(bytes.strays);
    }
    // Stray bytes come first, since they may cause the other mistakes. They also explain white
    // space that is not exact, so mistakes of that kind are dropped.
    mistakes.retain(|mistake| bytes.strays.is_empty() || mistake.remedy != Some(EXACT));
    mistakes.splice(0..0, bytes.strays);
    mistakes.truncate(MOST_MISTAKES);
    Ok(mistakes)
}

fn mistakes_of_grids(
    mut clues: InputGrids<&mut dyn Read>,
    format: &Format,
) -> io::Result<Vec<InputMistake>> {
    let rules: Vec<_> = format.shapes.iter().map(GridRules::new).collect();
    let may_clash = format.replies.may_clash();
    let mut cells = Vec::new();
    let mut mistakes = Vec::new();
    while mistakes.len() < MOST_MISTAKES {
        let line = clues.window.line + 1;
        let reading = clues.read_next(&mut cells)?;
        let Some(shape) = reading.shape else {
            mistakes.extend(reading.mistakes);
            break;
        };
        if reading.mistakes.is_empty() && !may_clash {
            let place = clues.place(clues.read);
            let own = clues
                .own_shape()
                .map(|shape| (shape, GridRules::new(shape)));
            let (shape, rules) = match &own {
                Some((shape, rules)) => (*shape, rules),
                None => (&format.shapes[shape], &rules[shape]),
            };
            let clashes = rules.clashing_pairs(&cells);
            let clashes = clashes
                .iter()
                .map(|clash| (clash_text(clash, format, shape), CONTRADICTION));
            let breaches = rules.breaches(&cells);
            let breaches = breaches
                .iter()
                .map(|breach| (breach_text(breach, format, shape, &cells), BREACH));
            mistakes.extend(clashes.chain(breaches).map(|(text, remedy)| {
                mistake(
                    line,
                    format!("{place}the clues contradict each other: {text}"),
                    Some(remedy),
                )
            }));
        }
        mistakes.extend(reading.mistakes);
    }
    mistakes.extend(clues.rest()?);
    Ok(mistakes)
}

const CONTRADICTION: &str = "correct one of the two cells";
const BREACH: &str = "correct one of these cells";

// Finds bytes that do not belong in a case, since some programs read past them and others do not.
// Knows bytes, no grids.

/// A stream that notes what does not belong in a case: another encoding, carriage returns, NULs,
/// Ctrl-Z.
struct StrayByteReader<R> {
    source: R,
    line: u64,
    at_start: bool,
    /// The mistakes noted so far.
    strays: Vec<InputMistake>,
    /// Whether no line of the text can be read, because of its encoding or its line ends.
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

impl<R> StrayByteReader<R> {
    fn new(source: R) -> Self {
        Self {
            source,
            line: 1,
            at_start: true,
            strays: Vec::new(),
            is_unreadable: false,
        }
    }

    fn look_at(&mut self, piece: &[u8]) {
        if std::mem::take(&mut self.at_start) {
            self.look_at_encoding(piece);
            self.look_at_line_ends(piece);
        }
        if self.is_unreadable {
            return;
        }
        for (byte, message, remedy) in STRAYS {
            let place = piece.iter().position(|&found| found == byte);
            if let Some(place) =
                place.filter(|_| self.strays.iter().all(|stray| stray.message != message))
            {
                let line = self.line + newlines(&piece[..place]);
                self.strays.push(mistake(line, message, Some(remedy)));
            }
        }
        self.line += newlines(piece);
    }
}

impl<R> StrayByteReader<R> {
    fn look_at_encoding(&mut self, start: &[u8]) {
        let Some(encoding) = UnexpectedEncoding::of(start) else {
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
                "save the file without it, as with `sed -i '1s/^\\xEF\\xBB\\xBF//' FILE`",
            ),
        };
        self.is_unreadable = encoding != UnexpectedEncoding::ByteOrderMark;
        self.strays.push(mistake(1, message, Some(remedy)));
    }

    fn look_at_line_ends(&mut self, start: &[u8]) {
        if has_lone_returns(start) {
            let message = "the lines end with a carriage return alone";
            self.strays.push(mistake(
                1,
                message,
                Some("convert them, as with `tr '\\r' '\\n'`"),
            ));
            self.is_unreadable = true;
        }
    }
}

fn newlines(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte == b'\n').count() as u64
}

impl<R: Read> Read for &mut StrayByteReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let is_first = self.at_start;
        let read = self.source.read(into)?;
        self.look_at(&into[..read]);
        // It has been noted, and would otherwise seem to belong to the first number or cell.
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

#[cfg(test)]
mod tests;
