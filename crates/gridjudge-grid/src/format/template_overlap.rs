//! Decides whether two templates can give the same line, with any numbers in them. A line that fits
//! two templates would be ambiguous.

use std::collections::HashSet;

use crate::Template;

/// A piece of a template's lines.
#[derive(Clone, Copy, PartialEq)]
enum LinePiece {
    /// This byte.
    Byte(u8),
    /// One digit of the number.
    Digit,
    /// Zero or more further digits of the number.
    Digits,
}

impl Template {
    /// Whether some line fits both templates, with any numbers, ignoring spaces at its ends.
    pub fn overlaps(&self, other: &Self) -> bool {
        meet(&pieces(self), &pieces(other))
    }
}

fn pieces(template: &Template) -> Vec<LinePiece> {
    let bytes = |text: &str| text.bytes().map(LinePiece::Byte).collect::<Vec<_>>();
    match template.digits {
        Some(_) => [
            bytes(template.before.trim_start()),
            vec![LinePiece::Digit, LinePiece::Digits],
            bytes(template.after.trim_end()),
        ]
        .concat(),
        None => bytes(template.before.trim()),
    }
}

/// Whether the two templates have a line in common. Walks through both side by side.
fn meet(one: &[LinePiece], other: &[LinePiece]) -> bool {
    let mut open = vec![(0, 0)];
    let mut seen = HashSet::new();
    while let Some((here, there)) = open.pop() {
        if !seen.insert((here, there)) {
            continue;
        }
        if there == other.len() && here == one.len() {
            return true;
        }
        let mine = one.get(here);
        let theirs = other.get(there);
        // `Digits` may be empty.
        if mine == Some(&LinePiece::Digits) {
            open.push((here + 1, there));
        }
        if theirs == Some(&LinePiece::Digits) {
            open.push((here, there + 1));
        }
        if let (Some(mine), Some(theirs)) = (mine, theirs)
            && fit(*mine, *theirs)
        {
            let next =
                |place: usize, piece: &LinePiece| place + usize::from(*piece != LinePiece::Digits);
            open.push((next(here, mine), next(there, theirs)));
        }
    }
    false
}

fn fit(one: LinePiece, other: LinePiece) -> bool {
    match (one, other) {
        (LinePiece::Byte(one), LinePiece::Byte(other)) => one == other,
        (LinePiece::Byte(byte), _) | (_, LinePiece::Byte(byte)) => byte.is_ascii_digit(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> Template {
        Template::parse(text, "n").unwrap()
    }

    #[test]
    fn templates_overlap_where_some_numbers_make_them_the_same() {
        for (one, other, same) in [
            ("no", "no", true),
            ("no", "yes", false),
            ("Case {n}: no", "Case {n}: no", true),
            ("Case {n}: no", "Case {n}: many", false),
            ("Case {n}: no", "Case 12: no", true),
            ("Case {n}", "Case {n}0", true),
            ("{n} x 7 z", "5 x {n} z", true),
            ("Case {n}: no", "Case {n}:", false),
            ("Case {n}: no", "Case {n} ", false),
            ("Case {n}", "Case x", false),
        ] {
            assert_eq!(
                template(one).overlaps(&template(other)),
                same,
                "{one} | {other}"
            );
            assert_eq!(
                template(other).overlaps(&template(one)),
                same,
                "{other} | {one}"
            );
        }
    }
}
