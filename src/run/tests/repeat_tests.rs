//! Cases that are judged several times: in which order, what is reported, and what is
//! not run any more.

use std::collections::HashMap;

use gridjudge_sandbox::Usage;

use super::*;
use crate::model::TrialRecord;

impl SuiteFixture {
    fn repeated(cases: usize, repeat: usize) -> Self {
        Self {
            repeat,
            ..Self::with_cases(cases)
        }
    }
}

/// Records how often each case was run, and the order of all runs.
#[derive(Default)]
struct Runs(Mutex<(HashMap<usize, usize>, Vec<usize>)>);

impl Runs {
    /// Which run of its case this is, from 0.
    fn next(&self, launch: &Launch) -> usize {
        let case = case_of(launch);
        let (counts, order) = &mut *self.0.lock().unwrap();
        order.push(case);
        let count = counts.entry(case).or_default();
        *count += 1;
        *count - 1
    }

    fn order(&self) -> Vec<usize> {
        self.0.lock().unwrap().1.clone()
    }
}

fn run_of(cpu_ms: u64, stdout: &str) -> Run {
    let cpu = Duration::from_millis(cpu_ms);
    Run {
        usage: Usage {
            cpu,
            wall: cpu,
            ..Usage::default()
        },
        ..ScriptedSandbox::clean(stdout)
    }
}

fn records(events: &[Event]) -> Vec<&TrialRecord> {
    events
        .iter()
        .filter_map(|event| match event {
            Event::TrialFinished(record) => Some(&**record),
            _ => None,
        })
        .collect()
}

fn attempts(record: &TrialRecord) -> String {
    record
        .attempts
        .iter()
        .map(|attempt| format!("{} {}", attempt.verdict, attempt.cpu_us / 1000))
        .collect::<Vec<_>>()
        .join(", ")
}

#[test]
fn attempts_are_listed_in_order_and_the_first_not_accepted_decides_with_the_median_of_its_verdict()
 {
    let fixture = SuiteFixture::repeated(2, 5);
    for jobs in [1, 4] {
        let runs = Runs::default();
        let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
            let run = runs.next(launch);
            Ok(match case_of(launch) {
                0 => run_of([5, 1, 2, 9, 3][run], RIGHT),
                _ => [
                    run_of(10, RIGHT),
                    run_of(30, WRONG),
                    run_of(20, RIGHT),
                    run_of(50, WRONG),
                    run_of(1, ""),
                ]
                .into_iter()
                .nth(run)
                .unwrap(),
            })
        });
        // With several workers, attempts at one case may overtake each other, so only
        // one worker gives a fixed list.
        let events = fixture.judge(&fixture.plan(&["a"]), jobs, false, &sandbox);
        let records = records(&events);
        assert_eq!(
            (records[0].verdict, records[0].cpu_us, records[0].is_flaky()),
            (Verdict::Accepted, Some(3000), false)
        );
        assert_eq!(
            (records[1].verdict, records[1].is_flaky()),
            (Verdict::WrongAnswer, true)
        );
        if jobs == 1 {
            assert_eq!(attempts(records[0]), "AC 5, AC 1, AC 2, AC 9, AC 3");
            assert_eq!(attempts(records[1]), "AC 10, WA 30, AC 20, WA 50, WA 1");
            assert_eq!(
                (records[1].cpu_us, records[1].wall_us),
                (Some(30_000), Some(30_000))
            );
        }
        let Some(Event::SubmissionFinished(summary)) = events.iter().rev().nth(1)
        else {
            panic!("{events:?}")
        };
        assert_eq!(
            (summary.flaky, summary.passed, summary.is_as_expected()),
            (1, 1, false)
        );
        let Some(Event::SuiteFinished(tally)) = events.last() else {
            panic!("{events:?}")
        };
        assert_eq!((tally.flaky, tally.trials, tally.surprising), (1, 2, 1));
    }
}

#[test]
fn cases_take_turns_and_are_reported_in_order() {
    let fixture = SuiteFixture::repeated(3, 3);
    let runs = Runs::default();
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        runs.next(launch);
        Ok(run_of(1, RIGHT))
    });
    let events = fixture.judge(&fixture.plan(&["a"]), 1, true, &sandbox);
    assert_eq!(runs.order(), [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    assert_eq!(
        report_lines(&events)[..3],
        ["a secret/0 AC", "a secret/1 AC", "a secret/2 AC"]
    );
    let mut attempts = records(&events)
        .into_iter()
        .flat_map(|record| &record.attempts);
    assert!(
        attempts.all(|attempt| attempt
            .calibration_ns
            .is_some_and(|calibration| calibration > 0)),
        "each has its calibration"
    );
}

#[test]
fn all_attempts_at_the_settling_case_are_made_and_later_cases_are_abandoned() {
    let fixture = SuiteFixture::repeated(200, 4);
    for jobs in [1, 3] {
        let runs = Runs::default();
        let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
            let run = runs.next(launch);
            let case = case_of(launch);
            Ok(run_of(
                1,
                if (case, run) == (1, 2) || (case, run) == (5, 0) {
                    WRONG
                } else {
                    RIGHT
                },
            ))
        });
        let events = fixture.judge(&fixture.plan(&["a"]), jobs, true, &sandbox);
        assert_eq!(
            report_lines(&events)[..3],
            ["a secret/0 AC", "a secret/1 WA", "a secret/2 SK"]
        );
        assert_eq!(report_lines(&events).len(), 201);
        let order = runs.order();
        assert_eq!(order.iter().filter(|case| **case == 1).count(), 4);
        assert!(order.len() < 400, "{} runs", order.len());
        if jobs == 1 {
            // Case 5 runs only in rounds that began before the submission was settled.
            assert!(order.iter().filter(|case| **case == 5).count() <= 4);
        }
    }
}

#[test]
fn an_attempt_that_the_judge_fails_at_is_a_fault_of_the_case() {
    let fixture = SuiteFixture::repeated(2, 3);
    let runs = Runs::default();
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        match (case_of(launch), runs.next(launch)) {
            (0, 1) => Err(Fault::because("starting", "no processes left")),
            (0, 2) => Ok(run_of(1, WRONG)),
            _ => Ok(run_of(1, RIGHT)),
        }
    });
    let lines =
        report_lines(&fixture.judge(&fixture.plan(&["a"]), 1, false, &sandbox));
    assert_eq!(
        lines[..2],
        [
            "a secret/0 fault: starting: no processes left",
            "a secret/1 AC"
        ]
    );
}

#[test]
fn with_several_attempts_only_those_with_a_time_verdict_are_judged_again() {
    let fixture = SuiteFixture::repeated(2, 3);
    let runs = Runs::default();
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        let run = runs.next(launch);
        Ok(match (case_of(launch), run) {
            // Too slow beside others, and fast enough alone.
            (0, 1) => run_of(1010, RIGHT),
            (0, _) => run_of(990, RIGHT),
            _ => run_of(900, RIGHT),
        })
    });
    let events = fixture.judge(&fixture.plan(&["a"]), 1, false, &sandbox);
    let records = records(&events);
    assert_eq!(attempts(records[0]), "AC 990, AC 990, AC 990");
    assert_eq!(
        (
            runs.order().len(),
            records[0].is_flaky(),
            records[0].verdict
        ),
        (7, false, Verdict::Accepted)
    );
}
