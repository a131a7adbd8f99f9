//! Measures how fast grids are made: each kind for one second, on one thread.

use std::time::{Duration, Instant};

use gridjudge_grid::Shape;
use gridjudge_grid::make::{GridKind, GridMaker, Rating, SeededRng, Symmetry};
use gridjudge_grid::naive::{NaiveSearch, NaiveSearcher};

/// The time for each kind.
const SPAN: Duration = Duration::from_secs(1);

const KINDS: [(&str, GridKind); 9] = [
    ("complete", GridKind::Complete),
    ("minimal", GridKind::Minimal),
    ("30 clues", GridKind::Clues(30)),
    ("half-turn", GridKind::Symmetric(Symmetry::HalfTurn)),
    ("17 clues", GridKind::Seventeen),
    ("rated easy", GridKind::Rated(Rating::Easy)),
    ("rated hard", GridKind::Rated(Rating::Hard)),
    (
        "several",
        GridKind::Several {
            least: 2,
            most: 100,
        },
    ),
    ("unsolvable", GridKind::Unsolvable),
];

fn main() {
    let shape = Shape::new(9, 3, 3).expect("9 = 3 x 3");
    let mut maker = GridMaker::new(&shape);
    println!(
        "{:24}{:>12}{:>12}",
        "9x9, one thread", "a second", "us each"
    );
    for (name, kind) in KINDS {
        let start = Instant::now();
        let mut made = 0;
        while start.elapsed() < SPAN {
            maker
                .make(kind, &mut SeededRng::new(1, &[made]))
                .expect("this kind can be made");
            made += 1;
        }
        print_rate(name, made, start.elapsed());
    }
    let start = Instant::now();
    let mut made = 0;
    while start.elapsed() < SPAN {
        let mut rng: Vec<_> = (made..made + 256)
            .map(|number| SeededRng::new(1, &[number]))
            .collect();
        made += maker
            .make_many(GridKind::Minimal, &mut rng)
            .expect("this kind can be made")
            .len() as u64;
    }
    print_rate("minimal, 256 together", made, start.elapsed());
    measure_searches(&shape);
}

fn print_rate(name: &str, made: u64, elapsed: Duration) {
    let each = elapsed.as_secs_f64() / made as f64;
    println!("{name:24}{:>12.0}{:>12.2}", 1.0 / each, 1e6 * each);
}

/// Prints the nodes per microsecond of searches against which slow grids are made.
fn measure_searches(shape: &Shape) {
    println!("\n{:24}{:>12}", "search", "nodes a us");
    let searcher = NaiveSearcher::new(shape);
    for (search, nodes) in [
        (NaiveSearch::Rows, 100_000_000),
        (NaiveSearch::FewestCandidates, 1_000_000),
    ] {
        let mut maker = GridMaker::new(shape);
        let cells = maker
            .make(
                GridKind::Slow {
                    search,
                    nodes: nodes / 10,
                },
                &mut SeededRng::new(1, &[]),
            )
            .expect("found");
        let start = Instant::now();
        let counted = searcher.search(search, &cells, nodes);
        println!(
            "{:24}{:>12.1}",
            search.name(),
            counted.nodes as f64 / 1e6 / start.elapsed().as_secs_f64()
        );
    }
}
