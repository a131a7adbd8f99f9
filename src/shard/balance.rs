//! Divides the submissions of a plan among shards, so that every machine computes the same. Knows
//! the cost of each submission, and nothing else of them. Start at [`assign`].

use crate::sorted::SortedMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::model::Event;

/// The shard of each submission, from 0, in the order of the plan. With the same `kind`, two
/// submissions probably cost about the same.
///
/// Without costs, those of each kind are dealt out in turn, kind after kind: the plan of a contest
/// often repeats its problems, and a shard would get those of one problem only. With costs, the most
/// expensive goes first, each to the shard with the least so far; of equal ones the first counts. So
/// no shard costs more than 4/3 of what the best division has.
pub fn assign<K: Ord>(kinds: &[K], costs: Option<&[u64]>, shards: usize) -> Vec<usize> {
    let submissions = kinds.len();
    let mut assigned = vec![0; submissions];
    let Some(costs) = costs else {
        let mut by_kind: Vec<_> = (0..submissions).collect();
        by_kind.sort_by_key(|place| &kinds[*place]);
        for (turn, place) in by_kind.into_iter().enumerate() {
            assigned[place] = turn % shards;
        }
        return assigned;
    };
    let mut by_cost: Vec<usize> = (0..submissions).collect();
    by_cost.sort_by_key(|place| Reverse(costs[*place]));
    let mut loads: BinaryHeap<_> = (0..shards).map(|shard| Reverse((0_u64, shard))).collect();
    for place in by_cost {
        if let Some(mut least) = loads.peek_mut() {
            let Reverse((load, shard)) = *least;
            assigned[place] = shard;
            *least = Reverse((load.saturating_add(costs[place]), shard));
        }
    }
    assigned
}

/// What submissions cost when they were judged before, in microseconds of wall time.
#[derive(Debug, Default)]
pub struct KnownCosts {
    by_submission: SortedMap<(String, String), u64>,
    /// What compilers cost, by language.
    compiling: SortedMap<String, Mean>,
    /// Submissions that were not compiled, because their programs or results were in the cache, with
    /// their languages. On another machine they will be compiled.
    uncompiled: SortedMap<(String, String), String>,
}

impl KnownCosts {
    /// Adds the costs that an event tells.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::TrialFinished(record) => {
                let attempts = record.attempts.iter().map(|attempt| attempt.wall_us);
                let once = record.wall_us.unwrap_or(0);
                let several: u64 = attempts.sum();
                self.add(&record.problem, &record.submission, once.max(several));
            }
            Event::SubmissionFinished(summary) => {
                let key = (summary.problem.to_string(), summary.submission.to_string());
                let language = &summary.language;
                match summary.compile_us {
                    Some(spent) => {
                        self.compiling
                            .entry(language.clone())
                            .or_default()
                            .add(spent);
                        self.add(&summary.problem, &summary.submission, spent);
                    }
                    None => _ = self.uncompiled.insert(key, language.clone()),
                }
            }
            _ => {}
        }
    }

    /// Adds microseconds to what a submission costs.
    pub fn add(&mut self, problem: &str, submission: &str, micros: u64) {
        let key = (problem.to_owned(), submission.to_owned());
        let cost = self.by_submission.entry(key).or_default();
        *cost = cost.saturating_add(micros);
    }

    /// The cost of each of these submissions, given their problems and names. One that is not known
    /// costs as much as the others of its problem on average, or as all on average.
    pub fn of<'a>(&self, submissions: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<u64> {
        let mut by_problem: SortedMap<&str, Mean> = SortedMap::new();
        let mut all = Mean::default();
        let mut costs = SortedMap::new();
        for (key, cost) in &self.by_submission {
            let language = self.uncompiled.get(key);
            let compiling = language.and_then(|language| self.compiling.get(language));
            let cost = cost.saturating_add(compiling.map_or(0, |mean| mean.value()));
            costs.insert(key, cost);
            by_problem.entry(&key.0).or_default().add(cost);
            all.add(cost);
        }
        submissions
            .map(|(problem, submission)| {
                let key = (problem.to_owned(), submission.to_owned());
                let mean = by_problem.get(problem).unwrap_or(&all).value();
                costs.get(&key).copied().unwrap_or(mean).max(1)
            })
            .collect()
    }
}

/// A mean of whole numbers, rounded down.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: u64,
    count: u64,
}

impl Mean {
    fn add(&mut self, value: u64) {
        self.sum = self.sum.saturating_add(value);
        self.count += 1;
    }

    fn value(self) -> u64 {
        self.sum.checked_div(self.count).unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn submissions_without_costs_are_dealt_out_in_turn() {
        assert_eq!(assign(&[(); 7], None, 3), [0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(assign(&[(); 2], None, 5), [0, 1]);
        assert_eq!(assign(&[(); 0], None, 5), [0; 0]);
    }

    /// Of each of three teams, the first submission is expensive.
    #[test]
    fn each_shard_gets_submissions_of_each_kind() {
        assert_eq!(
            assign(&["p", "q", "p", "q", "p", "q"], None, 2),
            [0, 1, 1, 0, 0, 1]
        );
    }

    #[test]
    fn the_most_expensive_goes_first_to_the_shard_with_the_least() {
        let costs = [5, 5, 4, 4, 3, 3, 3];
        assert_eq!(assign(&[(); 7], Some(&costs), 3), [0, 1, 2, 2, 0, 1, 0]);
        assert_eq!(assign(&[(); 3], Some(&[u64::MAX; 3]), 1), [0; 3]);
    }

    #[test]
    fn a_submission_that_is_not_known_costs_the_mean_of_its_problem_or_of_all() {
        let mut known = KnownCosts::default();
        known.add("p", "a", 10);
        known.add("p", "b", 21);
        known.add("q", "a", 2);
        known.add("q", "a", 3);
        let asked = [("p", "a"), ("p", "new"), ("q", "a"), ("q", "b"), ("r", "a")];
        assert_eq!(known.of(asked.into_iter()), [10, 15, 5, 5, 12]);
        assert_eq!(KnownCosts::default().of([("p", "a")].into_iter()), [1]);
    }

    proptest! {
        /// The bound of longest processing time first: a mean, and a third of the longest or the
        /// longest itself.
        #[test]
        fn no_shard_costs_more_than_the_mean_and_the_most_expensive_submission(
            costs in proptest::collection::vec(1_u64..10_000, 0..60),
            shards in 1_usize..9,
        ) {
            let assigned = assign(&vec![(); costs.len()], Some(&costs), shards);
            let mut loads = vec![0; shards];
            for (place, shard) in assigned.iter().enumerate() {
                loads[*shard] += costs[place];
            }
            let sum: u64 = costs.iter().sum();
            let longest = costs.iter().max().copied().unwrap_or(0);
            let most = loads.iter().max().copied().unwrap_or(0);
            prop_assert!(most * shards as u64 <= sum + longest * (shards as u64 - 1));
        }
    }
}
