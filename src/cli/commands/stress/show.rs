//! Shows a failing input: the finding, the input, and what the program wrote. Runs nothing.

use crate::authoring::stress::FailureNote;
use crate::cli::screen;
use crate::text::printable;
use gridjudge_sandbox::Fault;

/// The most lines that are shown of an input, or of what a program wrote.
const MOST_LINES: usize = 60;

/// Shows a failing input of a program, and what that wrote to standard error.
pub(super) fn failure(note: &FailureNote<'_>, input: &[u8], stderr: &str) -> Result<(), Fault> {
    screen::sentence(format_args!(
        "{}: {}",
        note.origin,
        printable(&note.finding())
    ))?;
    screen::sentence(note.size)?;
    note.remarks.iter().try_for_each(screen::sentence)?;
    screen::result("")?;
    text("    ", &String::from_utf8_lossy(input))?;
    if stderr.trim().is_empty() {
        return Ok(());
    }
    screen::result("\nstandard error:")?;
    text("    | ", stderr)
}

/// The page about a failing input, without control characters: it quotes the output of an unknown
/// program.
pub(super) fn page(note: &FailureNote<'_>) -> String {
    note.text()
        .lines()
        .map(|line| printable(line) + "\n")
        .collect()
}

/// Shows a text, each line after a margin. For the output of a program, the margin must not be
/// blank: to GitHub, a line that begins with two colons is a command, even after blanks.
pub(super) fn text(margin: &str, text: &str) -> Result<(), Fault> {
    let lines: Vec<_> = text.lines().collect();
    for line in lines.iter().take(MOST_LINES) {
        screen::result(format_args!("{margin}{}", printable(line)))?;
    }
    match lines.len().saturating_sub(MOST_LINES) {
        0 => Ok(()),
        more => screen::result(format_args!("{margin}... (lines more: {more})")),
    }
}
