//! Runs all hostile programs at one level after another and compares the outcomes with the expected ones. Start at
//! [`HostileSuite::run`].

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use gridjudge_sandbox::Exit;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::IsolationLevel;

use crate::corpus::Program;
use crate::corpus::Sweep;
use crate::sandboxes::Loot;
use crate::sandboxes::Objection;
use crate::sandboxes::Pace;
use crate::sandboxes::SandboxSet;
use crate::sandboxes::Shot;

/// The program that runs after each other one.
const HONEST: &str = "honest";

/// Signals whose default is not to end the process: SIGCHLD, SIGCONT, the stop signals, SIGURG, SIGWINCH; and those that the
/// C library reserves for itself. Source: signal(7).
const HARMLESS: [i32; 10] = [17, 18, 19, 20, 21, 22, 23, 28, 32, 33];

/// How often a program is run again, with nothing else running and more wall time, if a busy machine may have caused its
/// outcome.
const RETRIES: usize = 2;

/// The greatest number of mismatches that are printed.
const SHOWN: usize = 30;

/// All hostile programs, and the results so far.
pub(crate) struct HostileSuite<'a> {
    programs: &'a BTreeMap<String, Program>,
    findings: Mutex<Findings>,
}

#[derive(Default)]
struct Findings {
    mismatches: Vec<String>,
    /// The runs that were repeated, and why.
    again: Vec<String>,
    /// The outcome of each program at each level.
    table: BTreeMap<(String, IsolationLevel), String>,
    levels: Vec<IsolationLevel>,
}

/// The outcomes of one program and of those that ran with it and after it.
#[derive(Default)]
struct Engagement {
    /// The name and the outcome of each.
    outcomes: Vec<(String, String)>,
    objections: Vec<Objection>,
}

impl<'a> HostileSuite<'a> {
    pub(crate) fn new(programs: &'a BTreeMap<String, Program>) -> Self {
        Self { programs, findings: Mutex::default() }
    }

    /// Runs every program at this level: first in two sandboxes of one slot each at the same time, then those that must run
    /// alone and those that must be repeated, then those that run together with another one.
    ///
    /// # Errors
    /// The reason if the level is not available here.
    pub(crate) fn run(&self, level: IsolationLevel, compiled: &Path, loot: &Loot) -> Result<(), Fault> {
        let sandboxes =
            [SandboxSet::open(level, 1, compiled, loot)?, SandboxSet::open(level, 1, compiled, loot)?];
        let is_met = |name: &String| self.programs.values().any(|other| other.beside.as_ref() == Some(name));
        let in_pairs = |program: &&Program| program.beside.is_some() || is_met(&program.name);
        let single = self.programs.values().filter(|program| !in_pairs(program));
        let (alone, first): (Vec<_>, Vec<_>) = single.partition(|program| program.alone);
        let last = self.engage_side_by_side(level, &sandboxes, &first);
        alone.into_iter().for_each(|program| {
            self.conclude(level, program, |pace| self.engage(&sandboxes[0], program, pace))
        });
        for (program, engagement) in last {
            self.conclude_after(level, program, engagement, |pace| self.engage(&sandboxes[0], program, pace));
        }
        drop(sandboxes);
        let sandboxes = SandboxSet::open(level, 2, compiled, loot)?;
        for program in self.programs.values().filter(|program| program.beside.is_some()) {
            self.conclude(level, program, |pace| self.engage_beside(&sandboxes, program, pace));
        }
        self.findings.lock().unwrap().levels.push(level);
        Ok(())
    }

    /// Distributes programs to sandboxes. Returns those with doubtful outcomes, which are not recorded.
    fn engage_side_by_side<'b>(
        &self,
        level: IsolationLevel,
        sandboxes: &[SandboxSet],
        programs: &[&'b Program],
    ) -> Vec<(&'b Program, Engagement)> {
        let (next, doubtful) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for sandboxes in sandboxes {
                scope.spawn(|| {
                    while let Some(program) = programs.get(next.fetch_add(1, Relaxed)) {
                        let engagement = self.engage(sandboxes, program, Pace::Usual);
                        if engagement.is_doubtful() {
                            doubtful.lock().unwrap().push((*program, engagement));
                        } else {
                            self.note(level, program, engagement);
                        }
                    }
                });
            }
        });
        doubtful.into_inner().unwrap()
    }

    /// Whether any level was available.
    pub(crate) fn has_run(&self) -> bool {
        !self.findings.lock().unwrap().levels.is_empty()
    }

    /// Runs a program while nothing else runs, and records the result.
    fn conclude(&self, level: IsolationLevel, program: &Program, engage: impl Fn(Pace) -> Engagement) {
        self.conclude_after(level, program, engage(Pace::Usual), engage);
    }

    /// Repeats the run of a program while its result is doubtful, at most [`RETRIES`] times, and records the last result. A
    /// failure that a busy machine cannot explain is never repeated.
    fn conclude_after(
        &self,
        level: IsolationLevel,
        program: &Program,
        mut engagement: Engagement,
        engage: impl Fn(Pace) -> Engagement,
    ) {
        for _ in 0..RETRIES {
            if !engagement.is_doubtful() {
                break;
            }
            self.findings.lock().unwrap().again.push(engagement.in_short(level, program));
            engagement = engage(Pace::Patient);
        }
        self.note(level, program, engagement);
    }

    /// Runs one program, then the one that looks for what it left, if any, and the honest one.
    fn engage(&self, sandboxes: &SandboxSet, program: &Program, pace: Pace) -> Engagement {
        let mut engagement = Engagement::default();
        if sandboxes.lacks_what_it_needs(program) {
            let needed = format!("(needs Landlock {})", program.landlock);
            engagement.outcomes.push((program.name.clone(), needed));
            return engagement;
        }
        engagement.append(shoot(sandboxes, program, pace));
        if let Some(finder) = &program.then {
            let finder = &self.programs[finder];
            let shot = sandboxes.run(finder, &[], pace);
            engagement.objections.extend(judge(sandboxes, finder, &shot));
            engagement.outcomes.push((format!("{}, {}", program.name, finder.name), shot.outcome));
        }
        engagement.objections.extend(sandboxes.aftermath(&self.programs[HONEST], pace));
        engagement
    }

    /// Runs two programs at once.
    fn engage_beside(&self, sandboxes: &SandboxSet, program: &Program, pace: Pace) -> Engagement {
        let other = &self.programs[program.beside.as_ref().unwrap()];
        let mut engagement = std::thread::scope(|scope| {
            let beside = scope.spawn(|| shoot(sandboxes, other, pace));
            let mut engagement = shoot(sandboxes, program, pace);
            engagement.append(beside.join().unwrap());
            engagement
        });
        engagement.objections.extend(sandboxes.aftermath(&self.programs[HONEST], pace));
        engagement
    }

    fn note(&self, level: IsolationLevel, program: &Program, engagement: Engagement) {
        let mut findings = self.findings.lock().unwrap();
        let Engagement { outcomes, objections } = engagement;
        let named = objections
            .iter()
            .map(|objection| format!("{} at level {level}: {}", program.name, objection.text()));
        findings.mismatches.extend(named);
        findings.table.extend(outcomes.into_iter().map(|(name, outcome)| ((name, level), outcome)));
    }

    /// Appends the table of outcomes with [`append_to_table`], then fails if anything was not as expected.
    pub(crate) fn report(self) {
        let mut findings = self.findings.into_inner().unwrap();
        append_to_table(&findings.table());
        findings.mismatches.sort();
        let again =
            format!("{} repeated, with nothing else running{}", findings.again.len(), list(&findings.again));
        let mismatches = &findings.mismatches;
        assert!(mismatches.is_empty(), "{} mismatches{}\n{again}", mismatches.len(), list(mismatches));
        println!("{again}");
    }
}

/// The first [`SHOWN`] of these, one per line.
fn list(lines: &[String]) -> String {
    let mut list = if lines.is_empty() { String::new() } else { ":".to_owned() };
    for line in lines.iter().take(SHOWN) {
        write!(list, "\n{line}").unwrap();
    }
    if let more @ 1.. = lines.len().saturating_sub(SHOWN) {
        write!(list, "\nand {more} more").unwrap();
    }
    list
}

/// Appends to the file that `GRIDJUDGE_TABLE` names, if it is set.
pub(crate) fn append_to_table(table: &str) {
    if let Some(path) = std::env::var_os("GRIDJUDGE_TABLE") {
        let mut file = fs::File::options().append(true).create(true).open(path).unwrap();
        file.write_all(table.as_bytes()).unwrap();
    }
}

impl Engagement {
    fn append(&mut self, mut other: Self) {
        self.outcomes.append(&mut other.outcomes);
        self.objections.append(&mut other.objections);
    }

    /// Whether there are failures, and a busy machine may have caused all of them.
    fn is_doubtful(&self) -> bool {
        !self.objections.is_empty() && self.objections.iter().all(Objection::is_doubtful)
    }

    fn in_short(&self, level: IsolationLevel, program: &Program) -> String {
        let objections: Vec<_> = self.objections.iter().map(Objection::text).collect();
        format!("{} at level {level}: {}", program.name, objections.join("; "))
    }
}

impl Findings {
    /// The table in Markdown, with a row for each program and a column for each level.
    fn table(&self) -> String {
        let user = if rustix::process::geteuid().is_root() { "root" } else { "an ordinary user" };
        let mut table = format!("\nThe judge is {user}:\n\n| program |");
        for level in &self.levels {
            write!(table, " {level} |").unwrap();
        }
        write!(table, "\n|---|{}\n", "---|".repeat(self.levels.len())).unwrap();
        let mut names: Vec<_> = self.table.keys().map(|(name, _)| name).collect();
        names.dedup();
        for name in names {
            write!(table, "| {name} |").unwrap();
            for level in &self.levels {
                let outcome = self.table.get(&(name.clone(), *level)).map_or("", String::as_str);
                write!(table, " {outcome} |").unwrap();
            }
            table.push('\n');
        }
        table
    }
}

/// Runs one program with each of its arguments.
fn shoot(sandboxes: &SandboxSet, program: &Program, pace: Pace) -> Engagement {
    match program.sweep {
        Sweep::None => {
            let shot = sandboxes.run(program, &[], pace);
            let objections = judge(sandboxes, program, &shot);
            Engagement { outcomes: vec![(program.name.clone(), shot.outcome)], objections }
        }
        Sweep::Codes => sweep(sandboxes, program, pace, (0..=255).map(Exit::Code)),
        Sweep::Signals => {
            let deadly = (1..=64).filter(|signal| !HARMLESS.contains(signal));
            sweep(sandboxes, program, pace, deadly.map(Exit::Signal))
        }
    }
}

/// Runs a program once for each of these exits, which it must have.
fn sweep(
    sandboxes: &SandboxSet,
    program: &Program,
    pace: Pace,
    exits: impl Iterator<Item = Exit>,
) -> Engagement {
    let mut objections = Vec::new();
    for exit in exits {
        let (argument, expected) = match exit {
            Exit::Code(0) => (0, "AC".to_owned()),
            Exit::Code(code) => (code, format!("RE:{code}")),
            Exit::Signal(number) => (number, format!("RE:{exit}")),
        };
        let shot = sandboxes.run(program, &[argument.to_string()], pace);
        if shot.outcome == "AC" && expected != "AC" {
            // No busy machine makes an exit code disappear.
            objections.push(Objection::Firm(format!("AC and not {expected}: {}", shot.details)));
        } else if shot.outcome != expected {
            objections.push(shot.objection(format!("{} and not {expected}: {}", shot.outcome, shot.details)));
        }
    }
    let outcome = if objections.is_empty() { "each its own" } else { "some wrong" };
    Engagement { outcomes: vec![(program.name.clone(), outcome.to_owned())], objections }
}

/// Compares the result of a program with its expectations.
fn judge(sandboxes: &SandboxSet, program: &Program, shot: &Shot) -> Vec<Objection> {
    let expected = program.expected_at(sandboxes.place);
    let is_met =
        |outcome: &String| *outcome == shot.outcome || outcome == "RE" && shot.outcome.starts_with("RE:");
    let mut objections = shot.objections.clone();
    if !expected.iter().any(is_met) {
        let text = format!("{} and not {}: {}", shot.outcome, expected.join(" or "), shot.details);
        objections.push(shot.objection(text));
    } else if program.prints.as_ref().is_some_and(|expected| !shot.output.contains(expected)) {
        objections.push(Objection::Firm(format!("it did not print {:?}: {}", program.prints, shot.details)));
    }
    objections
}
