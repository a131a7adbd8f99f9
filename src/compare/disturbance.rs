//! Estimates how many attempts were slowed by other work on the machine. If more than half of them
//! are, then all ten attempts at a single case may be; the attempts at the other cases show how
//! likely that is.

use crate::compare::case_stats::CaseStats;
use crate::compare::statistics::float;

/// An attempt counts as disturbed if it took longer than the fastest of its case and run by more
/// than this part.
const CALM: f64 = 0.05;

/// The number of attempts, and of disturbed ones among them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct DisturbanceRate {
    attempts: usize,
    disturbed: usize,
}

impl DisturbanceRate {
    /// Counts the attempts at these cases.
    pub(super) fn of<'a>(cases: impl IntoIterator<Item = &'a CaseStats>) -> Self {
        let mut rate = Self::default();
        for times in cases.into_iter().flat_map(|figures| &figures.times_us) {
            let least = times.iter().min().copied().unwrap_or(0);
            rate.attempts += times.len();
            rate.disturbed += times
                .iter()
                .filter(|time| **time as f64 > least as f64 * (1.0 + CALM))
                .count();
        }
        rate
    }

    /// The rate of these attempts together with others.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            attempts: self.attempts + other.attempts,
            disturbed: self.disturbed + other.disturbed,
        }
    }

    /// The probability that all attempts at the case `at` were disturbed, if they are disturbed as
    /// often as those at the other cases. `self` counts all cases.
    pub(super) fn chance_all_disturbed(self, at: Self) -> f64 {
        let others = self.attempts.saturating_sub(at.attempts);
        if others == 0 {
            return 0.0;
        }
        let part = float(self.disturbed.saturating_sub(at.disturbed)) / float(others);
        part.powf(float(at.attempts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Verdict;

    fn case(runs: &[&[u64]]) -> CaseStats {
        let times_us = runs.iter().map(|times| times.to_vec()).collect();
        CaseStats {
            times_us,
            ..CaseStats::untimed(Verdict::Accepted)
        }
    }

    #[test]
    fn an_attempt_slower_than_the_fastest_of_its_run_by_a_twentieth_was_disturbed() {
        let disturbance = DisturbanceRate::of(&[case(&[&[100, 105, 106, 150], &[200, 211]])]);
        assert_eq!(
            disturbance,
            DisturbanceRate {
                attempts: 6,
                disturbed: 3
            }
        );
        assert_eq!(
            DisturbanceRate::of(&[case(&[])]),
            DisturbanceRate::default()
        );
    }

    #[test]
    fn the_chance_that_all_attempts_were_disturbed_follows_from_the_other_cases() {
        let steady = case(&[&[150; 10]]);
        let half = case(&[&[100, 150, 100, 150]]);
        let case = DisturbanceRate::of([&steady]);
        let both = DisturbanceRate::of([&steady, &half]);
        assert_eq!(both.chance_all_disturbed(case), 0.5_f64.powi(10));
        assert_eq!(case.chance_all_disturbed(case), 0.0, "there is no other");
    }
}
