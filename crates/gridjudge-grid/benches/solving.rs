//! Measures how fast plain 9x9 grids are solved: microseconds of CPU time per puzzle,
//! for a first solution and for the proof that there is no second, on one thread, by
//! both engines in all registers of this machine.
//!
//! `cargo bench --bench solving [FOLDER]`: every `.txt` file in the folder is a list,
//! one puzzle of 81 characters per line. Without a folder, the small lists in
//! `benches/data` are used. `benches/peers` measures the ratios to another solver.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gridjudge_grid::batch::puzzle_of;
use gridjudge_grid::solve::nine::{BatchSolver, NinePuzzle, Registers, SingleSolver};
use rustix::time::{ClockId, clock_gettime};

const ROUNDS: usize = 5;

/// A round repeats its list until it has taken this long.
const ROUND: Duration = Duration::from_millis(50);

fn main() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/data");
    let folder = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    println!(
        "{:<24} {:>8}  {:<16} {:>10} {:>10}",
        "list", "puzzles", "engine", "first", "proof"
    );
    let lists = lists(&folder.map_or(own, PathBuf::from))
        .into_iter()
        .map(|path| (read(&path), path));
    // The folder also has lists of larger grids and a licence, which contain no 9x9
    // puzzles.
    for (puzzles, path) in lists.filter(|(puzzles, _)| !puzzles.is_empty()) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        for registers in Registers::all() {
            let print = |engine: &str, of_limit: &dyn Fn(usize) -> f64| {
                let engine = format!("{engine} {registers}");
                let first = of_limit(1);
                let proof = of_limit(2);
                println!(
                    "{name:<24} {:>8}  {engine:<16} {first:>10.3} {proof:>10.3}",
                    puzzles.len()
                );
            };
            print("batch", &|limit| batch(registers, &puzzles, limit));
            print("single", &|limit| single(registers, &puzzles, limit));
        }
    }
}

fn lists(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    paths
}

fn read(path: &Path) -> Vec<NinePuzzle> {
    let text =
        fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.split(|&byte| byte == b'\n')
        .filter_map(|line| puzzle_of(line)?.ok())
        .collect()
}

fn batch(registers: Registers, puzzles: &[NinePuzzle], limit: usize) -> f64 {
    let mut solver = BatchSolver::new(registers);
    let mut outcomes = vec![];
    microseconds(puzzles, || {
        solver.solve(puzzles, limit, &mut outcomes);
        black_box(&outcomes);
    })
}

fn single(registers: Registers, puzzles: &[NinePuzzle], limit: usize) -> f64 {
    let mut solver = SingleSolver::new(registers);
    microseconds(puzzles, || {
        for puzzle in puzzles {
            let _ = black_box(solver.outcome(puzzle, limit));
        }
    })
}

/// The median CPU time of this thread for some work, per puzzle.
fn microseconds(puzzles: &[NinePuzzle], mut work: impl FnMut()) -> f64 {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let mut times = [0.0; ROUNDS];
    for time in &mut times {
        let start = now();
        let mut rounds = 0;
        while now() - start < ROUND {
            work();
            rounds += 1;
        }
        *time = (now() - start).as_secs_f64() * 1e6
            / f64::from(rounds)
            / puzzles.len().max(1) as f64;
    }
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}
