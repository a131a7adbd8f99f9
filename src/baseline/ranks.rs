//! Tells chance from change, by ranks: of two samples, how often would one come out above the other by chance alone, and
//! by what factor do they differ. Knows numbers only.
//!
//! CPU times are skewed and have outliers, so nothing here supposes a normal distribution, or any other. The test is that
//! of Wilcoxon, Mann and Whitney with its exact distribution, the factor is the estimator of Hodges and Lehmann on
//! logarithms. Both need all figures, give the same answer always, and throw no dice.

use std::collections::HashMap;

/// Samples whose sizes have a product beyond this are told by the normal approximation, which is good for them.
const MOST_EXACT: usize = 10_000;

/// The standard normal quantile of 97.5 %.
const TWO_SIGMA: f64 = 1.959_964;

/// Chances, with the distributions that were needed so far.
#[derive(Default)]
pub(crate) struct Chances {
    /// By the sizes of the samples: the number of orders in which exactly so many pairs are the wrong way round, for
    /// the first numbers, half of all.
    orders: HashMap<(usize, usize), Vec<f64>>,
}

impl Chances {
    /// How likely it is that `above` comes out so far above `below` if both are of one kind; at most 1.
    ///
    /// Of figures that are equal one is taken to be above the other half the time, and a half that is left is counted
    /// against the difference.
    pub(crate) fn of_being_above(&mut self, below: &[f64], above: &[f64]) -> f64 {
        let pairs = below.len() * above.len();
        if pairs == 0 {
            return 1.0;
        }
        let twice: usize =
            above.iter().flat_map(|high| below.iter().map(move |low| wrong_way(*low, *high))).sum();
        self.of_at_most(below.len(), above.len(), twice.div_ceil(2))
    }

    /// The smallest chance that samples of these sizes can show.
    pub(crate) fn least(&mut self, below: usize, above: usize) -> f64 {
        if below * above == 0 { 1.0 } else { self.of_at_most(below, above, 0) }
    }

    /// How likely at most so many pairs are the wrong way round.
    fn of_at_most(&mut self, below: usize, above: usize, wrong: usize) -> f64 {
        let pairs = below * above;
        if pairs > MOST_EXACT {
            return normal_tail(below, above, wrong);
        }
        if 2 * wrong >= pairs {
            // Half of all orders, or more. No difference was ever shown by that.
            return 1.0;
        }
        let sizes = (below.min(above), below.max(above));
        let orders = self.orders.entry(sizes).or_insert_with(|| numbers_of_orders(sizes.0, sizes.1));
        orders[..=wrong].iter().sum::<f64>() / all_orders(sizes.0, sizes.1)
    }
}

/// 0 where the pair is the right way round, 1 where it is equal, else 2.
fn wrong_way(low: f64, high: f64) -> usize {
    match high.total_cmp(&low) {
        std::cmp::Ordering::Greater => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Less => 2,
    }
}

/// The coefficients of the Gaussian polynomial of these sizes, up to its middle: `product of (1 - q^(large + i)) / (1 -
/// q^i)` for `i` from 1 to `small`. Low coefficients depend on lower ones only, and are whole numbers far below 2^53
/// where a difference is significant, so they are exact there.
fn numbers_of_orders(small: usize, large: usize) -> Vec<f64> {
    let mut orders = vec![0.0; small * large / 2 + 1];
    orders[0] = 1.0;
    for step in 1..=small {
        for degree in (step + large..orders.len()).rev() {
            orders[degree] -= orders[degree - step - large];
        }
        for degree in step..orders.len() {
            orders[degree] += orders[degree - step];
        }
    }
    orders
}

/// The number of ways to choose `small` of `small + large`.
#[expect(clippy::cast_precision_loss, reason = "sizes are small")]
fn all_orders(small: usize, large: usize) -> f64 {
    (1..=small).map(|step| (large + step) as f64 / step as f64).product()
}

/// By the normal approximation, corrected by half a pair.
#[expect(clippy::cast_precision_loss, reason = "an approximation")]
fn normal_tail(below: usize, above: usize, wrong: usize) -> f64 {
    let (below, above, wrong) = (below as f64, above as f64, wrong as f64);
    let deviation = (below * above * (below + above + 1.0) / 12.0).sqrt();
    upper_tail((below * above / 2.0 - wrong - 0.5) / deviation)
}

/// The part of a normal distribution above so many deviations. Abramowitz and Stegun, 7.1.26, to about 1e-7 of it all;
/// what is rarer than that is rare enough.
fn upper_tail(deviations: f64) -> f64 {
    let x = deviations.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let terms = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
    let polynomial = terms.iter().rev().fold(0.0, |sum, term| (sum + term) * t);
    let tail = polynomial * (-x * x).exp() / 2.0;
    if deviations > 0.0 { tail } else { 1.0 - tail }
}

/// By what factor one sample is above another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Factor {
    /// The median of all quotients of a figure of one and a figure of the other.
    pub(crate) factor: f64,
    /// The true factor is between these in 95 of 100 comparisons, as far as the figures are independent.
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Factor {
    /// From `was` to `now`; none if there are no figures, or one is 0.
    pub(crate) fn between(was: &[f64], now: &[f64]) -> Option<Self> {
        let mut quotients: Vec<_> = now.iter().flat_map(|now| was.iter().map(move |was| now / was)).collect();
        if quotients.is_empty() || quotients.iter().any(|quotient| !quotient.is_normal()) {
            return None;
        }
        quotients.sort_by(f64::total_cmp);
        let last = quotients.len() - 1;
        let off = outside(was.len(), now.len()).min(last / 2);
        Some(Self { factor: median(&quotients), low: quotients[off], high: quotients[last - off] })
    }
}

/// How many quotients on each side are outside of the interval.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an approximation; negative numbers become 0"
)]
fn outside(was: usize, now: usize) -> usize {
    let (was, now) = (was as f64, now as f64);
    let deviation = (was * now * (was + now + 1.0) / 12.0).sqrt();
    (was * now / 2.0 - TWO_SIGMA * deviation).floor().max(0.0) as usize
}

/// The middle of figures in order; 0 of none.
pub(crate) fn median(ordered: &[f64]) -> f64 {
    match ordered.len() {
        0 => 0.0,
        count => f64::midpoint(ordered[(count - 1) / 2], ordered[count / 2]),
    }
}

/// The quartile below the middle of figures in order; 0 of none.
pub(crate) fn lower_quartile(ordered: &[f64]) -> f64 {
    ordered.len().checked_sub(1).map_or(0.0, |last| ordered[last / 4])
}

/// How far apart the fastest quarter of figures is, as a part of itself. What disturbs a machine adds to times and takes
/// nothing off, so the fastest are those that show what a program varies by of itself; and where even these are far apart,
/// none is undisturbed.
pub(crate) fn spread(figures: &[f64]) -> f64 {
    let ordered = in_order(figures);
    let Some(least) = ordered.first() else { return 0.0 };
    let quotient = lower_quartile(&ordered) / least;
    if quotient.is_normal() { quotient.ln() } else { 0.0 }
}

pub(crate) fn in_order(figures: &[f64]) -> Vec<f64> {
    let mut ordered = figures.to_vec();
    ordered.sort_by(f64::total_cmp);
    ordered
}

/// The places of the figures between which a median lies in 95 of 100 samples of this size, or nearly the first and the
/// last of a small sample. By the binomial distribution; places count from 0.
pub(crate) fn places_around_median(count: usize) -> (usize, usize) {
    // Beyond this size the chance of a single place is too small to be written; medians are narrow there anyway.
    let most = count.min(1000);
    let mut chance = 0.5_f64.powi(i32::try_from(most).unwrap_or(i32::MAX));
    let (mut below, mut place) = (chance, 0);
    while below <= 0.025 && 2 * (place + 1) < count {
        place += 1;
        #[expect(clippy::cast_precision_loss, reason = "sizes are small")]
        let odds = (most + 1 - place) as f64 / place as f64;
        chance *= odds;
        below += chance;
    }
    let low = place.saturating_sub(1);
    (low, count.saturating_sub(1 + low))
}

/// Chances of several questions asked at once, as Holm corrects them: what remains is the chance that any one answer is
/// wrong, whichever of the questions deserve a yes.
pub(crate) fn corrected(chances: &[f64]) -> Vec<f64> {
    let mut places: Vec<_> = (0..chances.len()).collect();
    places.sort_by(|one, other| chances[*one].total_cmp(&chances[*other]));
    let mut corrected = vec![1.0; chances.len()];
    let mut least: f64 = 0.0;
    for (before, place) in places.into_iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "questions are few")]
        let left = (chances.len() - before) as f64;
        least = least.max((left * chances[place]).min(1.0));
        corrected[place] = least;
    }
    corrected
}

#[cfg(test)]
mod tests;
