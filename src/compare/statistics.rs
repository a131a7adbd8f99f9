//! Medians, their confidence intervals, and corrections for multiple tests. Knows numbers only.

/// The median of sorted figures; 0 if there are none.
pub(super) fn median(ordered: &[f64]) -> f64 {
    match ordered.len() {
        0 => 0.0,
        count => f64::midpoint(ordered[(count - 1) / 2], ordered[count / 2]),
    }
}

pub(super) fn in_order(figures: &[f64]) -> Vec<f64> {
    let mut ordered = figures.to_vec();
    ordered.sort_by(f64::total_cmp);
    ordered
}

/// The places, counted from 0, of the sorted figures between which the true median is in 95 of 100
/// samples of this size, by the binomial distribution. For a small sample these are the first and
/// the last.
pub(super) fn places_around_median(count: usize) -> (usize, usize) {
    // For larger samples the first probability is too small for a float; their intervals are narrow
    // anyway.
    let most = count.min(1000);
    let mut chance = 0.5_f64.powi(i32::try_from(most).unwrap_or(i32::MAX));
    let mut below = chance;
    let mut place = 0;
    while below <= 0.025 && 2 * (place + 1) < count {
        place += 1;
        let odds = float(most + 1 - place) / float(place);
        chance *= odds;
        below += chance;
    }
    let low = place.saturating_sub(1);
    (low, count.saturating_sub(1 + low))
}

/// Holm's correction for the chances of several tests made together: a corrected chance bounds the
/// chance of any false alarm, whichever of the tests have a real effect. `tests` is their number:
/// those whose chances are larger than all these may be left out.
pub(super) fn corrected(chances: &[f64], tests: usize) -> Vec<f64> {
    let mut places: Vec<_> = (0..chances.len()).collect();
    places.sort_by(|one, other| chances[*one].total_cmp(&chances[*other]));
    let mut corrected = vec![1.0; chances.len()];
    let mut least: f64 = 0.0;
    for (before, place) in places.into_iter().enumerate() {
        let left = float(tests - before);
        least = least.max((left * chances[place]).min(1.0));
        corrected[place] = least;
    }
    corrected
}

#[expect(clippy::cast_precision_loss, reason = "sizes are small")]
pub(super) fn float(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests;
