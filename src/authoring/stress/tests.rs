//! Tests that bugs planted in a scripted program are found, and their inputs shrunk to
//! what the bugs need.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use gridjudge_grid::{
    BLANK, CellSpacing, Format, GridCount, Layout, OrderLine, OrderNumber,
    OrderPlace, Replies, Shape, Symbols,
};
use gridjudge_sandbox::{
    Exit, Fault, Input, Launch, Limits, Run, Sandbox, ScriptedSandbox, Usage,
};

use super::*;
use crate::model::{
    Accept, GridTask, Problem, Program, Submission, Task, Trial, Verdict,
};
use crate::proof;
use crate::run::{JudgingPrograms, PlanEntry};

const LIMITS: Limits = Limits {
    cpu: Duration::from_secs(1),
    wall: Duration::from_secs(2),
    memory_bytes: 1 << 30,
    output_bytes: 1 << 20,
    processes: 1,
    frequent_samples: false,
    address_space: None,
};

fn problem(orders: &[u64], accept: Accept) -> Problem {
    let input = Layout::bare(GridCount::First { most: 50 }, CellSpacing::Joined);
    Problem {
        scoring: Default::default(),
        case_tasks: Default::default(),
        supplies: Default::default(),
        file_streams: Default::default(),
        id: "p".into(),
        name: "P".into(),
        source: None,
        task: Task::Grid(GridTask {
            format: Format {
                shapes: orders
                    .iter()
                    .map(|&order| Shape::square(order).unwrap())
                    .collect(),
                symbols: Symbols::characters("123456789", "."),
                input,
                output: Layout::bare(GridCount::AsInput, CellSpacing::Joined),
                replies: Replies::default(),
            },
            accept,
        }),
        limits: LIMITS,
        allowances: Default::default(),
    }
}

fn nine() -> Problem {
    problem(&[9], Accept::Unique)
}

/// The task of a problem of grids.
fn task(problem: &Problem) -> &GridTask {
    problem.task.as_grid().unwrap()
}

fn with(problem: Problem, change: impl FnOnce(&mut Format)) -> Problem {
    let mut task = problem.task.as_grid().unwrap().clone();
    change(&mut task.format);
    Problem {
        task: Task::Grid(task),
        ..problem
    }
}

/// How a scripted program fails.
#[derive(Clone, Copy, Debug)]
enum FailureMode {
    Silent,
    Crash,
    Slow,
    Idle,
}

fn failing_run(mode: FailureMode) -> Run {
    let clean = ScriptedSandbox::clean("");
    let usage = |cpu, wall| Usage {
        cpu: Duration::from_secs(cpu),
        wall: Duration::from_secs(wall),
        ..Usage::default()
    };
    match mode {
        FailureMode::Silent => clean,
        FailureMode::Crash => Run {
            exit: Exit::Signal(11),
            ..clean
        },
        FailureMode::Slow => Run {
            usage: usage(5, 5),
            ..clean
        },
        FailureMode::Idle => Run {
            usage: usage(0, 5),
            ..clean
        },
    }
}

/// The input of a launch, and the answer to it.
fn texts(problem: &Problem, launch: &Launch) -> (Vec<u8>, Vec<u8>) {
    let Input::Bytes(input) = &launch.input else {
        panic!("{launch:?}")
    };
    let mut answer = vec![];
    proof::solve(problem, input.as_slice(), &mut answer).unwrap();
    (input.clone(), answer)
}

/// A program that is right except on inputs for which `is_trigger` holds.
fn buggy<'a>(
    problem: &'a Problem,
    mode: FailureMode,
    is_trigger: impl Fn(&[DraftGrid]) -> bool + Send + Sync + 'a,
) -> impl Sandbox + 'a {
    ScriptedSandbox::new(move |launch, _| {
        let (input, answer) = texts(problem, launch);
        let grids = Draft::grids_of(task(problem), &input).unwrap();
        Ok(if is_trigger(&grids) {
            failing_run(mode)
        } else {
            ScriptedSandbox::clean(answer)
        })
    })
}

/// A search with a scripted program as the submission.
struct ScriptedSearch<'a> {
    entry: PlanEntry,
    program: Program,
    sandbox: &'a dyn Sandbox,
    interrupted: AtomicBool,
    budget: ShrinkBudget,
}

impl<'a> ScriptedSearch<'a> {
    fn new(problem: &Problem, sandbox: &'a dyn Sandbox) -> Self {
        Self {
            entry: PlanEntry {
                problem: Arc::new(problem.clone()),
                additional_sources: Default::default(),
                submission: Submission {
                    name: "s".into(),
                    path: "s".into(),
                    real: None,
                    expected: None,
                },
                language: None,
                language_refusal: None,
                answers: None,
                refusal: None,
                cases: Arc::new([]),
                expectations: Default::default(),
                entrant: None,
                programs: JudgingPrograms::default(),
                shown_path: "s".into(),
            },
            program: Program {
                command: vec!["s".into()],
                environment: vec![],
                readable: vec![],
                entry_point: String::new(),
            },
            sandbox,
            interrupted: AtomicBool::new(false),
            budget: ShrinkBudget {
                runs: 20_000,
                time: None,
            },
        }
    }

    fn harness<'s>(&'s self, source: &'s InputSource<'_>) -> GridHarness<'s> {
        let submission = FuzzTarget {
            entry: &self.entry,
            program: &self.program,
        };
        GridHarness {
            source,
            targets: FuzzTargets {
                submission,
                against: None,
            },
            sandbox: self.sandbox,
        }
    }

    fn run(
        &self,
        source: &InputSource<'_>,
        jobs: usize,
        inputs: u64,
    ) -> FuzzResult<Draft> {
        Fuzzer {
            harness: &self.harness(source),
            jobs,
            inputs: Some(inputs),
            time: None,
            interrupted: &self.interrupted,
        }
        .run()
        .unwrap()
    }

    fn shrink(
        &self,
        source: &InputSource<'_>,
        failure: FailingInput,
    ) -> ShrinkResult {
        let harness = self.harness(source);
        Shrinker::new(harness, &self.interrupted, self.budget, failure)
            .shrink()
            .unwrap()
    }
}

/// The grids to which the first input of seed 1 that triggers a bug is shrunk.
#[track_caller]
fn shrunk(
    problem: &Problem,
    mode: FailureMode,
    is_trigger: impl Fn(&[DraftGrid]) -> bool + Send + Sync,
) -> Vec<DraftGrid> {
    let sandbox = buggy(problem, mode, &is_trigger);
    let search = ScriptedSearch::new(problem, &sandbox);
    let source = InputSource::new(task(problem), &[], &[], 1);
    let failure = search
        .run(&source, 2, 5_000)
        .failure
        .expect("the bug is found");
    let outcome = failure.outcome.clone();
    let shrunk = search.shrink(&source, failure);
    assert!(
        shrunk.is_done && shrunk.is_reproducible,
        "{} runs",
        shrunk.runs
    );
    assert!(shrunk.failure.outcome.is_like(&outcome));
    let grids = shrunk.failure.draft.grids;
    assert!(is_trigger(&grids));
    grids
}

/// A 7 in the last column, and an empty box.
fn is_rare(grid: &DraftGrid) -> bool {
    let shape = Shape::square(9).unwrap();
    let has_seven = (0..9).any(|row| grid.cells[9 * row + 8] == 7);
    has_seven
        && (0..9).any(|number| {
            let mut cells =
                (0..81).filter(|&cell| shape.region_of(cell) == Some(number));
            cells.all(|cell| grid.cells[cell] == BLANK)
        })
}

#[test]
fn a_bug_that_needs_a_rare_pattern_is_found_and_shrunk_to_one_grid() {
    for mode in [FailureMode::Silent, FailureMode::Crash] {
        let grids = shrunk(&nine(), mode, |grids| grids.iter().any(is_rare));
        let [grid] = &grids[..] else {
            panic!("{} grids", grids.len())
        };
        assert_eq!(grid.blanks(), 9);
        // The empty box is the first one, and the symbols come in order; the 7 of the
        // last column cannot be renamed.
        assert_eq!(grid.cells[..9], [0, 0, 0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(grid.cells[9 + 8], 9, "{:?}", grid.cells);
    }
}

#[test]
fn the_first_failure_is_the_same_for_any_number_of_threads_and_shrinks_to_the_same() {
    let problem = nine();
    let sandbox = buggy(&problem, FailureMode::Silent, |grids| {
        grids.iter().any(is_rare)
    });
    let of = |jobs| {
        let search = ScriptedSearch::new(&problem, &sandbox);
        let source = InputSource::new(task(&problem), &[], &[], 3);
        let failure = search.run(&source, jobs, 5_000).failure.unwrap();
        let number = failure.number;
        (number, search.shrink(&source, failure).failure.draft)
    };
    assert_eq!(of(1), of(4));
}

#[test]
fn the_next_input_is_made_while_one_runs() {
    let problem = nine();
    let callers = Mutex::new(0);
    let changed = Condvar::new();
    let sandbox = ScriptedSandbox::new(|launch, _| {
        let mut asked = callers.lock().unwrap();
        *asked += 1;
        changed.notify_all();
        let long = Duration::from_secs(20);
        let (asked, _) = changed
            .wait_timeout_while(asked, long, |asked| *asked < 2)
            .unwrap();
        assert_eq!(*asked, 2, "the second input comes after the first run");
        Ok(ScriptedSandbox::clean(texts(&problem, launch).1))
    });
    let search = ScriptedSearch::new(&problem, &sandbox);
    assert_eq!(
        search
            .run(&InputSource::new(task(&problem), &[], &[], 1), 1, 2)
            .inputs,
        2
    );
}

#[test]
fn an_input_that_takes_too_long_is_shrunk_like_any_other() {
    let grids = shrunk(&nine(), FailureMode::Slow, |grids| {
        grids.iter().any(|grid| grid.blanks() >= 20)
    });
    assert_eq!(
        grids.iter().map(DraftGrid::blanks).collect::<Vec<_>>(),
        [20]
    );
}

#[test]
fn a_bug_that_needs_two_grids_keeps_two() {
    let grids = shrunk(&nine(), FailureMode::Silent, |grids| {
        grids
            .windows(2)
            .any(|pair| pair[0].blanks() > 0 && pair[1].blanks() > pair[0].blanks())
    });
    assert_eq!(
        grids.iter().map(DraftGrid::blanks).collect::<Vec<_>>(),
        [1, 2]
    );
}

#[test]
fn an_empty_grid_is_simpler_than_one_with_many_clues() {
    let problem = problem(&[4], Accept::Any);
    let grids = shrunk(&problem, FailureMode::Crash, |grids| {
        grids.iter().any(|grid| grid.clues() <= 7)
    });
    assert_eq!(grids.iter().map(DraftGrid::clues).collect::<Vec<_>>(), [0]);
}

#[test]
fn a_grid_without_solution_is_shrunk_to_few_clues() {
    let problem = with(nine(), |format| format.replies.none = Some("none".into()));
    let solver = gridjudge_grid::solve::Solver::new(task(&problem).format.shape());
    let grids = shrunk(&problem, FailureMode::Silent, |grids| {
        grids
            .iter()
            .any(|grid| solver.solutions(&grid.cells, 1).unwrap().is_empty())
    });
    // Two equal symbols in a house.
    assert_eq!(grids.iter().map(DraftGrid::clues).collect::<Vec<_>>(), [2]);
    assert!(grids[0].cells.iter().all(|&value| value <= 1));
}

#[test]
fn large_grids_are_replaced_by_smaller_ones_if_orders_vary() {
    for place in [OrderPlace::File, OrderPlace::Case] {
        let problem = with(problem(&[4, 9], Accept::Unique), |format| {
            format.input.order_line = Some(OrderLine {
                place,
                number: OrderNumber::Order,
            });
        });
        // The first failing input has a grid of order 9, or the test would show
        // nothing.
        let has_seen_nine = AtomicBool::new(false);
        let grids = shrunk(&problem, FailureMode::Silent, |grids| {
            has_seen_nine.fetch_or(
                grids.iter().any(|grid| grid.shape == 1),
                Ordering::Relaxed,
            );
            has_seen_nine.load(Ordering::Relaxed)
                && grids.iter().any(|grid| grid.cells[0] == BLANK)
        });
        assert_eq!(
            grids
                .iter()
                .map(|grid| (grid.shape, grid.blanks()))
                .collect::<Vec<_>>(),
            [(0, 1)]
        );
    }
}

#[test]
fn a_doubtful_failure_that_does_not_repeat_alone_is_not_reported() {
    let problem = nine();
    let seen = Mutex::new(std::collections::HashSet::new());
    let sandbox = ScriptedSandbox::new(|launch, _| {
        let (input, answer) = texts(&problem, launch);
        let is_first = seen.lock().unwrap().insert(input.clone());
        Ok(if is_first && input.len() % 3 == 0 {
            failing_run(FailureMode::Idle)
        } else {
            ScriptedSandbox::clean(answer)
        })
    });
    let search = ScriptedSearch::new(&problem, &sandbox);
    let found = search.run(&InputSource::new(task(&problem), &[], &[], 1), 2, 50);
    assert!(found.failure.is_none());
    assert_eq!(found.inputs, 50);
}

#[test]
fn an_interrupt_keeps_the_smallest_input_so_far() {
    let problem = nine();
    let inner = buggy(&problem, FailureMode::Silent, |grids| {
        grids.iter().any(|grid| grid.blanks() >= 20)
    });
    let runs = AtomicU64::new(0);
    let interrupted: Mutex<Option<Arc<AtomicBool>>> = Mutex::new(None);
    let sandbox = ScriptedSandbox::new(|launch, limits| {
        if runs.fetch_add(1, Ordering::Relaxed) == 30
            && let Some(flag) = interrupted.lock().unwrap().as_ref()
        {
            flag.store(true, Ordering::Relaxed);
        }
        inner.run(launch, limits)
    });
    let search = ScriptedSearch::new(&problem, &sandbox);
    let source = InputSource::new(task(&problem), &[], &[], 2);
    let failure = search.run(&source, 1, 1000).failure.unwrap();
    runs.store(0, Ordering::Relaxed);
    let flag = Arc::new(AtomicBool::new(false));
    *interrupted.lock().unwrap() = Some(Arc::clone(&flag));
    let before = failure.draft.clone();
    let harness = search.harness(&source);
    let shrunk = Shrinker::new(harness, &flag, search.budget, failure)
        .shrink()
        .unwrap();
    assert!(!shrunk.is_done);
    assert!(shrunk.failure.draft.input.len() <= before.input.len());
    assert_ne!(shrunk.failure.draft, before);
    assert_eq!(shrunk.failure.outcome.trial.verdict, Verdict::WrongAnswer);
}

#[test]
fn shrinking_takes_no_more_runs_than_allowed() {
    let problem = nine();
    let sandbox = buggy(&problem, FailureMode::Silent, |grids| {
        grids.iter().any(|grid| grid.blanks() >= 20)
    });
    let mut search = ScriptedSearch::new(&problem, &sandbox);
    let source = InputSource::new(task(&problem), &[], &[], 2);
    let failure = search.run(&source, 1, 1000).failure.unwrap();
    search.budget.runs = 9;
    let shrunk = search.shrink(&source, failure);
    // One more run confirms the failure.
    assert_eq!((shrunk.runs, shrunk.is_done), (10, false));
}

#[test]
fn an_input_that_does_not_fail_again_is_not_steady() {
    let problem = nine();
    let seen = Mutex::new(std::collections::HashSet::new());
    let sandbox = ScriptedSandbox::new(|launch, _| {
        let (input, answer) = texts(&problem, launch);
        let is_first = seen.lock().unwrap().insert(input);
        Ok(if is_first {
            failing_run(FailureMode::Crash)
        } else {
            ScriptedSandbox::clean(answer)
        })
    });
    let mut search = ScriptedSearch::new(&problem, &sandbox);
    let source = InputSource::new(task(&problem), &[], &[], 2);
    let failure = search.run(&source, 1, 10).failure.unwrap();
    search.budget.runs = 0;
    assert!(!search.shrink(&source, failure).is_reproducible);
}

#[test]
fn with_another_program_only_a_different_verdict_is_a_failure() {
    let problem = nine();
    let sandbox = ScriptedSandbox::new(|launch, _| {
        let (input, answer) = texts(&problem, launch);
        let grids = Draft::grids_of(task(&problem), &input).unwrap();
        let is_old = launch.command == ["old"];
        // Both fail on more than four grids; the new one also on rare grids.
        let fails = grids.len() > 4
            || !is_old
                && grids
                    .iter()
                    .any(|grid| grid.cells[80] == 7 && is_rare(grid));
        Ok(if fails {
            failing_run(FailureMode::Crash)
        } else {
            ScriptedSandbox::clean(answer)
        })
    });
    let search = ScriptedSearch::new(&problem, &sandbox);
    let source = InputSource::new(task(&problem), &[], &[], 1);
    let old = Program {
        command: vec!["old".into()],
        environment: vec![],
        readable: vec![],
        entry_point: String::new(),
    };
    let interrupted = AtomicBool::new(false);
    let mut harness = search.harness(&source);
    harness.targets.against = Some(FuzzTarget {
        entry: &search.entry,
        program: &old,
    });
    let fuzzer = Fuzzer {
        harness: &harness,
        jobs: 2,
        inputs: Some(5_000),
        time: None,
        interrupted: &interrupted,
    };
    let found = fuzzer.run().unwrap();
    let failure = found.failure.clone().unwrap();
    let shrunk = Shrinker::new(harness, &interrupted, search.budget, failure)
        .shrink()
        .unwrap();
    assert!(found.alike > 0);
    let grids = &shrunk.failure.draft.grids;
    assert!(grids.len() == 1 && is_rare(&grids[0]) && grids[0].blanks() == 9);
    let outcome = &shrunk.failure.outcome;
    assert_eq!(outcome.trial.verdict, Verdict::RuntimeError);
    assert_eq!(
        outcome.against.as_ref().map(|other| other.verdict),
        Some(Verdict::Accepted)
    );
}

#[test]
fn a_fault_ends_the_search() {
    let problem = nine();
    let sandbox = ScriptedSandbox::new(|_, _| {
        Err(gridjudge_sandbox::Fault::because("running", "no room"))
    });
    let search = ScriptedSearch::new(&problem, &sandbox);
    let source = InputSource::new(task(&problem), &[], &[], 1);
    let fault = Fuzzer {
        harness: &search.harness(&source),
        jobs: 2,
        inputs: None,
        time: None,
        interrupted: &search.interrupted,
    }
    .run()
    .unwrap_err();
    assert_eq!(fault.to_string(), "running: no room");
}

/// Inputs that are their own numbers. From the first bound on, they fail; from the
/// second on, the judge fails.
struct Numbers([u64; 2]);

impl FuzzHarness for Numbers {
    type Input = u64;

    fn input(&self, number: u64) -> Result<Option<u64>, Fault> {
        Ok(Some(number))
    }

    fn targets(&self) -> FuzzTargets<'_> {
        unreachable!("no program is run")
    }

    fn trial(&self, _: FuzzTarget<'_>, _: &u64) -> Result<Trial, Fault> {
        unreachable!("no program is run")
    }

    fn judge(&self, input: &u64) -> Result<InputOutcome, Fault> {
        if *input >= self.0[1] {
            return Err(Fault::because("running", format!("no room for {input}")));
        }
        let verdict = if *input >= self.0[0] {
            Verdict::WrongAnswer
        } else {
            Verdict::Accepted
        };
        Ok(InputOutcome {
            trial: Trial { verdict, ..trial() },
            against: None,
        })
    }

    fn judge_again(
        &self,
        _: &u64,
        first: InputOutcome,
    ) -> Result<InputOutcome, Fault> {
        Ok(first)
    }
}

fn trial() -> Trial {
    Trial::new(Verdict::Accepted, Exit::Code(0), Usage::default())
}

#[test]
fn the_first_failure_counts_whether_of_a_program_or_of_the_judge() {
    let interrupted = AtomicBool::new(false);
    let run = |harness: &Numbers| {
        Fuzzer {
            harness,
            jobs: 4,
            inputs: None,
            time: None,
            interrupted: &interrupted,
        }
        .run()
    };
    for _ in 0..50 {
        let found = run(&Numbers([40, 41])).unwrap().failure.unwrap();
        assert_eq!(found.number, Some(40));
        assert_eq!(
            run(&Numbers([99, 40])).unwrap_err().to_string(),
            "running: no room for 40"
        );
    }
}
