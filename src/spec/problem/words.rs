//! Checks the words of `accept = "word"`: each must be the answer to some grid, and at least two
//! must differ.

use crate::keys::KeyTable;
use crate::mistake::quoted;
use gridjudge_grid::Replies;
use gridjudge_grid::format::{PuzzleKind, ReplyKind};

/// Notes words that are never an answer, and words that are all the same.
pub(super) fn agree(replies: &Replies, table: &KeyTable<'_>) {
    for (kind, _) in replies.texts() {
        if let Some((at, rivals)) = table.place(kind.key()).zip(rivals(replies, kind)) {
            let rivals: Vec<_> = rivals
                .iter()
                .map(|kind| format!("`{}`", kind.key()))
                .collect();
            let message = format!(
                "`{}` is never used: {} cover every such grid",
                kind.key(),
                rivals.join(" and ")
            );
            table.note(at, message, "delete it, or one of the others");
        }
    }
    let mut lines = replies.texts().map(|(_, text)| text);
    match (lines.next(), lines.next()) {
        (Some(first), Some(second)) => {
            if second == first && lines.all(|line| line == first) {
                let message = format!("all words are {}", quoted(&first.spelling("n")));
                table.note(
                    table.header(),
                    message,
                    "write different words for different kinds of grids",
                );
            }
        }
        _ => {
            let remedy = "say two words at least, as `valid = \"YES\"` and `invalid = \"NO\"`, or `solvable` and `none`";
            table.note(
                table.header(),
                "`accept = \"word\"` has no two words to choose from",
                remedy,
            );
        }
    }
}

/// The words that replace a word for every grid that it applies to. `None` if it is the answer to
/// some grid.
fn rivals(replies: &Replies, kind: ReplyKind) -> Option<Vec<ReplyKind>> {
    let such = PuzzleKind::ALL
        .into_iter()
        .filter(|puzzle| puzzle.replies().contains(&kind));
    let said: Vec<_> = such.filter_map(|puzzle| replies.word_for(puzzle)).collect();
    let rivals = ReplyKind::ALL
        .into_iter()
        .filter(|other| said.contains(other))
        .collect();
    (!said.contains(&kind)).then_some(rivals)
}
