//! How fast grids are made: a second's worth of each kind, on one thread.

use std::time::Duration;
use std::time::Instant;

use gridjudge_grid::Shape;
use gridjudge_grid::make::Dice;
use gridjudge_grid::make::Kind;
use gridjudge_grid::make::Maker;
use gridjudge_grid::make::Rating;
use gridjudge_grid::make::Symmetry;
use gridjudge_grid::naive::Naive;
use gridjudge_grid::naive::Searcher;

/// Time given to each kind.
const SPAN: Duration = Duration::from_secs(1);

const KINDS: [(&str, Kind); 9] = [
    ("complete", Kind::Complete),
    ("minimal", Kind::Minimal),
    ("30 clues", Kind::Clues(30)),
    ("half-turn", Kind::Symmetric(Symmetry::HalfTurn)),
    ("17 clues", Kind::Seventeen),
    ("rated easy", Kind::Rated(Rating::Easy)),
    ("rated hard", Kind::Rated(Rating::Hard)),
    ("several", Kind::Several { least: 2, most: 100 }),
    ("unsolvable", Kind::Unsolvable),
];

fn main() {
    let shape = Shape::new(9, 3, 3).expect("9 = 3 x 3");
    let mut maker = Maker::new(&shape);
    println!("{:24}{:>12}{:>12}", "9x9, one thread", "a second", "us each");
    for (name, kind) in KINDS {
        let start = Instant::now();
        let mut made = 0;
        while start.elapsed() < SPAN {
            maker.make(kind, &mut Dice::new(1, &[made])).expect("this kind can be made");
            made += 1;
        }
        told(name, made, start.elapsed());
    }
    let start = Instant::now();
    let mut made = 0;
    while start.elapsed() < SPAN {
        let mut dice: Vec<_> = (made..made + 256).map(|number| Dice::new(1, &[number])).collect();
        made += maker.make_many(Kind::Minimal, &mut dice).expect("this kind can be made").len() as u64;
    }
    told("minimal, 256 together", made, start.elapsed());
    searching(&shape);
}

fn told(name: &str, made: u64, elapsed: Duration) {
    let each = elapsed.as_secs_f64() / made as f64;
    println!("{name:24}{:>12.0}{:>12.2}", 1.0 / each, 1e6 * each);
}

/// Nodes a second of the searches that slow grids are made against.
fn searching(shape: &Shape) {
    println!("\n{:24}{:>12}", "search", "nodes a us");
    let searcher = Searcher::new(shape);
    for (search, nodes) in [(Naive::Rows, 100_000_000), (Naive::FewestCandidates, 1_000_000)] {
        let mut maker = Maker::new(shape);
        let cells =
            maker.make(Kind::Slow { search, nodes: nodes / 10 }, &mut Dice::new(1, &[])).expect("found");
        let start = Instant::now();
        let counted = searcher.search(search, &cells, nodes);
        println!("{:24}{:>12.1}", search.name(), counted.nodes as f64 / 1e6 / start.elapsed().as_secs_f64());
    }
}
