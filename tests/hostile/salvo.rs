//! All programs at one level after the other, and what is wrong with what came of them. Start at [`Salvo::fire`].

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use gridjudge::model::Exit;
use gridjudge::model::Fault;
use gridjudge::sandbox::Level;

use crate::corpus::Program;
use crate::corpus::Sweep;
use crate::range::Loot;
use crate::range::Range;
use crate::range::Shot;

/// The program that follows each other.
const HONEST: &str = "honest";

/// Signals whose default is not to end the process: SIGCHLD, SIGCONT, the stops, SIGURG, SIGWINCH; and those that the C
/// library keeps for itself. Source: signal(7).
const HARMLESS: [i32; 10] = [17, 18, 19, 20, 21, 22, 23, 28, 32, 33];

/// Everything that is fired, and what came of it so far.
pub(crate) struct Salvo<'a> {
    programs: &'a BTreeMap<String, Program>,
    findings: Mutex<Findings>,
}

#[derive(Default)]
struct Findings {
    mismatches: Vec<String>,
    /// Program and level to outcome.
    table: BTreeMap<(String, Level), String>,
    levels: Vec<Level>,
}

impl<'a> Salvo<'a> {
    pub(crate) fn new(programs: &'a BTreeMap<String, Program>) -> Self {
        Self { programs, findings: Mutex::default() }
    }

    /// Every program at this level: in two sandboxes of one slot each at a time, then those that want to be alone, then
    /// those that want company.
    ///
    /// # Errors
    /// Why the level cannot be had here.
    pub(crate) fn fire(&self, level: Level, compiled: &Path, loot: &Loot) -> Result<(), Fault> {
        let ranges = [Range::open(level, 1, compiled, loot)?, Range::open(level, 1, compiled, loot)?];
        let is_met = |name: &String| self.programs.values().any(|other| other.beside.as_ref() == Some(name));
        let in_pairs = |program: &&Program| program.beside.is_some() || is_met(&program.name);
        let single = self.programs.values().filter(|program| !in_pairs(program));
        let (last, first): (Vec<_>, Vec<_>) = single.partition(|program| program.alone);
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for range in &ranges {
                let (next, first) = (&next, &first);
                scope.spawn(move || {
                    while let Some(program) = first.get(next.fetch_add(1, Relaxed)) {
                        self.engage(level, range, program);
                    }
                });
            }
        });
        last.into_iter().for_each(|program| self.engage(level, &ranges[0], program));
        drop(ranges);
        let range = Range::open(level, 2, compiled, loot)?;
        for program in self.programs.values().filter(|program| program.beside.is_some()) {
            self.engage_beside(level, &range, program);
        }
        self.findings.lock().unwrap().levels.push(level);
        Ok(())
    }

    /// Whether any level could be had.
    pub(crate) fn has_fired(&self) -> bool {
        !self.findings.lock().unwrap().levels.is_empty()
    }

    /// One program, the one that is to find what it left, and the honest one.
    fn engage(&self, level: Level, range: &Range, program: &Program) {
        if range.lacks_what_it_needs(program) {
            let needed = format!("(needs Landlock {})", program.landlock);
            self.note(level, &program.name, needed, Vec::new());
            return;
        }
        self.shoot(level, range, program);
        if let Some(finder) = &program.then {
            let finder = &self.programs[finder];
            let shot = range.fire(finder, &[]);
            let objections = judge(range, finder, &shot);
            self.note(level, &format!("{}, {}", program.name, finder.name), shot.outcome, objections);
        }
        self.note_aftermath(level, range, program);
    }

    /// Two programs at once.
    fn engage_beside(&self, level: Level, range: &Range, program: &Program) {
        let other = &self.programs[program.beside.as_ref().unwrap()];
        std::thread::scope(|scope| {
            scope.spawn(|| self.shoot(level, range, other));
            self.shoot(level, range, program);
        });
        self.note_aftermath(level, range, program);
    }

    fn shoot(&self, level: Level, range: &Range, program: &Program) {
        match program.sweep {
            Sweep::None => {
                let shot = range.fire(program, &[]);
                let objections = judge(range, program, &shot);
                self.note(level, &program.name, shot.outcome, objections);
            }
            Sweep::Codes => self.sweep(level, range, program, (0..=255).map(Exit::Code)),
            Sweep::Signals => {
                let deadly = (1..=64).filter(|signal| !HARMLESS.contains(signal));
                self.sweep(level, range, program, deadly.map(Exit::Signal));
            }
        }
    }

    /// The same program once for each of these ends.
    fn sweep(&self, level: Level, range: &Range, program: &Program, exits: impl Iterator<Item = Exit>) {
        let mut objections = Vec::new();
        for exit in exits {
            let (argument, expected) = match exit {
                Exit::Code(0) => (0, "AC".to_owned()),
                Exit::Code(code) => (code, format!("RE:{code}")),
                Exit::Signal(number) => (number, format!("RE:{exit}")),
            };
            let shot = range.fire(program, &[argument.to_string()]);
            if shot.outcome != expected {
                objections.push(format!("{} and not {expected}: {}", shot.outcome, shot.details));
            }
        }
        let outcome = if objections.is_empty() { "each its own" } else { "some wrong" };
        self.note(level, &program.name, outcome.to_owned(), objections);
    }

    fn note_aftermath(&self, level: Level, range: &Range, program: &Program) {
        let objections = range.aftermath(&self.programs[HONEST]);
        let mut findings = self.findings.lock().unwrap();
        findings.add(level, &program.name, objections);
    }

    fn note(&self, level: Level, name: &str, outcome: String, objections: Vec<String>) {
        let mut findings = self.findings.lock().unwrap();
        findings.add(level, name, objections);
        findings.table.insert((name.to_owned(), level), outcome);
    }

    /// Prints the table, appends it to the file that `GRIDJUDGE_TABLE` names, and fails if anything was not as expected.
    pub(crate) fn report(self) {
        let mut findings = self.findings.into_inner().unwrap();
        findings.mismatches.sort();
        let table = findings.table();
        println!("{table}");
        append_to_table(&table);
        let mismatches = &findings.mismatches;
        assert!(mismatches.is_empty(), "{} mismatches:\n{}", mismatches.len(), mismatches.join("\n"));
    }
}

/// Appends to the file that `GRIDJUDGE_TABLE` names, if it names one.
pub(crate) fn append_to_table(table: &str) {
    if let Some(path) = std::env::var_os("GRIDJUDGE_TABLE") {
        let mut file = fs::File::options().append(true).create(true).open(path).unwrap();
        file.write_all(table.as_bytes()).unwrap();
    }
}

impl Findings {
    fn add(&mut self, level: Level, name: &str, objections: Vec<String>) {
        let named = objections.into_iter().map(|objection| format!("{name} at level {level}: {objection}"));
        self.mismatches.extend(named);
    }

    /// In Markdown: a line a program, a column a level.
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

/// What is wrong with what came of a program.
fn judge(range: &Range, program: &Program, shot: &Shot) -> Vec<String> {
    let expected = program.expected_at(range.place);
    let is_met =
        |outcome: &String| *outcome == shot.outcome || outcome == "RE" && shot.outcome.starts_with("RE:");
    let mut objections = shot.objections.clone();
    if !expected.iter().any(is_met) {
        objections.push(format!("{} and not {}: {}", shot.outcome, expected.join(" or "), shot.details));
    }
    objections
}
