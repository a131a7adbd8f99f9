//! Judges a plan in shards, on any number of machines, and proves that their logs
//! together are the plan. Knows plans and events; a scheduler starts the shards, and
//! files are opened by callers.
//!
//! ```text
//! plan -> plan_record (digests) -> balance: which submissions -> shard's plan -> its log
//!                                                                                  |
//!  one log <- merged_events <- ShardSelection <- run_summary of each  <------------+
//! ```
//!
//! Start at [`shard_of_plan`] and at [`ShardSelection::from_runs`].

mod merged_events;
mod plan_record;
mod run_summary;
mod scheduler;
mod selection;

use crate::mistake::Mistake;
use crate::run::{Plan, PlanEntry};

pub use merged_events::merge_events;
pub use plan_record::record;
pub use run_summary::{EntrySummary, MachineDifferences, RunSummary};
pub use scheduler::{KnownCosts, ScheduledShard, ShardChoice, ShardNumber, assign};
pub use selection::{MissingShard, RunConflict, ShardSelection};

/// The plan of one shard: its submissions in the order of the whole plan, given the
/// shard of each, from 0. Also returns their places in the whole plan, from 1.
pub fn shard_of_plan(
    plan: &Plan,
    assigned: &[usize],
    shard: ShardNumber,
) -> (Vec<PlanEntry>, Vec<usize>) {
    assigned
        .iter()
        .enumerate()
        .filter(|(_, of)| **of + 1 == shard.index)
        .map(|(place, _)| (plan.entries[place].clone(), place + 1))
        .unzip()
}

/// The plan of one shard if the cases of each submission are divided: every submission
/// on each case whose turn it is, as far as there are any. Also returns their places as
/// [`shard_of_plan`] does.
///
/// # Errors
/// If the result of a submission depends on several cases together.
pub fn cut_cases(
    plan: &Plan,
    shard: ShardNumber,
) -> Result<(Vec<PlanEntry>, Vec<usize>), Mistake> {
    let undividable = plan.entries.iter().find(|entry| {
        !entry.problem.scoring.groups.is_empty()
            || !entry.expectations.required.is_empty()
            || !entry.expectations.allowed.is_empty()
    });
    if let Some(entry) = undividable {
        let message = format!(
            "the cases of {} have points, or a result of their own is expected of {}, so one \
             machine must judge them all",
            entry.problem.id, entry.submission.name
        );
        let remedy = "leave it out: then submissions are divided";
        return Mistake::refuse("--split-cases", message, remedy);
    }
    let parts = plan.entries.iter().zip(1..).map(|(entry, place)| {
        let cases = entry.cases.iter().skip(shard.index - 1).step_by(shard.of);
        let part = PlanEntry {
            cases: cases.cloned().collect(),
            ..entry.clone()
        };
        (part, place)
    });
    Ok(parts.filter(|(part, _)| !part.cases.is_empty()).unzip())
}

#[cfg(test)]
mod tests;
