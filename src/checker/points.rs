//! Reads the points that a checker gives to an output: from files in the Kattis format,
//! from the report of testlib. Checks them against the points that the case may get.
//!
//! Sources: the Kattis problem package format 2025-09, "Scoring test cases"; testlib.h,
//! `quitp` and `_pc`.

use gridjudge_sandbox::Exit;

use crate::checker::CheckerCall;
use crate::model::{CaseWorth, CheckerPoints, CheckerPointsRule, PointValue};

/// The names of the files with points, and with a factor for the points of the case.
const SCORE: &str = "score.txt";
const MULTIPLIER: &str = "score_multiplier.txt";

/// The number of parts of an output that is completely right, as Polygon counts them.
pub(super) const ALL_PARTS: u32 = 200;

/// The exit codes of testlib for an output of which no part is right, to which the
/// number of right parts is added.
const CODES_OF_PARTS: [i32; 2] = [0, 50];

/// The words with which testlib, or that for DMOJ's problems of COCI, begins its report
/// on standard error. It writes nothing of its own after it.
const OUTCOME_WORDS: [&str; 8] = [
    "ok",
    "wrong answer",
    "wrong output format",
    "FAIL",
    "points",
    "unexpected eof",
    "partially correct (",
    "partial",
];

impl CheckerCall<'_> {
    /// Reads the points from the files of a checker. `accepts` is whether it accepts
    /// the output.
    ///
    /// # Errors
    /// Explains in words why the checker may not give these points.
    pub(super) fn points_of_files(
        &self,
        accepts: bool,
    ) -> Result<Option<CheckerPoints>, String> {
        // Only the points of the last pass count.
        if self.asks_for_pass()? {
            return Ok(None);
        }
        let may_have_points = accepts
            || self
                .setup
                .worth
                .is_some_and(|worth| worth.checker == CheckerPointsRule::Instead);
        let (name, said) = match (self.read(SCORE)?, self.read(MULTIPLIER)?) {
            (Some(_), Some(_)) => {
                return Err(format!("it wrote both `{SCORE}` and `{MULTIPLIER}`"));
            }
            (Some(points), None) => {
                (SCORE, CheckerPoints::Points(number(&points, SCORE)?))
            }
            (None, Some(factor)) => {
                let factor = number(&factor, MULTIPLIER)?;
                (MULTIPLIER, CheckerPoints::Factor(factor))
            }
            (None, None) => {
                let worth = self.setup.worth.filter(|_| may_have_points);
                return possible(worth, None);
            }
        };
        if self.setup.worth.is_none() {
            return Err(format!(
                "it wrote `{name}`, which a problem without points has no use for"
            ));
        }
        if !may_have_points {
            return Err("it rejects the output, and gives points for it".to_owned());
        }
        possible(self.setup.worth, Some(said))
    }

    /// Reads the points of a testlib checker that has ended with the code for points:
    /// from its report, or else from the first word after `points` in the last line
    /// that begins as a report does.
    ///
    /// # Errors
    /// Explains in words why the checker may not give these points.
    pub(super) fn points_of_report(
        &self,
        printed: &str,
    ) -> Result<Option<CheckerPoints>, String> {
        if self.setup.worth.is_none() {
            return Err(
                "it gives points, and this problem has none to give".to_owned()
            );
        }
        let report = self.report()?;
        let attribute = attribute_of_result(&report, "points");
        let line = outcome_line(printed).filter(|_| attribute.is_none());
        let fraction = line.and_then(|line| line.strip_prefix("partial "));
        if let Some(fraction) = fraction {
            let part = part_of(fraction).ok_or_else(|| {
                format!("`{}` is no part of the points", fraction.escape_debug())
            })?;
            return possible(self.setup.worth, Some(CheckerPoints::Factor(part)));
        }
        let text = attribute
            .or_else(|| line?.strip_prefix("points")?.split_whitespace().next())
            .ok_or_else(|| "it gives points, and does not say how many".to_owned())?;
        let said = CheckerPoints::Points(number(text, "its report")?);
        possible(self.setup.worth, Some(said))
    }

    /// Reads how many of the 200 parts of an output are right, if a testlib program
    /// says so (`_pc`). Its exit code may be that of any other answer, so its report
    /// decides or, without a report, the last line that begins as one does.
    ///
    /// # Errors
    /// Explains in words why the report cannot be read.
    pub(super) fn parts_right(
        &self,
        exit: Exit,
        printed: &str,
    ) -> Result<Option<u32>, String> {
        let report = self.report()?;
        if report.is_empty() {
            return Ok(parts_in(exit, printed));
        }
        let is_partial =
            attribute_of_result(&report, "outcome") == Some("partially-correct");
        let has_ended = matches!(exit, Exit::Code(_));
        let parts = attribute_of_result(&report, "pctype");
        Ok(parts
            .filter(|_| is_partial && has_ended)
            .and_then(|parts| parts.parse().ok()))
    }

    /// The points for an output of which `parts` of 200 parts are right; `None` if the
    /// case gives no partial points.
    ///
    /// # Errors
    /// Explains in words why the checker may not give these points.
    pub(super) fn points_of_parts(
        &self,
        parts: u32,
    ) -> Result<Option<CheckerPoints>, String> {
        match self.setup.worth {
            _ if parts > ALL_PARTS => Err(format!(
                "it says that {parts} of {ALL_PARTS} parts are right (`_pc({parts})`)"
            )),
            None => Err(format!(
                "it gives a part of the points (`_pc({parts})`), and this problem has none to give"
            )),
            Some(CaseWorth {
                checker: CheckerPointsRule::Nothing,
                ..
            }) => Ok(None),
            worth => {
                let part = PointValue::new(f64::from(parts) / f64::from(ALL_PARTS));
                possible(worth, part.map(CheckerPoints::Factor))
            }
        }
    }
}

/// How many of the 200 parts of an output are right by the report in the printed output
/// of a testlib program that has ended with this code.
pub(super) fn parts_in(exit: Exit, printed: &str) -> Option<u32> {
    let (parts, _) = outcome_line(printed)?
        .strip_prefix("partially correct (")?
        .split_once(')')?;
    let parts: u8 = parts.parse().ok()?;
    let is_its_code = CODES_OF_PARTS
        .iter()
        .any(|base| exit == Exit::Code(base + i32::from(parts)));
    is_its_code.then(|| parts.into())
}

/// The last line of a printed output that begins as a report of testlib does. Lines
/// before it may quote what a submission has written.
pub(super) fn outcome_line(printed: &str) -> Option<&str> {
    printed.lines().rev().find(|line| {
        OUTCOME_WORDS.iter().any(|words| {
            let rest = line.strip_prefix(words);
            rest.is_some_and(|rest| {
                words.ends_with('(') || !rest.starts_with(char::is_alphanumeric)
            })
        })
    })
}

/// The value of an attribute of the tag at the start of a report. The text after it,
/// which may quote the output, has none, and neither has a report without tags.
pub(super) fn attribute_of_result<'r>(
    report: &'r str,
    name: &str,
) -> Option<&'r str> {
    let report = report.trim_start();
    let declared = report
        .strip_prefix("<?xml")
        .and_then(|rest| rest.split_once("?>"));
    let body = declared.map_or(report, |(_, body)| body.trim_start());
    let (tag, _) = body.strip_prefix("<result")?.split_once('>')?;
    // In `outcome = "points" points = "7.5"` the name occurs as a value too.
    tag.match_indices(name).find_map(|(start, word)| {
        tag[start + word.len()..]
            .trim_start()
            .strip_prefix('=')?
            .trim_start()
            .strip_prefix('"')?
            .split('"')
            .next()
    })
}

/// Returns the points that the checker gave, if the case may get them.
fn possible(
    worth: Option<CaseWorth>,
    said: Option<CheckerPoints>,
) -> Result<Option<CheckerPoints>, String> {
    match worth {
        Some(worth) => worth.earned(said).map(|_| said),
        None => Ok(said),
    }
}

/// The part that a fraction such as `3/5` stands for.
fn part_of(fraction: &str) -> Option<PointValue> {
    let (part, all) = fraction.split_once('/')?;
    let part: u32 = part.parse().ok()?;
    let all: u32 = all.parse().ok()?;
    if part > all {
        return None;
    }
    PointValue::new(f64::from(part) / f64::from(all))
}

fn number(text: &str, place: &str) -> Result<PointValue, String> {
    let found = text.trim().parse().ok().and_then(PointValue::new);
    found.ok_or_else(|| {
        format!(
            "`{}` in {place} is not a number of points",
            text.trim().escape_debug()
        )
    })
}
