//! Where the machines of shards differ, so that their verdicts may not be comparable: tools, levels
//! of the sandbox, processors and speed. Start at [`MachineDifferences::of`].

use crate::sorted::{SortedMap, SortedSet};

use crate::model::Event;
use crate::shard::RunSummary;

/// Machines whose speeds differ by less than this, in percent, count as equal: the measure varies
/// by as much.
const EQUAL_SPEED: u64 = 25;

/// Where the machines of some runs differ.
#[derive(Debug)]
pub struct MachineDifferences {
    /// The machines if there are several, and tools and levels of the sandbox that differ, a
    /// sentence each.
    pub notes: Vec<String>,
    /// Why times on these machines differ, if they do.
    pub speeds: Option<String>,
    /// The places in the plan, from 1, of submissions with a time near to a limit.
    pub near_limits: SortedSet<usize>,
}

impl MachineDifferences {
    /// Compares the machines of the runs that count.
    pub fn of(runs: &[&RunSummary]) -> Self {
        let hosts: SortedSet<&str> = runs.iter().map(|run| &*run.shard.host).collect();
        let mut notes = Vec::new();
        if hosts.len() > 1 {
            notes.push(format!("judged on {}", Vec::from_iter(hosts).join(", ")));
        }
        let mut versions: SortedMap<&str, Vec<(&str, &RunSummary)>> = SortedMap::new();
        for run in runs {
            for tool in &run.shard.tools {
                let of_language = versions.entry(&tool.language).or_default();
                of_language.push((&tool.version, run));
            }
        }
        for (language, found) in versions {
            notes.extend(difference(&format!("the versions of {language}"), &found));
        }
        let levels: Vec<_> = runs.iter().map(|run| (level(run), *run)).collect();
        notes.extend(difference("the levels of the sandbox", &levels));
        Self {
            notes,
            speeds: different_speeds(runs),
            near_limits: near_limits(runs),
        }
    }
}

fn level(run: &RunSummary) -> &str {
    match &run.started {
        Event::SuiteStarted { sandbox, .. } => sandbox,
        _ => "",
    }
}

/// The sentence about values that are not the same in all runs; `None` if they are.
fn difference(what: &str, found: &[(&str, &RunSummary)]) -> Option<String> {
    let mut hosts: SortedMap<&str, SortedSet<&str>> = SortedMap::new();
    for (value, run) in found {
        hosts.entry(value).or_default().insert(&run.shard.host);
    }
    if hosts.len() < 2 {
        return None;
    }
    let each: Vec<_> = hosts
        .iter()
        .map(|(value, hosts)| {
            let hosts: Vec<_> = hosts.iter().copied().collect();
            format!("`{value}` on {}", hosts.join(", "))
        })
        .collect();
    Some(format!("{what} differ: {}", each.join("; ")))
}

/// How the processors or their speeds differ, if they do.
fn different_speeds(runs: &[&RunSummary]) -> Option<String> {
    let processors: Vec<_> = runs.iter().map(|run| (run.processor(), *run)).collect();
    if let Some(sentence) = difference("the processors", &processors) {
        return Some(sentence);
    }
    // Of several shards on one machine, the fastest shows its speed.
    let mut speeds: SortedMap<&str, u64> = SortedMap::new();
    for run in runs {
        let speed = speeds.entry(&run.shard.host).or_insert(u64::MAX);
        *speed = run.shard.calibration_ns.min(*speed);
    }
    let (fast, least) = speeds.iter().min_by_key(|(_, time)| **time)?;
    let (slow, most) = speeds.iter().max_by_key(|(_, time)| **time)?;
    let percent = most.saturating_mul(100) / (*least).max(1);
    (percent > 100 + EQUAL_SPEED)
        .then(|| format!("the speeds differ: {slow} takes {percent} % of the time of {fast}"))
}

fn near_limits(runs: &[&RunSummary]) -> SortedSet<usize> {
    let each = runs
        .iter()
        .flat_map(|run| run.shard.ordinals.iter().zip(&run.entries));
    each.filter(|(_, entry)| entry.is_near_limit)
        .map(|(ordinal, _)| *ordinal)
        .collect()
}
