//! Writes the matrix, a table with a row for each submission, and what belongs to it
//! when the suite is over: the totals, and the submissions that could not be judged on
//! this machine, with a line to copy that installs what is missing.

use std::collections::{BTreeMap, BTreeSet};

use anstyle::Style;
use indexmap::IndexMap;

use crate::model::{Entrant, Event, LoggedLimits, SubmissionSummary, Tally, Verdict};
use crate::report::{
    BAD, Columns, ExpectationMode, FirstItems, GOOD, Narrowing, PLAIN, SuiteReport,
    TableRow, Verbosity, explain, text_table,
};
use crate::text::{
    JoinedTexts, counted, one_line, printable, round_size, round_time, text_or_none,
    wrapped,
};

const HEADER: [&str; 13] = [
    "problem",
    "submission",
    "minute",
    "language",
    "verdict",
    "expected",
    "cases",
    "points",
    "slowest",
    "of",
    "memory",
    "of",
    "worst case",
];

/// Places of the columns.
const PROBLEM: usize = 0;
const SUBMISSION: usize = 1;
const MINUTE: usize = 2;
const LANGUAGE: usize = 3;
const VERDICT: usize = 4;
const EXPECTED: usize = 5;
const CASES: usize = 6;
const POINTS: usize = 7;
const SLOWEST: usize = 8;
const TIME_LIMIT: usize = 9;
const MEMORY: usize = 10;
const MEMORY_LIMIT: usize = 11;
const WORST: usize = 12;

/// The columns that contain figures.
const FIGURES: [usize; 7] = [
    MINUTE,
    CASES,
    POINTS,
    SLOWEST,
    TIME_LIMIT,
    MEMORY,
    MEMORY_LIMIT,
];

/// The steps that make the table fit the terminal, in order, as described in
/// docs/reports.md. The language can mostly be seen from the ending of the name, and
/// limits are the same in most rows; names are kept longest, because everything else
/// refers to them.
const NARROWINGS: [Narrowing; 14] = [
    Narrowing::Cut(WORST, 12),
    Narrowing::Lift(PROBLEM),
    Narrowing::Drop(LANGUAGE),
    Narrowing::Drop(WORST),
    Narrowing::Drop(MEMORY_LIMIT),
    Narrowing::Drop(TIME_LIMIT),
    Narrowing::Squeeze(SUBMISSION, 24),
    Narrowing::Squeeze(PROBLEM, 12),
    Narrowing::Drop(MEMORY),
    Narrowing::Drop(SLOWEST),
    Narrowing::Squeeze(SUBMISSION, 16),
    Narrowing::Drop(CASES),
    Narrowing::Squeeze(SUBMISSION, 10),
    Narrowing::Squeeze(PROBLEM, 8),
];

/// Collects a row for each submission, for a table.
///
/// In quiet mode, only those without the expected result have one. In verbose mode, all
/// have. Otherwise, where they are examples of several problems, each problem has a row,
/// and only surprises have their own; and in a contest none has: the standings follow.
pub struct Matrix {
    expectation: ExpectationMode,
    is_contest: bool,
    verbosity: Verbosity,
    problems: ProblemRows,
    skipped: SkippedList,
    /// Returns the columns of the terminal that is written to, if it is one. Called
    /// when all rows are known.
    room: Box<dyn Fn() -> Option<usize>>,
    header: [&'static str; HEADER.len()],
    /// The limits of the current submission.
    limits: Option<LoggedLimits>,
    /// Whether any limits are known: a log that was cut may lack them.
    has_limits: bool,
    /// Whether any problem gives points.
    has_points: bool,
    /// Whether the minute of any submission is known, in a contest.
    has_minutes: bool,
    /// The surprising submissions and the others, each in the order of the plan.
    surprises: Vec<TableRow>,
    others: Vec<TableRow>,
    failures: FailureList,
}

impl Matrix {
    /// A matrix for a screen. The table is made to fit the width that `room` returns,
    /// which is `None` if it is not a terminal.
    pub fn new(
        verbosity: Verbosity,
        room: impl Fn() -> Option<usize> + 'static,
    ) -> Self {
        Self {
            expectation: ExpectationMode::default(),
            is_contest: false,
            verbosity,
            problems: ProblemRows::default(),
            skipped: SkippedList::default(),
            room: Box::new(room),
            header: HEADER,
            limits: None,
            has_limits: false,
            has_points: false,
            has_minutes: false,
            surprises: vec![],
            others: vec![],
            failures: FailureList::default(),
        }
    }

    fn add(&mut self, summary: &SubmissionSummary) {
        let is_surprising = summary.is_surprising();
        if !is_surprising && self.verbosity == Verbosity::Quiet {
            return;
        }
        self.has_points |= summary.score.is_some();
        let cells = cells(summary, self.limits.take());
        let entrant = summary.entrant.as_ref();
        self.has_minutes |= entrant.is_some_and(|entrant| entrant.minute.is_some());
        if is_surprising {
            self.failures.add(summary);
            self.surprises.push(TableRow::new(&cells, BAD));
        } else {
            let style = match summary.verdict {
                Some(Verdict::Accepted) if !summary.lacks_points() => GOOD,
                _ => PLAIN,
            };
            self.others.push(TableRow::new(&cells, style));
        }
    }

    /// Whether submissions of the suite have rows at all. In a contest the standings
    /// follow.
    fn has_rows(&self) -> bool {
        !self.is_contest || self.verbosity == Verbosity::Verbose
    }

    fn rows(&self, room: Option<usize>, is_summed: bool) -> String {
        let others = if is_summed { &[] } else { &self.others[..] };
        let rows = self.surprises.iter().chain(others);
        let count = rows.clone().count();
        if count == 0 {
            return String::new();
        }
        let mut columns = Columns::new(&self.header, &FIGURES, rows.clone());
        for (is_known, column) in [
            (self.has_limits, TIME_LIMIT),
            (self.has_limits, MEMORY_LIMIT),
            (self.has_points, POINTS),
            (self.has_minutes, MINUTE),
        ] {
            if !is_known {
                columns.fit(Some(0), &[Narrowing::Drop(column)]);
            }
        }
        columns.fit(room, &NARROWINGS);
        let lifted = columns
            .lifted(PROBLEM)
            .map(|problem| format!("problem {problem}\n"));
        let table = columns.table(rows, VERDICT);
        let mut page = text_or_none(lifted) + &table + "\n";
        // The list repeats failures that may be lost among other rows. It is not needed
        // for a single row or for failures only, unless nothing else gives their
        // reasons, and in a contest a rejection is no failure.
        let may_be_lost = is_summed
            || count > 1 && self.verbosity != Verbosity::Quiet
            || self.failures.has_reasons_of_its_own;
        if !self.is_contest && may_be_lost {
            page += &wrapped(&self.failures.text(self.expectation), room, 4);
        }
        page
    }
}

impl SuiteReport for Matrix {
    fn follow(&mut self, event: &Event) {
        self.expectation.take_event(event);
        self.problems.take_event(event);
        self.skipped.take_event(event);
        match event {
            Event::SuiteStarted(start) => {
                self.is_contest = start.contest.is_some();
                if let Some(contest) = &start.contest {
                    self.header[SUBMISSION] = contest.entrant_noun();
                }
            }
            Event::SubmissionStarted(start) => {
                self.limits = start.limits;
                self.has_limits = true;
            }
            Event::SubmissionFinished(summary) if self.has_rows() => {
                self.add(summary)
            }
            Event::SubmissionSkipped(skip)
                if self.has_rows() && self.verbosity != Verbosity::Quiet =>
            {
                let [name, minute] = names(&skip.submission, skip.entrant.as_ref());
                let mut cells = [""; HEADER.len()];
                cells[PROBLEM] = &skip.problem;
                cells[SUBMISSION] = &name;
                cells[MINUTE] = &minute;
                cells[LANGUAGE] = &skip.language;
                cells[VERDICT] = "-";
                cells[EXPECTED] = "skipped";
                cells[WORST] = &skip.cause;
                self.has_minutes |= !minute.is_empty();
                self.others.push(TableRow::new(&cells, PLAIN));
            }
            _ => {}
        }
    }

    fn text(&mut self, tally: &Tally, is_interrupted: bool) -> String {
        let room = (self.room)();
        let is_summed = self.verbosity == Verbosity::Normal
            && self.expectation == ExpectationMode::Expected
            && self.problems.0.len() > 1;
        let mut page = if is_summed {
            self.problems.table(room) + "\n"
        } else {
            String::new()
        };
        page += &self.rows(room, is_summed);
        let totals = summary(tally, self.expectation, is_interrupted);
        page + &wrapped(&format!("{}{totals}\n", self.skipped.text()), room, 0)
    }
}

/// What names a submission beside its problem: in a contest, the team and the minute.
fn names(submission: &str, entrant: Option<&Entrant>) -> [String; 2] {
    let Some(entrant) = entrant else {
        return [submission.to_owned(), String::new()];
    };
    [entrant.team.to_string(), text_or_none(entrant.minute)]
}

/// The row of a submission.
fn cells(
    summary: &SubmissionSummary,
    limits: Option<LoggedLimits>,
) -> [String; HEADER.len()] {
    let verdict = match summary.verdict {
        Some(verdict) if summary.faults == 0 && summary.flaky > 0 => {
            format!("{verdict}, flaky")
        }
        Some(verdict) if summary.faults == 0 => verdict.to_string(),
        _ => "fault".to_owned(),
    };
    let expected = match (summary.is_as_expected(), &summary.expected) {
        (true, Some(_)) if summary.lacks_points() => "yes, in part".to_owned(),
        (true, Some(_)) => "yes".to_owned(),
        (false, Some(expected)) if summary.is_surprising() => {
            format!("no: {expected}")
        }
        _ => String::new(),
    };
    let limits = limits.filter(|_| summary.is_measured());
    let points = summary.score.as_ref().map(|score| match score.of {
        Some(of) => format!("{}/{of}", score.earned),
        None => score.earned.to_string(),
    });
    let [slowest, memory] = explain::most_used(summary);
    let [name, minute] = names(&summary.submission, summary.entrant.as_ref());
    [
        summary.problem.to_string(),
        name,
        minute,
        summary.language.clone(),
        verdict,
        expected,
        format!("{}/{}", summary.passed, summary.cases),
        text_or_none(points),
        slowest,
        text_or_none(limits.map(|limits| round_time(limits.cpu_us))),
        memory,
        text_or_none(limits.map(|limits| round_size(limits.memory_bytes))),
        summary.worst_case.clone().unwrap_or_default(),
    ]
}

/// The last line: the totals.
pub(crate) fn summary(
    tally: &Tally,
    expectation: ExpectationMode,
    interrupted: bool,
) -> String {
    let mut parts = vec![format!("{} {}", tally.as_expected, expectation.word())];
    let others = [(tally.surprising, "not"), (tally.skipped, "skipped")];
    parts.extend(
        others
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}")),
    );
    if tally.faults > 0 {
        let times = if tally.faults == 1 {
            "once".to_owned()
        } else {
            format!("{} times", tally.faults)
        };
        parts.push(format!("the judge itself failed {times}"));
    }
    let flaky = match tally.flaky {
        0 => String::new(),
        1 => "; 1 trial is flaky".to_owned(),
        count => format!("; {count} trials are flaky"),
    };
    let end = if interrupted { "; interrupted" } else { "" };
    let submissions = counted(tally.submissions(), "submission");
    let trials = counted(tally.trials, "trial");
    // Cached trials explain why judging was so quick, or why a noisy program is so
    // steady.
    let known = match tally.cached {
        0 => String::new(),
        known => format!(" ({known} from the cache)"),
    };
    format!(
        "{submissions}, {trials}{known}: {}{flaky}{end}",
        parts.join(", ")
    )
}

// Lists what went wrong once more, a line each, for the end of a page whose beginning
// has scrolled off the screen.

/// The most failures listed; further ones are counted.
const MOST: usize = 20;

/// The submissions without the expected result.
#[derive(Default)]
struct FailureList {
    lines: FirstItems<String>,
    /// Whether no single case explains one of them, so that nothing above says the
    /// reason.
    has_reasons_of_its_own: bool,
}

impl FailureList {
    /// Adds a submission without the expected result.
    fn add(&mut self, summary: &SubmissionSummary) {
        self.has_reasons_of_its_own |=
            summary.worst_case.is_none() && summary.verdict.is_some();
        self.lines.add(MOST, || one_line(&sentence(summary)));
    }

    /// The list, with an empty line after it; empty if there are no failures.
    fn text(&self, expectation: ExpectationMode) -> String {
        if self.lines.in_all == 0 {
            return String::new();
        }
        let mut text = format!("not {}:\n", expectation.word());
        for line in &self.lines.kept {
            text += &format!("  {line}\n");
        }
        match self.lines.left_out() {
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
    // The table above shows which cases the judge failed on, and why; the verdict of
    // the other cases is no cause of the failure.
    let failed = (*faults > 0)
        .then(|| format!("the judge failed on {}", counted(*faults, "case")));
    let earned = verdict.map(|_| summary.earned());
    let earned = match (failed, earned) {
        (Some(failed), Some(earned)) => format!("{failed}; {earned}"),
        (failed, earned) => {
            failed.or(earned).unwrap_or_else(|| "no verdict".to_owned())
        }
    };
    let instead_of = verdict
        .zip(expected.as_ref())
        .filter(|(verdict, expected)| {
            !(expected.allows(*verdict) && summary.has_expected_score())
        })
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

/// Counts skipped submissions by what was missing.
#[derive(Default)]
struct SkippedList {
    causes: BTreeMap<(String, String), SkippedCause>,
    packages: BTreeSet<String>,
}

#[derive(Default)]
struct SkippedCause {
    count: u64,
    /// What to do about it, if no package brings what is missing.
    remedy: Option<String>,
}

impl SkippedList {
    /// Adds a submission if it was skipped.
    fn take_event(&mut self, event: &Event) {
        let Event::SubmissionSkipped(skip) = event else {
            return;
        };
        let key = (skip.language.clone(), skip.cause.clone());
        let entry = self.causes.entry(key).or_default();
        entry.count += 1;
        match &skip.package {
            Some(package) => {
                let words = package.split_whitespace().map(str::to_owned);
                self.packages.extend(words);
            }
            None => entry.remedy = Some(skip.remedy.clone()),
        }
    }

    /// The list, with an empty line after it; empty if nothing was skipped.
    fn text(&self) -> String {
        if self.causes.is_empty() {
            return String::new();
        }
        let mut text = "skipped:\n".to_owned();
        for ((language, cause), SkippedCause { count, remedy }) in &self.causes {
            let submissions = counted(*count, "submission");
            let what = format!("{submissions} in {language}: {cause}");
            text += &format!("  {}\n", printable(&what));
            if let Some(remedy) = remedy {
                text += &format!("    hint: {}\n", printable(remedy));
            }
        }
        if !self.packages.is_empty() {
            let packages =
                self.packages.iter().map(|word| printable(word)).joined(" ");
            text += &format!(
                "install what is missing, on Debian: `apt-get install {packages}`\n"
            );
        }
        text + "\n"
    }
}

// A row for each problem of a suite, where one for each submission would fill the screen
// with what everybody expects.

const PROBLEM_HEADER: [&str; 4] =
    ["problem", "submissions", "as expected", "verdicts"];

/// The columns that contain figures.
const PROBLEM_FIGURES: [usize; 2] = [1, 2];

/// The steps that make the table fit the terminal, in order.
const PROBLEM_NARROWINGS: [Narrowing; 3] = [
    Narrowing::Cut(3, 12),
    Narrowing::Squeeze(0, 12),
    Narrowing::Drop(3),
];

/// Counts the submissions of each problem.
#[derive(Default)]
struct ProblemRows(IndexMap<String, ProblemCounts>);

#[derive(Default)]
struct ProblemCounts {
    submissions: u64,
    as_expected: u64,
    skipped: u64,
    faulted: u64,
    verdicts: BTreeMap<Verdict, u64>,
}

impl ProblemRows {
    /// Adds the submission that an event is about, if it ends one.
    fn take_event(&mut self, event: &Event) {
        match event {
            Event::SubmissionFinished(summary) => {
                let counts = self.counts(&summary.problem);
                counts.as_expected += u64::from(summary.is_as_expected());
                match summary.verdict {
                    Some(verdict) if summary.faults == 0 => {
                        *counts.verdicts.entry(verdict).or_default() += 1
                    }
                    _ => counts.faulted += 1,
                }
            }
            Event::SubmissionSkipped(skip) => self.counts(&skip.problem).skipped += 1,
            _ => {}
        }
    }

    fn counts(&mut self, problem: &str) -> &mut ProblemCounts {
        let counts = self.0.entry(problem.to_owned()).or_default();
        counts.submissions += 1;
        counts
    }

    /// The table, made to fit a terminal of `room` columns, if it is written to one.
    fn table(&self, room: Option<usize>) -> String {
        let rows = self.0.iter().map(|(problem, counts)| {
            // How many submissions have each verdict: `AC 4, WA 7`.
            let verdicts = counts
                .verdicts
                .iter()
                .map(|(verdict, count)| format!("{verdict} {count}"));
            let others = [("fault", counts.faulted), ("skipped", counts.skipped)]
                .into_iter()
                .filter(|(_, count)| *count > 0)
                .map(|(what, count)| format!("{what} {count}"));
            let cells = [
                problem.clone(),
                counts.submissions.to_string(),
                counts.as_expected.to_string(),
                verdicts.chain(others).joined(", "),
            ];
            (cells, Style::new())
        });
        text_table(
            &PROBLEM_HEADER,
            &PROBLEM_FIGURES,
            rows,
            (room, &PROBLEM_NARROWINGS),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Expected, SubmissionStart};
    use crate::report::{ReportWriter, Sink};

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
            slowest_cpu_us: 1830,
            peak_memory_bytes: 3 << 20,
            ..SubmissionSummary::default()
        }))
    }

    fn matrix(verbosity: Verbosity, events: &[Event]) -> String {
        let mut written = vec![];
        let mut matrix = ReportWriter::new(
            anstream::StripStream::new(&mut written),
            Matrix::new(verbosity, || None),
        );
        for event in events {
            matrix.take_event(event).unwrap();
        }
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn a_row_shows_the_verdict_and_whether_it_was_expected_with_surprises_first() {
        let tally = Tally {
            as_expected: 1,
            surprising: 1,
            trials: 3,
            ..Tally::default()
        };
        let events = [
            finished(Verdict::WrongAnswer, Some(Verdict::WrongAnswer)),
            finished(Verdict::Accepted, Some(Verdict::WrongAnswer)),
            Event::SuiteFinished(tally),
        ];
        assert_eq!(
            matrix(Verbosity::Normal, &events),
            "\
problem   submission         language  verdict  expected  cases  slowest   memory  worst case
poj-2676  wrong/last_cell.c  C         AC       no: WA     1/28   1.8 ms  3.0 MiB  secret/001-a
poj-2676  wrong/last_cell.c  C         WA       yes        1/28   1.8 ms  3.0 MiB  secret/001-a

not as expected:
  poj-2676 wrong/last_cell.c: AC, expected WA: row 9 has two 6s

2 submissions, 3 trials: 1 as expected, 1 not
"
        );
    }

    #[test]
    fn of_examples_of_several_problems_each_problem_has_a_row_and_surprises_have_their_own()
     {
        let mut events = vec![
            finished(Verdict::WrongAnswer, Some(Verdict::WrongAnswer)),
            finished(Verdict::Accepted, Some(Verdict::WrongAnswer)),
            finished(Verdict::Accepted, Some(Verdict::Accepted)),
        ];
        if let Event::SubmissionFinished(summary) = &mut events[2] {
            summary.problem = "uestc-1222".into();
        }
        events.push(Event::SuiteFinished(Tally::default()));
        let summed = "\
problem     submissions  as expected  verdicts
poj-2676              2            1  AC 1, WA 1
uestc-1222            1            1  AC 1

problem   submission         language  verdict  expected  cases  slowest   memory  worst case
poj-2676  wrong/last_cell.c  C         AC       no: WA     1/28   1.8 ms  3.0 MiB  secret/001-a

not as expected:
  poj-2676 wrong/last_cell.c: AC, expected WA: row 9 has two 6s

0 submissions, 0 trials: 0 as expected
";
        assert_eq!(matrix(Verbosity::Normal, &events), summed);
        let all = matrix(Verbosity::Verbose, &events);
        assert_eq!(all.matches("wrong/last_cell.c").count(), 4, "{all}");
    }

    #[test]
    fn submissions_of_which_no_verdict_is_expected_are_accepted_or_not() {
        let tally = Tally {
            as_expected: 1,
            surprising: 1,
            trials: 2,
            ..Tally::default()
        };
        let mut events = vec![
            finished(Verdict::Accepted, None),
            finished(Verdict::WrongAnswer, None),
            Event::SuiteFinished(tally),
        ];
        let end = "not accepted:\n  poj-2676 wrong/last_cell.c: WA on secret/001-a: row 9 has two 6s\n\n\
                   2 submissions, 2 trials: 1 accepted, 1 not\n";
        let matrix_of_all = matrix(Verbosity::Normal, &events);
        assert!(matrix_of_all.ends_with(end), "{matrix_of_all}");
        // Of some, a verdict is expected.
        events.insert(
            0,
            finished(Verdict::WrongAnswer, Some(Verdict::WrongAnswer)),
        );
        let matrix_of_all = matrix(Verbosity::Normal, &events);
        assert!(
            matrix_of_all.contains("\nnot as expected:\n"),
            "{matrix_of_all}"
        );
        assert!(
            matrix_of_all.ends_with(": 1 as expected, 1 not\n"),
            "{matrix_of_all}"
        );
    }

    #[test]
    fn a_quiet_matrix_contains_surprises_only() {
        let tally = Tally {
            as_expected: 1,
            ..Tally::default()
        };
        let events = [
            finished(Verdict::Accepted, None),
            Event::SuiteInterrupted(tally),
        ];
        assert_eq!(
            matrix(Verbosity::Quiet, &events),
            "1 submission, 0 trials: 1 accepted; interrupted\n"
        );
    }

    fn started() -> Event {
        Event::SubmissionStarted(Box::new(SubmissionStart {
            problem: "poj-2676".into(),
            submission: "wrong/last_cell.c".into(),
            language: "C".into(),
            limits: Some(LoggedLimits {
                cpu_us: 1_000_000,
                wall_us: 2_000_000,
                memory_bytes: 64 << 20,
                output_bytes: 1,
                processes: 1,
            }),
            ..SubmissionStart::default()
        }))
    }

    /// The table of one row on a terminal of `room` columns.
    fn fitted(room: usize) -> String {
        let mut written = vec![];
        let target = anstream::StripStream::new(&mut written);
        let mut matrix = ReportWriter::new(
            target,
            Matrix::new(Verbosity::Normal, move || Some(room)),
        );
        let events = [
            started(),
            finished(Verdict::WrongAnswer, None),
            Event::SuiteFinished(Tally::default()),
        ];
        for event in &events {
            matrix.take_event(event).unwrap();
        }
        let page = String::from_utf8(written).unwrap();
        let (table, _) = page.split_once("\n\n").unwrap();
        assert!(page.lines().all(|line| line.len() <= room), "{page}");
        format!("{table}\n")
    }

    #[test]
    fn limits_are_shown_beside_the_figures_if_there_is_room() {
        assert_eq!(
            fitted(120),
            "\
problem   submission         language  verdict  expected  cases  slowest   of   memory      of  \
             worst case
poj-2676  wrong/last_cell.c  C         WA                  1/28   1.8 ms  1 s  3.0 MiB  64 MiB  \
             secret/001-a
"
        );
        assert_eq!(
            fitted(80),
            "\
problem poj-2676
submission         verdict  expected  cases  slowest   of   memory      of
wrong/last_cell.c  WA                  1/28   1.8 ms  1 s  3.0 MiB  64 MiB
"
        );
        assert_eq!(
            fitted(60),
            "\
problem poj-2676
submission         verdict  expected  cases  slowest
wrong/last_cell.c  WA                  1/28   1.8 ms
"
        );
    }

    #[test]
    fn the_table_fits_a_terminal_of_forty_columns_and_any_wider_one() {
        for room in 40..200 {
            fitted(room);
        }
    }
}

#[cfg(test)]
mod failure_list_tests {
    use super::*;
    use crate::model::{Expected, Verdict};

    fn summary(
        verdict: Verdict,
        expected: Option<Verdict>,
        reason: &str,
    ) -> SubmissionSummary {
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
            "not as expected:\n  p a.c: WA on secret/7: row 9 has two 6s\n  p a.c: AC, expected \
             WA\n  p a.c: TLE on secret/7, expected AC: 1.2 s of 1 s\n  p a.c: WA on secret/7: \
             \\u{1b}[2J; 2 cases are not as expected\n  p a.c: the judge failed on 1 case\n  p \
             a.c: the judge failed on 2 cases; WA on secret/7: row 9 has two 6s\n\n"
        );
    }

    #[test]
    fn the_first_failures_are_listed_and_the_rest_is_counted() {
        let mut failures = FailureList::default();
        for _ in 0..53 {
            failures.add(&summary(Verdict::TimeLimit, None, ""));
        }
        let text = failures.text(ExpectationMode::Expected);
        assert_eq!(
            (text.lines().count(), text.lines().nth(21)),
            (23, Some("  and 33 more, above"))
        );
    }
}

#[cfg(test)]
mod skipped_list_tests {
    use super::*;
    use crate::model::SubmissionSkip;

    fn skipped(language: &str, cause: &str, package: Option<&str>) -> Event {
        Event::SubmissionSkipped(Box::new(SubmissionSkip {
            problem: "p".into(),
            submission: "a".into(),
            language: language.to_owned(),
            cause: cause.to_owned(),
            remedy: "see that it works".to_owned(),
            package: package.map(str::to_owned),
            entrant: None,
        }))
    }

    #[test]
    fn each_cause_is_named_once_and_all_packages_are_a_line_to_copy() {
        let mut list = SkippedList::default();
        assert_eq!(list.text(), "");
        for event in [
            skipped("Rust", "`rustc` is not installed", Some("rustc")),
            skipped(
                "Java",
                "`javac` is not installed",
                Some("default-jdk-headless"),
            ),
            skipped("Rust", "`rustc` is not installed", Some("rustc")),
            skipped(
                "Kotlin",
                "`kotlinc` is not installed",
                Some("kotlin default-jdk-headless"),
            ),
            skipped("Go", "a right program does not compile here\u{1b}", None),
        ] {
            list.take_event(&event);
        }
        assert_eq!(
            list.text(),
            "\
skipped:
  1 submission in Go: a right program does not compile here\\u{1b}
    hint: see that it works
  1 submission in Java: `javac` is not installed
  1 submission in Kotlin: `kotlinc` is not installed
  2 submissions in Rust: `rustc` is not installed
install what is missing, on Debian: `apt-get install default-jdk-headless kotlin rustc`

"
        );
    }
}
