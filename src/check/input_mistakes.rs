//! Lists every mistake of an input at once: in its bytes, its format and its clues. A setter wants
//! to know them before anything runs.

use std::io;
use std::io::Read;

use crate::check::arithmetic::breach_text;
use crate::check::input_grids::InputGrids;
use crate::check::input_mistake::{EXACT, InputError, InputMistake, mistake};
use crate::check::location::clash_text;
use crate::check::stray_bytes::StrayByteReader;
use gridjudge_grid::{Format, GridRules};

/// Most mistakes listed for one file.
const MOST_MISTAKES: usize = 20;

/// Lists the mistakes of an input, at most 20: stray bytes, breaches of the format, and clues that
/// contradict each other if the problem has no reply to such a grid.
///
/// # Errors
/// Returns the error of reading the file.
pub(super) fn mistakes_of_input(
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

#[cfg(test)]
mod tests;
