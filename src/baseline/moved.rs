//! Whether a time has moved beyond noise.
//!
//! A time's *level* is that of the fastest attempt, case by case, summed over cases. What disturbs a machine adds to times, comes
//! in bursts, and takes nothing off; so the fastest of ten is steady where the median is not. A time is slower if two
//! things hold, and faster if they hold the other way round:
//!
//! - The level has moved by more than the margin: [`WORTH_TELLING`], or [`SPREADS`] times what the fastest quarter of
//!   attempts varies by, whichever is more; beyond the slowest or the fastest of runs of the judge that were all taken for
//!   equal; and [`PROCESS_US`] for each case.
//! - The ranks of all attempts say so: had rounds been dealt out by chance, such ranks would be rarer than [`RISK`], all
//!   questions of the comparison taken together.
//!
//! The margin is there because attempts within seconds of each other are not as different as those of another day: the
//! neighbours in the cache are the same, and so is the place of the program in memory. Where few attempts escape what
//! disturbs them, the fastest quarter is wide, and so is the margin. What is right was judged on recorded attempts, some of
//! which are among the tests.

use crate::baseline::ranks::add_scores;
use crate::baseline::ranks::chance_of_being_above;
use crate::baseline::ranks::in_order;
use crate::baseline::ranks::least_chance;
use crate::baseline::ranks::lower_quartile;

/// The chance of any false alarm in a comparison, for totals and for single cases each.
pub(crate) const RISK: f64 = 0.005;

/// The smallest change that is told, as a part of the time.
const WORTH_TELLING: f64 = 0.03;

/// How many times its spread a level must have moved.
const SPREADS: f64 = 3.0;

/// CPU time by which starting a process differs for no reason of its own, in microseconds.
const PROCESS_US: f64 = 30.0;

/// Times of one run of the judge: for each case those of all rounds. Cases have the same rounds, one at least.
pub(crate) type Run = Vec<Vec<f64>>;

/// What one question about times comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Movement {
    /// The levels, in microseconds.
    pub(crate) was: f64,
    pub(crate) now: f64,
    /// The part of itself by which a level may move for no reason.
    pub(crate) margin: f64,
    /// Whether the level has moved by more.
    pub(crate) is_wide: bool,
    /// The chance that ranks give, of both directions, not corrected yet for other questions; 1 where the level has not
    /// moved, so that nobody asks.
    pub(crate) chance: f64,
    /// The smallest that so many rounds can show.
    pub(crate) least_chance: f64,
}

impl Movement {
    /// From then to now.
    pub(crate) fn factor(&self) -> f64 {
        self.now / self.was
    }
}

/// How times have moved, by runs of the judge. None if there are none. The margin is this one at least.
pub(crate) fn movement(was: &[Run], now: &[Run], least_margin: f64) -> Option<Movement> {
    let (level_was, level_now) = (level(was)?, level(now)?);
    let margin = margin(was).max(margin(now)).max(least_margin);
    let is_slower = level_now >= level_was;
    let (low, high) = if is_slower { (level_was, level_now) } else { (level_now, level_was) };
    #[expect(clippy::cast_precision_loss, reason = "cases are few")]
    let fixed = PROCESS_US * was[0].len() as f64;
    let is_wide = high - fixed > low * (1.0 + margin);
    let rounds = |runs: &[Run]| runs.iter().map(|run| run[0].len()).sum::<usize>();
    let chance = if is_wide {
        let scores = scores(was, now);
        let (was, now) = scores.split_at(rounds(was));
        let (below, above) = if is_slower { (was, now) } else { (now, was) };
        (2.0 * chance_of_being_above(below, above)).min(1.0)
    } else {
        1.0
    };
    let least_chance = (2.0 * least_chance(rounds(was), rounds(now))).min(1.0);
    Some(Movement { was: level_was, now: level_now, margin, is_wide, chance, least_chance })
}

/// Of each round, those of then before those of now, what its times are worth among those of all rounds, summed over cases.
fn scores(was: &[Run], now: &[Run]) -> Vec<f64> {
    let runs = || was.iter().chain(now);
    let mut scores = vec![0.0; runs().map(|run| run[0].len()).sum()];
    for case in 0..was[0].len() {
        let times: Vec<_> = runs().flat_map(|run| &run[case]).copied().collect();
        add_scores(&mut scores, &times);
    }
    scores
}

/// The level of the fastest run; none if there is no run, or no time worth the name.
pub(crate) fn level(runs: &[Run]) -> Option<f64> {
    runs.iter().map(|run| low_ends(run).0).min_by(f64::total_cmp).filter(|level| level.is_normal())
}

/// The part of itself by which a level may move for no reason.
fn margin(runs: &[Run]) -> f64 {
    let within = runs.iter().map(spread).fold(0.0, f64::max);
    (1.0 + WORTH_TELLING.max(SPREADS * within)) * (1.0 + between(runs)) - 1.0
}

/// The part of itself by which the levels of runs differ; 0 of less than two.
pub(crate) fn between(runs: &[Run]) -> f64 {
    let levels = || runs.iter().map(|run| low_ends(run).0).filter(|level| level.is_normal());
    let (least, most) = (levels().fold(f64::MAX, f64::min), levels().fold(0.0, f64::max));
    (most / least - 1.0).max(0.0)
}

/// The part of itself by which the level of a run varies: what the fastest quarter of attempts does. Of many cases that is too
/// much, since what each has for itself cancels out in their sum; what remains then is what they have in common, which the
/// levels of the first, the second and the last third of rounds show.
fn spread(run: &Run) -> f64 {
    let (least, quartile) = low_ends(run);
    let quarter = quartile / least - 1.0;
    let rounds = run[0].len();
    if rounds < 3 {
        return quarter;
    }
    let third = |part: usize| {
        let rounds = part * rounds / 3..(part + 1) * rounds / 3;
        run.iter().map(|times| times[rounds.clone()].iter().copied().fold(f64::MAX, f64::min)).sum::<f64>()
    };
    let thirds = in_order(&[third(0), third(1), third(2)]);
    #[expect(clippy::cast_precision_loss, reason = "cases are few")]
    let own = 2.0 * quarter / (run.len() as f64).sqrt();
    quarter.min(own.max(thirds[2] / thirds[0] - 1.0))
}

/// The fastest attempt and the lower quartile of each case, summed over cases.
fn low_ends(run: &Run) -> (f64, f64) {
    run.iter().fold((0.0, 0.0), |(least, quartile), times| {
        let ordered = in_order(times);
        (least + ordered.first().unwrap_or(&0.0), quartile + lower_quartile(&ordered))
    })
}

#[cfg(test)]
mod tests;
