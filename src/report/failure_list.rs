//! Lists what went wrong once more, a line each, for the end of a page whose beginning has scrolled
//! off the screen.

use crate::model::SubmissionSummary;
use crate::report::expectation::ExpectationMode;
use crate::text::{counted, one_line};

/// The most failures listed; further ones are counted.
const MOST: usize = 20;

/// The first submissions without the expected result, and their total number.
#[derive(Debug, Default)]
pub(crate) struct FailureList {
    lines: Vec<String>,
    all: usize,
    /// Whether no single case explains one of them, so that nothing above says the reason.
    pub(crate) has_reasons_of_its_own: bool,
}

impl FailureList {
    /// Adds a submission without the expected result.
    pub(crate) fn add(&mut self, summary: &SubmissionSummary) {
        self.all += 1;
        self.has_reasons_of_its_own |= summary.worst_case.is_none() && summary.verdict.is_some();
        if self.lines.len() < MOST {
            self.lines.push(one_line(&sentence(summary)));
        }
    }

    /// The list, with an empty line after it; empty if there are no failures.
    pub(crate) fn text(&self, expectation: ExpectationMode) -> String {
        if self.all == 0 {
            return String::new();
        }
        let mut text = format!("not {}:\n", expectation.word());
        self.lines
            .iter()
            .for_each(|line| text += &format!("  {line}\n"));
        match self.all - self.lines.len() {
            0 => {}
            more => text += &format!("  and {more} more, above\n"),
        }
        text + "\n"
    }
}

fn sentence(summary: &SubmissionSummary) -> String {
    let SubmissionSummary {
        problem,
        submission,
        expected,
        verdict,
        reason,
        faults,
        ..
    } = summary;
    // The table above shows which cases the judge failed on, and why; the verdict of the other
    // cases is no cause of the failure.
    let failed = (*faults > 0).then(|| format!("the judge failed on {}", counted(*faults, "case")));
    let earned = verdict.map(|_| summary.earned());
    let earned = match (failed, earned) {
        (Some(failed), Some(earned)) => format!("{failed}; {earned}"),
        (failed, earned) => failed.or(earned).unwrap_or_else(|| "no verdict".to_owned()),
    };
    let instead_of = verdict
        .zip(expected.as_ref())
        .filter(|(verdict, expected)| !(expected.allows(*verdict) && summary.has_expected_score()))
        .map_or_else(String::new, |(_, expected)| {
            format!(", expected {expected}")
        });
    let on = summary
        .decisive_case()
        .map_or_else(String::new, |case| format!(" on {case}"));
    let why = if reason.is_empty() {
        String::new()
    } else {
        format!(": {reason}")
    };
    let single = match summary.surprising_cases {
        0 => String::new(),
        1 => "; 1 case is not as expected".to_owned(),
        cases => format!("; {cases} cases are not as expected"),
    };
    let unmet = summary.unmet_in_words();
    format!("{problem} {submission}: {earned}{on}{instead_of}{why}{single}{unmet}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Expected, Verdict};

    fn summary(verdict: Verdict, expected: Option<Verdict>, reason: &str) -> SubmissionSummary {
        SubmissionSummary {
            problem: "p".into(),
            submission: "a.c".into(),
            expected: expected.map(Expected::from),
            verdict: Some(verdict),
            worst_case: Some("secret/7".into()),
            reason: reason.to_owned(),
            cases: 1,
            ..SubmissionSummary::default()
        }
    }

    #[test]
    fn a_failure_shows_the_verdict_the_expectation_the_case_and_the_reason() {
        let mut failures = FailureList::default();
        assert_eq!(failures.text(ExpectationMode::Expected), "");
        failures.add(&summary(Verdict::WrongAnswer, None, "row 9 has two 6s"));
        failures.add(&summary(Verdict::Accepted, Some(Verdict::WrongAnswer), ""));
        failures.add(&summary(
            Verdict::TimeLimit,
            Some(Verdict::Accepted),
            "1.2 s of 1 s",
        ));
        failures.add(&SubmissionSummary {
            surprising_cases: 2,
            ..summary(
                Verdict::WrongAnswer,
                Some(Verdict::WrongAnswer),
                "\u{1b}[2J",
            )
        });
        let failed = SubmissionSummary {
            verdict: None,
            worst_case: None,
            ..summary(Verdict::Accepted, None, "")
        };
        failures.add(&SubmissionSummary {
            faults: 1,
            ..failed
        });
        failures.add(&SubmissionSummary {
            faults: 2,
            ..summary(Verdict::WrongAnswer, None, "row 9 has two 6s")
        });
        assert_eq!(
            failures.text(ExpectationMode::Expected),
            "not as expected:\n  \
             p a.c: WA on secret/7: row 9 has two 6s\n  \
             p a.c: AC, expected WA\n  \
             p a.c: TLE on secret/7, expected AC: 1.2 s of 1 s\n  \
             p a.c: WA on secret/7: \\u{1b}[2J; 2 cases are not as expected\n  \
             p a.c: the judge failed on 1 case\n  \
             p a.c: the judge failed on 2 cases; WA on secret/7: row 9 has two 6s\n\n"
        );
    }

    #[test]
    fn the_first_failures_are_listed_and_the_rest_is_counted() {
        let mut failures = FailureList::default();
        (0..53).for_each(|_| failures.add(&summary(Verdict::TimeLimit, None, "")));
        let text = failures.text(ExpectationMode::Expected);
        assert_eq!(
            (text.lines().count(), text.lines().nth(21)),
            (23, Some("  and 33 more, above"))
        );
    }
}
