//! Writes a plain line for each submission as soon as it is finished, for logs of CI. The first
//! items of a line are in the same columns in all lines.

use std::io;
use std::io::Write;

use crate::model::{Event, SubmissionSummary, Verdict};
use crate::report::sink::Sink;
use crate::text::{counted, one_line};

/// Widths of the verdict, and of its comparison with the expectation.
const VERDICT: usize = 5;
const JUDGEMENT: usize = 12;

/// Writes lines, each at once.
pub struct ProgressLines<W> {
    target: W,
    only_surprises: bool,
    all: usize,
    done: usize,
}

impl<W: Write> ProgressLines<W> {
    /// Lines written to `target`, of surprising submissions only if so requested.
    pub fn new(target: W, only_surprises: bool) -> Self {
        Self {
            target,
            only_surprises,
            all: 0,
            done: 0,
        }
    }

    fn write(&mut self, verdict: &str, judgement: &str, what: &str) {
        let digits = self.all.to_string().len();
        let number = format!("[{:>digits$}/{}]", self.done, self.all);
        let what = one_line(what);
        // In one write, because other processes may write to the same target in between.
        let text = format!("{number} {verdict:VERDICT$} {judgement:JUDGEMENT$} {what}\n");
        // A failure to show progress must not affect any verdict.
        let _ = self
            .target
            .write_all(text.as_bytes())
            .and_then(|()| self.target.flush());
    }
}

impl<W: Write> Sink for ProgressLines<W> {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::SuiteStarted { submissions, .. } => self.all = *submissions,
            Event::SubmissionFinished(summary) => {
                self.done += 1;
                if !(self.only_surprises && summary.is_as_expected()) {
                    let verdict = summary.verdict.map_or("-", Verdict::code);
                    self.write(verdict, &judgement(summary), &what(summary));
                }
            }
            Event::SubmissionSkipped {
                problem,
                submission,
                cause,
                ..
            } => {
                self.done += 1;
                if !self.only_surprises {
                    self.write("-", "skipped", &format!("{problem} {submission}: {cause}"));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// How the result compares with the expected one.
fn judgement(summary: &SubmissionSummary) -> String {
    match (&summary.expected, summary.is_as_expected()) {
        (_, false) if summary.faults > 0 => "judge failed".to_owned(),
        (Some(_), true) => "as expected".to_owned(),
        (Some(expected), false) => format!("not {expected}"),
        (None, true) => "accepted".to_owned(),
        (None, false) => "not accepted".to_owned(),
    }
}

/// The submission, and how many of its cases were accepted.
fn what(summary: &SubmissionSummary) -> String {
    let SubmissionSummary {
        problem,
        submission,
        passed,
        cases,
        ..
    } = summary;
    let on = summary
        .decisive_case()
        .map_or_else(String::new, |case| format!(" on {case}"));
    let points = summary
        .score
        .as_ref()
        .map_or_else(String::new, |score| format!(", {score} points"));
    format!(
        "{problem} {submission}{on}, {passed} of {}{points}",
        counted(*cases, "case")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Expected;

    fn summary(verdict: Option<Verdict>, expected: Option<Verdict>) -> SubmissionSummary {
        SubmissionSummary {
            problem: "p".into(),
            submission: "a.c".into(),
            expected: expected.map(Expected::from),
            verdict,
            worst_case: Some("secret/007".into()),
            passed: 6,
            cases: 63,
            faults: usize::from(verdict.is_none()),
            ..SubmissionSummary::default()
        }
    }

    fn lines(only_surprises: bool) -> String {
        let finished =
            |verdict, expected| Event::SubmissionFinished(Box::new(summary(verdict, expected)));
        let accepted = Some(Verdict::Accepted);
        let wrong = Some(Verdict::WrongAnswer);
        let skipped = Event::SubmissionSkipped {
            problem: "p".into(),
            submission: "b.kt\n".into(),
            language: String::new(),
            cause: "no Kotlin here".into(),
            remedy: String::new(),
            entrant: None,
        };
        let mut written = Vec::new();
        let mut steps = ProgressLines {
            all: 10,
            ..ProgressLines::new(&mut written, only_surprises)
        };
        let events = [
            finished(accepted, None),
            finished(wrong, wrong),
            finished(accepted, wrong),
            finished(wrong, None),
        ];
        for event in events.iter().chain([&skipped, &finished(None, wrong)]) {
            steps.take(event).unwrap();
        }
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn a_line_shows_the_progress_the_verdict_and_whether_it_was_expected() {
        assert_eq!(
            lines(false),
            "\
[ 1/10] AC    accepted     p a.c, 6 of 63 cases
[ 2/10] WA    as expected  p a.c on secret/007, 6 of 63 cases
[ 3/10] AC    not WA       p a.c, 6 of 63 cases
[ 4/10] WA    not accepted p a.c on secret/007, 6 of 63 cases
[ 5/10] -     skipped      p b.kt\\n: no Kotlin here
[ 6/10] -     judge failed p a.c on secret/007, 6 of 63 cases
"
        );
    }

    #[test]
    fn quiet_mode_shows_surprises_only_with_their_usual_numbers() {
        let lines = lines(true);
        let numbers: Vec<_> = lines.lines().map(|line| &line[..7]).collect();
        assert_eq!(numbers, ["[ 3/10]", "[ 4/10]", "[ 6/10]"]);
    }
}
