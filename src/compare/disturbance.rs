//! How many attempts something disturbed. Of a single case all ten may have been, where it befalls more than half of them;
//! how likely that is, the attempts at all other cases show.

use std::iter::Sum;

use crate::compare::case_stats::CaseStats;

/// An attempt that took longer than the fastest at its case by more than this part was disturbed.
const CALM: f64 = 0.05;

/// Attempts, and those among them that were disturbed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct DisturbanceRate {
    attempts: u32,
    disturbed: u32,
}

impl DisturbanceRate {
    /// At one case.
    pub(super) fn of(figures: &CaseStats) -> Self {
        let runs = figures.times_us.iter().map(|times| {
            #[expect(clippy::cast_precision_loss, reason = "times have few digits that count")]
            let disturbed = |time: &&u64| **time as f64 > least(times) as f64 * (1.0 + CALM);
            let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
            Self { attempts: count(times.len()), disturbed: count(times.iter().filter(disturbed).count()) }
        });
        runs.sum()
    }

    /// How likely all attempts at a case were disturbed, if they fared as those at the others did. `self` is of all cases.
    pub(super) fn chance_all_disturbed(self, at: Self) -> f64 {
        let others = self.attempts.saturating_sub(at.attempts);
        if others == 0 {
            return 0.0;
        }
        let part = f64::from(self.disturbed.saturating_sub(at.disturbed)) / f64::from(others);
        part.powf(f64::from(at.attempts))
    }
}

impl Sum for DisturbanceRate {
    fn sum<I: Iterator<Item = Self>>(each: I) -> Self {
        each.fold(Self::default(), |sum, one| Self {
            attempts: sum.attempts.saturating_add(one.attempts),
            disturbed: sum.disturbed.saturating_add(one.disturbed),
        })
    }
}

fn least(times: &[u64]) -> u64 {
    times.iter().min().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Verdict;

    fn of(runs: &[&[u64]]) -> DisturbanceRate {
        let times_us = runs.iter().map(|times| times.to_vec()).collect();
        DisturbanceRate::of(&CaseStats { times_us, ..CaseStats::untimed(Verdict::Accepted) })
    }

    #[test]
    fn what_is_beyond_the_fastest_of_its_run_by_a_twentieth_was_disturbed() {
        let disturbance = of(&[&[100, 105, 106, 150], &[200, 211]]);
        assert_eq!(disturbance, DisturbanceRate { attempts: 6, disturbed: 3 });
        assert_eq!(of(&[]), DisturbanceRate::default());
    }

    #[test]
    fn a_case_without_a_calm_attempt_is_as_likely_as_the_others_were_disturbed() {
        let (case, half) = (of(&[&[150; 10]]), of(&[&[100, 150, 100, 150]]));
        assert_eq!(
            [case, half].into_iter().sum::<DisturbanceRate>().chance_all_disturbed(case),
            0.5_f64.powi(10)
        );
        assert_eq!(case.chance_all_disturbed(case), 0.0, "there is no other");
    }
}
