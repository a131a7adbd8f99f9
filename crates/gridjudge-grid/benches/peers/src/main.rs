//! Measures how many times faster gridjudge solves plain 9x9 grids than the crate
//! `sudoku`, in the same run, on one thread.
//!
//! `cargo run --release [FOLDER] [LIST...]` in this folder: every `.txt` file of the
//! folder is a list, one puzzle of 81 characters per line; without a folder, the small
//! lists in `../data` are used. Rounds of the solvers alternate, so that other load on
//! the machine affects all of them. The peer is given parsed puzzles; our times include
//! the parsing.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::path::PathBuf;
use std::time::Instant;

use gridjudge_grid::batch::puzzle_of;
use gridjudge_grid::solve::nine::BatchSolver;
use gridjudge_grid::solve::nine::NinePuzzle;
use gridjudge_grid::solve::nine::Registers;
use gridjudge_grid::solve::nine::SingleSolver;
use sudoku::Sudoku;

const ROUNDS: usize = 7;

fn main() {
    let mut words = std::env::args().skip(1);
    let folder = words.next().map_or(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../data"),
        PathBuf::from,
    );
    let wanted: Vec<_> = words.collect();
    println!(
        "{:<24} {:<6} {:>9}  times faster:",
        "list", "limit", "peer, us"
    );
    for path in lists(&folder) {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if wanted.is_empty() || wanted.contains(&name) {
            for limit in [1, 2] {
                compare(&name, &read(&path), limit);
            }
        }
    }
}

fn lists(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    paths
}

fn read(path: &Path) -> Vec<NinePuzzle> {
    let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.split(|&byte| byte == b'\n')
        .filter_map(|line| puzzle_of(line)?.ok())
        .collect()
}

/// A solver's name, its work for one round, and the seconds per puzzle of each round.
type Contestant<'a> = (String, Box<dyn FnMut() + 'a>, Vec<f64>);

fn compare(name: &str, puzzles: &[NinePuzzle], limit: usize) {
    let theirs: Vec<_> = puzzles
        .iter()
        .filter_map(|puzzle| Sudoku::from_bytes(*puzzle).ok())
        .collect();
    assert_eq!(theirs.len(), puzzles.len());
    let mut contestants: Vec<Contestant<'_>> =
        vec![("peer".to_owned(), Box::new(|| peer(&theirs, limit)), vec![])];
    for registers in Registers::all() {
        let mut batch = BatchSolver::new(registers);
        let mut outcomes = vec![];
        contestants.push((
            format!("batch {registers}"),
            Box::new(move || batch.solve(black_box(puzzles), limit, &mut outcomes)),
            vec![],
        ));
        let mut single = SingleSolver::new(registers);
        contestants.push((
            format!("single {registers}"),
            Box::new(move || {
                for puzzle in puzzles {
                    let _ = black_box(single.outcome(puzzle, limit));
                }
            }),
            vec![],
        ));
    }
    for _ in 0..ROUNDS {
        for (_, work, times) in &mut contestants {
            times.push(seconds(work, puzzles.len()));
        }
    }
    let medians: Vec<_> = contestants
        .iter_mut()
        .map(|(_, _, times)| median(times))
        .collect();
    print!("{name:<24} {limit:<6} {:>9.3} ", medians[0] * 1e6);
    for ((name, ..), median) in contestants.iter().zip(&medians).skip(1) {
        print!(" {name} {:.2}", medians[0] / median);
    }
    println!();
}

fn peer(puzzles: &[Sudoku], limit: usize) {
    for puzzle in puzzles {
        if limit == 1 {
            black_box(puzzle.some_solution());
        } else {
            black_box(puzzle.solutions_count_up_to(2));
        }
    }
}

/// The seconds per puzzle.
fn seconds(work: &mut dyn FnMut(), puzzles: usize) -> f64 {
    let start = Instant::now();
    let mut rounds = 0;
    while start.elapsed().as_secs_f64() < 0.03 {
        work();
        rounds += 1;
    }
    start.elapsed().as_secs_f64() / f64::from(rounds) / puzzles.max(1) as f64
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
