//! Checks against chances that can be counted by hand, and against repeated random
//! samples.

use super::*;

fn numbers(range: std::ops::Range<u32>) -> Vec<f64> {
    range.map(|number| f64::from(number) + 1.0).collect()
}

#[track_caller]
fn is_near(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 1e-6 + expected.abs() * 1e-3,
        "{found} is not {expected}"
    );
}

/// The chance for a single case.
fn chance(below: &[f64], above: &[f64]) -> f64 {
    chance_of_being_above(&[below.to_vec()], &[above.to_vec()])
}

#[test]
fn for_one_case_the_chance_is_that_all_lower_figures_are_on_one_side() {
    // Of 35 ways to choose 3 of 7, one leaves the four lowest on the other side, and
    // four the three lowest.
    is_near(chance(&[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0, 7.0]), 1.0 / 35.0);
    is_near(chance(&[1.0, 2.0, 3.0, 5.0], &[4.0, 6.0, 7.0]), 4.0 / 35.0);
    is_near(chance(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0, 7.0]), 1.0 / 35.0);
    is_near(chance(&numbers(0..10), &numbers(10..20)), 1.0 / 184_756.0);
    is_near(chance(&numbers(10..20), &numbers(0..10)), 1.0);
    is_near(chance(&[1.0; 10], &[1.0; 10]), 1.0);
    is_near(chance(&[1.0; 200], &[1.0; 200]), 1.0);
    assert!(chance(&numbers(0..200), &numbers(200..400)) < 1e-100);
    // So many that the number of ways to assign them overflows.
    is_near(
        chance(&[&[1.0; 1000][..], &[2.0; 1000]].concat(), &[2.0; 2000]),
        0.0,
    );
    is_near(chance(&[1.0; 2000], &[1.0; 2000]), 1.0);
}

#[test]
fn whole_rounds_are_assigned_so_equal_cases_count_as_one() {
    let below = vec![1.0, 2.0, 3.0, 5.0];
    let above = vec![4.0, 6.0, 7.0];
    let many =
        chance_of_being_above(&vec![below.clone(); 50], &vec![above.clone(); 50]);
    is_near(many, chance(&below, &above));
}

#[test]
fn the_fast_rounds_of_several_cases_add_up() {
    // Each case has four fast rounds, and no two cases the same ones.
    let is_fast = |case: usize, round: usize| (round + case) % 5 < 2;
    let below: Vec<Vec<f64>> = (0..5)
        .map(|case| {
            (0..10)
                .map(|round| if is_fast(case, round) { 10.0 } else { 15.0 })
                .collect()
        })
        .collect();
    let above: Vec<Vec<f64>> = below
        .iter()
        .map(|case| case.iter().map(|figure| 1.1 * figure).collect())
        .collect();
    is_near(chance(&below[0], &above[0]), 8008.0 / 184_756.0);
    let together = chance_of_being_above(&below, &above);
    assert!(together < 0.001, "{together}");
}

#[test]
fn chances_of_random_permutations_agree_with_the_exact_ones() {
    for factor in [1.0, 1.004, 1.01] {
        let mut skewed = SkewedTimes(SeededRng::new(3, &[]));
        let below: Vec<_> = (0..4).map(|_| skewed.times(9, 1.0)).collect();
        let above: Vec<_> = (0..4).map(|_| skewed.times(9, factor)).collect();
        let cases: Vec<_> = below
            .iter()
            .zip(&above)
            .map(|(below, above)| ranked(below, above))
            .collect();
        let found = super::factor(&cases, |round| round >= 9);
        let exact = exact(&cases, 18, 9, |factor| factor >= found);
        let drawn = drawn(&cases, 18, 9, |factor| factor >= found);
        assert!(
            (exact - drawn).abs() < 0.003 + exact / 50.0,
            "{exact} {drawn}"
        );
    }
    let large = |time: f64| vec![vec![time; 40]; 3];
    assert!(
        chance_of_being_above(&large(1.0), &large(2.0)) <= least_chance_of(3, 40, 40)
    );
    is_near(chance_of_being_above(&large(1.0), &large(1.0)), 1.0);
}

#[test]
fn the_least_chance_is_that_of_one_among_all_or_all_tried_permutations() {
    is_near(least_chance(10, 10), 1.0 / 184_756.0);
    is_near(least_chance_of(100, 10, 10), 1.0 / 184_756.0);
    is_near(least_chance(0, 1), 1.0);
    is_near(least_chance_of(2000, 40, 40), 1.0 / 20_001.0);
    assert!(least_chance_of(1, 40, 40) < 1e-20);
    assert_eq!(ways_to_choose(10, 20).round() as u64, 184_756);
    is_near(least_chance(usize::MAX / 4, usize::MAX / 4), 0.0);
}

/// Times of one distribution with a long upper tail, like CPU times.
struct SkewedTimes(SeededRng);

impl SkewedTimes {
    fn times(&mut self, count: usize, factor: f64) -> Vec<f64> {
        (0..count)
            .map(|_| {
                factor
                    * 1000.0
                    * (1.0
                        - 0.01 * ((self.0.below(1_000_000) as f64 + 0.5) / 1e6).ln())
            })
            .collect()
    }
}

/// How many of these comparisons, of three cases in six rounds each, find the second
/// above the first at 5 %.
fn alarms(comparisons: usize, factor: f64) -> usize {
    let mut skewed = SkewedTimes(SeededRng::new(7, &[]));
    let mut run =
        |factor: f64| (0..3).map(|_| skewed.times(6, factor)).collect::<Vec<_>>();
    (0..comparisons)
        .filter(|_| chance_of_being_above(&run(1.0), &run(factor)) <= 0.05)
        .count()
}

#[test]
fn false_alarms_are_as_rare_as_expected_and_a_change_is_found() {
    // 5 % of 1000 are 50, with a deviation of 7.
    let false_alarms = alarms(1000, 1.0);
    assert!((29..=71).contains(&false_alarms), "{false_alarms}");
    assert_eq!(alarms(100, 1.1), 100);
}
