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

#[test]
fn orders_are_counted_as_in_the_tables() {
    // The Gaussian binomial of 2 of 4 is 1, 1, 2, 1, 1; that of 3 of 6 begins 1, 1, 2, 3, 3, and sums to 20.
    assert_eq!(numbers_of_orders(2, 2), [1.0, 1.0, 2.0]);
    assert_eq!(numbers_of_orders(3, 3), [1.0, 1.0, 2.0, 3.0, 3.0]);
    assert_eq!(all_orders(10, 10).round() as u64, 184_756);
    // Mann and Whitney's table of 5 %, two sides: the most pairs that are the wrong way round.
    for (small, large, most) in [(5, 5, 2), (6, 6, 5), (8, 8, 13), (10, 10, 23), (7, 12, 18), (20, 20, 127)] {
        let mut chances = Chances::default();
        assert!(chances.of_at_most(small, large, most) <= 0.025, "{small} {large}");
        assert!(chances.of_at_most(small, large, most + 1) > 0.025, "{small} {large}");
    }
}

#[test]
fn samples_apart_have_the_least_chance_and_samples_alike_have_none() {
    let mut chances = Chances::default();
    is_near(chances.of_being_above(&numbers(0..10), &numbers(10..20)), 1.0 / 184_756.0);
    is_near(chances.least(10, 10), 1.0 / 184_756.0);
    is_near(chances.of_being_above(&numbers(10..20), &numbers(0..10)), 1.0);
    is_near(chances.of_being_above(&[1.0; 10], &[1.0; 10]), 1.0);
    is_near(chances.of_being_above(&[], &[1.0]), 1.0);
    // 1 2 | 2 3: of four pairs none is the wrong way round, and one is equal, which counts as one.
    is_near(chances.of_being_above(&[1.0, 2.0], &[2.0, 3.0]), 2.0 / 6.0);
}

#[test]
fn the_approximation_for_large_samples_agrees_with_the_exact_chances() {
    let mut chances = Chances::default();
    for (small, large, wrong) in [(50, 60, 1100), (50, 60, 1000), (90, 100, 3800), (90, 100, 4300)] {
        let (exact, near) = (chances.of_at_most(small, large, wrong), normal_tail(small, large, wrong));
        assert!((exact / near - 1.0).abs() < 0.1, "{exact} {near}");
    }
    is_near(upper_tail(1.959_964), 0.025);
    is_near(upper_tail(-1.0), 0.841_345);
    assert!(chances.of_being_above(&numbers(0..200), &numbers(100..300)) < 1e-6);
}

#[test]
fn a_factor_is_the_median_quotient_and_an_outlier_does_not_move_it() {
    let was = [100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 106.0, 107.0, 108.0, 900.0];
    let now = was.map(|figure| figure * 1.1);
    let found = Factor::between(&was, &now).unwrap();
    is_near(found.factor, 1.1);
    assert!(1.05 < found.low && found.low < 1.1 && 1.1 < found.high && found.high < 1.15, "{found:?}");
    assert_eq!(Factor::between(&[], &now), None);
    assert_eq!(Factor::between(&[0.0], &[0.0]), None);
    let single = Factor::between(&[2.0], &[3.0]).unwrap();
    assert_eq!((single.low, single.factor, single.high), (1.5, 1.5, 1.5));
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
fn spread_is_that_of_the_fastest_quarter() {
    is_near(spread(&[100.0; 8]), 0.0);
    is_near(spread(&[]), 0.0);
    let calm = [99.0, 100.0, 100.0, 101.0, 101.0, 102.0, 102.0, 103.0];
    let wild = [99.0, 100.0, 100.0, 101.0, 101.0, 102.0, 102.0, 1e6];
    is_near(spread(&calm), spread(&wild));
    assert!((0.01..0.02).contains(&spread(&calm)), "{}", spread(&calm));
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

/// How many of so many comparisons of ten figures with ten find the second above the first, at 1 %.
fn alarms(comparisons: usize, factor: f64) -> usize {
    let (mut weather, mut chances) = (Weather(Xoshiro256StarStar::seed_from_u64(7)), Chances::default());
    let mut is_alarm = || {
        let (was, now) = (weather.times(10, 1.0), weather.times(10, factor));
        chances.of_being_above(&was, &now) <= 0.01
    };
    (0..comparisons).filter(|_| is_alarm()).count()
}

#[test]
fn chance_raises_no_more_alarms_than_promised_and_a_change_is_found() {
    // 1 % of 20,000 are 200, with a deviation of 14; ranks come in steps, so there are fewer.
    let false_alarms = alarms(20_000, 1.0);
    assert!((100..=230).contains(&false_alarms), "{false_alarms}");
    assert_eq!(alarms(500, 1.05), 500);
}

#[test]
fn the_interval_holds_the_true_factor_as_often_as_promised() {
    let mut weather = Weather(Xoshiro256StarStar::seed_from_u64(11));
    let mut holds = || {
        let found = Factor::between(&weather.times(10, 1.0), &weather.times(10, 1.1)).unwrap();
        found.low <= 1.1 && 1.1 <= found.high
    };
    let held = (0..5000).filter(|_| holds()).count();
    assert!((4650..=4900).contains(&held), "{held} of 5000");
}
