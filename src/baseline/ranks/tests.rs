//! The statistics against known distributions, and against chance that repeats itself.

use rand_xoshiro::Xoshiro256StarStar;
use rand_xoshiro::rand_core::Rng;
use rand_xoshiro::rand_core::SeedableRng;

use super::*;

fn numbers(range: std::ops::Range<u32>) -> Vec<f64> {
    range.map(f64::from).collect()
}

#[track_caller]
fn is_near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-6 + expected.abs() * 1e-3, "{found} is not {expected}");
}

/// The chance of a single case.
fn chance(below: &[f64], above: &[f64]) -> f64 {
    let mut scores = vec![0.0; below.len() + above.len()];
    add_scores(&mut scores, &[below, above].concat());
    chance_of_being_above(&scores[..below.len()], &scores[below.len()..])
}

#[test]
fn a_score_is_the_logarithm_of_a_place_and_equal_figures_share_theirs() {
    let mut scores = [0.0; 4];
    add_scores(&mut scores, &[30.0, 10.0, 10.0, 20.0]);
    let shared = 2.0_f64.ln() / 2.0;
    for (found, expected) in scores.into_iter().zip([4.0_f64.ln(), shared, shared, 3.0_f64.ln()]) {
        is_near(found, expected);
    }
}

#[test]
fn chances_are_counted_over_all_ways_to_deal_whole_rounds() {
    // Of 20 ways to choose 3 of 1 to 6, one has a sum of 15, one of 14 and two of 13.
    assert_eq!([15, 14, 13].map(|least| ways_to_reach(&[1, 2, 3, 4, 5, 6], 3, least)), [1.0, 2.0, 4.0]);
    assert_eq!(ways_to_choose(10, 20).round() as u64, 184_756);
    // 1 2 3 5 | 4 6 7: more extreme is only 5 6 7.
    is_near(chance(&[1.0, 2.0, 3.0, 5.0], &[4.0, 6.0, 7.0]), 2.0 / 35.0);
    is_near(chance(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0, 7.0]), 1.0 / 35.0);
    // Cases that agree in every round are one case: rounds are dealt, not attempts.
    let mut scores = vec![0.0; 6];
    (0..50).for_each(|_| add_scores(&mut scores, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    is_near(chance_of_being_above(&scores[..3], &scores[3..]), 1.0 / 20.0);
}

#[test]
fn samples_apart_have_the_least_chance_and_samples_alike_have_none() {
    is_near(chance(&numbers(0..10), &numbers(10..20)), 1.0 / 184_756.0);
    is_near(least_chance(10, 10), 1.0 / 184_756.0);
    is_near(chance(&numbers(10..20), &numbers(0..10)), 1.0);
    is_near(chance(&[1.0; 10], &[1.0; 10]), 1.0);
    is_near(chance(&[], &[1.0]), 1.0);
    is_near(least_chance(0, 1), 1.0);
}

#[test]
fn the_approximation_for_large_samples_agrees_with_the_exact_chances() {
    let mut weather = Weather(Xoshiro256StarStar::seed_from_u64(3));
    for factor in [1.0, 1.003, 1.006] {
        let mut scores = vec![0.0; 48];
        add_scores(&mut scores, &[weather.times(24, 1.0), weather.times(24, factor)].concat());
        let (below, above) = scores.split_at(24);
        let (exact, near) = (chance_of_being_above(below, above), normal_tail(below, above));
        // Where it errs much, it is for saying less.
        assert!(near > exact / 2.0 && (exact < 0.001 || near < 2.0 * exact), "{exact} {near}");
    }
    is_near(upper_tail(1.959_964), 0.025);
    is_near(upper_tail(-1.0), 0.841_345);
    assert!(chance(&numbers(0..200), &numbers(100..300)) < 1e-6);
    is_near(chance(&[1.0; 200], &[1.0; 200]), 1.0);
}

#[test]
fn a_median_lies_between_the_places_of_the_binomial_distribution() {
    // From the usual table for 95 %, counted from 0.
    for (count, expected) in
        [(1, (0, 0)), (5, (0, 4)), (6, (0, 5)), (9, (1, 7)), (10, (1, 8)), (20, (5, 14)), (100, (39, 60))]
    {
        assert_eq!(places_around_median(count), expected, "{count}");
    }
    let (low, high) = places_around_median(5000);
    assert!(low < 2500 && 2500 < high);
}

#[test]
fn chances_are_corrected_by_the_number_of_questions_that_are_left() {
    let expected = [0.03, 0.06, 0.06, 0.02];
    for (found, expected) in corrected(&[0.01, 0.04, 0.03, 0.005]).into_iter().zip(expected) {
        is_near(found, expected);
    }
    assert_eq!(corrected(&[0.9, 0.9]), [1.0, 1.0]);
    assert!(corrected(&[]).is_empty());
}

/// Times of one kind with a tail above, as CPU times have it.
struct Weather(Xoshiro256StarStar);

impl Weather {
    fn part(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn times(&mut self, count: usize, factor: f64) -> Vec<f64> {
        (0..count).map(|_| factor * 1000.0 * (1.0 - 0.01 * self.part().max(1e-9).ln())).collect()
    }
}

/// How many of so many comparisons of six figures with six find the second above the first, at 5 %.
fn alarms(comparisons: usize, factor: f64) -> usize {
    let mut weather = Weather(Xoshiro256StarStar::seed_from_u64(7));
    let mut is_alarm = || chance(&weather.times(6, 1.0), &weather.times(6, factor)) <= 0.05;
    (0..comparisons).filter(|_| is_alarm()).count()
}

#[test]
fn chance_raises_no_more_alarms_than_promised_and_a_change_is_found() {
    // 5 % of 1000 are 50, with a deviation of 7.
    let false_alarms = alarms(1000, 1.0);
    assert!((29..=71).contains(&false_alarms), "{false_alarms}");
    assert_eq!(alarms(100, 1.1), 100);
}
