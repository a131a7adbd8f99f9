//! Compares an output with its answer line by line, where each line gives points of its own, as
//! `linecount` and `linematches` of DMOJ do. Holds both texts in memory. Start at [`output`].
//!
//! Source: the judge of DMOJ, `checkers/linecount.py` and `checkers/linematches.py`.

use std::io::Read;

use crate::check::text::{TextPlace, filled_lines, is_space, wording};
use crate::check::{CheckError, InputError, error};
use crate::model::{
    CheckerPoints, FindingKind, FindingRule, Findings, PointValue, ScoredLineRules,
};
use crate::text::counted;

/// Compares an output with the stored answer.
///
/// # Errors
/// Returns [`CheckError`] if one of the two cannot be read, or if the answer has another number of
/// lines than the problem has points for.
pub(super) fn output(
    rules: &ScoredLineRules,
    output: &mut dyn Read,
    answer: &mut dyn Read,
) -> Result<Findings, CheckError> {
    let mut texts = LineTexts::default();
    output
        .read_to_end(&mut texts.found)
        .map_err(CheckError::Output)?;
    let read = answer.read_to_end(&mut texts.expected);
    read.map_err(|error| CheckError::Answer(InputError::File(error)))?;
    match rules {
        ScoredLineRules::Equal => Ok(texts.in_equal_parts()),
        ScoredLineRules::Weighted {
            points,
            needs_all_lines,
        } => texts.weighted(points, *needs_all_lines),
    }
}

/// An output and the answer.
#[derive(Default)]
struct LineTexts {
    found: Vec<u8>,
    expected: Vec<u8>,
}

impl LineTexts {
    /// Each line of the answer is worth the same. Only all of them together are right.
    fn in_equal_parts(&self) -> Findings {
        let [found, expected] = self.counts();
        if found > expected {
            return self.with_other_count();
        }
        let is_right = |found: &[u8], expected: &[u8]| trimmed(found) == trimmed(expected);
        let mut findings = self.differences(is_right);
        let right = self
            .right_lines(is_right)
            .filter(|is_right| *is_right)
            .count();
        let [right, all] = [right, expected].map(|lines| PointValue::from(lines as u64));
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
                "not counting empty lines, the answer has {}, and `point_distribution` {}",
                counted(lines, "line"),
                counted(numbers, "number")
            );
            return Err(CheckError::Answer(error::mistake(1, message, None).into()));
        }
        if needs_all_lines && found != expected {
            return Ok(self.with_other_count());
        }
        let is_right = |found: &[u8], expected: &[u8]| found == expected;
        let right_lines = self
            .right_lines(is_right)
            .zip(points)
            .filter(|(is_right, _)| *is_right);
        let right = right_lines.map(|(_, points)| *points).sum();
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

    /// For each line that both have, whether it is right.
    fn right_lines(&self, is_right: fn(&[u8], &[u8]) -> bool) -> impl Iterator<Item = bool> {
        let pairs = filled_lines(&self.found).zip(filled_lines(&self.expected));
        pairs.map(move |((_, found), (_, expected))| is_right(found, expected))
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
                let message = format!("the output ends, expected {}", shown(expected));
                findings.note(wording::finding(
                    &place,
                    FindingKind::Wrong,
                    FindingRule::Missing,
                    message,
                ));
                continue;
            };
            if is_right(line, expected) {
                continue;
            }
            place.advance(&self.found[passed..start]);
            passed = start;
            let message = format!(
                "line {}: found {}, expected {}",
                place.lines + 1,
                shown(line),
                shown(expected)
            );
            findings.note(wording::finding(
                &place,
                FindingKind::Wrong,
                FindingRule::Token,
                message,
            ));
        }
        findings
    }

    /// An output with another number of lines than the answer.
    fn with_other_count(&self) -> Findings {
        let [found, expected] = self.counts();
        let mut place = TextPlace::START;
        let extra = filled_lines(&self.found).nth(expected);
        let end = extra.map_or(self.found.len(), |(start, _)| start);
        place.advance(&self.found[..end]);
        let rule = if found > expected {
            FindingRule::Trailing
        } else {
            FindingRule::Missing
        };
        let message = format!(
            "not counting empty lines, the output has {}, expected {expected}",
            counted(found as u64, "line")
        );
        let mut findings = Findings::default();
        findings.note(wording::finding(&place, FindingKind::Wrong, rule, message));
        findings
    }
}

/// A line without the white space around it.
fn trimmed(line: &[u8]) -> &[u8] {
    let is_filled = |byte: &u8| !is_space(*byte);
    let start = line.iter().position(is_filled).unwrap_or(line.len());
    let end = line
        .iter()
        .rposition(is_filled)
        .map_or(start, |last| last + 1);
    &line[start..end]
}

fn shown(line: &[u8]) -> String {
    wording::shown_token(line, line.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Verdict;

    /// The verdict, the part of the points, and what is said.
    fn judged(rules: &ScoredLineRules, found: &str, expected: &str) -> (Verdict, String, String) {
        let findings = output(rules, &mut found.as_bytes(), &mut expected.as_bytes()).unwrap();
        let points = match findings.points {
            Some(CheckerPoints::Share { right, all }) => format!("{right}/{all}"),
            other => format!("{other:?}"),
        };
        let listed = findings
            .listed
            .iter()
            .map(|finding| finding.message.clone());
        let said: Vec<_> = listed.chain(findings.checker_message.clone()).collect();
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
    fn each_right_line_of_linecount_gives_its_part_of_the_points_though_the_output_is_rejected() {
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
        let error = output(&rules, &mut &b"1"[..], &mut &b"1\n2\n"[..]).unwrap_err();
        let said = "the answer: line 1: not counting empty lines, the answer has 2 lines, and \
                    `point_distribution` 1 number";
        assert_eq!(error.to_string(), said);
    }
}
