//! Measures how far times and verdicts can be trusted on a busy machine: the spread of
//! the CPU time of one program at `-j1` and `-j2`, and the verdicts of a program that
//! needs 0.8 of its limit when nothing else runs, both while other processes keep every
//! core and its caches busy. Takes a minute or two.
//!
//! `cargo bench --bench steadiness` (needs `cc`)

mod bench;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::available_parallelism;

use gridjudge::model::{Event, TrialRecord, Verdict};
use tempfile::TempDir;

/// Turns of the program's loop in the first measurement.
const FIRST_TURNS: u64 = 50_000_000;

/// CPU time of the program whose spread is measured.
const BUSY_US: u64 = 150_000;

/// A time limit, and the CPU time that the program needs: 0.8 of the limit.
const LIMIT_MS: u64 = 100;
const NEEDED_US: u64 = LIMIT_MS * 800;

/// A program that is right on every case, after `TURNS` turns of a loop.
const PROGRAM: &str = r#"#include <stdio.h>
int main(void) {
    volatile unsigned sink;
    unsigned state = 1;
    for (unsigned long turn = 0; turn < TURNS; turn++) state = state * 1664525u + 1013904223u;
    sink = state;
    puts("1234\n3412\n2143\n4321");
    return sink == 7 && TURNS == 0;
}
"#;

/// A program that never ends and reads memory that is never in a cache.
const NEIGHBOUR: &str = r"#include <stdlib.h>
int main(void) {
    unsigned size = 1u << 24, state = 1;
    unsigned *cells = calloc(size, sizeof *cells);
    for (;;) { state = state * 1664525u + 1013904223u; state += cells[(state >> 8) % size]++; }
}
";

fn main() {
    let tuning = Bench::new(9, "10s");
    let free = Bench::new(50, "10s");
    // Tuned while nothing else runs.
    let busy = tuning.program_of(BUSY_US);
    let near = tuning.program_of(NEEDED_US);
    free.print_spread("-j1, alone", &busy, 1);
    let cores = available_parallelism().map_or(1, usize::from);
    let _neighbours: Vec<_> = (0..cores)
        .map(|_| Neighbour::start(free.root.path()))
        .collect();
    free.print_spread("-j1, neighbours", &busy, 1);
    free.print_spread("-j2, neighbours", &busy, 2);
    Bench::new(200, &format!("{LIMIT_MS}ms")).print_verdicts(&near, 2);
}

/// A judge's folder with one problem, whose cases are all the same.
struct Bench {
    root: TempDir,
}

impl Bench {
    fn new(cases: usize, time: &str) -> Self {
        Self {
            root: bench::mini_judge(cases, time),
        }
    }

    /// A program that needs this CPU time when nothing else runs.
    fn program_of(&self, cpu_us: u64) -> PathBuf {
        let mut turns = FIRST_TURNS;
        // The CPU time of a process is not proportional to its turns, so a second step
        // corrects the first.
        for _ in 0..2 {
            let times = self.times(&compile(self.root.path(), turns), 1);
            turns = turns * cpu_us / times[times.len() / 2];
        }
        compile(self.root.path(), turns)
    }

    /// CPU times of a program, the smallest first.
    fn times(&self, program: &Path, jobs: usize) -> Vec<u64> {
        let mut times: Vec<_> = self
            .judge(program, jobs)
            .iter()
            .map(|record| record.cpu_us.expect("a run"))
            .collect();
        times.sort_unstable();
        times
    }

    /// Judges a program on all cases.
    fn judge(&self, program: &Path, jobs: usize) -> Vec<TrialRecord> {
        Command::new(env!("CARGO_BIN_EXE_gridjudge"))
            .current_dir(self.root.path())
            .args([
                "grade",
                "--no-cache",
                "--all",
                "-q",
                "-p",
                "mini",
                "--log",
                "log.jsonl",
            ])
            .args(["-j", &jobs.to_string()])
            .arg(program)
            .stdout(Stdio::null())
            .status()
            .expect("the judge");
        let log =
            fs::read_to_string(self.root.path().join("log.jsonl")).expect("a log");
        let events = log
            .lines()
            .map(|line| serde_json::from_str(line).expect("an event"));
        let records = events.filter_map(|event| match event {
            Event::TrialFinished(record) => Some(*record),
            _ => None,
        });
        records.collect()
    }

    fn print_spread(&self, name: &str, program: &Path, jobs: usize) {
        let times = self.times(program, jobs);
        let min = times[0];
        let median = times[times.len() / 2];
        let max = times[times.len() - 1];
        println!(
            "{name:16} CPU of {} runs: {:.1} / {:.1} / {:.1} ms (min / median / max), CV {:.1} %",
            times.len(),
            milliseconds(min),
            milliseconds(median),
            milliseconds(max),
            100.0 * variation(&times),
        );
    }

    fn print_verdicts(&self, program: &Path, jobs: usize) {
        let records = self.judge(program, jobs);
        let accepted = records
            .iter()
            .filter(|record| record.verdict == Verdict::Accepted)
            .count();
        let again = records.iter().filter(|record| record.rerun).count();
        let slowest = records
            .iter()
            .filter_map(|record| record.cpu_us)
            .max()
            .expect("runs");
        println!(
            "-j{jobs}, neighbours  at 0.8 of the limit: {accepted} of {} AC, {again} judged again, slowest {:.1} of {LIMIT_MS} ms",
            records.len(),
            milliseconds(slowest),
        );
        assert_eq!(accepted, records.len(), "a verdict differs");
    }
}

/// A process that disturbs others until this value is dropped.
struct Neighbour(Child);

impl Neighbour {
    fn start(folder: &Path) -> Self {
        let source = folder.join("neighbour.c");
        let program = folder.join("neighbour");
        if !program.exists() {
            fs::write(&source, NEIGHBOUR).expect("a source");
            cc(&[source.as_os_str(), "-o".as_ref(), program.as_os_str()]);
        }
        Self(Command::new(program).spawn().expect("a neighbour"))
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn compile(folder: &Path, turns: u64) -> PathBuf {
    let source = folder.join("program.c");
    let program = folder.join(format!("program-{turns}"));
    fs::write(&source, PROGRAM).expect("a source");
    let turns = format!("-DTURNS={turns}ul");
    cc(&[
        turns.as_ref(),
        source.as_os_str(),
        "-o".as_ref(),
        program.as_os_str(),
    ]);
    program
}

fn cc(arguments: &[&OsStr]) {
    let done = Command::new("cc")
        .arg("-O1")
        .args(arguments)
        .status()
        .expect("`cc`, from the package gcc");
    assert!(done.success());
}

/// The standard deviation divided by the mean.
#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn variation(times: &[u64]) -> f64 {
    let count = times.len() as f64;
    let mean = times.iter().sum::<u64>() as f64 / count;
    let variance = times
        .iter()
        .map(|time| (*time as f64 - mean).powi(2))
        .sum::<f64>()
        / count;
    variance.sqrt() / mean
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn milliseconds(micros: u64) -> f64 {
    micros as f64 / 1e3
}
