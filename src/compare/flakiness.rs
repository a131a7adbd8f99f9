//! Whether a case that is flaky on both sides fails more often now, or less, than chance explains.

use crate::compare::baseline::SharedCase;
use crate::compare::case_stats::CaseStats;
use crate::compare::change::Change;
use crate::compare::change::ChangeKind;
use crate::compare::change::ChangeSubject;
use crate::compare::statistics::float;
use crate::model::Verdict;

/// The chance of any false alarm in a comparison.
const RISK: f64 = 0.01;

/// So close to what was found is no less likely: figures are products of many.
const CLOSE: f64 = 1e-9;

/// Attempts at a case, and those among them that were accepted.
#[derive(Clone, Copy)]
struct AcceptedShare {
    accepted: usize,
    all: usize,
}

/// The cases that fail more or less often, among those that both sides know.
pub(super) fn changes(shared: &[SharedCase<'_>]) -> Vec<Change> {
    let flaky = shared.iter().filter(|case| case.was.is_flaky() && case.now.is_flaky());
    let asked = flaky.clone().count();
    let changes = flaky.filter_map(|SharedCase { key, was, now }| {
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
///
/// What was found is given the weight 1, and each other way to share out what was accepted follows from its neighbour's. Where
/// what was found is so rare that the sum of all is beyond numbers, the chance is 0.
fn chance(was: AcceptedShare, now: AcceptedShare) -> f64 {
    let accepted = was.accepted + now.accepted;
    // From one accepted fewer on the side of then, to this many.
    let step = |before: usize| {
        let more = float(accepted + 1 - before) * float(was.all + 1 - before);
        more / (float(before) * float(now.all + before - accepted))
    };
    let least = accepted.saturating_sub(now.all);
    let below = (least + 1..=was.accepted).rev().scan(1.0, |weight, before| {
        *weight /= step(before);
        Some(*weight)
    });
    let above = (was.accepted + 1..=accepted.min(was.all)).scan(1.0, |weight, before| {
        *weight *= step(before);
        Some(*weight)
    });
    let (hits, all) = below.chain(above).fold((1.0, 1.0), |(hits, all), weight: f64| {
        (if weight <= 1.0 + CLOSE { hits + weight } else { hits }, all + weight)
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
        // Beyond what numbers can say, in no time, in both directions.
        let (all, most) = (of(1_000_000, 1_000_000), of(500_000, 1_000_000));
        assert_eq!((chance(all, most), chance(most, all)), (0.0, 0.0));
    }
}
