//! Whether a time has moved beyond noise.
//!
//! A time is slower if three things hold of its figures then and now, and faster if they hold the other way round:
//!
//! - The ranks say so: both being of one kind, with the margin below between them, such an order would be rarer than
//!   [`RISK`], all questions of the comparison taken together.
//! - The lower quartiles are apart by the margin, too. What disturbs a machine makes many attempts slow, seldom all.
//! - The margin: [`WORTH_TELLING`], or [`SPREADS`] times what the fastest attempts of a run vary by, or the factor
//!   between the medians of runs of the judge that were all taken for equal, whichever is most; and [`PROCESS_US`] for each
//!   case.
//!
//! The margin is there because attempts within seconds of each other are not as different as those of another day: the
//! neighbours in the cache are the same, and so is the place of the program in memory. Measured on a machine with others on
//! every core, ten attempts each of a search with many branches: a margin by the fastest quarter found 39 to 52 % of changes of a
//! tenth with 0 to 2.3 % of false alarms, one by the middle half 20 to 36 % with 0 to 4.5 %.

use crate::baseline::ranks::Chances;
use crate::baseline::ranks::Factor;
use crate::baseline::ranks::in_order;
use crate::baseline::ranks::lower_quartile;
use crate::baseline::ranks::median;
use crate::baseline::ranks::spread;

/// The chance of any false alarm in a comparison, for totals and for single cases each.
pub(crate) const RISK: f64 = 0.005;

/// The smallest change that is told, as a part of the time.
const WORTH_TELLING: f64 = 0.03;

/// How many times its spread a figure must have moved.
const SPREADS: f64 = 3.0;

/// CPU time by which starting a process differs for no reason of its own, in microseconds.
const PROCESS_US: f64 = 30.0;

/// What one question about times comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Movement {
    pub(crate) factor: Factor,
    /// The chance that ranks give, of both directions, not corrected yet for other questions.
    pub(crate) chance: f64,
    /// The smallest that so many figures can show.
    pub(crate) least_chance: f64,
    /// Whether the lower quartiles are apart by the margin as well.
    pub(crate) is_wide: bool,
}

/// How times have moved, that stand for this number of cases; by runs of the judge. None if there are none.
pub(crate) fn movement(
    chances: &mut Chances,
    was: &[Vec<f64>],
    now: &[Vec<f64>],
    cases: usize,
) -> Option<Movement> {
    let margin = margin(was).max(margin(now));
    #[expect(clippy::cast_precision_loss, reason = "cases are few")]
    let fixed = PROCESS_US * cases as f64;
    let (was, now) = (was.concat(), now.concat());
    let factor = Factor::between(&was, &now)?;
    let (below, above) = if factor.factor >= 1.0 { (&was, &now) } else { (&now, &was) };
    // The greater ones without the margin, so that what is left of them has to be above the others still.
    let above: Vec<_> = above.iter().map(|time| (time - fixed) / (1.0 + margin)).collect();
    Some(Movement {
        factor,
        chance: (2.0 * chances.of_being_above(below, &above)).min(1.0),
        least_chance: (2.0 * chances.least(was.len(), now.len())).min(1.0),
        is_wide: lower_quartile(&in_order(&above)) > lower_quartile(&in_order(below)),
    })
}

/// The part of themselves by which times of one kind may differ.
fn margin(runs: &[Vec<f64>]) -> f64 {
    let within = runs.iter().map(|run| spread(run)).fold(0.0, f64::max);
    let medians: Vec<_> = runs.iter().map(|run| median(&in_order(run))).collect();
    let (least, most) = medians
        .iter()
        .fold((f64::MAX, 0.0_f64), |(least, most), median| (least.min(*median), most.max(*median)));
    let between = if least > 0.0 { (most / least - 1.0).max(0.0) } else { 0.0 };
    WORTH_TELLING.max(SPREADS * within).max(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(was: &[Vec<f64>], now: &[Vec<f64>]) -> bool {
        let found = movement(&mut Chances::default(), was, now, 1).unwrap();
        found.chance <= RISK && found.is_wide
    }

    /// Ten times around this one, that vary by this part.
    fn around(time: f64, part: f64) -> Vec<f64> {
        (-5..5).map(|step| time * (1.0 + part * f64::from(step) / 5.0)).collect()
    }

    #[test]
    fn a_tenth_is_found_where_times_vary_by_a_hundredth_in_either_direction() {
        let (calm, slower) = ([around(1e6, 0.01)], [around(1.1e6, 0.01)]);
        assert!(moved(&calm, &slower) && moved(&slower, &calm));
        assert!(!moved(&calm, &[around(1.02e6, 0.01)]), "not worth telling");
        assert!(!moved(&[around(1e6, 0.1)], &[around(1.1e6, 0.1)]), "times vary as much themselves");
    }

    #[test]
    fn what_some_attempts_escape_is_noise() {
        let mut disturbed = around(1.3e6, 0.01);
        disturbed[..4].copy_from_slice(&around(1e6, 0.01)[..4]);
        assert!(!moved(&[around(1e6, 0.01)], &[disturbed]));
    }

    #[test]
    fn runs_that_were_taken_for_equal_show_how_far_equal_ones_may_be_apart() {
        let runs = [around(1e6, 0.01), around(1.15e6, 0.01)];
        assert!(!moved(&runs, &[around(1.2e6, 0.01)]));
        assert!(moved(&runs, &[around(1.5e6, 0.01)]));
    }

    #[test]
    fn a_process_takes_its_time_to_start() {
        assert!(!moved(&[around(200.0, 0.01)], &[around(225.0, 0.01)]));
        assert!(moved(&[around(200.0, 0.01)], &[around(250.0, 0.01)]));
    }

    #[test]
    fn a_few_attempts_show_nothing() {
        let found = movement(&mut Chances::default(), &[vec![1e6; 3]], &[vec![2e6; 3]], 1).unwrap();
        assert!(found.least_chance > RISK && found.chance > RISK);
        assert_eq!(movement(&mut Chances::default(), &[], &[vec![1.0]], 1), None);
    }
}
