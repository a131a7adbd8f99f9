//! Reports for the autograders of learning systems, which judge one submission of one
//! student at a time: the points, the tests, and what there is to say of them. One
//! submission to each problem counts. Every text is bounded, and safe to show.

pub(super) mod formats;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::model::{PointValue, Verdict};
use crate::report::{
    Graded, GradedCase, GradedOutcome, GradedPart, Worth, drawn_grid, explain,
};
use crate::text::{
    JoinedTexts, counted, first_few, one_line, shortened, text_or_none,
};

/// The most cases of a problem without points that are tests of their own. Of more,
/// each folder is one.
const MOST_CASES: usize = 200;

/// The most characters of the details of a test.
const LONGEST_DETAILS: usize = 2_000;

/// The most students that are named where only one should be, and the most characters
/// of a name.
const MOST_STUDENTS: usize = 5;
const LONGEST_NAME: usize = 40;

/// The most problems that are told of.
const MOST_PROBLEMS: usize = 100;

/// The result of a student.
struct AutograderResult {
    /// The points of all problems together.
    worth: Worth,
    /// Whether it was judged no further than a compiler, which refused it.
    is_refused: bool,
    /// When judging started, as `2026-11-21T20:30:00Z`; empty in an old log.
    started: String,
    /// CPU time of all cases and compilers together, in microseconds.
    cpu_us: u64,
    problems: Vec<ProblemResult>,
    /// All that there is to say, in lines, except of single tests.
    text: String,
}

/// The result of a problem.
struct ProblemResult {
    name: String,
    worth: Worth,
    /// The points of those that have some add up to the points of the problem.
    tests: Vec<AutograderTest>,
}

/// A line of the report: a group of cases, a case, or a whole problem.
struct AutograderTest {
    name: String,
    /// The points it got, and how many there are.
    points: Option<(PointValue, PointValue)>,
    has_passed: bool,
    /// Whether the student may know what is in it.
    is_open: bool,
    /// What there is to say of it, in lines.
    text: String,
    /// The wrong grid, drawn as SVG.
    drawing: Option<String>,
}

/// The submission to each problem that counts.
#[derive(Default)]
struct CountingSubmissions {
    started: String,
    /// Errors found in problems.
    mistakes: usize,
    kept: Vec<CountingSubmission>,
    /// The students or teams whose submissions these are, as far as they are known.
    students: BTreeSet<Arc<str>>,
}

struct CountingSubmission {
    graded: Graded,
    /// Number of submissions to the problem.
    of: usize,
}

impl CountingSubmissions {
    /// That the submissions are of several students, if so: an autograder asks for the
    /// points of one.
    fn several_students(&self) -> Option<String> {
        let students = self.students.iter().map(|student| {
            format!("`{}`", shortened(&one_line(student), LONGEST_NAME))
        });
        (self.students.len() > 1).then(|| {
            format!(
                "an autograder is told of one student, and these are several: {}; judge the files \
                 of one, or write `--marks` and `--feedback`, which are for all",
                first_few(students, MOST_STUDENTS)
            )
        })
    }

    /// Adds a submission, which counts unless one to the same problem has more points,
    /// or may have.
    fn add(&mut self, graded: Graded) {
        let student = graded.entrant.as_ref().map(|entrant| &entrant.team);
        self.students.extend(student.map(Arc::clone));
        let known = self
            .kept
            .iter_mut()
            .find(|kept| kept.graded.problem == graded.problem);
        match known {
            None => self.kept.push(CountingSubmission { graded, of: 1 }),
            Some(kept) => {
                kept.of += 1;
                if graded.rank() >= kept.graded.rank() {
                    kept.graded = graded;
                }
            }
        }
    }

    fn result(&self, is_interrupted: bool) -> AutograderResult {
        let has_names = self.kept.len() > 1;
        let problems: Vec<_> = self
            .kept
            .iter()
            .take(MOST_PROBLEMS)
            .map(|kept| problem(kept, has_names))
            .collect();
        let each = || problems.iter().map(|one| one.worth);
        let is_known = !is_interrupted
            && !problems.is_empty()
            && each().all(|worth| worth.is_known);
        let worth = Worth {
            earned: each().map(|worth| worth.earned).sum(),
            of: each().map(|worth| worth.of).sum(),
            is_known,
            is_final: is_known && each().all(|worth| worth.is_final),
        };
        let mut notes = self.notes(is_interrupted, worth);
        notes.extend(self.kept.iter().take(MOST_PROBLEMS).flat_map(problem_notes));
        let graded = self.kept.iter().map(|kept| &kept.graded);
        AutograderResult {
            worth,
            is_refused: !problems.is_empty()
                && graded.clone().all(|one| one.compile_error().is_some()),
            started: self.started.clone(),
            cpu_us: graded.map(cpu_us).fold(0, u64::saturating_add),
            problems,
            text: notes.join("\n"),
        }
    }

    /// What there is to say of the whole.
    fn notes(&self, is_interrupted: bool, worth: Worth) -> Vec<String> {
        let mut notes = vec![];
        if !worth.is_known {
            notes.push(
                "THIS IS NOT A RESULT: not all could be judged, and that may not be your fault. \
                 Ask for it to be judged again."
                    .to_owned(),
            );
        }
        if is_interrupted {
            notes.push("Judging was interrupted.".to_owned());
        }
        if self.kept.is_empty() {
            notes.push("Nothing was judged.".to_owned());
        }
        if self.mistakes > 0 {
            let mistakes = counted(self.mistakes, "mistake");
            notes.push(format!("The problem itself has {mistakes}."));
        }
        if self.kept.len() > 1 && worth.is_known {
            notes.push(format!("All problems together: {}.", worth.in_words()));
        }
        if self.kept.len() > MOST_PROBLEMS {
            let more = self.kept.len() - MOST_PROBLEMS;
            notes.push(format!(
                "{more} more {} left out, and not counted.",
                if more == 1 {
                    "problem is"
                } else {
                    "problems are"
                }
            ));
        }
        notes
    }
}

fn problem(kept: &CountingSubmission, has_name: bool) -> ProblemResult {
    let graded = &kept.graded;
    let worth = graded.worth();
    let problem = one_line(&graded.problem);
    let mut tests = tests(graded);
    if tests.iter().all(|test| test.points.is_none()) {
        // The points are those of the whole.
        tests.push(AutograderTest {
            name: "all cases".to_owned(),
            points: Some((worth.earned, worth.of)),
            has_passed: worth.is_final && worth.earned >= worth.of,
            is_open: true,
            text: verdict_line(graded),
            drawing: None,
        });
    }
    if has_name {
        for test in &mut tests {
            test.name = format!("{problem}: {}", test.name);
        }
    }
    ProblemResult {
        name: problem,
        worth,
        tests,
    }
}

/// The groups that give points. Where these do not add up to those of the submission,
/// and where no points are given, the cases, without points.
fn tests(graded: &Graded) -> Vec<AutograderTest> {
    let summary = graded.outcome.summary();
    let has_points = summary.is_some_and(|summary| summary.score.is_some());
    if graded.compile_error().is_some() && !has_points {
        return vec![];
    }
    let worth = graded.worth();
    let sum = |points: fn(&GradedPart) -> Option<PointValue>| {
        graded.parts.iter().filter_map(points).sum::<PointValue>()
    };
    let adds_up = has_points
        && sum(|part| part.earned) == worth.earned
        && sum(|part| part.of) == worth.of;
    let parts = graded.parts.iter();
    if has_points || graded.cases().count() > MOST_CASES {
        return parts.map(|part| part_test(part, adds_up)).collect();
    }
    parts
        .flat_map(|part| {
            part.cases.iter().map(|case| AutograderTest {
                name: one_line(&case.name),
                points: None,
                has_passed: case.is_accepted(),
                is_open: part.is_open,
                text: [Some(case_line(case)), details(case)]
                    .into_iter()
                    .flatten()
                    .joined("\n"),
                drawing: drawing(case),
            })
        })
        .collect()
}

fn part_test(part: &GradedPart, adds_up: bool) -> AutograderTest {
    let failed = part.first_failed();
    let why =
        failed.map(|case| format!("{}: {}", one_line(&case.name), case_line(case)));
    let cases = || part.cases.iter();
    let all = counted(part.cases.len(), "case");
    let mut counts = if part.was_run() {
        format!("{} of {all} passed", part.passed())
    } else {
        format!("{all}, not run")
    };
    let faults = cases().filter(|case| case.verdict.is_none()).count();
    if faults > 0 {
        counts += &format!(", the judge itself failed at {faults}");
    }
    let expired = cases().filter(|case| case.is_expired).count();
    if expired > 0 {
        counts +=
            &format!(", {expired} not judged because the time for judging was over");
    }
    let points = part.earned.zip(part.of);
    let of_whole = points
        .filter(|_| !adds_up)
        .map(|(earned, of)| format!("{earned} of {}", of.in_words()));
    let lines = [of_whole, Some(counts), why, failed.and_then(details)];
    AutograderTest {
        name: match &*part.name {
            "" => "cases".to_owned(),
            name => one_line(name),
        },
        points: points.filter(|_| adds_up),
        has_passed: part.has_passed(),
        is_open: part.is_open,
        text: lines.into_iter().flatten().joined("\n"),
        drawing: failed.and_then(drawing),
    }
}

/// The picture of a trial, which the log has only of what may be known.
fn drawing(case: &GradedCase) -> Option<String> {
    drawn_grid(case.record.as_ref()?)
}

/// The verdict of a case in words, with the reason.
fn case_line(case: &GradedCase) -> String {
    match case.verdict {
        None => format!("the judge itself failed here {}", case.why),
        Some(_) if case.is_expired => {
            "not judged: the time for judging was over".to_owned()
        }
        Some(verdict) if case.why.is_empty() || case.why == verdict.meaning() => {
            verdict.with_meaning()
        }
        Some(verdict) => format!("{}: {}", verdict.with_meaning(), case.why),
    }
}

/// What else is known of a failed case.
fn details(case: &GradedCase) -> Option<String> {
    let record = case.record.as_ref()?;
    let details = shortened(&explain::details_of_trial(record), LONGEST_DETAILS);
    (!details.is_empty()).then_some(details)
}

/// The name of the submission, without the folders of the judge in which it may be.
fn name(graded: &Graded) -> String {
    let name = &graded.submission;
    let is_path = name.starts_with(['/', '.']);
    one_line(match name.rsplit_once('/') {
        Some((_, file)) if is_path => file,
        _ => name,
    })
}

/// The submission that counts, its verdict and its points.
fn verdict_line(graded: &Graded) -> String {
    let name = name(graded);
    match &graded.outcome {
        GradedOutcome::Judged(summary) => {
            let verdict = summary
                .verdict
                .map_or_else(|| "no verdict".to_owned(), Verdict::with_meaning);
            let reason = match &*summary.reason {
                "" => String::new(),
                reason => format!(": {}", one_line(reason)),
            };
            let score = summary.score.as_ref().filter(|score| score.of.is_none());
            let no_share = score.map(|score| {
                format!("; its points, {score}, are no share, and do not count")
            });
            let points = graded.worth().in_words();
            let no_share = text_or_none(no_share);
            format!("{name}: {verdict}, {points}{reason}{no_share}")
        }
        GradedOutcome::Skipped(skip) => {
            format!("{name}: cannot be judged: {}", one_line(&skip.cause))
        }
        GradedOutcome::Interrupted => format!("{name}: judging was interrupted"),
    }
}

/// What there is to say of the submission to a problem that counts.
fn problem_notes(kept: &CountingSubmission) -> Vec<String> {
    let graded = &kept.graded;
    let mut notes = vec![];
    if kept.of > 1 {
        notes.push(format!(
            "Of {} to {}, the one with the most points counts, of several the last: {}.",
            counted(kept.of, "submission"),
            one_line(&graded.problem),
            name(graded)
        ));
    }
    notes.push(verdict_line(graded));
    match &graded.outcome {
        GradedOutcome::Judged(summary) if summary.faults > 0 => notes.push(format!(
            "The judge itself failed at {}; this says nothing about the program.",
            counted(summary.faults, "case")
        )),
        _ => {}
    }
    if graded.is_expired() {
        notes.push(
            "Not all cases were judged, because the time for judging was over. They count as not \
             passed."
                .to_owned(),
        );
    }
    if let Some(record) = graded.compile_error() {
        notes.push(shortened(
            &explain::details_of_trial(record),
            LONGEST_DETAILS,
        ));
    }
    notes
}

/// CPU time of all cases and of the compiler, in microseconds.
fn cpu_us(graded: &Graded) -> u64 {
    let summary = graded.outcome.summary();
    let compiler = summary.and_then(|summary| summary.compile_us);
    graded
        .cases()
        .filter_map(|case| case.cpu_us)
        .chain(compiler)
        .fold(0, u64::saturating_add)
}

impl AutograderResult {
    /// All tests, with their numbers, as `1.1`.
    fn tests(&self) -> impl Iterator<Item = (String, &AutograderTest)> {
        (1..).zip(&self.problems).flat_map(|(problem, found)| {
            let tests = (1..).zip(&found.tests);
            tests.map(move |(test, found)| (format!("{problem}.{test}"), found))
        })
    }
}

impl AutograderTest {
    /// Whether it has passed, in words.
    fn outcome(&self) -> &'static str {
        if self.has_passed {
            "passed"
        } else {
            "not passed"
        }
    }

    /// Its number, name, outcome and points in a line.
    fn head(&self, number: &str) -> String {
        let points = self.points.map(|(earned, of)| format!(" {earned}/{of}"));
        format!(
            "{number} {}: {}{}",
            self.name,
            self.outcome(),
            points.unwrap_or_default()
        )
    }
}
