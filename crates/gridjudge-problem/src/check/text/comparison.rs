//! Compares an output with its answer from start to end, and notes where they differ.
//! The first difference decides. After it, tokens are compared only while the lines of
//! both end at the same tokens: a missing token shifts all that follow, and findings
//! about those would be of no use.

use std::io::{self, Read};

use crate::check::text::stream::{gap_before_the_end, same_letters};
use crate::check::text::wording::{LongPair, LongToken};
use crate::check::text::{
    BUFFER, ComparisonRules, GapRule, GapSummary, LineContent, ShownToken, TextPlace,
    gap, gap_length, is_space, same_bytes, token_length, token_starts, wording,
};
use crate::check::{CheckError, StreamBuffer};
use crate::model::{Finding, FindingKind, Findings};
use crate::text::counted;

use ComparisonStop::{End, Gap, More, Token};

/// An output and an answer being compared.
pub(super) struct TextComparison<'a> {
    rules: ComparisonRules,
    found: StreamBuffer<'a>,
    expected: StreamBuffer<'a>,
    /// The place in the output.
    place: TextPlace,
    findings: Findings,
    /// What a diff shows.
    shown: LineContent,
}

impl<'a> TextComparison<'a> {
    pub(super) fn new(
        rules: ComparisonRules,
        found: &'a mut dyn Read,
        expected: &'a mut dyn Read,
    ) -> Self {
        let shown = LineContent {
            gaps: rules.gaps != GapRule::Ignored,
            case: rules.is_case_sensitive,
        };
        Self {
            rules,
            found: StreamBuffer::new(found, BUFFER),
            expected: StreamBuffer::new(expected, BUFFER),
            place: TextPlace::START,
            findings: Findings::default(),
            shown,
        }
    }

    pub(super) fn run(mut self) -> Result<Findings, CheckError> {
        let mut goes_on =
            !self.rules.gaps.has_own_start() || self.compare_long_gaps(true)?;
        while goes_on {
            self.fill()?;
            let [found, expected] = [piece(&self.found), piece(&self.expected)];
            let AlikeLength {
                found,
                expected,
                stop,
            } = alike_length(&self.rules, found, expected);
            self.pass(found, expected);
            goes_on = match stop {
                More if found + expected > 0 => true,
                More => self.compare_long()?,
                Gap => self.note_gap(),
                Token { found, expected } => {
                    let tokens = [
                        &self.found.view()[..found],
                        &self.expected.view()[..expected],
                    ];
                    let finding = self.wrong_token(
                        tokens.map(ShownToken::new),
                        tokens.map(|token| self.rules.tolerance?.number(token)),
                        same_bytes(tokens[0], tokens[1]) as u64,
                    );
                    self.note_finding(finding);
                    self.pass(found, expected);
                    true
                }
                End => {
                    self.note_end()?;
                    false
                }
            };
        }
        Ok(self.findings)
    }

    fn fill(&mut self) -> Result<(), CheckError> {
        self.found.fill_piece()?;
        self.expected.fill_piece().map_err(CheckError::of_answer)
    }

    fn pass(&mut self, found: usize, expected: usize) {
        self.place.advance(&self.found.view()[..found]);
        self.found.pass(found);
        self.expected.pass(expected);
    }

    /// The finding about two tokens at this place that differ after `same` bytes, given
    /// with their numbers if they are numbers.
    fn wrong_token(
        &self,
        [found, expected]: [ShownToken; 2],
        [number, answer]: [Option<f64>; 2],
        same: u64,
    ) -> Finding {
        let answer = answer.filter(|answer| answer.is_finite());
        match self.rules.tolerance.zip(answer) {
            Some((tolerance, answer)) => wording::number_token(
                &self.place,
                (found, number),
                (expected, answer),
                &tolerance,
            ),
            None => wording::token(&self.place, found, expected, same),
        }
    }

    /// Notes a finding at this place, with a diff if it decides. From then on, only
    /// line ends count of the white space, or nothing after a presentation error.
    fn note_finding(&mut self, finding: Finding) {
        let diff = self.diff(finding.kind);
        self.note_with(diff, finding);
    }

    fn note_with(&mut self, diff: Option<String>, finding: Finding) {
        if self.decides(finding.kind) {
            self.findings.diff = diff;
        }
        self.rules.gaps = match finding.kind {
            FindingKind::Wrong => GapRule::LineEnds,
            FindingKind::Presentation => GapRule::Ignored,
        };
        self.findings.note_finding(finding);
    }

    /// Whether a finding would come before all others.
    fn decides(&self, kind: FindingKind) -> bool {
        let first = self.findings.listed.first();
        first.is_none_or(|first| {
            first.kind == FindingKind::Presentation && kind == FindingKind::Wrong
        })
    }

    /// A diff of the lines around this place, if the finding decides. There is none for
    /// numbers, since their lines differ everywhere.
    fn diff(&self, kind: FindingKind) -> Option<String> {
        if self.rules.tolerance.is_some() || !self.decides(kind) {
            return None;
        }
        wording::lines_diff(&self.expected, &self.found, self.shown)
    }

    /// Notes white space that differs, all of it in view. Returns whether to go on.
    fn note_gap(&mut self) -> bool {
        let views = [self.found.view(), self.expected.view()];
        let [one_ends, other_ends] = views.map(|view| gap_length(view) == view.len());
        // Where only one text goes on, what it has more than the other is the
        // difference.
        if one_ends != other_ends && self.rules.gaps != GapRule::LineEnds {
            self.rules.gaps = GapRule::Ignored;
            return true;
        }
        let [found, expected] =
            views.map(|view| wording::shown_gap(&view[..gap_length(view)]));
        self.note_gap_as(&found, &expected, one_ends || other_ends)
    }

    fn note_gap_as(&mut self, found: &str, expected: &str, is_last: bool) -> bool {
        // After an earlier difference, this means that the lines are out of step.
        if self.rules.gaps == GapRule::LineEnds {
            return false;
        }
        let kind = self.rules.gap_kind;
        self.note_finding(wording::gap(&self.place, kind, found, expected, is_last));
        kind == FindingKind::Presentation
    }

    /// Compares tokens, or white space that counts, that are longer than the view.
    fn compare_long(&mut self) -> Result<bool, CheckError> {
        let views = [self.found.view(), self.expected.view()];
        let firsts = views.map(<[u8]>::first);
        if firsts
            .iter()
            .any(|first| first.is_none_or(|byte| is_space(*byte)))
        {
            return self.compare_long_gaps(false);
        }
        let start = self.place;
        let pair = self.pass_tokens()?;
        let end = std::mem::replace(&mut self.place, start);
        if !pair.is_accepted(&self.rules) {
            let tokens = [&pair.found, &pair.expected];
            let finding = self.wrong_token(
                tokens.map(LongToken::shown),
                tokens.map(|token| token.numeral.value()),
                pair.same.unwrap_or(0),
            );
            self.note_finding(finding);
        }
        self.place = end;
        Ok(true)
    }

    /// Passes the tokens that come next in both texts, and compares them piece by piece.
    fn pass_tokens(&mut self) -> Result<LongPair, CheckError> {
        let mut pair = LongPair::default();
        loop {
            self.fill()?;
            let [found, expected] = [self.found.view(), self.expected.view()];
            let lengths = (token_length(found), token_length(expected));
            let (one, other) = match lengths {
                (0, 0) => return Ok(pair),
                // The shorter token has ended, so the rest of the longer one is read
                // alone.
                (0, _) | (_, 0) => lengths,
                (one, other) => (one.min(other), one.min(other)),
            };
            pair.compare(&self.rules, &found[..one], &expected[..other]);
            self.pass(one, other);
        }
    }

    /// Passes the white space here, of any length. Returns whether to go on.
    fn compare_long_gaps(&mut self, is_first: bool) -> Result<bool, CheckError> {
        let mut place = self.place;
        let rule = self.rules.gaps;
        let found = pass_gap(&mut self.found, rule, |gap| place.advance(gap))?;
        let expected = pass_gap(&mut self.expected, rule, |_| {})
            .map_err(CheckError::of_answer)?;
        let is_last = self.found.view().is_empty() && self.expected.view().is_empty();
        let shown = |gap: &GapSummary| {
            format!("{} of white space", counted(gap.bytes, "byte"))
        };
        let goes_on = found.is_like(&expected, is_first, is_last)
            || self.note_gap_as(&shown(&found), &shown(&expected), is_last);
        self.place = place;
        Ok(goes_on)
    }

    /// Notes the tokens that only one of the two has left.
    fn note_end(&mut self) -> Result<(), CheckError> {
        let diff = self.diff(FindingKind::Wrong);
        let [found, expected] = [self.found.view(), self.expected.view()]
            .map(|rest| rest[..token_length(rest)].to_vec());
        let finding = if !found.is_empty() {
            let trailing = count_tokens(&mut self.found)?;
            wording::trailing(&self.place, ShownToken::new(&found), trailing)
        } else if !expected.is_empty() {
            let missing =
                count_tokens(&mut self.expected).map_err(CheckError::of_answer)?;
            wording::missing(&self.place, ShownToken::new(&expected), missing)
        } else {
            return Ok(());
        };
        self.note_with(diff, finding);
        Ok(())
    }
}

fn piece<'a>(stream: &'a StreamBuffer<'_>) -> TextPiece<'a> {
    TextPiece {
        text: stream.view(),
        is_whole: stream.has_ended,
    }
}

/// Passes and summarises the white space that comes next in a stream.
fn pass_gap(
    stream: &mut StreamBuffer,
    rule: GapRule,
    mut passed: impl FnMut(&[u8]),
) -> io::Result<GapSummary> {
    let mut summary = GapSummary::new(rule);
    loop {
        stream.fill_piece()?;
        let length = gap_length(stream.view());
        if length == 0 {
            return Ok(summary);
        }
        let gap = &stream.view()[..length];
        summary.read(gap);
        passed(gap);
        stream.pass(length);
    }
}

/// Passes the rest of a stream, which begins with a token, and counts its tokens.
fn count_tokens(stream: &mut StreamBuffer) -> io::Result<u64> {
    let mut tokens = 0;
    let mut follows_space = true;
    loop {
        stream.fill_piece()?;
        let Some(last) = stream.view().last() else {
            return Ok(tokens);
        };
        tokens += token_starts(stream.view(), follows_space);
        follows_space = is_space(*last);
        stream.pass(stream.view().len());
    }
}

// Finds how far an output and its answer are alike, as far as both are in memory. Most
// of the time is spent here: equal bytes are passed by the machine word, and tokens are
// examined only where bytes differ. Knows no streams.

/// A piece of a text that begins with a token or with all of the white space before
/// one.
#[derive(Clone, Copy)]
struct TextPiece<'a> {
    text: &'a [u8],
    /// Whether nothing follows it.
    is_whole: bool,
}

/// How far two pieces are alike, in bytes of each, and why no further.
struct AlikeLength {
    found: usize,
    expected: usize,
    stop: ComparisonStop,
}

/// Why the comparison of two pieces stops.
#[derive(Clone, Copy)]
enum ComparisonStop {
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
fn alike_length(
    rules: &ComparisonRules,
    found: TextPiece,
    expected: TextPiece,
) -> AlikeLength {
    let mut one = found;
    let mut other = expected;
    let stop = loop {
        let gap = gap_length(one.text);
        let other_gap = gap_length(other.text);
        if rules.gaps != GapRule::Ignored {
            if one.is_cut_at(gap) || other.is_cut_at(other_gap) {
                break More;
            }
            let is_last = one.text.len() == gap && other.text.len() == other_gap;
            let gap = &one.text[..gap];
            let other_gap = &other.text[..other_gap];
            if !gap::are_alike(gap, other_gap, rules.gaps, is_last) {
                break Gap;
            }
        }
        one = one.after(gap);
        other = other.after(other_gap);
        let same = tokens_passed(one, other, rules);
        if same > 0 {
            one = one.after(same);
            other = other.after(same);
            continue;
        }
        // A piece without a token has white space that goes on, or has ended.
        if one.is_cut_at(0) || other.is_cut_at(0) {
            break More;
        }
        let found = token_length(one.text);
        let expected = token_length(other.text);
        if found == 0 || expected == 0 {
            break End;
        }
        if one.is_cut_at(found) || other.is_cut_at(expected) {
            break More;
        }
        if !rules.accept(&one.text[..found], &other.text[..expected]) {
            break Token { found, expected };
        }
        one = one.after(found);
        other = other.after(expected);
    };
    AlikeLength {
        found: found.text.len() - one.text.len(),
        expected: expected.text.len() - other.text.len(),
        stop,
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

    /// Whether a token or gap of `bytes` bytes at its start may go on after what is in
    /// memory.
    fn is_cut_at(self, bytes: usize) -> bool {
        self.text.len() == bytes && !self.is_whole
    }
}

/// The number of equal bytes at the start of two pieces that may be passed: only whole
/// tokens, and, where gaps count, only whole gaps. Letters are equal in either case if
/// that does not count.
fn tokens_passed(one: TextPiece, other: TextPiece, rules: &ComparisonRules) -> usize {
    // Numbers may be equal in other ways.
    let same = if rules.is_case_sensitive || rules.tolerance.is_some() {
        same_bytes(one.text, other.text)
    } else {
        same_letters(one.text, other.text)
    };
    let same = &one.text[..same];
    let ends_with_token = same.last().is_some_and(|last| !is_space(*last));
    if ends_with_token
        && one.ends_token_at(same.len())
        && other.ends_token_at(same.len())
    {
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
