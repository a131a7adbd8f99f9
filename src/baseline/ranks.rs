//! Tells chance from change: had what two groups of rounds show been dealt out to them by chance, how often would one come
//! out so far above the other. Knows numbers only.
//!
//! CPU times are skewed and have outliers, and what disturbs a machine disturbs all cases of a round. So nothing here
//! supposes a normal distribution, or any other, nor that cases are independent: each round has a score, from its places among
//! all rounds case by case (as in van Elteren's test), and whole rounds are dealt out, in all ways that there are. The answer
//! is the same always, and no dice are thrown.

/// Rounds of both groups beyond which chances are told by the normal approximation, which for so many is right within a
/// factor of two.
const MOST_EXACT: usize = 48;

/// Steps that scores are told apart by. Any scores make an exact test; these are fine enough, and bound the work.
const STEPS: f64 = 500.0;

/// Adds to the score of each round what its figure is worth among all: the logarithm of its place, counted from 1, and of
/// equal figures the mean of theirs.
///
/// From the first place to the second is as far as from the tenth to the twentieth. What disturbs a machine makes times longer
/// and never shorter, so it is the fast ones that tell: on recorded attempts these scores found a few more changes than the
/// places themselves, with about as many false alarms.
pub(crate) fn add_scores(scores: &mut [f64], figures: &[f64]) {
    let mut order: Vec<_> = (0..figures.len()).collect();
    order.sort_by(|one, other| figures[*one].total_cmp(&figures[*other]));
    let mut before = 0;
    for equal in order.chunk_by(|one, other| figures[*one].total_cmp(&figures[*other]).is_eq()) {
        let places = before + 1..=before + equal.len();
        let worth = places.map(|place| float(place).ln()).sum::<f64>() / float(equal.len());
        equal.iter().for_each(|round| scores[*round] += worth);
        before += equal.len();
    }
}

/// How likely the scores of `above` are so high in sum, or higher, if all scores were dealt out by chance; at most 1.
pub(crate) fn chance_of_being_above(below: &[f64], above: &[f64]) -> f64 {
    if below.is_empty() || above.is_empty() {
        return 1.0;
    }
    if below.len() + above.len() > MOST_EXACT {
        return normal_tail(below, above);
    }
    // The smaller group is dealt. Where that is `below`, its scores are low where those of the other are high.
    let (dealt, rest, sign) =
        if above.len() <= below.len() { (above, below, 1.0) } else { (below, above, -1.0) };
    let steps = in_steps(dealt.iter().chain(rest).map(|score| sign * score));
    let ways = ways_to_reach(&steps, dealt.len(), steps[..dealt.len()].iter().sum());
    (ways / ways_to_choose(dealt.len(), steps.len())).min(1.0)
}

/// The smallest chance that groups of these sizes can show.
pub(crate) fn least_chance(below: usize, above: usize) -> f64 {
    ways_to_choose(below.min(above), below + above).recip()
}

/// Scores as whole numbers from 0 to [`STEPS`].
fn in_steps(scores: impl Iterator<Item = f64> + Clone) -> Vec<usize> {
    let (least, most) =
        scores.clone().fold((f64::MAX, f64::MIN), |(least, most), score| (least.min(score), most.max(score)));
    let range = if most > least { most - least } else { 1.0 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 500")]
    let step = |score: f64| (STEPS * (score - least) / range).round() as usize;
    scores.map(step).collect()
}

/// In how many ways so many of the scores can be chosen to have this sum, or a greater one.
fn ways_to_reach(scores: &[usize], chosen: usize, least: usize) -> f64 {
    let width = chosen * scores.iter().max().copied().unwrap_or(0) + 1;
    // By how many are chosen, and their sum.
    let mut ways = vec![vec![0.0; width]; chosen + 1];
    ways[0][0] = 1.0;
    for score in scores {
        for count in (0..chosen).rev() {
            let (fewer, more) = ways.split_at_mut(count + 1);
            let sums = more[0].iter_mut().skip(*score);
            sums.zip(&fewer[count]).for_each(|(more, fewer)| *more += fewer);
        }
    }
    ways[chosen][least.min(width)..].iter().sum()
}

/// The number of ways to choose so many of all.
fn ways_to_choose(chosen: usize, all: usize) -> f64 {
    (1..=chosen).map(|step| float(all - chosen + step) / float(step)).product()
}

/// By the normal approximation.
fn normal_tail(below: &[f64], above: &[f64]) -> f64 {
    let all = below.iter().chain(above);
    let (count, part) = (float(below.len() + above.len()), float(above.len()));
    let mean = all.clone().sum::<f64>() / count;
    let variance = all.map(|score| (score - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let deviation = (variance * part * (count - part) / count).sqrt();
    if deviation > 0.0 { upper_tail((above.iter().sum::<f64>() - part * mean) / deviation) } else { 1.0 }
}

#[expect(clippy::cast_precision_loss, reason = "sizes are small")]
fn float(number: usize) -> f64 {
    number as f64
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
        let odds = float(most + 1 - place) / float(place);
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
        let left = float(chances.len() - before);
        least = least.max((left * chances[place]).min(1.0));
        corrected[place] = least;
    }
    corrected
}

#[cfg(test)]
mod tests;
