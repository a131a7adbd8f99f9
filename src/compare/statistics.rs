//! Figures in order: medians, where they lie, and chances of several questions. Knows numbers only.

/// The middle of figures in order; 0 of none.
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

/// The places of the figures between which a median lies in 95 of 100 samples of this size, or nearly the first and the
/// last of a small sample. By the binomial distribution; places count from 0.
pub(super) fn places_around_median(count: usize) -> (usize, usize) {
    // Beyond this size the chance of a single place is too small to be written; medians are narrow there anyway.
    let most = count.min(1000);
    let mut chance = 0.5_f64.powi(i32::try_from(most).unwrap_or(i32::MAX));
    let (mut below, mut place) = (chance, 0);
    while below <= 0.025 && 2 * (place + 1) < count {
        place += 1;
        let odds = float(most + 1 - place) / float(place);
        chance *= odds;
        below += chance;
    }
    let low = place.saturating_sub(1);
    (low, count.saturating_sub(1 + low))
}

/// Chances of several questions asked at once, as Holm corrects them: what remains is the chance that any one answer is
/// wrong, whichever of the questions deserve a yes.
pub(super) fn corrected(chances: &[f64]) -> Vec<f64> {
    let mut places: Vec<_> = (0..chances.len()).collect();
    places.sort_by(|one, other| chances[*one].total_cmp(&chances[*other]));
    let mut corrected = vec![1.0; chances.len()];
    let mut least: f64 = 0.0;
    for (before, place) in places.into_iter().enumerate() {
        let left = float(chances.len() - before);
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
