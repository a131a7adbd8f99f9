//! Compares pieces of an output with those of its answer as some checkers of DMOJ do:
//! in any order, or line by line with points for each. Holds both texts in memory.
//! Start at [`WholeTexts`].

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Read;

use gridjudge_grid::format;

use crate::check::text::stream::{
    filled_parts, gap_before_the_end, in_single_spaces,
};
use crate::check::text::{
    ShownToken, TextPlace, filled_lines, gap_length, is_space, wording,
};
use crate::check::{CheckError, mistake};
use crate::model::{
    CheckerPoints, Finding, FindingRule, Findings, PointValue, ScoredLineRules,
    UnorderedPiece,
};
use crate::text::counted;

/// An output and the answer.
#[derive(Default)]
pub(super) struct WholeTexts {
    found: Vec<u8>,
    expected: Vec<u8>,
}

/// How often a piece is in the answer, and how many of these the output has not had
/// yet.
#[derive(Default)]
struct PieceCount {
    all: u64,
    left: u64,
}

impl WholeTexts {
    /// Reads both to their ends.
    pub(super) fn read(
        output: &mut dyn Read,
        answer: &mut dyn Read,
    ) -> Result<Self, CheckError> {
        let mut texts = Self::default();
        output.read_to_end(&mut texts.found)?;
        answer
            .read_to_end(&mut texts.expected)
            .map_err(CheckError::of_answer)?;
        Ok(texts)
    }

    /// Compares the pieces of the two in any order. Finds the first piece of the output
    /// that is not in the answer, or more often than there; else what is missing.
    pub(super) fn difference(&self, kind: UnorderedPiece) -> Option<Finding> {
        let Self { found, expected } = self;
        let mut counts: HashMap<Cow<'_, [u8]>, PieceCount> = HashMap::new();
        for (_, piece) in pieces(kind, expected) {
            let count = counts.entry(piece).or_default();
            count.all += 1;
            count.left += 1;
        }
        for (start, piece) in pieces(kind, found) {
            let count = counts.get_mut(&piece);
            let all = match count {
                Some(count) if count.left > 0 => {
                    count.left -= 1;
                    continue;
                }
                count => count.map(|count| count.all),
            };
            let place = place(&found[..start]);
            let said = format!(
                "line {}: found {}",
                place.lines + 1,
                ShownToken::new(&piece)
            );
            return Some(match all {
                Some(all) => {
                    let times = counted(all, "time");
                    let said = format!(
                        "{said} once more than in the answer, which has it {times}"
                    );
                    wording::text_finding(&place, FindingRule::Trailing, said)
                }
                None => {
                    let named = format::beyond_ascii(&piece);
                    let named =
                        named.map(|named| format!(": {named}")).unwrap_or_default();
                    let said =
                        format!("{said}, which the answer does not have{named}");
                    wording::text_finding(&place, FindingRule::Token, said)
                }
            });
        }
        // In the order of the answer, so that the same one is always named.
        let first = pieces(kind, expected)
            .map(|(_, piece)| piece)
            .find(|piece| counts[piece].left > 0)?;
        let first = ShownToken::new(&first);
        let pieces = match counts.values().map(|count| count.left).sum() {
            1 => first.to_string(),
            missing => format!("{missing} {}s, one of them {first}", kind.name()),
        };
        let end = place(found);
        let said = if end.is_blank {
            format!("the output is empty, expected {pieces}")
        } else {
            format!("the output lacks {pieces}")
        };
        Some(wording::text_finding(&end, FindingRule::Missing, said))
    }
}

/// The pieces of a text, each with the byte at which it starts.
fn pieces(
    kind: UnorderedPiece,
    text: &[u8],
) -> Box<dyn Iterator<Item = (usize, Cow<'_, [u8]>)> + '_> {
    match kind {
        // A line of white space is equal to every other.
        UnorderedPiece::Lines => Box::new(
            filled_lines(text)
                .map(|(start, line)| (start, Cow::Owned(in_single_spaces(line)))),
        ),
        UnorderedPiece::Tokens => Box::new(
            filled_parts(text, is_space)
                .map(|(start, piece)| (start, Cow::Borrowed(piece))),
        ),
        UnorderedPiece::Bytes => {
            let bytes = text
                .iter()
                .enumerate()
                .filter(|(_, byte)| !is_space(**byte));
            Box::new(bytes.map(|(start, byte)| {
                (start, Cow::Owned(vec![byte.to_ascii_lowercase()]))
            }))
        }
    }
}

fn place(before: &[u8]) -> TextPlace {
    let mut place = TextPlace::START;
    place.advance(before);
    place
}

// Compares an output with its answer line by line, where each line gives points of its
// own, as `linecount` and `linematches` of DMOJ do.
//
// Source: the judge of DMOJ, `checkers/linecount.py` and `checkers/linematches.py`.

impl WholeTexts {
    /// Compares them line by line, where each gives points.
    ///
    /// # Errors
    /// Returns [`CheckError`] if the answer has another number of lines than the problem
    /// has points for.
    pub(super) fn scored(
        &self,
        rules: &ScoredLineRules,
    ) -> Result<Findings, CheckError> {
        match rules {
            ScoredLineRules::Equal => Ok(self.in_equal_parts()),
            ScoredLineRules::Weighted {
                points,
                needs_all_lines,
            } => self.weighted(points, *needs_all_lines),
        }
    }

    /// Each line of the answer is worth the same. Only all of them together are right.
    fn in_equal_parts(&self) -> Findings {
        let [found, expected] = self.counts();
        if found > expected {
            return self.with_other_count();
        }
        let mut findings =
            self.differences(|found, expected| trimmed(found) == trimmed(expected));
        // Each of the others is a finding.
        let all = expected as u64;
        let right = all - findings.listed.len() as u64 - findings.unlisted;
        let [right, all] = [right, all].map(PointValue::from);

        findings.points = Some(CheckerPoints::Share { right, all });
        findings
    }

    /// Each line of the answer has its points, and any of them are enough.
    fn weighted(
        &self,
        points: &[PointValue],
        needs_all_lines: bool,
    ) -> Result<Findings, CheckError> {
        let [found, expected] = self.counts();
        if expected != points.len() {
            let [lines, numbers] = [expected, points.len()].map(|count| count as u64);
            let message = format!(
                "not counting empty lines, the answer has {}, and \
                 `point_distribution` {}",
                counted(lines, "line"),
                counted(numbers, "number")
            );
            return Err(CheckError::Answer(mistake(1, message, None).into()));
        }
        if needs_all_lines && found != expected {
            return Ok(self.with_other_count());
        }
        let is_right = |found: &[u8], expected: &[u8]| found == expected;
        let right = filled_lines(&self.found)
            .zip(filled_lines(&self.expected))
            .zip(points)
            .filter(|(((_, found), (_, expected)), _)| is_right(found, expected))
            .map(|(_, points)| *points)
            .sum();

        let all: PointValue = points.iter().copied().sum();
        let findings = self.differences(is_right);
        if right == PointValue::ZERO {
            return Ok(findings);
        }
        let wrong = findings.listed.len() as u64 + findings.unlisted;
        let said = findings.listed.first().map(|first| match wrong {
            1 => first.message.clone(),
            wrong => format!("{}, and {} more", first.message, wrong - 1),
        });
        Ok(Findings {
            points: Some(CheckerPoints::Share { right, all }),
            checker_message: said,
            ..Findings::default()
        })
    }

    /// The numbers of lines in the output and in the answer.
    fn counts(&self) -> [usize; 2] {
        [&self.found, &self.expected].map(|text| filled_lines(text).count())
    }

    /// The lines that are wrong or missing.
    fn differences(&self, is_right: fn(&[u8], &[u8]) -> bool) -> Findings {
        let mut findings = Findings::default();
        let mut place = TextPlace::START;
        let mut passed = 0;
        let mut found = filled_lines(&self.found);
        for (_, expected) in filled_lines(&self.expected) {
            let Some((start, line)) = found.next() else {
                place.advance(&self.found[passed..]);
                passed = self.found.len();
                findings.note_finding(wording::text_finding(
                    &place,
                    FindingRule::Missing,
                    format!(
                        "the output ends, expected {}",
                        ShownToken::new(expected)
                    ),
                ));
                continue;
            };
            if is_right(line, expected) {
                continue;
            }
            place.advance(&self.found[passed..start]);
            passed = start;
            findings.note_finding(wording::text_finding(
                &place,
                FindingRule::Token,
                format!(
                    "line {}: found {}, expected {}",
                    place.lines + 1,
                    ShownToken::new(line),
                    ShownToken::new(expected)
                ),
            ));
        }
        findings
    }

    /// An output with another number of lines than the answer.
    fn with_other_count(&self) -> Findings {
        let [found, expected] = self.counts();
        let extra = filled_lines(&self.found).nth(expected);
        let end = extra.map_or(self.found.len(), |(start, _)| start);
        let rule = if found > expected {
            FindingRule::Trailing
        } else {
            FindingRule::Missing
        };
        wording::text_finding(
            &place(&self.found[..end]),
            rule,
            format!(
                "not counting empty lines, the output has {}, expected {expected}",
                counted(found as u64, "line")
            ),
        )
        .into()
    }
}

/// A line without the white space around it.
fn trimmed(line: &[u8]) -> &[u8] {
    let line = &line[gap_length(line)..];
    &line[..line.len() - gap_before_the_end(line)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use UnorderedPiece::{Bytes, Lines, Tokens};

    fn message(kind: UnorderedPiece, found: &str, expected: &str) -> Option<String> {
        WholeTexts::read(&mut found.as_bytes(), &mut expected.as_bytes())
            .unwrap()
            .difference(kind)
            .map(|finding| finding.message)
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
        let finding = WholeTexts::read(&mut &b"1 2\n  5"[..], &mut &b"1 2 3"[..])
            .unwrap()
            .difference(Tokens)
            .unwrap();
        assert_eq!(
            (finding.line, finding.byte, finding.rule),
            (Some(2), Some(6), Some(FindingRule::Token))
        );
    }
}

#[cfg(test)]
mod scored_lines_tests {
    use super::*;
    use crate::model::Verdict;

    /// The verdict, the part of the points, and what is said.
    fn judged(
        rules: &ScoredLineRules,
        found: &str,
        expected: &str,
    ) -> (Verdict, String, String) {
        let findings =
            WholeTexts::read(&mut found.as_bytes(), &mut expected.as_bytes())
                .unwrap()
                .scored(rules)
                .unwrap();
        let points = match findings.points {
            Some(CheckerPoints::Share { right, all }) => format!("{right}/{all}"),
            other => format!("{other:?}"),
        };
        let said: Vec<_> = findings
            .listed
            .iter()
            .map(|finding| finding.message.clone())
            .chain(findings.checker_message.clone())
            .collect();
        (findings.verdict(), points, said.join("; "))
    }

    fn equal(found: &str, expected: &str) -> (Verdict, String, String) {
        judged(&ScoredLineRules::Equal, found, expected)
    }

    fn weighted(
        points: &[u64],
        all: bool,
        found: &str,
        expected: &str,
    ) -> (Verdict, String, String) {
        let points = points.iter().copied().map(PointValue::from).collect();
        judged(
            &ScoredLineRules::Weighted {
                points,
                needs_all_lines: all,
            },
            found,
            expected,
        )
    }

    #[test]
    fn each_right_line_of_linecount_gives_its_part_of_the_points_though_the_output_is_rejected()
     {
        for (found, expected, verdict, points, said) in [
            ("1\n2\n", "1\n2\n", Verdict::Accepted, "2/2", ""),
            (
                "\r\n 1\t\u{b}\r2 \n\n",
                "1\n\n2\n",
                Verdict::Accepted,
                "2/2",
                "",
            ),
            (
                "1\n5\n3",
                "1\n2\n3\n",
                Verdict::WrongAnswer,
                "2/3",
                "line 2: found `5`, expected `2`",
            ),
            (
                "1\n",
                "1\n2\n",
                Verdict::WrongAnswer,
                "1/2",
                "the output ends, expected `2`",
            ),
            (
                "",
                "1\n",
                Verdict::WrongAnswer,
                "0/1",
                "the output ends, expected `1`",
            ),
            ("", "\n", Verdict::Accepted, "0/0", ""),
            (
                "a  b\n",
                "a b\n",
                Verdict::WrongAnswer,
                "0/1",
                "line 1: found `a  b`, expected `a b`",
            ),
            // A line of white space is a line, and equal to no other but such a line.
            (
                " \n1\n",
                "1\n2\n",
                Verdict::WrongAnswer,
                "0/2",
                "line 1: found ` `, expected `1`; line 2: found `1`, expected `2`",
            ),
        ] {
            let expected_result = (verdict, points.to_owned(), said.to_owned());
            assert_eq!(
                equal(found, expected),
                expected_result,
                "{found:?} {expected:?}"
            );
        }
    }

    #[test]
    fn too_many_lines_give_nothing_in_linecount() {
        let said = "not counting empty lines, the output has 3 lines, expected 2";
        let expected = (Verdict::WrongAnswer, "None".to_owned(), said.to_owned());
        assert_eq!(equal("1\n2\n3\n", "1\n2\n"), expected);
    }

    #[test]
    fn an_output_with_any_points_of_linematches_is_accepted() {
        for (points, all, found, expected, verdict, share, said) in [
            (
                &[1, 2][..],
                true,
                "1\n\n2\r",
                "1\n2\n",
                Verdict::Accepted,
                "3/3",
                "",
            ),
            (
                &[1, 2],
                true,
                "1\n5\n",
                "1\n2\n",
                Verdict::Accepted,
                "1/3",
                "line 2: found `5`, expected `2`",
            ),
            (
                &[1, 2],
                false,
                "5\n2\n7\n8\n",
                "1\n2\n",
                Verdict::Accepted,
                "2/3",
                "line 1: found `5`, expected `1`",
            ),
            (
                &[0, 2],
                true,
                "1\n5\n",
                "1\n2\n",
                Verdict::WrongAnswer,
                "None",
                "line 2: found `5`, expected `2`",
            ),
            (
                &[0, 2],
                true,
                "5\n2\n",
                "1\n2\n",
                Verdict::Accepted,
                "2/2",
                "line 1: found `5`, expected `1`",
            ),
            // Byte by byte, other than in `linecount`.
            (
                &[1],
                true,
                "1 \n",
                "1\n",
                Verdict::WrongAnswer,
                "None",
                "line 1: found `1 `, expected `1`",
            ),
            (
                &[1, 1],
                true,
                "1\n",
                "1\n2\n",
                Verdict::WrongAnswer,
                "None",
                "not counting empty lines, the output has 1 line, expected 2",
            ),
        ] {
            let expected_result = (verdict, share.to_owned(), said.to_owned());
            assert_eq!(
                weighted(points, all, found, expected),
                expected_result,
                "{found:?} {expected:?}"
            );
        }
    }

    #[test]
    fn points_for_another_number_of_lines_are_a_mistake_in_the_answer() {
        let rules = ScoredLineRules::Weighted {
            points: vec![1.into()],
            needs_all_lines: true,
        };
        let error = WholeTexts::read(&mut &b"1"[..], &mut &b"1\n2\n"[..])
            .unwrap()
            .scored(&rules)
            .unwrap_err();
        let said = "the answer: line 1: not counting empty lines, the answer has 2 lines, and \
                    `point_distribution` 1 number";
        assert_eq!(error.to_string(), said);
    }
}
