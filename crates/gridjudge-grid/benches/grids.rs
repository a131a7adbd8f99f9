//! Measures how fast grids other than plain 9x9 ones are proved to have one solution:
//! CPU milliseconds of each set.
//!
//! `cargo bench --bench grids [DEAD_ENDS]`; with a small bound the search on the
//! hardest grids is stopped and counted as given up.

use std::time::Duration;

use gridjudge_grid::solve::{SearchBounds, Solver};
use gridjudge_grid::{GridRules, Shape};
use rustix::time::{ClockId, clock_gettime};

/// Name, order and grids. `data/README.md` says where they are from.
const SETS: [(&str, u64, &str); 4] = [
    (
        "16x16, Gecode",
        16,
        include_str!("data/16x16-gecode-55.txt"),
    ),
    (
        "16x16, minimal",
        16,
        include_str!("data/16x16-minimal-100.txt"),
    ),
    (
        "25x25, 300 clues",
        25,
        include_str!("data/25x25-300clues-3.txt"),
    ),
    (
        "25x25, Frisch",
        25,
        include_str!("data/25x25-frisch-16.txt"),
    ),
];

fn main() {
    let default = SearchBounds::default();
    let dead_ends = std::env::args()
        .filter_map(|word| word.parse().ok())
        .next()
        .unwrap_or(default.dead_ends);
    for (name, order, text) in SETS {
        let shape = Shape::square(order).expect("4x4 and 5x5 boxes");
        let solver = Solver::new(&shape).with_bounds(SearchBounds {
            dead_ends,
            ..default
        });
        let mut times = vec![];
        let mut given_up = 0;
        for clues in text.lines().map(clues) {
            let before = cpu_time();
            let found = solver.solutions(&clues, 2);
            times.push((cpu_time() - before).as_secs_f64() * 1e3);
            match found {
                Ok(found) => {
                    assert!(
                        found.len() == 1 && GridRules::new(&shape).accepts(&found[0]),
                        "{name}: {clues:?}"
                    );
                }
                Err(_) => given_up += 1,
            }
        }
        times.sort_by(f64::total_cmp);
        println!(
            "{name}: {} grids, {given_up} given up; {:.1} ms in sum, {:.2} ms the median, {:.2} ms the longest",
            times.len(),
            times.iter().sum::<f64>(),
            times[times.len() / 2],
            times[times.len() - 1],
        );
    }
}

fn clues(line: &str) -> Vec<u8> {
    line.split_whitespace()
        .map(|word| word.parse().expect("a number"))
        .collect()
}

fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        now.tv_sec.unsigned_abs(),
        u32::try_from(now.tv_nsec).expect("below a second"),
    )
}
