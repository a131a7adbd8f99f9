//! The matrix: a row for each submission, and what they add up to. Written when the suite is over.

use std::io;
use std::io::Write;

use anstyle::AnsiColor;
use anstyle::Style;

use crate::model::Event;
use crate::model::SubmissionSummary;
use crate::model::Tally;
use crate::model::Verdict;
use crate::report::Sink;
use crate::report::columns::Cells;
use crate::report::columns::Columns;
use crate::report::hope::Hope;
use crate::report::mebibytes;
use crate::report::time;

/// Good, bad, and neither.
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const PLAIN: Style = AnsiColor::Yellow.on_default();

const HEADER: [&str; 9] =
    ["problem", "submission", "language", "verdict", "expected", "cases", "slowest", "memory", "worst case"];

/// The columns of figures, and that of the verdict.
const FIGURES: [usize; 3] = [5, 6, 7];
const VERDICT: usize = 3;

/// Bytes that are written at once.
const CHUNK: usize = 64 << 10;

/// Collects a row for each submission and writes them as a table.
pub struct Matrix<W> {
    target: W,
    hope: Hope,
    /// Only submissions that did not earn what was expected.
    only_surprises: bool,
    columns: Columns<{ HEADER.len() }>,
    /// What needs a look, and the others, each in the order of the plan, with how to colour the verdict.
    surprises: Vec<(Cells, Style)>,
    others: Vec<(Cells, Style)>,
}

impl<W: Write> Matrix<W> {
    /// A matrix that goes to `target`; of surprising submissions only, if that is asked.
    pub fn new(target: W, only_surprises: bool) -> Self {
        let columns = Columns::new(HEADER, &FIGURES);
        Self {
            target,
            hope: Hope::default(),
            only_surprises,
            columns,
            surprises: Vec::new(),
            others: Vec::new(),
        }
    }

    fn add(&mut self, summary: &SubmissionSummary) {
        let is_surprising = !summary.is_as_expected();
        if !is_surprising && self.only_surprises {
            return;
        }
        let cells = self.columns.measure(cells(summary).each_ref().map(String::as_str));
        let style = match (is_surprising, summary.verdict) {
            (true, _) => BAD,
            (false, Some(Verdict::Accepted)) => GOOD,
            (false, _) => PLAIN,
        };
        let rows = if is_surprising { &mut self.surprises } else { &mut self.others };
        rows.push((cells, style));
    }

    fn write(&mut self, tally: &Tally, interrupted: bool) -> io::Result<()> {
        if !self.surprises.is_empty() || !self.others.is_empty() {
            let bold = Style::new().bold();
            let mut page = format!("{bold}{}{bold:#}\n", self.columns.header());
            for (cells, style) in self.surprises.iter().chain(&self.others) {
                self.columns.write(&mut page, cells, (VERDICT, *style));
                if page.len() > CHUNK {
                    self.target.write_all(page.as_bytes())?;
                    page.clear();
                }
            }
            page.push('\n');
            self.target.write_all(page.as_bytes())?;
        }
        writeln!(self.target, "{}", summary(tally, self.hope, interrupted))?;
        self.target.flush()
    }
}

impl<W: Write> Sink for Matrix<W> {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::SuiteStarted { contest, .. } => self.hope = Hope::of(contest.as_ref()),
            Event::SubmissionFinished(summary) => self.add(summary),
            Event::SubmissionSkipped { problem, submission, language, cause, .. } if !self.only_surprises => {
                let cells = [problem, submission, language.as_str(), "-", "skipped", "", "", "", cause];
                let cells = self.columns.measure(cells);
                self.others.push((cells, PLAIN));
            }
            Event::SuiteFinished(tally) => self.write(tally, false)?,
            Event::SuiteInterrupted(tally) => self.write(tally, true)?,
            _ => {}
        }
        Ok(())
    }
}

/// The row of a submission.
fn cells(summary: &SubmissionSummary) -> [String; HEADER.len()] {
    let verdict = match summary.verdict {
        Some(verdict) if summary.faults == 0 && summary.flaky > 0 => format!("{verdict}, flaky"),
        Some(verdict) if summary.faults == 0 => verdict.to_string(),
        _ => "fault".to_owned(),
    };
    let expected = match (summary.is_as_expected(), &summary.expected) {
        (true, Some(_)) => "yes".to_owned(),
        (false, Some(expected)) => format!("no: {expected}"),
        (_, None) => String::new(),
    };
    let measured = summary.slowest_cpu_us > 0 || summary.peak_memory_bytes > 0;
    let figure = |text: String| if measured { text } else { String::new() };
    [
        summary.problem.to_string(),
        summary.submission.to_string(),
        summary.language.clone(),
        verdict,
        expected,
        format!("{}/{}", summary.passed, summary.cases),
        figure(time(summary.slowest_cpu_us)),
        figure(mebibytes(summary.peak_memory_bytes)),
        summary.worst_case.clone().unwrap_or_default(),
    ]
}

/// The last line: what it all came to.
pub(crate) fn summary(tally: &Tally, hope: Hope, interrupted: bool) -> String {
    let mut parts = vec![format!("{} {}", tally.as_expected, hope.word())];
    let counted = [(tally.surprising, "not"), (tally.skipped, "skipped")];
    parts.extend(
        counted.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")),
    );
    if tally.faults > 0 {
        let times = if tally.faults == 1 { "once".to_owned() } else { format!("{} times", tally.faults) };
        parts.push(format!("the judge itself failed {times}"));
    }
    let flaky = match tally.flaky {
        0 => String::new(),
        1 => "; 1 trial is flaky".to_owned(),
        count => format!("; {count} trials are flaky"),
    };
    let end = if interrupted { "; interrupted" } else { "" };
    let submissions = tally.as_expected.saturating_add(tally.surprising).saturating_add(tally.skipped);
    let (noun, trials) = (if submissions == 1 { "submission" } else { "submissions" }, tally.trials);
    let cases = if trials == 1 { "trial" } else { "trials" };
    // Who wonders why it was so quick, or why a noisy program is so steady, finds it here.
    let known = match tally.cached {
        0 => String::new(),
        known => format!(" ({known} from the cache)"),
    };
    format!("{submissions} {noun}, {trials} {cases}{known}: {}{flaky}{end}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Expected;

    fn finished(verdict: Verdict, expected: Option<Verdict>) -> Event {
        let expected = expected.map(Expected::from);
        Event::SubmissionFinished(Box::new(SubmissionSummary {
            problem: "poj-2676".into(),
            submission: "wrong/last_cell.c".into(),
            language: "C".into(),
            expected,
            verdict: Some(verdict),
            worst_case: Some("secret/001-a".into()),
            reason: "row 9 has two 6s".into(),
            passed: 1,
            cases: 28,
            faults: 0,
            surprising_cases: 0,
            flaky: 0,
            slowest_cpu_us: 1830,
            peak_memory_bytes: 3 << 20,
            score: None,
            entrant: None,
        }))
    }

    fn matrix(only_surprises: bool, events: &[Event]) -> String {
        let mut written = Vec::new();
        let mut matrix = Matrix::new(anstream::StripStream::new(&mut written), only_surprises);
        events.iter().for_each(|event| matrix.take(event).unwrap());
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn a_row_says_what_was_earned_and_whether_it_was_expected_surprises_first() {
        let tally = Tally { as_expected: 1, surprising: 1, trials: 3, ..Tally::default() };
        let events = [
            finished(Verdict::WrongAnswer, Some(Verdict::WrongAnswer)),
            finished(Verdict::Accepted, Some(Verdict::WrongAnswer)),
            Event::SuiteFinished(tally),
        ];
        assert_eq!(
            matrix(false, &events),
            "\
problem   submission         language  verdict  expected  cases  slowest   memory  worst case
poj-2676  wrong/last_cell.c  C         AC       no: WA     1/28   1.8 ms  3.0 MiB  secret/001-a
poj-2676  wrong/last_cell.c  C         WA       yes        1/28   1.8 ms  3.0 MiB  secret/001-a

2 submissions, 3 trials: 1 as expected, 1 not
"
        );
    }

    #[test]
    fn a_quiet_matrix_holds_surprises_only() {
        let tally = Tally { as_expected: 1, ..Tally::default() };
        let events = [finished(Verdict::Accepted, None), Event::SuiteInterrupted(tally)];
        assert_eq!(matrix(true, &events), "1 submission, 0 trials: 1 as expected; interrupted\n");
    }
}
