//! Measures how many inputs `stress` runs per second, compared with a bare loop of two
//! threads that spawns the same program, writes the same inputs, reads the output and
//! waits. `stress` also makes, solves, judges and isolates. Rounds alternate, and
//! medians are compared: the rate of `stress` should be at least four fifths of the
//! bare rate. On a busy machine, the CPU time of an input says more than wall time.
//!
//! `cargo bench --bench stress` (needs `c++`)

mod bench;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use gridjudge::authoring::stress::InputSource;
use gridjudge::spec::{JudgeFolder, ProblemSpec};

const ROUNDS: usize = 7;

const INPUTS: u64 = 3_000;

const PROBLEM: &str = "poj-2676";

/// A right program, so that every input is run to its end.
const PROGRAM: &str = "accepted/hidden_singles.cpp";

fn main() {
    let place = tempfile::tempdir().expect("a folder for the bench");
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ProblemSpec {
        problem, recipes, ..
    } = JudgeFolder::open(own)
        .and_then(|folder| folder.find(PROBLEM)?.spec())
        .expect("our own problem");
    let source = InputSource::new(
        problem.task.as_grid().expect("a problem of grids"),
        &recipes,
        &[],
        1,
    );
    let start = Instant::now();
    let inputs: Vec<_> = (0..INPUTS)
        .map(|number| source.input(number).expect("an input").input)
        .collect();
    println!(
        "making and solving an input: {:.0?}, one thread",
        start.elapsed() / INPUTS as u32
    );
    let program = bench::compile_own(PROBLEM, PROGRAM, &["-static"], place.path());
    let mut bare = Vec::new();
    let mut stress = Vec::new();
    let mut bare_ticks = 0;
    let mut stress_ticks = 0;
    for _ in 0..ROUNDS {
        let before = bench::cpu_ticks();
        bare.push(bare_loop(&program, &inputs));
        let between = bench::cpu_ticks();
        stress.push(stressed(own, &program));
        bare_ticks += between - before;
        stress_ticks += bench::cpu_ticks() - between;
    }
    let bare = bench::median(&bare);
    let stress = bench::median(&stress);
    let each = |ticks: u64| ticks * 10_000 / (INPUTS * ROUNDS as u64);
    println!(
        "CPU time of an input, all processes: stress {} us, bare {} us: {:.2} of the bare rate",
        each(stress_ticks),
        each(bare_ticks),
        bare_ticks as f64 / stress_ticks as f64,
    );
    println!(
        "{INPUTS} inputs, -j2: stress {:.0} a second, bare {:.0} a second: {:.2} of the bare rate",
        INPUTS as f64 / stress.as_secs_f64(),
        INPUTS as f64 / bare.as_secs_f64(),
        bare.as_secs_f64() / stress.as_secs_f64(),
    );
}

/// The wall time of the whole command, including its start.
fn stressed(own: &Path, program: &Path) -> Duration {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_gridjudge"))
        .current_dir(own)
        .args([
            "stress",
            "-q",
            "-j2",
            "-p",
            PROBLEM,
            "--seed",
            "1",
            "--runs",
            &INPUTS.to_string(),
        ])
        .arg(program)
        .output()
        .expect("the judge");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    start.elapsed()
}

/// The wall time of the bare loop.
fn bare_loop(program: &Path, inputs: &[Vec<u8>]) -> Duration {
    bench::two_at_once(inputs.len(), |number| {
        drop(bench::run_bare(program, &inputs[number]))
    })
}
