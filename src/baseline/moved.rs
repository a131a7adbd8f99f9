//! Whether a time has moved beyond noise.
//!
//! A time's *level* is that of the fastest attempt, case by case, summed over cases. What disturbs a machine adds to times, comes
//! in bursts, and takes nothing off; so the fastest of ten is steady where the median is not. A time is slower if two
//! things hold, and faster if they hold the other way round:
//!
//! - The level has moved by more than the margin: [`WORTH_TELLING`], or [`SPREADS`] times how far the next two attempts are behind the
//!   fastest, whichever is more; beyond the slowest or the fastest of runs of the judge that were all taken for
//!   equal; and [`PROCESS_US`] for each case.
//! - Had rounds been dealt out by chance, levels so far apart would be rarer than [`RISK`], all questions of the comparison
//!   taken together.
//!
//! The margin is there because attempts within seconds of each other are not as different as those of another day: the
//! neighbours in the cache are the same, and so is the place of the program in memory. Where hardly an attempt escapes what
//! disturbs them, the fastest ones lie apart, and the margin is wide. What is right was judged on recorded attempts, some of
//! which are among the tests.

use crate::baseline::deals::chance_of_being_above;
use crate::baseline::deals::least_chance_of;
use crate::baseline::order::in_order;

/// The chance of any false alarm in a comparison, for totals and for single cases each.
pub(crate) const RISK: f64 = 0.01;

/// The smallest change that is told, as a part of the time.
const WORTH_TELLING: f64 = 0.03;

/// How many times its spread a level must have moved.
const SPREADS: f64 = 3.0;

/// CPU time by which starting a process differs for no reason of its own, in microseconds.
const PROCESS_US: f64 = 30.0;

/// A beat that differs by no more than this says nothing: in equal weather it differs by some hundredths from run to run.
const STEADY: f64 = 0.1;

/// One run of the judge.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// For each case the times of all rounds. Cases have the same rounds, one at least.
    pub(crate) cases: Vec<Vec<f64>>,
    /// How long a piece of work of the judge's own took meanwhile, if that is known.
    pub(crate) beat: Option<f64>,
}

/// What one question about times comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Movement {
    /// The levels, in microseconds.
    pub(crate) was: f64,
    pub(crate) now: f64,
    /// The part of itself by which a level may move for no reason.
    pub(crate) margin: f64,
    /// The same but for what the machine explains.
    pub(crate) own_margin: f64,
    /// By what factor the machine itself was slower now; 1 where nobody knows.
    pub(crate) drift: f64,
    /// Whether the level has moved by more.
    pub(crate) is_wide: bool,
    /// The chance of levels so far apart, in both directions, not corrected yet for other questions; 1 where the level has not
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
    let is_slower = level_now >= level_was;
    let drift = drift(was, now);
    // What moved with the machine moved for that reason; what moved against it did all the more.
    let excuse = if is_slower { drift } else { drift.recip() }.max(1.0);
    let own_margin = margin(was).max(margin(now)).max(least_margin);
    let margin = (1.0 + own_margin) * excuse - 1.0;
    let (low, high) = if is_slower { (level_was, level_now) } else { (level_now, level_was) };
    #[expect(clippy::cast_precision_loss, reason = "cases are few")]
    let fixed = PROCESS_US * was[0].cases.len() as f64;
    let is_wide = high - fixed > low * (1.0 + margin);
    let (was, now) = (together(was), together(now));
    let (below, above) = if is_slower { (&was, &now) } else { (&now, &was) };
    let chance = if is_wide { (2.0 * chance_of_being_above(below, above)).min(1.0) } else { 1.0 };
    let least_chance = (2.0 * least_chance_of(was.len(), was[0].len(), now[0].len())).min(1.0);
    Some(Movement {
        was: level_was,
        now: level_now,
        margin,
        own_margin,
        drift,
        is_wide,
        chance,
        least_chance,
    })
}

/// The rounds of all runs, case by case.
fn together(runs: &[Run]) -> Vec<Vec<f64>> {
    let rounds = |case: usize| runs.iter().flat_map(move |run| &run.cases[case]).copied().collect();
    (0..runs[0].cases.len()).map(rounds).collect()
}

/// By what factor the machine was slower at the fastest run of now than at the fastest of then, as the judge's own work shows.
fn drift(was: &[Run], now: &[Run]) -> f64 {
    let beat = |runs: &[Run]| runs.iter().filter_map(|run| run.beat).min_by(f64::total_cmp);
    match (beat(was), beat(now)) {
        (Some(was), Some(now))
            if was.is_normal() && now.is_normal() && (now / was).max(was / now) > 1.0 + STEADY =>
        {
            now / was
        }
        _ => 1.0,
    }
}

/// The level of the fastest run; none if there is no run, or no time worth the name.
pub(crate) fn level(runs: &[Run]) -> Option<f64> {
    runs.iter().map(sum_of_fastest).min_by(f64::total_cmp).filter(|level| level.is_normal())
}

/// The part of itself by which a level may move for no reason.
fn margin(runs: &[Run]) -> f64 {
    let within = runs.iter().map(spread).fold(0.0, f64::max);
    (1.0 + WORTH_TELLING.max(SPREADS * within)) * (1.0 + between(runs)) - 1.0
}

/// The part of itself by which the levels of runs differ; 0 of less than two.
pub(crate) fn between(runs: &[Run]) -> f64 {
    let levels = || runs.iter().map(sum_of_fastest).filter(|level| level.is_normal());
    let (least, most) = (levels().fold(f64::MAX, f64::min), levels().fold(0.0, f64::max));
    (most / least - 1.0).max(0.0)
}

/// The part of itself by which the level of a run varies: how far behind the fastest attempt of each case the next two are, in
/// the middle. What each case has for itself cancels out in their sum.
fn spread(run: &Run) -> f64 {
    let behind = run.cases.iter().map(|times| {
        let ordered = in_order(times);
        let place = |place: usize| ordered.get(place).or(ordered.last()).copied().unwrap_or(0.0);
        f64::midpoint(place(1), place(2)) - place(0)
    });
    behind.map(|behind| behind * behind).sum::<f64>().sqrt() / sum_of_fastest(run)
}

/// The fastest attempt of each case, summed over cases.
fn sum_of_fastest(run: &Run) -> f64 {
    run.cases.iter().map(|times| times.iter().copied().fold(f64::MAX, f64::min)).sum()
}

#[cfg(test)]
mod tests;
