//! Whether a case that is flaky on both sides fails more often now, or less, than chance explains.

use crate::compare::TrialKey;
use crate::compare::case_stats::CaseStats;
use crate::compare::change::Change;
use crate::compare::change::ChangeKind;
use crate::compare::change::ChangeSubject;
use crate::compare::statistics::float;
use crate::model::Verdict;

/// The chance of any false alarm in a comparison.
const RISK: f64 = 0.01;

/// So close to what was found is no less likely: figures are sums of logarithms.
const CLOSE: f64 = 1e-9;

/// Attempts at a case, and those among them that were accepted.
#[derive(Clone, Copy)]
struct AcceptedShare {
    accepted: usize,
    all: usize,
}

/// The cases that fail more or less often, among those that both sides know.
pub(super) fn changes(common: &[(&TrialKey, &CaseStats, &CaseStats)]) -> Vec<Change> {
    let flaky = common.iter().filter(|(_, was, now)| was.is_flaky() && now.is_flaky());
    let asked = flaky.clone().count();
    let changes = flaky.filter_map(|(key, was, now)| {
        let (before, after) = (share(was), share(now));
        // Each question is one more occasion for a false alarm.
        let chance = (float(asked) * chance(before, after)).min(1.0);
        let is_worse = after.accepted * before.all < before.accepted * after.all;
        let kind = ChangeKind::Flaky { was: was.earned(), now: now.earned(), is_worse, chance };
        (chance <= RISK).then(|| Change { subject: ChangeSubject::of_case(key), kind })
    });
    changes.collect()
}

fn share(figures: &CaseStats) -> AcceptedShare {
    let accepted = figures.verdicts.iter().filter(|(verdict, _)| *verdict == Verdict::Accepted);
    AcceptedShare { accepted: accepted.map(|(_, count)| count).sum(), all: figures.attempts() }
}

/// How likely shares at least as unlikely are, if both sides are equally often accepted: Fisher's exact test, in both directions.
fn chance(was: AcceptedShare, now: AcceptedShare) -> f64 {
    let (accepted, all) = (was.accepted + now.accepted, was.all + now.all);
    let logarithms = LogFactorials::up_to(all);
    let likelihood = |before: usize| {
        let ways = logarithms.ways(was.all, before) + logarithms.ways(now.all, accepted - before);
        (ways - logarithms.ways(all, accepted)).exp()
    };
    let found = likelihood(was.accepted);
    let possible = accepted.saturating_sub(now.all)..=accepted.min(was.all);
    possible.map(likelihood).filter(|each| *each <= found * (1.0 + CLOSE)).sum()
}

/// The logarithm of each factorial, from 0! on.
struct LogFactorials(Vec<f64>);

impl LogFactorials {
    fn up_to(greatest: usize) -> Self {
        let mut sum = 0.0;
        let rest = (1..=greatest).map(|number| {
            sum += float(number).ln();
            sum
        });
        Self(std::iter::once(0.0).chain(rest).collect())
    }

    /// The logarithm of the number of ways to choose so many.
    fn ways(&self, all: usize, chosen: usize) -> f64 {
        self.0[all] - self.0[chosen] - self.0[all - chosen]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(accepted: usize, all: usize) -> AcceptedShare {
        AcceptedShare { accepted, all }
    }

    #[test]
    fn the_chance_of_shares_is_that_of_fishers_test() {
        for (was, now, expected) in [
            (of(9, 10), of(1, 10), 0.001_09),
            (of(3, 4), of(1, 4), 0.4857),
            (of(5, 10), of(5, 10), 1.0),
            (of(19, 20), of(15, 20), 0.1818),
        ] {
            for (was, now) in [(was, now), (now, was)] {
                let found = chance(was, now);
                assert!((found - expected).abs() < 5e-5, "{found} {expected}");
            }
        }
        let many = chance(of(900, 1000), of(100, 1000));
        assert!((0.0..1e-100).contains(&many), "{many}");
    }
}
