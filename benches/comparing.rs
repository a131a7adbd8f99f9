//! Measures whether `compare` reports a program that has become slower by a tenth, and
//! is silent about one that has not: compares twenty runs of a program at `--repeat 10`
//! with its baseline, and ten runs of one that does a tenth more. Takes a minute or two
//! on a quiet machine; on a busy one, `chrt -f 20` before the command keeps other
//! processes off its processor, though not out of its caches.
//!
//! `cargo bench --bench comparing` (needs `cc`)

mod bench;

use std::fs;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use gridjudge::compare::{Baseline, BaselineCollector, ChangeKind, Comparison};
use gridjudge::report::{LogReader, Sink};
use tempfile::TempDir;

const UNCHANGED: usize = 20;
const SLOWED: usize = 10;
const CASES: usize = 5;

/// How often the program counts the ways to put eight queens on a board, about 6 us
/// each.
const TURNS: usize = 3000;

/// A program that runs a search with many branches, like a solver, before it prints the
/// right answer.
const PROGRAM: &str = r#"#include <stdio.h>
static unsigned ways(unsigned columns, unsigned left, unsigned right) {
    unsigned free = 255 & ~(columns | left | right), sum = columns == 255;
    while (free) {
        unsigned queen = free & -free;
        free ^= queen;
        sum += ways(columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return sum;
}
int main(void) {
    volatile unsigned sum = 0;
    for (int turn = 0; turn < TURNS; turn++) sum += ways(0, 0, 0);
    puts("1234\n3412\n2143\n4321");
    return sum != 92u * TURNS;
}
"#;

fn main() {
    let bench = Bench::new();
    bench.compile(TURNS);
    let known = bench.run();
    let unchanged = bench.alarms(&known, UNCHANGED);
    println!("unchanged: {unchanged} of {UNCHANGED} comparisons raised an alarm");
    bench.compile(TURNS + TURNS / 10);
    let slowed = bench.alarms(&known, SLOWED);
    println!("slower by a tenth: {slowed} of {SLOWED} comparisons raised an alarm");
}

/// A judge's folder with one problem and one program.
struct Bench {
    root: TempDir,
}

impl Bench {
    fn new() -> Self {
        Self {
            root: bench::mini_judge(CASES, "10s"),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    /// Replaces the program by one that takes this many turns.
    fn compile(&self, turns: usize) {
        self.put("program.c", PROGRAM);
        let turns = format!("-DTURNS={turns}");
        bench::compile(
            "cc",
            &["-O1", &turns],
            &self.path("program.c"),
            &self.path("program"),
        );
    }

    /// Judges the program, and returns the run as a baseline.
    fn run(&self) -> Baseline {
        let ran = Command::new(env!("CARGO_BIN_EXE_gridjudge"))
            .current_dir(self.root.path())
            .args([
                "grade", "-q", "-p", "mini", "-j1", "--repeat", "10", "--log", "log",
                "program",
            ])
            .stdout(Stdio::null())
            .status()
            .expect("the judge");
        assert!(ran.success(), "the program is right");
        read(&self.path("log"))
    }

    /// Judges the program `runs` times, and returns how many runs differ from the
    /// baseline in time or memory. Prints every change.
    fn alarms(&self, known: &Baseline, runs: usize) -> usize {
        let differs = |run: usize| {
            let found = Comparison::between(known, &self.run(), false)
                .expect("the same cases");
            for note in &found.notes {
                println!("  run {run}: {note}");
            }
            for change in &found.changes {
                let case = change.subject.case.as_deref().unwrap_or("all");
                let factor = change.kind.factor();
                println!(
                    "  run {run}: {} {case}: {:+.1} %",
                    change.kind.word(),
                    100.0 * (factor - 1.0)
                );
            }
            found.changes.iter().any(|change| {
                matches!(
                    change.kind,
                    ChangeKind::Time { .. } | ChangeKind::Memory { .. }
                )
            })
        };
        (1..=runs).filter(|run| differs(*run)).count()
    }
}

fn read(log: &Path) -> Baseline {
    let source = BufReader::new(File::open(log).expect("a log"));
    let mut collector = BaselineCollector::default();
    for event in LogReader::open(source).expect("a log") {
        collector
            .take_event(&event.expect("an event"))
            .expect("memory");
    }
    collector.finish().0
}
