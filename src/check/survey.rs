//! Every mistake of an input at once: its bytes, its format, its clues. What a setter wants to know before anything runs.

use std::io;
use std::io::Read;

use crate::check::explain::clash_text;
use crate::check::input::Clues;
use crate::check::input::EXACT;
use crate::check::input::Mistake;
use crate::check::input::Unreadable;
use crate::check::input::mistake;
use crate::check::strays::Bytes;
use crate::grid::Format;
use crate::grid::Rules;

/// Mistakes listed of one file.
const MOST_MISTAKES: usize = 20;

/// Every mistake of an input at once, at most 20: its bytes, its format, and clues that contradict each other.
///
/// # Errors
/// If the file cannot be read.
pub fn mistakes_of_input(format: &Format, rules: &Rules, source: impl Read) -> io::Result<Vec<Mistake>> {
    let mut bytes = Bytes::new(source);
    let mut mistakes = match Clues::open(format, &mut bytes) {
        Ok(clues) => mistakes_of_grids(clues, format, rules)?,
        Err(Unreadable::Text(mistake)) => vec![mistake],
        Err(Unreadable::File(error)) => return Err(error),
    };
    // A stray byte explains whatever follows from it, so it comes first; what it does to white space is known then.
    mistakes.retain(|mistake| bytes.strays.is_empty() || mistake.remedy != Some(EXACT));
    mistakes.splice(0..0, bytes.strays);
    mistakes.truncate(MOST_MISTAKES);
    Ok(mistakes)
}

fn mistakes_of_grids<R: Read>(
    mut clues: Clues<R>,
    format: &Format,
    rules: &Rules,
) -> io::Result<Vec<Mistake>> {
    let mut cells = vec![0; format.shape.cells()];
    let mut mistakes = Vec::new();
    while clues.read < clues.total && mistakes.len() < MOST_MISTAKES {
        let line = clues.window.line + 1;
        let flaws = clues.read_next(&mut cells)?;
        if flaws.is_empty() {
            let place = if clues.total > 1 { format!("grid {}: ", clues.read) } else { String::new() };
            mistakes.extend(rules.clashes(&cells).map(|clash| {
                let text = clash_text(&clash, format);
                mistake(line, format!("{place}the clues contradict each other: {text}"), Some(CONTRADICTION))
            }));
        }
        mistakes.extend(flaws);
    }
    mistakes.extend(clues.rest()?);
    Ok(mistakes)
}

const CONTRADICTION: &str = "correct one of the two cells";

#[cfg(test)]
mod tests;
