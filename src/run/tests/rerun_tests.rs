//! Cases that are judged again: which ones, how, and with which result. CPU times are
//! in percent of the limit.

use std::collections::HashMap;
use std::sync::Barrier;
use std::sync::atomic::AtomicUsize;

use gridjudge_sandbox::{Exit, Usage};

use super::*;
use crate::model::{
    CaseWorth, CheckerPointsRule, ScoreGroup, ScoredLineRules, Scoring, TextTask,
    TrialRecord,
};

/// A run with this CPU time, in percent of the limit.
fn run_of(percent: u64, stdout: &str) -> Run {
    let usage = Usage {
        cpu: Duration::from_millis(10 * percent),
        ..Usage::default()
    };
    Run {
        usage,
        ..ScriptedSandbox::clean(stdout)
    }
}

/// Counts how often each case was run.
#[derive(Default)]
struct Attempts(Mutex<HashMap<usize, usize>>);

impl Attempts {
    /// Which run of its case this is, from 0.
    fn next(&self, launch: &Launch) -> usize {
        let mut counts = self.0.lock().unwrap();
        let count = counts.entry(case_of(launch)).or_default();
        *count += 1;
        *count - 1
    }

    fn of(&self, case: usize) -> usize {
        self.0.lock().unwrap().get(&case).copied().unwrap_or(0)
    }
}

fn records(events: Vec<Event>) -> Vec<TrialRecord> {
    events
        .into_iter()
        .filter_map(|event| match event {
            Event::TrialFinished(record) => Some(*record),
            _ => None,
        })
        .collect()
}

/// The verdict of a case, its CPU time in percent of the limit, and whether it was run
/// twice.
fn facts(record: &TrialRecord) -> (&'static str, u64, bool) {
    (
        record.verdict.code(),
        record.cpu_us.unwrap() / 10_000,
        record.rerun,
    )
}

fn idle(percent: u64) -> Run {
    let run = run_of(percent, RIGHT);
    Run {
        usage: Usage {
            wall: Duration::from_secs(3),
            ..run.usage
        },
        ..run
    }
}

fn flood(percent: u64) -> Run {
    Run {
        stdout_bytes: 1001,
        ..run_of(percent, RIGHT)
    }
}

/// A run that is stopped for its memory, in percent of the limit.
fn hog(percent: u64, memory_percent: u64) -> Run {
    let run = run_of(percent, RIGHT);
    let peak_memory_bytes = problem().limits.memory_bytes * memory_percent / 100;
    Run {
        usage: Usage {
            peak_memory_bytes,
            ..run.usage
        },
        out_of_memory: true,
        ..run
    }
}

/// A run whose measured memory is half the limit, but which may have hidden this many
/// bytes more.
fn hider(percent: u64, hidden_memory_bytes: u64) -> Run {
    let run = run_of(percent, RIGHT);
    let peak_memory_bytes = problem().limits.memory_bytes / 2;
    Run {
        usage: Usage {
            peak_memory_bytes,
            hidden_memory_bytes,
            ..run.usage
        },
        ..run
    }
}

fn crash(percent: u64) -> Run {
    Run {
        exit: Exit::Signal(11),
        ..run_of(percent, RIGHT)
    }
}

/// The first run of a case, each later run, the expected [`facts`], and the expected
/// number of runs.
type Script = (fn() -> Run, fn() -> Run, (&'static str, u64, bool), usize);

/// The second run of a case that must not be run twice.
fn none() -> Run {
    panic!("run twice")
}

const SCRIPTS: [Script; 24] = [
    (|| run_of(100, RIGHT), none, ("AC", 100, false), 1),
    (|| run_of(90, WRONG), none, ("WA", 90, false), 1),
    (|| crash(90), none, ("RE", 90, false), 1),
    (
        || run_of(101, RIGHT),
        || run_of(90, RIGHT),
        ("AC", 90, true),
        2,
    ),
    (
        || run_of(150, RIGHT),
        || run_of(100, RIGHT),
        ("AC", 100, true),
        2,
    ),
    (|| run_of(151, RIGHT), none, ("TLE", 151, false), 1),
    (
        || run_of(101, RIGHT),
        || run_of(126, RIGHT),
        ("TLE", 101, true),
        2,
    ),
    (
        || run_of(103, RIGHT),
        || run_of(102, RIGHT),
        ("TLE", 102, true),
        5,
    ),
    (
        || run_of(102, RIGHT),
        || run_of(103, RIGHT),
        ("TLE", 102, true),
        5,
    ),
    (
        || run_of(101, RIGHT),
        || run_of(90, WRONG),
        ("WA", 90, true),
        2,
    ),
    (
        || run_of(101, WRONG),
        || run_of(85, RIGHT),
        ("AC", 85, true),
        2,
    ),
    (|| crash(101), || crash(85), ("RE", 85, true), 2),
    (|| flood(90), none, ("OLE", 90, false), 1),
    // Breaches after the time limit do not count.
    (|| flood(101), || flood(90), ("OLE", 90, true), 2),
    (|| hog(151, 150), none, ("TLE", 151, false), 1),
    (|| hog(101, 126), || hog(90, 126), ("MLE", 90, true), 2),
    (|| hog(92, 125), || hog(91, 120), ("MLE", 91, true), 2),
    (|| hog(1, 101), || run_of(2, RIGHT), ("AC", 2, true), 2),
    (|| idle(1), || run_of(2, RIGHT), ("AC", 2, true), 2),
    // The memory limit is 100 bytes; up to 8 MiB of possibly hidden memory are ignored.
    (|| hider(1, 50), none, ("AC", 1, false), 1),
    (|| hider(2, 51), || hider(1, 50), ("AC", 1, true), 2),
    (|| hider(1, 51), || hog(2, 126), ("MLE", 2, true), 2),
    (|| hider(1, 60), || hider(2, 51), ("AC", 1, true), 5),
    (|| hider(1, 51), || hider(2, 9 << 20), ("AC", 1, true), 5),
];

#[test]
fn a_run_near_its_limit_is_judged_again_with_the_same_result_for_any_number_of_workers()
 {
    let fixture = SuiteFixture::with_cases(SCRIPTS.len());
    for jobs in [1, 2, 8] {
        let attempts = Attempts::default();
        let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
            let (first, again, ..) = SCRIPTS[case_of(launch)];
            Ok(if attempts.next(launch) == 0 {
                first()
            } else {
                again()
            })
        });
        let records =
            records(fixture.judge(&fixture.plan(&["a"]), jobs, false, &sandbox));
        let expected = SCRIPTS.map(|(_, _, expected, _)| expected);
        assert_eq!(
            records.iter().map(facts).collect::<Vec<_>>(),
            expected,
            "-j{jobs}"
        );
        let runs: Vec<_> = (0..SCRIPTS.len()).map(|case| attempts.of(case)).collect();
        assert_eq!(runs, SCRIPTS.map(|(.., runs)| runs), "-j{jobs}");
    }
}

#[test]
fn memory_that_no_run_explains_is_charged_to_the_program() {
    let fixture = SuiteFixture::with_cases(1);
    let sandbox =
        ScriptedSandbox::new(|_: &Launch, _: &Limits| Ok(hider(1, 9 << 20)));
    let record =
        &records(fixture.judge(&fixture.plan(&["a"]), 1, false, &sandbox))[0];
    assert_eq!(facts(record), ("MLE", 1, true));
    assert_eq!(
        record.peak_memory_bytes,
        Some((1 << 20) + problem().limits.memory_bytes / 2)
    );
}

#[test]
fn a_second_run_has_the_machine_to_itself() {
    const JOBS: usize = 4;
    let fixture = SuiteFixture::with_cases(40);
    let attempts = Attempts::default();
    let inside = AtomicUsize::new(0);
    let all_inside = Barrier::new(JOBS);
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        let others = inside.fetch_add(1, Ordering::SeqCst);
        let case = case_of(launch);
        let attempt = attempts.next(launch);
        if attempt == 0 && case < JOBS {
            // This many runs overlap as long as none is run again.
            all_inside.wait();
        }
        if attempt > 0 {
            // Other workers have cases left, and enough time to begin one if they were
            // allowed to.
            for _ in 0..200 {
                std::thread::yield_now();
            }
            assert_eq!((others, inside.load(Ordering::SeqCst)), (0, 1));
        }
        inside.fetch_sub(1, Ordering::SeqCst);
        Ok(run_of(
            if case.is_multiple_of(3) && attempt == 0 {
                110
            } else {
                1
            },
            RIGHT,
        ))
    });
    let records =
        records(fixture.judge(&fixture.plan(&["a"]), JOBS, false, &sandbox));
    let expected = (0..40_usize).map(|case| ("AC", 1, case.is_multiple_of(3)));
    assert!(records.iter().map(facts).eq(expected), "{records:?}");
}

/// The additional time shows whether a program over the limit needs slightly or much
/// more time.
#[test]
fn a_run_is_stopped_some_time_after_its_time_limit_and_a_second_one_is_sampled_closely()
 {
    let fixture = SuiteFixture::with_cases(1);
    let attempts = Attempts::default();
    let sandbox = ScriptedSandbox::new(|launch: &Launch, limits: &Limits| {
        let is_second = attempts.next(launch) > 0;
        let expected = if is_second {
            problem().limits.for_run_alone()
        } else {
            problem().limits.for_first_run()
        };
        assert_eq!(*limits, expected);
        Ok(run_of(101, RIGHT))
    });
    assert_eq!(
        report_lines(&fixture.judge(&fixture.plan(&["a"]), 1, true, &sandbox))[0],
        "a secret/0 TLE"
    );
}

#[test]
fn a_case_after_the_one_that_settled_its_submission_is_not_judged_again() {
    let fixture = SuiteFixture::with_cases(10);
    for jobs in [1, 4] {
        let attempts = Attempts::default();
        let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
            attempts.next(launch);
            Ok(run_of(101, RIGHT))
        });
        let lines =
            report_lines(&fixture.judge(&fixture.plan(&["a"]), jobs, true, &sandbox));
        assert_eq!(lines[..2], ["a secret/0 TLE", "a secret/1 SK"]);
        assert_eq!(attempts.of(0), 5);
        // A single worker begins none of them; others may, while the first case is
        // judged.
        assert!(jobs > 1 || (1..10).all(|case| attempts.of(case) == 0));
        assert!((1..10).all(|case| attempts.of(case) < 2));
    }
}

#[test]
fn a_second_run_that_the_judge_fails_at_is_a_fault() {
    let fixture = SuiteFixture::with_cases(2);
    let attempts = Attempts::default();
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        match (case_of(launch), attempts.next(launch)) {
            (_, 0) => Ok(run_of(110, RIGHT)),
            (0, _) => Err(Fault::because("starting", "no processes left")),
            _ => panic!("planted"),
        }
    });
    let lines =
        report_lines(&fixture.judge(&fixture.plan(&["a"]), 2, false, &sandbox));
    let faults = [
        "a secret/0 fault: starting: no processes left",
        "a secret/1 fault: judging: a bug of gridjudge: planted",
    ];
    assert_eq!(lines[..2], faults);
}

#[test]
fn an_interrupted_second_run_ends_the_suite_and_is_not_reported() {
    let fixture = SuiteFixture::with_cases(100);
    for jobs in [1, 4] {
        let interrupted = AtomicBool::new(false);
        let attempts = Attempts::default();
        let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
            if (case_of(launch), attempts.next(launch)) == (2, 1) {
                interrupted.store(true, Ordering::Relaxed);
                return Err(Fault::because("running", "interrupted"));
            }
            Ok(run_of(if case_of(launch) == 2 { 110 } else { 1 }, RIGHT))
        });
        let events = fixture.judge_until(
            &fixture.plan(&["a"]),
            jobs,
            false,
            &sandbox,
            &interrupted,
        );
        assert_eq!(
            report_lines(&events),
            ["a secret/0 AC", "a secret/1 AC", "interrupted"]
        );
    }
}

#[test]
fn a_submission_waits_for_its_second_run_while_the_cases_of_others_are_judged() {
    let fixture = SuiteFixture::with_cases(3);
    let order = Mutex::new(vec![]);
    let attempts = Attempts::default();
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        let is_slow =
            is_of(launch, "a") && case_of(launch) == 0 && attempts.next(launch) == 0;
        order
            .lock()
            .unwrap()
            .push((is_of(launch, "a"), case_of(launch)));
        Ok(run_of(if is_slow { 110 } else { 1 }, RIGHT))
    });
    // With more slots, a free one may begin the next case of `a` while its first is
    // being judged.
    let lines =
        report_lines(&fixture.judge(&fixture.plan(&["a", "b"]), 1, true, &sandbox));
    assert_eq!((&*lines[3], &*lines[7]), ("a: AC 3/3", "b: AC 3/3"));
    let of_b = [(false, 0), (false, 1), (false, 2)];
    let rest = [(true, 0), (true, 1), (true, 2)];
    assert_eq!(
        order.into_inner().unwrap(),
        [&[(true, 0)], &of_b[..], &rest].concat()
    );
}

/// The second run of case 1 ends when the failure of case 0 has settled and reported
/// case 1.
#[test]
fn a_second_run_that_ends_after_its_case_was_settled_holds_up_nothing() {
    let fixture = SuiteFixture::with_cases(4);
    let both_idle = Barrier::new(2);
    let attempts = Attempts::default();
    let reported = Mutex::new(0);
    let changed = Condvar::new();
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        match (case_of(launch), attempts.next(launch)) {
            (0 | 1, 0) => drop(both_idle.wait()),
            (1, _) => drop(
                changed
                    .wait_while(reported.lock().unwrap(), |trials| *trials < 2)
                    .unwrap(),
            ),
            _ => {}
        }
        Ok(idle(1))
    });
    let mut lines = vec![];
    fixture.emit_events(
        &fixture.plan(&["a"]),
        2,
        true,
        &sandbox,
        &AtomicBool::new(false),
        &mut |event| {
            if matches!(event, Event::TrialFinished(_)) {
                *reported.lock().unwrap() += 1;
                changed.notify_all();
            }
            lines.extend(report_lines(&[event]));
        },
    );
    assert_eq!(
        lines,
        [
            "a secret/0 ILE",
            "a secret/1 SK",
            "a secret/2 SK",
            "a secret/3 SK",
            "a: ILE 0/4"
        ]
    );
}

/// Doubtful and certain results of all kinds, by the numbers of the plan, the
/// submission, the case and the attempt.
fn any_run(plan: usize, submission: usize, case: usize, attempt: usize) -> Run {
    let mut state =
        (((plan * 31 + submission) * 31 + case) * 31 + attempt) as u64 + 1;
    for _ in 0..4 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
    }
    match state >> 60 {
        0 => run_of(1, WRONG),
        1 => run_of(151, RIGHT),
        2 | 3 => run_of(110, RIGHT),
        4 | 5 => idle(1),
        6 => hog(1, 110),
        7 => hider(1, 60),
        _ => run_of(1, RIGHT),
    }
}

#[test]
fn plans_with_all_kinds_of_doubtful_results_end_and_give_the_same_report_for_any_number_of_workers()
 {
    const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
    let fixture = SuiteFixture::with_cases(5);
    let suite = fixture.plan(&NAMES);
    for plan in 0..40 {
        for stop_at_first in [false, true] {
            let reports = [1, 2, 4, 7].map(|jobs| {
                let attempts = Mutex::new(HashMap::<(usize, usize), usize>::new());
                let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
                    let submission =
                        NAMES.iter().position(|name| is_of(launch, name)).unwrap();
                    let case = case_of(launch);
                    let attempt = {
                        let mut attempts = attempts.lock().unwrap();
                        let attempt = attempts.entry((submission, case)).or_default();
                        *attempt += 1;
                        *attempt - 1
                    };
                    for _ in 0..case * attempt {
                        std::thread::yield_now();
                    }
                    Ok(any_run(plan, submission, case, attempt))
                });
                report_lines(&fixture.judge(&suite, jobs, stop_at_first, &sandbox))
            });
            assert_eq!(reports[0].len(), 30);
            assert!(
                reports.iter().all(|report| *report == reports[0]),
                "{plan} {stop_at_first}: {reports:#?}"
            );
        }
    }
}

/// More may be printed in the additional time than until the limit, where a judge that
/// ends the run there stops reading.
#[test]
fn points_for_lines_of_a_run_that_is_too_slow_are_those_of_a_run_that_ends_at_the_limit()
 {
    let mut fixture = SuiteFixture::with_cases(1);
    let mut scoring = Scoring::default();
    let case = CaseWorth {
        accepted: 8.into(),
        checker: CheckerPointsRule::AtMostIfRejected,
        ..CaseWorth::default()
    };
    scoring.add(ScoreGroup {
        case,
        ..ScoreGroup::of_all_cases()
    });
    let task = Task::Text(TextTask::ScoredLines(ScoredLineRules::Equal));
    fixture.problem = Arc::new(Problem {
        task,
        scoring,
        ..problem()
    });
    let sandbox = ScriptedSandbox::new(|_: &Launch, limits: &Limits| {
        let is_exact = *limits == problem().limits;
        Ok(if is_exact {
            run_of(101, "1432\n2341\n")
        } else {
            run_of(160, RIGHT)
        })
    });
    let events = fixture.judge(&fixture.plan(&["a"]), 1, true, &sandbox);
    assert_eq!(report_lines(&events)[0], "a secret/0 TLE");
    let points = events.iter().find_map(|event| match event {
        Event::TrialFinished(trial) => trial.points,
        _ => None,
    });
    assert_eq!(points, Some(4.into()));
}
