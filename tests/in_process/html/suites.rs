//! Events of suites that the tests of the HTML report show.

use gridjudge::model::{
    AttemptRecord, CellPosition, Event, Expected, Finding, FindingKind, FindingRule,
    GridPicture, LOG_VERSION, LoggedLimits, MistakeRecord, MistakeSeverity,
    ProblemCheck, SubmissionSkip, SubmissionStart, SubmissionSummary, SuiteStart,
    Tally, TrialFault, TrialRecord, Verdict,
};
use gridjudge_sandbox::{Exit, Fault};

pub(crate) fn started(submissions: usize) -> Event {
    Event::SuiteStarted(Box::new(SuiteStart {
        log_version: LOG_VERSION,
        gridjudge: "0.1.0".into(),
        sandbox: "full".into(),
        notes: vec!["memory is sampled".into()],
        machine: "a machine".into(),
        started: "2026-11-21T20:30:00Z".into(),
        jobs: 2,
        submissions,
        trials: 9,
        ..SuiteStart::default()
    }))
}

pub(crate) fn begun(
    problem: &str,
    submission: &str,
    expected: Option<Verdict>,
) -> Event {
    Event::SubmissionStarted(Box::new(SubmissionStart {
        problem: problem.into(),
        submission: submission.into(),
        path: format!("problems/{problem}/submissions/{submission}"),
        language: "C".into(),
        expected: expected.map(Expected::from),
        limits: Some(LoggedLimits {
            cpu_us: 1_000_000,
            wall_us: 2_000_000,
            memory_bytes: 64 << 20,
            output_bytes: 64 << 20,
            processes: 64,
        }),
        ..SubmissionStart::default()
    }))
}

pub(crate) fn mistake(problem: &str, name: &str, severity: MistakeSeverity) -> Event {
    Event::MistakeFound(Box::new(MistakeRecord {
        problem: problem.into(),
        check: ProblemCheck::InputValidators,
        severity,
        file: format!("data/{name}.in"),
        line: Some(3),
        message: format!("{name} is refused"),
        remedy: Some(format!("correct {name}")),
    }))
}

pub(crate) fn record(
    problem: &str,
    submission: &str,
    case: &str,
    verdict: Verdict,
) -> TrialRecord {
    let is_run = !matches!(verdict, Verdict::Skipped | Verdict::CompileError);
    TrialRecord {
        problem: problem.into(),
        submission: submission.into(),
        case: case.into(),
        verdict,
        expected: None,
        cpu_us: is_run.then_some(250_000),
        wall_us: is_run.then_some(2410),
        peak_memory_bytes: is_run.then_some(16 << 20),
        rerun: false,
        cached: false,
        expired: false,
        attempts: vec![],
        exit: None,
        pass: None,
        finding: None,
        further_findings: vec![],
        unlisted_findings: 0,
        parts_right: None,
        grids: None,
        points: None,
        checker_message: None,
        checker_images: vec![],
        picture: None,
        transcript: None,
        diff: None,
        stderr: String::new(),
    }
}

pub(crate) fn trial(record: TrialRecord) -> Event {
    Event::TrialFinished(Box::new(record))
}

pub(crate) fn ended(
    problem: &str,
    submission: &str,
    verdict: Verdict,
    expected: Option<Verdict>,
) -> Event {
    Event::SubmissionFinished(Box::new(SubmissionSummary {
        problem: problem.into(),
        submission: submission.into(),
        language: "C".into(),
        expected: expected.map(Expected::from),
        verdict: Some(verdict),
        worst_case: None,
        reason: String::new(),
        score: None,
        entrant: None,
        passed: 1,
        cases: 3,
        faults: 0,
        surprising_cases: 0,
        unmet: vec![],
        flaky: 0,
        slowest_cpu_us: 250_000,
        peak_memory_bytes: 16 << 20,
        compile_us: None,
    }))
}

pub(crate) fn clash(message: &str) -> Finding {
    Finding {
        kind: FindingKind::Wrong,
        grid: Some(1),
        row: Some(2),
        column: Some(4),
        other: Some(CellPosition { row: 2, column: 2 }),
        rule: Some(FindingRule::Row),
        line: Some(2),
        byte: Some(8),
        message: message.into(),
    }
}

/// A grid of order 4 with a changed clue, a blank, and a clash in row 2.
pub(crate) fn picture() -> GridPicture {
    GridPicture {
        grid: 1,
        order: 4,
        regions: "1 1 2 2 1 1 2 2 3 3 4 4 3 3 4 4".into(),
        diagonals: true,
        clues: "1 . . 4 . . . . 2 . . . . . . 1".into(),
        found: "1 2 3 4 3 2 1 2 2 1 . 3 4 3 2 3".into(),
        expected: "1 2 3 4 3 4 1 2 2 1 4 3 4 3 2 1".into(),
    }
}

/// A suite with every kind of event and result; its unexpected submissions have `name`
/// for every name and text.
pub(crate) fn suite(name: &str) -> Vec<Event> {
    let base = |verdict| record(name, name, name, verdict);
    let attempt = |verdict| AttemptRecord {
        verdict,
        cpu_us: 1,
        wall_us: 2,
        peak_memory_bytes: 3,
        calibration_ns: None,
    };
    let wrong = TrialRecord {
        finding: Some(clash(name)),
        further_findings: vec![clash(name); 9],
        unlisted_findings: 3,
        parts_right: Some(1),
        grids: Some(2),
        checker_message: None,
        checker_images: vec![],
        picture: Some(picture()),
        diff: Some(format!("-{name}\n+{name}\n same\n")),
        stderr: format!("{name}\n").repeat(40),
        ..base(Verdict::WrongAnswer)
    };
    let crash = TrialRecord {
        exit: Some(Exit::Signal(11)),
        stderr: name.repeat(20_000),
        cpu_us: Some(1_500_000),
        ..base(Verdict::TimeLimit)
    };
    let flaky = TrialRecord {
        attempts: vec![attempt(Verdict::Accepted), attempt(Verdict::WrongAnswer)],
        ..base(Verdict::WrongAnswer)
    };
    let fault = Fault::because(name, name).with_remedy(name);
    vec![
        started(5),
        mistake("p", name, MistakeSeverity::Error),
        mistake("p", name, MistakeSeverity::Warning),
        begun("p", "accepted/fine.c", Some(Verdict::Accepted)),
        trial(record(
            "p",
            "accepted/fine.c",
            "sample/1",
            Verdict::Accepted,
        )),
        trial(record(
            "p",
            "accepted/fine.c",
            "sample/2",
            Verdict::Accepted,
        )),
        ended(
            "p",
            "accepted/fine.c",
            Verdict::Accepted,
            Some(Verdict::Accepted),
        ),
        Event::SubmissionSkipped(Box::new(SubmissionSkip {
            problem: "p".into(),
            submission: name.into(),
            language: name.into(),
            cause: name.into(),
            remedy: name.into(),
            ..SubmissionSkip::default()
        })),
        begun(name, name, Some(Verdict::Accepted)),
        trial(wrong),
        trial(crash),
        Event::TrialFaulted(Box::new(TrialFault {
            problem: name.into(),
            submission: name.into(),
            case: name.into(),
            fault,
        })),
        trial(flaky),
        trial(base(Verdict::Skipped)),
        trial(base(Verdict::Skipped)),
        ended(name, name, Verdict::WrongAnswer, Some(Verdict::Accepted)),
        begun("q", "compile/bad.c", Some(Verdict::CompileError)),
        trial(TrialRecord {
            stderr: name.into(),
            ..base(Verdict::CompileError)
        }),
        ended(
            "q",
            "compile/bad.c",
            Verdict::CompileError,
            Some(Verdict::CompileError),
        ),
        Event::SuiteFinished(Tally {
            as_expected: 2,
            surprising: 1,
            skipped: 1,
            faults: 1,
            trials: 6,
            flaky: 1,
            cached: 2,
        }),
    ]
}
