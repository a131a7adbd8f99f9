//! Runs all hostile programs, at one level after another, and compares the outcomes
//! with the expected ones. Start at [`HostileSuite::run`].

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::{array, fs, slice};

use gridjudge_sandbox::{Exit, IsolationLevel};

use super::corpus::{Program, Sweep};
use super::sandboxes::{AttackTarget, Failure, HostileRun, SandboxSet, WallTime};
use crate::judge::share::Turn;

/// The program that runs after each other one.
const HONEST: &str = "honest";

/// Signals whose default is not to end the process: SIGCHLD, SIGCONT, the stop signals,
/// SIGURG, SIGWINCH; and those that the C library reserves for itself. Source:
/// signal(7).
const NON_FATAL_SIGNALS: [i32; 10] = [17, 18, 19, 20, 21, 22, 23, 28, 32, 33];

/// How often a program is run again, with nothing else running and more wall time, if a
/// busy machine may have caused its outcome.
const RETRIES: usize = 2;

/// How many programs run at the same time: most of them wait more than they compute.
const AT_ONCE: usize = 8;

/// The greatest number of mismatches that are printed.
const MAX_PRINTED: usize = 30;

/// All hostile programs, the levels that they run at, and the results so far.
pub(crate) struct HostileSuite<'a> {
    programs: &'a BTreeMap<String, Program>,
    levels: Vec<IsolationLevel>,
    findings: Mutex<Findings>,
}

#[derive(Default)]
struct Findings {
    mismatches: Vec<String>,
    /// The runs that were repeated, and why.
    retried: Vec<String>,
    /// The outcome of each program at each level.
    table: BTreeMap<(String, IsolationLevel), String>,
}

/// The outcomes of one program and of those that ran with it and after it.
#[derive(Default)]
struct ProgramResults {
    /// The name and the outcome of each.
    outcomes: Vec<(String, String)>,
    failures: Vec<Failure>,
}

impl<'a> HostileSuite<'a> {
    pub(crate) fn new(
        programs: &'a BTreeMap<String, Program>,
        levels: Vec<IsolationLevel>,
    ) -> Self {
        Self {
            programs,
            levels,
            findings: Mutex::default(),
        }
    }

    pub(crate) fn run(&self, compiled: &Path, target: &AttackTarget) {
        for (turn, level) in Turn::of_each(&self.levels) {
            self.run_at_level(turn, *level, compiled, target);
        }
    }

    /// Runs the programs whose turn it is at a level: first in several sandboxes of one
    /// slot each at the same time, and in pairs beside them; then those that must run
    /// alone and those that must be repeated.
    fn run_at_level(
        &self,
        turn: Turn,
        level: IsolationLevel,
        compiled: &Path,
        target: &AttackTarget,
    ) {
        let open = |_| SandboxSet::open(level, 1, compiled, target).unwrap();
        let sandboxes: [_; AT_ONCE] =
            array::from_fn(open).map(|set| set.with_turn(turn));
        let of_pairs = SandboxSet::open(level, 2, compiled, target).unwrap();
        let programs = self.programs.values().enumerate();
        let single = programs.filter(|(number, program)| {
            let is_beside =
                |other: &Program| other.beside.as_ref() == Some(&program.name);
            program.beside.is_none()
                && !self.programs.values().any(is_beside)
                && (program.sweep != Sweep::None || turn.has(*number))
        });
        let (exclusive, first): (Vec<_>, Vec<_>) = single
            .map(|(_, program)| program)
            .partition(|program| program.exclusive);
        let pairs = self
            .programs
            .values()
            .filter(|program| program.beside.is_some());
        let pairs: Vec<_> = turn.share(pairs).collect();
        let run_single = |sandboxes: &SandboxSet, program: &Program, wall_time| {
            self.run_program(sandboxes, program, wall_time)
        };
        let run_pair = |sandboxes: &SandboxSet, program: &Program, wall_time| {
            self.run_pair(sandboxes, program, wall_time)
        };
        let (late, late_pairs) = std::thread::scope(|scope| {
            let sets = slice::from_ref(&of_pairs);
            let beside =
                scope.spawn(|| self.run_in_parallel(level, sets, &pairs, run_pair));
            let late = self.run_in_parallel(level, &sandboxes, &first, run_single);
            (late, beside.join().unwrap())
        });
        for program in exclusive {
            let run = |wall_time| run_single(&sandboxes[0], program, wall_time);
            self.record_with_retries(level, program, run(WallTime::Default), run);
        }
        for (program, results) in late {
            self.record_with_retries(level, program, results, |wall_time| {
                run_single(&sandboxes[0], program, wall_time)
            });
        }
        for (program, results) in late_pairs {
            self.record_with_retries(level, program, results, |wall_time| {
                run_pair(&of_pairs, program, wall_time)
            });
        }
    }

    /// Distributes programs to sandboxes. Returns those that may have failed because
    /// the machine is busy, which are not recorded.
    fn run_in_parallel<'b>(
        &self,
        level: IsolationLevel,
        sandboxes: &[SandboxSet],
        programs: &[&'b Program],
        run: impl Fn(&SandboxSet, &Program, WallTime) -> ProgramResults + Sync,
    ) -> Vec<(&'b Program, ProgramResults)> {
        let next = AtomicUsize::new(0);
        let uncertain = Mutex::new(vec![]);
        std::thread::scope(|scope| {
            for sandboxes in sandboxes {
                scope.spawn(|| {
                    while let Some(program) = programs.get(next.fetch_add(1, Relaxed))
                    {
                        let results = run(sandboxes, program, WallTime::Default);
                        if results.is_uncertain() {
                            uncertain.lock().unwrap().push((*program, results));
                        } else {
                            self.record(level, program, results);
                        }
                    }
                });
            }
        });
        uncertain.into_inner().unwrap()
    }

    /// Whether any level is available.
    pub(crate) fn has_levels(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Repeats the run of a program while a busy machine may have caused its failures,
    /// at most [`RETRIES`] times, and records the last result. A failure that a busy
    /// machine cannot explain is never repeated.
    fn record_with_retries(
        &self,
        level: IsolationLevel,
        program: &Program,
        mut results: ProgramResults,
        run_program: impl Fn(WallTime) -> ProgramResults,
    ) {
        for _ in 0..RETRIES {
            if !results.is_uncertain() {
                break;
            }
            self.findings
                .lock()
                .unwrap()
                .retried
                .push(results.summary(level, program));
            results = run_program(WallTime::Extended);
        }
        self.record(level, program, results);
    }

    /// Runs one program, then the one that looks for what it left, if any, and the
    /// honest one.
    fn run_program(
        &self,
        sandboxes: &SandboxSet,
        program: &Program,
        wall_time: WallTime,
    ) -> ProgramResults {
        let mut results = ProgramResults::default();
        if sandboxes.lacks_landlock_for(program) {
            let needed = format!("(needs Landlock {})", program.landlock);
            results.outcomes.push((program.name.clone(), needed));
            return results;
        }
        results.append(run_all_arguments(sandboxes, program, wall_time));
        if let Some(finder) = &program.then {
            let finder = &self.programs[finder];
            let run = sandboxes.run(finder, &[], wall_time);
            results
                .failures
                .extend(failures_of(sandboxes, finder, &run));
            results
                .outcomes
                .push((format!("{}, {}", program.name, finder.name), run.outcome));
        }
        results
            .failures
            .extend(sandboxes.check_leftovers(&self.programs[HONEST], wall_time));
        results
    }

    /// Runs two programs at once.
    fn run_pair(
        &self,
        sandboxes: &SandboxSet,
        program: &Program,
        wall_time: WallTime,
    ) -> ProgramResults {
        let other = &self.programs[program.beside.as_ref().unwrap()];
        let mut results = std::thread::scope(|scope| {
            let beside =
                scope.spawn(|| run_all_arguments(sandboxes, other, wall_time));
            let mut results = run_all_arguments(sandboxes, program, wall_time);
            results.append(beside.join().unwrap());
            results
        });
        results
            .failures
            .extend(sandboxes.check_leftovers(&self.programs[HONEST], wall_time));
        results
    }

    fn record(
        &self,
        level: IsolationLevel,
        program: &Program,
        results: ProgramResults,
    ) {
        let mut findings = self.findings.lock().unwrap();
        let ProgramResults { outcomes, failures } = results;
        let named = failures.iter().map(|failure| {
            format!("{} at level {level}: {}", program.name, failure.text())
        });
        findings.mismatches.extend(named);
        findings.table.extend(
            outcomes
                .into_iter()
                .map(|(name, outcome)| ((name, level), outcome)),
        );
    }

    /// Appends the table of outcomes with [`append_to_table`], then fails if anything
    /// was not as expected.
    pub(crate) fn report(self) {
        let mut findings = self.findings.into_inner().unwrap();
        append_to_table(&findings.table(&self.levels));
        findings.mismatches.sort();
        let retried = format!(
            "{} repeated, with nothing else running{}",
            findings.retried.len(),
            list(&findings.retried)
        );
        let mismatches = &findings.mismatches;
        assert!(
            mismatches.is_empty(),
            "{} mismatches{}\n{retried}",
            mismatches.len(),
            list(mismatches)
        );
        println!("{retried}");
    }
}

/// The first [`MAX_PRINTED`] of these, one per line.
fn list(lines: &[String]) -> String {
    let mut list = if lines.is_empty() {
        String::new()
    } else {
        ":".to_owned()
    };
    for line in lines.iter().take(MAX_PRINTED) {
        write!(list, "\n{line}").unwrap();
    }
    if let more @ 1.. = lines.len().saturating_sub(MAX_PRINTED) {
        write!(list, "\nand {more} more").unwrap();
    }
    list
}

/// Appends to the file that `GRIDJUDGE_TABLE` names, if it is set.
pub(crate) fn append_to_table(table: &str) {
    if let Some(path) = std::env::var_os("GRIDJUDGE_TABLE") {
        let mut file = fs::File::options()
            .append(true)
            .create(true)
            .open(path)
            .unwrap();
        file.write_all(table.as_bytes()).unwrap();
    }
}

impl ProgramResults {
    fn append(&mut self, mut other: Self) {
        self.outcomes.append(&mut other.outcomes);
        self.failures.append(&mut other.failures);
    }

    /// Whether there are failures, and a busy machine may have caused all of them.
    fn is_uncertain(&self) -> bool {
        !self.failures.is_empty() && self.failures.iter().all(Failure::is_uncertain)
    }

    fn summary(&self, level: IsolationLevel, program: &Program) -> String {
        let failures: Vec<_> = self.failures.iter().map(Failure::text).collect();
        format!("{} at level {level}: {}", program.name, failures.join("; "))
    }
}

impl Findings {
    /// The table in Markdown, with a row for each program and a column for each level.
    fn table(&self, levels: &[IsolationLevel]) -> String {
        let user = if rustix::process::geteuid().is_root() {
            "root"
        } else {
            "an ordinary user"
        };
        let mut table = format!("\nThe judge is {user}:\n\n| program |");
        for level in levels {
            write!(table, " {level} |").unwrap();
        }
        write!(table, "\n|---|{}\n", "---|".repeat(levels.len())).unwrap();
        let mut names: Vec<_> = self.table.keys().map(|(name, _)| name).collect();
        names.dedup();
        for name in names {
            write!(table, "| {name} |").unwrap();
            for level in levels {
                let outcome = self
                    .table
                    .get(&(name.clone(), *level))
                    .map_or("", String::as_str);
                write!(table, " {outcome} |").unwrap();
            }
            table.push('\n');
        }
        table
    }
}

/// Runs one program with each of its arguments.
fn run_all_arguments(
    sandboxes: &SandboxSet,
    program: &Program,
    wall_time: WallTime,
) -> ProgramResults {
    match program.sweep {
        Sweep::None => {
            let run = sandboxes.run(program, &[], wall_time);
            let failures = failures_of(sandboxes, program, &run);
            ProgramResults {
                outcomes: vec![(program.name.clone(), run.outcome)],
                failures,
            }
        }
        Sweep::Codes => {
            sweep(sandboxes, program, wall_time, (0..=255).map(Exit::Code))
        }
        Sweep::Signals => {
            let fatal = (1..=64).filter(|signal| !NON_FATAL_SIGNALS.contains(signal));
            sweep(sandboxes, program, wall_time, fatal.map(Exit::Signal))
        }
    }
}

/// Runs a program once for each of the exits whose turn it is, which it must have.
fn sweep(
    sandboxes: &SandboxSet,
    program: &Program,
    wall_time: WallTime,
    exits: impl Iterator<Item = Exit>,
) -> ProgramResults {
    let mut failures = vec![];
    for exit in sandboxes.turn.share(exits) {
        let (argument, expected) = match exit {
            Exit::Code(0) => (0, "AC".to_owned()),
            Exit::Code(code) => (code, format!("RE:{code}")),
            Exit::Signal(number) => (number, format!("RE:{exit}")),
        };
        let run = sandboxes.run(program, &[argument.to_string()], wall_time);
        if run.outcome == "AC" && expected != "AC" {
            // No busy machine makes an exit code disappear.
            failures.push(Failure::Certain(format!(
                "AC and not {expected}: {}",
                run.details
            )));
        } else if run.outcome != expected {
            failures.push(run.failure(format!(
                "{} and not {expected}: {}",
                run.outcome, run.details
            )));
        }
    }
    let outcome = if failures.is_empty() {
        "each as expected"
    } else {
        "some wrong"
    };
    ProgramResults {
        outcomes: vec![(program.name.clone(), outcome.to_owned())],
        failures,
    }
}

/// Compares the result of a program with its expectations.
fn failures_of(
    sandboxes: &SandboxSet,
    program: &Program,
    run: &HostileRun,
) -> Vec<Failure> {
    let expected = program.expected_at_level(sandboxes.level_name);
    let mut failures = run.failures.clone();
    if !expected.iter().any(|outcome| {
        *outcome == run.outcome || outcome == "RE" && run.outcome.starts_with("RE:")
    }) {
        let text = format!(
            "{} and not {}: {}",
            run.outcome,
            expected.join(" or "),
            run.details
        );
        failures.push(run.failure(text));
    } else if program
        .prints
        .as_ref()
        .is_some_and(|expected| !run.output.contains(expected))
    {
        failures.push(Failure::Certain(format!(
            "it did not print {:?}: {}",
            program.prints, run.details
        )));
    }
    failures
}
