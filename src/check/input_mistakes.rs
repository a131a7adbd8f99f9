//! Every mistake of an input at once: its bytes, its format, its clues. What a setter wants to know before anything runs.

use std::io;
use std::io::Read;

use crate::check::arithmetic::breach_text;
use crate::check::input_grids::InputGrids;
use crate::check::input_mistake::EXACT;
use crate::check::input_mistake::InputError;
use crate::check::input_mistake::InputMistake;
use crate::check::input_mistake::mistake;
use crate::check::location::clash_text;
use crate::check::stray_bytes::StrayByteReader;
use gridjudge_grid::Format;
use gridjudge_grid::GridRules;

/// Mistakes listed of one file.
const MOST_MISTAKES: usize = 20;

/// Every mistake of an input at once, at most 20: its bytes, its format, and clues that contradict each other where the
/// problem has no way to say that there is no solution.
///
/// # Errors
/// If the file cannot be read.
pub(super) fn mistakes_of_input(format: &Format, source: impl Read) -> io::Result<Vec<InputMistake>> {
    let mut bytes = StrayByteReader::new(source);
    let mut reader = &mut bytes;
    let mut mistakes = match InputGrids::open(format, &mut reader as &mut dyn Read) {
        Ok(clues) => mistakes_of_grids(clues, format)?,
        Err(InputError::Text(mistake)) => vec![mistake],
        Err(InputError::File(error)) => return Err(error),
    };
    // A stray byte explains whatever follows from it, so it comes first; what it does to white space is known then.
    mistakes.retain(|mistake| bytes.strays.is_empty() || mistake.remedy != Some(EXACT));
    mistakes.splice(0..0, bytes.strays);
    mistakes.truncate(MOST_MISTAKES);
    Ok(mistakes)
}

fn mistakes_of_grids(mut clues: InputGrids<&mut dyn Read>, format: &Format) -> io::Result<Vec<InputMistake>> {
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
            let own = clues.own_shape().map(|shape| (shape, GridRules::new(shape)));
            let (shape, rules) = match &own {
                Some((shape, rules)) => (*shape, rules),
                None => (&format.shapes[shape], &rules[shape]),
            };
            let clashes = rules.clashing_pairs(&cells);
            let clashes = clashes.iter().map(|clash| (clash_text(clash, format, shape), CONTRADICTION));
            let breaches = rules.breaches(&cells);
            let breaches = breaches.iter().map(|breach| (breach_text(breach, format, shape, &cells), BREACH));
            mistakes.extend(clashes.chain(breaches).map(|(text, remedy)| {
                mistake(line, format!("{place}the clues contradict each other: {text}"), Some(remedy))
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
