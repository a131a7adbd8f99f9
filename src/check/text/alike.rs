//! Finds how far an output and its answer are alike, as far as both are in memory. Most of the time
//! is spent here: equal bytes are passed by the machine word, and tokens are examined only where
//! bytes differ. Knows no streams.

use crate::check::text::gap;
use crate::check::text::rules::{ComparisonRules, GapRule};
use crate::check::text::scan::{
    gap_before_the_end, gap_length, is_space, same_bytes, same_letters, token_length,
};

/// A piece of a text that begins with a token or with all of the white space before one.
#[derive(Clone, Copy)]
pub(super) struct TextPiece<'a> {
    pub(super) text: &'a [u8],
    /// Whether nothing follows it.
    pub(super) is_whole: bool,
}

/// How far two pieces are alike, in bytes of each, and why no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AlikeLength {
    pub(super) found: usize,
    pub(super) expected: usize,
    pub(super) stop: ComparisonStop,
}

/// Why the comparison of two pieces stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ComparisonStop {
    /// More must be read to decide.
    More,
    /// White space that differs.
    Gap,
    /// Two tokens that differ, with the length of each in bytes.
    Token { found: usize, expected: usize },
    /// One of the two ends here, or both.
    End,
}

/// Compares two pieces from their start.
pub(super) fn alike_length(
    rules: &ComparisonRules,
    found: TextPiece<'_>,
    expected: TextPiece<'_>,
) -> AlikeLength {
    let mut at = (0, 0);
    loop {
        let one = found.after(at.0);
        let other = expected.after(at.1);
        let gaps = (gap_length(one.text), gap_length(other.text));
        if let Some(stop) = gap_stop(rules.gaps, (one, gaps.0), (other, gaps.1)) {
            return AlikeLength {
                found: at.0,
                expected: at.1,
                stop,
            };
        }
        at = (at.0 + gaps.0, at.1 + gaps.1);
        let one = one.after(gaps.0);
        let other = other.after(gaps.1);
        let same = tokens_passed(one, other, rules);
        if same > 0 {
            at = (at.0 + same, at.1 + same);
            continue;
        }
        let tokens = (token_length(one.text), token_length(other.text));
        if let Some(stop) = token_stop(rules, (one, tokens.0), (other, tokens.1)) {
            return AlikeLength {
                found: at.0,
                expected: at.1,
                stop,
            };
        }
        at = (at.0 + tokens.0, at.1 + tokens.1);
    }
}

impl<'a> TextPiece<'a> {
    fn after(self, bytes: usize) -> Self {
        Self {
            text: &self.text[bytes..],
            ..self
        }
    }

    /// Whether a token that reaches up to byte `bytes` ends there.
    fn ends_token_at(self, bytes: usize) -> bool {
        self.text
            .get(bytes)
            .map_or(self.is_whole, |byte| is_space(*byte))
    }

    /// Whether a token or gap of `bytes` bytes at its start may go on after what is in memory.
    fn is_cut_at(self, bytes: usize) -> bool {
        self.text.len() == bytes && !self.is_whole
    }
}

/// Why the white space at the start of two pieces is not passed, if it is not.
fn gap_stop(
    rule: GapRule,
    (found, gap): (TextPiece<'_>, usize),
    (expected, other): (TextPiece<'_>, usize),
) -> Option<ComparisonStop> {
    if rule == GapRule::Ignored {
        return None;
    }
    if found.is_cut_at(gap) || expected.is_cut_at(other) {
        return Some(ComparisonStop::More);
    }
    let is_last = gap == found.text.len() && other == expected.text.len();
    let are_alike = gap::are_alike(&found.text[..gap], &expected.text[..other], rule, is_last);
    (!are_alike).then_some(ComparisonStop::Gap)
}

/// Why the tokens at the start of two pieces are not passed, if they are not. A piece without a
/// token has white space that goes on, or has ended.
fn token_stop(
    rules: &ComparisonRules,
    (one, found): (TextPiece<'_>, usize),
    (other, expected): (TextPiece<'_>, usize),
) -> Option<ComparisonStop> {
    if one.is_cut_at(0) || other.is_cut_at(0) {
        return Some(ComparisonStop::More);
    }
    if found == 0 || expected == 0 {
        return Some(ComparisonStop::End);
    }
    if one.is_cut_at(found) || other.is_cut_at(expected) {
        return Some(ComparisonStop::More);
    }
    let is_accepted = rules.accept(&one.text[..found], &other.text[..expected]);
    (!is_accepted).then_some(ComparisonStop::Token { found, expected })
}

/// The number of equal bytes at the start of two pieces that may be passed: only whole tokens, and,
/// where gaps count, only whole gaps. Letters are equal in either case if that does not count.
fn tokens_passed(one: TextPiece<'_>, other: TextPiece<'_>, rules: &ComparisonRules) -> usize {
    // Numbers may be equal in other ways.
    let same = if rules.is_case_sensitive || rules.tolerance.is_some() {
        same_bytes(one.text, other.text)
    } else {
        same_letters(one.text, other.text)
    };
    let same = &one.text[..same];
    let ends_with_token = same.last().is_some_and(|last| !is_space(*last));
    if ends_with_token && one.ends_token_at(same.len()) && other.ends_token_at(same.len()) {
        return same.len();
    }
    let tokens = same
        .iter()
        .rposition(|byte| is_space(*byte))
        .map_or(0, |last| last + 1);
    match rules.gaps {
        GapRule::Ignored => tokens,
        _ => tokens - gap_before_the_end(&same[..tokens]),
    }
}
