//! Measures what judging costs, and how that grows. The rows of `slots`: 200
//! submissions of which a fifth is far too slow, 5 % idle and 5 % need 0.9 to 1.2 of
//! the limit, at `-j1` and `-j2`, and at `-j16` where those that are slow sleep instead
//! of spinning. The lower bound is the time of all first runs, divided by the slots,
//! plus that of the runs that must be alone. Before that, how much CPU time a program
//! that works on much memory takes on all slots, next to its likes, compared with what
//! it takes alone: more than the slack of a first run would be a wrong verdict. The
//! other rows are described where they are made. Takes about eight minutes on a quiet
//! machine.
//!
//! `cargo bench --bench scale` (needs `cc` and `c++`); with `-- cached`, `-- sizes` or
//! `-- slots`, only these rows

mod bench;
mod scale_cached;
mod scale_sizes;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use gridjudge::model::{Event, TrialRecord, Verdict};

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

/// Reads and writes 48 MiB in random order, for about a third of a second.
const MEMORY_BOUND: &str = r#"#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned size = 12u << 20, state = 1;
    unsigned *cells = calloc(size, sizeof *cells);
    for (unsigned turn = 0; turn < 1500000; turn++) {
        state = state * 1664525u + 1013904223u + cells[(state >> 8) % size]++;
    }
    puts("1234\n3412\n2143\n4321");
    return state == 7;
}
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
    let rows = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    match rows.as_deref() {
        Some("cached") => scale_cached::print_rows(),
        Some("sizes") => scale_sizes::print(),
        Some("slots") => print_slots(),
        _ => {
            scale_cached::print_rows();
            scale_sizes::print();
            print_slots();
        }
    }
}

/// Prints what many submissions cost beside what must be run.
fn print_slots() {
    let root = bench::mini_judge(3, "1s");
    print_slack(root.path());
    let spinning: Vec<_> = (0..200).map(|number| kind(number, Kind::Spins)).collect();
    let sleeping: Vec<_> =
        (0..200).map(|number| kind(number, Kind::Sleeps)).collect();
    let alone = Measured::of(root.path(), &spinning, 1);
    alone.print("spinning", 1, None);
    Measured::of(root.path(), &spinning, 2).print("spinning", 2, Some(&alone));
    Measured::of(root.path(), &sleeping, 16).print("sleeping", 16, None);
}

/// How much more CPU time a program takes on all slots than alone.
fn print_slack(root: &Path) {
    let compiled = compile(root, "memory-bound", MEMORY_BOUND, &["-O1".to_owned()]);
    let programs: Vec<_> = (0..40)
        .map(|number| copy(root, &compiled, number))
        .collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let times = |slots: usize| {
        let judged = Measured::of_programs(root, &programs, slots);
        let is_accepted = |record: &TrialRecord| record.verdict == Verdict::Accepted;
        assert!(judged.records.iter().all(is_accepted), "a verdict differs");
        let mut times: Vec<_> = judged
            .records
            .iter()
            .filter_map(|record| record.cpu_us)
            .collect();
        times.sort_unstable();
        times
    };
    let alone = times(1);
    let beside = times(cores);
    let median = alone[alone.len() / 2];
    println!(
        "memory-bound: alone {:.0} ms, at most {:.2} times that; on {cores} slots at most {:.2} times (median {:.2})",
        milliseconds(median),
        milliseconds(alone[alone.len() - 1]) / milliseconds(median),
        milliseconds(beside[beside.len() - 1]) / milliseconds(median),
        milliseconds(beside[beside.len() / 2]) / milliseconds(median),
    );
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn milliseconds(micros: u64) -> f64 {
    micros as f64 / 1e3
}

/// The kind of the submission with this number: of each twenty, four are far too slow,
/// one is idle, and one is near the limit.
fn kind(number: u64, slow: fn(u64) -> Kind) -> Kind {
    match number % 20 {
        3 | 8 | 13 | 18 => slow(FOR_EVER_MS),
        5 => Kind::Sleeps(FOR_EVER_MS),
        // 0.9, 0.933, ... 1.2 of the limit.
        10 => slow(900 + number / 20 * 300 / 9),
        _ => slow(10),
    }
}

/// One suite.
struct Measured {
    wall: Duration,
    cpu: Duration,
    records: Vec<TrialRecord>,
}

impl Measured {
    fn of(root: &Path, kinds: &[Kind], slots: usize) -> Self {
        let programs = kinds
            .iter()
            .enumerate()
            .map(|(number, kind)| program(root, number, *kind));
        Self::of_programs(root, &programs.collect::<Vec<_>>(), slots)
    }

    fn of_programs(root: &Path, programs: &[PathBuf], slots: usize) -> Self {
        let cpu = cpu_of_children();
        let start = Instant::now();
        Command::new(env!("CARGO_BIN_EXE_gridjudge"))
            .current_dir(root)
            .args([
                "grade",
                "--no-cache",
                "--first-failure",
                "-q",
                "-p",
                "mini",
                "--log",
                "log.jsonl",
            ])
            .args(["-j", &slots.to_string()])
            .args(programs)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("the judge");
        let wall = start.elapsed();
        let cpu = cpu_of_children() - cpu;
        let log = fs::read_to_string(root.join("log.jsonl")).expect("a log");
        let events = log
            .lines()
            .map(|line| serde_json::from_str(line).expect("an event"));
        let records = events.filter_map(|event| match event {
            Event::TrialFinished(record) if record.wall_us.is_some() => Some(*record),
            _ => None,
        });
        Self {
            wall,
            cpu,
            records: records.collect(),
        }
    }

    /// The time of all first runs, of runs that waited again, and of runs that had to
    /// be alone.
    fn needed(&self) -> [Duration; 3] {
        let mut needed = [Duration::ZERO; 3];
        for record in &self.records {
            let wall = Duration::from_micros(record.wall_us.unwrap_or(0));
            needed[0] += wall;
            match record.verdict {
                Verdict::IdleLimit if record.rerun => needed[1] += wall,
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
                format!(
                    ", {:.2} times that of -j1",
                    self.cpu.as_secs_f64() / alone.cpu.as_secs_f64()
                )
            }),
        );
        let count = |verdict| {
            self.records
                .iter()
                .filter(|record| record.verdict == verdict)
                .count()
        };
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
    let defined = [format!("-DSLEEPS={sleeps}"), format!("-DMS={milliseconds}")];
    let compiled = compile(
        root,
        &format!("program-{sleeps}-{milliseconds}"),
        PROGRAM,
        &defined,
    );
    copy(root, &compiled, number)
}

/// The program of this name, compiled once.
fn compile(root: &Path, name: &str, text: &str, options: &[String]) -> PathBuf {
    let compiled = root.join(name);
    if !compiled.exists() {
        let source = root.join("program.c");
        fs::write(&source, text).expect("a source");
        let options: Vec<_> = options.iter().map(String::as_str).collect();
        bench::compile("cc", &options, &source, &compiled);
    }
    compiled
}

/// A submission of its own.
fn copy(root: &Path, compiled: &Path, number: usize) -> PathBuf {
    let own = root.join(format!("submission-{number}"));
    fs::copy(compiled, &own).expect("a copy");
    own
}
