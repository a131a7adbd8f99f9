//! Tests the ratings of known grids.

use super::*;

fn clues(line: &str) -> Vec<Value> {
    line.bytes()
        .map(|byte| if byte == b'.' { 0 } else { byte - b'0' })
        .collect()
}

fn rated(line: &str) -> (Rating, Option<u64>) {
    let rater = Rater::new(&Shape::new(9, 3, 3).unwrap());
    (rater.rating(&clues(line)), rater.guesses(&clues(line)))
}

#[test]
fn grids_are_as_hard_as_the_hardest_step_they_need() {
    for (line, rating, guesses) in [
        (
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
            Rating::Easy,
            0,
        ),
        (
            "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
            Rating::Extreme,
            160,
        ),
    ] {
        assert_eq!(rated(line), (rating, Some(guesses)), "{line}");
    }
}

#[test]
fn a_grid_without_a_solution_is_rated_extreme() {
    assert_eq!(
        rated(&format!("11{}", ".".repeat(79))),
        (Rating::Extreme, Some(0))
    );
}
