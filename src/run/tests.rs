//! Suites on a scripted sandbox: which events come, in which order, and how the suite
//! ends.

mod answers_tests;
mod cached_tests;
mod job_tests;
mod points_tests;
mod repeat_tests;
mod rerun_tests;

use std::collections::HashSet;
use std::fs;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use gridjudge_grid::{
    CellSpacing, Format, GridCount, Layout, Replies, Shape, Symbols,
};
use gridjudge_sandbox::{
    Fault, Input, Interaction, InteractionRequest, Launch, Limits, Run, Sandbox,
    ScriptedSandbox, StopSwitch,
};

use super::*;
use crate::cache::Cache;
use crate::compile::{CachedCompiler, Compiler};
use crate::model::{
    Accept, Activity, AllowedVerdicts, Case, CaseNames, Expected, GridTask,
    JudgingPhase, LOG_VERSION, Problem, Submission, SuiteStart, Task, Verdict,
};

const INPUT: &str = "1\n****\n2341\n4123\n3214\n";
pub(crate) const RIGHT: &str = "1432\n2341\n4123\n3214\n";
pub(crate) const WRONG: &str = "1432\n2341\n4123\n3241\n";

/// A folder with cases and submissions of a 4x4 problem.
pub(crate) struct SuiteFixture {
    pub(crate) folder: tempfile::TempDir,
    problem: Arc<Problem>,
    cases: Arc<[Case]>,
    repeat: usize,
    expired: AtomicBool,
    activity: Activity,
}

impl SuiteFixture {
    pub(crate) fn with_cases(count: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("in"), INPUT).unwrap();
        fs::write(path("ans"), RIGHT).unwrap();
        let cases = (0..count)
            .map(|number| {
                // Each input has its own name, so that a script can distinguish them.
                let input = path(&format!("{number}.in"));
                fs::hard_link(path("in"), &input).unwrap();
                Case {
                    name: format!("secret/{number}"),
                    input,
                    answer: path("ans"),
                }
            })
            .collect();
        Self {
            folder,
            problem: Arc::new(problem()),
            cases,
            repeat: 1,
            expired: AtomicBool::new(false),
            activity: Activity::default(),
        }
    }

    pub(crate) fn plan(&self, submissions: &[&str]) -> Plan {
        let entries = submissions.iter().map(|name| {
            let path = self.folder.path().join(name);
            fs::write(&path, "").unwrap();
            fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
            PlanEntry {
                problem: Arc::clone(&self.problem),
                additional_sources: Default::default(),
                shown_path: path.clone(),
                submission: Submission {
                    name: (*name).to_owned(),
                    path,
                    real: None,
                    expected: None,
                },
                language: None,
                language_refusal: None,
                answers: None,
                refusal: None,
                cases: Arc::clone(&self.cases),
                expectations: Default::default(),
                entrant: None,
                programs: JudgingPrograms::default(),
            }
        });
        Plan {
            entries: entries.collect(),
            contest: None,
            shard: None,
            is_part: false,
        }
    }

    pub(crate) fn judge(
        &self,
        plan: &Plan,
        jobs: usize,
        stop_at_first: bool,
        sandbox: &dyn Sandbox,
    ) -> Vec<Event> {
        self.judge_until(plan, jobs, stop_at_first, sandbox, &AtomicBool::new(false))
    }

    fn judge_until(
        &self,
        plan: &Plan,
        jobs: usize,
        stop_at_first: bool,
        sandbox: &dyn Sandbox,
        interrupted: &AtomicBool,
    ) -> Vec<Event> {
        let mut events = vec![];
        self.emit_events(
            plan,
            jobs,
            stop_at_first,
            sandbox,
            interrupted,
            &mut |event| events.push(event),
        );
        events
    }

    fn emit_events(
        &self,
        plan: &Plan,
        jobs: usize,
        stop_at_first: bool,
        sandbox: &dyn Sandbox,
        interrupted: &AtomicBool,
        emit: &mut dyn FnMut(Event),
    ) {
        self.emit_events_with(
            None,
            plan,
            jobs,
            stop_at_first,
            sandbox,
            interrupted,
            emit,
        );
    }

    #[expect(clippy::too_many_arguments, reason = "everything that tests choose")]
    fn emit_events_with(
        &self,
        cache: Option<&Cache>,
        plan: &Plan,
        jobs: usize,
        stop_at_first: bool,
        sandbox: &dyn Sandbox,
        interrupted: &AtomicBool,
        emit: &mut dyn FnMut(Event),
    ) {
        let compiler = Compiler::new(self.folder.path().to_owned());
        let suite = Suite {
            plan,
            compiler: CachedCompiler {
                compiler: &compiler,
                cache,
                sandbox,
            },
            jobs,
            options: JudgingOptions {
                repeat: self.repeat,
                stop_at_first,
                ..JudgingOptions::default()
            },
            opening: SuiteStart {
                log_version: LOG_VERSION,
                sandbox: "scripted".to_owned(),
                ..SuiteStart::default()
            },
            root: Path::new("/"),
            interrupted,
            is_expired: &|| self.expired.load(Ordering::Relaxed),
            activity: &self.activity,
        };
        suite.judge(emit).unwrap();
    }
}

fn problem() -> Problem {
    let layout = |count| Layout::bare(count, CellSpacing::Joined);
    let second = Duration::from_secs(1);
    Problem {
        id: "p".into(),
        name: "P".into(),
        source: None,
        task: Task::Grid(GridTask {
            format: Format {
                shapes: vec![Shape::new(4, 2, 2).unwrap()],
                symbols: Symbols::characters("1234", "*"),
                input: layout(GridCount::First { most: 10 }),
                output: layout(GridCount::AsInput),
                replies: Replies::default(),
            },
            accept: Accept::Unique,
        }),
        limits: Limits {
            cpu: second,
            wall: 2 * second,
            memory_bytes: 100,
            output_bytes: 1000,
            processes: 1,
            frequent_samples: false,
            address_space: None,
        },
        allowances: Default::default(),
        scoring: Default::default(),
        case_tasks: Default::default(),
        supplies: Default::default(),
        file_streams: Default::default(),
    }
}

/// The number of the case that a launch is for.
pub(crate) fn case_of(launch: &Launch) -> usize {
    let Input::CopyOf(path) = &launch.input else {
        panic!("a case has an input")
    };
    path.file_stem().unwrap().to_str().unwrap().parse().unwrap()
}

pub(crate) fn is_of(launch: &Launch, submission: &str) -> bool {
    Path::new(&launch.command[0]).ends_with(submission)
}

/// One line for the verdict of each case and of each submission.
pub(crate) fn report_lines(events: &[Event]) -> Vec<String> {
    events
        .iter()
        .filter_map(|event| match event {
            Event::TrialFinished(trial) => Some(format!(
                "{} {} {}",
                trial.submission, trial.case, trial.verdict
            )),
            Event::TrialFaulted(failed) => Some(format!(
                "{} {} fault: {}",
                failed.submission, failed.case, failed.fault
            )),
            Event::SubmissionFinished(summary) => Some(format!(
                "{}: {} {}/{}",
                summary.submission,
                summary.verdict.map_or("fault", Verdict::code),
                summary.passed,
                summary.cases
            )),
            Event::SuiteInterrupted(_) => Some("interrupted".to_owned()),
            _ => None,
        })
        .collect()
}

/// Right output, except for case 2 of submission `b`.
fn mostly_right(launch: &Launch) -> Run {
    let wrong = is_of(launch, "b") && case_of(launch) == 2;
    ScriptedSandbox::clean(if wrong { WRONG } else { RIGHT })
}

#[test]
fn the_activity_shows_each_run_while_it_lasts_and_nothing_afterwards() {
    let fixture = SuiteFixture::with_cases(2);
    let seen = Mutex::new(vec![]);
    let slow = AtomicBool::new(true);
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        seen.lock()
            .unwrap()
            .push((case_of(launch), fixture.activity.now()));
        let mut run = ScriptedSandbox::clean(RIGHT);
        // The first run is slightly too slow, so the case is judged again.
        if slow.swap(false, Ordering::Relaxed) {
            run.usage.cpu = Duration::from_millis(1100);
        }
        Ok(run)
    });
    fixture.judge(&fixture.plan(&["a"]), 1, true, &sandbox);
    let mut phases: Vec<_> = seen
        .into_inner()
        .unwrap()
        .into_iter()
        .map(|(case, doing)| {
            (
                case,
                doing.iter().any(|doing| {
                    doing.entry == 0 && doing.phase == JudgingPhase::Judging(case)
                }),
                doing
                    .iter()
                    .any(|doing| doing.phase == JudgingPhase::JudgingAgain(case)),
            )
        })
        .collect();
    phases.sort_unstable();
    assert_eq!(
        phases,
        [(0, false, true), (0, true, false), (1, true, false)]
    );
    assert_eq!(fixture.activity.now(), []);
}

#[test]
fn events_come_in_the_order_of_the_plan_at_any_number_of_workers() {
    let fixture = SuiteFixture::with_cases(20);
    let plan = fixture.plan(&["a", "b", "c"]);
    let sandbox =
        ScriptedSandbox::new(|launch: &Launch, _: &Limits| Ok(mostly_right(launch)));
    for stop_at_first in [false, true] {
        let alone = report_lines(&fixture.judge(&plan, 1, stop_at_first, &sandbox));
        for jobs in [2, 8] {
            assert_eq!(
                report_lines(&fixture.judge(&plan, jobs, stop_at_first, &sandbox)),
                alone
            );
        }
        assert_eq!(alone.len(), 3 * 21);
        assert_eq!(alone[20], "a: AC 20/20");
        assert_eq!(alone[23], "b secret/2 WA");
        assert_eq!(
            alone[24],
            if stop_at_first {
                "b secret/3 SK"
            } else {
                "b secret/3 AC"
            }
        );
        assert_eq!(
            alone[41],
            if stop_at_first {
                "b: WA 2/20"
            } else {
                "b: WA 19/20"
            }
        );
    }
}

#[test]
fn promises_for_single_cases_are_checked_on_every_case() {
    let fixture = SuiteFixture::with_cases(4);
    let sandbox =
        ScriptedSandbox::new(|launch: &Launch, _: &Limits| Ok(mostly_right(launch)));
    let expected =
        |code: &str| Some(Expected::from(code.parse::<Verdict>().unwrap()));
    for (expectations, surprising) in
        [(["AC", "AC", "WA", "AC"], 0), (["WA", "AC", "WA", "WA"], 2)]
    {
        let mut plan = fixture.plan(&["b"]);
        plan.entries[0].submission.expected = expected("WA");
        let allowed = expectations.iter().map(|code| expected(code));
        plan.entries[0].expectations.allowed =
            AllowedVerdicts::new(&CaseNames::from_cases(&fixture.cases), allowed);
        let events = fixture.judge(&plan, 2, true, &sandbox);
        let Some(Event::SubmissionFinished(summary)) = events.get(6) else {
            panic!("{events:?}")
        };
        assert_eq!(
            (summary.passed, summary.surprising_cases),
            (3, surprising),
            "{expectations:?}"
        );
        assert_eq!(
            summary.is_as_expected(),
            surprising == 0,
            "{expectations:?}"
        );
        let Event::TrialFinished(first) = &events[1 + 1] else {
            panic!("{events:?}")
        };
        assert_eq!(first.is_as_expected(), surprising == 0, "{expectations:?}");
    }
}

#[test]
fn an_early_case_that_ends_last_is_still_reported_first() {
    let fixture = SuiteFixture::with_cases(6);
    let others = Mutex::new(0);
    let ended = Condvar::new();
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        let mut count = others.lock().unwrap();
        if case_of(launch) == 0 {
            drop(ended.wait_while(count, |count| *count < 5).unwrap());
        } else {
            *count += 1;
            ended.notify_all();
        }
        Ok(ScriptedSandbox::clean(RIGHT))
    });
    let lines =
        report_lines(&fixture.judge(&fixture.plan(&["a"]), 2, false, &sandbox));
    let expected: Vec<_> = (0..6).map(|case| format!("a secret/{case} AC")).collect();
    assert_eq!(lines[..6], expected);
}

/// Case 0 is wrong as soon as case 1 has begun, which never ends by itself.
struct EndlessSecondCase(AtomicBool);

impl Sandbox for EndlessSecondCase {
    fn run(&self, _: &Launch, _: &Limits) -> Result<Run, Fault> {
        unreachable!("a submission is run until it is settled")
    }

    fn run_until(
        &self,
        launch: &Launch,
        _: &Limits,
        stop: &StopSwitch,
    ) -> Result<Run, Fault> {
        let is_over = || match case_of(launch) {
            0 => self.0.load(Ordering::SeqCst),
            _ => {
                self.0.store(true, Ordering::SeqCst);
                stop.is_thrown()
            }
        };
        while !is_over() {
            thread::yield_now();
        }
        Ok(ScriptedSandbox::clean(WRONG))
    }

    fn interact(&self, _: InteractionRequest<'_>) -> Result<Interaction, Fault> {
        unreachable!("no case is interactive")
    }
}

#[test]
fn a_run_is_ended_as_soon_as_an_earlier_case_has_settled_its_submission() {
    let fixture = SuiteFixture::with_cases(2);
    let sandbox = EndlessSecondCase(AtomicBool::new(false));
    let lines =
        report_lines(&fixture.judge(&fixture.plan(&["a"]), 2, true, &sandbox));
    assert_eq!(lines, ["a secret/0 WA", "a secret/1 SK", "a: WA 0/2"]);
}

#[test]
fn a_fault_is_no_verdict_and_does_not_stop_other_submissions() {
    let fixture = SuiteFixture::with_cases(2);
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        if is_of(launch, "a") {
            Err(Fault::because("starting", "no processes left"))
        } else {
            Ok(ScriptedSandbox::clean(RIGHT))
        }
    });
    let events = fixture.judge(&fixture.plan(&["a", "b"]), 2, true, &sandbox);
    assert_eq!(
        report_lines(&events),
        [
            "a secret/0 fault: starting: no processes left",
            "a secret/1 SK",
            "a: fault 0/2",
            "b secret/0 AC",
            "b secret/1 AC",
            "b: AC 2/2"
        ]
    );
    let tally = Tally {
        as_expected: 1,
        surprising: 1,
        skipped: 0,
        faults: 1,
        trials: 2,
        flaky: 0,
        cached: 0,
    };
    assert_eq!(events.last(), Some(&Event::SuiteFinished(tally)));
}

#[test]
fn a_panic_of_the_judge_is_a_fault_of_one_case() {
    let fixture = SuiteFixture::with_cases(3);
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        assert_ne!(case_of(launch), 1, "planted");
        Ok(ScriptedSandbox::clean(RIGHT))
    });
    let lines =
        report_lines(&fixture.judge(&fixture.plan(&["a"]), 2, false, &sandbox));
    assert!(
        lines[1].starts_with("a secret/1 fault: judging: a bug of gridjudge: "),
        "{lines:?}"
    );
    assert_eq!(lines[2..], ["a secret/2 AC", "a: fault 2/3"]);
}

#[test]
fn an_unreadable_answer_is_a_fault() {
    let fixture = SuiteFixture::with_cases(1);
    fs::remove_file(fixture.folder.path().join("ans")).unwrap();
    let sandbox = ScriptedSandbox::new(|_: &Launch, _: &Limits| {
        Ok(ScriptedSandbox::clean(RIGHT))
    });
    let lines =
        report_lines(&fixture.judge(&fixture.plan(&["a"]), 1, true, &sandbox));
    assert!(
        lines[0].starts_with("a secret/0 fault: reading "),
        "{lines:?}"
    );
}

#[test]
fn an_interrupted_suite_says_so_and_leaves_no_worker_waiting() {
    let fixture = SuiteFixture::with_cases(500);
    for jobs in [1, 4] {
        let interrupted = AtomicBool::new(false);
        let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
            if case_of(launch) == 3 {
                interrupted.store(true, Ordering::Relaxed);
            }
            Ok(ScriptedSandbox::clean(RIGHT))
        });
        let events = fixture.judge_until(
            &fixture.plan(&["a", "b"]),
            jobs,
            false,
            &sandbox,
            &interrupted,
        );
        let lines = report_lines(&events);
        assert_eq!(lines.last().map(String::as_str), Some("interrupted"));
        assert!(lines.len() < 500, "{}", lines.len());
    }
}

#[test]
fn after_the_deadline_nothing_is_begun_and_what_runs_counts() {
    for jobs in [1, 4] {
        let fixture = SuiteFixture::with_cases(4);
        let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
            if is_of(launch, "b") && case_of(launch) == 1 {
                fixture.expired.store(true, Ordering::Relaxed);
            }
            let wrong = is_of(launch, "wrong");
            Ok(ScriptedSandbox::clean(if wrong { WRONG } else { RIGHT }))
        });
        let plan = fixture.plan(&["wrong", "b", "c"]);
        let events = fixture.judge(&plan, jobs, true, &sandbox);
        let lines = report_lines(&events);
        let of_b: Vec<_> =
            lines.iter().filter(|line| line.starts_with("b")).collect();
        // With several workers, all cases may have begun by then.
        let all_begun = jobs > 1 && of_b.iter().all(|line| !line.ends_with(" SK"));
        if all_begun {
            assert_eq!(of_b[4], "b: AC 4/4");
            continue;
        }
        let judged = of_b.iter().filter(|line| line.ends_with(" AC")).count();
        assert!(jobs > 1 || judged == 2, "{of_b:?}");
        assert_eq!(*of_b[4], format!("b: SK {judged}/4"));
        assert!(lines.contains(&"wrong: WA 0/4".to_owned()), "{lines:?}");
        let summary = events.iter().find_map(|event| match event {
            Event::SubmissionFinished(summary) if &*summary.submission == "b" => {
                Some(summary)
            }
            _ => None,
        });
        let summary = summary.unwrap();
        assert_eq!(summary.reason, "not judged: the deadline came first");
        let first = format!("secret/{judged}");
        assert!(jobs > 1 || summary.worst_case == Some(first), "{summary:?}");
        let Some(Event::SuiteFinished(tally)) = events.last() else {
            panic!("it is not interrupted")
        };
        assert!(tally.skipped >= 1 && tally.surprising == 1, "{tally:?}");
    }
}

#[test]
fn a_panic_of_the_event_receiver_leaves_no_worker_waiting() {
    let fixture = SuiteFixture::with_cases(1500);
    let plan = fixture.plan(&["right"]);
    let sandbox = ScriptedSandbox::new(|_: &Launch, _: &Limits| {
        Ok(ScriptedSandbox::clean(RIGHT))
    });
    let listened = catch_unwind(AssertUnwindSafe(|| {
        fixture.emit_events(
            &plan,
            2,
            false,
            &sandbox,
            &AtomicBool::new(false),
            &mut |event| {
                assert!(!matches!(event, Event::TrialFinished(_)), "planted");
            },
        );
    }));
    assert!(listened.is_err());
}

#[test]
fn a_program_is_compiled_once_and_removed_after_its_last_case() {
    let fixture = SuiteFixture::with_cases(5);
    let seen = Mutex::new(HashSet::new());
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        let program = Path::new(&launch.command[0]);
        assert!(program.exists());
        seen.lock().unwrap().insert(program.to_owned());
        Ok(ScriptedSandbox::clean(RIGHT))
    });
    fixture.judge(&fixture.plan(&["a", "b"]), 3, false, &sandbox);
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.len(), 2);
    assert!(seen.iter().all(|program| !program.exists()));
}
