//! A permutation test: if rounds had been assigned to two groups by chance, how often
//! would the level of one be this far above that of the other? Knows numbers only.
//! Start at [`chance_of_being_above`].
//!
//! CPU times are skewed and have outliers, and a disturbance of the machine affects all
//! cases of a round. So the test assumes neither a normal distribution nor any other,
//! nor that cases are independent: it assigns whole rounds, in all possible ways if
//! these are few enough, and otherwise in many random but reproducible ways.

use gridjudge_grid::make::SeededRng;

/// The most permutations tried. Two groups of ten rounds have 184,756.
const MOST_PERMUTATIONS: usize = 200_000;

/// The most figures read over all permutations, so that a result takes some tenths of a
/// second...
const MOST_LOOKS: usize = 80_000_000;

/// ...unless that would leave fewer permutations than this.
const LEAST_PERMUTATIONS: usize = 20_000;

/// Tolerance when comparing factors, because they come from sums of floating-point
/// numbers.
const CLOSE: f64 = 1e-9;

/// The probability that the level of `above` is at least this many times that of
/// `below`, if rounds had been assigned by chance. A level is the smallest figure of
/// each case, summed over cases. Both slices contain the figures of each case, in the
/// order of rounds; all cases have the same rounds, at least one.
pub(super) fn chance_of_being_above(below: &[Vec<f64>], above: &[Vec<f64>]) -> f64 {
    let cases: Vec<_> = below
        .iter()
        .zip(above)
        .map(|(below, above)| ranked(below, above))
        .collect();
    let Some((rounds, above_rounds)) = below
        .first()
        .zip(above.first())
        .map(|(b, a)| (b.len() + a.len(), a.len()))
    else {
        return 1.0;
    };
    let found = factor(&cases, |round| round >= rounds - above_rounds);
    let is_beyond = |factor: f64| factor >= found * (1.0 - CLOSE);
    if let [case] = cases.as_slice() {
        // The factor is reached if the smallest figure, and all others closer to it
        // than the found factor, are assigned to `below`.
        let before = case
            .iter()
            .take_while(|(figure, _)| !is_beyond(figure / case[0].0))
            .count();
        return (0..above_rounds)
            .map(|step| {
                float((rounds - before).saturating_sub(step)) / float(rounds - step)
            })
            .product();
    }
    if ways_to_choose(above_rounds, rounds)
        <= float(permutations(cases.len(), rounds, above_rounds))
        && rounds < u64::BITS as usize
    {
        return exact(&cases, rounds, above_rounds, is_beyond);
    }
    drawn(&cases, rounds, above_rounds, is_beyond)
}

/// The smallest chance that groups of these sizes can show for a single case.
pub(super) fn least_chance(below: usize, above: usize) -> f64 {
    ways_to_choose(below.min(above), below + above).recip()
}

/// The smallest chance that groups of these sizes can show for several cases together.
pub(super) fn least_chance_of(cases: usize, below: usize, above: usize) -> f64 {
    let exact = least_chance(below, above);
    let tried = permutations(cases, below + above, above);
    if cases < 2 || exact.recip() <= float(tried) {
        exact
    } else {
        exact.max(float(tried + 1).recip())
    }
}

/// The figures of a case, each with its round, sorted from the smallest.
type RankedCase = Vec<(f64, usize)>;

/// The rounds of `below` come first.
fn ranked(below: &[f64], above: &[f64]) -> RankedCase {
    let both = below.iter().chain(above);
    let mut case: RankedCase = both.copied().zip(0..).collect();
    case.sort_by(|one, other| one.0.total_cmp(&other.0));
    case
}

/// The ratio of the level of `above` to that of `below`.
fn factor(cases: &[RankedCase], is_above: impl Fn(usize) -> bool) -> f64 {
    let mut below = 0.0;
    let mut above = 0.0;
    for case in cases {
        // The smallest figures of both sides.
        let (first, round) = case[0];
        let is_first_above = is_above(round);
        let other = case
            .iter()
            .find(|(_, round)| is_above(*round) != is_first_above)
            .map_or(first, |end| end.0);
        if is_first_above {
            above += first;
            below += other;
        } else {
            below += first;
            above += other;
        }
    }
    above / below
}

/// The chance over all permutations.
fn exact(
    cases: &[RankedCase],
    rounds: usize,
    above_rounds: usize,
    is_beyond: impl Fn(f64) -> bool,
) -> f64 {
    let mut hits = 0;
    let mut all = 0;
    let mut assigned: u64 = (1 << above_rounds) - 1;
    while assigned < 1 << rounds {
        all += 1;
        hits +=
            usize::from(is_beyond(factor(cases, |round| assigned >> round & 1 == 1)));
        // The next larger number with as many bits set.
        let lowest = assigned & assigned.wrapping_neg();
        let raised = assigned + lowest;
        assigned = raised | (((assigned ^ raised) >> 2) / lowest);
    }
    float(hits) / float(all)
}

/// The chance over the observed permutation and many random ones, which are the same
/// each time.
fn drawn(
    cases: &[RankedCase],
    rounds: usize,
    above_rounds: usize,
    is_beyond: impl Fn(f64) -> bool,
) -> f64 {
    let draws = permutations(cases.len(), rounds, above_rounds);
    let mut rng = SeededRng::new(0, &[]);
    let mut is_above: Vec<_> =
        (0..rounds).map(|round| round < above_rounds).collect();
    let mut hits = 1;
    for _ in 0..draws {
        rng.shuffle(&mut is_above);
        hits += usize::from(is_beyond(factor(cases, |round| is_above[round])));
    }
    float(hits) / float(draws + 1)
}

/// Number of permutations tried for this many cases. The cost of one is the search for
/// the smallest figures, which ends when it has found both sides.
fn permutations(cases: usize, rounds: usize, above_rounds: usize) -> usize {
    let rare = above_rounds.min(rounds.saturating_sub(above_rounds)).max(1);
    let looks = cases.saturating_mul(rounds / rare).saturating_add(rounds);
    (MOST_LOOKS / looks.max(1)).clamp(LEAST_PERMUTATIONS, MOST_PERMUTATIONS)
}

/// Number of ways to choose `chosen` of `all`; infinite if it is too large for a float.
fn ways_to_choose(chosen: usize, all: usize) -> f64 {
    if chosen > all {
        return 0.0;
    }
    let mut ways = 1.0;
    let chosen = chosen.min(all - chosen);
    for step in 1..=chosen {
        ways *= float(all - chosen + step) / float(step);
        if ways == f64::INFINITY {
            break;
        }
    }
    ways
}

// Medians, their confidence intervals, and corrections for multiple tests. Knows
// numbers only.

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

/// The places, counted from 0, of the sorted figures between which the true median is
/// in 95 of 100 samples of this size, by the binomial distribution. For a small sample
/// these are the first and the last.
pub(super) fn places_around_median(count: usize) -> (usize, usize) {
    // For larger samples the first probability is too small for a float; their
    // intervals are narrow anyway.
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

/// Holm's correction for the chances of several tests made together: a corrected chance
/// bounds the chance of any false alarm, whichever of the tests have a real effect.
/// `tests` is their number: those whose chances are larger than all these may be left
/// out.
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

/// A size, which is small, as a figure to calculate with.
pub(super) fn float(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod statistics_tests;
#[cfg(test)]
mod tests;
