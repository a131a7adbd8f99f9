//! Measures what judging costs beside what must be run: 200 submissions of which a fifth is far too slow, 5 % idle
//! and 5 % need 0.9 to 1.2 of the limit, at `-j1` and `-j2`, and at `-j16` where those that are slow sleep instead
//! of spinning. The lower bound is the time of all first runs, divided by the slots, plus that of the runs that must
//! be alone. Takes about five minutes on a quiet machine.
//!
//! `cargo bench --bench scale` (needs `cc`)

mod bench;

use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;
use std::time::Instant;

use gridjudge::model::Event;
use gridjudge::model::TrialRecord;
use gridjudge::model::Verdict;
use tempfile::TempDir;

/// Right on every case after this many milliseconds of CPU time, or of sleep.
const PROGRAM: &str = r#"#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    struct timespec now;
    if (SLEEPS) {
        usleep(1000 * MS);
    } else {
        do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        while (1000 * now.tv_sec + now.tv_nsec / 1000000 < MS);
    }
    puts("1234\n3412\n2143\n4321");
    return 0;
}
"#;

const SPEC: &str = r#"name = "Mini"

[grid]
order = 4
boxes = "2x2"
symbols = "1234"
blanks = "."

[input]
cases = "one"
cells = "joined"

[output]
cells = "joined"

[answer]
accept = "unique"

[limits]
time = "1s"
"#;

/// What a submission does before it answers.
#[derive(Clone, Copy)]
enum Kind {
    Spins(u64),
    Sleeps(u64),
}

/// More than any limit.
const FOR_EVER_MS: u64 = 1_000_000;

fn main() {
    let root = folder();
    let spinning: Vec<_> = (0..200).map(|number| kind(number, Kind::Spins)).collect();
    let sleeping: Vec<_> = (0..200).map(|number| kind(number, Kind::Sleeps)).collect();
    let alone = Measured::of(root.path(), &spinning, 1);
    alone.print("spinning", 1, None);
    Measured::of(root.path(), &spinning, 2).print("spinning", 2, Some(&alone));
    Measured::of(root.path(), &sleeping, 16).print("sleeping", 16, None);
}

/// The kind of the submission with this number: of each twenty, four are far too slow, one is idle, and one is near
/// the limit.
fn kind(number: u64, slow: fn(u64) -> Kind) -> Kind {
    match number % 20 {
        3 | 8 | 13 | 18 => slow(FOR_EVER_MS),
        5 => Kind::Sleeps(FOR_EVER_MS),
        // 0.9, 0.933, ... 1.2 of the limit.
        10 => slow(900 + number / 20 * 300 / 9),
        _ => slow(10),
    }
}

fn folder() -> TempDir {
    let root = tempfile::tempdir().expect("a folder for the bench");
    let path = |name: &str| root.path().join(name);
    for folder in ["problems/mini", "cases/mini/secret"] {
        fs::create_dir_all(path(folder)).expect("a folder");
    }
    fs::write(path("judge.toml"), "").expect("a configuration");
    fs::write(path("problems/mini/problem.toml"), SPEC).expect("a spec");
    for case in 0..3 {
        fs::write(path(&format!("cases/mini/secret/{case}.in")), "....\n3412\n2143\n4321\n").expect("a case");
        fs::write(path(&format!("cases/mini/secret/{case}.ans")), "1234\n3412\n2143\n4321\n")
            .expect("an answer");
    }
    root
}

/// One suite.
struct Measured {
    wall: Duration,
    cpu: Duration,
    records: Vec<TrialRecord>,
}

impl Measured {
    fn of(root: &Path, kinds: &[Kind], slots: usize) -> Self {
        let programs: Vec<_> =
            kinds.iter().enumerate().map(|(number, kind)| program(root, number, *kind)).collect();
        let (cpu, start) = (cpu_of_children(), Instant::now());
        Command::new(env!("CARGO_BIN_EXE_gridjudge"))
            .current_dir(root)
            .args(["grade", "--no-cache", "--first-failure", "-q", "-p", "mini", "--log", "log.jsonl"])
            .args(["-j", &slots.to_string()])
            .args(&programs)
            .stdout(Stdio::null())
            .status()
            .expect("the judge");
        let (wall, cpu) = (start.elapsed(), cpu_of_children() - cpu);
        let log = fs::read_to_string(root.join("log.jsonl")).expect("a log");
        let events = log.lines().map(|line| serde_json::from_str(line).expect("an event"));
        let records = events.filter_map(|event| match event {
            Event::TrialFinished(record) if record.wall_us.is_some() => Some(*record),
            _ => None,
        });
        Self { wall, cpu, records: records.collect() }
    }

    /// The time of all first runs, of runs that waited again, and of runs that had to be alone.
    fn needed(&self) -> [Duration; 3] {
        let mut needed = [Duration::ZERO; 3];
        for record in &self.records {
            let wall = Duration::from_micros(record.wall_us.unwrap_or(0));
            needed[0] += wall;
            match record.verdict {
                Verdict::IdleLimit => needed[1] += wall,
                // Slightly too slow in all of five runs.
                Verdict::TimeLimit if record.rerun => needed[2] += 4 * wall,
                _ if record.rerun => needed[2] += wall,
                _ => {}
            }
        }
        needed
    }

    fn print(&self, name: &str, slots: u32, alone: Option<&Self>) {
        let [first, idle, again] = self.needed();
        let needed = (first + idle) / slots + again;
        println!(
            "{name}, -j{slots}: {:.1?}, {:.2} times what is needed ({:.1?}: first runs {:.1?}, idle again {:.1?}, alone {:.1?}); CPU {:.1?}{}",
            self.wall,
            self.wall.as_secs_f64() / needed.as_secs_f64(),
            needed,
            first / slots,
            idle / slots,
            again,
            self.cpu,
            alone.map_or(String::new(), |alone| {
                format!(", {:.2} times that of -j1", self.cpu.as_secs_f64() / alone.cpu.as_secs_f64())
            }),
        );
        let count = |verdict| self.records.iter().filter(|record| record.verdict == verdict).count();
        println!(
            "    {} AC, {} TLE, {} ILE; {} judged again",
            count(Verdict::Accepted),
            count(Verdict::TimeLimit),
            count(Verdict::IdleLimit),
            self.records.iter().filter(|record| record.rerun).count(),
        );
    }
}

/// The CPU time of all judges so far.
fn cpu_of_children() -> Duration {
    Duration::from_millis(10 * bench::cpu_ticks())
}

/// A submission of this kind, with a name of its own.
fn program(root: &Path, number: usize, kind: Kind) -> PathBuf {
    let (sleeps, milliseconds) = match kind {
        Kind::Spins(milliseconds) => (0, milliseconds),
        Kind::Sleeps(milliseconds) => (1, milliseconds),
    };
    let compiled = root.join(format!("program-{sleeps}-{milliseconds}"));
    if !compiled.exists() {
        let source = root.join("program.c");
        fs::write(&source, PROGRAM).expect("a source");
        let defined = [format!("-DSLEEPS={sleeps}"), format!("-DMS={milliseconds}")];
        let done = Command::new("cc").args(defined).arg(&source).arg("-o").arg(&compiled).status();
        assert!(done.expect("`cc`, from the package gcc").success());
    }
    let own = root.join(format!("submission-{number}"));
    fs::copy(compiled, &own).expect("a copy");
    own
}
