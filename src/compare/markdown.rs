//! Formats a comparison as Markdown, for the comment on a pull request.

use crate::compare::change::Change;
use crate::compare::comparison::Comparison;
use crate::compare::table::{HEADER, cells};
use crate::text::printable;

/// The most rows, because the size of a comment is limited.
const MOST_ROWS: usize = 100;

/// The text of a comparison. Changes for which `is_failure` holds are bold.
pub fn markdown(found: &Comparison, is_failure: impl Fn(&Change) -> bool) -> String {
    let mut lines = vec![
        format!("**gridjudge**: {}", escaped(&found.sum())),
        String::new(),
    ];
    if !found.changes.is_empty() {
        lines.push(format!("| {} |", HEADER.join(" | ")));
        lines.push("|---".repeat(HEADER.len()) + "|");
    }
    for change in found.changes.iter().take(MOST_ROWS) {
        let mut cells = cells(change).map(|cell| escaped(&cell));
        if is_failure(change) {
            cells[0] = format!("**{}**", cells[0]);
        }
        lines.push(format!("| {} |", cells.join(" | ")));
    }
    if found.changes.len() > MOST_ROWS {
        lines.push(format!("\nand {} more", found.changes.len() - MOST_ROWS));
    }
    for remark in found.remarks() {
        lines.push(format!("\n{}", escaped(&remark)));
    }
    lines.join("\n") + "\n"
}

/// Escapes text so that it has no effect in Markdown, including in tables.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in printable(text).chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // `@name` would notify that user.
            '@' => escaped.push_str("@\u{200b}"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '~' | '!' => {
                escaped.extend(['\\', letter])
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}
