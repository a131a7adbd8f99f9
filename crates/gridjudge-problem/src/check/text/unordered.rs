//! Compares the pieces of an output with those of its answer in any order, as some checkers of DMOJ
//! do. Holds both texts in memory. Start at [`output`].

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Read;

use gridjudge_grid::format;

use crate::check::text::scan::filled_parts;
use crate::check::text::{TextPlace, filled_lines, is_space, wording};
use crate::check::{CheckError, InputError};
use crate::model::{Finding, FindingKind, FindingRule, Findings, UnorderedPiece};
use crate::text::counted;

/// How often a piece is in the answer, and how many of these the output has not had yet.
#[derive(Default)]
struct PieceCount {
    all: u64,
    left: u64,
}

/// Compares an output with the stored answer.
///
/// # Errors
/// Returns [`CheckError`] if one of the two cannot be read.
pub(super) fn output(
    kind: UnorderedPiece,
    output: &mut dyn Read,
    answer: &mut dyn Read,
) -> Result<Findings, CheckError> {
    let mut found = Vec::new();
    let mut expected = Vec::new();
    output.read_to_end(&mut found).map_err(CheckError::Output)?;
    answer
        .read_to_end(&mut expected)
        .map_err(|error| CheckError::Answer(InputError::File(error)))?;
    let mut findings = Findings::default();
    difference(kind, &found, &expected)
        .into_iter()
        .for_each(|finding| findings.note(finding));
    Ok(findings)
}

/// The first piece of the output that is not in the answer, or more often than there; else what is
/// missing.
fn difference(kind: UnorderedPiece, found: &[u8], expected: &[u8]) -> Option<Finding> {
    let mut counts: HashMap<Cow<'_, [u8]>, PieceCount> = HashMap::new();
    for (_, piece) in pieces(kind, expected) {
        let count = counts.entry(piece).or_default();
        count.all += 1;
        count.left += 1;
    }
    for (start, piece) in pieces(kind, found) {
        match counts.get_mut(&piece) {
            Some(count) if count.left > 0 => count.left -= 1,
            Some(count) => return Some(too_often(&place(&found[..start]), &piece, count.all)),
            None => return Some(not_in_answer(&place(&found[..start]), &piece)),
        }
    }
    // In the order of the answer, so that the same one is always named.
    let first = pieces(kind, expected)
        .map(|(_, piece)| piece)
        .find(|piece| counts[piece].left > 0)?;
    let missing = counts.values().map(|count| count.left).sum();
    Some(lacking(kind, &place(found), &first, missing))
}

/// The pieces of a text, each with the byte at which it starts.
fn pieces(
    kind: UnorderedPiece,
    text: &[u8],
) -> Box<dyn Iterator<Item = (usize, Cow<'_, [u8]>)> + '_> {
    match kind {
        UnorderedPiece::Lines => Box::new(
            filled_lines(text).map(|(start, line)| (start, Cow::Owned(in_single_spaces(line)))),
        ),
        UnorderedPiece::Tokens => Box::new(
            filled_parts(text, is_space).map(|(start, piece)| (start, Cow::Borrowed(piece))),
        ),
        UnorderedPiece::Bytes => {
            let bytes = text
                .iter()
                .enumerate()
                .filter(|(_, byte)| !is_space(**byte));
            Box::new(
                bytes.map(|(start, byte)| (start, Cow::Owned(vec![byte.to_ascii_lowercase()]))),
            )
        }
    }
}

/// The tokens of a line with a space between two of them. A line of white space is equal to every
/// other.
fn in_single_spaces(line: &[u8]) -> Vec<u8> {
    filled_parts(line, is_space)
        .map(|(_, token)| token)
        .collect::<Vec<_>>()
        .join(&b' ')
}

fn place(before: &[u8]) -> TextPlace {
    let mut place = TextPlace::START;
    place.advance(before);
    place
}

fn not_in_answer(place: &TextPlace, piece: &[u8]) -> Finding {
    let mut said = format!(
        "line {}: found {}, which the answer does not have",
        place.lines + 1,
        quoted(piece)
    );
    if let Some(named) = format::beyond_ascii(piece) {
        said = said + ": " + &named;
    }
    wording::finding(place, FindingKind::Wrong, FindingRule::Token, said)
}

fn too_often(place: &TextPlace, piece: &[u8], all: u64) -> Finding {
    let line = place.lines + 1;
    let piece = quoted(piece);
    let times = counted(all, "time");
    let said =
        format!("line {line}: found {piece} once more than in the answer, which has it {times}");
    wording::finding(place, FindingKind::Wrong, FindingRule::Trailing, said)
}

fn lacking(kind: UnorderedPiece, end: &TextPlace, first: &[u8], missing: u64) -> Finding {
    let first = quoted(first);
    let said = match (end.is_blank, missing) {
        (true, 1) => format!("the output is empty, expected {first}"),
        (true, missing) => {
            format!(
                "the output is empty, expected {missing} {}s, one of them {first}",
                kind.name()
            )
        }
        (false, 1) => format!("the output lacks {first}"),
        (false, missing) => format!(
            "the output lacks {missing} {}s, one of them {first}",
            kind.name()
        ),
    };
    wording::finding(end, FindingKind::Wrong, FindingRule::Missing, said)
}

fn quoted(piece: &[u8]) -> String {
    wording::shown_token(piece, piece.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use UnorderedPiece::{Bytes, Lines, Tokens};

    fn message(kind: UnorderedPiece, found: &str, expected: &str) -> Option<String> {
        difference(kind, found.as_bytes(), expected.as_bytes()).map(|finding| finding.message)
    }

    #[test]
    fn the_order_does_not_count() {
        for (kind, found, expected) in [
            (Lines, "b  c\r\na\n", "a\n\n b\tc"),
            (Lines, " \na", "a\n\t\n"),
            (Tokens, "3 2\n1 2", "1\n2\n2 3\n"),
            (Bytes, "Listen", "si lent\n"),
            (Bytes, "\n", ""),
        ] {
            assert_eq!(
                message(kind, found, expected),
                None,
                "{found:?} {expected:?}"
            );
        }
    }

    #[test]
    fn each_piece_counts_as_often_as_the_answer_has_it() {
        for (kind, found, expected, said) in [
            (
                Lines,
                "a\nc b\n",
                "b c\na\n",
                "line 2: found `c b`, which the answer does not have",
            ),
            (
                Lines,
                "a\n \n",
                "a\n",
                "line 2: found ``, which the answer does not have",
            ),
            (
                Tokens,
                "1 2\n2 2",
                "2 1 2",
                "line 2: found `2` once more than in the answer, which has it 2 times",
            ),
            (
                Tokens,
                "1",
                "3 1 2 3",
                "the output lacks 3 tokens, one of them `3`",
            ),
            (Tokens, "1\n2", "3 1 2", "the output lacks `3`"),
            (Tokens, " ", "3", "the output is empty, expected `3`"),
            (
                Lines,
                "",
                "3\n4 5\n",
                "the output is empty, expected 2 lines, one of them `3`",
            ),
            (
                Bytes,
                "aab",
                "bba",
                "line 1: found `a` once more than in the answer, which has it 1 time",
            ),
            (
                Tokens,
                "Yes",
                "yes",
                "line 1: found `Yes`, which the answer does not have",
            ),
        ] {
            assert_eq!(
                message(kind, found, expected).as_deref(),
                Some(said),
                "{found:?} {expected:?}"
            );
        }
    }

    #[test]
    fn a_finding_has_the_byte_of_its_piece() {
        let finding = difference(Tokens, b"1 2\n  5", b"1 2 3").unwrap();
        assert_eq!(
            (finding.line, finding.byte, finding.rule),
            (Some(2), Some(6), Some(FindingRule::Token))
        );
    }
}
