//! Which shard a process is to judge: as its command line says, or the scheduler that
//! started it; and which submissions a shard judges, computed alike by every machine.
//! Knows the variables that schedulers set and the cost of each submission, but neither
//! plans nor logs. Start at [`ShardChoice::resolve`] and [`assign`].
//!
//! Sources: the manuals of the schedulers, and a Slurm that was tried.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use crate::mistake::Mistake;
use crate::model::Event;
use crate::text::{JoinedTexts, counted};

/// The most shards of a plan.
pub(super) const MOST_SHARDS: usize = 100_000;

/// The option that names a shard.
const OPTION: &str = "--shard";

/// The variables of the environment: the value of the one of this name.
type Variables<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// The shard that a command line asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShardChoice {
    /// This one.
    Given(ShardNumber),
    /// The one that the scheduler gives this process; of this many, if the scheduler
    /// does not tell.
    Auto {
        /// The number of shards.
        of: Option<usize>,
    },
}

/// One of several shards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShardNumber {
    /// Its number, from 1.
    pub index: usize,
    /// The number of shards.
    pub of: usize,
}

impl fmt::Display for ShardNumber {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.index, self.of)
    }
}

/// What a scheduler says of the process that it started.
pub struct ScheduledShard {
    /// The shard.
    pub number: ShardNumber,
    /// The attempt, from 1, if the scheduler counts them.
    pub attempt: Option<u32>,
    /// The file that the scheduler wants to be created, as a sign that the process
    /// judges a shard only.
    pub status_file: Option<String>,
}

impl FromStr for ShardChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const FORM: &str = "write `K/N`, for example `3/8`, or `auto`, or `auto/N`";
        let number = |text: &str| match text.parse() {
            Ok(number @ 1..=MOST_SHARDS) => Ok(number),
            Ok(0) => Err("shards count from 1".to_owned()),
            Ok(_) => Err(format!("{MOST_SHARDS} shards are the most")),
            Err(_) => Err(FORM.to_owned()),
        };
        if text == "auto" {
            return Ok(Self::Auto { of: None });
        }
        let (index, of) = text.split_once('/').ok_or(FORM)?;
        let of = number(of)?;
        if index == "auto" {
            return Ok(Self::Auto { of: Some(of) });
        }
        let index = number(index)?;
        if index > of {
            return Err(format!("there is no shard {index} of {of}"));
        }
        Ok(Self::Given(ShardNumber { index, of }))
    }
}

impl ShardChoice {
    /// The shard that is meant, given the variables of the environment.
    ///
    /// # Errors
    /// If no scheduler says which, if two disagree, or if one says something
    /// impossible.
    pub fn resolve(
        self,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<ScheduledShard, Mistake> {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let (number, status_file) = match self {
            Self::Given(number) => (number, None),
            Self::Auto { of } => {
                let number = scheduled_number(&variable, of)?;
                (number, variable("TEST_SHARD_STATUS_FILE"))
            }
        };
        let attempt = ATTEMPTS.iter().find_map(|(name, first)| {
            let count: u32 = variable(name)?.parse().ok()?;
            count.checked_sub(*first)?.checked_add(1)
        });
        Ok(ScheduledShard {
            number,
            attempt,
            status_file,
        })
    }
}

/// The shard of this process, by all schedulers that say which it is.
fn scheduled_number(
    variable: &Variables<'_>,
    wanted: Option<usize>,
) -> Result<ShardNumber, Mistake> {
    let mut numbers = vec![];
    for (name, index, first, total) in SCHEDULERS {
        let scheduler = Scheduler {
            name,
            index,
            first,
            total,
        };
        if let Some(number) = scheduler.number(variable, wanted)? {
            numbers.push((name, number));
        }
    }
    let Some((_, first)) = numbers.first() else {
        return Mistake::refuse(
            OPTION,
            "`auto`: no scheduler says which shard this is",
            "write `--shard K/N`, for example `3/8` for the third of eight",
        );
    };
    if numbers.iter().all(|(_, other)| other == first) {
        return Ok(*first);
    }
    let all = numbers
        .iter()
        .map(|(name, number)| format!("{number} by {name}"));
    Mistake::refuse(
        OPTION,
        format!("`auto`: schedulers disagree: {}", all.joined(", ")),
        format!("write the one that is meant, for example `--shard {first}`"),
    )
}

/// The variables of a scheduler.
struct Scheduler {
    name: &'static str,
    index: &'static str,
    /// The index of the first shard.
    first: usize,
    /// The variable with the number of shards, if there is one.
    total: Option<&'static str>,
}

/// The name of each, its variable with the index, the index of the first shard, and the
/// variable with the number of shards, if there is one.
const SCHEDULERS: [(&str, &str, usize, Option<&str>); 12] = [
    // Or from 0: it begins where the array does.
    (
        "Slurm",
        "SLURM_ARRAY_TASK_ID",
        1,
        Some("SLURM_ARRAY_TASK_COUNT"),
    ),
    ("Kubernetes", "JOB_COMPLETION_INDEX", 0, None),
    (
        "AWS Batch",
        "AWS_BATCH_JOB_ARRAY_INDEX",
        0,
        Some("AWS_BATCH_JOB_ARRAY_SIZE"),
    ),
    ("GitLab", "CI_NODE_INDEX", 1, Some("CI_NODE_TOTAL")),
    (
        "Buildkite",
        "BUILDKITE_PARALLEL_JOB",
        0,
        Some("BUILDKITE_PARALLEL_JOB_COUNT"),
    ),
    (
        "CircleCI",
        "CIRCLE_NODE_INDEX",
        0,
        Some("CIRCLE_NODE_TOTAL"),
    ),
    (
        "Azure Pipelines",
        "SYSTEM_JOBPOSITIONINPHASE",
        1,
        Some("SYSTEM_TOTALJOBSINPHASE"),
    ),
    (
        "Bitbucket",
        "BITBUCKET_PARALLEL_STEP",
        0,
        Some("BITBUCKET_PARALLEL_STEP_COUNT"),
    ),
    (
        "Semaphore",
        "SEMAPHORE_JOB_INDEX",
        1,
        Some("SEMAPHORE_JOB_COUNT"),
    ),
    ("Bazel", "TEST_SHARD_INDEX", 0, Some("TEST_TOTAL_SHARDS")),
    ("Grid Engine", "SGE_TASK_ID", 1, Some("SGE_TASK_LAST")),
    ("LSF", "LSB_JOBINDEX", 1, Some("LSB_JOBINDEX_END")),
];

/// Variables with the attempt, each with the value of the first one.
const ATTEMPTS: [(&str, u32); 7] = [
    ("SLURM_RESTART_COUNT", 0),
    ("AWS_BATCH_JOB_ATTEMPT", 1),
    ("GITHUB_RUN_ATTEMPT", 1),
    ("BUILDKITE_RETRY_COUNT", 0),
    ("SYSTEM_JOBATTEMPT", 1),
    ("TEST_RUN_NUMBER", 1),
    ("RESTARTED", 0),
];

impl Scheduler {
    /// The shard of this process; `None` if the scheduler did not start the process as
    /// one of several.
    ///
    /// # Errors
    /// Returns what is wrong with it.
    fn number(
        &self,
        variable: &Variables<'_>,
        wanted: Option<usize>,
    ) -> Result<Option<ShardNumber>, Mistake> {
        let Some(index) = variable(self.index) else {
            return Ok(None);
        };
        // What they set for a process that is not one of several.
        if index == "undefined" || self.name == "LSF" && index == "0" {
            return Ok(None);
        }
        let mut first = self.first;
        if self.name == "Slurm" {
            first = start_of_array(variable).ok_or_else(|| {
                self.unknown(
                    "gives an array that is not 0 or 1 up to its end, each once",
                )
            })?;
        }
        let of = self.total(variable, wanted)?;
        let place = index.parse::<usize>().ok();
        match place.and_then(|place| place.checked_sub(first)) {
            Some(place) if place < of && of <= MOST_SHARDS => Ok(Some(ShardNumber {
                index: place + 1,
                of,
            })),
            _ => Err(self.unknown(&format!(
                "sets `{}` to `{index}`, and there {} {}",
                self.index,
                if of == 1 { "is" } else { "are" },
                counted(of, "shard")
            ))),
        }
    }

    /// The number of shards: of the scheduler, or the one that is wanted if it does not
    /// say.
    fn total(
        &self,
        variable: &Variables<'_>,
        wanted: Option<usize>,
    ) -> Result<usize, Mistake> {
        let total = self.total.and_then(|name| {
            Some(variable(name)?.parse::<usize>().map_err(|_| {
                self.unknown(&format!("sets `{name}` to something that is no number"))
            }))
        });
        match (total.transpose()?, wanted) {
            (Some(total), Some(wanted)) if total != wanted => {
                let wanted_tasks = counted(wanted, "task");
                let unknown = self.unknown(&format!(
                    "runs {}, and {} {} wanted",
                    counted(total, "task"),
                    counted(wanted, "shard"),
                    if wanted == 1 { "is" } else { "are" }
                ));
                Err(unknown.with_remedy(format!(
                    "write `--shard auto/{total}`, or start {wanted_tasks}"
                )))
            }
            (Some(of), _) | (None, Some(of)) => Ok(of),
            (None, None) => Err(self
                .unknown("does not say how many shards there are")
                .with_remedy(
                    "write `--shard auto/N`, for example `auto/8` for eight",
                )),
        }
    }

    fn unknown(&self, message: &str) -> Mistake {
        Mistake::new(
            OPTION,
            format!("`auto`: {} {message}", self.name),
            format!(
                "write `--shard K/N`, with K made from `${}` so that it counts from 1",
                self.index
            ),
        )
    }
}

/// Where a Slurm array begins, if it consists of all tasks from 0 or 1 to its end, as
/// `--array=1-8` does. That of `--array=5` counts one task.
fn start_of_array(variable: &Variables<'_>) -> Option<usize> {
    let number = |name: &str| variable(name)?.parse::<usize>().ok();
    let least = number("SLURM_ARRAY_TASK_MIN")?;
    let most = number("SLURM_ARRAY_TASK_MAX")?;
    let step = number("SLURM_ARRAY_TASK_STEP");
    let count = number("SLURM_ARRAY_TASK_COUNT");
    let tasks = most.checked_add(1)?.checked_sub(least)?;
    let is_whole = step.is_none_or(|step| step == 1) && count == Some(tasks);
    (least <= 1 && is_whole).then_some(least)
}

/// The shard of each submission, from 0, in the order of the plan. With the same
/// `kind`, two submissions probably cost about the same.
///
/// Without costs, those of each kind are dealt out in turn, kind after kind: the plan
/// of a contest often repeats its problems, and a shard would get those of one problem
/// only. With costs, the most expensive goes first, each to the shard with the least so
/// far; of equal ones the first counts. So no shard costs more than 4/3 of what the
/// best division has.
pub fn assign<K: Ord>(
    kinds: &[K],
    costs: Option<&[u64]>,
    shards: usize,
) -> Vec<usize> {
    let mut assigned = vec![0; kinds.len()];
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    let Some(costs) = costs else {
        order.sort_by_key(|place| &kinds[*place]);
        for (turn, place) in order.into_iter().enumerate() {
            assigned[place] = turn % shards;
        }
        return assigned;
    };
    order.sort_by_key(|place| Reverse(costs[*place]));
    let mut loads: BTreeSet<_> = (0..shards).map(|shard| (0_u64, shard)).collect();
    for place in order {
        if let Some((load, shard)) = loads.pop_first() {
            assigned[place] = shard;
            loads.insert((load.saturating_add(costs[place]), shard));
        }
    }
    assigned
}

/// What submissions cost when they were judged before, in microseconds of wall time.
#[derive(Default)]
pub struct KnownCosts {
    by_submission: BTreeMap<(String, String), u64>,
    /// What compilers cost, by language.
    compiling: BTreeMap<String, Mean>,
    /// Submissions that were not compiled, because their programs or results were in
    /// the cache, with their languages. On another machine they will be compiled.
    uncompiled: BTreeMap<(String, String), String>,
}

impl KnownCosts {
    /// Adds the costs that an event tells.
    pub fn take_event(&mut self, event: &Event) {
        match event {
            Event::TrialFinished(record) => {
                let attempts = record.attempts.iter().map(|attempt| attempt.wall_us);
                let once = record.wall_us.unwrap_or(0);
                let several: u64 = attempts.sum();
                self.add(&record.problem, &record.submission, once.max(several));
            }
            Event::SubmissionFinished(summary) => {
                let key =
                    (summary.problem.to_string(), summary.submission.to_string());
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

    /// The cost of each of these submissions, given their problems and names. One that
    /// is not known costs as much as the others of its problem on average, or as all on
    /// average.
    pub fn costs_of<'a>(
        &self,
        submissions: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Vec<u64> {
        let mut by_problem: BTreeMap<&str, Mean> = BTreeMap::new();
        let mut all = Mean::default();
        let mut costs = BTreeMap::new();
        for (key, cost) in &self.by_submission {
            let language = self.uncompiled.get(key);
            let compiling =
                language.and_then(|language| self.compiling.get(language));
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
#[derive(Clone, Copy, Default)]
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
    use super::*;

    fn resolved(
        choice: &str,
        variables: &[(&str, &str)],
    ) -> Result<ScheduledShard, Mistake> {
        let choice: ShardChoice = choice.parse().unwrap();
        choice.resolve(|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    fn number(choice: &str, variables: &[(&str, &str)]) -> String {
        match resolved(choice, variables) {
            Ok(found) => found.number.to_string(),
            Err(unknown) => unknown.message,
        }
    }

    const SLURM: [(&str, &str); 5] = [
        ("SLURM_ARRAY_TASK_ID", "3"),
        ("SLURM_ARRAY_TASK_MIN", "1"),
        ("SLURM_ARRAY_TASK_MAX", "8"),
        ("SLURM_ARRAY_TASK_STEP", "1"),
        ("SLURM_ARRAY_TASK_COUNT", "8"),
    ];

    fn slurm(
        changed: &[(&'static str, &'static str)],
    ) -> Vec<(&'static str, &'static str)> {
        let rest = SLURM
            .into_iter()
            .filter(|(name, _)| changed.iter().all(|(other, _)| other != name));
        changed.iter().copied().chain(rest).collect()
    }

    #[test]
    fn a_shard_is_named_by_its_number_and_their_count() {
        assert_eq!(number("3/8", &[]), "3/8");
        for (text, message) in [
            ("0/8", "shards count from 1"),
            ("3/0", "shards count from 1"),
            ("9/8", "there is no shard 9 of 8"),
            ("1/100001", "100000 shards are the most"),
            (
                "3",
                "write `K/N`, for example `3/8`, or `auto`, or `auto/N`",
            ),
            (
                "a/8",
                "write `K/N`, for example `3/8`, or `auto`, or `auto/N`",
            ),
            (
                "-1/8",
                "write `K/N`, for example `3/8`, or `auto`, or `auto/N`",
            ),
            (
                "auto/x",
                "write `K/N`, for example `3/8`, or `auto`, or `auto/N`",
            ),
        ] {
            assert_eq!(text.parse::<ShardChoice>(), Err(message.to_owned()));
        }
    }

    #[test]
    fn each_scheduler_gives_its_first_and_its_last_task_a_number() {
        for (index, first, last, total) in [
            (
                "AWS_BATCH_JOB_ARRAY_INDEX",
                "0",
                "7",
                "AWS_BATCH_JOB_ARRAY_SIZE",
            ),
            ("CI_NODE_INDEX", "1", "8", "CI_NODE_TOTAL"),
            (
                "BUILDKITE_PARALLEL_JOB",
                "0",
                "7",
                "BUILDKITE_PARALLEL_JOB_COUNT",
            ),
            ("CIRCLE_NODE_INDEX", "0", "7", "CIRCLE_NODE_TOTAL"),
            (
                "SYSTEM_JOBPOSITIONINPHASE",
                "1",
                "8",
                "SYSTEM_TOTALJOBSINPHASE",
            ),
            (
                "BITBUCKET_PARALLEL_STEP",
                "0",
                "7",
                "BITBUCKET_PARALLEL_STEP_COUNT",
            ),
            ("SEMAPHORE_JOB_INDEX", "1", "8", "SEMAPHORE_JOB_COUNT"),
            ("TEST_SHARD_INDEX", "0", "7", "TEST_TOTAL_SHARDS"),
            ("SGE_TASK_ID", "1", "8", "SGE_TASK_LAST"),
            ("LSB_JOBINDEX", "1", "8", "LSB_JOBINDEX_END"),
        ] {
            assert_eq!(number("auto", &[(index, first), (total, "8")]), "1/8");
            assert_eq!(number("auto", &[(index, last), (total, "8")]), "8/8");
        }
        assert_eq!(number("auto", &SLURM), "3/8");
        let from_0 =
            slurm(&[("SLURM_ARRAY_TASK_MIN", "0"), ("SLURM_ARRAY_TASK_MAX", "7")]);
        assert_eq!(number("auto", &from_0), "4/8");
        let pod = [("JOB_COMPLETION_INDEX", "7")];
        assert_eq!(number("auto/8", &pod), "8/8");
        assert_eq!(
            number("auto", &pod),
            "`auto`: Kubernetes does not say how many shards there are"
        );
    }

    /// A tool that judges everything where it should judge a part is green and proves
    /// nothing.
    #[test]
    fn what_is_uncertain_is_refused() {
        assert_eq!(
            number("auto", &[]),
            "`auto`: no scheduler says which shard this is"
        );
        let part = "`auto`: Slurm gives an array that is not 0 or 1 up to its end, each once";
        for changed in [
            // `--array=5`
            vec![
                ("SLURM_ARRAY_TASK_ID", "5"),
                ("SLURM_ARRAY_TASK_MIN", "5"),
                ("SLURM_ARRAY_TASK_MAX", "5"),
                ("SLURM_ARRAY_TASK_COUNT", "1"),
            ],
            // `--array=1,3,8`
            vec![("SLURM_ARRAY_TASK_COUNT", "3")],
            vec![("SLURM_ARRAY_TASK_STEP", "2")],
            vec![("SLURM_ARRAY_TASK_MAX", "")],
        ] {
            assert_eq!(number("auto", &slurm(&changed)), part, "{changed:?}");
        }
        assert_eq!(
            number("auto/4", &SLURM),
            "`auto`: Slurm runs 8 tasks, and 4 shards are wanted"
        );
        let two = [
            &SLURM[..],
            &[("CI_NODE_INDEX", "1"), ("CI_NODE_TOTAL", "2")],
        ]
        .concat();
        assert_eq!(
            number("auto", &two),
            "`auto`: schedulers disagree: 3/8 by Slurm, 1/2 by GitLab"
        );
        for (index, total, message) in [
            (
                "8",
                "8",
                "sets `BUILDKITE_PARALLEL_JOB` to `8`, and there are 8 shards",
            ),
            (
                "x",
                "8",
                "sets `BUILDKITE_PARALLEL_JOB` to `x`, and there are 8 shards",
            ),
            (
                "0",
                "0",
                "sets `BUILDKITE_PARALLEL_JOB` to `0`, and there are 0 shards",
            ),
            (
                "0",
                "x",
                "sets `BUILDKITE_PARALLEL_JOB_COUNT` to something that is no number",
            ),
        ] {
            let found = number(
                "auto",
                &[
                    ("BUILDKITE_PARALLEL_JOB", index),
                    ("BUILDKITE_PARALLEL_JOB_COUNT", total),
                ],
            );
            assert_eq!(found, format!("`auto`: Buildkite {message}"));
        }
    }

    #[test]
    fn schedulers_that_agree_are_believed_and_jobs_outside_of_arrays_are_none() {
        let agree = [
            &SLURM[..],
            &[("CI_NODE_INDEX", "3"), ("CI_NODE_TOTAL", "8")],
        ]
        .concat();
        assert_eq!(number("auto", &agree), "3/8");
        let none = [("SGE_TASK_ID", "undefined"), ("LSB_JOBINDEX", "0")];
        assert_eq!(
            number("auto", &none),
            "`auto`: no scheduler says which shard this is"
        );
        // GitLab sets the total of a job that is not parallel.
        assert_eq!(
            number("auto", &[("CI_NODE_TOTAL", "1")]),
            "`auto`: no scheduler says which shard this is"
        );
    }

    #[test]
    fn attempts_count_from_1_whatever_the_scheduler_calls_the_first() {
        let attempt =
            |name, value| resolved("1/2", &[(name, value)]).unwrap().attempt;
        assert_eq!(attempt("SLURM_RESTART_COUNT", "1"), Some(2));
        assert_eq!(attempt("AWS_BATCH_JOB_ATTEMPT", "1"), Some(1));
        assert_eq!(attempt("BUILDKITE_RETRY_COUNT", "0"), Some(1));
        assert_eq!(attempt("GITHUB_RUN_ATTEMPT", "x"), None);
        assert_eq!(attempt("GITHUB_RUN_ATTEMPT", "0"), None);
    }

    #[test]
    fn bazel_is_given_its_status_file() {
        let bazel = [
            ("TEST_SHARD_INDEX", "0"),
            ("TEST_TOTAL_SHARDS", "2"),
            ("TEST_SHARD_STATUS_FILE", "/tmp/status"),
        ];
        let found = resolved("auto", &bazel).unwrap();
        assert_eq!(found.status_file.as_deref(), Some("/tmp/status"));
    }
}

#[cfg(test)]
mod balance_tests {
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
        assert_eq!(known.costs_of(asked.into_iter()), [10, 15, 5, 5, 12]);
        assert_eq!(
            KnownCosts::default().costs_of([("p", "a")].into_iter()),
            [1]
        );
    }

    proptest! {
        /// The bound of longest processing time first: a mean, and a third of the
        /// longest or the longest itself.
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
