//! Checks against known tables.

use super::*;

#[track_caller]
fn is_near(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 1e-6 + expected.abs() * 1e-3,
        "{found} is not {expected}"
    );
}

#[test]
fn the_places_around_a_median_follow_the_binomial_distribution() {
    // From the usual table for 95 %, counted from 0.
    for (count, expected) in [
        (1, (0, 0)),
        (5, (0, 4)),
        (6, (0, 5)),
        (9, (1, 7)),
        (10, (1, 8)),
        (20, (5, 14)),
        (100, (39, 60)),
    ] {
        assert_eq!(places_around_median(count), expected, "{count}");
    }
    let (low, high) = places_around_median(5000);
    assert!(low < 2500 && 2500 < high);
}

#[test]
fn chances_are_corrected_by_the_number_of_remaining_tests() {
    let expected = [0.03, 0.06, 0.06, 0.02];
    for (found, expected) in corrected(&[0.01, 0.04, 0.03, 0.005], 4)
        .into_iter()
        .zip(expected)
    {
        is_near(found, expected);
    }
    assert_eq!(corrected(&[0.9, 0.9], 2), [1.0, 1.0]);
    assert!(corrected(&[], 0).is_empty());
    let with_all = corrected(&[0.01, 1.0, 0.2, 1.0], 4);
    assert_eq!(corrected(&[0.01, 0.2], 4), [with_all[0], with_all[2]]);
}
