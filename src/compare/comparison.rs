//! Compares two baselines.

use std::collections::{BTreeMap, BTreeSet};

use crate::compare::{
    Baseline, CaseStats, Change, ChangeKind, ChangeSubject, Comparison,
    SubmissionKey, TrialKey, TrialLine, float, time_changes,
};
use crate::model::Verdict;
use crate::text::first_few;

/// The error that two baselines have nothing in common.
#[derive(Debug, thiserror::Error)]
#[error("there is nothing to compare: {what}")]
pub struct NotComparable {
    what: String,
    /// What to do about it.
    pub remedy: &'static str,
}

impl Comparison {
    /// Finds the changes from `was` to `now`. Times of different machines are compared
    /// only if `any_machine` is set.
    ///
    /// # Errors
    /// Fails if no case is in both.
    pub fn between(
        was: &Baseline,
        now: &Baseline,
        any_machine: bool,
    ) -> Result<Self, NotComparable> {
        let shared = || was.lines.shared(&now.lines);
        // The cases in common may all be unjudged on one side, if a case before them was
        // rejected that the other side lacks.
        let is_unjudged_in = |one: &Baseline, other: &Baseline| {
            one.unjudged.iter().any(|key| other.lines.contains(key))
        };
        let is_settled =
            !now.is_empty() && (is_unjudged_in(now, was) || is_unjudged_in(was, now));
        let cases = shared().count();
        if cases == 0 && !is_settled && !(was.is_empty() && now.is_empty()) {
            return Err(NotComparable::between(was, now));
        }
        let owners: BTreeSet<_> = shared().map(|case| case.was.owner).collect();
        let mut found = Self {
            submissions: owners.len(),
            cases,
            ..Self::default()
        };
        found
            .changes
            .extend(shared().filter_map(|case| Change::of_verdict(&case)));
        found.changes.extend(changes(was, now));
        found.add_settled(was, now);
        found.add_times(was, now, any_machine);
        found.changes.extend(time_changes::memory_changes(was, now));
        let is_unjudged = |key: &TrialKey| {
            now.incomplete
                || now.unjudged.contains(key)
                || now.skipped.contains(&key.owner)
        };
        let missing = was.lines.not_in(&now.lines);
        found.unjudged = missing.filter(|line| is_unjudged(&line.key())).count();
        found.changes.extend(only_in(
            was,
            now,
            |key| !is_unjudged(key),
            |cases, _| ChangeKind::Gone { cases },
        ));
        found.changes.extend(only_in(
            now,
            was,
            |key| !was.unjudged.contains(key),
            |cases, earned| ChangeKind::New { cases, earned },
        ));
        found.changes.sort_by(Change::by_weight);
        Ok(found)
    }

    /// Adds a changed verdict for each submission whose cases were all accepted before,
    /// and of which a new case is rejected now; and for each whose cases are all
    /// accepted now, and of which a rejected case is gone. Changes of its other cases do
    /// not show this: they kept their verdicts, or were not judged after that case.
    fn add_settled(&mut self, was: &Baseline, now: &Baseline) {
        let known_changes: BTreeSet<_> = self
            .changes
            .iter()
            .map(|change| change.subject.owner.clone())
            .collect();
        for (one, other, is_accepted) in [(now, was, false), (was, now, true)] {
            for (owner, line) in failures_only_in(one, other) {
                if known_changes.contains(&owner) {
                    continue;
                }
                let accepted = Verdict::Accepted.to_string();
                let earned = line.figures().earned();
                let (was, now) = if is_accepted {
                    (earned, accepted)
                } else {
                    (accepted, earned)
                };
                self.changes.push(Change {
                    subject: ChangeSubject::of_submission(&owner),
                    kind: ChangeKind::Verdict {
                        was,
                        now,
                        is_accepted,
                    },
                });
            }
        }
    }

    fn add_times(&mut self, was: &Baseline, now: &Baseline, any_machine: bool) {
        if was.lines.shared(&now.lines).any(|case| case.has_times()) {
            if any_machine || now.is_of_the_machine_of(was) {
                time_changes::compare_times(self, was, now);
            } else {
                let there = was.machines();
                let here = now.machines();
                self.notes.push(format!(
                    "times are not compared: then it was {there}, now it is {here}"
                ));
                self.doubt =
                    Some("times of another machine are not compared".to_owned());
            }
        }
        if self.doubt.is_none() {
            self.doubt = time_changes::untimed(was, now);
        }
    }
}

/// For each submission of which all cases in `other` are accepted, a case that is not,
/// and is in `one` only.
fn failures_only_in<'a>(
    one: &'a Baseline,
    other: &'a Baseline,
) -> BTreeMap<SubmissionKey, TrialLine<'a>> {
    let is_fine = |line: &TrialLine<'_>| {
        let figures = line.figures();
        figures.verdict() == Verdict::Accepted && !figures.is_flaky()
    };
    let mut failures = BTreeMap::new();
    if other.incomplete {
        return failures;
    }
    for line in one.lines.not_in(&other.lines) {
        if !is_fine(&line) && !other.unjudged.contains(&line.key()) {
            failures.entry(line.owner.clone()).or_insert(line);
        }
    }
    failures.retain(|owner, _| other.lines.has_owner(owner));
    for line in other.lines.iter().filter(|line| !is_fine(line)) {
        failures.remove(line.owner);
    }
    failures
}

/// Changes for the cases accepted by `is_wanted` that are in `one` only. If `other`
/// lacks the whole submission, its cases are counted in one change.
fn only_in(
    one: &Baseline,
    other: &Baseline,
    is_wanted: impl Fn(&TrialKey) -> bool,
    kind: fn(usize, Option<String>) -> ChangeKind,
) -> Vec<Change> {
    let mut whole: BTreeMap<SubmissionKey, usize> = BTreeMap::new();
    let mut changes = vec![];
    for line in one.lines.not_in(&other.lines) {
        if !is_wanted(&line.key()) {
            continue;
        }
        if other.lines.has_owner(line.owner) {
            changes.push(Change {
                subject: ChangeSubject::of_line(line),
                kind: kind(1, Some(line.figures().earned())),
            });
        } else {
            *whole.entry(line.owner.clone()).or_default() += 1;
        }
    }
    let whole = whole.iter();
    changes.extend(whole.map(|(owner, cases)| Change {
        subject: ChangeSubject::of_submission(owner),
        kind: kind(*cases, None),
    }));
    changes
}

impl NotComparable {
    fn between(was: &Baseline, now: &Baseline) -> Self {
        let shared: BTreeSet<_> = was
            .lines
            .owners()
            .filter(|owner| now.lines.has_owner(owner))
            .collect();
        if shared.is_empty() {
            let what = format!(
                "one is of {}, the other of {}",
                contents(was),
                contents(now)
            );
            let remedy = "compare runs of the same submissions, or make a baseline with \
                          `gridjudge baseline LOG -o FILE`";
            return Self { what, remedy };
        }
        let cases = |of: &Baseline| {
            let lines = of.lines.iter().filter(|line| shared.contains(line.owner));
            some_of(lines.map(|line| format!("`{}`", line.case)).collect())
        };
        let what = format!(
            "both are of {}, but no case is in both: it was {}, and is {}",
            some_of(shared.iter().copied().map(named).collect()),
            cases(was),
            cases(now)
        );
        let remedy = "if the cases have new names, make a new baseline: `gridjudge baseline LOG \
                      -o FILE --fresh`";
        Self { what, remedy }
    }
}

/// The submissions of a baseline, for the message that two baselines have nothing in
/// common.
fn contents(baseline: &Baseline) -> String {
    if baseline.is_empty() {
        "nothing that was judged".to_owned()
    } else {
        some_of(baseline.lines.owners().map(named).collect())
    }
}

fn named(owner: &SubmissionKey) -> String {
    format!("{} {}", owner.problem, owner.submission)
}

/// The first few names, and the number of further ones.
fn some_of(names: BTreeSet<String>) -> String {
    first_few(names.into_iter(), 3)
}

// Tests whether a case that is flaky in both baselines now fails more or less often
// than chance explains.

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

/// The changes of cases, among those in both baselines, that now fail more or less
/// often.
fn changes(was: &Baseline, now: &Baseline) -> Vec<Change> {
    let flaky: Vec<_> = was
        .lines
        .shared(&now.lines)
        .filter(|case| case.was.figures().is_flaky() && case.now.figures().is_flaky())
        .collect();
    let tested = flaky.len();
    flaky
        .iter()
        .filter_map(|case| {
            let was = case.was.figures();
            let now = case.now.figures();
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
                subject: ChangeSubject::of_line(case.was),
                kind,
            })
        })
        .collect()
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

/// The two-sided p-value of Fisher's exact test: the probability of shares at least as
/// unlikely as these, if both sides are accepted equally often.
///
/// The observed table has the weight 1, and the weights of the others follow from their
/// neighbours'. If the observed table is so rare that the sum overflows, the result is
/// 0.
fn chance(was: AcceptedShare, now: AcceptedShare) -> f64 {
    let accepted = was.accepted + now.accepted;
    // The ratio of a table's weight to that of the table with one accepted attempt
    // fewer before.
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
    let above =
        (was.accepted + 1..=accepted.min(was.all)).scan(1.0, |weight, before| {
            *weight *= step(before);
            Some(*weight)
        });
    let mut hits = 1.0;
    let mut all = 1.0;
    for weight in below.chain(above) {
        all += weight;
        if weight <= 1.0 + CLOSE {
            hits += weight;
        }
    }
    hits / all
}

// Updates a baseline where something has changed, and leaves it alone elsewhere.

impl Baseline {
    /// Replaces the results of the submissions judged in `now`. A case that has not
    /// changed beyond noise keeps its line, so that a file in a repository changes only
    /// with the programs, and a series of small changes is still compared with the
    /// first.
    #[must_use]
    pub fn updated(mut self, now: Self, comparison: &Comparison) -> Self {
        let changes = comparison.changes.iter();
        let moved: BTreeSet<_> = changes.map(|change| &change.subject).collect();
        self.lines.retain(|key| {
            !now.lines.has_owner(&key.owner)
                || now.unjudged.contains(key)
                || now.incomplete
                || now.lines.contains(key)
        });
        for line in now.lines.iter() {
            let key = line.key();
            // If a submission has changed as a whole, all its lines are new; otherwise
            // the change would be reported again forever.
            let is_new = !self.lines.contains(&key)
                || moved.contains(&ChangeSubject::of_line(line))
                || moved.contains(&ChangeSubject::of_submission(line.owner));
            if is_new {
                self.lines.insert(key, line.figures().into_owned());
            }
        }
        self.machines.extend(now.machines);
        self
    }
}

#[cfg(test)]
mod flakiness_tests {
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
