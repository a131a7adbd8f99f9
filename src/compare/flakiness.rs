//! Tests whether a case that is flaky in both baselines now fails more or less often than chance
//! explains.

use crate::compare::baseline::SharedCase;
use crate::compare::case_stats::CaseStats;
use crate::compare::change::{Change, ChangeKind, ChangeSubject};
use crate::compare::statistics::float;
use crate::model::Verdict;

/// The largest chance of any false alarm in a comparison.
const RISK: f64 = 0.01;

/// Tolerance when comparing weights, which are products of many rounded numbers.
const CLOSE: f64 = 1e-9;

/// The number of attempts at a case, and of accepted ones among them.
#[derive(Clone, Copy)]
struct AcceptedShare {
    accepted: usize,
    all: usize,
}

/// The changes of cases, among those in both baselines, that now fail more or less often.
pub(super) fn changes<'a>(shared: impl Iterator<Item = SharedCase<'a>>) -> Vec<Change> {
    let flaky: Vec<_> = shared
        .filter(|case| case.was().is_flaky() && case.now().is_flaky())
        .collect();
    let tested = flaky.len();
    let changes = flaky.iter().filter_map(|case| {
        let was = case.was();
        let now = case.now();
        let before = share(&was);
        let after = share(&now);
        // Each case tested is one more occasion for a false alarm.
        let chance = (float(tested) * chance(before, after)).min(1.0);
        let is_worse = after.accepted * before.all < before.accepted * after.all;
        let kind = ChangeKind::Flaky {
            was: was.earned(),
            now: now.earned(),
            is_worse,
            chance,
        };
        (chance <= RISK).then(|| Change {
            subject: ChangeSubject::of_case(&case.key()),
            kind,
        })
    });
    changes.collect()
}

fn share(figures: &CaseStats) -> AcceptedShare {
    let accepted = figures
        .verdicts
        .iter()
        .filter(|(verdict, _)| *verdict == Verdict::Accepted);
    AcceptedShare {
        accepted: accepted.map(|(_, count)| count).sum(),
        all: figures.attempts(),
    }
}

/// The two-sided p-value of Fisher's exact test: the probability of shares at least as unlikely as
/// these, if both sides are accepted equally often.
///
/// The observed table has the weight 1, and the weights of the others follow from their
/// neighbours'. If the observed table is so rare that the sum overflows, the result is 0.
fn chance(was: AcceptedShare, now: AcceptedShare) -> f64 {
    let accepted = was.accepted + now.accepted;
    // The ratio of a table's weight to that of the table with one accepted attempt fewer before.
    let step = |before: usize| {
        let more = float(accepted + 1 - before) * float(was.all + 1 - before);
        more / (float(before) * float(now.all + before - accepted))
    };
    let least = accepted.saturating_sub(now.all);
    let below = (least + 1..=was.accepted)
        .rev()
        .scan(1.0, |weight, before| {
            *weight /= step(before);
            Some(*weight)
        });
    let above = (was.accepted + 1..=accepted.min(was.all)).scan(1.0, |weight, before| {
        *weight *= step(before);
        Some(*weight)
    });
    let (hits, all) = below
        .chain(above)
        .fold((1.0, 1.0), |(hits, all), weight: f64| {
            (
                if weight <= 1.0 + CLOSE {
                    hits + weight
                } else {
                    hits
                },
                all + weight,
            )
        });
    hits / all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(accepted: usize, all: usize) -> AcceptedShare {
        AcceptedShare { accepted, all }
    }

    #[test]
    fn the_chance_agrees_with_fishers_exact_test() {
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
        // Too unlikely for any number, computed quickly, in both directions.
        let all = of(1_000_000, 1_000_000);
        let most = of(500_000, 1_000_000);
        assert_eq!((chance(all, most), chance(most, all)), (0.0, 0.0));
    }
}
